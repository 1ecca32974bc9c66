#!/bin/bash
# Two fetches of one queue at the same time: each episode is fetched once, both exit with status 0,
# every file is correct. Then the same with one of them killed in the middle.
. "$(dirname "$0")/support/stage.sh"
count=12
for ((n = 1; n <= count; n++)); do film "n$n" $((20 * n)); done
# Slow enough that both find episodes to fetch.
start_origin --rule '/*.mp4 rate:400000'

fill() {
  rm -rf "$VMX_HOME"
  for ((n = 1; n <= count; n++)); do
    echo "{\"id\":\"film/n$n\",\"title\":\"N $n\",\"url\":\"$url/n$n.mp4\"}"
  done | vmx-add >/dev/null 2>"$place/err" || complain 'cannot add'
  : >origin.log
}
all_here() {
  for ((n = 1; n <= count; n++)); do is_here "film/n$n" "site/n$n.mp4"; done
  nothing_left
}

rounds=5
[ -z "$short" ] || rounds=1
for ((round = 0; round < rounds; round++)); do
  fill
  tried=$((tried + 1))
  again='two `vmx-fetch --due -j 2` at once'
  vmx-fetch --due -j 2 </dev/null >out1 2>err1 &
  first=$!
  vmx-fetch --due -j 2 </dev/null >out2 2>err2 &
  second=$!
  wait "$first" || { cp err1 err; complain "the first ended with $?"; }
  wait "$second" || { cp err2 err; complain "the second ended with $?"; }
  all_here
  twice=$(jq -r 'select(.method == "GET") | .path' origin.log | sort | uniq -d)
  [ -z "$twice" ] || complain "asked for twice: $twice"

  fill
  tried=$((tried + 1))
  again='two `vmx-fetch --due -j 2` at once, one killed'
  vmx-fetch --due -j 2 </dev/null >out1 2>err1 &
  first=$!
  vmx-fetch --due -j 2 </dev/null >out2 2>err2 &
  second=$!
  until [ "$(wc -l <origin.log)" -ge 3 ]; do sleep 0.02; done
  kill -KILL "$first"
  wait "$first" 2>/dev/null
  wait "$second" || { cp err2 err; complain "the survivor ended with $?"; }
  attempt 0 vmx-fetch --due
  all_here
done
finish
