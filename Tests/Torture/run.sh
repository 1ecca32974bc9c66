#!/bin/bash
# All torture in its long form; takes minutes. KEEP=FOLDER keeps the libraries that were not mended.
cd "$(dirname "$0")/../.." || exit
"${SWIFT:-swift}" build || exit
status=0
for script in Tests/Torture/[a-z]*.sh; do
  [ "${script##*/}" = run.sh ] || bash "$script" "$@" || status=1
done
exit "$status"
