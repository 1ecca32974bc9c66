#!/bin/bash
# Ten thousand episodes added by one pipe, against jq reading and printing the same lines. In
# memory, so that the disk has no influence; no episode may be lost.
. "$(dirname "$0")/measure.sh"
lines=${LINES_ADDED:-10000}
scratch=$(mktemp -d "${SHM:-/dev/shm}/vmx-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export VMX_HOME=$scratch/vmx
rows=$scratch/rows.jsonl

awk -v count="$lines" 'BEGIN {
  for (n = 1; n <= count; n++) {
    printf "{\"id\":\"show-%d/e%d\",\"title\":\"Number %d of many\"", n % 50, n, n
    printf ",\"show\":\"Show %d\",\"season\":%d,\"number\":%d", n % 50, n / 500 + 1, n
    printf ",\"date\":\"2025-%02d-%02d\"", n % 12 + 1, n % 28 + 1
    printf ",\"want\":\"none\",\"url\":\"https://media.example.org/%d.mp4\"}\n", n
  }
}' >"$rows"
prepare_add() { rm -rf "$VMX_HOME"; }
side_add() { vmx-add -q <"$rows"; }
side_jq() { jq -c . "$rows"; }
race 5 add jq
echo "add: ${least_cpu[add]} ms cpu, ${least_wall[add]} ms wall; jq: ${least_cpu[jq]} ms cpu"
there=$(vmx-list --all --fields id </dev/null | wc -l)
[ "$there" = "$lines" ] || { echo "bench: $there of $lines episodes are there" >&2 && exit 1; }
ratio "vmx-add of $lines by one pipe / jq -c ., cpu" "${least_cpu[add]}" "${least_cpu[jq]}" most 2
ratio "vmx-add of $lines by one pipe / jq -c ., wall" "${least_wall[add]}" "${least_wall[jq]}" most 2
