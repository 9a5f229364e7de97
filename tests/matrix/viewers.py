"""Who looks at a table: which seat that is, what it may be offered, and what it may know."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from engine.cards import Card, Seat
from engine.choices import Choices
from engine.history import Entry
from engine.state import Between, Gathering, InDeal, Over, Room
from engine.views import Viewer, game_view
from server.protocol import Proposals, ServerMessage, Table, Update
from tests.server.knowledge import learned

SEATED = ("actor", "next", "other", "sitter")
VIEWERS = (*SEATED, "table", "watcher")


def seat_as(role: str, room: Room) -> Seat | None:
    """Where whoever has `role` sits; None: nobody has it there, or it is no seat's."""
    if role == "sitter":
        return room.phase.deal.dealt.sitter if isinstance(room.phase, InDeal) else None
    in_turn = _in_turn(room)
    place = SEATED.index(role) if role in SEATED else len(in_turn)
    return in_turn[place] if place < len(in_turn) else None


def _in_turn(room: Room) -> tuple[Seat | None, ...]:
    """The seats that act, whoever is to act now first; nobody is when a game is over."""
    seats = tuple(Seat(index) for index in range(len(room.players)))
    match room.phase:
        case Gathering():
            return _from(seats, next(s for s in seats if not (p := room.players[s]) or not p.ready))
        case Between(game=game):
            return _from(seats, game.dealer)
        case Over():
            return (None, None, *seats[:1])
    shown = game_view(room, None)
    assert shown is not None
    assert shown.turn is not None
    return _from(shown.order, shown.turn)


def _from(seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    at = seats.index(first)
    return seats[at:] + seats[:at]


def offers_acts(may: Choices) -> bool:
    """Whether whoever is offered `may` is the one to act; four nines may be shown out of turn."""
    return any(
        (
            may.deal,
            may.bid,
            may.may_pass,
            may.take,
            may.give_to,
            may.lay_away,
            may.contract,
            may.play,
        )
    )


def secrets_in(frames: Iterable[list[ServerMessage]], entries: list[Entry]) -> set[Card]:
    """The cards in `frames` that could not be known to whom they were sent, by `entries`."""
    told: set[Card] = set()
    me: Viewer = None
    shown = 0
    known = _Known(entries)
    for message in (message for frame in frames for message in frame):
        match message:
            case Table(table=table):
                me = table.me
            case Update(seq=seq, game=game, glimpses=glimpses):
                ever = known.since(me, min(shown, seq), seq)
                told |= (_cards_in(game) - known.at(me, seq)) | (_cards_in(glimpses) - ever)
                shown = seq
            case Proposals():
                told |= _cards_in(message) - known.at(me, shown)
    return told


class _Known:
    """What each viewer knows after each entry."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._viewers: dict[Viewer, list[set[Card]]] = {}

    def at(self, viewer: Viewer, seq: int) -> set[Card]:
        if viewer not in self._viewers:
            known: list[set[Card]] = [set()]
            for entry in self._entries:
                now = known[-1]
                for fact in entry.happened:
                    now = learned(now, viewer, fact)
                known.append(now)
            self._viewers[viewer] = known
        return self._viewers[viewer][seq]

    def since(self, viewer: Viewer, first: int, last: int) -> set[Card]:
        return set().union(*(self.at(viewer, seq) for seq in range(first, last + 1)))


def _cards_in(value: object) -> set[Card]:
    if isinstance(value, Card):
        return {value}
    return set().union(*map(_cards_in, _parts(value)))


def _parts(value: object) -> Iterator[object]:
    match value:
        case Struct():
            yield from (getattr(value, name) for name in value.__struct_fields__)
        case tuple() | list():
            yield from value
        case dict():
            yield from value.values()
