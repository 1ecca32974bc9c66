#!/bin/bash
# All torture in its long form, within an hour; KEEP=FOLDER keeps the libraries that were not mended.
# VMX_TEST_TOOLS names the folders of the tools to try, as in PATH; else the debug build is tried,
# for which a million episodes are too many. What needs root or loop mounts skips with a word.
cd "$(dirname "$0")/../.." || exit
"${SWIFT:-swift}" build --product loopback-origin || exit
[ -n "${VMX_TEST_TOOLS:-}" ] || "${SWIFT:-swift}" build || exit
status=0
for script in Tests/Torture/[a-z]*.sh; do
  [ "${script##*/}" = run.sh ] || bash "$script" "$@" || status=1
done
exit "$status"
