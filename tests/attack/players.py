"""Three who play at a table of their own and measure every answer, in a process of their own.

python -m tests.attack.players ADDRESS ADDRESS ADDRESS

What it is told on stdin it answers with a line of JSON: `begin` with null, and forgets what was
before; `figures` with those since it was asked last; `whole` with those since it began; `reload`
with how a phone came back; `end` with every ask that was answered.
"""

import asyncio
import json
import os
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from random import Random

import msgspec
import uvloop
from msgspec import Struct

from server.http_messages import KeepSeat, NewRoom, RoomOpened
from server.identity import key_of
from server.protocol import Done, Join
from server.rehearse.report import Answer, quantile
from tests.attack.ground import HOUSE, PORT, WAY
from tests.matrix.device import Device, Lost

NAMES = ("Anna", "Ben", "Carla")

EVERY = 0.06
"""Seconds from one question of a phone to its next; of the three together, 0.02."""

ACTS = 5
"""Every so many-th question of a phone is an act in the game, if it is on turn."""

AGAIN = 0.25
"""Seconds after which a phone tries again that was not let in."""

BACK_WITHIN = 5.0
"""Seconds after which a phone that reloads counts as shut out."""


class Figures(Struct, frozen=True, kw_only=True):
    """Answers in some time, in milliseconds from the question."""

    answers: int
    acts: int
    p50: float
    p99: float
    worst: float
    lost: int
    """Connections that broke and were not meant to."""


class Reloaded(Struct, frozen=True):
    """Milliseconds until the page was there again, and then until the whole view; None: never."""

    page: float | None
    back: float | None


class Spell(Struct):
    """What a phone went through in some time."""

    waits: list[float] = []
    """Seconds to each answer."""
    acts: int = 0
    lost: int = 0

    def add(self, later: "Spell") -> None:
        """That of `later` too."""
        self.waits += later.waits
        self.acts += later.acts
        self.lost += later.lost


