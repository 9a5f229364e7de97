"""Attacks by requests: pipelined, half, large, slow, dear, and wrong."""

import asyncio
import re
from itertools import count

from tests.attack.foe import Attack, Foe, Wire, request

PACKET = 40_000
"""Bytes of pipelined requests that are sent in one go."""

UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
GZIP = "Accept-Encoding: gzip\r\n"


def filled(one: bytes) -> bytes:
    """As many of that request as fit into a packet."""
    return one * max(1, PACKET // len(one))


async def pipelines(  # what there is to choose
    foe: Foe, one: bytes, *, addresses: int = 1, each: int = 1, reads: bool = False
) -> None:
    """Requests one behind the other without end, the answers read or not."""
    packet = filled(one)

    async def floods(wire: Wire) -> None:
        drinking = asyncio.create_task(wire.drinks()) if reads else None
        try:
            while drinking is None or not drinking.done():
                await wire.says(packet)
                foe.did["packets"] += 1
                await asyncio.sleep(0)
        finally:
            if drinking is not None:
                drinking.cancel()

    await foe.many(addresses, each, floods)


def pipelined(
    path: str, *, addresses: int = 1, each: int = 1, reads: bool = False, **how: str
) -> Attack:
    """The attack by pipelined requests for `path`; `{table}` in it is the players' table."""

    async def attack(foe: Foe) -> None:
        one = request(path.format(table=foe.table), **how)  # type: ignore[arg-type]
        await pipelines(foe, one, addresses=addresses, each=each, reads=reads)

    return attack


async def malformed(foe: Foe) -> None:
    """Requests that are none, each on its own behind good ones."""
    wrong = (b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01 TLS?\r\n\r\n", b"A" * 3000 + b"\r\n\r\n")
    for_all = filled(request("/") + request("/", host="evil.example") + request("/nothing"))

    async def floods(wire: Wire) -> None:
        await wire.says(for_all + foe.chance.choice(wrong))
        foe.did["packets"] += 1
        await wire.drinks()

    await foe.many(4, 20, floods)


async def wrong_hosts_and_origins(foe: Foe) -> None:
    """Requests under names and from pages that are not ours."""
    await asyncio.gather(
        pipelines(foe, request("/", host="evil.example"), each=20),
        pipelines(
            foe,
            request("/api/rooms", "POST", body=b"{}", more="Origin: http://evil.example\r\n"),
            addresses=2,
            each=20,
            reads=True,
        ),
    )


async def wrong_codes(foe: Foe) -> None:
    """Codes of rooms that are not there, side by side from some addresses."""

    async def guesses(wire: Wire) -> None:
        code = "".join(foe.chance.choices("ABCDEFGHKLMNPRTVWXYZ", k=4))
        await wire.says(request(f"/api/rooms/{code}"))
        foe.did["guesses"] += 1
        await wire.sips(400)

    await foe.many(8, 40, guesses)


async def drips(foe: Foe) -> None:
    """A request every few milliseconds, each in a packet of its own, and no answer is read."""

    async def goes_on(wire: Wire) -> None:
        while True:
            await wire.says(request(foe.chance.choice(("/", "/api/health", "/api/archive"))))
            foe.did["requests"] += 1
            await asyncio.sleep(0.005)

    await foe.many(4, 60, goes_on)


async def half_closed(foe: Foe) -> None:
    """Lines that are closed at our end behind many requests, whose answers are not read."""
    packet = filled(request("/"))

    async def leaves(wire: Wire) -> None:
        await wire.says(packet)
        wire.ends()
        foe.did["packets"] += 1
        await asyncio.sleep(2)

    await foe.many(4, 60, leaves, window=2048)


async def half_requests(foe: Foe) -> None:
    """Heads and bodies that never end, a letter a second."""
    heads = (
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ",
        b"POST /api/rooms HTTP/1.1\r\nHost: 10.78.0.1\r\nContent-Length: 900\r\n\r\n{",
    )

    async def dawdles(wire: Wire) -> None:
        await wire.says(foe.chance.choice(heads))
        while True:
            await asyncio.sleep(1)
            await wire.says(b"x")

    await foe.many(10, 60, dawdles)


async def endless_heads(foe: Foe) -> None:
    """Heads without an end, as fast as they are taken."""

    async def runs_on(wire: Wire) -> None:
        await wire.says(b"GET / HTTP/1.1\r\n")
        while True:
            await wire.says(b"X-Long: " + b"x" * 8000 + b"\r\n")
            foe.did["packets"] += 1

    await foe.many(4, 30, runs_on)


async def big_bodies(foe: Foe) -> None:
    """Rooms opened with bodies without an end, of a length that was said or in pieces."""
    heads = (
        b"POST /api/rooms HTTP/1.1\r\nHost: 10.78.0.1\r\nContent-Length: 9999999999\r\n\r\n",
        b"POST /api/rooms HTTP/1.1\r\nHost: 10.78.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    )
    piece = b"4000\r\n" + b"{" * 0x4000 + b"\r\n"

    async def runs_on(wire: Wire) -> None:
        await wire.says(foe.chance.choice(heads))
        while True:
            await wire.says(piece)
            foe.did["packets"] += 1
            await asyncio.sleep(0)

    await foe.many(6, 30, runs_on)


async def ranges(foe: Foe) -> None:
    """A thousand pieces of a page in one request, and requests for pieces that overlap."""
    many = ",".join(f"{i}-{i}" for i in range(1000))
    one = request("/", more=f"Range: bytes={many},0-\r\n")
    whole = ",".join("0-" for _ in range(1000))
    asset = await big_asset(foe)
    both = one + request(asset, more=f"Range: bytes={whole}\r\n")

    async def floods(wire: Wire) -> None:
        drinking = asyncio.create_task(wire.drinks())
        while not drinking.done():
            await wire.says(both)
            foe.did["packets"] += 1
            await asyncio.sleep(0.05)

    await foe.many(6, 10, floods)


def one_by_one(addresses: int, each: int) -> Attack:
    """Requests on lines that stay, each sent when the one before it is answered."""

    async def attack(foe: Foe) -> None:
        asset = await big_asset(foe)
        paths = ("/", "/api/health", f"/{foe.table}", "/api/profiles", "/api/rooms", asset)

        async def asks(wire: Wire) -> None:
            while True:
                await wire.says(request(foe.chance.choice(paths), more=GZIP))
                head = await wire.head()
                length = re.search(rb"content-length: (\d+)", head)
                await wire.exactly(int(length[1]) if length else 0)
                foe.did[head[9:12].decode()] += 1

        await foe.many(addresses, each, asks)

    return attack


async def slow_readers(foe: Foe) -> None:
    """The biggest file of the client, asked for again and again and hardly read."""
    asset = await big_asset(foe)

    async def sips(wire: Wire) -> None:
        await wire.says(request(asset))
        await wire.sips_on()

    await foe.many(10, 60, sips, window=2048)


async def big_asset(foe: Foe) -> str:
    """The path of a script of the client."""
    page = await foe.asks(0, "GET", f"/{foe.table}")
    found = re.findall(rb"/assets/[\w.-]+\.js", page)
    return found[0].decode() if found else "/"


async def pictures(foe: Foe) -> None:
    """QR codes from many addresses at once."""

    async def looks(wire: Wire) -> None:
        await wire.says(request(f"/api/rooms/{foe.table}/qr.svg"))
        foe.did["pictures"] += 1
        await wire.sips(1 << 16)

    await foe.many(30, 10, looks)


async def rule_books(foe: Foe) -> None:
    """Rules and profiles with house rules, which are packed for whoever asks."""
    paths = (
        f"/api/rooms/{foe.table}/rules",
        "/api/profiles/ru-3?house_rules=%7B%22step%22%3A10%7D",
        "/api/profiles",
        f"/api/rooms/{foe.table}",
    )

    async def looks(wire: Wire) -> None:
        await wire.says(request(foe.chance.choice(paths), more=GZIP))
        foe.did["books"] += 1
        await wire.sips(1 << 16)

    await foe.many(20, 10, looks)


async def rooms_without_end(foe: Foe) -> None:
    """Tables opened from ever other addresses, which nobody sits down at."""
    body = b'{"profile": "ru-3", "house_rules": {"step": 10}}'

    async def opens(first: int) -> None:
        for number in count(first, 50):
            answer = await foe.asks(number, "POST", "/api/rooms", body)
            foe.did["rooms"] += b" 201 " in answer[:16]
            await asyncio.sleep(0)

    await asyncio.gather(*map(opens, range(50)))


async def cookies(foe: Foe) -> None:
    """Requests with as many seats in their cookies as fit."""
    seats = "; ".join(f"seat-{i:08x}={i:022d}" for i in range(1200))
    paths = (f"/api/rooms/{foe.table}/seats", "/api/archive", f"/api/rooms/{foe.table}/evening")

    async def brings(wire: Wire) -> None:
        await wire.says(request(foe.chance.choice(paths), more=f"Cookie: {seats}\r\n"))
        foe.did["requests"] += 1
        await wire.sips(1 << 16)

    await foe.many(10, 10, brings)


async def archive(foe: Foe) -> None:
    """The archive by pages and by names, from many addresses at once."""

    async def looks(wire: Wire) -> None:
        page, name = foe.chance.randrange(1, 999), foe.chance.choice(("", "a", "Anna", "%C3%A4"))
        state = foe.chance.choice(("finished", "running"))
        await wire.says(request(f"/api/archive?page={page}&player={name}&state={state}", more=GZIP))
        foe.did["pages"] += 1
        await wire.sips(1 << 16)

    await foe.many(30, 10, looks)
