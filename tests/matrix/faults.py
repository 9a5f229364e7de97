"""What can go wrong: how it strikes a device or the whole house, and how it is over."""

import secrets
import time
from contextlib import AsyncExitStack
from typing import ClassVar

from engine.commands import Pass
from server.protocol import Answer, Claim, Close, Done
from tests.matrix.device import Device, Lost
from tests.matrix.phases import Phase
from tests.matrix.proxy import Losing, Straying, relay
from tests.matrix.server import FORTNIGHT, Served
from tests.matrix.table import Table
from tests.matrix.viewers import SEATED

ECHOES = 8
"""Pings and pongs that a device exchanges over a line that spoils them; more than one is lost."""


class Fault:
    """Something that goes wrong with the device of a table, or with the server under them all.

    `house`: it strikes every table at once, so the tables are struck together.
    """

    name: ClassVar[str]
    house: ClassVar[bool] = False

    def senseless(self, _phase: Phase, _viewer: str) -> str | None:
        """Why it cannot happen to that viewer in that phase; None: it can."""
        return None

    async def strikes(self, table: Table, stack: AsyncExitStack) -> None:
        """It has happened to the table's device. `stack` tidies up when all is over."""
        raise NotImplementedError

    async def happens(self, served: Served) -> None:
        """It has happened to the server, and the server serves again."""

    async def ends(self, table: Table) -> float:
        """It is over and the device shows the room whole; seconds from the one to the other."""
        raise NotImplementedError


class Reload(Fault):
    """The page is loaded again and knows nothing but its token."""

    name = "reload"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        await table.device.goes()

    async def ends(self, table: Table) -> float:
        return await table.device.comes()


class Nap(Fault):
    """The phone sleeps for 5 s: nothing arrives, then everything that was sent meanwhile."""

    name = "sleep-5"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        table.wire.freeze()
        await table.acts_without(table.device, most=1)

    async def ends(self, table: Table) -> float:
        began, seq = time.perf_counter(), len(table.entries())
        table.wire.thaw()
        await table.device.until(lambda: table.device.update.seq == seq)
        return time.perf_counter() - began


class Sleep(Fault):
    """The phone sleeps for 60 s: the connection was given up, the others may have played tricks."""

    name = "sleep-60"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        table.wire.freeze()
        await table.acts_without(table.device, most=9)
        table.wire.cut()
        await table.device.ends()

    async def ends(self, table: Table) -> float:
        return await table.device.comes(remembers=True)


class Moved(Fault):
    """The phone changes networks: its connection breaks, and it comes from another address."""

    name = "address"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        table.wire.cut()
        await table.device.ends()
        table.wire.source = "127.0.0.2"

    async def ends(self, table: Table) -> float:
        return await table.device.comes(remembers=True)


class OfSeats(Fault):
    """A fault that only a device with a seat can have."""

    def senseless(self, _phase: Phase, viewer: str) -> str | None:
        return None if viewer in SEATED else "whoever only looks on has no seat to lose"


class SecondTab(OfSeats):
    """The page is opened again in another tab, and then the first one takes the seat back."""

    name = "second-tab"

    async def strikes(self, table: Table, stack: AsyncExitStack) -> None:
        second = Device(table.code, table.served.way, table.device.token)
        stack.push_async_callback(second.goes)
        await second.comes()
        assert await table.device.ends() == Close.ELSEWHERE
        table.gone.append(second)

    async def ends(self, table: Table) -> float:
        took = await table.device.comes(remembers=True)
        assert await table.gone[-1].ends() == Close.ELSEWHERE
        return took


class TakeOver(OfSeats):
    """Another phone asks for the chair, its player agrees on the old one, which is out then."""

    name = "take-over"

    def senseless(self, phase: Phase, viewer: str) -> str | None:
        if phase.open == "take_over" and viewer == "other":
            return "somebody asks for this chair already"
        return super().senseless(phase, viewer)

    async def strikes(self, table: Table, stack: AsyncExitStack) -> None:
        new = Device(table.code, table.served.way)
        new.claim = Claim(seat=table.chair, token=secrets.token_urlsafe(16))
        stack.push_async_callback(new.goes)
        await new.comes()
        table.gone.append(table.device)
        table.device = new

    async def ends(self, table: Table) -> float:
        new, old = table.device, table.gone[-1]
        asked = next(one for one in new.proposals.proposals if one.mine)
        began = time.perf_counter()
        await table.does(old, Answer(proposal=asked.id, agree=True))
        await new.until(lambda: new.table.table.me == table.chair)
        took = time.perf_counter() - began
        table.phones[table.chair] = new
        new.sits()
        assert await old.ends() == Close.SEAT_GONE
        assert await _is_turned_away(old)
        return took


