"""Whole random evenings, shown to their players while they last and replayed afterwards.

    python -m tests.replayed_games --games 1000 --seed 1

What every seat and the table screen received is compared with the replay, byte for byte: views,
glimpses, chairs and sheet after every entry. Players take back, void deals, come and go. Two games
make an evening; a failure names it, and `--seed S --game N` plays it again.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from engine.cards import Seat
from engine.commands import (
    Act,
    Command,
    DealCards,
    EndGame,
    HandOver,
    Kick,
    StartGame,
    TakeSeat,
    VoidDeal,
)
from engine.decide import decide
from engine.events import AnyEvent, PlayerSeated, ReadySet, RoomOpened, Undone
from engine.history import Entry, Past
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import Between, InDeal, Over, Room
from engine.take_back import reopening, take_back
from server.audience import Attendee, Audience
from server.outbox import Outbox
from server.replay import replay_of, story_of
from server.replay.deltas import applied
from server.shown import Scene
from tests.server.clock import Clock
from tests.support import ALL_PROFILES, any_rules, offered, shuffled, views

DEALS = 4
"""Written deals of a game at most; then the table ends it."""

Heard = dict[tuple[Seat | None, int], dict[str, Any]]
"""What each viewer had on the screen after each entry."""


class Table:
    """A room with a device on every chair and a table screen, which all listen."""

    def __init__(self, profile: Profile, chance: random.Random) -> None:
        self.chance = chance
        self.log: list[Entry] = []
        self.past = Past()
        self.heard: Heard = {}
        self._audience = Audience(Clock())
        self._screens: dict[Seat | None, tuple[Attendee, dict[str, Any]]] = {}
        self._keys = 0
        self.append(RoomOpened(profile=profile))
        for index in range(profile.table.players):
            self.append(PlayerSeated(seat=Seat(index), name=f"Player {index}", key=self._key()))
        for viewer in (None, *self.seats):
            self._sits_down(viewer)

    @property
    def room(self) -> Room:
        assert self.past.room is not None
        return self.past.room

    @property
    def seats(self) -> list[Seat]:
        return [Seat(index) for index in range(len(self.room.players))]

    def append(self, *facts: AnyEvent | Undone) -> None:
        """`facts` are an entry more, which everybody sees."""
        entry = Entry(seq=self.past.seq + 1, facts=facts)
        self.log.append(entry)
        self.past = self.past.after(entry)
        self._audience.show(
            Scene(room=self.room, past=self.past), entry.happened, whole=entry.undone is not None
        )

    async def obeys(self, order: Command) -> None:
        answer = decide(self.room, order)
        assert not isinstance(answer, Rejected), f"{order} was refused: {answer.reason.value}"
        self.append(*answer)
        await self.hears()

    async def undoes(self, back_to: int, by: Seat) -> None:
        self.append(Undone(back_to=back_to, by=by, agreed=()))
        await self.hears()

    async def hears(self) -> None:
        """What was sent to every screen stands on it and is kept under the entry's number."""
        for viewer, (attendee, screen) in self._screens.items():
            self._read(await attendee.outbox.frame(), screen)
            if screen["update"]["seq"] == self.past.seq:
                self.heard[viewer, self.past.seq] = dict(screen)

    @staticmethod
    def _read(frame: bytes | None, screen: dict[str, Any]) -> None:
        for message in msgspec.json.decode(frame or b"[]"):
            screen[message["type"]] = message

    async def changes_device(self) -> None:
        """Somebody plays on with another device, or is replaced by somebody else."""
        seat, by = self.chance.sample(self.seats, 2)
        key = self._key()
        self._screens.pop(seat)
        order: Command = HandOver(seat, key, (by,))
        if self.chance.random() < 0.5:
            await self.obeys(Kick(seat, by, ()))
            order = TakeSeat(f"Guest {key}", key, seat, (by,))
        claimant = Attendee(Outbox(), claiming=key)
        self._audience.enter(claimant, Scene(room=self.room, past=self.past))
        self._screens[seat] = (claimant, {})
        self._read(await claimant.outbox.frame(), self._screens[seat][1])
        await self.obeys(order)

    def _key(self) -> str:
        self._keys += 1
        return str(self._keys)

    def _sits_down(self, viewer: Seat | None) -> None:
        player = None if viewer is None else self.room.players[viewer]
        attendee = Attendee(Outbox(), () if player is None else (player.key,))
        self._screens[viewer] = (attendee, {})
        self._audience.enter(attendee, Scene(room=self.room, past=self.past))


