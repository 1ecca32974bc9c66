#!/bin/bash
# Eighteen loops of different tools work on forty episodes at once: first undisturbed, then with
# kill -9 at random moments. Every failure has a documented status with a coded error. Afterwards
# every file is known to a record, no file has another name than requested, and each trash entry has
# its list. Every ready episode has its bytes, and all episodes can be fetched again.
# SEED=N chooses the commands, ROUNDS='quiet kills' the rounds, TIME=SECONDS their length.
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/library.sh"
count=36
locals=4
seconds=${TIME:-60}
rounds=${ROUNDS:-quiet kills quiet kills}
seed=${SEED:-1}
if [ -n "$short" ]; then
  seconds=${TIME:-3}
  rounds=${ROUNDS:-quiet kills}
fi

for ((n = 1; n <= count; n++)); do film "n$n" $((10 + 7 * n % 90)); done
film n5 5000
film n6 9000
for ((n = 1; n <= locals; n++)); do
  film "local$n" $((30 * n))
  cp "site/local$n.mp4" "local $n.mp4"
done
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/words.srt
start_origin --rule '/n*.mp4 rate:3000000'
for ((n = 1; n <= count; n++)); do
  subtitles=
  [ $((n % 6)) != 0 ] || subtitles=',{"role":"subtitle","lang":"en","url":"'$url/words.srt?$n'"}'
  # One title for one slug: an import gives another title another slug.
  printf '{"id":"mix/n%d","title":"N %d","show_title":"Mix","parts":[%s%s]}\n' "$n" "$n" \
    '{"role":"video","url":"'"$url/n$n.mp4"'"}' "$subtitles"
done >rows

mapfile -t ids < <(jq -r .id rows)
add_rows() { vmx-add -q <rows; }

# The bundle for a loop of imports, made in a separate library.
make_bundle() {
  local VMX_HOME=$place/other n
  add_rows || return
  for ((n = 1; n <= locals; n++)); do
    vmx-add -q --id "loc/e$n" --show Local --title "Local $n" "local $n.mp4" </dev/null || return
  done
  vmx-fetch -q "${ids[@]}" </dev/null && mkdir bundles &&
    vmx-export -q --all -o bundles/first.tar </dev/null && rm -rf "$VMX_HOME"
}
make_bundle >out 2>err || {
  complain 'cannot even make a bundle'
  finish
}

# The codes with which a command may end because another one was faster.
contention='lock-busy|no-such-episode|held|no-file|id-taken|undo-conflict|undo-impossible'
contention="$contention|file-missing|file-damaged|file-moved|plan-changed|predecessor-first"
contention="$contention|address-refused|after-cycle|root-away|repair-refused|input-missing"
# loop_verify deletes a film that is being repaired.
contention="$contention|part-lost"

pick() { # sets $id to one of the forty
  local n=$((RANDOM % (count + locals) + 1))
  id=mix/n$n
  [ "$n" -le "$count" ] || id=loc/e$((n - count))
}

# wrong WHAT: reports a problem of a loop, with the streams of its last command.
wrong() {
  {
    echo "$loop: $1"
    sed 's/^/  stderr: /' "err.$loop" | head -n 6 | cut -c 1-300
  } >>"wrong.$loop"
}

# try COMMAND…: runs the command with $input, and checks its end. In a round with kills, one of
# three is killed after up to 0.3 s.
try() {
  local pid status killed= code
  "$@" >"out.$loop" 2>"err.$loop" <"$input" &
  pid=$!
  echo "$pid $*" >"now.$loop"
  if [ "$round" = kills ] && [ $((RANDOM % 3)) = 0 ]; then
    sleep "0.$(printf %03d $((RANDOM % 300)))"
    kill -KILL "$pid" 2>/dev/null && killed=yes
  fi
  wait "$pid"
  status=$?
  rm -f "now.$loop"
  echo "$loop $status $*" >>"log.$loop"
  [ "$status$killed" != 137yes ] || return 0
  case $status in
    0 | 1 | 65 | 66 | 69 | 73 | 74 | 75 | 76 | 77) ;;
    *) wrong "'$*' ended with $status" ;;
  esac
  if [ "$status" != 0 ] && ! grep -q 'error\[[a-z-]*\]: ' "err.$loop"; then
    wrong "'$*' ended with $status without a coded error"
  fi
  code=$(grep -v ' loc/e[0-9]*' "err.$loop" | grep -oE 'error\[[a-z-]*\]' |
    grep -vE "\[($contention)\]" | sort -u | tr '\n' ' ')
  [ -z "$code" ] || wrong "'$*' told of $code"
}

