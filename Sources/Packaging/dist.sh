#!/bin/sh
# Makes the archive of a built tree, which runs from any folder: dist.sh TREE FOLDER
#
# It also has install.sh, and libsimdjson, whose soname changes with each release of Debian. The same tree
# and commit give the same bytes.
set -eu
export LC_ALL=C
umask 022
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "${1:?which tree?}" && pwd)
mkdir -p "${2:?where to?}"
out=$(cd "$2" && pwd)
version=$(sh "$here/version.sh" "$tree")
epoch=$(sh "$here/epoch.sh")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/vmx-$version
DESTDIR=$work sh "$here/install.sh" --tree "$tree" --prefix "/vmx-$version" >"$work/log"
rm "$root/lib/vmx/manifest"
# As in the tree: install.sh will write the prefix of the user into the units.
install -m 644 "$tree"/lib/systemd/user/* "$root/lib/systemd/user"
install -m 755 "$here/install.sh" "$root/install.sh"
json=$(ldd "$root"/lib/vmx/libvmxjson-*.so | sed -n 's/.*libsimdjson.* => \(.*\) (.*/\1/p')
install -m 644 "$json" "$root/lib/vmx/$(objdump -p "$json" | sed -n 's/ *SONAME *//p')"

file=$out/vmx-$version-linux-$(uname -m).tar.zst
tar -C "$work" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --format=gnu \
  -cf "$work/archive.tar" "vmx-$version"
zstd -q -f -19 --single-thread "$work/archive.tar" -o "$file"
touch -d "@$epoch" "$file"
echo "$file"
