# shellcheck shell=bash
# Sourced by the other scripts: measures both sides of a ratio alternately, in one run. Scratch
# space is $BENCH (default .build/bench): a real disk, since durability is measured too.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=${VMX_TREE:-$root/.build/dist}
BENCH=${BENCH:-$root/.build/bench}
mkdir -p "$BENCH"
export PATH="$tree/bin:$tree/libexec/vmx:/usr/local/bin:/usr/bin:/bin:/usr/sbin"
export HOME=$BENCH/home
mkdir -p "$HOME"
unset VMX_HOME VMX_EXEC_PATH XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME

# timed COMMAND…: sets wall and cpu, in milliseconds. Its output goes to $BENCH/out.
timed() {
  local TIMEFORMAT='%R %U %S' real user system
  { time "$@" >"$BENCH/out" 2>"$BENCH/err"; } 2>"$BENCH/time" || {
    echo "bench: failed: $*" >&2
    cat "$BENCH/err" >&2
    return 1
  }
  read -r real user system <"$BENCH/time"
  wall=$((10#${real/./}))
  cpu=$((10#${user/./} + 10#${system/./}))
}

# race ROUNDS NAME…: runs the functions or commands side_NAME alternately; sets least_wall[NAME] and
# least_cpu[NAME]. The function prepare_NAME, if it exists, runs before each, unmeasured.
declare -A least_wall least_cpu
race() {
  local rounds=$1 round name
  shift
  for name; do unset "least_wall[$name]" "least_cpu[$name]"; done
  for ((round = 0; round < rounds; round++)); do
    for name; do
      if declare -F "prepare_$name" >/dev/null; then "prepare_$name"; fi
      timed "side_$name"
      if [ -z "${least_wall[$name]:-}" ] || [ "$wall" -lt "${least_wall[$name]}" ]; then
        least_wall[$name]=$wall
      fi
      if [ -z "${least_cpu[$name]:-}" ] || [ "$cpu" -lt "${least_cpu[$name]}" ]; then
        least_cpu[$name]=$cpu
      fi
    done
  done
}

# Whether the processor has SHA-256 instructions, on which some budgets depend.
sha_instructions() { grep -qE '^(flags|Features)\b.*\b(sha_ni|sha2)\b' /proc/cpuinfo; }

# Whether sha256sum uses them: it does so only with libcrypto, with which some distributions build
# it.
sha256sum_is_fast() { sha_instructions && ldd "$(command -v sha256sum)" | grep libcrypto >"$BENCH/out"; }

# ratio WHAT VALUE VALUE most|least BUDGET: prints the line, records whether the budget was kept.
# ratio WHAT VALUE VALUE unjudged REASON: only prints the line.
ratio() {
  awk -v what="$1" -v a="$2" -v b="$3" -v kind="$4" -v budget="$5" 'BEGIN {
    r = b ? a / b : 0
    if (kind == "unjudged") {
      printf "ratio %-58s %7.2f (not judged: %s)\n", what, r, budget
      exit 0
    }
    kept = kind == "most" ? r <= budget : r >= budget
    printf "ratio %-58s %7.2f (budget %s %s)%s\n", what, r, kind == "most" ? "<=" : ">=", budget,
      kept ? "" : "  OVER"
    exit !kept
  }' || echo "$1" >>"$BENCH/over"
}

# peak_anonymous PROGRAM…: sets peak to the highest observed RssAnon of the program, in KiB. The
# argument must not be a function: the measured process would be a shell.
peak_anonymous() {
  local id line
  peak=0
  "$@" >"$BENCH/out" 2>"$BENCH/err" </dev/null &
  id=$!
  while kill -0 "$id" 2>/dev/null; do
    while read -r line; do
      case $line in
        RssAnon:*)
          line=${line#RssAnon:}
          line=${line% kB}
          [ "$((line))" -le "$peak" ] || peak=$((line))
          break
          ;;
      esac
    done 2>/dev/null <"/proc/$id/status" || true
    read -rt 0.01 <> <(:) || true
  done
  wait "$id"
}
