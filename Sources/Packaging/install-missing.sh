#!/bin/sh
# Installs the missing ones of the given Debian packages, and prints one line about it.
# If Swift is missing, prints one line with its download address.
set -eu

swift=${SWIFT:-swift}
if ! command -v "$swift" >/dev/null 2>&1; then
  echo "vmx: '$swift' not found: get Swift 6 from https://www.swift.org/install/linux" >&2
  exit 1
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "vmx: this is no Debian system: the packages '$*' are taken to be there" >&2
  exit 0
fi

missing=
for package in "$@"; do
  case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
    installed*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "vmx: installing${missing} (apt-get${sudo:+ by sudo})"
if ! log=$(
  exec 2>&1
  $sudo apt-get update -q
  # shellcheck disable=SC2086 # a list of names
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
); then
  printf '%s\n' "$log" >&2
  echo "vmx: apt-get failed: install${missing} yourself, then try again" >&2
  exit 1
fi
