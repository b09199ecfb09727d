#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Empties build, but for build/nightly, unless a run is using it: utils/processes.py holds the lock meanwhile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ ! -d build ]]; then exit 0; fi
lock=build/.in-use
if type -P flock >/dev/null; then
    exec 9>>"$lock"
    if ! flock -xn 9; then
        pids=$(awk -v inode=":$(stat -c %i "$lock")" '$2 == "FLOCK" && index($6, inode) { printf " %s", $5 }' /proc/locks)
        echo "error: build is in use (process${pids:- unknown}): wait until that has ended, then try again" >&2
        exit 2
    fi
fi
find build -mindepth 1 -maxdepth 1 ! -name nightly -exec rm -rf {} +
find build -maxdepth 0 -empty -delete
