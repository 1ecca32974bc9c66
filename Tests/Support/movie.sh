#!/bin/sh
# Makes an MP4 with complete boxes and random bytes as samples: movie.sh FILE KIB [COMMENT]. The
# comment is a tag, as yt-dlp writes it with the URL of the page.
set -eu
mkdir -p "$(dirname "$1")"
size=$(($2 * 1024 + 8))
number() {
  printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"
}
tag() {
  length=$(printf %s "$1" | wc -c)
  number $((length + 60)) && printf moov
  number $((length + 52)) && printf udta
  number $((length + 44)) && printf 'meta\000\000\000\000'
  number $((length + 32)) && printf ilst
  number $((length + 24)) && printf '\251cmt'
  number $((length + 16)) && printf 'data\000\000\000\001\000\000\000\000%s' "$1"
}
{
  printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41'
  if [ $# -gt 2 ]; then tag "$3"; else printf '\000\000\000\010moov'; fi
  number $size
  printf mdat
  head -c "$(($2 * 1024))" /dev/urandom
} >"$1"
