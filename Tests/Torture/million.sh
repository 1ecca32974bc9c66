#!/bin/bash
# A library of a million episodes (two thousand in the short form). The tools work, status 0 has its
# usual meaning, memory stays within 64 MiB and 48 bytes a record. Recovery after a kill, a broken
# line and a repair cost as little as in a small library.
. "$(dirname "$0")/support/stage.sh"
count=1000000
[ -z "$short" ] || count=2000
count=${COUNT:-$count}
most=$((65536 + count * 48 / 1024))

mkdir -p -m 700 "$VMX_HOME/library/.vmx"
awk -v count="$count" -v root="$VMX_HOME/library" -f "$source_root/Tests/Bench/episodes.awk" \
  >"$VMX_HOME/store.jsonl" || skip 'no room for so many episodes'
chmod 600 "$VMX_HOME/store.jsonl"
printf '{"root":"%s","library":"%s"}\n' 1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10 \
  5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11 >"$VMX_HOME/library/.vmx/root.json"
film="Show 041/Season 01/Show 041 - S01E01.mp4"
mkdir -p "$VMX_HOME/library/${film%/*}"
: >"$VMX_HOME/library/$film"

# small STATUS COMMAND…: runs a tool and reports an unexpected status or too much memory.
small() {
  local status=$1 peak=0 line id
  shift
  tried=$((tried + 1))
  again="$* on $count episodes"
  "$@" >out 2>err </dev/null &
  id=$!
  while kill -0 "$id" 2>/dev/null; do
    while read -r line; do
      case $line in
        RssAnon:*)
          line=${line#RssAnon:} && line=${line% kB}
          [ "$((line))" -le "$peak" ] || peak=$((line))
          break
          ;;
      esac
    done 2>/dev/null <"/proc/$id/status"
    read -rt 0.01 <> <(:) || true
  done
  wait "$id"
  local ended=$?
  [ "$ended" = "$status" ] || complain "'$*' ended with $ended, not with $status"
  [ "$peak" -le "$most" ] || complain "'$*' took $peak KiB, more than $most"
}

small 0 vmx-list --show show-042 --json
[ "$(wc -l <out)" = $((count / 1000)) ] || complain 'not all of one show'
small 0 vmx-list --all --fields id
[ "$(wc -l <out)" = "$count" ] || complain 'not all of the library'
small 0 vmx-list --all --sort -size --limit 3 --fields id
small 0 vmx-show show-041/s01e01
small 0 vmx-path show-041/s01e01
small 66 vmx-show show-041/s99e99
small 0 vmx-add --id new/one --want none http://127.0.0.1:9/new.mp4
small 0 vmx-add --want none http://127.0.0.1:9/new.mp4
grep -q '^new/one$' out || complain 'what is known by its URL was not found again'
small 0 vmx-rename show-041/s01e01 show-041/first
small 0 vmx-path show-041/s01e01
if command -v vmx-queue >/dev/null; then
  small 0 vmx-queue pause show-042/s01e01
  small 0 vmx-queue priority 3 new/one
fi
many=10000
[ -z "$short" ] || many=500
awk -v many="$many" 'BEGIN { for (n = 0; n < many; n++)
  printf "{\"id\":\"more/e%d\",\"want\":\"none\",\"url\":\"http://127.0.0.1:9/more/%d.mp4\"}\n", n, n }' >more
again="$many by one pipe"
vmx-add -q <more >out 2>err || complain 'they could not be added'
[ "$(vmx-list --show more --fields id </dev/null | wc -l)" = "$many" ] || complain 'not all were added'
if command -v vmx-doctor >/dev/null; then
  small 0 vmx-doctor
  echo 'no JSON' >>"$VMX_HOME/store.jsonl"
  small 1 vmx-doctor
  small 0 vmx-doctor --mend
  small 0 vmx-list --all --fields id
  [ "$(wc -l <out)" = $((count + many + 1)) ] || complain 'not all of the library after mending'
  is_well
fi
finish
