"""Where a table can stand when something goes wrong, and how it comes to stand there."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from random import Random

import msgspec
from msgspec import Struct

from engine.cards import Seat
from engine.commands import (
    Act,
    AnyAction,
    Command,
    DealCards,
    EndGame,
    OpenRoom,
    SetReady,
    StartGame,
    TakeSeat,
)
from engine.decide import decide
from engine.evolve import fold
from engine.history import Entry
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import (
    Auction,
    Between,
    Contracting,
    Exchanging,
    Gathering,
    Over,
    Playing,
    Room,
    TakingTalon,
)
from engine.views import game_view
from server.identity import key_of
from server.rehearse.choices import Sight, choose
from tests.support import shuffled

TOKENS = tuple(f"the-token-of-seat-{seat}---" for seat in range(4))
"""Of the players on the chairs, as their phones hold them."""

NAMES = ("Anna", "Ben", "Carla", "Dora")


class Phase(Struct, frozen=True):
    """A place in a game: `here` holds of the room there; `open`: what waits for consent then.

    `deals`: after so many the table ends the game.
    """

    name: str
    here: Callable[[Room], bool]
    open: str | None = None
    deals: int = 40

    def missing(self, profile: Profile) -> str | None:
        """Why no game by `profile` comes here; None: it does."""
        exchange = profile.exchange
        if self.name in ("taking-talon", "giving", "laying-away", "contracting") and not exchange:
            return "this profile has no talon"
        if exchange and self.name in ("giving", "laying-away"):
            does = "giving" if exchange.then == "give" else "laying-away"
            return None if self.name == does else f"{does} is what a declarer does in this profile"
        if exchange and self.name == "contracting" and not exchange.raise_contract:
            return "nobody raises in this profile"
        return None


def _second_trick(room: Room, *, laid: int = 0, missing: int | None = None) -> bool:
    """Whether the second trick has so many cards, or so many are missing in it."""
    match room.phase:
        case Playing(trick=trick, tricks=tricks, deal=deal) if sum(tricks) == 1:
            return len(trick) == (laid if missing is None else len(deal.order) - missing)
    return False


def _all_but_one_ready(room: Room) -> bool:
    return sum(bool(player and player.ready) for player in room.players) == len(room.players) - 1


def _dealt_before(room: Room) -> bool:
    return isinstance(room.phase, Between) and bool(room.phase.game.sheet)


def _bid(room: Room) -> bool:
    return isinstance(room.phase, Auction) and bool(room.phase.deal.calls)


def _gives(room: Room) -> bool:
    exchange = room.profile.exchange
    return isinstance(room.phase, Exchanging) and exchange is not None and exchange.then == "give"


def _lays_away(room: Room) -> bool:
    return isinstance(room.phase, Exchanging) and not _gives(room)


PHASES = (
    Phase("gathering", _all_but_one_ready),
    Phase("between", _dealt_before),
    Phase("auction", _bid),
    Phase("taking-talon", lambda room: isinstance(room.phase, TakingTalon)),
    Phase("giving", _gives),
    Phase("laying-away", _lays_away),
    Phase("contracting", lambda room: isinstance(room.phase, Contracting)),
    Phase("leading", partial(_second_trick, laid=0)),
    Phase("second", partial(_second_trick, laid=1)),
    Phase("last", partial(_second_trick, missing=1)),
    Phase("over", lambda room: isinstance(room.phase, Over), deals=1),
    Phase("take-back-open", partial(_second_trick, missing=1), open="take_back"),
    Phase("claim-open", partial(_second_trick, laid=0), open="take_over"),
)


def prepared(profile: Profile, phase: Phase, chance: Random) -> list[Entry]:
    """The log of a room from its opening to `phase`, played by chance with some sense."""
    entries = []
    for room, entry in _evening(profile, phase.deals, chance):
        entries.append(entry)
        if phase.here(room):
            return entries
    raise AssertionError(f"an evening by {profile.id} did not come to {phase.name}")


def _evening(profile: Profile, deals: int, chance: Random) -> Iterator[tuple[Room, Entry]]:
    room: Room | None = None
    for seq in count(1):
        answer = decide(room, _next(profile, deals, room, chance))
        assert not isinstance(answer, Rejected)
        room = fold(answer, room)
        assert room is not None
        yield room, Entry(seq=seq, facts=answer)
        if isinstance(room.phase, Over):
            return


def _next(profile: Profile, deals: int, room: Room | None, chance: Random) -> Command:
    """What somebody does next, in the lobby and in the game."""
    if room is None:
        return OpenRoom(profile)
    match room.phase:
        case Gathering():
            return _arrival(room)
        case Between(game=game) if len(game.sheet) == deals:
            return EndGame(Seat(0), tuple(Seat(seat) for seat in range(1, len(room.players))))
        case Between(game=game):
            return DealCards(game.dealer, shuffled(profile, chance))
    return _act(room, chance)


def _arrival(room: Room) -> Command:
    for index, player in enumerate(room.players):
        if player is None:
            return TakeSeat(NAMES[index], key_of(TOKENS[index]), Seat(index))
    for index, player in enumerate(room.players):
        if player and not player.ready:
            return Act(Seat(index), SetReady(ready=True))
    return StartGame(lot=Seat(0))


def _act(room: Room, chance: Random) -> Command:
    shown = game_view(room, None)
    assert shown is not None
    assert shown.turn is not None
    wish = choose(msgspec.convert(msgspec.to_builtins(game_view(room, shown.turn)), Sight), chance)
    assert isinstance(wish, AnyAction)
    return Act(shown.turn, wish)
