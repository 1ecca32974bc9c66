#!/bin/sh
# Shows vmx at work in a throw-away home: an origin on the loopback that misbehaves in four ways
# (faults.plan), four short films from it, each proven against its published digest; then one that is
# damaged and repaired, and one that is removed and taken back. Then a feed is followed, and a recorded
# catalogue describes its episodes and names the others.
# BIN is the folder of the built tools; without it they are built first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

if [ -z "${BIN:-}" ]; then
  cd "$here/../.."
  echo 'vmx: building (release); the first time takes a few minutes'
  "${SWIFT:-swift}" build -c release --quiet
  BIN=$(${SWIFT:-swift} build -c release --show-bin-path)
fi
BIN=$(cd "$BIN" && pwd)
PATH=$BIN:$PATH
[ -x "$BIN/vmx" ] || { echo "demo: no vmx in '$BIN'" >&2 && exit 1; }

scratch=$(mktemp -d)
origin=
clean_up() {
  [ -z "$origin" ] || kill "$origin" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

for name in $(env | sed -n 's/^\(VMX_[A-Z_]*\|XDG_[A-Z_]*\|[a-zA-Z]*_proxy\)=.*/\1/p'); do
  unset "$name"
done
export PATH HOME="$scratch" VMX_HOME="$scratch/vmx" LC_ALL=C.UTF-8
cd "$scratch"

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi
say() { printf '\n%s\n' "$*"; }
show() { # prints a command, then runs it
  printf '\n%s$ %s%s\n' "$bold" "$1" "$plain"
  eval "$1"
}

"$BIN/loopback-origin" --root "$here/media" --plan "$here/faults.plan" --log requests.jsonl \
  --port-file port --life 120 >/dev/null &
origin=$!
while [ ! -s port ]; do
  kill -0 "$origin" || exit 1
  sleep 0.05
done
sed "s|@ORIGIN@|http://127.0.0.1:$(cat port)|g" "$here/media/catalogue.jsonl" >catalogue.jsonl

say 'A catalogue of four films, one JSON object a line; its origin will misbehave.'
show 'vmx add < catalogue.jsonl'
show 'vmx list'
show 'vmx list --json | vmx fetch --json > outcomes.jsonl'
show 'vmx list'
show 'head -c 300 "$(vmx path small-wonders/s01e01 --part subtitle:de)"'

say 'A byte rots on the disk. A proof finds it; what is damaged is fetched again, and proven.'
film=$(vmx path small-wonders/s01e02)
printf '\0' | dd of="$film" bs=1 seek=20000 conv=notrunc 2>/dev/null
show 'vmx verify --all || echo "status $?"'
show 'vmx verify --json small-wonders/s01e02 | vmx fetch --repair --json > repairs.jsonl'

say 'Removed by mistake, taken back:'
show 'vmx rm --show daily-test'
show 'vmx undo'
show 'vmx verify --all'

say 'A feed is followed, its newest film is fetched. A catalogue knows the show, and describes its episodes.'
ORIGIN=http://127.0.0.1:$(cat port)
export ORIGIN VMX_CATALOGUE_URL="$ORIGIN/catalogue"
show 'vmx feed add --want latest:1 "$ORIGIN/harbour.xml"'
show 'vmx feed update --all'
show 'vmx fetch --show harbour-lights'
show 'vmx search harbour'
show 'vmx episodes 7 --season 1'
show 'vmx episodes 7 --json | vmx add --merge --quiet'
show 'vmx list --show harbour-lights --all --fields id,state,lacks,summary'

say 'What the origin saw: status, bytes sent, range asked for, file, what it did wrong.'
awk -f "$here/requests.awk" requests.jsonl

say 'The library:'
library=$VMX_HOME/library
(cd "$library" && find . -mindepth 1 -name .vmx -prune -o -type d -printf '\t%P\n' -o -printf '%s\t%P\n') |
  LC_ALL=C sort -t "$(printf '\t')" -k 2 | awk -f "$here/tree.awk"

# Checks the digests a second time, with sha256sum instead of vmx.
find "$library" -name .vmx -prune -o -type f -exec sha256sum {} + >sums
wrong=0 right=0
for sum in $(grep -o '"sha256":"[0-9a-f]*"' catalogue.jsonl | cut -d '"' -f 4); do
  if grep -q "^$sum " sums; then right=$((right + 1)); else wrong=$((wrong + 1)); fi
done
say "$right of $((right + wrong)) files are there under their names, byte for byte as published."
[ "$wrong" = 0 ]
