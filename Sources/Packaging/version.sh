#!/bin/sh
# Prints the version of the packages of a built tree: version.sh TREE
#
# At the tag of a release it is that of the tools, which VmxModel/Tools/Version.swift states. At another
# commit it also names the commit, and is higher than that of the last release; `changed` means that the
# files differ from the commit. A release whose tag, version and manual disagree is refused.
set -eu
tree=$(cd "${1:?which tree?}" && pwd)
cd "$(dirname "$0")/../.."
version=$("$tree/bin/vmx" --version)
version=${version#vmx }
refuse() { echo "version.sh: $*" >&2 && exit 1; }

stated=$(sed -n 's/.*var text: String { "\(.*\)" }$/\1/p' Sources/Libraries/VmxModel/Tools/Version.swift)
[ "$stated" = "$version" ] || refuse "the tools are of $version, the source of $stated: run 'make release'"
[ -s "man/changes/$version/about" ] || refuse "vmx-changes(7) has no entry of $version"
if commit=$(git rev-parse --short=8 HEAD 2>/dev/null); then
  tags=$(git tag --points-at HEAD 'v[0-9]*')
  [ -z "$tags" ] || [ "$tags" = "v$version" ] || refuse "the tag is $tags, the tools are of $version"
  if [ -n "$tags" ]; then
    newest=$(ls man/changes | sort -V | tail -n 1)
    [ "$newest" = "$version" ] || refuse "vmx-changes(7) has changes of $newest already"
  else
    version=$version+git$(TZ=UTC0 git log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd).$commit
    git diff --quiet HEAD || version=$version.changed
  fi
fi
echo "$version"
