#!/bin/sh
# Builds the installation tree: release.sh OUT
#
# A tool linked statically with the Swift runtime has 14 MB. Linked with the toolchain's ten shared
# runtime libraries it takes twice as long to start. So SwiftPM only compiles, and this script links
# its objects again, into shared libraries and small executables:
#
#   libvmxrt    the static archives of the runtime, ArgumentParser, and the code of the tools that need no
#               other library
#   libvmxlocal the code of the tools that also need libcrypto and libxml2
#   libvmxnet   the code of the tools that also need libcurl
#   libvmxjson  the parser of CSimdjson, which libvmxrt loads at its first use (Runtime/json.c)
#
# A tool loads only those that it needs. They export only the symbols that the tools need. Code that needs
# libarchive or libcrypt, and code of few tools, is linked into these tools. The libraries are found by an
# $ORIGIN path, so the tree is relocatable. Decision 8 in Sources/DECISIONS.md has the figures.
set -eu
export LC_ALL=C
umask 022
cd "$(dirname "$0")/../.."
out=${1:?where to?}
swift=${SWIFT:-swift}

# Runtime modules that vmx or ArgumentParser imports. A missing one is a link error. The parts of
# FoundationEssentials and _Concurrency that ArgumentParser refers to are in Runtime/: the modules
# themselves, and libdispatch with them, would be a third of all relocations at start.
modules="swiftCore swift_StringProcessing swift_RegexParser swiftGlibc swiftSynchronization
  swift_Builtin_float"

# Linked without its protocol conformance records. A start makes dozens of conformance look-ups, each
# a scan of all records. Code that uses more of this module needs them; see the check below.
silent=swift_RegexParser