loop_add() {
  shuf -n 5 --random-source=<(yes $RANDOM) rows >"rows.$loop"
  input=rows.$loop
  try vmx-add -q
  input=/dev/null
}
loop_file() {
  local n=$((RANDOM % locals + 1))
  try vmx-add -q --id "loc/e$n" --show Local --title "Local $n" "local $n.mp4"
}
loop_due() { try vmx-fetch -q --due -j 2; }
loop_fetch() {
  pick
  local first=$id
  pick
  try vmx-fetch -q "$first" "$id"
}
loop_rm() {
  pick
  try vmx-rm -q --lock-timeout 2s "$id"
}
loop_gone() {
  pick
  case $((RANDOM % 4)) in
    0) try vmx-rm -q --lock-timeout 2s --forget "$id" ;;
    *) try vmx-rm -q --lock-timeout 2s --permanent --yes "$id" ;;
  esac
}
loop_undo() { try vmx-undo -q $((RANDOM % 3 + 1)); }
loop_want() {
  pick
  case $((RANDOM % 3)) in
    0) try vmx-queue -q drop "$id" ;;
    *) try vmx-queue -q add "$id" ;;
  esac
}
loop_hold() {
  pick
  case $((RANDOM % 4)) in
    0) try vmx-queue -q pause "$id" ;;
    1) try vmx-queue -q pause "$id" ;;
    *) try vmx-queue -q resume --all ;;
  esac
}
loop_cancel() {
  pick
  case $((RANDOM % 2)) in
    0) try vmx-queue -q cancel "$id" ;;
    *) try vmx-queue -q retry "$id" ;;
  esac
}
loop_order() {
  pick
  local first=$id
  pick
  case $((RANDOM % 5)) in
    0) try vmx-queue -q priority $((RANDOM % 9)) "$id" ;;
    1) try vmx-queue -q move --first "$id" ;;
    2) try vmx-queue -q set watched=yes "$id" ;;
    3) [ "$id" = "$first" ] || try vmx-queue -q after "$first" "$id" ;;
    *) try vmx-queue -q after --none --all ;;
  esac
}
loop_rename() {
  pick
  case $((RANDOM % 2)) in
    0) try vmx-rename -q --lock-timeout 2s "$id" "$id.x" ;;
    *) try vmx-rename -q --lock-timeout 2s "$id" "$id" ;;
  esac
}
# A byte is damaged, or a file is deleted by the user; then the library is verified and repaired.
loop_verify() {
  pick
  local path
  path=$(vmx-path "$id" 2>/dev/null </dev/null)
  if [ -n "$path" ]; then
    case $((RANDOM % 3)) in
      0) rm -f "$path" ;;
      *) printf X | dd of="$path" bs=1 seek=$((RANDOM % 9000)) conv=notrunc,nocreat 2>/dev/null ;;
    esac
  fi
  try vmx-verify -q
  try vmx-fetch -q --repair
}
loop_clean() {
  case $((RANDOM % 6)) in
    0) try vmx-clean -q --watched ;;
    1) try vmx-clean -q --foreign ;;
    2) try env VMX_TRASH_KEEP=0s vmx-clean -q ;;
    3) try vmx-doctor -q --mend ;;
    *) try vmx-clean -q ;;
  esac
}
loop_look() {
  pick
  case $((RANDOM % 6)) in
    0) try vmx-status ;;
    1) try vmx-show "$id" ;;
    2) try vmx-path "$id" ;;
    3) try vmx-doctor ;;
    4) try vmx-undo --list ;;
    *) try vmx-list --all --json ;;
  esac
}

