#!/bin/bash
# Bundles: export and import of four large films in the page cache, including verification of the
# manifest, against tar, zip and openssl, with both sides flushed. Then the same with many small
# episodes. SIZE is the size of each film in MiB, COUNT the number of episodes (50000 shows costs
# that grow with the number).
. "$(dirname "$0")/measure.sh"
size=${SIZE:-1024}
count=${COUNT:-5000}
work=$BENCH/bundle
rm -rf "$work"
mkdir -p "$work"
for n in 1 2 3 4; do sh "$root/Tests/Support/film.sh" "$work/film $n.mp4" $((size * 1024)); done
export VMX_HOME=$work/vmx
(cd "$work" && vmx-add -q --show Films film*.mp4 </dev/null >/dev/null && rm film*.mp4)
media=$VMX_HOME/library/Films
cat "$media"/*.mp4 >/dev/null

forget() {
  rm -rf "$work/made"* "$work/unpacked" "$work/other"
  sync
}
side_tar() { tar cf "$work/made.tar" -C "$VMX_HOME/library" Films && sync; }
side_export() { vmx-export -q --all -o "$work/made.tar" </dev/null && sync; }
prepare_tar() { forget; }
prepare_export() { forget; }
race "${ROUNDS:-3}" tar export
what="vmx-export of $((4 * size)) MiB"
ratio "$what to tar / tar cf" "${least_wall[export]}" "${least_wall[tar]}" most 1.1

side_zip() { zip -q -0 -r "$work/made.zip" "$media" && sync; }
side_exportzip() { vmx-export -q --all -o "$work/made.zip" </dev/null && sync; }
prepare_zip() { forget; }
prepare_exportzip() { forget; }
if command -v zip >/dev/null; then
  race "${ROUNDS:-3}" zip exportzip
  ratio "$what to zip / zip -0" "${least_wall[exportzip]}" "${least_wall[zip]}" most 1
fi
forget
peak_anonymous vmx-export -q --all -o "$work/made.tar"
ratio 'anonymous memory of vmx-export / 64 MiB' "$peak" 65536 most 1

mv "$work/made.tar" "$work/bundle.tar"
side_untar() {
  mkdir "$work/unpacked" && tar xf "$work/bundle.tar" -C "$work/unpacked" &&
    openssl dgst -sha256 "$work"/unpacked/*/data/Films/*.mp4 && sync
}
side_import() { VMX_HOME=$work/other vmx-import -q "$work/bundle.tar" </dev/null && sync; }
prepare_untar() { forget; }
prepare_import() { forget; }
race "${ROUNDS:-3}" untar import
ratio "vmx-import of $((4 * size)) MiB / tar xf and openssl" "${least_wall[import]}" \
  "${least_wall[untar]}" most 1.2
forget
VMX_HOME=$work/other peak_anonymous vmx-import -q "$work/bundle.tar"
ratio 'anonymous memory of vmx-import / 64 MiB' "$peak" 65536 most 1
forget
rm "$work/bundle.tar"

# Many small episodes: tar with a folder of the same number of files is the yardstick.
export VMX_HOME=$work/many
for ((n = 0; n < count; n++)); do
  printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41%s' "$n" >"$work/small $n.mp4"
done
(cd "$work" && find . -name 'small *.mp4' -print0 | xargs -0 vmx-add -q --show Small >/dev/null)
find "$work" -maxdepth 1 -name 'small *' -delete
most_memory=$((65536 + 48 * count / 1024))
peak_anonymous vmx-export -q --all -o "$work/bundle.tar"
ratio "memory of vmx-export of $count / 64 MiB + 48 B each" "$peak" "$most_memory" most 1
# libarchive holds the whole file list of a 7z archive in memory.
vmx-export -q --all -o "$work/bundle.7z"
peak_anonymous vmx-import -q --verify "$work/bundle.7z"
ratio "memory of vmx-import --verify of a 7z of $count / 64 MiB + 48 B each" "$peak" \
  "$most_memory" most 1
rm "$work/bundle.7z"
race "${ROUNDS:-3}" import
echo "import of $count small episodes: ${least_wall[import]} ms wall, ${least_cpu[import]} ms cpu"
ratio 'ms CPU of vmx-import for a small episode' "${least_cpu[import]}" "$count" most 2
forget
VMX_HOME=$work/other peak_anonymous vmx-import -q "$work/bundle.tar"
ratio "memory of vmx-import of $count / 64 MiB + 48 B each" "$peak" "$most_memory" most 1
rm -rf "$work"
