#!/bin/bash
# A dry run of clean over a library of a hundred thousand files, all at their recorded places, each
# with its NFO file and sidecar. Then the tasks at login without any change. User and system time.
. "$(dirname "$0")/measure.sh"
# Slightly more than a hundred thousand of these episodes have files.
count=${COUNT:-136000}
export VMX_HOME=$BENCH/files-$count XDG_STATE_HOME=$BENCH/clean-state
library=$VMX_HOME/library
if [ ! -e "$VMX_HOME/store.jsonl" ]; then
  rm -rf "$VMX_HOME"
  mkdir -p -m 700 "$library/.vmx/records"
  awk -v count="$count" -v root="$library" -f "$(dirname "$0")/episodes.awk" >"$VMX_HOME/new"
  sed -n 's/.*"path":"\(Show [^"]*\)\.mp4".*/\1/p' "$VMX_HOME/new" >"$BENCH/stems"
  sed -n '/"state":"ready"/s|^{"kind":"episode","id":"\([^/"]*\)/\([^"]*\)".*|\1~\2.json|p' \
    "$VMX_HOME/new" >"$BENCH/sidecars"
  (cd "$library" && sed 's|/[^/]*$||' "$BENCH/stems" | sort -u | tr '\n' '\0' | xargs -0 mkdir -p)
  (cd "$library" && sed 's/$/.mp4/' "$BENCH/stems" | tr '\n' '\0' | xargs -0 touch)
  (cd "$library" && sed 's/$/.nfo/' "$BENCH/stems" | tr '\n' '\0' | xargs -0 touch)
  (cd "$library/.vmx/records" && tr '\n' '\0' <"$BENCH/sidecars" | xargs -0 touch)
  printf '{"root":"%s","library":"%s"}\n' 1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10 \
    5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11 >"$library/.vmx/root.json"
  mv "$VMX_HOME/new" "$VMX_HOME/store.jsonl"
fi
files=$(find "$library" -name '*.mp4' | wc -l)

side_clean() { vmx-clean --quiet </dev/null; }
side_login() { vmx-clean --login </dev/null; }
race 5 clean
[ ! -s "$BENCH/out" ] || { echo "clean: $(head -n 1 "$BENCH/out")" >&2 && exit 1; }
echo "clean: $files files in sync: ${least_cpu[clean]} ms cpu, ${least_wall[clean]} ms wall"
ratio "vmx-clean of $files files in sync, cpu / 1 s" "${least_cpu[clean]}" 1000 most 2

# The first login inspects the whole library, and must end in time as well.
rm -rf "$XDG_STATE_HOME"
timed side_login
echo "first login: $cpu ms cpu, $wall ms wall"
ratio 'the first login, wall / 1 s' "$wall" 1000 most 1
for ((n = 0; n < 20; n++)); do
  ! grep -q '"place":0,' "$XDG_STATE_HOME"/vmx/login-*.json || break
  timed side_login
done
race 5 login
echo "login: nothing changed: ${least_cpu[login]} ms cpu, ${least_wall[login]} ms wall"
ratio 'vmx-clean --login, nothing changed, cpu / 1 s' "${least_cpu[login]}" 1000 most 0.05
