#!/bin/bash
# kill -9 at every system call of every tool that writes. Afterwards the store can be read,
# acknowledged changes are present, and a repetition of the command completes the work without help.
#
# A first run under strace lists the calls and how often a thread makes each of them. Then the
# process is killed once at each of them. The short form tries only calls that change something, and
# few of those.
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/faults.sh"
needs_strace

film one 40
film two 500
film three 90
film local 300
cp site/local.mp4 "local film.mp4"
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/two.srt
start_origin

# The library at the start of every run: one episode is ready, two are wanted.
vmx-add --id film/one --sha256 "$(digest site/one.mp4)" "$url/one.mp4" </dev/null >out 2>err &&
  vmx-fetch film/one >/dev/null 2>&1 &&
  vmx-add --id film/two --sha256 "$(digest site/two.mp4)" --subtitle "en=$url/two.srt" \
    "$url/two.mp4" </dev/null >out 2>err &&
  vmx-add --id film/three "$url/three.mp4" </dev/null >out 2>err || {
  complain 'cannot even prepare the library'
  finish
}
cp -a "$VMX_HOME" "$place/prepared"
# The same with damage for which a repair goes through all its steps.
cp -a prepared broken
{
  echo 'no JSON'
  tail -n 1 prepared/store.jsonl
  echo '{"kind":"alias","id":"c/1","seq":901,"at":"2026-11-21T05:04:00.404Z","to":"c/1"}'
} >>broken/store.jsonl
is_here film/one site/one.mp4 || finish
# The same without the removed episode.
attempt 0 vmx-rm film/one || finish
mv "$VMX_HOME" removed
cp -a prepared "$VMX_HOME"

# The same with a film of two segments, one of them damaged.
film four 5000
vmx-add --id film/four "$url/four.mp4" </dev/null >out 2>err && vmx-fetch film/four >out 2>err
hurt=$(vmx-path film/four </dev/null)
printf 'NOT THESE' | dd of="$hurt" bs=1 seek=9000 conv=notrunc status=none
cp "$hurt" hurt.mp4
vmx-verify film/four </dev/null >out 2>err
[ "$(state_of film/four)" = damaged ] || {
  complain 'cannot prepare a damaged film'
  finish
}
cp -a "$VMX_HOME" "$place/hurt"

for number in 1 2 3; do
  echo "{\"id\":\"more/n$number\",\"title\":\"More\",\"url\":\"$url/one.mp4?n=$number\"}"
done >more.jsonl

run_lines() { vmx-add <more.jsonl; }
run_file() { vmx-add --id film/local "local film.mp4" </dev/null; }
run_fetch() { vmx-fetch --due --json </dev/null; }
run_rename() { vmx-rename film/one film/first </dev/null; }
run_queue() { vmx-queue priority 7 film/one film/two </dev/null; }
run_rm() { vmx-rm --json film/one film/two </dev/null; }
run_undo() { vmx-undo --json </dev/null; }
run_mend() { vmx-doctor --mend </dev/null; }
run_repair() { vmx-fetch --repair --json </dev/null; }
export -f run_lines run_file run_fetch run_rename run_queue run_rm run_undo run_mend run_repair

# $place/said contains the output by which the killed command acknowledged changes.
check_lines() {
  local id
  while read -r id; do
    grep -q "^$id" said && [ -z "$(state_of "$id")" ] && complain "'$id' was printed, then lost"
  done < <(jq -r .id more.jsonl)
  attempt 0 run_lines || return
  [ "$(vmx-list --all --json </dev/null | jq -r .id | sort | uniq -d)" = '' ] ||
    complain 'an episode is there twice'
  for id in more/n1 more/n2 more/n3; do
    [ "$(state_of "$id")" = new ] || complain "'$id' is '$(state_of "$id")', not new"
  done
}
check_file() {
  ! grep -q film/local said || is_here film/local site/local.mp4
  attempt 0 run_file || return
  is_here film/local site/local.mp4
  cmp -s "local film.mp4" site/local.mp4 || complain 'the source of a local file was changed'
  nothing_left
}
check_fetch() {
  local id
  while read -r id; do
    [ -z "$id" ] || is_here "$id" "site/${id#film/}.mp4"
  done < <(jq -rR 'fromjson? | select(.outcome == "done") | .id' said)
  attempt 0 run_fetch || return
  # An episode whose video is ready is not due: its subtitles are requested by its id.
  attempt 0 vmx-fetch film/two || return
  is_here film/two site/two.mp4
  is_here film/three site/three.mp4
  [ "$(vmx-list --json film/two </dev/null | jq -c .lacks)" = '[]' ] || complain 'subtitle missing'
  nothing_left
}

