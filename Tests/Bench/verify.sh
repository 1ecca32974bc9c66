#!/bin/bash
# Verification: one large film in the page cache, against openssl on one core and against sha256sum,
# by wall clock. Then the sizes of many files, against find. SIZE in MiB, COUNT files.
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/site.sh"
size=${SIZE:-4096}
count=${COUNT:-100000}

film "film-$size.mp4" "${size}M"
anew
vmx-add -q --id film/one "$origin/film-$size.mp4" </dev/null >/dev/null
vmx-fetch film/one --progress none >/dev/null
file=$(vmx-path film/one)
cat "$file" >/dev/null
side_verify() { vmx-verify film/one; }
side_openssl() { openssl dgst -sha256 "$file"; }
side_sha256sum() { sha256sum "$file"; }
race "${ROUNDS:-3}" verify openssl sha256sum
for name in verify openssl sha256sum; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
what="vmx-verify of $size MiB"
ratio "openssl dgst / $what" "${least_wall[openssl]}" "${least_wall[verify]}" least 1.8
verdict=(least 8)
! sha256sum_is_fast || verdict=(unjudged 'sha256sum uses the instructions of the processor')
ratio "sha256sum / $what" "${least_wall[sha256sum]}" "${least_wall[verify]}" "${verdict[@]}"
peak_anonymous vmx-verify film/one
ratio 'anonymous memory of vmx-verify / 64 MiB' "$peak" 65536 most 1

# A library of many small files, in the state in which that many fetches leave the store.
export VMX_HOME=$BENCH/files-$count
media=$VMX_HOME/library
if [ ! -e "$VMX_HOME/store.jsonl" ]; then
  mkdir -p -m 700 "$VMX_HOME"
  mkdir -p "$media/.vmx"
  awk -v count="$count" -v root="$media" -v shows=1000 -f "$(dirname "$0")/files.awk" \
    >"$VMX_HOME/store.new"
  printf '{"root":"%s","library":"%s"}\n' 1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10 \
    5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11 >"$media/.vmx/root.json"
  mv "$VMX_HOME/store.new" "$VMX_HOME/store.jsonl"
  vmx-verify --all --checksums </dev/null | cut -c 67- >"$BENCH/names"
  sed 's|/[^/]*$||' "$BENCH/names" | sort -u | tr '\n' '\0' | xargs -0 mkdir -p
  tr '\n' '\0' <"$BENCH/names" | xargs -0 truncate -s 10
fi
side_quick() { vmx-verify --all --quick </dev/null; }
side_find() { find "$media" -type f -printf '%p %s\n'; }
race 5 find quick
for name in quick find; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
what="vmx-verify --quick of $count files / find -printf"
ratio "$what, wall" "${least_wall[quick]}" "${least_wall[find]}" most 1.5
peak_anonymous vmx-verify --all --quick
ratio 'anonymous memory of it / 64 MiB + 48 B each' "$peak" $((65536 + 48 * count / 1024)) most 1
