"""Attacks by frames: too many, without end, not read, and tokens that nobody has."""

import asyncio
import secrets
from contextlib import suppress
from itertools import count

from websockets.frames import Opcode

from engine.cards import Seat
from engine.commands import SetReady
from server.protocol import Ask, Claim, EndGame, Face, Join, Ping, Resume, Watch, Withdraw
from tests.attack.company import Company
from tests.attack.foe import Attack, Doing, Foe, Wire, frame, said
from tests.attack.lines import HELLO
from tests.matrix.device import Lost

PINGS = frame(b"", Opcode.PING) * 200
QUESTIONS = b"".join(said(Ping(n=n)) for n in range(200))


def flooded(  # what there is to choose
    packet: bytes,
    *,
    first: bytes = b"",
    reads: bool = False,
    addresses: int = 5,
    each: int = 20,
) -> Attack:
    """Sockets of a watcher into which `packet` is put again and again."""

    async def attack(foe: Foe) -> None:
        code = await foe.room(0)

        async def floods(wire: Wire) -> None:
            await foe.on(wire, code)
            await wire.says(HELLO + first)
            drinking = asyncio.create_task(wire.drinks()) if reads else None
            try:
                while True:
                    await wire.says(packet)
                    foe.did["packets"] += 1
                    await asyncio.sleep(0)
            finally:
                if drinking is not None:
                    drinking.cancel()

        await foe.many(addresses, each, floods)

    return attack


ping_flood = flooded(PINGS)
messages_without_end = flooded(QUESTIONS)
messages_read = flooded(QUESTIONS, reads=True)
messages_from_many = flooded(QUESTIONS, reads=True, addresses=250, each=4)
fragments = flooded(frame(b"x", Opcode.CONT, fin=False) * 100, first=frame(b"{", fin=False))
empty_fragments = flooded(frame(b"", Opcode.CONT, fin=False) * 500, first=frame(b"", fin=False))
message_without_end = flooded(
    frame(b"x" * 16_000, Opcode.CONT, fin=False), first=frame(b"{", fin=False)
)


async def half_frames(foe: Foe) -> None:
    """Frames that never end, a letter a second, from devices that watch."""
    code = await foe.room(0)

    async def dawdles(wire: Wire) -> None:
        await foe.on(wire, code)
        await wire.says(HELLO + frame(b"x" * 9_000)[:20])
        while True:
            await asyncio.sleep(1)
            await wire.says(b"x")

    await foe.many(10, 40, dawdles)


async def asks_not_read(foe: Foe) -> None:
    """Players who are ready and not without end, and read no answer."""

    async def taps(number: int) -> None:
        code = await foe.room(number)
        hello = said(Join(name="Eve", token=secrets.token_urlsafe(16)))

        async def floods(wire: Wire) -> None:
            await foe.on(wire, code)
            await wire.says(hello)
            for tap in count():
                wish = SetReady(ready=bool(tap % 2))
                await wire.says(said(Ask(id=secrets.token_hex(8), action=wish)))
                foe.did["asks"] += 1

        await foe.again(number, floods, 2048)

    await asyncio.gather(*map(taps, range(40)))


async def faces(foe: Foe) -> None:
    """A device that looks away and looks again, and is shown a running game whole each time."""

    async def blinks(number: int) -> None:
        company = await Company.of(foe, number, 3)
        await company.begins()
        token = company.devices[0].token or ""

        async def looks(wire: Wire) -> None:
            await foe.on(wire, company.code)
            await wire.says(said(Resume(tokens=(token,))))
            while True:
                await wire.says((said(Face(seat=None)) + said(Face(seat=Seat(0)))) * 20)
                foe.did["looks"] += 40
                await asyncio.sleep(0)

        await foe.many(1, 20, looks)

    await asyncio.gather(*map(blinks, range(4)))


async def nonsense(foe: Foe) -> None:
    """Hellos that are none: deep, long, of the wrong type, of no letters; one a connection."""
    code = await foe.room(0)
    wrong = (
        frame(b"[" * 16_000),
        frame(b'{"type":"join","name":"' + b"\xf0\x9f\x83\x8f" * 4_000),
        frame(b"\xff\xfe"),
        frame(b"{}" + b" " * 16_000),
        frame(b"x" * 200_000),
        said(Watch()) * 2,
    )

    async def says(wire: Wire) -> None:
        await foe.on(wire, code)
        await wire.says(foe.chance.choice(wrong))
        foe.did["hellos"] += 1
        await wire.drinks()

    await foe.many(5, 20, says)


async def guessed_tokens(foe: Foe) -> None:
    """Tokens by chance, for the chairs of the players' own table."""

    async def guesses(wire: Wire) -> None:
        await foe.on(wire, foe.table)
        await wire.says(said(Resume(tokens=tuple(secrets.token_urlsafe(16) for _ in range(8)))))
        foe.did["guesses"] += 1
        await wire.drinks()

    await foe.many(8, 30, guesses)


async def not_read(foe: Foe) -> None:
    """A game at a table whose sixty watchers read nothing of it."""
    company = await Company.of_three(foe)

    async def looks_away(wire: Wire) -> None:
        await foe.on(wire, company.code)
        await wire.says(HELLO)
        await asyncio.sleep(3600)

    async with asyncio.TaskGroup() as group:
        group.create_task(foe.many(10, 12, looks_away, window=2048))
        group.create_task(company.forever(company.act))


async def proposals_not_read(foe: Foe) -> None:
    """A hundred proposals, while a phone of the table and its watchers read nothing."""
    company = await Company.of_three(foe)
    await company.begins()
    deaf = company.devices[2]
    token = deaf.token or ""
    await deaf.goes()

    async def looks_away(wire: Wire) -> None:
        await foe.on(wire, company.code)
        await wire.says(said(Resume(tokens=(token,))))
        await asyncio.sleep(3600)

    async def proposes() -> None:
        proposer = company.devices[0]
        await proposer.asks(EndGame())
        foe.did["proposals"] += 1
        for one in proposer.proposals.proposals:
            await proposer.asks(Withdraw(one.id))

    async with asyncio.TaskGroup() as group:
        group.create_task(foe.again(3, looks_away, 2048))
        group.create_task(foe.many(4, 4, _looks_away_from(foe, company.code), 2048))
        group.create_task(company.forever(proposes))


def claims(*, of_the_table: bool) -> Attack:
    """Devices that ask for every chair again and again, at a table of theirs or at the players'."""

    async def attack(foe: Foe) -> None:
        code = foe.table
        if not of_the_table:
            company = await Company.of_three(foe)
            await company.begins()
            code = company.code
        chairs = count()

        async def asks(wire: Wire) -> None:
            await foe.on(wire, code)
            seat, token = Seat(next(chairs) % 3), secrets.token_urlsafe(16)
            await wire.says(said(Claim(seat=seat, token=token, name="Eve")))
            foe.did["claims"] += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await wire.drinks()

        with suppress(Lost):
            await foe.many(20, 5, asks)

    return attack


def _looks_away_from(foe: Foe, code: str) -> Doing:
    async def looks_away(wire: Wire) -> None:
        await foe.on(wire, code)
        await wire.says(HELLO)
        await asyncio.sleep(3600)

    return looks_away
