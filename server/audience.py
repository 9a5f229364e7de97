"""Who looks at a room, and what each of them is shown after a change."""

from collections.abc import Iterable

from engine.cards import Seat
from engine.events import (
    AnyEvent,
    CardsDealt,
    DealScored,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    GameWon,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    SeatHandedOver,
    TakeBackChosen,
)
from engine.views import Viewer
from server.chairs import seat_of
from server.limits import Account
from server.outbox import Outbox
from server.presence import Heard
from server.protocol import Close, Nearness, Presence, Seen, ServerMessage, Update
from server.shown import Scene, proposals_of, sheet_of, table_of, update_of
from server.waking import Clock

_TABLE_FACTS = (
    ProfileChosen,
    PlayerSeated,
    PlayersMoved,
    PlayerLeft,
    PlayerKicked,
    SeatHandedOver,
    ReadySet,
    FirstDealerChosen,
    TakeBackChosen,
    GameStarted,
    GameWon,
    GameEnded,
)
_SHEET_FACTS = (GameStarted, DealScored)


class Attendee:
    """A connection in a room: a device with the seats of its `keys`, or a watcher's.

    `facing`: the key with whose eyes it looks and acts; None: with nobody's.
    `claiming`: the key of the seat that it asks the table for.
    `account`: what its address may still have stored; None: it has no limits.
    """

    def __init__(
        self,
        outbox: Outbox,
        keys: Iterable[str] = (),
        facing: str | None = None,
        claiming: str | None = None,
        *,
        account: Account | None = None,
    ) -> None:
        self.outbox = outbox
        self.keys: tuple[str, ...] = ()
        self.facing: str | None = facing
        self.claiming = claiming
        self.account = account
        self._hold(tuple(keys))

    def give(self, key: str) -> None:
        """The device has one seat more; if it holds others it looks as before."""
        self.claiming = None
        self._hold((*self.keys, key))

    def take(self, keys: Iterable[str]) -> None:
        """The device has the seats of `keys` no longer."""
        self._hold(tuple(key for key in self.keys if key not in keys))

    def _hold(self, keys: tuple[str, ...]) -> None:
        """It looks with the eyes of its only seat; else with those it did, if it still may."""
        self.keys = keys
        if self.facing not in keys:
            self.facing = keys[0] if len(keys) == 1 else None


