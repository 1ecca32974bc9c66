#!/bin/bash
# Each call by which a tool changes the disk fails once, in each place: with ENOSPC, with EIO, and
# for a flush from then on always. Afterwards either the status is 0 and the work is complete, or
# the tool reports a coded error and nothing is lost; a repetition of the command then completes the
# work. After a failed flush, the tool never flushes that file again, as the recorded calls show.
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/faults.sh"
needs_strace

film one 40
film two 500
start_origin
vmx-add --id film/one "$url/one.mp4" </dev/null >out 2>err && vmx-fetch film/one >out 2>err &&
  vmx-add --id film/two --sha256 "$(digest site/two.mp4)" "$url/two.mp4" </dev/null >out 2>err || {
  complain 'cannot even prepare the library'
  finish
}
cp -a "$VMX_HOME" prepared
# A damaged store: a broken line, a duplicate line, and a cycle of ids.
cp -a prepared broken
{
  echo 'no JSON'
  tail -n 1 prepared/store.jsonl
  alias='{"kind":"alias","id":"%s","seq":%s,"at":"2026-11-21T05:04:00.404Z","to":"%s"}\n'
  # shellcheck disable=SC2059 # the format is ours
  printf "$alias$alias" c/1 901 c/2 c/2 902 c/1
} >>broken/store.jsonl

run_add() { vmx-add --id film/three --want none "$url/one.mp4?3" </dev/null; }
run_rename() { vmx-rename film/one film/first </dev/null; }
run_fetch() { vmx-fetch film/two </dev/null; }
run_mend() { vmx-doctor --mend </dev/null; }
run_queue() { vmx-queue priority 7 film/one film/two </dev/null; }
export -f run_add run_rename run_fetch run_mend run_queue
export url

# done_SCENE: whether everything that status 0 promises is true.
done_add() { [ -n "$(state_of film/three)" ]; }
done_rename() { [ "$(vmx-list --json film/first </dev/null | jq -r .id)" = film/first ]; }
done_fetch() { is_here film/two site/two.mp4; }
done_mend() { vmx-doctor -q </dev/null >/dev/null 2>&1; }
done_queue() { [ "$(vmx-list --json film/two </dev/null | jq .priority)" = 7 ]; }

fresh() {
  rm -rf "$VMX_HOME"
  if [ "$1" = mend ]; then cp -a broken "$VMX_HOME"; else cp -a prepared "$VMX_HOME"; fi
}

# never_again STATUS: the recorded calls never flush the store after a failed flush of it. If the
# tool reports success, they flush no file again after its flush failed; a file that later gets the
# same name counts as another file.
never_again() {
  awk -v status="$1" '
    / (fsync|fdatasync)\(/ {
      path = $0; sub(/^[^<]*</, "", path); sub(/>.*/, "", path)
      if (failed[path] && (status == 0 || path ~ /store\.jsonl$/)) { print path; exit 1 }
      begun[$1] = path
      if (/= -1 /) failed[path] = 1
    }
    /<\.\.\. (fsync|fdatasync) resumed/ && /= -1 / { failed[begun[$1]] = 1 }
    / rename[a-z0-9]*\(/ && !/= -1 / {
      count = split($0, part, "\"")
      failed[part[count - 1]] = 0
    }' trace
}

check() { # SCENE STATUS: after a call of it has failed
  local scene=$1 status=$2
  case $status in
    0) "done_$scene" || complain 'status 0, and not all is done' ;;
    1 | 6[0-9] | 7[0-9])
      grep -q 'error\[[a-z-]*\]: ' err || complain "status $status without a coded error"
      ;;
    *) complain "ended with $status" ;;
  esac
  never_again "$status" >out || complain "flushed again after a failed flush: $(cat out)"
  : >out
  store_reads
  [ "$scene" = rename ] || is_here film/one site/one.mp4
  [ -n "$(state_of film/two)" ] || complain 'film/two is gone'
  attempt 0 "run_$scene" && { "done_$scene" || complain 'the same again does not do it'; }
}

scenes='add rename fetch mend'
if command -v vmx-queue >/dev/null; then scenes="$scenes queue"; fi
for scene in $scenes; do
  fresh "$scene"
  mapfile -t points < <(calls_below "$changing_calls" "$VMX_HOME" bash -c "run_$scene")
  [ "${#points[@]}" -gt 2 ] || complain "$scene: no calls found to fail"
  step=1
  [ -z "$short" ] || step=$(((${#points[@]} + 2) / 3))
  for ((i = 0; i < ${#points[@]}; i += step)); do
    read -r call when <<<"${points[i]}"
    faults="error=ENOSPC:when=$when error=EIO:when=$when"
    case $call in *sync | syncfs) faults="error=EIO:when=$when error=EIO:when=$when+" ;; esac
    [ -z "$short" ] || faults=${faults#* }
    for fault in $faults; do
      fresh "$scene"
      tried=$((tried + 1))
      again="$call with $fault of $scene"
      # shellcheck disable=SC2094
      strace -f -qq -y -o trace -e "trace=$call,fsync,fdatasync,rename,renameat,renameat2" \
        -e "inject=$call:$fault" bash -c "run_$scene" >out 2>err
      check "$scene" $?
    done
  done
done
finish