async def _is_turned_away(device: Device) -> bool:
    """Whether its token opens nothing any more."""
    try:
        await device.comes()
    except Lost:
        return device.closed == Close.WRONG_TOKEN
    return False


class LostFrames(Fault):
    """Every tenth frame is lost in either direction, and a while later the connection breaks."""

    name = "lost-frames"

    async def strikes(self, table: Table, stack: AsyncExitStack) -> None:
        device, direct = table.device, table.device.way
        device.way = await stack.enter_async_context(relay(table.served.way, Losing(table.chance)))
        try:
            await device.comes(remembers=True)
            await _is_used(table)
        except Lost:
            device.way = direct
        else:
            raise AssertionError("nothing was lost")

    async def ends(self, table: Table) -> float:
        took = await table.device.comes(remembers=True)
        await table.has_acted()
        return took


class StrayFrames(Fault):
    """Frames are held up for a while, and asks and answers come twice."""

    name = "stray-frames"

    async def strikes(self, table: Table, stack: AsyncExitStack) -> None:
        table.fate = Straying(table.chance)
        table.device.way = await stack.enter_async_context(relay(table.served.way, table.fate))
        await table.device.comes(remembers=True)
        await _is_used(table)

    async def ends(self, table: Table) -> float:
        began = time.perf_counter()
        assert table.fate is not None
        table.fate.over = True
        await table.device.echoes(ECHOES)
        took = time.perf_counter() - began
        await table.has_acted()
        return took


async def _is_used(table: Table) -> None:
    """The device does what it is asked to do, and talks on."""
    await table.acts()
    for number in range(ECHOES):
        await table.device.echoes(number)


class TripleTap(Fault):
    """One ask is sent three times under the same id: done once, and answered three times."""

    name = "triple-tap"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        await table.acts(Pass())
        for _ in range(2):
            await table.device.taps(table.tapped.action, table.tapped.id)

    async def ends(self, table: Table) -> float:
        began, device = time.perf_counter(), table.device
        await device.until(lambda: len(device.answers_to(table.tapped.id)) == 3)
        took = time.perf_counter() - began
        await table.has_acted()
        return took


class ThreeAsks(Fault):
    """One act is asked for three times under three ids: done once, as far as that shows."""

    name = "three-asks"

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        await table.acts(Pass())

    async def ends(self, table: Table) -> float:
        began, device = time.perf_counter(), table.device
        answers = [await device.asks(table.tapped.action) for _ in range(2)]
        took = time.perf_counter() - began
        await table.has_acted()
        first = device.answers[table.tapped.id]
        again = {answer.seq for answer in answers if isinstance(answer, Done)}
        if isinstance(first, Done):
            again.discard(first.seq)
        assert not again or not table.plays, "an act was done again"
        table.stored += len(again)  # to be ready once more changes nothing
        return took


class Restart(Fault):
    """The server goes while somebody acts, and comes back; everybody returns."""

    house = True
    back: ClassVar[float] = 0.0
    other_build: ClassVar[bool] = False

    async def strikes(self, table: Table, _stack: AsyncExitStack) -> None:
        await table.acts()

    async def happens(self, served: Served) -> None:
        await served.stop()
        await served.start(back=self.back, other_build=self.other_build)

    async def ends(self, table: Table) -> float:
        device, before = table.device, table.device.welcome
        took = await device.comes(remembers=True)
        assert device.welcome.epoch != before.epoch
        assert (device.welcome.build != before.build) == self.other_build
        for other in table.devices:
            if other is not device:
                await other.comes(remembers=True)
        await table.has_acted()
        return took


class Stopped(Restart):
    """The server is told to go, and started again."""

    name = "sigterm"


class Killed(Restart):
    """The server is killed in the middle of an act, and started again."""

    name = "sigkill"

    async def happens(self, served: Served) -> None:
        await served.kill()
        await served.start()


class Yesterday(Restart):
    """After a power cut the machine believes that it is a fortnight ago."""

    name = "clock-back"
    back = FORTNIGHT


class OtherBuild(Restart):
    """The server was updated: it serves another client than the one on the phones."""

    name = "other-build"
    other_build = True


FAULTS: tuple[Fault, ...] = (
    *(Reload(), Nap(), Sleep(), Moved(), SecondTab(), TakeOver()),
    *(LostFrames(), StrayFrames(), TripleTap(), ThreeAsks()),
    *(Stopped(), Killed(), Yesterday(), OtherBuild()),
)
