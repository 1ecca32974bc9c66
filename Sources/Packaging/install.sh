#!/bin/sh
# Installs vmx below a prefix, or removes it from there:
#
#   install.sh [--prefix DIR] [--uninstall]
#
# The default of DIR is /usr/local for root, else ~/.local. What is installed is the tree that contains
# this script, or that of --tree DIR; with DESTDIR, below that folder instead of /.
#
# DIR/lib/vmx/manifest lists the copied files and the created folders, so that --uninstall removes
# exactly those. An older version is replaced file by file; then files that only the old version had are
# removed.
set -eu
export LC_ALL=C
umask 022
tree=$(cd "$(dirname "$0")" && pwd)
prefix=${HOME:-}/.local
[ "$(id -u)" != 0 ] || prefix=/usr/local
uninstall=
usage() {
  sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"
}
while [ "$#" != 0 ]; do
  case $1 in
    --prefix | --tree)
      [ -n "${2:-}" ] || { echo "install.sh: '$1' requires a folder" >&2 && exit 64; }
      if [ "$1" = --tree ]; then tree=$2; else prefix=$2; fi
      shift
      ;;
    --prefix=*) prefix=${1#*=} ;;
    --tree=*) tree=${1#*=} ;;
    --uninstall) uninstall=yes ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 64 ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
target=${DESTDIR:-}$prefix
manifest=$target/lib/vmx/manifest
list=$(mktemp)
trap 'rm -f "$list" "$list.old" "$list.sorted"' EXIT

if [ -n "$uninstall" ]; then
  [ -f "$manifest" ] || { echo "vmx: nothing installed in $target" && exit; }
  cat "$manifest" >"$list"
  grep -v '/$' "$list" | while read -r file; do rm -f "$target/$file"; done
  # Deepest first; a folder that contains other files is kept.
  grep '/$' "$list" | sort -r | while read -r folder; do
    rmdir "$target/$folder" 2>/dev/null || true
  done
  echo "vmx: removed from $target"
  exit
fi

[ -x "$tree/bin/vmx" ] || { echo "install.sh: no vmx in '$tree'" >&2 && exit 66; }
mkdir -p "$target"
: >"$list.old"
[ ! -f "$manifest" ] || cat "$manifest" >"$list.old"
contents() { # the paths of the tree of a type, as of find
  (cd "$tree" && find bin lib libexec share "$@" ! -path lib/vmx/manifest | sort)
}

# The folders that --uninstall may remove: those created now, and those of the last installation.
contents -type d | while read -r folder; do
  if [ ! -d "$target/$folder" ]; then
    mkdir "$target/$folder"
    echo "$folder/"
  fi
done >"$list"
grep '/$' "$list.old" >>"$list" || true

contents '(' -type f -o -type l ')' >>"$list"
grep -v '/$' "$list" | while read -r file; do
  mode=644
  [ ! -x "$tree/$file" ] || mode=755
  # Replaces atomically by rename, so that a tool started meanwhile is either the old or the new file.
  if [ -L "$tree/$file" ]; then
    ln -sfn "$(readlink "$tree/$file")" "$target/$file.new"
  else
    install -m "$mode" "$tree/$file" "$target/$file.new"
    case $file in
      # A systemd unit requires an absolute path.
      lib/systemd/*)
        written=$(printf '%s\n' "$prefix" | sed 's/[\\"]/\\&/g; s/%/%%/g; s/\$/$$/g; s/[\\&|]/\\&/g')
        sed "s|@prefix@|$written|g" "$tree/$file" >"$target/$file.new"
        ;;
    esac
  fi
  mv -f "$target/$file.new" "$target/$file"
done
echo lib/vmx/manifest >>"$list"

sort -u "$list" >"$list.sorted" && mv "$list.sorted" "$list"
grep -v '/$' "$list.old" | sort -u | comm -23 - "$list" | while read -r file; do
  rm -f "$target/$file"
done
install -m 644 "$list" "$manifest"
echo "vmx: installed in $target: $(grep -vc '/$' "$list") files"

missing=$(find "$target/libexec/vmx" "$target/lib/vmx" -type f -exec ldd {} + 2>/dev/null |
  awk '/=> not found/ { print $1 }' | sort -u | tr '\n' ' ')
[ -z "$missing" ] ||
  echo "vmx: the tools need libraries that are missing: install the packages of ${missing% }" >&2
