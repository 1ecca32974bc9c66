#!/bin/sh
# Makes the tree that is installed: release.sh OUT
#
# A tool with the whole Swift runtime in it has 14 MB, and with the toolchain's ten runtime
# libraries beside it takes twice as long to start. So the tools share one library of our own: the
# static archives of the runtime put into libvmxrt, reduced to what the tools import. They find it
# by an $ORIGIN path, so the tree may stand anywhere. CONTRIBUTING.md has the figures.
#
# The build needs no change to the package: a resource folder for the compiler that is the
# toolchain's, except that each runtime library there stands for libvmxrt. libstdc++ stays the
# system's, since libsimdjson loads it anyway and two copies would be worse than one.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?where to?}
swift=${SWIFT:-swift}
work=.build/release-parts
version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' \
  Sources/Libraries/VmxModel/Tools/Toolbox.swift)
runtime=libvmxrt-${version:?}.so

# Modules of the runtime that our code or ArgumentParser imports. A missing one is a link error.
modules="swiftCore swift_Concurrency swift_StringProcessing swift_RegexParser swiftGlibc
  swiftSynchronization swift_Builtin_float FoundationEssentials _FoundationCollections
  _FoundationCShims dispatch BlocksRuntime"

# Of these only ArgumentParser uses anything: JSON for its --experimental-dump-help. A start asks
# dozens of times whether a type conforms to a protocol, each time looking through all records of
# conformances, and half of them are here: without them a tool starts in six sevenths of the time.
# Who uses more of them than the parser does needs the records; see the check below.
silent="FoundationEssentials _FoundationCollections swift_RegexParser"

resources=$("$swift" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
architecture=$("$swift" -print-target-info | sed -n 's/.*"triple": "\([^-"]*\)-.*/\1/p' | head -n 1)
static=${resources}_static/linux
toolchain=${resources%/lib/swift}/bin
clang=$toolchain/clang
[ -x "$clang" ] || clang=clang

# SwiftPM does not link again when only the stand-ins change: another toolchain, another folder.
key=$("$swift" --version 2>/dev/null; cat "$0"; echo "$runtime")
if [ "$(cat "$work/key" 2>/dev/null || true)" != "$key" ]; then
  rm -rf "$work"
  mkdir -p "$work"
  printf '%s\n' "$key" >"$work/key"
fi
work=$(cd "$work" && pwd)

link_runtime() { # FILE [more options]
  file=$1
  shift
  # -z muldefs: one C++ function stands in two of the archives. RELRO wants lld.
  # shellcheck disable=SC2046 # a list of names
  "$clang" -shared -fuse-ld=lld -o "$file" "$static/$architecture/swiftrt.o" -L"$work/silent" \
    -L"$static" \
    -Wl,-z,muldefs -Wl,--whole-archive $(printf -- '-l%s ' $modules) -Wl,--no-whole-archive \
    -lstdc++ -lm -Wl,-soname,"$runtime",--hash-style=gnu,--build-id,-Bsymbolic,-z,relro,-z,now \
    -Wl,-z,pack-relative-relocs "$@"
}

objcopy=$toolchain/llvm-objcopy
[ -x "$objcopy" ] || objcopy=objcopy
mkdir -p "$work/silent"
for module in $silent; do
  [ -e "$work/silent/lib$module.a" ] ||
    "$objcopy" -R swift5_protocol_conformances -R .relaswift5_protocol_conformances \
      "$static/lib$module.a" "$work/silent/lib$module.a"
done

stand_in="$work/resources/linux"
if [ ! -e "$work/stands" ]; then
  rm -rf "$work/resources"
  mkdir -p "$stand_in"
  for entry in "$resources"/*; do
    [ "${entry##*/}" = linux ] || ln -s "$entry" "$work/resources/"
  done
  for entry in "$resources"/linux/*; do
    case $entry in
      *.so) ;;
      *) ln -s "$entry" "$stand_in/" ;;
    esac
  done
  link_runtime "$stand_in/libvmxrt.so"
  for module in $modules; do
    [ ! -e "$resources/linux/lib$module.so" ] ||
      echo 'INPUT(-lvmxrt)' >"$stand_in/lib$module.so"
  done
  touch "$work/stands"
fi

"$swift" build -c release --scratch-path "$work/build" --disable-local-rpath \
  -Xswiftc -no-toolchain-stdlib-rpath -Xswiftc -resource-dir -Xswiftc "$work/resources" \
  -Xlinker '-rpath=$ORIGIN/../../lib/vmx' -Xlinker -z -Xlinker now
built=$("$swift" build -c release --scratch-path "$work/build" --show-bin-path)

new=$work/tree
rm -rf "$new"
mkdir -p "$new/bin" "$new/libexec/vmx" "$new/lib/vmx"
for tool in Sources/Commands/vmx-*; do
  tool=${tool##*/}
  strip -s -o "$new/libexec/vmx/$tool" "$built/$tool"
  chmod 755 "$new/libexec/vmx/$tool"
done

# The dispatcher is started before every tool and needs little of the runtime: linked statically,
# from the same objects, it costs a third of what it would with the shared one.
"$toolchain/swiftc" -static-executable "@$built/vmx.product/Objects.LinkFileList" \
  -Xlinker --defsym=main=vmx_main -Xlinker --gc-sections -o "$work/vmx" 2>"$work/log" ||
  { cat "$work/log" >&2 && exit 1; }
strip -s -o "$new/bin/vmx" "$work/vmx"
chmod 755 "$new/bin/vmx"

# The runtime again, with only what the tools ask it for.
{
  echo '{ global:'
  nm -D --undefined-only "$new"/libexec/vmx/* |
    awk '$1 == "U" && $2 !~ /@/ { print "\"" $2 "\";" }' | sort -u
  echo 'local: *; };'
} >"$work/needed.map"
if grep -E '20FoundationEssentials|12_RegexParser' "$work/needed.map" |
  grep -vE '20FoundationEssentials(11JSONEncoder|14LocalizedError|4Data)|\$sSS20FoundationEssentialsE'
then
  echo 'release.sh: a tool uses these of a module that was silenced: see there' >&2
  exit 1
fi
link_runtime "$work/$runtime" \
  "-Wl,--version-script=$work/needed.map,--undefined-version,--gc-sections"
strip -s -o "$new/lib/vmx/$runtime" "$work/$runtime"
chmod 644 "$new/lib/vmx/$runtime"

for tool in "$new"/bin/* "$new"/libexec/vmx/*; do
  env -i LD_BIND_NOW=1 "$tool" --help >/dev/null ||
    { echo "release.sh: '${tool##*/}' does not start" >&2 && exit 1; }
  case $tool in
    */bin/vmx) continue ;;
  esac
  env -i "$tool" --experimental-dump-help | grep -q '"command"' ||
    { echo "release.sh: '${tool##*/}' cannot tell its options" >&2 && exit 1; }
done

copy() { # FILE TARGET: does nothing where there is no such file
  [ ! -f "$1" ] || install -D -m 644 "$1" "$new/$2"
}
for page in man/*.[1-9]; do copy "$page" "share/man/man${page##*.}/${page##*/}"; done
for file in completions/*; do
  name=${file##*/}
  case $name in
    _*) copy "$file" "share/zsh/site-functions/$name" ;;
    *.fish) copy "$file" "share/fish/vendor_completions.d/$name" ;;
    *) copy "$file" "share/bash-completion/completions/${name%.bash}" ;;
  esac
done

mkdir -p "$(dirname "$out")"
rm -rf "$out"
mv "$new" "$out"
