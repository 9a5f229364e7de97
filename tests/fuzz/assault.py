"""A hostile client beside a game of robots: what it says, and what came of it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

from msgspec import Struct

from engine.history import Entry, past_of
from engine.views import Viewer
from server.identity import key_of
from server.log.codec import entries_of
from server.log.readonly import stored_in
from server.rehearse.line import attend
from server.rehearse.report import Stopwatch, Tally
from server.rehearse.robot import Brief
from server.rehearse.rooms import Opened, open_rooms
from tests.bench.process import ROOT
from tests.crash.victim import Victim
from tests.fuzz.game import Player, not_theirs
from tests.fuzz.hostile import Hostile
from tests.fuzz.secrets import Secrets
from tests.soak.gauges import Gauges, gauges

SIDE_BY_SIDE = 16
"""Connections of the hostile client at a time."""

THINK = 0.05
"""Seconds a robot thinks, so that its game goes on all the time and is not what is measured."""

DEALT_WITHIN = 30.0
"""Seconds for the robots to sit down and begin; for what hangs."""

CHECKS, CHECK_EVERY = 60, 3.0
"""So many looks at least at what was heard and at the server; and seconds between two at most."""

SETTLES_WITHIN = 20.0
"""Seconds after which no connection of the client is left on the server, however it ended."""


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


class Assault:
    """Everything against one server, which answers."""

    def __init__(self, victim: Victim, chance: Random, tell: Callable[[Figures], None]) -> None:
        self.figures: list[Figures] = []
        self._victim = victim
        self._chance = chance
        self._tell = tell
        self._tally = Tally()
        self._players: list[Player] = []
        self._hostile = Hostile(
            victim.port,
            chance,
            lambda shown, frame: self._hear(None, shown, frame),
            self._check_bytes,
        )
        self._heard: set[tuple[Viewer, int, bytes]] = set()
        self._looked_at = 0
        self._began = time.monotonic()

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
            await self._attack(game.code, own.code, frames)
            after = await self._settled(before)
            self._check_told(game.code)
        self._check_output()
        return Outcome(
            kinds=dict(self._hostile.kinds),
            closes=dict(self._hostile.closes),
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
        self._players = [Player(number, brief, self._hear) for number in range(game.players)]
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
        async with asyncio.timeout(DEALT_WITHIN):
            while len(self._log(game.code)) < 10:  # noqa: ASYNC110  # a log offers nothing else
                await asyncio.sleep(0.05)

    async def _attack(self, game: str, own: str, frames: int) -> None:
        await self._hostile.sit_down(own)
        attacks = [self._hostile.attack(game, own, frames) for _ in range(SIDE_BY_SIDE)]
        tasks = [asyncio.create_task(one) for one in (self._look(game, frames), *attacks)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    # What is heard.

    def _hear(self, viewer: Viewer, shown: int, frame: bytes) -> None:
        self._heard.add((viewer, shown, frame))

    def _check_bytes(self, said: bytes) -> None:
        """Nothing that belongs to somebody else, or to the inside of the server, is in `said`."""
        for secret in (*(one.token.encode() for one in self._players), b"Traceback", _ROOT):
            if secret in said:
                raise Harm(f"the client was told {secret!r}")

    # What has come of it.

    async def _look(self, code: str, frames: int) -> None:
        """Search what was heard now and then, and look at the server."""
        while self._hostile.frames < frames:
            await self._until_sent(self._hostile.frames + frames / CHECKS)
            self._check_told(code)
            if not self._victim.lives:
                raise Harm("the server is gone")
            seconds, held = time.monotonic() - self._began, gauges(self._victim.pid)
            self.figures.append(Figures(frames=self._hostile.frames, seconds=seconds, held=held))
            self._tell(self.figures[-1])

    async def _until_sent(self, frames: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_EVERY):
                while self._hostile.frames < frames:  # noqa: ASYNC110  # a count offers nothing else
                    await asyncio.sleep(0.02)

    def _check_told(self, code: str) -> None:
        heard, self._heard = self._heard, set()
        known = self._secrets.seq
        self._secrets.read_on(entries_of(stored_in(self._victim.data, code))[known:])
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
        said = {key_of(player.token): player.said for player in self._players}
        if foreign := not_theirs(entries, said):
            raise Harm(f"the entries {foreign} were asked for by somebody else")
        if self._tally.errors or self._tally.reconnects:
            raise Harm(f"robots met {dict(self._tally.errors)}, {self._tally.reconnects} came back")
        return len(entries)

    def _log(self, code: str) -> list[Entry]:
        return entries_of(stored_in(self._victim.data, code))


_ROOT = str(ROOT).encode()