# check_round reads the results of an export.
loop_export() {
  case $((RANDOM % 4)) in
    0) try vmx-export -q --all --force -o bundles/all.tar ;;
    1) try vmx-export -q --all --force --show mix -o bundles/show.zip ;;
    2) try vmx-export -q --all --delete -o bundles/folder ;;
    *) try vmx-export -q --all --force --type tar.zst -o bundles/all.zst ;;
  esac
}
loop_import() {
  case $((RANDOM % 4)) in
    0) try vmx-import -q --lock-timeout 2s --on-conflict keep bundles/all.tar ;;
    1) try vmx-import -q --verify bundles/first.tar ;;
    *) try vmx-import -q --lock-timeout 2s --on-conflict keep bundles/first.tar ;;
  esac
}
# Damage that verify reports may already be repaired at the time of the import.
loop_mend() {
  vmx-verify --all --json >"rows.$loop" 2>/dev/null </dev/null
  input=rows.$loop
  try vmx-import -q --repair bundles/first.tar
  input=/dev/null
}

loops='add file due fetch rm gone undo want hold cancel order rename verify clean look export import mend'

# run_loop NAME NUMBER: runs the loop until the time has passed.
run_loop() {
  loop=$1
  RANDOM=$((seed * 1000 + $2))
  input=/dev/null
  while [ "$SECONDS" -lt "$end" ]; do "loop_$loop"; done
}

run_round() {
  local pids=() one i=0 waited=0
  rm -rf "$VMX_HOME" log.* wrong.* now.*
  attempt 0 add_rows || return
  end=$((SECONDS + seconds))
  for one in $loops; do
    i=$((i + 1))
    run_loop "$one" $i 2>"loop.$one" &
    pids+=($!)
  done
  while [ "$SECONDS" -lt "$end" ]; do sleep 0.2; done
  for one in "${pids[@]}"; do
    while kill -0 "$one" 2>/dev/null && [ "$waited" -lt 600 ]; do
      sleep 0.1
      waited=$((waited + 1))
    done
  done
  for one in now.*; do
    [ -e "$one" ] || continue
    complain "still at work after a minute: $(cat "$one")"
    kill -KILL "$(cut -d ' ' -f 1 "$one")"
  done
  wait "${pids[@]}" 2>/dev/null
  tried=$((tried + $(cat log.* | wc -l)))
  for one in wrong.*; do
    [ ! -e "$one" ] || complain "$(cat "$one")"
  done
}

