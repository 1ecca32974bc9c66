"""Finds small changes that can be planted in Swift sources, and plants them behind a switch.

A change is an edit of one place of a line, so that all of them compile together: an operator becomes
one of its own, which asks the switch, and a value becomes `(Mutant.on(17) ? changed : original)`. It
works on text, not on syntax: what does not compile is dropped by the caller.
"""

import dataclasses
import re

# The state or want that takes the place of another one.
SWAPPED = {
    "new": "queued", "queued": "new", "probed": "partial", "partial": "probed",
    "complete": "checked", "checked": "complete", "ready": "damaged", "waiting": "failed",
    "failed": "waiting", "missing": "damaged", "damaged": "missing", "expired": "revoked",
    "revoked": "expired", "removing": "removed", "removed": "removing", "fetch": "hold",
    "hold": "fetch", "gone": "hold", "later": "never", "never": "later", "changed": "nothingKept",
    "discard": "changed", "nothingKept": "changed", "rangeAlone": "discard",
}
FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
OPERATORS = (
    "flipped comparison", "off by one at a comparison", "and for or", "negation dropped")
EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DECLARATION = re.compile(
    r"^\s*(?:(?:package|private|fileprivate|static|mutating|final|indirect|nonisolated\S*|@\S+)\s+)*"
    r"(?:func|struct|enum|protocol|extension|class|typealias|associatedtype|import|case let|subscript"
    r"|infix|prefix)\b")


@dataclasses.dataclass
class Change:
    """One place of a file and what may stand there instead."""

    area: str
    path: str
    line: int  # from 0
    start: int
    end: int
    kind: str
    old: str
    new: str
    source: str
    number: int = -1

    def key(self) -> str:
        """What the change is, also after lines above it were added."""
        return "\t".join((self.path, str(self.start), self.kind, self.source.strip()))

    def text(self) -> str:
        """The text that takes the place of the old one."""
        switch = f"Mutant.on({self.number})"
        if self.kind in OPERATORS:
            return self.old + mark(self.number)
        if self.kind == "negated condition":
            return f"({self.old}) != {switch}"
        if self.kind == "dropped branch":
            return f"{self.old}, !{switch}"
        if self.kind == "dropped statement":
            return f"if !{switch} {{ {self.old} }}"
        return f"({switch} ? {self.new} : {self.old})"

    def declarations(self) -> str:
        """The operator of this change, for its module."""
        name = self.old + mark(self.number)
        switch = f"Mutant.on({self.number})"
        if self.kind == "negation dropped":
            return (f"prefix operator {name}\n"
                    f"prefix func {name} (a: Bool) -> Bool {{ {switch} ? a : !a }}\n")
        if self.kind not in OPERATORS:
            return ""
        if self.old in ("&&", "||"):
            group = "LogicalConjunctionPrecedence" if self.old == "&&" else "LogicalDisjunctionPrecedence"
            return (f"infix operator {name}: {group}\n"
                    f"func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{\n"
                    f"  {switch} ? try (a {self.new} b()) : try (a {self.old} b())\n}}\n")
        kind = "Equatable" if self.old in ("==", "!=") else "Comparable"
        body = f"{{ {switch} ? a {self.new} b : a {self.old} b }}"
        text = f"infix operator {name}: ComparisonPrecedence\n"
        text += f"func {name} <T: {kind}>(a: T, b: T) -> Bool {body}\n"
        if kind == "Equatable":
            text += f"func {name} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool {body}\n"
        else:
            text += (f"func {name} <A: BinaryInteger, B: BinaryInteger>(a: A, b: B) -> Bool {body}\n"
                     f"func {name} <A: Comparable, B: Comparable>(a: (A, B), b: (A, B)) -> Bool {body}\n")
        return text


