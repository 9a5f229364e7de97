"""Private environments, also where Python comes without the pip for them."""

import ensurepip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Ours is read first, then a wheel at hand is named instead of the one on the internet.
SCRIPT = """
set -eu
. deploy/environment.sh
pip_wheel=$3
pip_digest=$4
make_environment "$1" "$2"
"""


@pytest.fixture
def wheel() -> Path:
    """The pip that lies beside Python."""
    for folder in (Path(ensurepip.__file__).parent / "_bundled", Path("/usr/share/python-wheels")):
        for found in folder.glob("pip-*.whl"):
            return found
    pytest.skip("this Python keeps its pip elsewhere")


def make_environment(folder: Path, wheel: Path, digest: str) -> subprocess.CompletedProcess[str]:
    """`folder` becomes an environment, made by a Python without ensurepip."""
    lacking = folder.parent / "lacking"
    lacking.mkdir()
    (lacking / "ensurepip.py").write_text("raise ImportError")
    return subprocess.run(
        ["sh", "-c", SCRIPT, "sh", folder, sys.executable, wheel.as_uri(), digest],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(lacking)},
    )


def test_without_ensurepip_pip_is_fetched(tmp_path: Path, wheel: Path):
    folder = tmp_path / "environment"

    made = make_environment(folder, wheel, hashlib.sha256(wheel.read_bytes()).hexdigest())

    assert (made.returncode, made.stderr) == (0, "")
    told = subprocess.check_output([folder / "bin" / "python", "-m", "pip", "--version"], text=True)
    assert told.startswith(f"pip {wheel.name.split('-')[1]} from {folder}")


def test_another_pip_than_the_one_expected_is_not_run(tmp_path: Path, wheel: Path):
    folder = tmp_path / "environment"

    made = make_environment(folder, wheel, "0" * 64)

    assert made.returncode == 1
    assert "not what was expected" in made.stderr
    assert "sudo apt-get install python3-venv" in made.stderr
    assert not list(folder.rglob("pip*"))
