#!/bin/bash
# Migration of a folder of other programs: many small files by --link on a tmpfs, and large films by
# --copy against cp -a, both flushed. COUNT is the number of files, SIZE that of each of two films in
# MiB.
. "$(dirname "$0")/measure.sh"
count=${COUNT:-50000}
size=${SIZE:-1024}
memory=$(mktemp -d -p /dev/shm vmx-bench.XXXXXX)
work=$BENCH/migrate
trap 'rm -rf "$memory" "$work"' EXIT
rm -rf "$work"
mkdir -p "$work"

# A thousand shows with episodes of 1 KiB. Each file has other bytes, so that no digest is shared.
python3 - "$memory/films" "$count" <<'PYTHON'
import os, sys
root, count = sys.argv[1], int(sys.argv[2])
head = b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41\0\0\0\x10moov\0\0\0\x08free"
for n in range(count):
    season, number = n // 1000 // 20 + 1, n // 1000 % 20 + 1
    folder = f"{root}/Show {n % 1000:03d}/Season {season:02d}"
    os.makedirs(folder, exist_ok=True)
    body = n.to_bytes(8, "big") * 118
    with open(f"{folder}/Show {n % 1000:03d} - S{season:02d}E{number:02d} - Number {n}.mp4", "wb") as f:
        f.write(head + len(body + b"12345678").to_bytes(4, "big") + b"mdat" + body)
PYTHON
export VMX_HOME=$memory/vmx
timed vmx-migrate -q --link "$memory/films" </dev/null
taken=$(vmx-list --state ready --json </dev/null | wc -l)
[ "$taken" = "$count" ] || { echo "bench: $taken of $count films are ready" >&2 && exit 1; }
echo "vmx-migrate --link: $count files in $wall ms wall, $cpu ms cpu"
ratio "vmx-migrate --link of $count files, files a second / 1000" "$count" "$wall" least 2
rm -rf "$memory/vmx"
peak_anonymous vmx-migrate -q --link "$memory/films"
ratio "anonymous memory of it / 64 MiB and 48 bytes an episode" "$peak" \
  "$((65536 + count * 48 / 1024))" most 1
rm -rf "$memory/vmx"

mkdir "$work/films"
for n in 1 2; do sh "$root/Tests/Support/film.sh" "$work/films/Show - S01E0$n.mp4" $((size * 1024)); done
cat "$work/films"/* >/dev/null
forget() {
  rm -rf "$work/copy" "$work/vmx"
  sync
}
side_cp() { cp -a "$work/films" "$work/copy" && sync; }
side_migrate() { VMX_HOME=$work/vmx vmx-migrate -q --copy "$work/films" </dev/null && sync; }
prepare_cp() { forget; }
prepare_migrate() { forget; }
race "${ROUNDS:-3}" cp migrate
ratio "vmx-migrate --copy of $((2 * size)) MiB / cp -a" "${least_wall[migrate]}" \
  "${least_wall[cp]}" most 1.2
