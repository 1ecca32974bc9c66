#!/bin/bash
# All torture tests in their long form, within an hour; KEEP=FOLDER keeps the libraries that failed.
# VMX_TEST_TOOLS names the folders of the tools to test, as in PATH. The default is the debug build,
# for which a million episodes are too many. Tests that need root or loop mounts are skipped with a
# message.
cd "$(dirname "$0")/../.." || exit
"${SWIFT:-swift}" build --product loopback-origin || exit
[ -n "${VMX_TEST_TOOLS:-}" ] || "${SWIFT:-swift}" build || exit
status=0
for script in Tests/Torture/[a-z]*.sh; do
  [ "${script##*/}" = run.sh ] || bash "$script" "$@" || status=1
done
exit "$status"
