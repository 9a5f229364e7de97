"""Who looks at a room, and what each of them is shown after a change."""

from engine.cards import Seat
from engine.events import (
    AnyEvent,
    DealScored,
    FirstDealerChosen,
    GameStarted,
    GameWon,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
)
from engine.glimpses import glimpse
from engine.state import Room
from engine.views import Viewer, game_view, sheet_view, table_view
from server.outbox import Outbox
from server.protocol import Close, Presence, Sheet, Table, Update

_TABLE_FACTS = (
    ProfileChosen,
    PlayerSeated,
    PlayersMoved,
    PlayerLeft,
    ReadySet,
    FirstDealerChosen,
    GameStarted,
    GameWon,
)
_SHEET_FACTS = (GameStarted, DealScored)


class Attendee:
    """A connection in a room: a player's, known by the token's `key`, or a watcher's."""

    def __init__(self, outbox: Outbox, key: str | None) -> None:
        self.outbox = outbox
        self.key = key


def seat_of(room: Room, key: str | None) -> Seat | None:
    """Where the player with `key` sits now; None: nowhere."""
    if key is None:
        return None
    return next(
        (Seat(i) for i, player in enumerate(room.players) if player and player.key == key), None
    )


class Audience:
    """The attendees of one room. Each is shown what its own seat may see, and nothing else."""

    def __init__(self) -> None:
        self._attendees: set[Attendee] = set()

    def enter(self, attendee: Attendee, room: Room, seq: int, *, anybody_deals: bool) -> None:
        """`attendee` is shown the room whole, now and after every change.

        The newest device with a token has the seat; an older one is told so and let go.
        """
        for other in list(self._attendees):
            if attendee.key is not None and other.key == attendee.key:
                self._attendees.discard(other)
                other.outbox.close(Close.ELSEWHERE)
        self._attendees.add(attendee)
        viewer, post = seat_of(room, attendee.key), attendee.outbox.post
        post(Table(table=table_view(room, viewer)))
        post(Sheet(sheet=sheet_view(room)))
        post(_update(room, viewer, seq, (), anybody_deals=anybody_deals))
        self.show_presence(room)

    def leave(self, attendee: Attendee, room: Room) -> None:
        """The connection of `attendee` is gone; the seat stays."""
        if attendee in self._attendees:
            self._attendees.discard(attendee)
            self.show_presence(room)

    def show(
        self, room: Room, seq: int, facts: tuple[AnyEvent, ...], *, anybody_deals: bool
    ) -> None:
        """Everybody sees the room as it is after `facts`, and how it came about.

        Without facts the view is only refreshed.
        """
        table = any(isinstance(fact, _TABLE_FACTS) for fact in facts)
        sheet = (
            Sheet(sheet=sheet_view(room))
            if any(isinstance(f, _SHEET_FACTS) for f in facts)
            else None
        )
        updates: dict[Viewer, Update] = {}
        for attendee in list(self._attendees):
            viewer, post = seat_of(room, attendee.key), attendee.outbox.post
            if table:
                post(Table(table=table_view(room, viewer)))
            if sheet:
                post(sheet)
            if viewer not in updates:
                updates[viewer] = _update(room, viewer, seq, facts, anybody_deals=anybody_deals)
            post(updates[viewer])
            if attendee.key is not None and viewer is None:
                self._attendees.discard(attendee)
                attendee.outbox.close(Close.SEAT_GONE)
        if table:
            self.show_presence(room)

    def show_presence(self, room: Room) -> None:
        """Everybody sees which chairs have a phone connected."""
        keys = {attendee.key for attendee in self._attendees}
        presence = Presence(
            here=tuple(player is not None and player.key in keys for player in room.players),
            watchers=sum(attendee.key is None for attendee in self._attendees),
        )
        for attendee in self._attendees:
            attendee.outbox.post(presence)

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`."""
        for attendee in self._attendees:
            attendee.outbox.close(code)


def _update(
    room: Room, viewer: Viewer, seq: int, facts: tuple[AnyEvent, ...], *, anybody_deals: bool
) -> Update:
    seen = (glimpse(fact, viewer) for fact in facts)
    return Update(
        seq=seq,
        game=game_view(room, viewer, anybody_deals=anybody_deals),
        glimpses=tuple(one for one in seen if one is not None),
    )
