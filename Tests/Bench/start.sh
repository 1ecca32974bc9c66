#!/bin/bash
# The start time of a tool, with a resolution of a thousandth of a second: therefore measured by
# hyperfine, in alternating blocks, on one processor. The budget is in starts of `git --version`.
. "$(dirname "$0")/measure.sh"
export VMX_HOME=$BENCH/empty

rm -f "$BENCH"/start-*.json
for block in 1 2 3 4 5 6; do
  commands=(-n git 'git --version' -n list vmx-list -n through 'vmx list')
  [ $((block % 2)) = 0 ] || commands=(-n through 'vmx list' -n list vmx-list -n git 'git --version')
  taskset -c 0 hyperfine -N --warmup 3 --runs 40 --style none \
    --export-json "$BENCH/start-$block.json" "${commands[@]}" 2>"$BENCH/err" </dev/null >/dev/null
done

read -r git list through < <(jq -rs '
  def of(name): [.[].results[] | select(.command == name) | .times[]] | sort | .[length / 2 | floor];
  "\(of("git") * 1e6 | floor) \(of("list") * 1e6 | floor) \(of("through") * 1e6 | floor)"
' "$BENCH"/start-*.json)
echo "median start: git --version $git us, vmx-list $list us, vmx list $through us"
ratio 'start of vmx-list, empty store / git --version' "$list" "$git" most 4
ratio 'what `vmx list` takes more than vmx-list / git --version' "$((through - list))" "$git" most 1.5
ratio 'installed size in MB / 1' "$(du -sk --apparent-size "$tree" | cut -f 1)" 1000 most 60
