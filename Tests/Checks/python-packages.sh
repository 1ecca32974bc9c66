#!/bin/sh
# Installs the Python packages that stories use into .build/python, from PyPI: other programs'
# readers of what vmx writes. Prints one line if it installs them.
set -eu
cd "$(dirname "$0")/../.."
python=.build/python
! "$python/bin/python3" -c 'import bagit, mygpoclient' 2>/dev/null || exit 0
echo 'vmx: installing bagit mygpoclient (pip)'
mkdir -p .build
rm -rf "$python"
python3 -m venv "$python"
"$python/bin/pip" install -q --disable-pip-version-check bagit==1.9.0 mygpoclient==1.10
