#!/bin/bash
# Sixteen processes change one library fifty times each, simultaneously, while others read it and
# one compacts it. Nothing is lost or torn, readers see only complete records, and the store is
# intact afterwards. Long summaries fill the store with dead bytes, so that it is compacted often.
. "$(dirname "$0")/support/stage.sh"
writers=16
changes=50
[ -z "$short" ] || changes=6
command -v vmx-queue >/dev/null && queue=yes || queue=

# A library with enough dead bytes for an immediate compaction.
vmx-add --id all/shared --want none http://127.0.0.1:9/shared.mp4 </dev/null >out 2>err ||
  complain 'cannot even prepare the library'
awk 'BEGIN { text = "x"; while (length(text) < 60000) text = text text; print text }' >long
filler() { # NUMBER: an episode that takes 64 KB of the store each time it changes
  printf '{"id":"w%s/n0","title":"Long","want":"none","summary":"%s","url":"%s"}\n' "$1" \
    "$(cat long)" "http://127.0.0.1:9/$1.mp4"
}
for ((w = 1; w <= writers; w++)); do filler "$w"; done | vmx-add >out 2>err ||
  complain 'cannot add the long ones'

# writer W: appends acknowledged ids to acked.W, one on each line, and writes the last id of its
# episode to last.W.
writer() {
  local w=$1 n=1 id=w$1/n0
  : >"acked.$w"
  while [ "$n" -le "$changes" ]; do
    if [ $((n % 2)) = 0 ]; then
      vmx-add -q --id "new$w/e$n" --want none "http://127.0.0.1:9/$w-$n.mp4" </dev/null \
        >"out.$w" 2>"err.$w" || return 1
      echo "new$w/e$n" >>"acked.$w"
    else
      vmx-rename -q "$id" "w$w/n$n" </dev/null >"out.$w" 2>"err.$w" || return 1
      id=w$w/n$n
    fi
    if [ -n "$queue" ] && [ $((n % 5)) = 0 ]; then
      vmx-queue -q priority "$((w * 1000 + n))" all/shared "$id" </dev/null >"out.$w" 2>"err.$w" ||
        return 1
    fi
    echo "$id" >"last.$w"
    n=$((n + 1))
  done
}

# reader: each list is complete, and contains every episode acknowledged before it began. (It checks
# the progress of the writers only to determine its own end.)
reader() {
  local rounds=0
  until [ -e over ]; do
    vmx-list --all --json </dev/null >"list.$1" 2>"list-err.$1" || return 1
    [ ! -s "list-err.$1" ] || return 1
    jq -es 'length >= 17 and (map(.id) | length == (unique | length))' "list.$1" >/dev/null ||
      return 1
    vmx-show --json w1/n0 </dev/null >"list.$1" 2>"list-err.$1" || return 1
    rounds=$((rounds + 1))
  done
  echo "$rounds" >"rounds.$1"
}

compactor() {
  until [ -e over ]; do
    vmx-fetch -q --due </dev/null >out.c 2>err.c || return 1
    vmx-doctor --mend -q </dev/null >out.c 2>err.c || return 1
  done
}

tried=1
again="$writers writers, $changes changes each"
pids=()
for ((w = 1; w <= writers; w++)); do
  writer "$w" &
  pids+=($!)
done
others=()
for reader in 1 2; do
  reader "$reader" &
  others+=($!)
done
compactor &
others+=($!)
for ((w = 1; w <= writers; w++)); do
  wait "${pids[w - 1]}" || { cp "err.$w" err && complain "writer $w: a change failed"; }
done
touch over
for ((o = 0; o < 2; o++)); do
  wait "${others[o]}" || { cp "list-err.$((o + 1))" err && complain 'a reader saw no whole library'; }
done
wait "${others[2]}" || { cp err.c err && complain 'the compactor failed'; }

store_reads
vmx-list --all --json </dev/null | jq -r .id | sort >there
sort acked.* last.* | comm -13 there - >lost
[ ! -s lost ] || complain "acknowledged, then lost: $(head -n 5 lost | tr '\n' ' ')"
expected=$((1 + writers + writers * (changes / 2)))
[ "$(wc -l <there)" = "$expected" ] || complain "$(wc -l <there) episodes instead of $expected"
for ((w = 1; w <= writers; w++)); do
  # The first id still refers to the episode, after all its renames.
  found=$(vmx-show --json "w$w/n0" </dev/null | jq -r '"\(.id) \(.summary | length)"')
  [ "$found" = "$(cat "last.$w") $(($(wc -c <long) - 1))" ] || complain "w$w/n0 leads to '$found'"
done
epoch=$(head -n 1 "$VMX_HOME/store.jsonl" | jq .epoch)
least=3
[ -z "$short" ] || least=1
[ "$epoch" -gt "$least" ] || complain "the store was compacted $((epoch - 1)) times only"
tried=$((writers * changes))
is_well
finish
