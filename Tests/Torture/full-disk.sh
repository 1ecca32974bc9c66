#!/bin/bash
# A disk that is full, at every size: adding and fetching say so with the documented status, lose
# nothing that they acknowledged, and go on once there is room. True ENOSPC on a small tmpfs.
if [ "${VMX_UNSHARED:-}" != yes ]; then
  if unshare -m true 2>/dev/null; then
    VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
  fi
  echo 'torture: full-disk: skipped: no mount namespace without root'
  exit 0
fi
. "$(dirname "$0")/support/stage.sh"

film one 40
film two 700
start_origin
mkdir disk
export VMX_HOME=$place/disk/vmx

# The store alone keeps 1 MiB of reserve, so it begins to be interesting above that.
sizes=(64 256 900 1024 1100 1150 1200 1300 1500 1700 1800 1900 2000 2200)
[ -z "$short" ] || sizes=(256 1150 1800)
for size in "${sizes[@]}"; do
  for inodes in 1000 12; do
    mount -t tmpfs -o "size=${size}k,nr_inodes=$inodes,mode=700" tmpfs disk || skip 'no tmpfs'
    tried=$((tried + 1))
    again="a tmpfs of $size KiB and $inodes inodes"
    added=
    for id in one two; do
      if vmx-add --id "film/$id" "$url/$id.mp4" </dev/null >out 2>err; then
        added="$added $id"
      else
        status=$?
        case $status in
          73 | 74 | 75) [ -s err ] || complain "add ended with $status without a word" ;;
          *) complain "add ended with $status" ;;
        esac
      fi
    done
    if [ -e "$VMX_HOME/store.jsonl" ]; then store_reads; fi
    for id in $added; do
      [ -n "$(state_of "film/$id")" ] || complain "film/$id was acknowledged, then lost"
    done
    if [ -n "$added" ]; then
      attempt '0 1 73 74 75' vmx-fetch --due --json
      while read -r id; do
        [ -z "$id" ] || is_here "$id" "site/${id#film/}.mp4"
      done < <(jq -rR 'fromjson? | select(.outcome == "done") | .id' out)
      store_reads
      # What is half here under a final name would be a lie.
      while read -r file; do
        cmp -s "$file" site/one.mp4 || cmp -s "$file" site/two.mp4 || complain "a torn '$file'"
      done < <(find "$VMX_HOME" -name '*.mp4')
    fi

    # Room is made on a full disk too: by the reserve of the store, and without the trash.
    if [ "$(state_of film/one)" = ready ]; then
      : 2>/dev/null >disk/filler
      dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null
      attempt '0 74 75' vmx-rm film/one
      attempt 0 vmx-rm --permanent --yes film/one
      [ "$(state_of film/one)" = removed ] || complain 'a full disk cannot be given room'
      rm -f disk/filler
      attempt 0 vmx-queue add film/one
    fi

    mount -o remount,size=20m,nr_inodes=5000 disk
    for id in one two; do attempt 0 vmx-add --id "film/$id" "$url/$id.mp4"; done
    attempt 0 vmx-fetch film/one film/two
    is_here film/one site/one.mp4
    is_here film/two site/two.mp4
    nothing_left
    umount disk
  done
done
finish
