"""Whole evenings as the log stores them today, and what is seen at their end.

    python -m tests.golden_logs         # writes those of today's schema, until it is released

`tests/golden/README.md` says what they are for.
"""

import hashlib
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.cards import Seat
from engine.commands import (
    Act,
    ChooseFirstDealer,
    ChooseProfile,
    ChooseTakeBack,
    Command,
    ForgetDiscard,
    Leave,
    MoveTo,
    OpenRoom,
    SetReady,
    StartGame,
    TakeSeat,
)
from engine.decide import decide
from engine.evolve import fold
from engine.history import SCHEMA, AskId, Entry, Past, past_of
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import Between, Exchanging, Over, Playing
from engine.views import game_view, sheet_view, table_view
from server.log import Stored
from server.log.codec import Told, encode, entries_of
from tests.engine.agreeing import Agreeing, go_on
from tests.support import BIDDING_4, DE_4, PLAIN_3, RU_2, RU_3, viewers, with_rules

GOLDEN = Path(__file__).parent / "golden"
LOGS = GOLDEN / "logs"
DIGESTS = GOLDEN / "digests.txt"

RELEASED = 2
"""The last schema under which a released version stored; its logs are never written again."""

NAMES = ("Anna", "Ben", "Carla", "Dörte")
BEGAN = 1_796_061_600
"""When the games of these evenings began, in seconds since 1970."""


class Kept(Agreeing):
    """A room from its opening on, with the ask that every act came with."""

    def __init__(self, profile: Profile, seed: int) -> None:
        opened = decide(None, OpenRoom(profile))
        assert not isinstance(opened, Rejected)
        room = fold(opened)
        assert room is not None
        self.room, self.facts, self.last = room, list(opened), opened
        self.log = [Entry(seq=1, facts=opened)]
        self.past = past_of(self.log)
        self.chance = random.Random(seed)

    def asked(self, order: Command) -> AskId | None:
        """The key of the player who acts, and a new id."""
        if not isinstance(order, Act):
            return None
        player = self.room.players[order.seat]
        assert player is not None
        return AskId(key=player.key, id=f"{len(self.log):04x}")

    def sits(self, name: str, chair: Seat | None = None) -> None:
        """A new player comes."""
        self.obeys(
            TakeSeat(name, hashlib.blake2b(name.encode(), digest_size=16).hexdigest(), chair)
        )

    def begins(self) -> None:
        """Whoever is missing comes, everybody is ready, and a game starts."""
        for name in NAMES[len(self.all_but()) : len(self.room.players)]:
            self.sits(name)
        for chair in self.all_but():
            self.obeys(Act(chair, SetReady(ready=True)))
        self.obeys(StartGame(lot=Seat(len(self.room.players) - 1), at=BEGAN))

    def goes_on_until(self, there: Callable[[Agreeing], bool]) -> None:
        """Everything happens that may, by chance, until it is so."""
        while not there(self):
            go_on(self, self.chance)


def after_deals(count: int) -> Callable[[Agreeing], bool]:
    """The game is over, or so many deals of it are written."""
    return lambda table: (
        isinstance(table.phase, Over)
        or (isinstance(table.phase, Between) and len(table.game.sheet) >= count)
    )


def in_trick(table: Agreeing) -> bool:
    """A card lies in the third trick."""
    return (
        isinstance(table.phase, Playing)
        and sum(table.phase.tricks) == 2  # the third
        and len(table.phase.trick) == 1
    )


def taking_back() -> Kept:
    """Decisions are taken back in every phase, by anybody."""
    table = Kept(with_rules(RU_3, four_aces=True), 3)
    table.begins()
    table.goes_on_until(after_deals(3))
    table.goes_on_until(in_trick)
    return table


def aces() -> Kept:
    """Four aces are melded, taken back and melded again; four nines are shown."""
    table = Kept(with_rules(RU_3, four_aces=True, bolts=False), 4)
    table.sits("Anna")
    table.obeys(Act(Seat(0), ChooseFirstDealer(Seat(2))))
    table.obeys(Act(Seat(0), ChooseTakeBack("free")))
    table.begins()
    for _ in range(2):
        table.plays_from(
            A="AS AH AD AC 10S KS JS 9S",
            B="QS KH QH JH 9H 10C KC QC",
            C="10H 10D KD QD JD 9D JC 9C",
        )
        table.does("A play 10S", "B play QS", "C play 9C")
        table.does("A meld AH")
        table.takes_back("A")
        table.does("A play AC", "B play 10C", "C play JC")
        table.takes_back("A")
        table.does("A meld AH", "B play 9H", "C play 10H")
        table.voids("B")
    table.deals(A="9S 9H 9D 9C AS AH AD", talon="JC JD JH")
    table.declares("A", 100)
    table.does("A take", "A give JC B JD C", "A contract 100", "A nines")
    return table