# 1. Compile.
"$swift" build -c release
built=$("$swift" build -c release --show-bin-path)
version=$("$built/vmx" --version)
runtime=libvmxrt-${version#vmx }.so
local=libvmxlocal-${version#vmx }.so
net=libvmxnet-${version#vmx }.so
json=libvmxjson-${version#vmx }.so

target=$("$swift" -print-target-info)
resources=$(printf '%s\n' "$target" | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
architecture=$(printf '%s\n' "$target" | sed -n 's/.*"triple": "\([^-"]*\)-.*/\1/p' | head -n 1)
static=${resources}_static/linux
toolchain=${resources%/lib/swift}/bin
clang=$toolchain/clang
[ -x "$clang" ] || clang=clang
objcopy=$toolchain/llvm-objcopy
[ -x "$objcopy" ] || objcopy=objcopy

work=$(dirname "$built")/packaging
rm -rf "$work"
mkdir -p "$work/silent" "$work/tree/bin" "$work/tree/libexec/vmx" "$work/tree/lib/vmx"
tree=$work/tree

# The objects that need libsimdjson, which no other library or tool gets.
for file in "$built"/CSimdjson.build/*.o; do
  ! nm --undefined-only "$file" | grep -q simdjson || echo "$file"
done >"$work/json"
objects() { grep -vxFf "$work/json" "$built/$1.product/Objects.LinkFileList"; }
module() { echo "$1" | tr - _; }
outside() { # what a tool loads beside the C library and Swift's
  readelf -d "$built/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -E '^lib(curl|crypt|crypto|simdjson|archive|xml2)\.' || true
}

# 2. The shared libraries: the objects of the tools that need no library but simdjson; those of the tools
# that also need libxml2 and libcrypto; those of the tools that also need libcurl. An object that few
# tools use stays with them: the others would load its relocations at each start.
tools=$(cd Sources/Commands && echo vmx-*)
shareable() { # LIBRARIES: the objects of the tools that load no other ones
  for tool in $tools; do
    if ! outside "$tool" | grep -qvE "^lib($1)\."; then
      objects "$tool" | grep -v "/$(module "$tool")\.build/"
    fi
  done | sort -u
}
for tool in $tools; do objects "$tool" | sort -u; done |
  sort | uniq -c | awk '$1 >= 6 { print $2 }' >"$work/frequent"
shareable simdjson >"$work/shared"
shareable 'simdjson|xml2|crypto' | comm -12 - "$work/frequent" | comm -23 - "$work/shared" \
  >"$work/local"
shareable 'simdjson|xml2|crypto|curl' | comm -12 - "$work/frequent" |
  comm -23 - "$work/shared" | comm -23 - "$work/local" >"$work/net"

for file in $(grep -v '/ArgumentParser' "$work/shared"); do
  if nm --undefined-only "$file" | grep -E '20FoundationEssentials|12_RegexParser|swift_task_' >&2; then
    echo "release.sh: '$file' uses a module that is left out: see there" >&2
    exit 1
  fi
done
"$objcopy" -R swift5_protocol_conformances -R .relaswift5_protocol_conformances \
  "$static/lib$silent.a" "$work/silent/lib$silent.a"
here=Sources/Packaging/Runtime
"$toolchain/swiftc" -O -wmo -parse-as-library -static -module-name FoundationEssentials \
  -emit-object "$here/FoundationEssentials.swift" -o "$work/essentials.o"
"$clang" -O2 -fPIC -Wall -Werror -c "$here/absent.c" -o "$work/absent.o"
"$clang" -O2 -fPIC -Wall -Werror -ISources/CModules/CSimdjson/include \
  "-DJSON_LIBRARY=\"$json\"" -c "$here/json.c" -o "$work/json.o"

hardened="-Wl,--hash-style=gnu,--build-id,-z,relro,-z,now,-z,pack-relative-relocs,--gc-sections"
link_library() { # [more options]
  # -z muldefs: one C++ function stands in two of the archives. RELRO wants lld. The runtime's C++
  # library is linked statically, since the dynamic one makes 1,700 symbol lookups at each start.
  # shellcheck disable=SC2046 # a list of names
  "$clang" -shared -fuse-ld=lld -o "$work/libvmxrt.so" "$static/$architecture/swiftrt.o" \
    "@$work/shared" "$work/essentials.o" "$work/absent.o" "$work/json.o" \
    -L"$work/silent" -L"$static" -Wl,-z,muldefs \
    -Wl,--whole-archive $(printf -- '-l%s ' $modules) -Wl,--no-whole-archive \
    -l:libstdc++.a -l:libgcc_eh.a -lm -Wl,-soname,"$runtime",-Bsymbolic \
    -Wl,-rpath,'$ORIGIN' "$hardened" "$@"
}
link_upper() { # NAME SONAME OPTIONS…
  upper=$1 soname=$2
  shift 2
  "$clang" -shared -fuse-ld=lld -o "$work/libvmx$upper.so" "$static/$architecture/swiftrt.o" \
    "@$work/$upper" -L"$work" -Wl,--as-needed -lvmxrt -lm -Wl,-soname,"$soname",-Bsymbolic \
    -Wl,-rpath,'$ORIGIN' "$hardened" "$@"
}
link_local() { link_upper local "$local" -lxml2 -lcrypto "$@"; }
link_net() { link_upper net "$net" -lvmxlocal -lxml2 -lcrypto -lcurl "$@"; }
link_library
link_local
link_net
"$clang" -shared -fuse-ld=lld -o "$work/libvmxjson.so" "@$work/json" -lsimdjson -lstdc++ \
  -Wl,-soname,"$json" -Wl,-rpath,'$ORIGIN' "$hardened"

# 3. The tools: their own objects, and those that are not in the shared libraries.
for tool in $tools; do
  objects "$tool" | sort | comm -23 - "$work/shared" | comm -23 - "$work/local" |
    comm -23 - "$work/net" >"$work/own"
  # shellcheck disable=SC2046 # a list of names
  "$clang" -pie -fuse-ld=lld -o "$work/$tool" "$static/$architecture/swiftrt.o" "@$work/own" \
    -Wl,--defsym="main=$(module "$tool")_main" -L"$work" \
    -Wl,--as-needed -lvmxrt -lvmxlocal -lvmxnet -lm \
    $(outside "$tool" | grep -v '^libsimdjson' | sed 's/^/-l:/') \
    -Wl,-rpath,'$ORIGIN/../../lib/vmx' "$hardened"
  strip -s -o "$tree/libexec/vmx/$tool" "$work/$tool"
done

# The aliases of tools; a tool selects its action by the name under which it is executed.
links=$("$built/vmx" help -a | sed -n "s/^  \([a-z]*\) .*, as 'vmx \([a-z]*\) .*/\1:\2/p")
for link in $links; do
  ln -s "vmx-${link#*:}" "$tree/libexec/vmx/vmx-${link%:*}"
done

# 4. The shared libraries again, exporting only the symbols that the tools need.
needed() { # FILE…: prints a version script with their undefined symbols
  echo '{ global:'
  nm -D --undefined-only "$@" |
    awk '$1 == "U" && $2 !~ /@/ { print "\"" $2 "\";" }' | sort -u
  echo 'local: *; };'
}
exported() { # the option that exports only what the tools and the libraries above need
  needed $(find "$tree/libexec/vmx" "$tree/lib/vmx" -type f) >"$work/needed.map"
  echo "-Wl,--version-script=$work/needed.map,--undefined-version"
}
link_net "$(exported)"
strip -s -o "$tree/lib/vmx/$net" "$work/libvmxnet.so"
link_local "$(exported)"
strip -s -o "$tree/lib/vmx/$local" "$work/libvmxlocal.so"
link_library "$(exported)"
strip -s -o "$tree/lib/vmx/$runtime" "$work/libvmxrt.so"
strip -s -o "$tree/lib/vmx/$json" "$work/libvmxjson.so"

# 5. The dispatcher, which starts before every tool. It is Embedded Swift, whose objects contain their
# own runtime. Swift's runtime must not be linked too: its strong symbols would override theirs.
# shellcheck disable=SC2046 # a list of names
"$clang" -static -fuse-ld=lld -o "$work/vmx" $(objects vmx) -Wl,--defsym=main=vmx_main \
  -Wl,--build-id,--gc-sections,-z,relro,-z,now
strip -s -o "$tree/bin/vmx" "$work/vmx"

find "$tree/bin" "$tree/libexec" -type f -exec chmod 755 {} +
chmod 644 "$tree"/lib/vmx/*
for tool in "$tree"/bin/vmx "$tree"/libexec/vmx/*; do
  env -i LD_BIND_NOW=1 "$tool" --help >/dev/null ||
    { echo "release.sh: '${tool##*/}' does not start" >&2 && exit 1; }
done

# 6. The programs that verify the user, in a folder that the dispatcher does not search.
mkdir "$tree/libexec/vmx/helpers"
for helper in Sources/Packaging/Verifiers/*; do
  install -m 755 "$helper" "$tree/libexec/vmx/helpers/${helper##*/}"
done

# 7. The systemd units, into which install.sh writes the prefix, and the licences.
mkdir -p "$tree/lib/systemd/user" "$tree/share/doc/vmx"
install -m 644 Sources/Packaging/Units/* "$tree/lib/systemd/user"
install -m 644 Sources/Packaging/copyright "$tree/share/doc/vmx/copyright"
packages=$(dirname "$(dirname "$built")")/checkouts
install -m 644 "$packages/swift-argument-parser/LICENSE.txt" "$tree/share/doc/vmx/Apache-2.0.txt"

# 8. Manual pages and completions, which the tools as SwiftPM links them describe.
PATH="$built:$PATH" sh Sources/Packaging/describe.sh "$tree"

mkdir -p "$(dirname "$out")"
rm -rf "$out"
mv "$tree" "$out"
