#!/bin/bash
# Builds everything with the arrows between targets checked, runs all tests, and ends with the
# line `N passed, N failed`, also when the build breaks or a test brings the whole run down. The line
# before it says how many were skipped and why: only what a kernel or a container refuses.
# Exits 0 only if everything passed. Arguments go to `swift test`.
set -u
cd "$(dirname "$0")/../.." || exit
swift=${SWIFT:-swift}
folder=.build/tests
mkdir -p "$folder"
rm -f "$folder"/*.xml "$folder/count" "$folder/skipped"
export VMX_TEST_SKIPPED=$PWD/$folder/skipped
export SWIFT_BACKTRACE=enable=no
ulimit -c 0

finish() {
  # The issues again, where the end of a long log is read.
  grep -aE '^✘ Test .* recorded an issue' "$folder/log" 2>/dev/null | cut -c 1-400 | head -n 20
  [ ! -s "$folder/skipped" ] ||
    awk '{ text = text "; " $0 } END { print NR " skipped: " substr(text, 3) }' "$folder/skipped"
  echo "$1 passed, $2 failed" | tee "$folder/count"
  exit "$3"
}

# The check goes on after a forbidden import and even says "complete": only its status counts.
"$swift" build --build-tests --explicit-target-dependency-import-check error || finish 0 1 1

# Stories run the tools as they are released: a debug build needs 70 ms to read its options alone.
if [ -z "${VMX_TEST_TOOLS:-}" ]; then
  "$swift" build -c release || finish 0 1 1
  VMX_TEST_TOOLS=$("$swift" build -c release --show-bin-path)
  export VMX_TEST_TOOLS
fi

"$swift" test --skip-build --disable-xctest --parallel --xunit-output "$folder/units.xml" "$@" 2>&1 |
  tee "$folder/log" | grep --line-buffered -vE '^◇| started\.$'
status=${PIPESTATUS[0]}
sed -nE 's/^➜ (Test|Suite) (.*) skipped: /\2: /p' "$folder/log" >>"$folder/skipped"

report=$(ls "$folder"/units*.xml 2>/dev/null | head -n 1)
if [ -n "$report" ] && grep -q '<testcase' "$report"; then
  # A test counts once, however many issues it has; a skipped one counts as neither.
  read -r passed failed < <(awk '
    { text = text $0 "\n" }
    END {
      count = split(text, cases, "<testcase")
      for (i = 2; i <= count; i++) {
        if (cases[i] ~ /<failure/) failed++
        else if (cases[i] !~ /<skipped/) passed++
      }
      print passed + 0, failed + 0
    }' "$report")
else
  # A crash leaves no report: what had ended by then stands in the log, the crash is one failure.
  passed=$(grep -c '^✔ Test .* passed after' "$folder/log")
  failed=$(($(grep -c '^✘ Test .* failed after' "$folder/log") + 1))
fi
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1

for script in Tests/Checks/examples.sh Tests/Torture/[a-z]*.sh Tests/Fuzz/bundles.sh \
  Tests/Fuzz/fields.sh; do
  [ "$#" = 0 ] && [ -e "$script" ] && [ "${script##*/}" != run.sh ] || continue
  if bash "$script" --short; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    status=1
  fi
done

finish "$passed" "$failed" "$status"
