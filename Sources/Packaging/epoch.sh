#!/bin/sh
# Prints the time of all files of a package, in seconds since 1970: SOURCE_DATE_EPOCH, else that of the
# commit.
set -eu
cd "$(dirname "$0")/../.."
[ -n "${SOURCE_DATE_EPOCH:-}" ] || SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) ||
  { echo "epoch.sh: no git: set SOURCE_DATE_EPOCH" >&2 && exit 1; }
echo "$SOURCE_DATE_EPOCH"