class Audience:
    """The attendees of one room. Each is shown what the seat it faces may see, and nothing else."""

    def __init__(self, clock: Clock) -> None:
        self._attendees: set[Attendee] = set()
        self._heard = Heard(clock)
        self._presence: Presence | None = None

    @property
    def watchers(self) -> int:
        """Attendees without a seat."""
        return sum(not attendee.keys for attendee in self._attendees)

    def enter(
        self, attendee: Attendee, scene: Scene, seen: Seen | None = None, epoch: str = ""
    ) -> None:
        """`attendee` is shown the room whole, now and after every change.

        What it has `seen` already is not sent again, but for the chairs: the device may have had
        more of them. The newest device with a seat has it; an older one that has no other is told
        so and let go.
        """
        for other in list(self._attendees):
            if self._dispossess(other, attendee.keys, Close.ELSEWHERE):
                self._show_whole(other, scene)
        self._attendees.add(attendee)
        self.hear(attendee)
        viewer = seat_of(scene.room, attendee.facing)
        if seen != Seen(epoch, scene.past.seq, viewer) or not scene.is_still:
            self._show_whole(attendee, scene)
        else:
            if attendee.keys:
                attendee.outbox.post(table_of(scene, viewer, _seats(scene, attendee)))
            self._show_proposals(attendee, scene)
        self.show_presence(scene, to=attendee)

    def leave(self, attendee: Attendee) -> None:
        """The connection of `attendee` is gone; the seat stays, and is not heard any more."""
        self._attendees.discard(attendee)

    def hear(self, attendee: Attendee) -> None:
        """The device of `attendee` said something."""
        claiming = () if attendee.claiming is None else (attendee.claiming,)
        for key in (*attendee.keys, *claiming):
            self._heard.hear(key)

    def face(self, attendee: Attendee, seat: Seat | None, scene: Scene) -> None:
        """`attendee` looks with the eyes of `seat`, if that is one of its own; else with nobody's.

        It is shown the room whole.
        """
        attendee.facing = next(
            (key for key in attendee.keys if seat is not None and seat_of(scene.room, key) == seat),
            None,
        )
        self._show_whole(attendee, scene)

    def show(self, scene: Scene, facts: Iterable[AnyEvent] = (), *, whole: bool = False) -> None:
        """Everybody sees the room as it is after `facts`, and how it came about.

        Without facts the view is only refreshed; `whole`: with chairs and sheet.
        """
        facts = tuple(facts)
        table = whole or any(isinstance(fact, _TABLE_FACTS) for fact in facts)
        sheet = None
        if whole or any(isinstance(fact, _SHEET_FACTS) for fact in facts):
            sheet = sheet_of(scene)
        if table:
            self._settle_keys(scene)
        if any(isinstance(fact, CardsDealt) for fact in facts):
            self._cover(scene)
        updates: dict[Viewer, Update] = {}
        for attendee in self._attendees:
            viewer, post = seat_of(scene.room, attendee.facing), attendee.outbox.post
            if table:
                post(table_of(scene, viewer, _seats(scene, attendee)))
                self._show_proposals(attendee, scene)
            if sheet:
                post(sheet)
            if viewer not in updates:
                updates[viewer] = update_of(scene, viewer, facts)
            post(updates[viewer])
        if table:
            self.show_presence(scene)

    def show_proposals(self, scene: Scene) -> None:
        """Everybody sees what waits for consent now."""
        for attendee in self._attendees:
            self._show_proposals(attendee, scene)

    def show_presence(self, scene: Scene, to: Attendee | None = None) -> None:
        """Everybody sees whose device is heard, if that has changed; `to`: this one anyway."""
        presence = Presence(
            players=self._heard.players(scene.room),
            watchers=self.watchers,
        )
        if presence != self._presence:
            self._presence = presence
            self.tell(presence)
        elif to is not None:
            to.outbox.post(presence)

    def is_heard(self, key: str) -> bool:
        """Whether the device with the seat of `key`, or that claims one with it, is here."""
        return self._heard.nearness(key) == "here"

    def nearness(self, scene: Scene, seat: Seat) -> Nearness:
        """How near the player on `seat` is; nobody is away."""
        return self._heard.players(scene.room)[seat] or "away"

    def tell(self, message: ServerMessage) -> None:
        """Everybody gets `message`."""
        for attendee in self._attendees:
            attendee.outbox.post(message)

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`."""
        for attendee in self._attendees:
            attendee.outbox.close(code)

    def _cover(self, scene: Scene) -> None:
        """Devices with several seats look with nobody's eyes: who deals shows no hand."""
        for attendee in self._attendees:
            if len(attendee.keys) > 1 and attendee.facing is not None:
                attendee.facing = None
                attendee.outbox.post(table_of(scene, None, _seats(scene, attendee)))
                self._show_proposals(attendee, scene)

    def _settle_keys(self, scene: Scene) -> None:
        """Devices have the seats they were given, and no seat that was taken from them."""
        for attendee in list(self._attendees):
            if attendee.claiming and seat_of(scene.room, attendee.claiming) is not None:
                attendee.give(attendee.claiming)
                self.hear(attendee)
            lost = [key for key in attendee.keys if seat_of(scene.room, key) is None]
            self._dispossess(attendee, lost, Close.SEAT_GONE)
        claiming = {attendee.claiming for attendee in self._attendees if attendee.claiming}
        self._heard.forget_others(scene.room, claiming)

    def _dispossess(self, attendee: Attendee, keys: Iterable[str], code: Close) -> bool:
        """Whether `attendee` has lost some seats of `keys` and has others.

        Without any left it is hung up on.
        """
        taken = [key for key in keys if key in attendee.keys]
        if not taken:
            return False
        attendee.take(taken)
        if not attendee.keys:
            self._attendees.discard(attendee)
            attendee.outbox.close(code)
        return bool(attendee.keys)

    def _show_whole(self, attendee: Attendee, scene: Scene) -> None:
        viewer, post = seat_of(scene.room, attendee.facing), attendee.outbox.post
        post(table_of(scene, viewer, _seats(scene, attendee)))
        post(sheet_of(scene))
        post(update_of(scene, viewer))
        self._show_proposals(attendee, scene)

    def _show_proposals(self, attendee: Attendee, scene: Scene) -> None:
        viewer = seat_of(scene.room, attendee.facing)
        attendee.outbox.post(proposals_of(scene, viewer, attendee.claiming))


def _seats(scene: Scene, attendee: Attendee) -> tuple[Seat, ...]:
    """The seats of a device, in the order of the chairs."""
    seats = (seat_of(scene.room, key) for key in attendee.keys)
    return tuple(sorted(seat for seat in seats if seat is not None))
