# Writes the examples of the docstrings as one Swift file of functions, each with the names that it
# assumes. Give it the list of names first, then the sources.
FNR == 1 { first = NR == 1; base = FILENAME; sub(/^.*\//, "", base); sub(/\.swift$/, "", base); leave() }

# The list: `name: Type`, `var name: Type` or `func name(…) -> Type`, under `[File]`.
first && /^\[/ { section = substr($0, 2, length($0) - 2); next }
first && /^(#|$)/ { next }
first && section == "everywhere" {
  print (/^func / ? $0 " { fatalError() }" : "var " $0 " { fatalError() }")
  next
}
first {
  line = /^func / ? "@Sendable " $0 " { fatalError() }" : (/^var / ? "" : "let ") $0 " = elided()"
  names[section] = names[section] "  " line "\n"
  next
}

function leave() {
  if (isOpen) printf "#sourceLocation()\n}\n\n"
  isOpen = isFenced = 0
  isBlank = 1
}

function add(code) {
  if (!isOpen) {
    count++
    printf "func example%d() throws {\n%s", count, names[base]
    printf "#sourceLocation(file: \"%s\", line: %d)\n", FILENAME, FNR
    isOpen = 1
  }
  # The ellipsis stands for code that the example leaves out.
  gsub(/…/, "elided()", code)
  print code
}

!/^ *\/\/\// { leave(); next }
{ sub(/^ *\/\/\/ ?/, "") }
/^```/ {
  if (isFenced) { leave() } else { isFenced = 1 }
  next
}
isFenced { add($0); next }
/^    / && (isOpen || isBlank) { add(substr($0, 5)); next }
/^$/ { if (isOpen) print ""; isBlank = 1; next }
{ leave(); isBlank = 0 }

END { leave(); print "// " count " examples" }
