#!/bin/bash
# kill -9 at the system calls of each command that reports to a backend. After the next run, every
# event has been reported, and each call to a provider has had its effect exactly once. Every order
# has been executed, and no file remains that had to be removed.
#
# The kills are spread over the calls of a first run; POINTS=N sets their number for each scene.
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/faults.sh"
needs_strace
points=${POINTS:-40}
[ -z "$short" ] || points=2
changing="$changing_calls|sendto|recvfrom|connect|openat|fcntl|poll|epoll_wait|close"

mkdir -p site
film one 40
film two 41
backend=
end_backend() {
  [ -z "$backend" ] || kill "$backend" 2>/dev/null
  backend=
}
trap 'end_backend; leave' EXIT
begin_backend() {
  end_backend
  rm -f backend.port
  "$built/licence-backend" --port-file "$place/backend.port" --life 600 >/dev/null 2>&1 &
  backend=$!
  disown
  until [ -s backend.port ]; do
    kill -0 "$backend" || exit 1
    sleep 0.01
  done
  peer=http://127.0.0.1:$(cat backend.port)
}
ask() { curl -fs "$peer/control/$1"; }
effects() { ask 'effects?id=a' | jq -c ".$1 // 0"; }

# A library with a licensed film, and one with eight events to report.
licensed() {
  ask 'issue?id=a&end=%2B3600&limit=%2B864000' >/dev/null && curl -fs "$peer/licenses/a" >a.lcpl &&
    vmx-add -q --licence a.lcpl --id film/a --show Film --title A site/one.mp4 </dev/null &&
    vmx-licence refresh -q film/a </dev/null
}
eventful() {
  export VMX_REPORT_URL=$peer/events
  vmx-add -q --id film/a --show Film --title A site/one.mp4 </dev/null &&
    vmx-add -q --id film/b --show Film --title B site/two.mp4 </dev/null &&
    vmx-mark watched -q film/a film/b </dev/null
}
prepare_register() { licensed; }
prepare_renew() { licensed; }
prepare_return() { licensed && vmx-licence register -q film/a </dev/null; }
prepare_report() { eventful; }
prepare_order() { eventful && ask 'order?do=remove&id=film/a' >/dev/null; }
export VMX_REPORT_ORDERS=remove
run_register() { vmx-licence register --json film/a </dev/null; }
run_renew() { vmx-licence renew --json film/a </dev/null; }
run_return() { vmx-licence return --yes --json film/a </dev/null; }
run_report() { vmx-report --json </dev/null; }
run_order() { vmx-report --json </dev/null; }
export -f run_register run_renew run_return run_report run_order

fresh() {
  rm -rf "$VMX_HOME"
  unset VMX_REPORT_URL
  begin_backend
  "prepare_$1" >out 2>err || {
    complain "cannot prepare '$1'"
    finish
  }
}

acknowledged() { grep -q '"outcome":"done"' said; }
check_register() {
  attempt 0 run_register || return
  [ "$(effects registered)" = 1 ] || complain "registered $(effects registered) times"
}
check_renew() {
  attempt 0 vmx-licence refresh film/a || return
  local count
  count=$(effects renew)
  [ "$count" -le 1 ] || complain "renewed $count times"
  ! acknowledged || [ "$count" = 1 ] || complain 'a renewal was told, and never made'
  attempt 0 vmx-licence refresh film/a || return
  [ "$(effects renew)" = "$count" ] || complain 'a renewal was made once more'
}
check_return() {
  attempt 0 vmx-licence refresh film/a || return
  if [ "$(effects return)" = 1 ] && [ -n "$(find "$VMX_HOME/library" -name '*.mp4')" ]; then
    attempt 0 vmx-clean || return
    [ -z "$(find "$VMX_HOME/library" -name '*.mp4')" ] || complain 'given back, and still kept'
  fi
  attempt '0 69' run_return || return
  [ "$(effects return)" = 1 ] || complain "given back $(effects return) times"
  [ -z "$(find "$VMX_HOME" -name '*.mp4')" ] || complain 'given back, and still kept'
}
check_report() {
  attempt 0 run_report || return
  local told
  told=$(ask events | tail -n 1)
  [ "$(jq -c '[.events, .repeated <= 8]' <<<"$told")" = '[8,true]' ] || complain "told: $told"
  attempt 0 run_report || return
  [ ! -s out ] || complain 'what was told is told again'
}
check_order() {
  attempt 0 run_order || return
  [ "$(state_of film/a)" = removed ] || complain "what was ordered is $(state_of film/a)"
  [ "$(state_of film/b)" = ready ] || complain "what was not ordered is $(state_of film/b)"
  attempt 0 vmx-undo || return
  is_here film/a site/one.mp4
}

calls() {
  fresh "$scene"
  strace -f -qq -o trace -e "trace=${changing//|/,}" bash -c "$1" >/dev/null 2>&1
  awk 'match($2, /^[a-z0-9_]+\(/) {
      name = substr($2, 1, RLENGTH - 1)
      n = ++count[$1, name]
      if (!seen[name, n]++) print name, n
    }' trace | sample "$points" >places
}

for scene in register renew return report order; do
  calls "run_$scene"
  while read -r call when <&3; do
    fresh "$scene"
    tried=$((tried + 1))
    again="kill -9 at $call number $when of $scene"
    { strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$when" \
      bash -c "run_$scene" >said; } 2>/dev/null
    store_reads && "check_$scene"
  done 3<places
done
finish
