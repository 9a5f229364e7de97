"""Attacks by asks that are allowed: what is done and undone, again and again."""

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from itertools import cycle

from engine.cards import Card, Seat
from engine.commands import (
    ChooseFirstDealer,
    ChooseTakeBack,
    Leave,
    MoveTo,
    Pass,
    PlayCard,
    SetReady,
)
from engine.house_rules import HOUSE_RULES
from engine.profile import Setting
from server.profiles import load_profiles
from server.protocol import (
    Answer,
    CallBack,
    Claim,
    Deal,
    EndGame,
    Join,
    Kick,
    TakeBack,
    UseProfile,
    VoidDeal,
    Wish,
)
from tests.attack.company import Company
from tests.attack.foe import Attack, Foe
from tests.attack.ground import WAY
from tests.matrix.device import Device, Lost

WINDOW = 16
"""Asks that are on their way at the same time."""

TABLES = 4
"""Tables, each from an address of its own."""

READY = (SetReady(ready=True), SetReady(ready=False))
DEALERS = (ChooseFirstDealer(Seat(0)), ChooseFirstDealer(None))
MODES = (ChooseTakeBack("off"), ChooseTakeBack("ask"), ChooseTakeBack("free"))
REFUSED = (PlayCard(Card.SA), Pass(), Deal())
CHAIRS = (MoveTo(Seat(1)), MoveTo(Seat(0)))


def toggled(wishes: tuple[Wish, ...], tables: int = TABLES) -> Attack:
    """One player at each of some tables asks for one after the other, without end."""

    async def attack(foe: Foe) -> None:
        await asyncio.gather(*(_asks_on(foe, number, cycle(wishes)) for number in range(tables)))

    return attack


def profiles() -> tuple[Wish, ...]:
    """Two profiles with every house rule of theirs changed, which is the longest that they get."""
    return tuple(
        UseProfile(id=name, house_rules=_changed(name))
        for name in ("ru-3", "de-3", "ru-3", "pl-3")
        if name in load_profiles()
    )


async def leave_and_join(foe: Foe) -> None:
    """A player who sits down and leaves, under ever other names, at each of some tables."""

    async def comes_and_goes(number: int) -> None:
        code = await foe.room(number)
        while True:
            device = Device(code, WAY, at=foe.address(number))
            device.claim = Join(name=f"Eve {secrets.token_hex(4)}", token=secrets.token_urlsafe(16))
            try:
                await device.comes()
                device.sits()
                await device.asks(Leave())
                foe.did["left"] += 1
            except (Lost, TimeoutError):
                await asyncio.sleep(0.1)
            finally:
                await device.goes()

    await asyncio.gather(*map(comes_and_goes, range(4 * TABLES)))


async def take_backs(foe: Foe) -> None:
    """A card played and taken back, again and again, at each of some tables."""

    async def plays(number: int) -> None:
        company = await Company.of(foe, number, 3)
        await company.begins()

        async def there_and_back() -> None:
            actor = await company.act()
            if actor is not None and foe.chance.random() < 0.9:
                await company.asks(actor, TakeBack())

        await company.forever(there_and_back)

    await asyncio.gather(*map(plays, range(TABLES)))


async def voided_deals(foe: Foe) -> None:
    """Deals that are dealt and declared void, again and again."""
    await _agreed(foe, VoidDeal())


async def ended_games(foe: Foe) -> None:
    """Games that are begun and ended, again and again."""
    await _agreed(foe, EndGame())


async def kicked(foe: Foe) -> None:
    """Players sent away with the others' consent and called back, again and again."""

    async def plays(number: int) -> None:
        company = await Company.of(foe, number, 3)

        async def there_and_back() -> None:
            await company.agree(Kick(Seat(2)))
            await company.asks(company.devices[0], CallBack(Seat(2)))
            await company.comes()

        await company.forever(there_and_back)

    await asyncio.gather(*map(plays, range(TABLES)))


async def handed_over(foe: Foe) -> None:
    """A seat that goes from one device to another and back, again and again."""

    async def plays(number: int) -> None:
        company = await Company.of(foe, number, 3)
        await company.begins()

        async def there() -> None:
            old = company.devices[2]
            new = Device(company.code, WAY, at=foe.address(number))
            new.claim = Claim(seat=Seat(2), token=secrets.token_urlsafe(16))
            await new.comes()
            await old.until(lambda: bool(old.proposals.proposals))
            await company.asks(old, Answer(old.proposals.proposals[0].id, agree=True))
            await new.until(lambda: new.table.table.me == 2)
            new.sits()
            await old.goes()
            company.devices[2] = new
            foe.did["handed over"] += 1

        await company.forever(there)

    await asyncio.gather(*map(plays, range(TABLES)))


async def _agreed(foe: Foe, wish: Wish) -> None:
    async def plays(number: int) -> None:
        company = await Company.of(foe, number, 3)

        async def there_and_back() -> None:
            for _ in range(5):
                await company.act()
            await company.agree(wish)

        await company.forever(there_and_back)

    await asyncio.gather(*map(plays, range(TABLES)))


async def _asks_on(foe: Foe, number: int, wishes: Iterator[Wish]) -> None:
    """A player asks for all of `wishes`, some of them at once, without waiting for answers."""
    company = await Company.of(foe, number, 1)
    (device,) = company.devices
    waiting = deque[str]()

    async def asks() -> None:
        waiting.append((await device.taps(next(wishes))).id)
        if len(waiting) >= WINDOW:
            answer = await device.answer(waiting.popleft())
            foe.did[answer.reason.value if hasattr(answer, "reason") else "done"] += 1
            device.frames.clear()

    await company.forever(asks)


def _changed(name: str) -> dict[str, Setting]:
    """Every house rule of the profile, as it is not."""
    profile = load_profiles()[name]
    return {
        key: next(one for one in HOUSE_RULES[key].values if one != HOUSE_RULES[key].read(profile))
        for key in profile.house_rules
    }
