#!/bin/sh
# Make or complete the virtual environment: setup.sh PYTHON VENV EXTRAS
# Says in plain words what is missing on the machine. How pip finds packages is left to the machine's pip settings.
set -eu

python=$1
venv=$2
extras=$3

fail() {
    printf 'nxdc set-up: %s\n' "$1" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "there is no \`$python\`. Install Python 3.10 or newer, or name yours: make PYTHON=python3.12 ..."

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    fail "\`$python\` is $("$python" --version 2>&1); nxdc needs Python 3.10 or newer. Name another: make PYTHON=python3.12 ..."

found_cc=no
for candidate in ${CC:-cc gcc clang}; do
    if command -v "$candidate" >/dev/null 2>&1; then
        found_cc=yes
        break
    fi
done
[ "$found_cc" = yes ] ||
    fail "there is no C compiler (cc, gcc or clang), which links the programs. Debian, Ubuntu: apt-get install gcc libc6-dev"

if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import pip' >/dev/null 2>&1; then
    printf 'making the virtual environment %s\n' "$venv" >&2
    if ! log=$("$python" -m venv "$venv" 2>&1); then
        rm -rf "$venv"
        printf '%s\n' "$log" >&2
        fail "\`$python -m venv\` failed (above). Debian, Ubuntu: apt-get install python3-venv"
    fi
fi

target=.
[ -z "$extras" ] || target=".[$extras]"
printf 'installing nxdc%s\n' "${extras:+ with what $extras needs}" >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$target" ||
    fail "pip could not install the packages (above)."

touch "$venv/.run"
case ",$extras," in *,test,*) touch "$venv/.test" ;; esac
case ",$extras," in *,dev,*) touch "$venv/.dev" ;; esac