# bytes_are_right: each ready video has the same bytes as its source.
bytes_are_right() {
  local id path source
  while IFS=$'\t' read -r id path source; do
    case $id in loc/e*) source=local${id#loc/e} && source=${source%.x} ;; esac
    cmp -s "$path" "site/$source.mp4" || complain "'$id' is ready, but '$path' has other bytes"
  done < <(records | jq -rn '
    [inputs] as $all
    | ($all | map(select(.kind == "root") | {(.id): .path}) | add // {}) as $roots
    | $all[] | select(.kind == "episode") | .id as $id | .parts[]
    | select(.role == "video" and .state == "ready")
    | [$id, "\($roots[.root])/\(.path)",
       ((.variants[0].sources[0].url // "") | sub(".*/"; "") | sub("\\.mp4.*"; ""))] | @tsv')
}

# sidecars_are_whole: each ready video has the digests of its segments, and its NFO file.
sidecars_are_whole() {
  local id root path sha256 sidecar
  while IFS=$'\t' read -r id root path sha256; do
    sidecar=$VMX_HOME/library/.vmx/records/${id/\//\~}.json
    [ "$(jq -r .segments.video.sha256 "$sidecar" 2>/dev/null)" = "$sha256" ] ||
      complain "'$id' has no digests of its segments in its sidecar"
    [ -s "${path%.*}.nfo" ] || complain "'$id' has no NFO file"
  done < <(records | jq -r --arg root "$VMX_HOME/library" 'select(.kind == "episode")
    | .id as $id | .parts[] | select(.role == "video" and .state == "ready")
    | [$id, .root, "\($root)/\(.path)", .sha256] | @tsv')
}

# none WHAT LIST: reports a problem if the list is not empty.
none() {
  [ -n "$2" ] || return 0
  : >out
  : >err
  complain "$1: $(head -n 5 <<<"$2" | tr '\n' ' ')"
}
no_other_names() {
  none 'names that nobody asked for' "$(find "$VMX_HOME" -name '* ([0-9])*')"
}
no_unknown_files() {
  none 'files that no record knows' "$(unknown_files)"
  attempt 0 vmx-clean -n --json
  none 'files that clean does not know' "$(jq -r 'select(.step == "unknown-file") | .relative_path' out)"
}
# The undo of an import moves files that it had added to an episode into the trash, too.
none_was_foreign() {
  none 'removed as a foreign file' \
    "$(records | jq -r 'select(.kind == "step" and .tool != "undo" and (.episode | not))
      | .id')"
}

# quiet STATUSES COMMAND…: like attempt; only an episode without a source may fail.
quiet() {
  attempt "$@" || return
  ! grep 'error\[' err | grep -qvE ' loc/e[0-9]+' || complain "'$*' fails with nobody else at work"
}

# bundles_are_whole: every file named like a bundle is one, and an interrupted update can continue.
bundles_are_whole() {
  local bundle
  for bundle in bundles/*; do
    [ "$bundle" != bundles/folder ] || continue
    VMX_HOME=$place/other attempt 0 vmx-import -q --verify "$bundle"
  done
  attempt '0 1 66 75' vmx-export -q --all --delete -o bundles/folder
  [ ! -e bundles/folder ] || VMX_HOME=$place/other attempt 0 vmx-import -q --verify bundles/folder
  none 'left in the exported folder' "$(find bundles/folder -name '.vmx-*' 2>/dev/null)"
}

check_round() {
  local n
  store_reads
  bundles_are_whole
  quiet '0 1 66 69 75 76' vmx-fetch -q --due
  no_other_names
  no_unknown_files
  attempt '0 1 66 74 75' vmx-verify -q
  quiet '0 1 65 66 69 75 76' vmx-fetch -q --repair
  age_drafts
  attempt 0 vmx-clean -q
  none 'drafts that clean leaves' "$(drafts)"
  is_well
  none_was_foreign
  trash_is_whole
  bytes_are_right
  sidecars_are_whole

  # Everything can be fetched again, each file once.
  attempt 0 vmx-queue -q after --none --all
  attempt 0 add_rows
  for ((n = 1; n <= locals; n++)); do
    attempt 0 vmx-add -q --id "loc/e$n" --show Local --title "Local $n" "local $n.mp4"
  done
  attempt 0 vmx-queue -q add "${ids[@]}"
  # Only the user's rows permit the sources of a removed episode that a bundle had brought.
  attempt 0 add_rows
  # Removed episodes are not included in --all, so their dependencies are lifted here.
  attempt 0 vmx-queue -q after --none "${ids[@]}"
  attempt 0 vmx-fetch -q "${ids[@]}"
  for ((n = 1; n <= count; n++)); do is_here "mix/n$n" "site/n$n.mp4"; done
  for ((n = 1; n <= locals; n++)); do is_here "loc/e$n" "site/local$n.mp4"; done
  attempt 0 vmx-clean -q
  no_other_names
  no_unknown_files
  attempt 0 vmx-export -q --all --delete -o bundles/folder
  n=$(find bundles/folder -name '*.mp4' | wc -l)
  [ "$n" = $((count + locals)) ] || complain "the folder has $n films of $((count + locals))"
  n=$(find "$VMX_HOME/library" -name .vmx -prune -o -name '*.mp4' -print | wc -l)
  [ "$n" = $((count + locals)) ] || complain "there are $n films of $((count + locals))"
  nothing_left
}

for round in $rounds; do
  again="SEED=$seed ROUNDS=$round TIME=$seconds $0"
  run_round
  check_round
  seed=$((seed + 1))
done
finish
