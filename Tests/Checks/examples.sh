#!/bin/bash
# Checks the types of what no build compiles, against the modules of the last debug build: the
# examples of the docstrings of all libraries, and the fuzz targets. An error names the line of the
# docstring. Prints the time and the number of examples.
set -u
cd "$(dirname "$0")/../.." || exit
swift=${SWIFT:-swift}
build=$("$swift" build --show-bin-path) || exit
file=.build/examples.swift
# The package manager names the package after the folder of the clone.
package=$(grep -o '"-module-name","VmxModel".*' .build/debug.yaml |
  sed -nE 's/.*"-package-name","([^"]*)".*/\1/p' | head -n 1)

# Modules in the order of their names; all of them, since an example may use any. VmxKit has names of
# its own for the types of others; its tests build its example.
{
  echo 'import SystemPackage'
  echo 'import ArgumentParser'
  for library in $(ls -d Sources/Libraries/*/ | grep -v /VmxKit/); do echo "@testable import $(basename "$library")"; done
  cat <<'EOF'

@discardableResult func elided<T>() -> T { fatalError() }
func elided() {}

EOF
  find Sources/Libraries -name '*.swift' ! -path '*/VmxKit/*' | LC_ALL=C sort |
    xargs awk -f Tests/Checks/examples.awk Tests/Checks/examples.txt
} >"$file"

# What the package manager gives the compiler for the C modules that ours import.
flags=()
for map in "$build"/C*.build/module.modulemap Sources/CModules/*/module.modulemap \
  .build/checkouts/swift-system/Sources/CSystem/include/module.modulemap; do
  flags+=(-Xcc "-fmodule-map-file=$map" -Xcc -I -Xcc "$(dirname "$map")")
done
for folder in Sources/CModules/*/include; do flags+=(-Xcc -I -Xcc "$folder"); done
# shellcheck disable=SC2207 # one flag a word
flags+=($(pkg-config --cflags libxml-2.0 libcurl libarchive libcrypto))

check() { # MODULE, file…
  local module=$1
  shift
  "${swift}c" -typecheck -diagnostic-style llvm -suppress-warnings -parse-as-library \
    -swift-version 6 -package-name "${package:-vmx}" -module-name "$module" \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -I "$build/Modules" \
    -module-cache-path "$build/ModuleCache" "${flags[@]}" "$@"
}

start=$SECONDS
check Examples "$file" || exit
# `make fuzz` alone builds its targets, so a renamed declaration is found here.
check Fuzzing Tests/Fuzz/*.swift || exit
echo "$(grep -c '^func example[0-9]' "$file") examples and the fuzz targets compile, in $((SECONDS - start)) s"
