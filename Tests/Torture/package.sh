#!/bin/bash
# The Debian package in a Debian 12 of its own, without Swift: it is installed with what it depends on,
# shows the demo, and is removed without a trace. In the long form also: two builds give the same bytes,
# lintian finds no error, and the archive of `make dist` shows the demo from a folder with a blank in its
# name, is installed and removed by its install.sh.
#
# VMX_TEST_TREE names a built tree; the default is made by `make release`. All packages come from the
# registry of which apt on this machine has its packages.
if [ "${VMX_UNSHARED:-}" != yes ]; then
  if unshare -m true 2>/dev/null; then
    VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
  fi
  echo 'torture: package: skipped: no mount namespace without root'
  exit 0
fi
. "$(dirname "$0")/support/stage.sh"
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
unset VMX_HOME
for program in debootstrap dpkg-shlibdeps zstd; do
  command -v "$program" >/dev/null || skip "no $program"
done
packaging=$source_root/Sources/Packaging
root=$place/root
# A release build takes as long as all other tests.
if [ -n "$short" ] && [ -z "${VMX_TEST_TREE:-}" ] && [ ! -d "$source_root/.build/dist" ]; then
  skip 'no release build; run make release first, or make torture'
fi

# 1. A Debian 12, in memory if there is enough. A registry that cannot be reached is no failure.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' \
  2>/dev/null | head -n 1)
mkdir "$root"
mount -t tmpfs -o size=1500m,mode=755 tmpfs "$root" || skip 'no tmpfs'
trap 'umount -R "$root" 2>/dev/null; leave' EXIT
timeout 300 debootstrap --variant=minbase bookworm "$root" \
  "${mirror:-http://deb.debian.org/debian}" >bootstrap 2>&1 &
bootstrap=$!

# 2. The packages.
tree=${VMX_TEST_TREE:-}
if [ -z "$tree" ]; then
  tree=$source_root/.build/dist
  HOME=$home make -s -C "$source_root" SWIFT="$swift" release >release 2>&1 ||
    { cat release && exit 1; }
fi
package=$(sh "$packaging/deb.sh" "$tree" "$place/1") || { complain 'no package' && finish; }
archive=
if [ -z "$short" ]; then
  archive=$(sh "$packaging/dist.sh" "$tree" "$place/1") || { complain 'no archive' && finish; }
  # A copy at another path, made by another user's habits.
  cp -a "$tree" other && (umask 077 && sh "$packaging/deb.sh" other "$place/2" &&
    sh "$packaging/dist.sh" other "$place/2") >out 2>err
  diff -r 1 2 >out || complain 'two packages of the same tree differ'
  ! command -v lintian >/dev/null || attempt 0 lintian --allow-root --fail-on error "$package"
fi

wait "$bootstrap" || {
  grep -E '^[EW]:' bootstrap
  skip "debootstrap got no Debian 12 from the registry of apt: $(tail -n 1 bootstrap)"
}
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc" || skip 'no proc in a chroot'
inside() { # COMMAND…: as root in the Debian
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    DEBIAN_FRONTEND=noninteractive "$@"
}
as_user() { # COMMAND…: as a user without a name
  chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/tmp "$@"
}

# The origin of the demo is no part of the package: it brings its runtime for itself.
mkdir -p "$root/opt/demo/lib"
cp -r "$source_root/Tests/Demo" "$root/opt/demo/"
cp "$built/loopback-origin" "$root/opt/demo/origin"
ldd "$built/loopback-origin" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m)\./ { print $3 }' |
  xargs cp -L -t "$root/opt/demo/lib"
demo() { # VMX: the demo with that dispatcher
  rm -rf "$root/opt/demo/bin"
  mkdir "$root/opt/demo/bin"
  printf '#!/bin/sh\nLD_LIBRARY_PATH=/opt/demo/lib exec /opt/demo/origin "$@"\n' \
    >"$root/opt/demo/bin/loopback-origin"
  chmod 755 "$root/opt/demo/bin/loopback-origin"
  ln -s "$1" "$root/opt/demo/bin/vmx"
  attempt 0 as_user BIN=/opt/demo/bin sh /opt/demo/Demo/demo.sh
  tail -n 1 out | grep -q 'byte for byte as published' || complain "the demo of $1 shows something else"
}
without_trace() { # WHAT: nothing of vmx is left
  inside find / -xdev -name '*vmx*' ! -path '/opt/demo*' ! -path '/tmp/*' >out
  [ ! -s out ] || complain "$1 leaves files behind"
}

# 3. The package is installed, used and removed.
cp "$package" "$root/tmp/vmx.deb"
if ! inside apt-get install -qy --no-install-recommends /tmp/vmx.deb >out 2>err; then
  ! grep -q 'Failed to fetch' err || skip "the registry of apt does not respond: $(tail -n 1 err)"
  complain 'apt-get does not install the package'
fi
attempt 0 inside dpkg --verify vmx
[ ! -s out ] || complain 'installed files differ from those of the package'
[ "$(inside vmx --version)" = "$("$tree/bin/vmx" --version)" ] || complain 'another version'
! inside sh -c 'ldd /usr/libexec/vmx/vmx-* /usr/lib/vmx/*' | grep -E 'not found|/swift/' ||
  complain 'a tool needs a library that no package brings'
demo /usr/bin/vmx
inside dpkg --purge vmx >out 2>err || complain 'dpkg does not remove the package'
[ ! -s err ] || complain 'dpkg warns'
without_trace 'the package'

# 4. The archive runs where it was unpacked, and installs itself. Its libraries are there by now, but for
# the one that it brings.
if [ -n "$archive" ]; then
  inside dpkg --purge libsimdjson14 >out 2>err || complain 'something else needs libsimdjson14'
  mkdir "$root/opt/any where"
  zstd -dc "$archive" | tar -x --no-same-owner -C "$root/opt/any where"
  folder=$(cd "$root" && echo opt/any*/vmx-*)
  demo "/$folder/bin/vmx"
  attempt 0 inside sh "/$folder/install.sh" --prefix /opt/tools
  attempt 0 inside grep -h ^ExecStart= -r /opt/tools/lib/systemd/user
  grep -qx 'ExecStart="/opt/tools/libexec/vmx/vmx-fetch" --due --quiet' out ||
    complain 'the units name another path'
  rm -rf "$root/opt/any where"
  demo /opt/tools/bin/vmx
  cp "$packaging/install.sh" "$root/tmp/"
  attempt 0 inside sh /tmp/install.sh --uninstall --prefix /opt/tools
  rmdir "$root/opt/tools" || complain 'install.sh --uninstall leaves files behind'
  without_trace 'the archive'
fi

[ "$failures" = 0 ] || exit 1
echo "$suite: package: ${package##*/}${archive:+ and the archive}: installed, used and removed"
