#!/bin/bash
# A full disk, at every size. Adding, fetching, exporting, importing, repairing and migrating report
# it with the documented status, lose nothing that they acknowledged, and continue once there is
# room. Real ENOSPC on a small tmpfs.
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

# The store alone reserves 1 MiB, so only larger sizes reach the other steps.
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
      # A file with a final name must be complete.
      while read -r file; do
        cmp -s "$file" site/one.mp4 || cmp -s "$file" site/two.mp4 || complain "a torn '$file'"
      done < <(find "$VMX_HOME" -name '*.mp4')
    fi

    # Space can be freed on a full disk too: with the reserve of the store, and without the trash.
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

# The same for bundles: a second library whose films are exported and imported.
small=$VMX_HOME
export VMX_HOME=$place/large
for id in one two; do attempt 0 vmx-add --id "film/$id" --show Film --title "$id" "$url/$id.mp4"; done
attempt 0 vmx-fetch --due
for type in tar tar.zst zip 7z; do attempt 0 vmx-export -q --all -o "all.$type"; done

# told WHAT STATUSES COMMAND…: like attempt; sets $status, and requires a message if it is not 0.
told() {
  local what=$1 allowed=$2
  shift 2
  "$@" >out 2>err </dev/null
  status=$?
  case " $allowed " in
    *" $status "*) ;;
    *) complain "$what ended with $status, not with one of: $allowed" ;;
  esac
  [ "$status" = 0 ] || grep -q 'error\[[a-z-]*\]: ' err ||
    complain "$what ended with $status without a coded error"
}
# intact_films: ready films have their bytes, and no other film has a final name.
intact_films() {
  local file id
  store_reads
  for id in one two; do
    [ "$(state_of "film/$id")" != ready ] || is_here "film/$id" "site/$id.mp4"
  done
  while read -r file; do
    cmp -s "$file" site/one.mp4 || cmp -s "$file" site/two.mp4 || complain "a torn '$file'"
  done < <(find "$VMX_HOME" -name .vmx -prune -o -name '*.mp4' -print)
}
full() { mount -t tmpfs -o "size=$1k,nr_inodes=$2,mode=700" tmpfs disk; }
roomy() { mount -o remount,size=40m,nr_inodes=5000 disk; }

sizes=(16 48 100 300 700 760 800 900 1100 1500 1600)
[ -z "$short" ] || sizes=(100 760)
for size in "${sizes[@]}"; do
  for inodes in 1000 4; do
    export VMX_HOME=$place/large
    for type in tar tar.zst zip 7z; do
      tried=$((tried + 1))
      again="an export as $type to a tmpfs of $size KiB and $inodes inodes"
      full "$size" "$inodes"
      told export '0 73 74 75' vmx-export -q --all -o "disk/b.$type"
      left=$(ls -A disk)
      [ "$status" != 0 ] || cmp -s "disk/b.$type" "all.$type" || complain 'a half bundle'
      [ "$status" = 0 ] || [ -z "$left" ] || complain "left behind: $left"
      roomy
      attempt 0 vmx-export -q --all --force -o "disk/b.$type"
      cmp -s "disk/b.$type" "all.$type" || complain 'another bundle than elsewhere'
      umount disk
    done

    # The update of an exported folder: first with one film, then with both.
    tried=$((tried + 1))
    again="the update of a folder on a tmpfs of $size KiB and $inodes inodes"
    full "$size" "$inodes"
    told export '0 1 73 74 75' vmx-export -q film/one -o disk/bag
    told export '0 1 73 74 75' vmx-export -q --all -o disk/bag
    if [ "$status" = 0 ]; then attempt 0 vmx-import -q --verify disk/bag; fi
    while read -r file; do
      cmp -s "$file" site/one.mp4 || cmp -s "$file" site/two.mp4 || complain "a torn '$file'"
    done < <(find disk -name '*.mp4')
    roomy
    attempt 0 vmx-export -q --all -o disk/bag
    attempt 0 vmx-import -q --verify disk/bag
    left=$(find disk -name '.vmx-*')
    [ -z "$left" ] || complain "left behind: $left"
    umount disk
  done
done

# Importing: the store needs 1 MiB more.
sizes=(64 600 1100 1200 1500 1800 1900 2000 2300)
[ -z "$short" ] || sizes=(1500 1900)
for size in "${sizes[@]}"; do
  for inodes in 1000 14; do
    tried=$((tried + 1))
    again="an import on a tmpfs of $size KiB and $inodes inodes"
    full "$size" "$inodes"
    export VMX_HOME=$small
    told import '0 1 73 74 75' vmx-import -q all.tar
    [ ! -e "$VMX_HOME/store.jsonl" ] || intact_films
    left=$(find "$VMX_HOME" -path '*/.vmx/partial/*' -type f 2>/dev/null)
    [ -z "$left" ] || complain "left behind: $left"
    roomy
    attempt 0 vmx-import -q all.tar
    for id in one two; do is_here "film/$id" "site/$id.mp4"; done
    nothing_left

    # A repair: the film is damaged, and SIZE determines the remaining space of the disk.
    again="a repair on a tmpfs with $((size - 1000)) KiB left and $inodes inodes"
    printf NOT | dd of="$(vmx-path film/two </dev/null)" bs=1 seek=9000 conv=notrunc status=none
    vmx-verify -q --json film/two >rows 2>err </dev/null
    left=$(($(stat -f -c '(%b - %f) * %S / 1024' disk)))
    mount -o "remount,size=$((left + (size > 1000 ? size - 1000 : 4)))k" disk
    told 'import --repair' '0 1 73 74 75' sh -c 'exec vmx-import -q --repair all.tar <rows'
    [ "$status" != 0 ] || is_here film/two site/two.mp4
    is_here film/one site/one.mp4
    roomy
    attempt 0 sh -c 'exec vmx-import -q --repair all.tar <rows'
    is_here film/two site/two.mp4
    nothing_left
    umount disk

    # A migration that moves files: each film is complete at its source or in the library.
    again="a migration to a tmpfs of $size KiB and $inodes inodes"
    full "$size" "$inodes"
    rm -rf old
    mkdir -p old/Film
    for id in one two; do cp "site/$id.mp4" "old/Film/Film - $id.mp4"; done
    told migrate '0 1 73 74 75' vmx-migrate -q --move old
    for id in one two; do
      find old disk -name '*.mp4' -exec cmp -s "site/$id.mp4" {} \; -print | grep -q . ||
        complain "'$id' is lost"
    done
    [ "$status" != 0 ] || [ -z "$(find old -type f)" ] || complain 'a source was left in silence'
    roomy
    attempt 0 vmx-migrate -q --move old
    [ -z "$(find old -type f)" ] || complain 'a source was left'
    nothing_left
    umount disk
  done
done
finish
