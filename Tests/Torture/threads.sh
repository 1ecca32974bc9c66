#!/bin/bash
# Unit tests and two fetchers under the thread sanitizer: each report that
# Tests/Torture/support/races.txt does not explain is a failure.
#
# The sanitizer does not recognise Swift's `Mutex`, which is implemented with a futex, and would
# report all accesses that such a lock protects. So the sources are copied, and the copy uses
# `Monitor`, a pthread mutex, instead. Builds for many minutes; the short form skips everything.
. "$(dirname "$0")/support/stage.sh"
[ -z "$short" ] || skip 'it builds everything anew'

copy=$source_root/.build/threads/source
build=$source_root/.build/threads/build
mkdir -p "$copy"
cd "$source_root" || exit
find Package.swift Sources Tests -type f -o -type l | while read -r file; do
  mkdir -p "$copy/$(dirname "$file")"
  case $file in
    Package.swift)
      # The targets that have a Mutex and no Monitor.
      sed -e 's/library("VmxPresentation", "VmxModel"/&, "VmxSystem"/' \
        -e '/name: "loopback-origin"/s/"VmxModel"/&, "VmxSystem"/' "$file"
      ;;
    *.swift)
      awk -v file="$file" '/Mutex[<(]|\.withLock/ { uses = 1 }
        /^(package |@testable )?import / { last = NR } /^(package |@testable )?import VmxSystem$/ { has = 1 }
        file ~ /Libraries\/VmxSystem\// { has = 1 }
        { gsub(/Mutex</, "Monitor<"); gsub(/Mutex\(/, "Monitor("); line[NR] = $0 }
        END {
          for (i = 1; i <= NR; i++) {
            print line[i]
            if (i == last && uses && !has) print "import VmxSystem"
          }
        }' "$file"
      ;;
    *) cat "$file" ;;
  esac >"$place/file"
  # An unchanged file is not compiled again.
  cmp -s "$place/file" "$copy/$file" || cp "$place/file" "$copy/$file"
done

sanitized() { # build or test, and more: with the sanitizer, in the copy
  (cd "$copy" && HOME=$home "$swift" "$@" --scratch-path "$build" --sanitize=thread)
}
sanitized build --build-tests || exit

export TSAN_OPTIONS="suppressions=$source_root/Tests/Torture/support/races.txt exitcode=0
  die_after_fork=0 log_path=$place/race history_size=4"
explain() { # what ran: complains about each report, and begins anew
  local report
  for report in "$place"/race.*; do
    [ -s "$report" ] || continue
    cp "$report" "$place/err"
    complain "$(grep -c '^WARNING: ThreadSanitizer' "$report") reports: $1"
    rm "$report"
  done
}

for target in VmxSystem VmxStore VmxLibrary VmxEngine VmxTransfer VmxFetching VmxVerifying; do
  tried=$((tried + 1))
  again="swift test --sanitize=thread --filter ${target}Tests"
  # Running all pairs of faults at this speed takes longer than the origin lives; their code is that
  # of single faults.
  sanitized test --skip-build --disable-xctest --filter "^${target}Tests\." \
    --skip FaultPairsTests >"$place/out" 2>&1 ||
    complain "the units of $target"
  explain "$target"
done

tried=$((tried + 1))
again='two-fetches.sh with VMX_TEST_TOOLS'
VMX_TEST_TOOLS=$build/debug bash "$source_root/Tests/Torture/two-fetches.sh" --short \
  >"$place/out" 2>&1 || complain 'two fetchers'
explain 'two fetchers'
finish
