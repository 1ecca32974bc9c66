#!/bin/bash
# Passes bundles to vmx import that no tool writes: bytes flipped, zeroed, repeated, cut and swapped
# in each format, and tag files with hostile lines. Each run must end within ten seconds with a
# documented status, not by a signal or with internal-error. A refused bundle must leave no file and
# no episode, and imported files must be intact. TIME=SECONDS is the duration (60), SEED=N chooses
# the changes; `--short` tries a few of each.
suite=fuzz
. "$(dirname "$0")/../Torture/support/stage.sh"
seconds=${TIME:-60}
RANDOM=${SEED:-1}
ulimit -v 8000000

mkdir bundles outside site
echo untouched >outside/file
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/words.srt
for n in 1 2 3; do film "n$n" $((20 * n)); done
start_origin

# Three episodes, one with a subtitle; the same library with a damaged film, and the output of
# verify.
make_bundles() {
  local type
  vmx-add -q --show T --season 1 --number 1 --title One --subtitle "en=$url/words.srt" \
    "$url/n1.mp4" </dev/null &&
    vmx-add -q --id t/two --title Two "$url/n2.mp4" </dev/null &&
    vmx-add -q --show Big --date 2026-05-20 --title Day "$url/n3.mp4" </dev/null &&
    vmx-fetch -q --due </dev/null || return
  for type in tar tar.zst zip 7z; do
    vmx-export -q --all -o "bundles/b.$type" </dev/null || return
  done
  vmx-export -q --all -o bag </dev/null || return
  printf NOT | dd of="$(vmx-path t/two </dev/null)" bs=1 seek=9000 conv=notrunc status=none
  vmx-verify -q --json t/two </dev/null >rows
  grep -q damaged rows
}
make_bundles >out 2>err || {
  complain 'cannot even prepare the bundles'
  finish
}
mv "$VMX_HOME" damaged
kill "$origin"
wait "$origin" 2>/dev/null
origin=

# judge COMMAND…: runs the command with $input, and sets $status.
judge() {
  # The shell's message about a crash goes to the same file as its other messages.
  { timeout -s KILL 10 "$@" >out 2>err <"$input"; } 2>/dev/null
  status=$?
  tried=$((tried + 1))
  case $status in
    0 | 1 | 6[569] | 7[34567]) ;;
    64) grep -q 'error\[needs-file\]' err || complain "'$*' ended with 64" ;;
    137) complain "'$*' did not end within ten seconds" ;;
    *) complain "'$*' ended with $status" ;;
  esac
  ! grep -q 'internal-error' err || complain "'$*' told of an internal error"
  [ "$status" = 0 ] || grep -qE 'error\[[a-z-]*\]: ' err ||
    complain "'$*' ended with $status without a coded error"
}

# stays_clean: no copy remains beside the library, and no file was created outside of it.
stays_clean() {
  local left
  left=$(find "$VMX_HOME" -path '*/.vmx/partial/*' -type f 2>/dev/null)
  [ -z "$left" ] || complain "left behind: $left"
  left=$(find . -path "./${VMX_HOME##*/}/library" -prune -o -path ./site -prune -o -path ./bag \
    -prune -o -path ./damaged -prune -o -path ./hostile -prune -o \
    \( -name '*.mp4' -o -name '*.srt' -o -name '*.nfo' \) -print)
  [ -z "$left" ] || complain "outside of the library: $left"
  [ "$(cat outside/file 2>/dev/null)" = untouched ] || {
    complain 'a file outside of the home was touched'
    echo untouched >outside/file
  }
}

# nothing_taken: neither an episode nor a file of one was imported.
nothing_taken() {
  local left
  left=$(find "$VMX_HOME" -type f \( -name '*.mp4' -o -name '*.srt' -o -name '*.nfo' \) 2>/dev/null)
  [ -z "$left" ] || complain "refused, and yet there is: $left"
  [ ! -e "$VMX_HOME/store.jsonl" ] || [ -z "$(vmx-list -q --all --fields id </dev/null 2>&1)" ] ||
    complain 'refused, and yet there are episodes'
}

# what_is_taken_is_intact: imported files match the records in the bundle.
what_is_taken_is_intact() {
  local film
  [ -e "$VMX_HOME/store.jsonl" ] || return
  vmx-verify -q --all </dev/null >out 2>err || complain 'taken, and not intact'
  while read -r film; do
    cmp -s "$film" site/n1.mp4 || cmp -s "$film" site/n2.mp4 || cmp -s "$film" site/n3.mp4 ||
      complain "taken with other bytes: '$film'"
  done < <(find "$VMX_HOME/library" -name .vmx -prune -o -name '*.mp4' -print 2>/dev/null)
}

# try_bundle FILE: reads the bundle in each of the supported ways.
try_bundle() {
  input=/dev/null
  rm -rf "$VMX_HOME"
  judge vmx-import -q "$1"
  stays_clean
  [ "$status" = 0 ] || [ "$status" = 1 ] || nothing_taken
  what_is_taken_is_intact
  rm -rf "$VMX_HOME"
  judge vmx-import -q --intact "$1"
  stays_clean
  what_is_taken_is_intact
  rm -rf "$VMX_HOME"
  judge vmx-import -q --list "$1"
  judge vmx-import -q --verify "$1"
  nothing_taken
  if [ -f "$1" ]; then
    input=$1
    judge sh -c 'cat | vmx-import -q -'
    stays_clean
    [ "$status" = 0 ] || [ "$status" = 1 ] || nothing_taken
  fi
  rm -rf "$VMX_HOME"
  cp -a damaged "$VMX_HOME"
  input=rows
  judge vmx-import -q --repair "$1"
  stays_clean
  [ "$status" != 0 ] || cmp -s "$(vmx-path t/two </dev/null)" site/n2.mp4 ||
    complain 'mended, and yet not the film'
}

