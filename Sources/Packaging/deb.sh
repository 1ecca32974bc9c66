#!/bin/sh
# Makes the Debian package of a built tree: deb.sh TREE FOLDER
#
# One package: the shared libraries in usr/lib/vmx export only what the tools of the same build need, so
# no other program and no other version can use them. The same tree and commit give the same bytes.
set -eu
export LC_ALL=C
umask 022
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "${1:?which tree?}" && pwd)
mkdir -p "${2:?where to?}"
out=$(cd "$2" && pwd)
version=$(sh "$here/version.sh" "$tree")
SOURCE_DATE_EPOCH=$(sh "$here/epoch.sh")
export SOURCE_DATE_EPOCH
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian/vmx
mkdir -p "$root/DEBIAN"
DESTDIR=$root sh "$here/install.sh" --tree "$tree" --prefix /usr >"$work/log"

# 1. Where Debian differs from 'make install': names of folders, compression, licences that it has.
cd "$root/usr"
rm lib/vmx/manifest share/doc/vmx/Apache-2.0.txt
mv share/zsh/site-functions share/zsh/vendor-completions
for page in share/man/man*/*; do
  other=$(sed -n '1s|^[.]so man./||p' "$page")
  if [ -n "$other" ]; then
    ln -s "$other.gz" "$page.gz" && rm "$page"
  else
    gzip -9n "$page"
  fi
done
sh "$here/Debian/changelog.sh" "$version" "$SOURCE_DATE_EPOCH" | gzip -9n >share/doc/vmx/changelog.gz
mkdir -p share/lintian/overrides
install -m 644 "$here/Debian/overrides" share/lintian/overrides/vmx

# 2. What the package depends on: the libraries that the files load. The dispatcher is static.
cd "$work"
printf 'Source: vmx\n\nPackage: vmx\nArchitecture: any\n' >debian/control
# shellcheck disable=SC2046 # a list of names without blanks
depends=$(dpkg-shlibdeps -O --ignore-missing-info "-l$root/usr/lib/vmx" \
  $(find "$root/usr/lib/vmx" "$root/usr/libexec/vmx" -maxdepth 1 -type f | sort) 2>"$work/log" |
  sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$work/log" >&2 && exit 1; }
# Packed relative relocations, which dpkg-shlibdeps does not know, need glibc 2.36.
glibc=$(echo "$depends" | sed 's/.*libc6 (>= \([0-9.]*\)).*/\1/')
glibc=$(printf '%s\n' 2.36 "$glibc" | sort -V | tail -n 1)
depends=$(echo "$depends" | sed "s/libc6 ([^)]*)/libc6 (>= $glibc)/")

# 3. The package.
find "$root/usr" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
(cd "$root" && find usr -type f | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
size=$(cd "$root" && find usr ! -type d -printf '%k\n' | awk '{ sum += $1 } END { print sum }')
sed -e "s/@version@/$version/" -e "s/@architecture@/$architecture/" -e "s/@size@/$size/" \
  -e "s/@depends@/$depends/" "$here/Debian/control" >"$root/DEBIAN/control"
file=$out/vmx_${version}_$architecture.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" "$file" >"$work/log" ||
  { cat "$work/log" >&2 && exit 1; }
echo "$file"
