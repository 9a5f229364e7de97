"""One cell of the matrix, and what must be so in it when its fault is over."""

from contextlib import AsyncExitStack
from random import Random

from msgspec import Struct

from engine.history import Entry, past_of
from engine.lobby import game_runs
from engine.profile import Profile
from engine.state import Between, Room
from engine.views import GameView, Viewer, game_view, table_view
from tests.matrix.device import Device
from tests.matrix.faults import Fault
from tests.matrix.phases import Phase
from tests.matrix.server import Served
from tests.matrix.table import Table
from tests.matrix.viewers import SEATED, seat_as, secrets_in


class Cell(Struct, frozen=True):
    """A fault that strikes one viewer in one phase of a game by one profile."""

    profile: Profile
    phase: Phase
    fault: Fault
    viewer: str

    def __str__(self) -> str:
        return f"{self.profile.id} {self.phase.name} {self.fault.name} {self.viewer}"

    def senseless(self, room: Room) -> str | None:
        """Why there is no such cell, where `room` is in its phase; None: there is."""
        if self.viewer in SEATED and seat_as(self.viewer, room) is None:
            return f"nobody is the {self.viewer}"
        return self.fault.senseless(self.phase, self.viewer)


class Verdict(Struct, frozen=True):
    """How a cell ended. `wrong`: what was not so; `seconds`: until the device was back."""

    cell: Cell
    wrong: str
    seconds: float


class Run:
    """A cell that is run, on room `code`, whose log is `entries` so far."""

    def __init__(self, cell: Cell, served: Served, code: str, entries: list[Entry], seed: str):
        self.cell = cell
        self.code = code
        self.entries = entries
        self._seconds = 0.0
        self._wrong = ""
        self._table = Table(
            served, code, cell.phase, cell.viewer, past_of(entries), Random(f"{seed} {cell}")
        )

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.cell, self._wrong, self._seconds)

    async def begins(self, stack: AsyncExitStack) -> None:
        """Everybody sits at the table, and the fault has struck."""
        try:
            await self._table.sits_down(stack)
            await self.cell.fault.strikes(self._table, stack)
        except Exception as error:  # noqa: BLE001  # one cell must not hide the others
            self._wrong = f"before it was over: {error!r}"

    async def ends(self) -> None:
        """The fault is over, and it is known whether all is well."""
        if self._wrong:
            return
        try:
            self._seconds = await self.cell.fault.ends(self._table)
            await self._table.settles()
            self._check()
            await self._table.goes_on()
            self._check_secrets()
        except Exception as error:  # noqa: BLE001  # as above
            self._wrong = f"afterwards: {error!r}"

    def _check(self) -> None:
        table = self._table
        entries = table.entries()
        before, since = entries[: len(self.entries)], entries[len(self.entries) :]
        assert before == self.entries, "an entry is not what it was"
        assert len(since) == table.stored, f"{len(since)} entries instead of {table.stored}"
        room = table.room
        for device in table.devices:
            _check_screen(device, room, None if device.token is None else device.table.table.me)
        self._check_prompts(room)
        self._check_proposals(entries)

    def _check_prompts(self, room: Room) -> None:
        """Exactly whoever is on turn is asked to act, and everybody may propose to end the game."""
        asked, shown = set(self._table.asked_to), game_view(room, None)
        expected = set() if shown is None or shown.turn is None else {shown.turn}
        late = isinstance(room.phase, Between) and asked == set(self._table.phones)
        assert asked == expected or late, f"{asked} are asked to act instead of {expected}"
        for phone in self._table.phones.values():
            assert phone.update.options.end_game == game_runs(room), "no way out is offered"

    def _check_proposals(self, entries: list[Entry]) -> None:
        """What was open still is, unless it was overtaken or forgotten; who is asked may answer."""
        kept = {
            None: False,
            "take_back": not self.cell.fault.house
            and past_of(entries).place == past_of(self.entries).place,
            "take_over": True,
        }[self.cell.phase.open]
        assert [one.kind for one in self._table.open] == [self.cell.phase.open] * kept
        for proposal in self._table.open:
            assert proposal.asked
            for seat, phone in self._table.phones.items():
                (shown,) = phone.proposals.proposals
                assert shown.id == proposal.id
                assert shown.may_answer == (seat in proposal.asked)

    def _check_secrets(self) -> None:
        entries = self._table.entries()
        for device in (*self._table.devices, *self._table.gone):
            told = secrets_in(device.frames, entries)
            assert not told, f"{told} were told to somebody who may not know them"


def _check_screen(device: Device, room: Room, viewer: Viewer) -> None:
    """What the device shows is the room as the log folds."""
    assert device.closed is None, f"a device was hung up on with {device.closed}"
    assert device.table.table == table_view(room, viewer), "the chairs are shown otherwise"
    shown = device.update.game
    assert shown == _seen(room, viewer, shown), "the game is shown otherwise than it is"


def _seen(room: Room, viewer: Viewer, shown: GameView | None) -> GameView | None:
    """The game for `viewer`; between deals, when the dealer has had time enough, anybody deals."""
    anybody = shown is not None and shown.may.deal
    return game_view(room, viewer, anybody_deals=anybody)
