"""Plants small changes in the pure rules and counts those that the unit tests notice.

Usage: mutants.py SCRATCH [COUNT [SEED]]. All changes are in one build of a copy of the sources, each
behind a switch. A first run of the tests without a change records which code they reach; then each
change runs only the tests of the libraries that reach it. Prints a table, and a line for each change
that no test noticed.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import plant

LIBRARIES = "Sources/Libraries/"
AREAS = {
    "due": ["VmxModel/Policies/DueRule.swift", "VmxModel/Policies/TimeWindow.swift",
            "VmxModel/Episode/Episode+Queueing.swift"],
    "resume decision": ["VmxTransfer/Resume/ResumeDecision.swift"],
    "retention": ["VmxRemoving/Cleaning/Plan/Retention.swift"],
    "names": ["VmxNaming/Reading", "VmxNaming/Writing", "VmxModel/Layout/SafeName.swift"],
    "state tables": ["VmxModel/Episode/PartState.swift", "VmxModel/Machine",
                     "VmxEngine/Machines/PartMachines.swift"],
}
# The libraries of the areas, in the order in which they build on each other.
BUILT = ["VmxModel", "VmxNaming", "VmxEngine", "VmxTransfer", "VmxRemoving"]
# The tests of the other libraries run whole; these take minutes.
SUITES = {
    "VmxTransfer": "(ResumeDecision|OverlapProbe|ResponseHead|ContentRange|Validators|"
                   "ChangedSource|InterruptedFetch)Tests",
    "VmxRemoving": "(Retention|CleaningPlanner|CleaningStep|RenamePlan|EpisodeRemover)Tests",
}
PATIENCE = 120
SWIFT = os.environ.get("SWIFT", "swift")


def main() -> None:
    scratch = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 41
    source = pathlib.Path(__file__).resolve().parents[2]
    tree = scratch / "mutants"
    dropped = Dropped(scratch / "dropped")
    # Chosen without regard to the dropped ones: so each run has the same changes.
    chosen = [one for one in choose(source, count, seed) if one.key() not in dropped.keys]
    originals = copy(source, tree, {change.path for change in chosen})
    chosen = compiled(tree, originals, chosen, dropped)[:count]
    print(f"{len(chosen)} changes are built", flush=True)
    results = tested(tree, chosen, scratch)
    report(chosen, results)


class Dropped:
    """The changes that an earlier run could not compile, so that no run tries them again."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.keys = set(path.read_text().split("\n")) if path.exists() else set()

    def add(self, changes: list[plant.Change]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(change.key() + "\n" for change in changes)


def choose(source: pathlib.Path, count: int, seed: int) -> list[plant.Change]:
    """A tenth more changes than are wanted, evenly from the areas, one of a line at most."""
    generator = random.Random(seed)
    areas = []
    for area, paths in AREAS.items():
        found = []
        for path in paths:
            place = source / LIBRARIES / path
            for file in sorted(place.glob("*.swift")) if place.is_dir() else [place]:
                found += plant.changes(area, str(file.relative_to(source)), file.read_text())
        generator.shuffle(found)
        lines: set[tuple[str, int]] = set()
        single = []
        for change in found:
            if (change.path, change.line) not in lines:
                lines.add((change.path, change.line))
                single.append(change)
        areas.append(single)
        print(f"{area}: {len(found)} possible changes on {len(single)} lines", flush=True)
    chosen = []
    while len(chosen) < count * 11 // 10 and any(areas):
        for area in areas:
            if area:
                chosen.append(area.pop(0))
    for number, change in enumerate(chosen):
        change.number = number
    return chosen


def copy(source: pathlib.Path, tree: pathlib.Path, changed: set[str]) -> dict[str, str]:
    """Copies the package; returns the text of the files that get changes.

    Files keep their times, so that the next run builds only what has changed.
    """
    def ignored(folder: str, names: list[str]) -> set[str]:
        inside = os.path.relpath(folder, source)
        return {name for name in names if os.path.join(inside, name) in changed}

    for name in ("Sources", "Tests"):
        shutil.copytree(source / name, tree / name, dirs_exist_ok=True, ignore=ignored)
        for file in list((tree / name).rglob("*.swift")):
            if not (source / file.relative_to(tree)).exists():
                file.unlink()
    manifest = (source / "Package.swift").read_text()
    write(tree / "Package.swift", manifest.replace(", .treatAllWarnings(as: .error)", "").replace(
        ".treatAllWarnings(as: .error)", ""))
    for name in ("Package.resolved",):
        if (source / name).exists():
            shutil.copy2(source / name, tree / name)
    return {path: (source / path).read_text() for path in changed}


def write(path: pathlib.Path, text: str) -> None:
    """Writes a file unless it has the text already."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def compiled(
    tree: pathlib.Path, originals: dict[str, str], chosen: list[plant.Change], dropped: Dropped
) -> list[plant.Change]:
    """Builds the copy, and drops the changes that do not compile; returns the others."""
    runtime = pathlib.Path(__file__).with_name("Mutant.swift.txt").read_text()
    write(tree / LIBRARIES / "VmxModel/Mutant.swift", runtime)
    steps = [["--target", name] for name in BUILT] + [["--build-tests"]]
    while steps:
        plant_all(tree, originals, chosen)
        done = swift(tree, "build", *steps[0])
        if done.returncode == 0:
            steps.pop(0)
            continue
        bad = to_drop(done.stdout, tree, chosen)
        if not bad:
            sys.exit(done.stdout[-6000:])
        print(f"{len(bad)} changes do not compile", flush=True)
        dropped.add([change for change in chosen if change.number in bad])
        chosen = [change for change in chosen if change.number not in bad]
    return chosen


def plant_all(
    tree: pathlib.Path, originals: dict[str, str], chosen: list[plant.Change]
) -> None:
    for path, text in originals.items():
        write(tree / path, plant.planted(text, [one for one in chosen if one.path == path]))
    for name in BUILT:
        own = [one for one in chosen if one.path.startswith(f"{LIBRARIES}{name}/")]
        head = "" if name == "VmxModel" else "import VmxModel\n\n"
        text = head + "\n".join(filter(None, (change.declarations() for change in own)))
        write(tree / LIBRARIES / name / "MutantOperators.swift", text)


def to_drop(output: str, tree: pathlib.Path, chosen: list[plant.Change]) -> set[int]:
    """The numbers of the changes on lines with an error, or next above such a line."""
    bad = set()
    for path, line in re.findall(r"^(/\S+?\.swift):(\d+):\d+: error:", output, re.MULTILINE):
        try:
            inside = str(pathlib.Path(path).relative_to(tree))
        except ValueError:
            continue
        if inside.endswith("MutantOperators.swift"):
            text = pathlib.Path(path).read_text().split("\n")[int(line) - 1]
            bad |= {change.number for change in chosen if plant.mark(change.number) in text}
            continue
        near = [one for one in chosen if one.path == inside and one.line <= int(line) - 1]
        if near:
            bad.add(max(near, key=lambda change: change.line).number)
    return bad


def swift(tree: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = dict(os.environ, VMX_ONLY=",".join(BUILT))
    return subprocess.run(
        [SWIFT, *arguments], cwd=tree, env=environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, errors="replace", check=False)


def run_tests(bundle: pathlib.Path, library: str, **variables: str) -> str:
    """Runs the unit tests of a library: "" if all pass, else how they ended."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", **variables)
    try:
        done = subprocess.run(
            [bundle, "--testing-library", "swift-testing", "--filter",
             f"^{library}Tests\\.{SUITES.get(library, '')}"],
            env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            errors="replace", timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode == 0:
        return "" if re.search(r"Test run with [1-9]", done.stdout) else "no tests"
    return "failed" if done.returncode > 0 else "crashed"


def tested(
    tree: pathlib.Path, chosen: list[plant.Change], scratch: pathlib.Path
) -> dict[int, str]:
    """How each change was noticed; "unreached" or "" if it was not."""
    shown = swift(tree, "build", "--show-bin-path").stdout.strip().split("\n")[-1]
    bundle = next(pathlib.Path(shown).glob("*.xctest"))
    reach: dict[str, bytes] = {}
    for library in BUILT:
        trace = scratch / f"{library}.trace"
        trace.unlink(missing_ok=True)
        ending = run_tests(bundle, library, VMX_MUTANT_TRACE=str(trace))
        if ending:
            sys.exit(f"{library}Tests without a change: {ending}")
        reach[library] = trace.read_bytes() if trace.exists() else b""

    def outcome(change: plant.Change) -> str:
        own = change.path[len(LIBRARIES):].split("/")[0]
        reaching = [name for name in BUILT if reach[name][change.number : change.number + 1] == b"\1"]
        for library in sorted(reaching, key=lambda name: name != own):
            ending = run_tests(bundle, library, VMX_MUTANT=str(change.number))
            if ending:
                return ending
        return "" if reaching else "unreached"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        endings = pool.map(outcome, chosen)
        results = {}
        for change, ending in zip(chosen, endings):
            results[change.number] = ending
            if len(results) % 20 == 0:
                print(f"{len(results)} changes tested", flush=True)
        return results


def report(chosen: list[plant.Change], results: dict[int, str]) -> None:
    def noticed(change: plant.Change) -> bool:
        return results[change.number] not in ("", "unreached")

    for title, key in (("area", "area"), ("kind", "kind")):
        print(f"\n{title:28} planted  noticed")
        for name in dict.fromkeys(getattr(change, key) for change in chosen):
            own = [change for change in chosen if getattr(change, key) == name]
            print(f"{name:28} {len(own):7}  {sum(map(noticed, own)):7}")
    print(f"\nSurviving changes:")
    for change in sorted(chosen, key=lambda change: (change.path, change.line)):
        if not noticed(change):
            note = " (no test runs it)" if results[change.number] else ""
            place = f"{change.path[len(LIBRARIES):]}:{change.line + 1}:{change.start + 1}"
            print(f"  {place}: {change.kind} {change.old.strip()!r} {change.new!r}{note}")
    print(f"\n{sum(map(noticed, chosen))} of {len(chosen)} planted changes noticed")


main()
