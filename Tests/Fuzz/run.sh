#!/bin/bash
# Feeds made-up bytes to everything that reads bytes from outside: libFuzzer, with the address
# sanitizer. Then the tools themselves meet extreme values in each field of their own files
# (fields.sh), which takes about half an hour, and bundles that no tool writes (bundles.sh).
# Arguments: seconds for each target (60), then names of targets (all), `fields` and `bundles` among
# them.
# What brings one down is kept in .build/fuzz/finds; feed it again by giving its path as the
# last argument of the program that is named. Exits 1 if anything was found.
set -u
cd "$(dirname "$0")/../.." || exit
swift=${SWIFT:-swift}
seconds=${1:-60}
[ "$#" = 0 ] || shift
folder=.build/fuzz
export VMX_FUZZ=1 SWIFT_BACKTRACE=enable=no
ulimit -c 0

# The sanitizers are given for everything that is built, so that the fuzzer sees which lines of
# the libraries an input reaches. (gold fails on what they leave in the objects; lld does not.)
"$swift" build --scratch-path "$folder" -c release --product fuzz-inputs \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing -Xswiftc -use-ld=lld || exit
program=$folder/release/fuzz-inputs

[ "$#" != 0 ] || set -- $("$program") fields bundles
mkdir -p "$folder/finds"
status=0
for target; do
  if [ "$target" = fields ] || [ "$target" = bundles ]; then
    echo "== $target"
    { [ -n "${VMX_TEST_TOOLS:-}" ] || "$swift" build; } &&
      TIME=${TIME:-$seconds} bash "Tests/Fuzz/$target.sh" || status=1
    continue
  fi
  mkdir -p "$folder/corpus/$target"
  echo "== $target"
  FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="$folder/finds/$target-" -verbosity=0 -print_final_stats=1 \
    "$folder/corpus/$target" "Tests/Fuzz/Seeds/$target" || status=1
done
exit "$status"