def clock() -> Kept:
    """A declarer forgets to lay away, in a game with a sitter."""
    table = Kept(with_rules(BIDDING_4, discard_clock=60), 5)
    table.begins()
    table.goes_on_until(lambda playing: isinstance(playing.phase, Exchanging))
    table.obeys(ForgetDiscard())
    table.goes_on_until(after_deals(3))
    table.goes_on_until(lambda playing: isinstance(playing.phase, Exchanging))
    return table


def chairs() -> Kept:
    """Who sits where changes before, during and between decisions that are taken back."""
    table = Kept(DE_4, 6)
    table.begins()
    table.kicks("B")
    table.lets_in("B", "Emil", "key of Emil")
    table.goes_on_until(in_trick)
    back_to = table.past.place - 1
    table.hands_over("A", "another device of Anna")
    table.kicks("C")
    table.goes_back(back_to, by="D")
    table.lets_in("C", "Carla", "key of Carla")
    table.voids("B")
    table.goes_on_until(after_deals(2))
    table.kicks("D")
    return table


def ended() -> Kept:
    """Games are ended, won and opened again, and others follow by other rules."""
    table = Kept(PLAIN_3, 7)
    table.begins()
    table.ends("A")
    table.reopens("B")
    table.goes_on_until(in_trick)
    table.ends("C")
    table.obeys(Act(Seat(0), SetReady(ready=True)))
    table.reopens("A")
    table.goes_on_until(after_deals(2))
    table.ends("A")
    table.obeys(Act(Seat(2), MoveTo(Seat(1))))
    table.obeys(Act(Seat(2), Leave()))
    table.obeys(ChooseProfile(with_rules(RU_2, step=10)))
    table.obeys(Act(Seat(0), ChooseTakeBack("off")))
    table.begins()
    table.goes_on_until(after_deals(99))
    table.obeys(Act(Seat(0), SetReady(ready=True)))
    table.reopens("A")
    return table


def rules() -> Kept:
    """A table tries more rules than a log refers to, one after the other, and some again."""
    table = Kept(RU_3, 8)
    tried = [
        with_rules(RU_3, barrel=mark, four_aces=aces, must_beat=beating)
        for mark in (850, 870, 900)
        for aces in (True, False)
        for beating in (True, False)
    ]
    tried += [with_rules(one, running_points=True) for one in tried[:6]]
    oldest = tried[-Told.KEPT]
    for profile in (*tried, oldest, tried[-1], RU_3, tried[0], tried[-2], oldest):
        table.obeys(ChooseProfile(profile))
    table.begins()
    table.goes_on_until(in_trick)
    table.ends("A")
    table.begins()
    return table


EVENINGS: Mapping[str, Callable[[], Kept]] = {
    "taking-back": taking_back,
    "aces": aces,
    "clock": clock,
    "chairs": chairs,
    "ended": ended,
    "rules": rules,
}


def read(file: Path) -> list[Entry]:
    """The entries of a golden log."""
    lines = file.read_bytes().splitlines()
    return entries_of(Stored(seq, line) for seq, line in enumerate(lines, 1))


def lines_of(entries: Iterable[Entry]) -> bytes:
    """The log of a room as today's version stores it, an entry a line."""
    told, lines = Told(), []
    for entry in entries:
        lines.append(encode(entry, told) + b"\n")
        told.hear(entry)
    return b"".join(lines)


def seen(past: Past) -> dict[str, Any]:
    """What everybody sees there, as JSON says it."""
    assert past.room is not None
    shown: dict[str, Any] = msgspec.to_builtins(
        {
            "sheet": sheet_view(past.room, past.taken_back),
            "seen": [
                {"table": table_view(past.room, viewer), "game": game_view(past.room, viewer)}
                for viewer in (None, *viewers(past.room)[:-1])
            ],
        }
    )
    return shown


def digests() -> list[str]:
    """For each golden file what it holds, in short, and its name."""
    return [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(LOGS).as_posix()}"
        for file in sorted(LOGS.rglob("*"))
        if file.is_file()
    ]


def main() -> int:
    """Write the logs of today's schema and no others; 1: it is released."""
    if SCHEMA <= RELEASED:
        print(f"Schema {SCHEMA} is released, and its logs stay as they are.")  # noqa: T201
        return 1
    folder = LOGS / f"v{SCHEMA}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, evening in EVENINGS.items():
        table = evening()
        (folder / f"{name}.jsonl").write_bytes(lines_of(table.log))
        (folder / f"{name}.view.json").write_bytes(msgspec.json.encode(seen(table.past)) + b"\n")
    of_today = f"  v{SCHEMA}/"
    frozen = [line for line in DIGESTS.read_text("utf-8").splitlines() if of_today not in line]
    written = [line for line in digests() if of_today in line]
    DIGESTS.write_text("".join(f"{line}\n" for line in (*frozen, *written)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
