#!/bin/sh
# Prints the changelog of the Debian package, from man/changes: changelog.sh VERSION EPOCH
#
# The date of an earlier release is that of its `about`, else EPOCH.
set -eu
cd "$(dirname "$0")/../../.."
package=${1:?which version?} epoch=${2:?what time?}
plain='s/\\f[BIRP]//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(en/-/g; s/\\&//g; s/\\e/\\/g'

for version in $(ls man/changes | sort -rV); do
  time=$epoch
  if [ -n "$package" ]; then
    title=$package
    package=
  else
    title=$version
    time=$(git log -1 --format=%ct -- "man/changes/$version/about" 2>/dev/null) || time=
    [ -n "$time" ] && [ "$time" -le "$epoch" ] || time=$epoch
  fi
  printf 'vmx (%s) unstable; urgency=medium\n\n' "$title"
  for change in $(ls "man/changes/$version" | sort -rn | grep -v '^about$'); do
    grep -v '^[.]' "man/changes/$version/$change" | sed -e "$plain" | tr -s '\n' ' ' | fmt -w 74 |
      sed -e '1s/^/  * /' -e '2,$s/^/    /' -e 's/ *$//'
  done
  [ "$(ls "man/changes/$version")" != about ] || echo '  * The first release.'
  printf '\n -- The vmx authors <vmx@vmx.invalid>  %s\n\n' \
    "$(LC_ALL=C date -u -d "@$time" '+%a, %d %b %Y %H:%M:%S +0000')"
done
