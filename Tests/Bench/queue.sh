#!/bin/bash
# A thousand commands on one queue, sixteen at a time, against the same number of starts of the same
# tool; none of their changes may be lost. In memory, so that the disk has no influence.
. "$(dirname "$0")/measure.sh"
count=${COUNT:-1000}
VMX_HOME=$(mktemp -d -p "${QUEUE_FOLDER:-/dev/shm}")
export VMX_HOME
trap 'rm -rf "$VMX_HOME"' EXIT
for ((n = 1; n <= count; n++)); do
  echo "{\"id\":\"t/n$n\",\"url\":\"https://media.example.org/$n.mp4\"}"
done | vmx-add --quiet >"$BENCH/out"

side_version() { seq "$count" | xargs -P 16 -I N vmx-queue --version; }
side_priority() { seq "$count" | xargs -P 16 -I N vmx-queue priority N t/nN --quiet; }

race 3 version priority
kept=$(vmx-list --all --json </dev/null | jq -s 'map(select(.id == "t/n\(.priority)")) | length')
[ "$kept" = "$count" ] || { echo "queue: $kept of $count priorities are there" >&2 && exit 1; }
ratio "$count vmx-queue priority, 16 at a time / --version, wall" \
  "${least_wall[priority]}" "${least_wall[version]}" most 3
