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

# environment FOLDER WHAT: afterwards FOLDER is an environment in which WHAT, `.` or `.[dev]`,
# is installed, with the client built. Does nothing, and needs no network, if it already was.
environment() {
    now="$2 $(fingerprint)"
    if [ -f server/static/index.html ] && [ "$(cat "$1/installed" 2>/dev/null)" = "$now" ]; then
        return
    fi
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        give_up "This Python cannot make environments, its part ensurepip is missing." \
            "On Debian and its like: sudo apt-get install python3-venv"
    if ! "$1/bin/python" -m pip --version >/dev/null 2>&1; then
        say "Making a private environment in $1 ..."
        "$python" -m venv --clear "$1"
    fi
    say "Installing Prikup into $1 and building its client: ten seconds to a minute ..."
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$2" ||
        give_up "Prikup could not be installed; the lines above say why."
    say "$now" >"$1/installed"
}
