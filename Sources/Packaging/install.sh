#!/bin/sh
# Installs a built tree below a prefix: install.sh TREE PREFIX
#
# lib/vmx/manifest lists the copied files and the created folders, so that uninstall removes exactly
# those. An older version is replaced file by file; then files that only the old version had are
# removed.
set -eu
export LC_ALL=C
umask 022
tree=${1:?which tree?}
prefix=${2:?where to?}
mkdir -p "$prefix"
manifest=$prefix/lib/vmx/manifest

list=$(mktemp)
trap 'rm -f "$list" "$list.old"' EXIT
: >"$list.old"
[ ! -f "$manifest" ] || cat "$manifest" >"$list.old"

# The folders that uninstall may remove: those created now, and those of the last installation.
(cd "$tree" && find . -mindepth 1 -type d | sed 's,^\./,,' | sort) | while read -r folder; do
  if [ ! -d "$prefix/$folder" ]; then
    mkdir "$prefix/$folder"
    echo "$folder/"
  fi
done >"$list"
grep '/$' "$list.old" >>"$list" || true

(cd "$tree" && find . '(' -type f -o -type l ')' ! -name '.made' | sed 's,^\./,,' | sort) >>"$list"
grep -v '/$' "$list" | while read -r file; do
  mode=644
  [ ! -x "$tree/$file" ] || mode=755
  # Replaces atomically by rename, so that a tool started meanwhile is either the old or the new file.
  if [ -L "$tree/$file" ]; then
    ln -sfn "$(readlink "$tree/$file")" "$prefix/$file.new"
  else
    install -m "$mode" "$tree/$file" "$prefix/$file.new"
  fi
  mv -f "$prefix/$file.new" "$prefix/$file"
done
echo lib/vmx/manifest >>"$list"

sort -u "$list" >"$list.sorted" && mv "$list.sorted" "$list"
grep -v '/$' "$list.old" | sort -u | comm -23 - "$list" | while read -r file; do
  rm -f "$prefix/$file"
done
install -m 644 "$list" "$manifest"
echo "vmx: installed in $prefix: $(grep -vc '/$' "$list") files"