async def evening(profile: Profile, chance: random.Random) -> Table:
    """Two games at one table, the first of them cut short."""
    table = Table(profile, chance)
    await table.hears()
    for deals in (1, DEALS):
        for seat in table.seats:
            table.append(ReadySet(seat=seat, ready=True))
            await table.hears()
        await table.obeys(StartGame(lot=chance.choice(table.seats), at=None))
        while not isinstance(table.room.phase, Over):
            await _goes_on(table, deals)
        again = reopening(table.past)
        if chance.random() < 0.3 and not isinstance(again, Rejected):
            await table.undoes(again.back_to, chance.choice(table.seats))
            await table.obeys(EndGame(Seat(0), (Seat(1),)))
    return table


async def _goes_on(table: Table, deals: int) -> None:
    """Something happens: mostly what the game wants next."""
    chance, phase = table.chance, table.room.phase
    seat, other = chance.sample(table.seats, 2)
    whim = chance.random()
    back = take_back(table.past, seat)
    if whim < 0.06 and not isinstance(back, Rejected):
        await table.undoes(back.back_to, seat)
    elif whim < 0.07:
        await table.changes_device()
    elif whim < 0.08 and isinstance(phase, InDeal):
        await table.obeys(VoidDeal(seat, (other,)))
    elif isinstance(phase, Between):
        if len(phase.game.sheet) == deals:
            await table.obeys(EndGame(seat, (other,)))
        else:
            await table.obeys(
                DealCards(phase.game.dealer, shuffled(phase.game.profile, table.chance))
            )
    else:
        movers = [
            Act(mover, act) for mover, view in views(table.room) for act in offered(view, chance)
        ]
        await table.obeys(chance.choice(movers))


class Shown(Struct, frozen=True):
    """What a replay shows a viewer at a step."""

    viewer: Seat | None
    seq: int
    common: Any
    game: Any
    glimpses: Any


def shown(document: bytes) -> Iterator[Shown]:
    """Every step of a replay for each of its viewers, as a client puts it together."""
    replay = msgspec.json.decode(document)
    common: Any = None
    games: list[Any] = [None] * len(replay["viewers"])
    for at, step in enumerate(replay["steps"]):
        common = applied(common, replay["common"][at])
        games = [
            applied(game, patch) for game, patch in zip(games, replay["games"][at], strict=True)
        ]
        for viewer, game, glimpses in zip(
            replay["viewers"], games, replay["glimpses"][at], strict=True
        ):
            yield Shown(viewer, step["seq"], common, game, glimpses)


def compare(table: Table, number: int, *, undone: bool) -> int:
    """How many screens were compared, all alike.

    Raises:
        AssertionError: one of them differs.
    """
    story = story_of(table.log, number, undone=undone)
    compared = 0
    for one in shown(msgspec.json.encode(replay_of("KVRT", story))):
        live = table.heard.get((one.viewer, one.seq))
        if live is None:  # nobody sat there
            continue
        compared += 1
        where = f"entry {one.seq}, viewer {one.viewer}"
        for part in ("game", "glimpses"):
            assert _bytes(live["update"][part]) == _bytes(getattr(one, part)), (where, part)
        assert _bytes(live["sheet"]["sheet"]) == _bytes(one.common["sheet"]), where
        mine = {"me": None, "may_start": False}
        assert _bytes(live["table"]["table"] | mine) == _bytes(one.common["table"]), where
    told = [moment.entry.seq for moment in story.moments()]
    missing = {seq for (_, seq) in table.heard if told[0] <= seq <= told[-1]} - {*told}
    assert not (undone and missing), f"entries {missing} are not told"
    return compared


def _bytes(part: object) -> bytes:
    return msgspec.json.encode(part)


async def judged(number: int, seed: int) -> int:
    """Evening `number` of `seed`, compared; how many screens there were."""
    chance = random.Random(f"{seed} {number}")
    table = await evening(any_rules(ALL_PROFILES[number % len(ALL_PROFILES)], chance), chance)
    return sum(compare(table, game, undone=undone) for game in (1, 2) for undone in (False, True))


def main() -> int:
    """Compare as many evenings as asked for; 1: one of them was replayed otherwise."""
    asked = argparse.ArgumentParser(prog="python -m tests.replayed_games")
    asked.add_argument("--games", type=int, default=1000, help="two an evening")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    asked.add_argument("--game", type=int, help="this evening alone")
    wanted = asked.parse_args()
    numbers = range(-(-wanted.games // 2)) if wanted.game is None else [wanted.game]
    print(f"seed {wanted.seed}", flush=True)  # noqa: T201
    screens = 0
    for done, number in enumerate(numbers, 1):
        try:
            screens += asyncio.run(judged(number, wanted.seed))
        except Exception as error:  # noqa: BLE001  # whatever it is, it names the game
            print(f"evening {number}: {error!r}")  # noqa: T201
            return 1
        if done % 100 == 0 or done == len(numbers):
            print(f"{done} evenings, {screens} screens alike", flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
