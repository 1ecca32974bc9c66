#!/bin/bash
# Forty films of 25 MiB from a server that gives each connection 5 MiB/s, against aria2c with the
# same number of connections, followed by sync. The server determines the time, so two rounds
# suffice.
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/site.sh"
# The limit for one host over all processes of a library (fetch.per-host).
connections=16
films forty 40 25M
slow=$BENCH/urls-slow
sed "s,$origin/,&slow/," "$urls" >"$slow"

prepare_vmx() {
  anew
  vmx-add -q - <"$slow" >"$BENCH/out"
}
prepare_aria2() { anew; }
side_vmx() { vmx-fetch -q -j "$connections" --progress none </dev/null; }
side_aria2() {
  aria2c -q --no-conf -x 1 -s 1 -j "$connections" -d "$copies" -i "$slow" && sync -f "$copies"
}

race "${ROUNDS:-2}" aria2 vmx
all_ready 40
for name in vmx aria2; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
what='vmx-fetch of 40 films of 25 MiB at 5 MiB/s'
ratio "$what / aria2c" "${least_wall[vmx]}" "${least_wall[aria2]}" most 1
prepare_vmx
peak_anonymous vmx-fetch -q -j "$connections" --progress none
ratio "anonymous memory of $what / 64 MiB" "$peak" 65536 most 1
