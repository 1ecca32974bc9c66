#!/bin/sh
# Copies a made tree to where it is used: install.sh TREE PREFIX
#
# What was copied, and which folders had to be made, stands in lib/vmx/manifest, so that uninstall
# removes exactly that. An older version is replaced file by file, then what it had and the new
# one has not is removed.
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

# Folders that are ours to remove: those made now, and those that the last installation made.
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
  # A new file under a new name, then the old name: who starts a tool meanwhile gets one of them.
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
