#!/bin/sh
# Removes only the files that install.sh installed below a prefix: uninstall.sh PREFIX
set -eu
export LC_ALL=C
prefix=${1:?from where?}
manifest=$prefix/lib/vmx/manifest
if [ ! -f "$manifest" ]; then
  echo "vmx: nothing installed in $prefix"
  exit 0
fi
list=$(mktemp)
trap 'rm -f "$list"' EXIT
cat "$manifest" >"$list"
grep -v '/$' "$list" | while read -r file; do rm -f "$prefix/$file"; done
# Deepest first; a folder that contains other files is kept.
grep '/$' "$list" | sort -r | while read -r folder; do
  rmdir "$prefix/$folder" 2>/dev/null || true
done
echo "vmx: removed from $prefix"
