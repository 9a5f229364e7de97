"""How connections come in: over real sockets."""

import asyncio
import errno
import itertools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server import door
from server.door import Door
from server.limits import Limits, Rate
from server.strangers import Strangers
from tests.server.clock import Clock


class Line(asyncio.Protocol):
    """A connection that was let in."""


class Way:
    """A listener with a door, and everybody who was let in."""

    def __init__(self, limits: Limits) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.strangers = Strangers(limits, Clock())
        self.lines: list[Line] = []
        self.door = Door(self.listener, self.strangers, self.line)
        self._there: list[socket.socket] = []

    def line(self) -> Line:
        self.lines.append(Line())
        return self.lines[-1]

    def come(self, count: int) -> list[socket.socket]:
        """So many connections wait in the system's queue."""
        coming = [socket.create_connection(self.listener.getsockname()) for _ in range(count)]
        self._there += coming
        return coming

    async def until_let_in(self, count: int) -> None:
        async with asyncio.timeout(5):
            while len(self.lines) < count:  # noqa: ASYNC110  # a door offers nothing to wait for
                await asyncio.sleep(0)

    def close(self) -> None:
        self.door.close()
        self.listener.close()
        for one in self._there:
            one.close()


@asynccontextmanager
async def way(limits: Limits | None = None) -> AsyncIterator[Way]:
    made = Way(limits or Limits())
    made.door.open()
    try:
        yield made
    finally:
        made.close()
        await asyncio.sleep(0)


async def test_everybody_who_waits_is_let_in_a_few_in_a_turn():
    async with way() as house:
        house.come(3 * door.LET_IN)
        counts = [0]
        async with asyncio.timeout(5):
            while counts[-1] < 3 * door.LET_IN:
                await asyncio.sleep(0)
                counts.append(len(house.lines))

    assert max(b - a for a, b in itertools.pairwise(counts)) <= door.LET_IN


async def test_whoever_comes_too_often_is_cut_before_a_line_is_made():
    async with way(Limits(own_machine=True, connects=Rate(2, 0.001))) as house:
        coming = house.come(40)
        await house.until_let_in(2)
        await asyncio.sleep(0)
        cut = 0
        for one in coming[2:]:
            one.settimeout(5)
            with pytest.raises(ConnectionError):
                one.recv(1)
            cut += 1

        assert cut == 38
        assert len(house.lines) == 2


class NoFiles(socket.socket):
    """A listener for which the system has no file, so many times."""

    fails = 3

    def accept(self) -> tuple[socket.socket, object]:
        if self.fails > 0:
            self.fails -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


async def test_where_the_system_has_no_files_it_is_tried_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(door, "NO_FILES", 0.001)
    house = Way(Limits())
    poor = NoFiles(fileno=house.listener.detach())
    house.listener = poor
    house.door = Door(poor, house.strangers, house.line)
    house.door.open()
    try:
        house.come(1)
        await house.until_let_in(1)
    finally:
        house.close()

    assert poor.fails == 0


async def test_a_door_that_was_closed_is_not_opened_again():
    house = Way(Limits())
    house.door.open()
    house.close()
    house.door.open()

    assert house.lines == []
