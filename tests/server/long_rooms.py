"""Rooms with long logs, and a log that remembers how it was read."""

import asyncio

from engine.cards import Seat
from engine.events import ReadySet
from engine.history import AskId, Entry
from server.log import MemoryLog, Stored
from tests.server.games import keep, stored, won

SHORT, LONG = "SHRT", "LONG"


class Watched(MemoryLog):
    """A log that remembers who asked it for how many entries."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, int]] = []

    async def read(self, room: str, *asked: int) -> list[Stored]:
        found = await super().read(room, *asked)
        await asyncio.sleep(0)  # as from a disk
        self.given.append((room, len(found)))
        return found


def readies(length: int, first: int = 2) -> list[Entry]:
    """Entries of somebody who says again and again to be ready, or not."""
    return [
        Entry(
            seq=seq,
            facts=(ReadySet(seat=Seat(0), ready=bool(seq % 2)),),
            ask=AskId("a key", f"ask {seq}"),
        )
        for seq in range(first, first + length)
    ]


async def room_of(events: MemoryLog, code: str, length: int) -> None:
    """Room `code` has so many entries and no game."""
    opened = stored(won())[0]
    await keep(events, [opened, *readies(length - 1)], code)
