"""A server in a process of its own that is there within milliseconds, to be killed and started.

Each is forked from a process that has loaded the code, so that a kill can hit it while it opens
its log and not only while it loads modules.
"""

import asyncio
import multiprocessing
import os
import random
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from server import serve
from server.app import create_app
from server.config import STATIC, Config
from server.http_messages import Health
from server.limits import Limits

STARTS_WITHIN = 60.0
"""Seconds for a server to answer; for what hangs."""

PORTS = (20_000, 32_000)
"""Below those that systems take for the near end of a connection."""

USUAL = Limits()

PINGS = (serve.PING_EVERY, serve.PONG_WITHIN)
"""Seconds between the pings of a line, and for an answer to one."""

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.crash.victim"])


class Victim:
    """`prikup serve` on the games in `data`, always at the same port of loopback.

    What it says is in `output`. It has the usual limits and pings, and the client that is built,
    unless others are given.
    """

    def __init__(
        self,
        data: Path,
        output: Path,
        limits: Limits = USUAL,
        static: Path = STATIC,
        pings: tuple[float, float] = PINGS,
    ) -> None:
        self.port = _free_port()
        self.data = data
        self.output = output
        self.url = f"http://127.0.0.1:{self.port}"
        self._limits = limits
        self._static = static
        self._pings = pings
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """The process is on its way; it need not answer yet."""
        config = Config(data=self.data, host="127.0.0.1", port=self.port)
        arguments = (config, self._limits, self._static, self._pings, self.output)
        self._process = _processes.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()

    def kill(self) -> None:
        """The process is gone, and what it had written is there."""
        self.end()
        if self._process is not None:
            self._process.join()

    def end(self) -> None:
        """The process will be gone; nothing is waited for."""
        if self._process is not None:
            self._process.kill()

    def fill_disk(self) -> None:
        """From now on nothing that this process writes is taken, as by a disk that is full."""
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (0, 0))

    @property
    def pid(self) -> int:
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    @property
    def lives(self) -> bool:
        return self._process is not None and self._process.is_alive()

    async def answers(self) -> Health:
        """How the server is, as soon as it answers.

        Raises:
            RuntimeError: it ends instead.
        """
        async with asyncio.timeout(STARTS_WITHIN):
            while True:
                with suppress(OSError, asyncio.IncompleteReadError):
                    return await self._health()
                if not self.lives:
                    raise RuntimeError(self.output.read_text())
                await asyncio.sleep(0.01)

    async def _health(self) -> Health:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            return msgspec.json.decode(await reader.readexactly(int(length)), type=Health)
        finally:
            writer.transport.abort()


def _free_port() -> int:
    """One that the system gives to no outgoing connection while no server listens there."""
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


@asynccontextmanager
async def served(
    folder: Path,
    limits: Limits = USUAL,
    static: Path = STATIC,
    pings: tuple[float, float] = PINGS,
) -> AsyncIterator[Victim]:
    """A server that answers, with all its files in `folder`; killed afterwards."""
    victim = Victim(folder / "data", folder / "output", limits, static, pings)
    victim.start()
    try:
        await victim.answers()
        yield victim
    finally:
        victim.kill()


def _serve(
    config: Config, limits: Limits, static: Path, pings: tuple[float, float], output: Path
) -> None:
    with output.open("ab", buffering=0) as out:
        for stream in (1, 2):
            os.dup2(out.fileno(), stream)
    vars(serve)["create_app"] = partial(create_app, static=static, limits=limits)
    vars(serve)["PING_EVERY"], vars(serve)["PONG_WITHIN"] = pings
    serve.serve(config)
