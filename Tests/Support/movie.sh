#!/bin/sh
# Makes an MP4 with complete boxes and random bytes as samples: movie.sh FILE KIB.
set -eu
mkdir -p "$(dirname "$1")"
size=$(($2 * 1024 + 8))
{
  printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41\000\000\000\010moov'
  printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((size >> 24 & 255)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255)))mdat"
  head -c "$(($2 * 1024))" /dev/urandom
} >"$1"
