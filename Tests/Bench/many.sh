#!/bin/bash
# Two thousand small files, all durable and recorded, against curl and aria2c followed by sync: once
# as they are, and once with responses that begin 20 ms late. FILES reduces the number. Wall clock,
# minimum of three, the sides alternate; each starts with an empty library and an idle disk.
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/site.sh"
count=${FILES:-2000}
size=256
films many "$count" "${size}K"
near=$urls
late=$BENCH/urls-late
sed "s,$origin/,&late/," "$near" >"$late"

anew_with() { # LIST: a library that wants what the list names
  anew
  vmx-add -q - <"$1" >"$BENCH/out"
}
fetch_all() { vmx-fetch -q -j 16 --progress none </dev/null; }
curl_all() { # LIST
  (cd "$copies" && xargs -a "$1" curl -sf -Z --parallel-max 16 --remote-name-all) && sync -f "$copies"
}
aria2_all() { # LIST, FILES AT ONCE
  aria2c -q --no-conf -x 1 -s 1 -j "$2" -d "$copies" -i "$1" && sync -f "$copies"
}
prepare_vmx() { anew_with "$near"; }
prepare_vmx_late() { anew_with "$late"; }
for side in curl aria2 aria2_late; do eval "prepare_$side() { anew; }"; done
side_vmx() { fetch_all; }
side_curl() { curl_all "$near"; }
side_aria2() { aria2_all "$near" 8; }
side_vmx_late() { fetch_all; }
side_aria2_late() { aria2_all "$late" 16; }

race "${ROUNDS:-3}" curl aria2 vmx
all_ready "$count"
race "${ROUNDS:-3}" aria2_late vmx_late
all_ready "$count"
for name in vmx curl aria2 vmx_late aria2_late; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
what="vmx-fetch of $count files of $size KiB"
ratio "$what / curl -Z, sync" "${least_wall[vmx]}" "${least_wall[curl]}" most 1.6
ratio "$what / aria2c -j8, sync" "${least_wall[vmx]}" "${least_wall[aria2]}" most 0.7
ratio "$what, 20 ms late / aria2c -j16" "${least_wall[vmx_late]}" "${least_wall[aria2_late]}" most 1
ratio "$what, cpu / 1 ms a file" "${least_cpu[vmx]}" "$count" most 1

for side in vmx vmx_late; do
  "prepare_$side"
  peak_anonymous vmx-fetch -q -j 16 --progress none
  ratio "anonymous memory of ${side/vmx/$what} / 64 MiB" "$peak" 65536 most 1
done
