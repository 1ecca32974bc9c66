# shellcheck shell=bash
# Sourced by torture scripts after stage.sh: the system calls of a command that can be made to fail,
# and a disk whose power can be cut.
changing_calls='write|pwrite64|writev|ftruncate|fallocate|fsync|fdatasync|syncfs|sync_file_range'
changing_calls="$changing_calls|rename|renameat|renameat2|link|linkat|unlink|unlinkat|rmdir"
changing_calls="$changing_calls|mkdir|mkdirat"
reading_calls='openat|read|pread64|getdents64|newfstatat|statx|fstat'

needs_strace() {
  command -v strace >/dev/null || skip 'no strace'
  strace -o /dev/null true 2>/dev/null || skip 'strace may not trace here'
}

# calls_below CALLS FOLDERS COMMAND…: lines `NAME N`, where the Nth call of that name in its thread
# concerns a file below one of the folders (a regular expression).
calls_below() {
  local calls=$1 folders=$2
  shift 2
  strace -f -qq -y -o trace -e "trace=${calls//|/,}" "$@" >out 2>err </dev/null
  awk -v below="$folders" '
    match($2, /^[a-z0-9_]+\(/) {
      name = substr($2, 1, RLENGTH - 1)
      n = ++count[$1, name]
      if ($0 ~ below && !seen[name, n]++) print name, n
    }' trace | sort -k 1,1 -k 2,2n
}

# sample MOST: at most this many lines of the input, at a fixed distance.
sample() {
  awk -v most="$1" '{ line[NR] = $0 }
    END {
      if (most <= 0) exit
      step = NR > most ? NR / most : 1
      for (at = step / 2; at < NR; at += step) print line[int(at) + 1]
    }'
}

# A separate ext4 at $place/disk, whose journal can be shut down without a flush.
make_disk() { # MEBIBYTES: fails where that is not possible
  local program
  for program in mkfs.ext4 perl losetup; do
    command -v "$program" >/dev/null || return 1
  done
  mkdir -p disk
  truncate -s "$1M" image
  mkfs.ext4 -q -F image >out 2>err && mount -o loop image disk 2>err || return 1
  trap 'umount "$place/disk" 2>/dev/null; leave' EXIT
  cut_power && restore_power
}
# EXT4_IOC_SHUTDOWN without a flush of the log.
cut_power() {
  perl -e 'open(my $d, "<", $ARGV[0]) or exit 1; my $how = pack("L", 2);
    ioctl($d, 0x8004587d, $how) or exit 1' "$place/disk"
}
restore_power() { umount "$place/disk" && mount -o loop "$place/image" "$place/disk"; }
