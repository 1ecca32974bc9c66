#!/bin/sh
# Writes the manual pages and the completions of the tools in PATH: describe.sh OUT
#
# The parsers of the tools are the only list of options: each tool prints its own with
# --experimental-dump-help, and its fields in the hint of `--fields ?`. `vmx help -a` lists the tools
# and their aliases, `vmx config list --all` the settings with words that are values. A page in man/ describes under OPTIONS only options that need more text than the
# help; the others are added here, and the version in the first line. Requires jq.
set -eu
umask 022
unset VMX_EXEC_PATH
cd "$(dirname "$0")/../.."
out=${1:?where to?}/share
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A temporary home: nothing here depends on a library, or changes one.
export HOME="$work" VMX_HOME="$work/vmx" XDG_CONFIG_HOME="$work" LC_ALL=C.UTF-8

vmx help -a >"$work/overview"
sed -n -e '/^Aliases$/q' -e 's/^  \([a-z][a-z-]*\) .*/\1/p' "$work/overview" | while read -r tool; do
  # A request that the tool accepts: an unknown field is reported before anything is done.
  case $tool in
    config) request=list ;;
    export) request='--all -o x.tar' ;;
    favourite | plugin) request=list ;;
    import) request=x.tar ;;
    mark) request='watched x/y' ;;
    migrate) request='--copy .' ;;
    whereis) request=x/y ;;
    *) request= ;;
  esac
  for mode in "$request" --list --keys; do
    # shellcheck disable=SC2086 # no mode is no argument
    vmx "$tool" $mode --json --fields '?' </dev/null 2>&1 || true
  done | jq -sR '[scan("available fields: ([a-z0-9_, ]+)")[0] | split(", ")[]]
    | reduce .[] as $one ([]; if index($one) then . else . + [$one] end)' >"$work/fields"
  vmx "$tool" --experimental-dump-help |
    jq -e --arg tool "$tool" --slurpfile fields "$work/fields" '.command + {$tool, fields: $fields[0]}
      | if .fields == [] and any(.arguments[]?.names[]?; .name == "fields")
        then error("\($tool): the fields of --fields are unknown") else . end'
done >"$work/dumps"
vmx config list --all --json | jq -s . >"$work/settings"
jq -L completions -s --rawfile overview "$work/overview" --slurpfile settings "$work/settings" \
  'include "describe"; tools($overview; $settings[0])' "$work/dumps" >"$work/tools"
print() { jq -L completions -r "$@" "$work/tools"; }

mkdir -p "$out/zsh/site-functions" "$out/fish/vendor_completions.d" \
  "$out/bash-completion/completions" "$out/man/man1" "$out/man/man5" "$out/man/man7"
complete() { # SHELL FILE: the script with the words of the tools in place of the line @words@
  print "include \"describe\"; $1" >"$work/words"
  sed -e "/@words@/{r $work/words
    d
  }" "completions/vmx.$1" >"$out/$2"
}
complete bash bash-completion/completions/vmx
complete zsh zsh/site-functions/_vmx
complete fish fish/vendor_completions.d/vmx.fish

version=$(vmx --version | sed 's/.* //')
sh Sources/Packaging/changes.sh >"$work/vmx-changes.7"
for page in man/*.[1-9]; do
  name=${page##*/}
  [ "$name" != vmx-changes.7 ] || page=$work/$name
  print --arg name "${name%.*}" --rawfile page "$page" 'include "describe"; page($name; $page)' \
    >"$work/page"
  sed "1s/@version@/$version/" "$work/page" >"$out/man/man${name##*.}/$name"
done
# The example plugins of the manual, as files.
mkdir -p "$out/doc/vmx/examples"
for plugin in vmx-notify vmx-rate; do
  awk -v part=$plugin -f Sources/Packaging/part.awk man/vmx-plugins.7 \
    >"$out/doc/vmx/examples/$plugin"
  chmod 755 "$out/doc/vmx/examples/$plugin"
done
print '.[] | select(.alias) | "\(.name) \(.alias)"' | while read -r name tool; do
  echo ".so man1/vmx-$tool.1" >"$out/man/man1/vmx-$name.1"
done