class Player:
    """A phone at `address`, one of those that play in `code`."""

    def __init__(self, code: str, name: str, address: str) -> None:
        self.now, self.earlier = Spell(), Spell()
        """What was since the last figures, and what was before."""
        self.answered: list[Answer] = []
        self._code = code
        self._address = address
        self._chance = Random()
        self._device = Device(code, WAY, at=address)
        self._device.claim = Join(name=name, token=secrets.token_urlsafe(16))
        self._hand = asyncio.Lock()
        self._asked_at: float | None = None

    async def sits(self) -> None:
        """It has a chair, which its cookies hold as well."""
        await self._device.comes()
        self._device.sits()
        token = self._device.token or ""
        kept = msgspec.json.encode(KeepSeat(token=token))
        path = f"/api/rooms/{self._code}/seats"
        _, cookie = await asyncio.to_thread(asked, self._address, "POST", path, kept)
        self._device.cookies = cookie.partition(";")[0]

    async def plays(self, late: float) -> None:
        """It plays, and asks for an echo where there is nothing to play, until it is stopped."""
        loop = asyncio.get_running_loop()
        due = loop.time() + late
        for number in count(1):
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = max(due + EVERY, loop.time())
            async with self._hand:
                self._asked_at = time.perf_counter()
                await self._answers(number)
                self.now.waits.append(time.perf_counter() - self._asked_at)
                self._asked_at = None
            self._device.frames.clear()

    async def reloads(self) -> Reloaded:
        """The page is loaded anew, and the phone comes back to its seat."""
        try:
            await asyncio.wait_for(self._hand.acquire(), BACK_WITHIN)
        except TimeoutError:  # it waits for an answer, and nobody gives one
            return Reloaded(None, None)
        try:
            began = time.perf_counter()
            await self._device.goes()
            page = await self._within(began, self._loads)
            return Reloaded(page, await self._within(began, self._device.comes))
        finally:
            self._hand.release()

    @property
    def waiting(self) -> float:
        """Seconds that it has waited for the answer that it waits for now."""
        return 0.0 if self._asked_at is None else time.perf_counter() - self._asked_at

    async def _answers(self, number: int) -> None:
        wish = self._device.wish(self._chance) if number % ACTS == 0 else None
        ask = None
        while True:
            with suppress(Lost, TimeoutError):
                if self._device.closed is not None:
                    self.now.lost += 1
                    await self._device.comes(remembers=True)
                if wish is None:
                    return await self._device.echoes(number)
                ask = ask or await self._device.taps(wish)
                answer = await self._device.answer(ask.id)
                self.now.acts += 1
                if isinstance(answer, Done):
                    key = key_of(self._device.token or "")
                    self.answered.append(
                        Answer(room=self._code, key=key, id=ask.id, seq=answer.seq)
                    )
                return None
            self._device.closed = self._device.closed or 0
            await asyncio.sleep(AGAIN)

    async def _loads(self) -> None:
        await asyncio.to_thread(asked, self._address, "GET", f"/{self._code}")

    async def _within(self, began: float, comes: Callable[[], object]) -> float | None:
        """Milliseconds since `began` once that came to an end, again and again tried."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_WITHIN):
                while True:
                    with suppress(Lost, OSError, HTTPException):
                        await comes()  # type: ignore[misc]
                        return round(1000 * (time.perf_counter() - began), 1)
                    await asyncio.sleep(AGAIN)
        return None


def asked(address: str, method: str, path: str, body: bytes = b"") -> tuple[bytes, str]:
    """What the house answers to `address`, and the cookie that it sets.

    Raises:
        OSError, HTTPException: it does not answer, or it refuses.
    """
    line = HTTPConnection(HOUSE, PORT, timeout=5, source_address=(address, 0))
    try:
        line.request(method, path, body)
        response = line.getresponse()
        answer = response.read()
        if response.status not in (200, 201, 204):
            raise HTTPException(f"{method} {path}: {response.status}")
        return answer, response.headers.get("set-cookie", "")
    finally:
        line.close()


async def _played(addresses: list[str]) -> None:
    body = msgspec.json.encode(NewRoom(profile="ru-3"))
    opened, _ = asked(addresses[0], "POST", "/api/rooms", body)
    code = msgspec.json.decode(opened, type=RoomOpened).code
    players = [Player(code, *who) for who in zip(NAMES, addresses, strict=True)]
    for player in players:
        await player.sits()
    playing = [
        asyncio.create_task(player.plays(EVERY * late / len(players)))
        for late, player in enumerate(players)
    ]
    _say(code)
    while (told := await asyncio.to_thread(sys.stdin.readline)) not in ("end\n", ""):
        if told == "begin\n":
            for player in players:
                player.now, player.earlier = Spell(), Spell()
            _say(None)
        elif told == "figures\n":
            _say(_figures(players, [player.now for player in players]))
            for player in players:
                player.earlier.add(player.now)
                player.now = Spell()
        elif told == "whole\n":
            spells = [spell for player in players for spell in (player.earlier, player.now)]
            _say(_figures(players, spells))
        elif told == "reload\n":
            _say(await players[-1].reloads())
        if broken := [one for one in playing if one.done()]:
            await broken[0]
    _say([answer for player in players for answer in player.answered])
    for one in playing:
        one.cancel()


def _figures(players: list[Player], spells: list[Spell]) -> Figures:
    answers = [wait for spell in spells for wait in spell.waits]
    waits = sorted([*answers, *(player.waiting for player in players)])
    return Figures(
        answers=len(answers),
        acts=sum(spell.acts for spell in spells),
        p50=round(1000 * quantile(waits, 0.5), 1),
        p99=round(1000 * quantile(waits, 0.99), 1),
        worst=round(1000 * waits[-1], 1),
        lost=sum(spell.lost for spell in spells),
    )


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(msgspec.to_builtins(what)) + "\n")
    sys.stdout.flush()


def main(*addresses: str) -> None:
    """Play from `addresses` as long as stdin says; before others, as on machines of their own."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    uvloop.run(_played(list(addresses)))


if __name__ == "__main__":
    main(*sys.argv[1:])
