#!/bin/bash
# Each command that changes files beside a fetch encounters a fault at each of its system calls:
# kill -9, failing reads and writes, a power cut. Status 0 means that the work is complete;
# otherwise a coded error states the reason. After a repetition of the command, the whole state is
# that of an undisturbed run: records, files, trash and partial files. After verify and clean,
# sidecars and NFO files are the same too.
# SCENES='rm undo' and FAULTS='kill read write power' restrict the run; POINTS=N sets how many calls
# of a scene are tried with each kind of fault (0 for all).
if [ "${VMX_UNSHARED:-}" != yes ] && unshare -m true 2>/dev/null; then
  VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
fi
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/library.sh"
. "$source_root/Tests/Torture/support/faults.sh"
needs_strace
power=
if [ "${VMX_UNSHARED:-}" = yes ] && make_disk 256; then
  power=power
  export VMX_HOME=$place/disk/vmx
fi
# The home and the output of an export beside it are saved and compared as a whole.
export state=$VMX_HOME VMX_HOME=$VMX_HOME/home

for name_of_film in one two gone moved watched; do film "$name_of_film" 40; done
film big 9000
film local 300
cp site/local.mp4 "local film.mp4"
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/two.srt
bundles=$place/bundles
mkdir "$bundles"
sh "$source_root/Tests/Support/movie.sh" "migrated/Show/Show - S01E01 - First.mp4" 40
sh "$source_root/Tests/Support/movie.sh" "migrated/Show/Show - S01E02 - Second.mp4" 5000
cp site/two.srt "migrated/Show/Show - S01E01 - First.en.srt"
start_origin --rule '/slow/* rate:1000000'
mkdir site/slow
cp site/big.mp4 site/slow/big.mp4

. "$source_root/Tests/Torture/support/scenes.sh"

fresh() {
  rm -rf "$state" && cp -a "prepared-$scene" "$state"
  [ "$scene" != lend ] || issue
  [ -z "$power" ] || sync -f "$state"
}
again_run() { "${command[@]}" </dev/null; }
settle() {
  age_drafts
  vmx-verify -q </dev/null >out 2>err
  attempt 0 vmx-clean -q
}

# A repeated migration may add an undo entry of its own. Damaged lines and copies that a power cut
# leaves are put aside, since only the next record flushes them; they are ignored here. Sources are
# a part of the state of a migration, and a folder that became a root has another UUID each time.
of_scene() {
  local root
  case $scene in
    copied | taken | placed | untaken | unplaced)
      root=$(jq -r .root "$state/old/.vmx/root.json" 2>/dev/null)
      {
        grep -vE '^(step |[0-7]+ (store\.damaged|library/\.vmx/partial/[^ ]*\.aside) )' |
          grep -vE '^[0-7]+ library/\.vmx/trash/[^ ]*/entry\.json row\.untouched '
        (cd "$state" && find old -type f ! -path '*/.vmx/*' ! -name '*.nfo' -exec sha256sum {} +)
      } | sed "s/${root:-no root}/ROOT/g" | sort
      ;;
    # A kill may leave an empty folder, which clean removes when it is old.
    root) grep -v '^[0-7]* library/Film folder$' ;;
    # A file that a kill left renamed and unrecorded has no undo step, and is found by its digest.
    # An interrupted cut is undone, which is another step, and so is the rest of an import.
    names | cut | replaced) grep -v '^step ' ;;
    # The time at which the feed was first read. After a kill, verify writes the sidecar, without
    # the version of the source.
    # The provider issues the loan anew for each run, with the times of that run.
    licence | lend) grep -vE '^licence film/loan (seen|changed|ends|backend\.(licence_changed|since)) |^episode film/loan expires |^step RUN/film/loan before\.(expires|parts\.1\.sha256) |^[0-7]+ (store\.damaged|secrets\.jsonl) ' ;;
    feed | returned) grep -vE '^feed feed (begun|changed) |^[0-7]+ store\.damaged | segments\.video\.(etag|last_modified|source) ' ;;
    *) cat ;;
  esac
}
# nothing_lost: each source of a migration is unchanged, or its bytes are in the library.
nothing_lost() {
  local sum name
  find "$state" -type f ! -path '*/.vmx/partial/*' -exec sha256sum {} + | cut -d ' ' -f 1 >have
  while read -r sum name; do
    grep -q "$sum" have || complain "the bytes of '$name' are lost"
  done <sums
}

# compare NAME: compares the current state with that of the undisturbed run.
compare() {
  "$1_state" | of_scene >now
  cmp -s "$scene.$1" now && return
  diff "$scene.$1" now | grep '^[<>]' | cut -c 1-300 >out
  : >err
  complain "the $1 state is another one than without the fault ($2)"
  return 1
}

