#!/bin/sh
# A month of a library for stories, night by night, with the clock of that night (libfaketime).
#   month.sh night N [CLOCK]   publishes film N of the feed, and runs the tools of the night at 4:00
#                              of day N, or with the clock at CLOCK, a time in seconds
#   month.sh at N COMMAND…     runs a command at noon of day N
# The server always has the right time. A disk may be away (status 75).
set -eu
export TZ=UTC NO_FAKE_STAT=1
fake=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1)
tools=$(dirname "$(command -v vmx)")
start=$(date -u -d 2026-12-01 +%s)

moment() { date -u -d "@$1" '+@%F %T'; }
with_clock() { # SECONDS COMMAND…
  at=$(moment "$1")
  shift
  LD_PRELOAD=$fake FAKETIME=$at "$@"
}
may_wait() { "$@" || [ $? = 75 ]; }

action=$1 night=$2
shift 2
day=$((start + night * 86400))
[ "$action" = night ] || {
  with_clock $((day + 43200)) "$@"
  exit
}
sh "$(dirname "$0")/film.sh" "site/$night.mp4" 5
# The feed names a port that each night needs again: one that the kernel gives to no other socket.
port=$(cat port 2>/dev/null || echo $((10000 + $$ % 20000)))
# The library adds to the environment when a process starts, and Swift then finds no arguments; a
# second start finds what it has added.
rm -f port
# shellcheck disable=SC2016 # the inner shell expands it
LD_PRELOAD=$fake FAKETIME=$(moment $((day + 14400))) sh -c 'exec "$@"' sh \
  "$tools/loopback-origin" --root site --log origin.log --port "$port" --port-file port --life 600 >origin.err 2>&1 &
origin=$!
trap 'kill -KILL $origin; wait $origin || :' EXIT
until [ -s port ]; do
  kill -0 $origin 2>/dev/null || {
    cat origin.err >&2
    exit 1
  }
  sleep 0.02
done
url=http://127.0.0.1:$(cat port)
{
  echo '<rss version="2.0"><channel><title>Bees</title>'
  n=0
  while [ $((n += 1)) -le "$night" ]; do
    echo "<item><title>Part $n</title><guid>$n</guid>"
    echo "<pubDate>$(date -u -R -d "@$((start + n * 86400))")</pubDate>"
    echo "<enclosure url=\"$url/$n.mp4\" type=\"video/mp4\"/></item>"
  done
  echo '</channel></rss>'
} >site/feed.xml
clock=${1:-$((day + 14400))}
[ -e feed-added ] || with_clock "$clock" vmx feed add -q --want all "$url/feed.xml"
: >feed-added
may_wait with_clock "$clock" vmx feed update -q --all
may_wait with_clock "$((clock + 60))" vmx fetch -q --due
may_wait with_clock "$((clock + 120))" vmx clean -q
