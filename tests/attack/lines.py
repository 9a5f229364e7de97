"""Attacks by connections: many, silent, short, from many addresses."""

import asyncio

from server.protocol import Watch
from tests.attack.foe import Attack, Foe, Wire, request, said

HELLO = said(Watch())


async def silent(foe: Foe) -> None:
    """New connections that say nothing, as many as there is place for."""
    await foe.many(13, 62, Wire.drinks)


async def storm(foe: Foe) -> None:
    """Connections made and broken at once, from ever other addresses."""

    async def comes_and_goes(number: int) -> None:
        while True:
            for step in range(1000):
                try:
                    wire = await foe.wire(50 * step + number)
                    if step % 3 == 0:
                        await wire.says(request("/api/health"))
                    wire.cut()
                except OSError:
                    pass
                await asyncio.sleep(0)

    await asyncio.gather(*map(comes_and_goes, range(50)))


def watchers(addresses: int, each: int, *, of_the_table: bool = False) -> Attack:
    """Watchers who stay and read, of a room of their own or of the players' own table."""

    async def attack(foe: Foe) -> None:
        code = foe.table if of_the_table else await foe.room(0)

        async def watches(wire: Wire) -> None:
            await foe.on(wire, code)
            await wire.says(HELLO)
            await wire.drinks()

        await foe.many(addresses, each, watches)

    return attack


async def short_sockets(foe: Foe) -> None:
    """Watchers who come, see everything once and go, from ever other addresses."""

    async def looks(wire: Wire) -> None:
        await foe.on(wire, foe.table)
        await wire.says(HELLO)
        await wire.sips(1 << 16)
        foe.did["looks"] += 1

    await foe.many(250, 1, looks)


async def no_hello(foe: Foe) -> None:
    """Sockets opened without a word, and opened again."""
    code = await foe.room(0)

    async def stays(wire: Wire) -> None:
        await foe.on(wire, code)
        await wire.drinks()

    await foe.many(20, 40, stays)


async def strangers(foe: Foe) -> None:
    """A thousand addresses that each speak once and make a mistake, and another thousand."""

    async def speaks(number: int) -> None:
        await foe.asks(number, "GET", "/api/rooms/ZZZZ")

    while True:
        for first in range(0, 1000, 100):
            await asyncio.gather(*map(speaks, range(first, first + 100)))
        foe.did["thousands"] += 1
