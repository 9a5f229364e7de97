# For run and check to read: private Python environments, made once and renewed when needed.
# The working directory is the top of the repository.

say() { printf '%s\n' "$*"; }
give_up() { printf '%s\n' "$*" >&2; exit 1; }

# Prints the first Python that is new enough.
find_python() {
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            say "$candidate"
            return
        fi
    done
    give_up "Prikup needs Python 3.11 or later, and found none. Set PYTHON to say where it is."
}

# A number that changes when an installation made earlier no longer fits what lies here.
fingerprint() {
    {
        pwd
        find client pyproject.toml deploy/client_build.py \
            \( -name node_modules -o -name '.*' \) -prune -o -type f -print |
            LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum
    } | cksum
}

# make_environment FOLDER PYTHON: afterwards FOLDER is an environment with pip in it.
make_environment() {
    if "$2" -c 'import ensurepip' 2>/dev/null; then
        "$2" -m venv --clear "$1"
    else
        { "$2" -m venv --clear --without-pip "$1" && fetch_pip "$1"; } ||
            give_up "This Python lacks its part ensurepip, and pip could not be fetched." \
                "On Debian and its like: sudo apt-get install python3-venv"
    fi
}

# Debian and its like keep ensurepip, and the pip inside it, in a package that may be missing.
pip_wheel=https://files.pythonhosted.org/packages/44/3c/d717024885424591d5376220b5e836c2d5293ce2011523c9de23ff7bf068/pip-25.3-py3-none-any.whl
pip_digest=9655943313a94722b7774661c21049070f6bbb0a1516bf02f7c8d5d9201514cd

# fetch_pip FOLDER: the environment in FOLDER has the pip named above.
fetch_pip() {
    wheel="$1/${pip_wheel##*/}"
    "$1/bin/python" - "$pip_wheel" "$pip_digest" "$wheel" <<'END' &&
import hashlib, pathlib, sys, urllib.request
url, digest, file = sys.argv[1:]
try:
    wheel = urllib.request.urlopen(url, timeout=60).read()
except OSError as error:
    sys.exit(f"{url}: {error}")
if hashlib.sha256(wheel).hexdigest() != digest:
    sys.exit(f"{url}: not what was expected")
pathlib.Path(file).write_bytes(wheel)
END
        "$1/bin/python" "$wheel/pip" install --quiet --no-index "$wheel" && rm "$wheel"
}

# environment FOLDER WHAT: afterwards FOLDER is an environment in which WHAT, `.` or `.[dev]`,
# is installed, with the client built. Does nothing, and needs no network, if it already was.
environment() {
    now="$2 $(fingerprint)"
    if [ -f server/static/index.html ] && [ "$(cat "$1/installed" 2>/dev/null)" = "$now" ]; then
        return
    fi
    python=$(find_python)
    if ! "$1/bin/python" -m pip --version >/dev/null 2>&1; then
        say "Making a private environment in $1 ..."
        make_environment "$1" "$python"
    fi
    say "Installing Prikup into $1 and building its client: ten seconds to a minute ..."
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$2" ||
        give_up "Prikup could not be installed; the lines above say why."
    say "$now" >"$1/installed"
}
