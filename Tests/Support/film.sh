#!/bin/sh
# Makes a file that looks like an MP4: film.sh FILE KIB. The bytes differ by file name.
set -eu
mkdir -p "$(dirname "$1")"
{
  # The last box has no length: it extends to the end of the file.
  printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41\000\000\000\010moov'
  printf '\000\000\000\000mdat%s' "$1"
  head -c "$(($2 * 1024))" /dev/urandom
} >"$1"
