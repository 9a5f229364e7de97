"""A hostile client beside a game of robots: what it says, and what came of it."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

from msgspec import Struct

from engine.events import PlayerSeated
from engine.history import Entry, past_of
from engine.views import Viewer
from server.identity import key_of
from server.log.codec import decode
from server.log.readonly import stored_in
from server.protocol import Ask
from server.rehearse.line import attend
from server.rehearse.report import Stopwatch, Tally
from server.rehearse.robot import Brief, Robot
from server.rehearse.rooms import Opened, open_rooms
from tests.bench.process import ROOT
from tests.crash.victim import Victim
from tests.fuzz.frames import Knows, any_token, broken, hello, text, unwelcome
from tests.fuzz.requests import handshake, request
from tests.fuzz.secrets import Secrets
from tests.fuzz.wire import Heard, Wire
from tests.soak.gauges import Gauges, gauges

SIDE_BY_SIDE = 16
"""Connections of the hostile client at a time."""

THINK = 0.05
"""Seconds a robot thinks, so that its game goes on all the time and is not what is measured."""

OWN_ROOM = 0.15
"""So many of the hostile connections go to a room in which the client has all the seats."""

REQUESTS = 0.2
"""So many of the connections never become a socket."""

POLITE = 16
"""Frames that are valid in themselves on each socket, on average, before a broken one."""

PATIENCE = 10.0
"""Seconds to wait for an answer; a connection that is held back is left then."""

CHECK_EVERY = 3.0
"""Seconds between two looks at what was heard."""

SETTLES_WITHIN = 20.0
"""Seconds after which no connection of the client is left on the server, however it ended."""

_PROPOSAL = re.compile(rb'"id":"([0-9a-zA-Z_-]{8,64})","kind"')


class Harm(Exception):  # noqa: N818  # reads as what is the case
    """The server came to harm, or did some; the text says which."""


class Figures(Struct, frozen=True, kw_only=True):
    """One look at the server, after so many frames of the hostile client."""

    frames: int
    seconds: float
    held: Gauges


class Outcome(Struct, frozen=True, kw_only=True):
    """What an assault came to."""

    kinds: dict[str, int]
    """What was sent: frames on sockets, valid and broken, requests, connections."""
    closes: dict[str, int]
    """How the server ended its sockets."""
    figures: list[Figures]
    before: Gauges
    after: Gauges
    """When all connections of the client are gone again."""
    entries: int
    """What the robots have played meanwhile."""
    own_entries: int
    """What the client could do where it has the seats."""
    looked_at: int
    """Different frames to the client that were searched for secrets."""


class Player(Robot):
    """A robot that remembers what it asked for and passes on what it hears."""

    def __init__(self, number: int, brief: Brief, heard: Callable[[Viewer, int, bytes], None]):
        super().__init__(number, brief)
        self.said: set[str] = set()
        self._heard_by = heard
        self._shown = 0

    @property
    def token(self) -> str:
        return self._token

    def heard(self, frame: bytes) -> None:
        super().heard(frame)
        me = None if self._table is None else self._table.me
        self._heard_by(me, self._shown, frame)
        for seq in re.findall(rb'\{"type":"update","seq":(\d+)', frame):
            self._shown = int(seq)

    def _say(self, ask: Ask) -> None:
        self.said.add(ask.id)
        super()._say(ask)


class Assault:
    """Everything against one server, which answers."""

    def __init__(self, victim: Victim, chance: Random, tell: Callable[[Figures], None]) -> None:
        self.kinds: Counter[str] = Counter()
        self.closes: Counter[str] = Counter()
        self.figures: list[Figures] = []
        self._victim = victim
        self._chance = chance
        self._tell = tell
        self._tally = Tally()
        self._players: list[Player] = []
        self._own = tuple(any_token(chance) for _ in range(3))
        self._knows = Knows(self._own, [])
        self._heard: set[tuple[Viewer, int, bytes]] = set()
        self._looked_at = 0
        self._began = time.monotonic()

    @property
    def frames(self) -> int:
        return self.kinds["valid frames"] + self.kinds["broken frames"] + self.kinds["requests"]

    async def run(self, frames: int) -> Outcome:
        """At least so many frames were sent.

        Raises:
            Harm: something was not as it must be.
        """
        game, own = await asyncio.to_thread(open_rooms, self._victim.url, 2, "ru-3")
        self._secrets = Secrets(game.players)
        async with self._playing(game):
            await self._until_dealt(game)
            before = await self._settled()
            await self._attack_all(game.code, own.code, frames)
            after = await self._settled(before)
            self._check_told(game.code)
        self._check_output()
        return Outcome(
            kinds=dict(self.kinds),
            closes=dict(self.closes),
            figures=self.figures,
            before=before,
            after=after,
            entries=self._check_game(game),
            own_entries=past_of(self._log(own.code)).seq,
            looked_at=self._looked_at,
        )

    # The robots.

    @asynccontextmanager
    async def _playing(self, game: Opened) -> AsyncIterator[None]:
        brief = Brief(
            code=game.code,
            games=1_000_000,
            think=THINK,
            tally=self._tally,
            stopwatch=Stopwatch(game.players, []),
            chance=self._chance,
        )
        self._players = [Player(number, brief, self._hear_all) for number in range(game.players)]
        attending = [
            asyncio.create_task(attend(player, game.uri, self._tally)) for player in self._players
        ]
        try:
            yield
        finally:
            for task in attending:
                task.cancel()
            await asyncio.gather(*attending, return_exceptions=True)

    async def _until_dealt(self, game: Opened) -> None:
        async with asyncio.timeout(PATIENCE * 3):
            while len(self._log(game.code)) < 10:  # noqa: ASYNC110  # a log offers nothing else
                await asyncio.sleep(0.05)

    # The hostile client.

    async def _attack_all(self, game: str, own: str, frames: int) -> None:
        for token in self._own:
            await self._visit(own, [{"type": "join", "name": "Mallory", "token": token}])
        looking = asyncio.create_task(self._look(game, frames))
        attacks = [
            asyncio.create_task(self._attack(game, own, frames)) for _ in range(SIDE_BY_SIDE)
        ]
        try:
            await asyncio.gather(looking, *attacks)
        finally:
            for task in (looking, *attacks):
                task.cancel()

    async def _attack(self, game: str, own: str, frames: int) -> None:
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
        chance, heard = self._chance, self._hear_public
        wire = await self._connect(heard)
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
            self._check_bytes(bytes(wire.said))
        finally:
            wire.end()

    async def _connect(self, heard: Heard) -> Wire | None:
        loop = asyncio.get_running_loop()
        self.kinds["connections"] += 1
        try:
            _, wire = await loop.create_connection(
                lambda: Wire(heard), "127.0.0.1", self._victim.port
            )
        except OSError as error:
            if not self._victim.lives:
                raise Harm("the server is gone") from error
            return None
        return wire

    # What is heard.

    def _hear_all(self, viewer: Viewer, shown: int, frame: bytes) -> None:
        self._heard.add((viewer, shown, frame))

    def _hear_public(self, shown: int, frame: bytes) -> None:
        self._check_bytes(frame)
        self._knows.proposals[:] = [one.decode() for one in _PROPOSAL.findall(frame)] or (
            self._knows.proposals
        )
        self._heard.add((None, shown, frame))

    def _hear_own(self, _shown: int, frame: bytes) -> None:
        self._check_bytes(frame)
        self._knows.proposals.extend(one.decode() for one in _PROPOSAL.findall(frame))
        del self._knows.proposals[:-8]

    def _check_bytes(self, said: bytes) -> None:
        """Nothing that belongs to somebody else, or to the inside of the server, is in `said`."""
        for secret in (*(one.token.encode() for one in self._players), b"Traceback", _ROOT):
            if secret in said:
                raise Harm(f"the client was told {secret!r}")

    # What has come of it.

    async def _look(self, code: str, frames: int) -> None:
        """Search what was heard now and then, and look at the server."""
        while self.frames < frames:
            await asyncio.sleep(CHECK_EVERY)
            self._check_told(code)
            if not self._victim.lives:
                raise Harm("the server is gone")
            seconds, held = time.monotonic() - self._began, gauges(self._victim.pid)
            self.figures.append(Figures(frames=self.frames, seconds=seconds, held=held))
            self._tell(self.figures[-1])

    def _check_told(self, code: str) -> None:
        heard, self._heard = self._heard, set()
        known = self._secrets.seq
        self._secrets.read_on(map(decode, stored_in(self._victim.data, code)[known:]))
        for viewer, shown, frame in heard:
            if leaked := self._secrets.told(viewer, shown, frame):
                raise Harm(f"{viewer} was told {sorted(leaked)}: {frame.decode()}")
        self._looked_at += len(heard)

    async def _settled(self, before: Gauges | None = None) -> Gauges:
        """The server as it is when it has no connections but those of the robots.

        Raises:
            Harm: some are left, or more files are open than `before`.
        """
        deadline = time.monotonic() + SETTLES_WITHIN
        while time.monotonic() < deadline:
            health, held = await self._victim.answers(), gauges(self._victim.pid)
            files = held.files if before is None else before.files
            if health.connections == len(self._players) and held.files <= files:
                return held
            await asyncio.sleep(0.2)
        raise Harm(f"connections are left: {await self._victim.answers()}, {held}, was {before}")

    def _check_output(self) -> None:
        said = self._victim.output.read_text(errors="replace")
        if "Traceback" in said:
            raise Harm(f"the server failed: {said[said.index('Traceback') - 500 :][:5000]}")

    def _check_game(self, game: Opened) -> int:
        """How many entries the robots' game has; all of them are theirs.

        Raises:
            Harm: one is not, or the robots met errors.
        """
        entries = self._log(game.code)
        past_of(entries)
        keys = {key_of(player.token): player for player in self._players}
        for entry in entries:
            if entry.ask is not None and entry.ask.id not in keys[entry.ask.key].said:
                raise Harm(f"entry {entry.seq} was asked for by somebody else")
            if any(isinstance(f, PlayerSeated) and f.key not in keys for f in entry.happened):
                raise Harm(f"in entry {entry.seq} somebody else sat down")
        if self._tally.errors or self._tally.reconnects:
            raise Harm(f"robots met {dict(self._tally.errors)}, {self._tally.reconnects} came back")
        return len(entries)

    def _log(self, code: str) -> list[Entry]:
        return [decode(stored) for stored in stored_in(self._victim.data, code)]


_ROOT = str(ROOT).encode()


def _some(chance: Random) -> int:
    """A number around `POLITE`."""
    return chance.randint(0, 2 * POLITE)
