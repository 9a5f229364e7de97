"""The hostile client: its connections, and what it says on them."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from random import Random

from tests.fuzz.frames import Knows, any_token, broken, hello, text, unwelcome
from tests.fuzz.requests import handshake, request
from tests.fuzz.wire import Heard, Wire

OWN_ROOM = 0.15
"""So many of the hostile connections go to a room in which the client has all the seats."""

REQUESTS = 0.2
"""So many of the connections never become a socket."""

POLITE = 16
"""Frames that are valid in themselves on each socket, on average, before a broken one."""

PATIENCE = 10.0
"""Seconds to wait for an answer; a connection that is held back is left then."""

RELAPSE = 0.05
"""Seconds after a connection that was refused."""

_PROPOSAL = re.compile(rb'"id":"([0-9a-zA-Z_-]{8,64})","kind"')


class Hostile:
    """A client of the server at `port`: a watcher of one room, with all the seats in another.

    `heard` gets what it is sent as a watcher, and `look_at` every byte.
    """

    def __init__(
        self, port: int, chance: Random, heard: Heard, look_at: Callable[[bytes], None]
    ) -> None:
        self.kinds: Counter[str] = Counter()
        self.closes: Counter[str] = Counter()
        self._port = port
        self._chance = chance
        self._heard = heard
        self._look_at = look_at
        self._own = tuple(any_token(chance) for _ in range(3))
        self._knows = Knows(self._own, [])

    @property
    def frames(self) -> int:
        """All that was sent, frames on sockets and requests."""
        return self.kinds["valid frames"] + self.kinds["broken frames"] + self.kinds["requests"]

    async def sit_down(self, own: str) -> None:
        """Its room is full of it."""
        for token in self._own:
            await self._visit(own, [{"type": "join", "name": "Mallory", "token": token}])

    async def attack(self, game: str, own: str, frames: int) -> None:
        """One connection after the other, until so many frames were sent on this and others."""
        while self.frames < frames:
            if self._chance.random() < REQUESTS:
                await self._request((game, own))
            elif self._chance.random() < OWN_ROOM:
                await self._visit(own, self._sits())
            else:
                await self._visit(game, self._stands(), self._hear_public)

    def _sits(self) -> list[dict[str, object]]:
        """A hello with which the client has seats in its own room; it may have left them."""
        token = self._chance.choice(self._own)
        tokens = self._chance.choice(([], list(self._own)))
        return [{"type": "join", "name": "Mallory", "token": token, "tokens": tokens}]

    def _stands(self) -> list[dict[str, object]]:
        """Hellos, of which the last lets the client in, unless one before it does; or none."""
        tries = [hello(self._chance, self._knows) for _ in range(self._chance.choice((0, 0, 0, 1)))]
        return [*tries, {"type": "watch"}] if self._chance.random() < 0.95 else []

    async def _visit(
        self, code: str, hellos: list[dict[str, object]], heard: Heard | None = None
    ) -> None:
        """A socket to room `code` on which much is said; all of it counts once it was sent."""
        chance = self._chance
        wire = await self._connect(heard or self._hear_own)
        if wire is None:
            return
        try:
            wire.write(handshake(code))
            if not await wire.until(lambda: wire.is_socket, PATIENCE):
                self.closes["no socket"] += 1
                return
            valid = [*hellos, *(unwelcome(chance, self._knows) for _ in range(_some(chance)))]
            wire.write(b"".join(map(text, valid)) + text({"type": "ping", "n": 7}))
            self.kinds["valid frames"] += len(valid) + 1
            pings = 1 + sum(message["type"] == "ping" for message in valid)
            await wire.until(lambda: wire.pongs >= pings or wire.code is not None, PATIENCE)
            for _ in range(chance.choice((1, 1, 2))):
                wire.write(broken(chance, self._knows))
                self.kinds["broken frames"] += 1
            if chance.random() < 0.9:
                await wire.until(lambda: wire.code is not None, 0.2)
            self.closes[str(wire.code)] += 1
        finally:
            wire.end()

    async def _request(self, codes: tuple[str, ...]) -> None:
        """A connection with some requests, all at once, dribbling, broken off or half closed."""
        chance = self._chance
        wire = await self._connect(self._hear_public)
        if wire is None:
            return
        try:
            said = [request(chance, codes) for _ in range(chance.choice((1, 1, 2, 5)))]
            self.kinds["requests"] += len(said)
            manner = chance.random()
            if manner < 0.05:
                for at in range(0, len(said[0]), 1 + len(said[0]) // 5):
                    wire.write(said[0][at : at + 1 + len(said[0]) // 5])
                    await asyncio.sleep(0.02)
            wire.write(b"".join(said))
            if manner > 0.9 and wire.transport is not None and not wire.transport.is_closing():
                wire.transport.write_eof()
            if manner < 0.8:
                await wire.until(lambda: bool(wire.said), 0.1)
            self._look_at(bytes(wire.said))
        finally:
            wire.end()

    async def _connect(self, heard: Heard) -> Wire | None:
        loop = asyncio.get_running_loop()
        self.kinds["connections"] += 1
        try:
            _, wire = await loop.create_connection(lambda: Wire(heard), "127.0.0.1", self._port)
        except OSError:
            await asyncio.sleep(RELAPSE)  # whether the server is gone, others find out
            return None
        return wire

    def _hear_public(self, shown: int, frame: bytes) -> None:
        self._look_at(frame)
        self._knows.proposals[:] = [one.decode() for one in _PROPOSAL.findall(frame)] or (
            self._knows.proposals
        )
        self._heard(shown, frame)

    def _hear_own(self, _shown: int, frame: bytes) -> None:
        self._look_at(frame)
        self._knows.proposals.extend(one.decode() for one in _PROPOSAL.findall(frame))
        del self._knows.proposals[:-8]


def _some(chance: Random) -> int:
    """A number around `POLITE`."""
    return chance.randint(0, 2 * POLITE)
