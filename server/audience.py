"""Who looks at a room, and what each of them is shown after a change."""

import logging
from collections.abc import Callable, Iterable

from engine.cards import Seat
from engine.events import AnyEvent, CardsDealt, DealScored, GameStarted
from engine.evolve import EndEvent, RosterEvent, TableEvent
from engine.views import Viewer
from server.chairs import seat_of
from server.limits import Account
from server.outbox import Outbox
from server.presence import Heard
from server.protocol import Close, Nearness, Presence, Seen, ServerMessage, Update
from server.shown import Scene, proposals_of, sheet_of, table_of, update_of
from server.waking import Clock

log = logging.getLogger(__name__)

_TableFact = RosterEvent | TableEvent | EndEvent
_SheetFact = GameStarted | DealScored

Messages = tuple[ServerMessage, ...]
Make = Callable[[Scene, Viewer, "Attendee"], Messages]
"""Makes what one attendee, with those eyes, is sent of a scene. Raises, and nothing is sent."""


def changes_chairs(facts: Iterable[AnyEvent]) -> bool:
    """Whether after `facts` the chairs, or what may be arranged there, are no longer the same."""
    return any(isinstance(fact, _TableFact) for fact in facts)


def changes_sheet(facts: Iterable[AnyEvent]) -> bool:
    """Whether `facts` are written on the sheet."""
    return any(isinstance(fact, _SheetFact) for fact in facts)


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
    """The attendees of one room. Each is shown what the seat it faces may see, and nothing else.

    What cannot be shown to one of them is shown to all others.
    """

    def __init__(self, clock: Clock, code: str = "") -> None:
        self._code = code
        self._reported = 0
        """The entry whose showing failed last."""
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
                self._send([other], _whole, scene)
        self._attendees.add(attendee)
        self.hear(attendee)
        viewer = seat_of(scene.room, attendee.facing)
        if seen != Seen(epoch, scene.past.seq, viewer) or not scene.is_still:
            self._send([attendee], _whole, scene)
        else:
            self._send([attendee], _chairs if attendee.keys else _proposals, scene)
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
        self._send([attendee], _whole, scene)

    def show(self, scene: Scene, facts: Iterable[AnyEvent] = (), *, whole: bool = False) -> None:
        """Everybody sees the room as it is after `facts`, and how it came about.

        Without facts the view is only refreshed; `whole`: with chairs and sheet.
        """
        facts = tuple(facts)
        table = whole or changes_chairs(facts)
        sheets = (sheet_of(scene),) if whole or changes_sheet(facts) else ()
        if table:
            self._settle_keys(scene)
        if any(isinstance(fact, CardsDealt) for fact in facts):
            self._cover(scene)
        updates: dict[Viewer, Update] = {}

        def news(scene: Scene, viewer: Viewer, attendee: Attendee) -> Messages:
            if viewer not in updates:
                updates[viewer] = update_of(scene, viewer, facts)
            documents = _chairs(scene, viewer, attendee) if table else ()
            return (*documents, *sheets, updates[viewer])

        self._send(self._attendees, news, scene)
        if table:
            self.show_presence(scene)

    def show_proposals(self, scene: Scene) -> None:
        """Everybody sees what waits for consent now."""
        self._send(self._attendees, _proposals, scene)

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
            self.tell(presence, to=[to])

    def is_heard(self, key: str) -> bool:
        """Whether the device with the seat of `key`, or that claims one with it, is here."""
        return self._heard.nearness(key) == "here"

    def nearness(self, scene: Scene, seat: Seat) -> Nearness:
        """How near the player on `seat` is; nobody is away."""
        return self._heard.players(scene.room)[seat] or "away"

    def tell(self, message: ServerMessage, to: Iterable[Attendee] | None = None) -> None:
        """Everybody gets `message`, or those it is meant for."""
        for attendee in tuple(self._attendees if to is None else to):
            try:
                attendee.outbox.post(message)
            except Exception:
                log.exception("room %s: a device was not told something", self._code)
                self._give_up(attendee)

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`."""
        for attendee in self._attendees:
            attendee.outbox.close(code)

    def _cover(self, scene: Scene) -> None:
        """Devices with several seats look with nobody's eyes: who deals shows no hand."""
        for attendee in tuple(self._attendees):
            if len(attendee.keys) > 1 and attendee.facing is not None:
                attendee.facing = None
                self._send([attendee], _chairs, scene)

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
        if set(taken) == set(attendee.keys):
            attendee.outbox.close(code)
            self._attendees.discard(attendee)
        attendee.take(taken)
        return bool(attendee.keys)

    def _send(self, attendees: Iterable[Attendee], make: Make, scene: Scene) -> None:
        """Each of `attendees` gets what `make` makes for it: all of that or nothing.

        Where that fails it gets the room whole instead; where that fails too it is hung up on,
        since what it shows is true no longer.
        """
        for attendee in tuple(attendees):
            for attempt in (make, _whole):
                try:
                    viewer = seat_of(scene.room, attendee.facing)
                    for message in attempt(scene, viewer, attendee):
                        attendee.outbox.post(message)
                except Exception as fault:  # noqa: BLE001  # whichever it is, the others see on
                    self._report(fault, scene.past.seq)
                else:
                    break
            else:
                self._give_up(attendee)

    def _report(self, fault: Exception, seq: int) -> None:
        """The operator is told of `fault`, once for every entry."""
        if self._reported != seq:
            self._reported = seq
            log.error("room %s: not all are shown entry %d", self._code, seq, exc_info=fault)

    def _give_up(self, attendee: Attendee) -> None:
        self._attendees.discard(attendee)
        attendee.outbox.give_up()


def _whole(scene: Scene, viewer: Viewer, attendee: Attendee) -> Messages:
    return (*_chairs(scene, viewer, attendee), sheet_of(scene), update_of(scene, viewer))


def _chairs(scene: Scene, viewer: Viewer, attendee: Attendee) -> Messages:
    table = table_of(scene, viewer, _seats(scene, attendee))
    return (table, proposals_of(scene, viewer, attendee.claiming))


def _proposals(scene: Scene, viewer: Viewer, attendee: Attendee) -> Messages:
    return (proposals_of(scene, viewer, attendee.claiming),)


def _seats(scene: Scene, attendee: Attendee) -> tuple[Seat, ...]:
    """The seats of a device, in the order of the chairs."""
    seats = (seat_of(scene.room, key) for key in attendee.keys)
    return tuple(sorted(seat for seat in seats if seat is not None))
