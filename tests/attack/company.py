"""Three devices of one attacker at a table of their own."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self

from engine.commands import ChooseTakeBack, SetReady
from server.protocol import Answer, Done, Join, Refused, Start, Wish
from tests.attack.foe import Foe
from tests.attack.ground import WAY
from tests.matrix.device import Device, Lost

NAMES = ("Mallory", "Eve", "Oscar")


class Company:
    """Devices that sit in room `code`; they come back when they are hung up on."""

    def __init__(self, foe: Foe, code: str, devices: list[Device]) -> None:
        self.code = code
        self.devices = devices
        self._foe = foe

    @classmethod
    async def of(cls, foe: Foe, number: int, players: int) -> Self:
        """So many at a new table, all from the address of that number."""
        code = await foe.room(number)
        company = cls(foe, code, [])
        for name in NAMES[:players]:
            device = Device(code, WAY, at=foe.address(number))
            device.claim = Join(name=name, token=secrets.token_urlsafe(16))
            company.devices.append(device)
        await company.comes()
        return company

    @classmethod
    async def of_three(cls, foe: Foe) -> Self:
        return await cls.of(foe, 0, 3)

    async def comes(self) -> None:
        """All are there, as often as it takes."""
        for device in self.devices:
            if device.closed is None and device.token is not None:
                continue
            while True:
                with suppress(Lost, TimeoutError):
                    await device.comes()
                    if device.claim is not None:
                        device.sits()
                    break
                await asyncio.sleep(0.1)

    async def asks(self, device: Device, wish: Wish) -> Done | Refused:
        """What the house says."""
        answer = await device.asks(wish)
        self._foe.did["done" if isinstance(answer, Done) else answer.reason.value] += 1
        device.frames.clear()
        return answer

    async def begins(self) -> None:
        """A game runs in which decisions may be taken back at once."""
        await self.asks(self.devices[0], ChooseTakeBack("free"))
        for device in self.devices:
            await self.asks(device, SetReady(ready=True))
        await self.asks(self.devices[0], Start())
        await self._meet()

    async def act(self) -> Device | None:
        """Whoever of them is to act acts; None: nobody could."""
        await self._meet()
        for device in self.devices:
            wish = device.wish(self._foe.chance)
            if wish is not None and isinstance(await self.asks(device, wish), Done):
                return device
        await asyncio.sleep(0.05)
        return None

    async def agree(self, wish: Wish) -> None:
        """One proposes `wish`, and the others agree."""
        await self.asks(self.devices[0], wish)
        await self._meet()
        for device in self.devices[1:]:
            for one in device.proposals.proposals:
                if one.may_answer:
                    await self.asks(device, Answer(one.id, agree=True))
        await self._meet()

    async def forever(self, doing: Callable[[], Awaitable[object]]) -> None:
        """`doing`, again and again, with whoever was hung up on back at the table."""
        while True:
            with suppress(Lost, TimeoutError):
                await doing()
                continue
            await self.comes()

    async def _meet(self) -> None:
        """All screens show the last of what was done."""
        for device in self.devices:
            if device.closed is None:
                await device.echoes(secrets.randbelow(1 << 30))
