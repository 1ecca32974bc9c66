#!/bin/bash
# Prints the figures by which the shape of the code is judged, each with how it is counted. With
# --quick only those that need no build; the others take about 15 minutes on 2 cores.
set -eu
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}

figure() { # name, value, goal, how it is counted
  printf '%-44s %10s   goal %s\n' "$1" "$2" "$3"
  [ -z "${4:-}" ] || printf '    %s\n' "$4"
}

# 1. What stands in the tree.
figure 'lines of CONTRIBUTING.md' "$(wc -l <CONTRIBUTING.md)" '120 or fewer'
figure 'libraries' "$(find Sources/Libraries -mindepth 1 -maxdepth 1 -type d | wc -l)" 27 \
  'with the public one for other programs, VmxKit'
figure 'lines of Swift in Sources' "$(find Sources -name '*.swift' -exec cat {} + | wc -l)" '-'

# 2. A field of an episode: the files of the record, its description, the rows and `vmx add` that
# name it. Others read it from a foreign format, or act on it. Only fields whose names mean nothing
# else can be counted.
way='^Sources/(Libraries/(VmxModel/Episode|VmxPresentation)|Commands/vmx-add)/'
for field in chaptersURL chapters pageURL ageRating; do
  files=$(grep -rlE --include='*.swift' "\\b$field\\b" Sources)
  figure "Swift files of the field '$field'" "$(grep -cE "$way" <<<"$files")" '4 or fewer' \
    "and $(grep -cvE "$way" <<<"$files") that read it from foreign data, or act on it"
done

# 3. A policy: its file, the list of policies, the code of its refusal and the entry of that. One with
# a setting also stands in SettingKey and FetchSettings.
policies=Sources/Libraries/VmxFetching/Policies
errors=Sources/Libraries/VmxModel/Errors
for file in "$policies"/*Policy.swift; do
  name=$(basename "$file" .swift)
  [ "$name" != TransferPolicy ] || continue
  code=$(sed -n 's/.*let code = ErrorCode\.//p' "$file")
  figure "Swift files of $name" \
    "$({ grep -rlw --include='*.swift' "$name" Sources
         grep -lE "case \\.?$code\\b|^ +\\.$code:" "$errors"/*.swift; } | sort -u | wc -l)" 4 \
    "that name the type, or declare the code '$code'"
done

# 4. A request: the types between libraries that hold what it asks for.
figure 'types of a request' \
  "$(grep -rlE --include='*.swift' '^package struct [A-Za-z]*Request\b.*\{' Sources/Libraries |
    xargs grep -lE 'package (let|var) url: ' | wc -l)" 1 \
  'package structs named …Request with a URL'

[ "${1:-}" != --quick ] || exit 0

# 5. The main line: a file is on it if one of its functions runs more often for six episodes than
# for one. So it counts what each episode passes between selection and sink, with all values and all
# of the store. A reader who skips those counts about half of it; the goals were set by reading.
build=.build/figures
for product in vmx-list vmx-add vmx-fetch loopback-origin; do
  "$swift" build --scratch-path "$build" --product "$product" --quiet \
    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
done
bin=$("$swift" build --scratch-path "$build" --show-bin-path)
tools=$(dirname "$(realpath "$(command -v "$swift")")")
scratch=$(mktemp -d)
origin=
trap '[ -z "$origin" ] || kill "$origin"; rm -rf "$scratch"' EXIT
home=$HOME
export HOME=$scratch LLVM_PROFILE_FILE=$scratch/rest.profraw
mkdir "$scratch/site"
for number in 1 2 3 4 5 6; do head -c 300000 /dev/urandom >"$scratch/site/$number.mp4"; done
"$bin/loopback-origin" --root "$scratch/site" --port-file "$scratch/port" --life 600 >/dev/null &
origin=$!
while [ ! -s "$scratch/port" ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat "$scratch/port")

# The tools end by _exit(2), before which the counts of their functions must be written.
cat >"$scratch/ending.c" <<'EOF'
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
void _exit(int status) {
  static int ending;
  if (!ending++) exit(status);
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
EOF
"$tools/clang" -shared -fPIC -o "$scratch/ending.so" "$scratch/ending.c"

run() { # tool, number of episodes, argument…: writes the count of each function
  local tool=$1 count=$2 raw=$scratch/$1-$2.profraw
  shift 2
  LLVM_PROFILE_FILE=$raw LD_PRELOAD=$scratch/ending.so "$bin/vmx-$tool" "$@" >/dev/null 2>"$scratch/messages" || true
  "$tools/llvm-profdata" merge -o "$raw.data" "$raw"
  "$tools/llvm-cov" export "$bin/vmx-$tool" -instr-profile="$raw.data" --skip-expansions |
    jq -r '.data[].functions[] | select(.count > 0) | [.filenames[0], .name, .count] | @tsv' |
    grep -F "$PWD/Sources/" >"$raw.counts"
}

main_line() { # tool
  awk -F '\t' 'NR == FNR { one[$2] = $3; next } $3 > one[$2] { print $1 }' \
    "$scratch/$1-1.profraw.counts" "$scratch/$1-6.profraw.counts" | sort -u | sed "s|^$PWD/||"
}

for count in 1 6; do
  export VMX_HOME=$scratch/list$count
  for number in $(seq "$count"); do "$bin/vmx-add" --id "show/s01e0$number" "$url/$number.mp4"; done \
    >/dev/null 2>&1
  run list "$count"
  export VMX_HOME=$scratch/fetch$count
  # shellcheck disable=SC2046 # one URL a word
  run fetch "$count" $(seq "$count" | sed "s|.*|$url/&.mp4|")
done
for tool in list fetch; do
  main_line "$tool" >"$build/$tool.files"
  figure "files of the main line of '$tool'" "$(wc -l <"$build/$tool.files")" \
    "$([ "$tool" = list ] && echo '35 or fewer' || echo '70 or fewer')" \
    "$(sed -E 's|Sources/[A-Za-z]+/([^/]+)/.*|\1|' "$build/$tool.files" | sort | uniq -c | sort -rn |
      awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $2, $1 }'); in $build/$tool.files"
done

# 6. One library alone, from a clean clone.
git clone --quiet . "$scratch/clone"
start=$SECONDS
(cd "$scratch/clone" && HOME=$home VMX_ONLY=VmxMarkup "$swift" test --disable-xctest >/dev/null 2>&1) || echo failed
figure 'seconds to build and test VmxMarkup alone' "$((SECONDS - start))" 'less than 180'