def mark(number: int) -> str:
    """Two mathematical signs, which Swift allows in an operator, for each number."""
    return chr(0x2200 + number // 64) + chr(0x2240 + number % 64)


def masked(text: str) -> str:
    """The text with blanks for the content of comments and strings; the length stays."""
    pattern = re.compile(r'"""(?:.|\n)*?"""|#"[^"\n]*"#|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')
    return pattern.sub(lambda hit: re.sub(r"[^\n]", "\x01", hit.group()), text)


def changes(area: str, path: str, text: str) -> list[Change]:
    """All changes of a file, in its order."""
    found: list[Change] = []
    source = text.split("\n")
    lines = masked(text).split("\n")
    for number, line in enumerate(lines):
        body = line.strip()
        if not body or body.startswith(("#", "@", "import")) or DECLARATION.match(line):
            continue
        if re.match(r"(package |private |fileprivate )?init\b", body) or "fatalError" in line:
            continue

        def add(start: int, end: int, kind: str, new: str = "", line=number) -> None:
            old = source[line][start:end]
            if "\x01" in lines[line][start:end] and kind != "dropped statement":
                return
            found.append(Change(area, path, line, start, end, kind, old, new, source[line]))

        first = 0
        if body.startswith("case "):
            label = re.match(r"\s*case [^:]*?: (?=\S)", line)
            first = label.end() if label else len(line)
        for hit in re.finditer(r"(?<= )(<=|>=|==|!=|&&|\|\||<|>)(?= )", line):
            kind = "and for or" if hit.group() in ("&&", "||") else "flipped comparison"
            add(*hit.span(), kind, FLIPPED[hit.group()])
            if hit.group() in EDGE:
                add(*hit.span(), "off by one at a comparison", EDGE[hit.group()])
        for hit in re.finditer(r"(?<![\w)\]!])!(?=[\w(.])", line):
            add(*hit.span(), "negation dropped")
        for hit in re.finditer(r"(?<![\w.$\"])\d+(?![\w.]|\s*:)", line):
            if hit.start() >= first:
                add(*hit.span(), "off by one", str(int(hit.group()) + 1))
        for hit in re.finditer(r"(?<![\w)\]?!])\.(\w+)\b(?![(\w.])", line):
            if hit.start() >= first and hit.group(1) in SWAPPED:
                add(*hit.span(), "swapped case", "." + SWAPPED[hit.group(1)])
        for hit in re.finditer(r"(?<![\w.])(true|false)\b(?!:)", line):
            if hit.start() >= first:
                add(*hit.span(), "swapped case", "false" if hit.group() == "true" else "true")
        condition = re.match(r"\s*(?:} else )?(if|guard) (.+?)( else)? \{", line)
        if condition:
            start, end = condition.span(2)
            plain = not re.search(r"\b(let|var|case)\b|,", condition.group(2))
            if plain and condition.group(2).count("{") == condition.group(2).count("}"):
                add(start, end, "negated condition")
            if condition.group(1) == "if" and not condition.group(3):
                add(start, end, "dropped branch")
        statement = re.match(
            r"(\s*)(?!(?:let|var|return|throw|case|default|guard|if|for|while|switch|try|defer|self\.)\b)"
            r"[a-z]\w*(?:[\w.]|\[[^\]{}]*\])*(?: (?:=|\+=|-=|\|=) [^{}]+|\.(?:append|insert)\([^{}]*\))$",
            line)
        if statement and line.count("(") == line.count(")") and line.count("[") == line.count("]"):
            indent = len(statement.group(1))
            after = lines[number + 1] if number + 1 < len(lines) else ""
            before = lines[number - 1].rstrip() if number else ""
            ends = before.endswith(("{", "}", ":")) or before.strip() == "" or (
                len(before) - len(before.lstrip()) == indent)
            goes_on = len(after) - len(after.lstrip()) > indent
            if ends and not goes_on and not in_initialiser(lines, number, indent):
                add(indent, len(line), "dropped statement")
    return found


def in_initialiser(lines: list[str], number: int, indent: int) -> bool:
    """Whether a line is in an initialiser, which must set each property."""
    for line in reversed(lines[:number]):
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < indent:
            indent = depth
            if re.search(r"\binit[?(<]", line):
                return True
    return False


def planted(text: str, chosen: list[Change]) -> str:
    """The text with changes that do not overlap."""
    lines = text.split("\n")
    for change in sorted(chosen, key=lambda change: -change.start):
        line = lines[change.line]
        lines[change.line] = line[: change.start] + change.text() + line[change.end :]
    return "\n".join(lines)