check_rename() {
  local id=film/one
  ! grep -q film/first said || id=film/first
  is_here "$id" site/one.mp4
  attempt 0 run_rename || return
  is_here film/first site/one.mp4
  is_here film/one site/one.mp4
  nothing_left
}
check_queue() {
  attempt 0 run_queue || return
  [ "$(vmx-list --json film/two </dev/null | jq .priority)" = 7 ] || complain 'no priority'
}
# A file that is neither under its name nor in the trash would be lost.
check_rm() {
  local files
  files=$(find "$VMX_HOME" -name '*.mp4' -size +1k | wc -l)
  [ "$files" = 1 ] || complain "there are $files files of a film that was one"
  attempt 0 run_rm || return
  [ "$(state_of film/one) $(state_of film/two)" = 'removed removed' ] || complain 'not removed'
  [ -z "$(find "$VMX_HOME" -name '*.mp4' -not -path '*/trash/*')" ] || complain 'a file stayed'
  attempt 0 vmx-undo 9 || return
  is_here film/one site/one.mp4
  nothing_left
}
check_undo() {
  attempt '0 66' run_undo || return
  is_here film/one site/one.mp4
  [ -z "$(find "$VMX_HOME" -path '*/trash/*.mp4')" ] || complain 'a file is in the trash still'
  nothing_left
}
check_mend() {
  # Until the store is repaired, no damaged line may be lost.
  grep -qx 'no JSON' "$VMX_HOME"/store.* || complain 'a broken line is gone'
  attempt 0 run_mend || return
  grep -qx 'no JSON' "$VMX_HOME/store.damaged" || complain 'a broken line was not put aside'
  is_well
}

check_repair() {
  # Until an intact file replaces it, the damaged file must remain.
  cmp -s "$hurt" site/four.mp4 || cmp -s "$hurt" hurt.mp4 || complain 'neither hurt nor repaired'
  ! grep -q '"outcome":"done"' said || is_here film/four site/four.mp4
  attempt 0 run_repair || return
  is_here film/four site/four.mp4
  nothing_left
}

changing="$changing_calls|sendto"

# calls COMMAND: lines `NAME N`, one for each call of that name in the thread with most of them.
calls() {
  fresh "$scene"
  strace -f -qq -o trace bash -c "exec 3>&1; $1" >/dev/null 2>&1
  awk -v changing="^(${changing})\$" -v short="$short" '
    match($2, /^[a-z0-9_]+\(/) {
      name = substr($2, 1, RLENGTH - 1)
      if (name ~ /^(exit|exit_group|execve|restart_syscall|rt_sigreturn|vfork)$/) next
      if (short && name !~ changing) next
      n = ++count[$1, name]
      if (n > most[name]) most[name] = n
    }
    END { for (name in most) for (n = 1; n <= most[name]; n++) print name, n }' trace | sort
}

fresh() {
  rm -rf "$VMX_HOME"
  case $1 in
    mend) cp -a broken "$VMX_HOME" ;;
    undo) cp -a removed "$VMX_HOME" ;;
    repair) cp -a hurt "$VMX_HOME" ;;
    *) cp -a prepared "$VMX_HOME" ;;
  esac
}

scenes='lines file fetch rename rm undo mend'
! command -v vmx-queue >/dev/null || scenes="$scenes queue"
! command -v vmx-verify >/dev/null || scenes="$scenes repair"
for scene in $scenes; do
  mapfile -t points < <(calls "run_$scene")
  step=1
  [ -z "$short" ] || step=$(((${#points[@]} + 5) / 6))
  for ((i = 0; i < ${#points[@]}; i += step)); do
    read -r call when <<<"${points[i]}"
    fresh "$scene"
    tried=$((tried + 1))
    again="kill -9 at $call number $when of $scene"
    # The shell's message about the killed process goes to the same file as its other messages.
    { strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$when" \
      bash -c "run_$scene" >said; } 2>/dev/null
    case $scene in
      rename | rm | undo) store_reads && "check_$scene" ;;
      *) store_reads && is_here film/one site/one.mp4 && "check_$scene" ;;
    esac
  done
done
finish
