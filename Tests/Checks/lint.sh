#!/bin/sh
# What the compiler does not see: form, homes of the C modules, documentation, lengths, names.
# Prints each finding as `file:line: what`, and exits 1 if there is any.
set -u
cd "$(dirname "$0")/../.." || exit
swift=${SWIFT:-swift}
found=$(mktemp)
trap 'rm -f "$found"' EXIT

report() { # what: prefixes each `file:line:text` of the input, and remembers it
  awk -F: -v what="$1" '{ print $1 ":" $2 ": " what }' | tee -a "$found"
}

sources() { find Sources Tests -name '*.swift' "$@"; }

# 1. Form.
"$swift" format lint --strict --recursive --parallel Package.swift Sources Tests ||
  echo format >>"$found"

# 2. Each C module has one home, and so has the parser of command lines.
home() { # module folder…: only files under these (and the tests of these) may import it
  module=$1
  shift
  pattern=$(printf '|%s' "$@")
  grep -rnE --include='*.swift' "^ *((package|public|internal) )?import $module\$" Sources Tests |
    grep -vE "^(Sources|Tests)/([A-Za-z]+/)?(${pattern#|})(Tests)?/" |
    report "only $* may import $module"
}
home CArchive VmxArchive
home CCrypt VmxDesktop
home CCurl VmxTransfer
home CCrypto VmxDigest
home CSHA256 VmxDigest
home CLinux VmxSystem VmxPlugins Commands/vmx
home CSimdjson VmxJSON
home COpenSSL loopback-origin
home CXml VmxMarkup
grep -rnE --include='*.swift' '^ *(package )?import ArgumentParser$' Sources/Libraries |
  grep -v '^Sources/Libraries/VmxCommand/' |
  report "only VmxCommand and the commands may import ArgumentParser"
grep -rnE --include='*.swift' '^ *(package )?import (Foundation|FoundationNetworking)$' Sources |
  report "import FoundationEssentials, or nothing"

grep -rnE --include='*.swift' '^ *(@[a-z]+ )?public ' Sources/Libraries Sources/Commands |
  grep -v '^Sources/Libraries/VmxKit/' |
  report "only VmxKit has public declarations"

# 3. Every package declaration says what it is, here or in the protocol that asks for it.
files=$(sources -path 'Sources/*')
# shellcheck disable=SC2086 # a list of names without blanks
awk -f Tests/Checks/undocumented.awk $files $files | report "this package declaration wants a ///"

# shellcheck disable=SC2086
awk -f Tests/Checks/labels.awk $files | report "this initialiser sets a property of another name"

# shellcheck disable=SC2086
awk -f Tests/Checks/functions.awk Tests/Checks/functions.txt $files | tee -a "$found"

# 4. Lengths and names.
find Sources Tests completions man .ci Makefile Package.swift -type f \
  \( -name '*.swift' -o -name '*.sh' -o -name '*.c' -o -name '*.cpp' -o -name '*.h' \) \
  -exec awk 'FNR == 401 { print FILENAME ":401:" }' {} + 2>/dev/null | report "more than 400 lines"
# swift-format does not report comments.
sources -exec env LC_ALL=C.UTF-8 grep -nE '^.{101}' {} + | grep -E '^[^:]*:[0-9]+: *//' |
  report "a comment of more than 100 columns"
find Sources Tests -name '*.swift' |
  grep -E '/[A-Za-z+]*(Util|Helper|Manager|Common|Misc|Shared[^A-Z]|Extensions)[A-Za-z+]*\.swift$' |
  sed 's/$/:1:/' | report "a name that says nothing"

# 5. What must not be in the sources.
grep -rnE --include='*.swift' 'nonisolated\(unsafe\)|^ *(package |private )?static var [a-zA-Z]+(: [^{]*)?= ' Sources |
  report "global mutable state"
grep -rnE --include='*.swift' '(// *(TODO|FIXME|XXX))|swift-format-ignore' Sources Tests |
  report "a note without an issue, or lint switched off"
grep -rnF "$(pwd)" Package.swift Makefile README.md CONTRIBUTING.md Sources Tests completions man \
  .ci 2>/dev/null |
  report "a path of one machine"

# 6. Words: names that were replaced, comments without an actor.
grep -rnowF --include='*.swift' -f Tests/Checks/retired-names.txt Sources Tests |
  report "a retired name; see Tests/Checks/retired-names.txt"
grep -rnE --include='*.swift' '^ *///? *(What|Who|Whoever|Nobody|Somebody)\b' Sources |
  report "a comment that begins with What or Who"
grep -rniE --include='*.swift' --include='*.c' --include='*.cpp' --include='*.h' --include='*.sh' \
  '(//|/\*|^ \*|^#).*\b(whoever|nobody|somebody)\b' Sources Tests |
  grep -v '^Tests/Checks/lint.sh:' |
  report "a comment that does not name the actor"
grep -nwiE 'whoever|nobody|somebody' README.md CONTRIBUTING.md Sources/*.md Tests/README.md \
  man/*.[1-9] completions/* |
  report "a sentence that does not name the actor"

grep -nE '^skip unless .*(command -v|--version|import )' Tests/Scenarios/Stories/*.txt |
  report "a program that a package brings: write 'needs PROGRAM', and add the package to the Makefile"

# 7. Scripts and manual pages.
find Sources Tests .ci -name '*.sh' | while read -r script; do
  case $(head -n 1 "$script") in
    *bash) bash -n "$script" ;;
    *) sh -n "$script" ;;
  esac || echo "$script" >>"$found"
done
for page in man/*.[1-9]; do
  [ -e "$page" ] || continue
  mandoc -T lint -W warning "$page" || echo "$page" >>"$found"
done
sh Sources/Packaging/changes.sh >"$found.7"
mandoc -T lint -W warning "$found.7" || echo changes >>"$found"
rm -f "$found.7"

# 8. A commit that changes the manual adds an entry to man/changes, or says in a line of its own
# that users see no change: `Changes: none`.
since=$(git log --diff-filter=A --format=%H -1 -- man/changes/0.1.0/about 2>/dev/null)
[ -z "$since" ] || git log --format=%h "$since..HEAD" -- man completions | while read -r commit; do
  git show --format=%B --name-only "$commit" | grep -qE '^(man/changes/|Changes: none$)' ||
    echo "$commit:1:"
done | report "the manual changes without an entry in man/changes"
[ -z "$since" ] || git log --format='%h:%s' "$since..HEAD" | awk -F: 'length($0) - length($1) > 73' |
  report "the subject of this commit has more than 72 characters"

[ ! -s "$found" ]
