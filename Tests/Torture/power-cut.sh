#!/bin/bash
# A power cut while tools write. Changes acknowledged by status 0 are present afterwards, no file
# has its final name with other bytes, and the library can be used further. The disk is a separate
# ext4 whose journal is shut down without a flush, which is the state that a power cut leaves.
if [ "${VMX_UNSHARED:-}" != yes ]; then
  if unshare -m true 2>/dev/null; then
    VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
  fi
  echo 'torture: power-cut: skipped: no mount namespace without root'
  exit 0
fi
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/faults.sh"
make_disk 192 || skip 'no ext4 on a loop device whose journal can be shut down'

# Some large films that take a while, and enough small ones for a common flush.
films=18
for ((n = 1; n <= films; n++)); do film "n$n" $((n <= 6 ? 60 * n : 20)); done
start_origin --rule '/*.mp4 rate:3000000'
export VMX_HOME=$place/disk/vmx
command -v vmx-queue >/dev/null && queue=yes || queue=

# Acknowledged changes are logged on another disk, after the status of the tool.
adder() {
  local n=0
  while n=$((n + 1)) && vmx-add -q --id "add$1/e$n" --want none "$url/none?$1-$n" </dev/null \
    >/dev/null 2>&1; do
    echo "add$1/e$n" >>acked
  done
}
mover() {
  local n=0
  while vmx-rename -q "move/n$n" "move/n$((n + 1))" </dev/null >/dev/null 2>&1; do
    n=$((n + 1))
    echo "move/n$n" >>moved
  done
}
shifter() {
  local n=0
  while n=$((n + 1)) && vmx-queue -q priority "$n" film/n1 </dev/null >/dev/null 2>&1; do
    echo "$n" >>priorities
  done
}
fetcher() { vmx-fetch --due --json -j 12 </dev/null >outcomes 2>/dev/null; }

prepare() {
  rm -rf "$VMX_HOME"
  for ((n = 1; n <= films; n++)); do
    echo "{\"id\":\"film/n$n\",\"title\":\"N $n\",\"url\":\"$url/n$n.mp4\"}"
  done | vmx-add -q >out 2>err && vmx-add -q --id move/n0 --want none "$url/none" </dev/null \
    >out 2>err || complain 'cannot even prepare the library'
  sync
  : >acked && : >moved && : >priorities && : >outcomes
}

# Acknowledged episodes have their sidecar, with the digests of its segments, and their NFO file.
has_company() {
  local film=${1#film/}
  jq -e '.segments.video.list[0]' "$VMX_HOME/library/.vmx/records/film~$film.json" >out 2>err ||
    complain "the sidecar of $1 was lost"
  film=$(vmx-path "$1" </dev/null 2>err)
  grep -q '</episodedetails>' "${film%.mp4}.nfo" 2>err || complain "the NFO file of $1 was lost"
}

rounds=25
[ -z "$short" ] || rounds=2
for ((round = 1; round <= rounds; round++)); do
  prepare
  tried=$((tried + 1))
  again="power cut in round $round"
  pids=()
  for job in 'adder 1' 'adder 2' mover fetcher ${queue:+shifter}; do
    $job &
    pids+=($!)
  done
  # Each round is cut a little later, determined by the number of acknowledged changes.
  until [ "$(cat acked moved outcomes | wc -l)" -ge $((round * 3)) ]; do
    kill -0 "${pids[0]}" 2>/dev/null || break
    read -rt 0.01 <> <(:) || true
  done
  # Only changes acknowledged before the cut count. The kernel may drop a flush that runs during the
  # shutdown of the journal and still report success, which no real power cut can cause.
  for list in acked moved priorities outcomes; do cp "$list" "before-$list"; done
  cut_power || complain 'the power cannot be cut'
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null; done
  restore_power || { complain 'the disk cannot be mounted again' && finish; }

  store_reads
  vmx-list --all --json </dev/null | jq -r .id | sort >there
  lost=$(sort before-acked | comm -23 - there | head -n 5 | tr '\n' ' ')
  [ -z "$lost" ] || complain "acknowledged, then lost: $lost"
  last=$(tail -n 1 before-moved)
  if [ -n "$last" ]; then
    found=$(vmx-show --json "$last" </dev/null 2>err | jq -r .id)
    number=${found#move/n}
    [ -n "$found" ] && [ "$number" -ge "${last#move/n}" ] || complain "$last leads to '$found'"
  fi
  last=$(tail -n 1 before-priorities)
  [ -z "$last" ] || [ "$(vmx-list --json film/n1 </dev/null | jq .priority)" -ge "$last" ] ||
    complain "the priority $last was lost"
  while read -r id; do
    [ -z "$id" ] || { is_here "$id" "site/${id#film/}.mp4" && has_company "$id"; }
  done < <(jq -rR 'fromjson? | select(.outcome == "done") | .id' before-outcomes)
  # No final name with other bytes, whether or not the change was acknowledged.
  while read -r file; do
    fits=
    for ((n = 1; n <= films; n++)); do
      ! cmp -s "$file" "site/n$n.mp4" || fits=yes
    done
    [ -n "$fits" ] || complain "other bytes under '$file'"
  done < <(find "$VMX_HOME" -name '*.mp4')
  # The library can be used further.
  attempt 0 vmx-fetch --due
  for ((n = 1; n <= films; n++)); do is_here "film/n$n" "site/n$n.mp4"; done
  nothing_left
  is_well
done
finish