# prepare_scene: prepares the library before the command, and its states after it; $usual is its
# status.
prepare_scene() {
  again="preparing $scene"
  declare -gn command="command_$scene"
  "prepare_$scene" >out 2>err || {
    complain "cannot prepare '$scene'"
    return 1
  }
  cp -a "$state" "prepared-$scene"
  fresh
  again_run >out 2>err
  usual=$?
  core_state | of_scene >"$scene.core"
  again_run >out 2>err
  twice=$?
  compare core 'the same command twice' || return
  settle
  whole_state | of_scene >"$scene.whole"
}

# after_fault KIND STATUS: checks the state after a fault.
after_fault() {
  local kind=$1 status=$2
  case $kind:$status in
    kill:* | power:*) ;;
    *:0)
      # Beside completed work, other work may be waiting; a coded error then reports it.
      grep -q 'error\[[a-z-]*\]: ' err || compare core 'status 0' || return
      ;;
    # What waits is no error: -q says nothing.
    *:75) ;;
    *:1 | *:6[569] | *:7[34])
      grep -q 'error\[[a-z-]*\]: ' err || grep -qw problem out ||
        complain "status $status without a coded error"
      ;;
    *) complain "ended with $status" ;;
  esac
  [ "$scene" = mend ] || store_reads || return
  case $scene in
    copied | taken | placed | untaken | unplaced)
      nothing_lost
      # Recorded files have their bytes: a fetch publishes them, which leaves less work to the next
      # run. A power cut may have destroyed bytes that the source still has.
      local allowed=0
      [ "$kind" != power ] || allowed='0 1 65 74'
      [ $((tried % 2)) = 0 ] || attempt "$allowed" vmx-fetch -q || return
      ;;
  esac
  attempt "0 $usual $twice" again_run || return
  compare core 'after the same command again' || return
  settle
  compare whole 'after verify and clean'
  left=$(drafts)
  [ -z "$left" ] || complain "drafts that clean leaves: $left"
}

# strike KIND CALL N FAULT: runs the command with one fault, and checks the result.
strike() {
  local kind=$1 call=$2 when=$3 fault=$4 status
  fresh
  tried=$((tried + 1))
  again="SCENES=$scene: $call number $when with $fault of: ${command[*]}"
  [ "$kind" != power ] || again="$again, then a power cut"
  { strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$when" \
    "${command[@]}" >out 2>err </dev/null; } 2>/dev/null
  status=$?
  # The first calls of a thread may belong to the loader in another thread.
  [ "$status" != 127 ] || return 0
  if [ "$kind" = power ]; then
    cut_power && restore_power || { complain 'the power cannot be cut' && finish; }
  fi
  after_fault "$kind" "$status"
}

most=${POINTS:-}
[ -n "$most" ] || { [ -n "$short" ] && most=1 || most=12; }
[ "$most" != 0 ] || most=1000000
scenes='rm gone undo rename names root lost withdrawn returned move resume cancel file three verify'
scenes="$scenes repair cut clean compact mend export folder update import replaced mended copied taken"
scenes="$scenes placed untaken unplaced feed licence lend"
[ -z "$short" ] || scenes='gone undo names move cancel verify cut mend export update import taken placed'
scenes=${SCENES:-$scenes}
read -ra kinds <<<"${FAULTS:-kill write read $power}"
turn=0
for scene in $scenes; do
  prepare_scene || continue
  fresh
  calls_below "$changing_calls" "$place" "${command[@]}" >"$scene.changing"
  fresh
  calls_below "$reading_calls" "$state|/proc/self" "${command[@]}" >"$scene.reading"
  [ "$(wc -l <"$scene.changing")" -gt 2 ] || complain "$scene: no calls found"
  turn=$((turn + 1))
  for kind in "${kinds[@]}"; do
    turn=$((turn + 1))
    # In the short form, each scene encounters one kind of fault, in rotation.
    [ -z "$short" ] || [ -n "${FAULTS:-}" ] || [ $((turn % ${#kinds[@]})) = 0 ] || continue
    list=$scene.changing
    [ "$kind" != read ] || list=$scene.reading
    errors=signal=KILL
    case $kind in
      write) errors='error=ENOSPC error=EIO' ;;
      read) errors='error=EIO error=EACCES' ;;
    esac
    [ "$scene:$kind" != three:read ] || continue
    n=0
    while read -r call when; do
      n=$((n + 1))
      # In a sample, the two errors alternate.
      fault=$errors
      [ "$most" = 1000000 ] || fault=$(cut -d ' ' -f $((n % 2 + 1)) <<<"$errors")
      for one in $fault; do strike "$kind" "$call" "$when" "$one"; done
    done < <(sample "$most" <"$list")
    if [ "$kind" = power ]; then
      fresh
      tried=$((tried + 1))
      again="SCENES=$scene: a power cut behind the status of: ${command[*]}"
      again_run >out 2>err
      status=$?
      cut_power && restore_power || { complain 'the power cannot be cut' && finish; }
      [ "$status" = 0 ] && ! compare core 'status 0, then a power cut' || after_fault power "$status"
    fi
  done
  rm -rf "prepared-$scene"
done
finish
