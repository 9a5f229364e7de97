"""Legal continuations, counted to a depth from fixed positions: a rule that changes, changes them.

python -m tests.perft           # count again and print what differs from tests/golden/perft.toml
python -m tests.perft --write   # and write what was counted
"""

import difflib
import itertools
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from engine import commands
from engine.auction import BidRange
from engine.cards import Card
from engine.choices import Choices, choices_of
from engine.commands import Act, AnyAction, DealCards
from engine.decide import decide
from engine.events import Gift
from engine.evolve import fold
from engine.profile import Setting
from engine.rejections import Rejected
from engine.state import Auction, Contracting, Exchanging, Playing, Room, TakingTalon
from tests.support import Evening, cards, read_profile, with_rules

TABLE = Path(__file__).parent / "golden" / "perft.toml"
HEAD = """\
# Legal continuations from fixed positions: `counts` says how many there are of 1 act, of 2,
# and so on. A deal that has ended goes on in one way. `acts` lead to the position.
# `python -m tests.perft` counts again and prints what differs; with `--write` it writes it.
"""


class Fixed(Struct, frozen=True, kw_only=True):
    """A position, and how many ways there are to go on."""

    name: str
    profile: str
    house_rules: dict[str, Setting]
    deck: str
    acts: tuple[str, ...]
    counts: tuple[int, ...]

    def room(self) -> Room:
        """The room at this position; seat B is the first dealer."""
        evening = Evening(with_rules(read_profile(self.profile), **self.house_rules), dealer="B")
        evening.obeys(DealCards(evening.game.dealer, cards(self.deck)))
        evening.does(*self.acts)
        return evening.room

    def counted(self) -> tuple[int, ...]:
        """The continuations of as many lengths as `counts` has."""
        room = self.room()
        return tuple(ways(room, depth) for depth in range(1, len(self.counts) + 1))


def positions(text: str) -> list[Fixed]:
    """The positions of a table."""
    return [
        Fixed(
            name=one["name"],
            profile=one["profile"],
            house_rules=one.get("house_rules", {}),
            deck=one["deck"],
            acts=tuple(filter(None, re.split(r",\s+", one["acts"].strip()))),
            counts=tuple(one["counts"]),
        )
        for one in tomllib.loads(text)["position"]
    ]


def ways(room: Room, depth: int) -> int:
    """How many sequences of `depth` acts may follow; a deal that has ended goes on in one way."""
    acts = list(open_acts(room))
    if depth == 1 or not acts:
        return len(acts) or 1
    return sum(ways(after(room, act), depth - 1) for act in acts)


def after(room: Room, act: Act) -> Room:
    """The room after `act`, which is accepted."""
    answer = decide(room, act)
    assert not isinstance(answer, Rejected), f"{act} was offered and refused"
    following = fold(answer, room)
    assert following is not None
    return following


def open_acts(room: Room) -> Iterator[Act]:
    """Every act of a deal that anybody may do now."""
    match room.phase:
        case Auction() | TakingTalon() | Exchanging() | Contracting() | Playing() as state:
            for seat in state.deal.order:
                for action in _actions(choices_of(state, seat), state.hands[seat]):
                    yield Act(seat, action)


def _actions(may: Choices, hand: tuple[Card, ...]) -> Iterator[AnyAction]:
    yield from map(commands.PlaceBid, _points(may.bid))
    if may.may_pass:
        yield commands.Pass()
    yield from map(commands.TakeTalon, may.take)
    if may.give_to:
        for given in itertools.permutations(hand, len(may.give_to)):
            yield commands.GiveCards(tuple(map(Gift, may.give_to, given)))
    if may.lay_away:
        yield from map(commands.LayAway, itertools.combinations(hand, may.lay_away))
    yield from map(commands.SetContract, _points(may.contract))
    if may.concede:
        yield commands.Concede()
    if may.nines:
        yield commands.ShowNines()
    yield from map(commands.PlayCard, may.play)
    for meld in may.melds:
        yield from map(commands.Meld, meld.cards)


def _points(open_: BidRange | None) -> range:
    return range(open_.least, open_.greatest + 1, open_.step) if open_ else range(0)


def table(found: list[Fixed]) -> str:
    """The text of the table with the positions `found`."""
    return HEAD + "".join(f"\n{_entry(one)}" for one in found)


def _entry(one: Fixed) -> str:
    rules = ", ".join(f"{key} = {_toml(value)}" for key, value in one.house_rules.items())
    rows = [one.acts[at : at + 6] for at in range(0, len(one.acts), 6)]
    acts = ",\n".join(", ".join(row) for row in rows)
    return "\n".join(
        [
            "[[position]]",
            f'name = "{one.name}"',
            f'profile = "{one.profile}"',
            *([f"house_rules = {{ {rules} }}"] if rules else []),
            f'deck = "{one.deck}"',
            f'acts = """\n{acts}"""',
            f"counts = {list(one.counts)}\n",
        ]
    )


def _toml(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


def main(arguments: list[str]) -> int:
    """Count everything again; 1: something differs from the table."""
    before = TABLE.read_text("utf-8")
    recounted = [replace(one, counts=one.counted()) for one in positions(before)]
    now = table(recounted)
    sys.stdout.writelines(
        difflib.unified_diff(
            before.splitlines(keepends=True), now.splitlines(keepends=True), "before", "now"
        )
    )
    if "--write" in arguments:
        TABLE.write_text(now, "utf-8")
    return int(before != now)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
