#!/bin/bash
# kill -9 at every system call of vmx clean, each call that changes the disk failing once, and full
# disks. No file of the library is lost unintentionally, files removed by a rule are in the trash
# until the removal is recorded, and a repetition of the command completes the work.
if [ "${VMX_UNSHARED:-}" != yes ] && unshare -m true 2>/dev/null; then
  VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
fi
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/faults.sh"
command -v vmx-clean >/dev/null || skip 'no vmx-clean'
needs_strace

for film in keep gone moved lost watched; do film "$film" 30; done
start_origin

# A library with something for each step: a missing file, a moved one, one without a record, one to
# remove by a rule, an expired trash entry, and the remains of crashes.
untidy() {
  local film
  for film in keep gone moved lost watched; do
    vmx-add --id "film/$film" --sha256 "$(digest "site/$film.mp4")" "$url/$film.mp4" </dev/null ||
      return
  done
  vmx-fetch --due </dev/null || return
  vmx-queue set watched=yes film/watched </dev/null || return
  rm "$(vmx-path film/gone)"
  mv "$(vmx-path film/moved)" "$VMX_HOME/library/elsewhere.mp4"
  grep -v '"id":"film/lost"' "$VMX_HOME/store.jsonl" >store && cp store "$VMX_HOME/store.jsonl"
  mkdir -p "$VMX_HOME/library/Empty/deeper"
  echo mine >"$VMX_HOME/library/mine.txt"
  touch -d '3 days ago' "$VMX_HOME/library/.vmx/partial/00000000000000aa-video.part" \
    "$VMX_HOME/library/.vmx-0123456789abcdef.tmp"
}
untidy >out 2>err || {
  complain 'cannot even prepare the library'
  finish
}
mv "$VMX_HOME" prepared
at=$VMX_HOME
fresh() { rm -rf "$at" && cp -a prepared "$at"; }

run_clean() { vmx-clean --watched --foreign </dev/null; }
run_login() { vmx-clean --login </dev/null; }
export -f run_clean run_login

# After any fault: the store can be read, files to keep exist, and no bytes are lost permanently.
unharmed() {
  store_reads && is_here film/keep site/keep.mp4 || return
  local film
  for film in moved lost watched; do
    find "$at" -type f -size +29k -exec cmp -s {} "site/$film.mp4" \; -print | grep -q . ||
      complain "the bytes of '$film' are gone"
  done
  [ -n "$(find "$at" -name mine.txt)" ] || complain "a file of somebody else is gone"
}
settled() {
  attempt 0 run_clean || return
  attempt 0 run_clean || return
  unharmed
  [ "$(state_of film/gone)" = missing ] || complain "'film/gone' is $(state_of film/gone)"
  is_here film/moved site/moved.mp4
  is_here film/lost site/lost.mp4
  [ "$(state_of film/watched)" = removed ] || complain "'film/watched' is not removed"
  [ ! -e "$at/library/Empty" ] || complain 'an empty folder is left'
  [ ! -e "$at/library/mine.txt" ] || complain 'a foreign file is left'
  [ -z "$(vmx-clean --plan --watched --foreign </dev/null 2>/dev/null)" ] ||
    complain "something is left: $(vmx-clean --plan --watched --foreign </dev/null | head -n 1)"
}

for scene in clean login; do
  fresh
  mapfile -t calls < <(calls_below "$changing_calls" "$place" bash -c "run_$scene")
  [ "${#calls[@]}" -gt 2 ] || complain "$scene: no calls found"
  step=1
  [ -z "$short" ] || step=$(((${#calls[@]} + 3) / 4))
  for ((i = 0; i < ${#calls[@]}; i += step)); do
    read -r call when <<<"${calls[i]}"
    for fault in signal=KILL error=ENOSPC error=EIO; do
      [ -z "$short" ] || [ "$fault" = signal=KILL ] || [ $((i % 2)) = 0 ] || continue
      fresh
      tried=$((tried + 1))
      again="$call number $when with $fault of $scene"
      { strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$when" \
        bash -c "run_$scene" >out 2>err; } 2>/dev/null
      status=$?
      case $fault:$scene:$status in
        signal* | *:0) ;;
        *:clean:1 | *:clean:7[0-9])
          grep -q 'error\[[a-z-]*\]: ' err || complain "status $status without a coded error"
          ;;
        *) complain "ended with $status" ;;
      esac
      unharmed && settled
    done
  done
done

if [ "${VMX_UNSHARED:-}" = yes ]; then
  mkdir -p "$at" && rm -rf "${at:?}"/* && mkdir -p disk
  for room in 0 8 64; do
    again="a disk with $room KiB left"
    mount -t tmpfs -o "size=20m,mode=700" tmpfs disk || skip 'no tmpfs'
    tried=$((tried + 1))
    # The root's record contains its folder, so the disk is mounted at the same path.
    cp -a prepared/. disk/
    umount -l "$at" 2>/dev/null
    mkdir -p "$at" && mount --bind disk "$at"
    size=$(($(df -k --output=avail "$at" | tail -n 1) - room))
    head -c "${size}k" /dev/zero >"$at/filler" 2>/dev/null
    attempt '0 1 73 74 75' run_clean
    unharmed
    rm "$at/filler"
    settled
    umount "$at" && umount disk
  done
fi
finish
