#!/bin/bash
# Finding one show among a million episodes, against jq with the same task on the same file, and
# against a sqlite3 scan of a table with the same columns without an index. Then finding one
# episode. COUNT reduces the size. User and system time; the wall clock beside it.
. "$(dirname "$0")/measure.sh"
count=${COUNT:-1000000}
export VMX_HOME=$BENCH/library-$count
store=$VMX_HOME/store.jsonl
if [ ! -e "$store" ]; then
  mkdir -p -m 700 "$VMX_HOME"
  awk -v count="$count" -v root="$VMX_HOME/library" -f "$(dirname "$0")/episodes.awk" >"$store.new"
  season="$VMX_HOME/library/Show 041/Season 10"
  mkdir -p "$VMX_HOME/library/.vmx" "$season"
  touch "$season/Show 041 - S10E10.mp4"
  printf '{"root":"%s","library":"%s"}\n' 1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10 \
    5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11 >"$VMX_HOME/library/.vmx/root.json"
  mv "$store.new" "$store"
fi
cat "$store" >/dev/null

side_list() { vmx-list --show show-042 --json </dev/null; }
side_jq() { jq -c 'select(.show_title == "Show 042")' "$store"; }
side_show() { vmx-show show-042/s10e10; }
side_path() { vmx-path show-041/s10e10; }
side_add() { vmx-add --want none "https://media.example.org/new/$RANDOM$RANDOM.mp4" </dev/null; }
prepare_pause() { vmx-queue resume --quiet show-042/s10e10 </dev/null >"$BENCH/out"; }
side_pause() { vmx-queue pause show-042/s10e10 </dev/null; }

race 1 jq
expected=$(wc -l <"$BENCH/out")
race 5 list
found=$(wc -l <"$BENCH/out")
[ "$found" = "$expected" ] || { echo "list found $found, jq $expected" >&2 && exit 1; }
echo "list: ${least_cpu[list]} ms cpu, ${least_wall[list]} ms wall; jq: ${least_cpu[jq]} ms cpu"
ratio "jq / vmx-list --show, $count episodes, cpu" "${least_cpu[jq]}" "${least_cpu[list]}" least 20
ratio "jq / vmx-list --show, $count episodes, wall" "${least_wall[jq]}" "${least_wall[list]}" least 20
list=${least_cpu[list]}

# The columns of such a record, taken from the listing itself.
columns=id,title,show_title,season,number,date,summary,want,state,code,reason,until,priority
columns=$columns,keep,watched,expires,added,path,size
table=$BENCH/episodes-$count.db
if [ ! -e "$table" ]; then
  rm -f "$table.new"
  vmx-list --all --fields "$columns" </dev/null >"$BENCH/rows"
  sqlite3 "$table.new" "create table episode ($columns)" '.mode tabs' \
    ".import '$BENCH/rows' episode"
  rm "$BENCH/rows"
  mv "$table.new" "$table"
fi
cat "$table" >/dev/null
side_sqlite() {
  sqlite3 -readonly -json "$table" "select * from episode where show_title = 'Show 042'"
}
race 5 sqlite list
found=$(grep -c '"id":' "$BENCH/out")
[ "$found" = "$expected" ] || { echo "list found $found, not $expected" >&2 && exit 1; }
echo "list: ${least_cpu[list]} ms cpu; sqlite3: ${least_cpu[sqlite]} ms cpu"
what="vmx-list --show, $count episodes / sqlite3 without an index"
ratio "$what, cpu" "${least_cpu[list]}" "${least_cpu[sqlite]}" most 2
ratio "$what, wall" "${least_wall[list]}" "${least_wall[sqlite]}" most 2

race 5 show path add pause
ratio 'vmx-show of one / that list' "${least_cpu[show]}" "$list" most 0.5
ratio 'vmx-path of one / that list' "${least_cpu[path]}" "$list" most 0.5
ratio 'vmx-add of one / that list' "${least_cpu[add]}" "$list" most 0.5
ratio 'vmx-queue pause of one / that list' "${least_cpu[pause]}" "$list" most 0.5

budget=$((65536 + 48 * count / 1024))
memory() { # WHAT COMMAND…
  local what=$1
  shift
  peak_anonymous "$@"
  ratio "anonymous memory of $what, $count / 64 MiB + 48 B each" "$peak" "$budget" most 1
}
memory 'list of one show' vmx-list --show show-042 --json
memory 'list of all' vmx-list --all --json
memory 'list of all by title' vmx-list --all --sort title --fields id
memory show vmx-show show-042/s10e10
memory 'queue pause' vmx-queue pause show-043/s10e10
memory doctor vmx-doctor
memory add vmx-add --want none https://media.example.org/new/another.mp4
