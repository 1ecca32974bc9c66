#!/bin/sh
# Prints the manual page vmx-changes(7): the page in man/ with the entries of man/changes in place of
# the line @changes@. Each version has a folder there, with the file `about` and one file for each
# change, `NUMBER-WORDS`; versions and changes with higher numbers come first.
set -eu
cd "$(dirname "$0")/../.."

sed '/@changes@/,$d' man/vmx-changes.7
for version in $(ls man/changes | sort -rV); do
  echo ".SS $version"
  cat "man/changes/$version/about"
  for change in $(ls "man/changes/$version" | sort -rn | grep -v '^about$'); do
    echo '.IP \(bu 2'
    cat "man/changes/$version/$change"
  done
done
sed '1,/@changes@/d' man/vmx-changes.7
