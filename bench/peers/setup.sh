#!/bin/sh
# Makes the virtual environment that the peers run in.
#
# usage: bench/peers/setup.sh [FOLDER]      default: build/peers
#
# Uses pip as it is configured on this machine.  Nothing of it is part of the
# product; `rm -r` the folder to undo it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../build/peers}
python=${PYTHON:-python3}
if [ -x "$folder/bin/python" ] &&
    "$folder/bin/python" -c 'import ortools, highspy' >/dev/null 2>&1; then
    echo "peers: $folder is ready"
    exit 0
fi
mkdir -p "$folder"
"$python" -m venv "$folder"
"$folder/bin/python" -m pip install -q -r "$here/requirements.txt"
"$folder/bin/python" -c 'import ortools, highspy' >/dev/null
echo "peers: installed into $folder"
