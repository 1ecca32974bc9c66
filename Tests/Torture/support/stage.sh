# shellcheck shell=bash
# Sourced by the torture scripts: a scratch folder, an origin, and the checks for the state after
# any fault. `--short` makes a script quick enough for every check; VMX_TEST_TOOLS names other tools
# to test.
set -uo pipefail
export LC_ALL=C
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
built=$source_root/.build/debug
tools=${VMX_TEST_TOOLS:-$built}
name=$(basename "$0" .sh)
short=
[ "${1:-}" != --short ] || short=yes

place=$(mktemp -d "${TMPDIR:-/tmp}/vmx-$name-XXXXXX")
# The original values, for building.
home=$HOME
swift=$(command -v "${SWIFT:-swift}")
export PATH="$tools:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
export HOME=$place/home VMX_HOME=$place/vmx TMPDIR=$place SWIFT_BACKTRACE=enable=no
unset VMX_EXEC_PATH XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
ulimit -c 0
mkdir "$HOME"
cd "$place" || exit
suite=${suite:-torture}
failures=0
tried=0
origin=
provider=

leave() {
  [ -z "$origin$provider" ] || kill ${origin:+"$origin"} ${provider:+"$provider"} 2>/dev/null
  rm -rf "$place"
}
trap leave EXIT
trap 'exit 143' TERM INT HUP

skip() {
  echo "$suite: $name: skipped: $*"
  [ -z "${VMX_TEST_SKIPPED:-}" ] || echo "$suite: $name: $*" >>"$VMX_TEST_SKIPPED"
  exit 0
}

# start_origin OPTIONS…: serves $place/site; sets $url.
start_origin() {
  "$built/loopback-origin" --root "$place/site" --log "$place/origin.log" --port-file \
    "$place/port" --life 3600 "$@" >/dev/null &
  origin=$!
  until [ -s "$place/port" ]; do
    kill -0 "$origin" || exit 1
    sleep 0.02
  done
  url=http://127.0.0.1:$(cat "$place/port")
}

# film NAME KIB: a file that looks like an MP4, with different bytes for each name.
film() { sh "$source_root/Tests/Support/film.sh" "$place/site/$1.mp4" "$2"; }

digest() { sha256sum <"$1" | cut -d ' ' -f 1; }

# complain WHAT: counts a failure and prints how to reproduce it ($again).
complain() {
  failures=$((failures + 1))
  echo "$suite: $name: $*"
  [ -z "${again:-}" ] || echo "  again: $again"
  for stream in out err; do
    [ ! -s "$place/$stream" ] || sed "s/^/  std$stream: /" "$place/$stream" | head -n 12 | cut -c 1-300
  done
  if [ -n "${KEEP:-}" ]; then
    mkdir -p "$KEEP"
    cp -a "$VMX_HOME" "$KEEP/$name-$failures"
  fi
}

# attempt STATUSES COMMAND…: runs the command; reports a failure unless its status is one of these.
attempt() {
  local allowed=$1
  shift
  "$@" >"$place/out" 2>"$place/err" </dev/null
  local status=$?
  case " $allowed " in
    *" $status "*) return 0 ;;
  esac
  complain "'$*' ended with $status, not with one of: $allowed"
  return 1
}

# store_reads: the store can be read, and every line that list prints is JSON.
#
# A warning about a store that is damaged until its repair (scene mend) is accepted.
store_reads() {
  attempt 0 vmx-list --all --json || return 1
  if [ "${scene:-}" != mend ] && [ -s "$place/err" ]; then
    complain 'list has something to say about the store'
    return 1
  fi
  jq -e . "$place/out" >/dev/null 2>&1 || [ ! -s "$place/out" ] || {
    complain 'list prints what is no JSON'
    return 1
  }
}

# state_of ID, want_of ID, media_of ID: from the store.
state_of() { vmx-list --json "$1" </dev/null 2>/dev/null | jq -r 'select(.row == null).state'; }

# is_here ID FILE: the episode is ready, and its video has the bytes of the file.
is_here() {
  local state path
  state=$(state_of "$1")
  if [ "$state" != ready ]; then
    complain "'$1' is ${state:-not there}, not ready"
    return 1
  fi
  path=$(vmx-path "$1" </dev/null 2>"$place/err")
  if ! cmp -s "$path" "$2"; then
    complain "'$1' is ready, but '$path' has other bytes than $2"
    return 1
  fi
}

# nothing_left: no partial download, no second copy under another name. (The temporary file of an
# atomic replacement may remain: it is small, and no other file has its name.)
nothing_left() {
  local left
  left=$(find "$VMX_HOME" -path '*/.vmx/partial/*' -type f ! -name '.vmx-*.tmp' -o -name '* (2)*' | head -n 5)
  [ -z "$left" ] || complain "left behind: $left"
}

# is_well: vmx doctor, if it exists, finds no problem.
is_well() {
  command -v vmx-doctor >/dev/null || return 0
  attempt 0 vmx-doctor
}

finish() {
  if [ "$failures" = 0 ]; then
    echo "$suite: $name: $tried mishaps, all mended"
    exit 0
  fi
  echo "$suite: $name: $tried mishaps, $failures not mended"
  exit 1
}