# spot: a random offset in the file of $size bytes; mostly in headers and tag files.
spot() {
  local any=$((RANDOM * 32768 + RANDOM))
  case $((RANDOM % 3)) in
    0) at=$((any % size)) ;;
    1) at=$((any % (size < 12000 ? size : 12000))) ;;
    *) at=$((size - 1 - any % (size < 2000 ? size : 2000))) ;;
  esac
}
put() { dd of=changed bs=1 seek="$at" conv=notrunc status=none; }

# change FILE: makes one to four changes to its bytes, in `changed`; $how describes them.
change() {
  local times=$((RANDOM % 4 + 1)) from byte
  cp "$1" changed
  how=
  while [ "$times" -gt 0 ]; do
    times=$((times - 1))
    size=$(stat -c %s changed)
    [ "$size" -gt 16 ] || return
    spot
    case $((RANDOM % 7)) in
      0 | 1)
        byte=$(od -An -tu1 -j "$at" -N 1 changed)
        printf "\\x$(printf %x $((byte ^ 1 << RANDOM % 8)))" | put
        how="$how bit@$at"
        ;;
      2) printf '\377\377\377\377' | put && how="$how ones@$at" ;;
      3) head -c $((RANDOM % 600 + 1)) /dev/zero | put && how="$how zeros@$at" ;;
      4) truncate -s "$at" changed && how="$how cut@$at" ;;
      5)
        from=$at
        spot
        dd if="$1" bs=1 skip="$from" count=$((RANDOM % 600)) status=none | put
        how="$how copy@$from-$at"
        ;;
      *)
        # Removes a piece, so that the following bytes move.
        { head -c "$at" changed && tail -c +$((at + RANDOM % 600)) changed; } >less
        mv less changed
        how="$how less@$at"
        ;;
    esac
  done
}

# Lines that no manifest should contain, with @ in place of a digest.
hostile_lines() {
  printf '%s\n' '@  ../outside/file' '@  /etc/passwd' "@  $place/outside/file" \
    '@  data/../../outside/file' '@  data/%2e%2e/x' '@  data/./x' '@  data//x' '@  data/' '@  data' \
    '@  ' '@' '' ' ' '@  data/none.mp4' '@ data/one-space' '@ *data/star' 'zz  data/x' '00  data/x' \
    '@@  data/x' '@  manifest-sha256.txt' '@  bagit.txt' '@  vmx-records.jsonl' '@  tagmanifest-sha256.txt' \
    '@  C:\x' '@  data\x' $'@  data/a\tb' $'@  data/a\rb' $'@  data/\xff\xfe' $'\xef\xbb\xbf@  data/x' \
    '@  data/%0A' '@  data/%25' '@  data/%zz' '@  ~/x' '@  data/~root' '{"kind":"episode"}' \
    '{"kind":"root","id":"x","path":"/"}' '{"kind":"episode","id":"../../x/y","title":"x"}' \
    'http://127.0.0.1:9/x 5 data/x' 'file:///etc/passwd - data/x' 'http://a/ 99999999999999999999 data/y' \
    'Payload-Oxum: 1.1' 'Payload-Oxum: 99999999999999999999.-1' 'BagIt-Version: 99.99' \
    'Tag-File-Character-Encoding: UTF-16' ' continued'
}

# try_line NAME LINE PLACE: adds a line to a tag file and updates the manifest of that file.
try_line() {
  local name=$1 line=${2//@/$(printf '%064d' 0)}
  rm -rf hostile hostile.*
  cp -a bag hostile
  [ "$3" != only ] || : >"hostile/$name"
  [ "$3" != first ] || printf '%s\n' "$line" >"hostile/$name"
  [ "$3" != first ] || cat "bag/$name" >>"hostile/$name" 2>/dev/null
  [ "$3" = first ] || printf '%s\n' "$line" >>"hostile/$name"
  (cd hostile && find . -maxdepth 1 -type f ! -name 'tagmanifest-*' -printf '%P\0' |
    xargs -0 sha256sum >../tags && mv ../tags tagmanifest-sha256.txt)
  again="a bag whose $name has ($3): $line"
  try_bundle hostile
  tar cf hostile.tar hostile
  try_bundle hostile.tar
}

mapfile -t lines < <(hostile_lines)
places=(first last only)
names=(manifest-sha256.txt bagit.txt bag-info.txt vmx-records.jsonl fetch.txt tagmanifest-md5.txt
  manifest-sha512.txt)
end=$((SECONDS + seconds))
n=0
while :; do
  n=$((n + 1))
  if [ -n "$short" ]; then
    [ "$n" -le 8 ] || break
  else
    [ "$SECONDS" -lt "$end" ] || break
  fi
  if [ $((n % 4)) = 0 ]; then
    try_line "${names[RANDOM % ${#names[@]}]}" "${lines[RANDOM % ${#lines[@]}]}" \
      "${places[RANDOM % 3]}"
  else
    types=(tar tar.zst zip 7z)
    type=${types[RANDOM % 4]}
    change "bundles/b.$type"
    again="a bundle of type $type with$how"
    try_bundle changed
  fi
done
finish
