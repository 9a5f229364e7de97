"""Everybody at one table: a phone on every chair, a table screen, and somebody who looks on."""

from collections.abc import Iterable
from contextlib import AsyncExitStack
from operator import itemgetter
from random import Random

from engine.cards import Seat
from engine.history import Entry, Past, past_of
from engine.state import Playing, Room
from server.log.codec import entries_of
from server.log.readonly import stored_in
from server.protocol import Answer, Ask, Claim, Done, ProposalView, TakeBack, Wish
from tests.matrix.device import Device
from tests.matrix.phases import TOKENS, Phase
from tests.matrix.proxy import Straying, Wire
from tests.matrix.server import Served
from tests.matrix.viewers import offers_acts, seat_as

CLAIM = "the-token-of-a-claim--"


class Table:
    """Room `code` on `served`, which stands in `phase`. `device`: the one that a fault strikes."""

    def __init__(  # noqa: PLR0913, PLR0917  # a table has so many sides
        self, served: Served, code: str, phase: Phase, viewer: str, past: Past, chance: Random
    ) -> None:
        assert past.room is not None
        self.served = served
        self.code = code
        self.chance = chance
        self.phase = phase
        self.was = past
        self.seat = seat_as(viewer, past.room)
        self.wire = Wire(served.way)
        self.phones = {
            Seat(index): Device(code, served.way, TOKENS[index])
            for index in range(len(past.room.players))
        }
        self.others = {"table": Device(code, served.way), "watcher": Device(code, served.way)}
        self.device = self.others[viewer] if self.seat is None else self.phones[self.seat]
        self.gone: list[Device] = []
        """Devices that lost their place for good; what they were told counts all the same."""
        self.stored = 0
        """Entries that have come since, by what was asked and answered."""
        self.fate: Straying | None = None
        self._tapped: Ask | None = None
        self._offered = False

    @property
    def devices(self) -> tuple[Device, ...]:
        return (*self.phones.values(), *self.others.values())

    @property
    def chair(self) -> Seat:
        """Where the owner of the device sits."""
        assert self.seat is not None
        return self.seat

    @property
    def plays(self) -> bool:
        """Whether a game runs, in which no act can be done twice."""
        return self.device.table.table.running

    async def sits_down(self, stack: AsyncExitStack) -> None:
        """Everybody is there, and what the phase has open is open. `stack` sends them home."""
        self.device.way = await stack.enter_async_context(self.wire.laid())
        for device in self.devices:
            stack.push_async_callback(device.goes)
            await device.comes()
        match self.phase.open:
            case "take_back":
                assert isinstance(await self._leader().asks(TakeBack()), Done)
            case "take_over":
                await self._claims(stack)
        await self.settles()

    def _leader(self) -> Device:
        """Whose card was the first of a trick that only the actor's is missing in."""
        phase = self.room.phase
        assert isinstance(phase, Playing)
        return self.phones[phase.trick[0].seat]

    async def _claims(self, stack: AsyncExitStack) -> None:
        """Somebody asks for the chair that is neither the actor's nor the next."""
        seats = (seat_as(role, self.room) for role in ("other", "next"))
        chair = next(seat for seat in seats if seat is not None)
        claimer = Device(self.code, self.served.way)
        claimer.claim = Claim(seat=chair, token=CLAIM)
        self.others["claimer"] = claimer
        stack.push_async_callback(claimer.goes)
        await claimer.comes()

    # What is stored and what is shown.

    def entries(self) -> list[Entry]:
        """What the log holds of the room."""
        return entries_of(stored_in(self.served.data, self.code))

    @property
    def room(self) -> Room:
        """The room as the log folds."""
        room = past_of(self.entries()).room
        assert room is not None
        return room

    async def settles(self) -> None:
        """Every screen shows the last entry and what waits for consent then."""
        seq = len(self.entries())
        for device in self.devices:
            await device.shows(seq)
            await device.echoes(len(device.frames))

    @property
    def asked_to(self) -> dict[Seat, Device]:
        """The phones whose screens offer an act, by seat."""
        return {
            seat: phone
            for seat, phone in self.phones.items()
            if phone.update.game is not None and offers_acts(phone.update.game.may)
        }

    @property
    def open(self) -> tuple[ProposalView, ...]:
        """What waits for consent, as the table screen shows it."""
        return self.others["table"].proposals.proposals

    # What happens next.

    async def acts(self, otherwise: Wish | None = None) -> None:
        """The device asks for what it is to do, or else for that, and does not wait."""
        wish = self.device.wish(self.chance)
        self._offered = wish is not None
        if wish := wish or otherwise:
            self._tapped = await self.device.taps(wish)

    async def has_acted(self) -> None:
        """What the device asked for was done, once; or refused, if nobody had offered it.

        Asked again under its id, as if the answer had been lost, it is answered the same.
        """
        if self._tapped is None:
            return
        ask, device = self._tapped, self.device
        answer = await device.answer(ask.id)
        assert isinstance(answer, Done) == self._offered, (ask, answer)
        self.stored += self._offered
        heard = len(device.answers_to(ask.id))
        await device.taps(ask.action, ask.id)
        await device.until(lambda: len(device.answers_to(ask.id)) > heard)
        assert set(device.answers_to(ask.id)) == {answer}, "one ask has several answers"

    @property
    def tapped(self) -> Ask:
        """What the device asked for and was not waited for."""
        assert self._tapped is not None
        return self._tapped

    async def does(self, phone: Device, wish: Wish, seen_by: Iterable[Device] = ()) -> None:
        """`wish` is done, and some have seen it."""
        answer = await phone.asks(wish)
        assert isinstance(answer, Done), (wish, answer)
        self.stored += 1
        for device in seen_by:
            await device.shows(answer.seq)

    async def acts_without(self, asleep: Device, most: int) -> None:
        """The others go on, for `most` acts or until it is the turn of `asleep`."""
        awake = [device for device in self.devices if device is not asleep]
        for _ in range(most):
            wishes = ((phone, phone.wish(self.chance)) for phone in awake)
            phone, wish = next(filter(itemgetter(1), wishes), (asleep, None))
            if wish is None:
                return
            await self.does(phone, wish, awake)

    async def goes_on(self) -> None:
        """What was open is refused, and whoever is to act does: there is a way on."""
        for proposal in self.open:
            answerer = self.phones[proposal.asked[0]]
            answer = await answerer.asks(Answer(proposal=proposal.id, agree=False))
            assert isinstance(answer, Done), f"what is open cannot be refused: {answer}"
        await self.settles()
        wishes = ((phone, phone.wish(self.chance)) for phone in self.phones.values())
        phone, wish = next(filter(itemgetter(1), wishes), (self.device, None))
        assert wish is not None, "nobody can go on"
        await self.does(phone, wish, self.devices)
