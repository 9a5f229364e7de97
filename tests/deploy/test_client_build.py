"""The client's way into the wheel, on a small project of the same shape."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from deploy.client_build import NODE_WHEEL, build, is_built, needs, sources, vite_accepts

ROOT = Path(__file__).parents[2]

# Says how often it was run, so that a build left out can be told from one done again.
BUILD = """
const fs = require('fs')
const out = '../server/static'
fs.mkdirSync(out, { recursive: true })
fs.writeFileSync(out + '/index.html', '<html>' + fs.readFileSync('src/words') + '</html>')
fs.appendFileSync('.builds', 'x')
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Our own settings and hook around a client of one line and empty packages."""
    root = tmp_path / "project"
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "deploy/client_build.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    package = {"name": "client", "version": "1.0.0", "scripts": {"build": "node build.cjs"}}
    lock = {"name": "client", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": package}}
    for name, content in {
        "client/package.json": json.dumps(package),
        "client/package-lock.json": json.dumps(lock),
        "client/build.cjs": BUILD,
        "client/src/words": "hello",
        "engine/__init__.py": "",
        "server/__init__.py": "",
        "seeds/profiles/ru-3.toml": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    (root / "client" / "node_modules").mkdir()
    return root


def make(target: str, root: Path, out: Path, **env: str) -> Path:
    """The `wheel` or `sdist` of the project in `root`, made in this environment."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", out],
        cwd=root,
        env=os.environ | env,
        check=True,
    )
    (made,) = out.iterdir()
    return made


def builds(root: Path) -> int:
    """How often the client was built."""
    record = root / "client" / ".builds"
    return len(record.read_text()) if record.exists() else 0


@pytest.mark.parametrize(
    ("version", "accepted"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v20.20.2", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("", False),
        ("command not found", False),
    ],
)
def test_only_a_node_that_vite_runs_on_is_used(version: str, accepted: bool):  # noqa: FBT001
    assert vite_accepts(version) is accepted


def test_without_node_the_node_wheel_is_asked_for(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert needs() == [NODE_WHEEL]


def test_what_npm_installed_and_hidden_files_are_no_sources(project: Path):
    client = project / "client"
    (client / "node_modules" / "left-pad.js").touch()
    (client / ".cache").mkdir()
    (client / ".cache" / "x").touch()

    names = [file.relative_to(client).as_posix() for file in sources(client)]
    assert names == ["build.cjs", "package-lock.json", "package.json", "src/words"]


def test_a_client_is_built_once_for_the_same_sources(project: Path):
    build(project)
    assert is_built(project)

    (project / "client" / "src" / "words").write_text("goodbye")
    assert not is_built(project)


def test_a_client_that_was_deleted_is_not_built(project: Path):
    build(project)
    (project / "server" / "static" / "index.html").unlink()

    assert not is_built(project)


def test_the_stamp_is_not_among_the_files_that_are_served(project: Path):
    build(project)

    assert [file.name for file in (project / "server" / "static").iterdir()] == ["index.html"]


def test_the_wheel_carries_client_and_seeds(project: Path, tmp_path: Path):
    wheel = zipfile.ZipFile(make("wheel", project, tmp_path / "out"))

    assert wheel.read("server/static/index.html") == b"<html>hello</html>"
    assert "server/seeds/profiles/ru-3.toml" in wheel.namelist()
    assert not [name for name in wheel.namelist() if name.startswith(("client/", "tests/"))]


def test_a_wheel_made_again_does_not_build_again(project: Path, tmp_path: Path):
    make("wheel", project, tmp_path / "first")
    make("wheel", project, tmp_path / "second")

    assert builds(project) == 1


def test_a_wheel_made_from_the_sdist_needs_no_node(project: Path, tmp_path: Path):
    sdist = make("sdist", project, tmp_path / "sdist")
    (tmp_path / "unpacked").mkdir()
    subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path / "unpacked"], check=True)
    (unpacked,) = (tmp_path / "unpacked").iterdir()

    wheel = zipfile.ZipFile(make("wheel", unpacked, tmp_path / "wheel", PATH=str(tmp_path)))

    assert wheel.read("server/static/index.html") == b"<html>hello</html>"


def test_the_client_can_be_left_out(project: Path, tmp_path: Path):
    wheel = zipfile.ZipFile(make("wheel", project, tmp_path / "out", PRIKUP_SKIP_CLIENT="1"))

    assert builds(project) == 0
    assert not [name for name in wheel.namelist() if "static" in name]
