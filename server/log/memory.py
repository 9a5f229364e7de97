"""A log that lasts as long as the process: for tests, where nothing need outlive the evening."""

from collections.abc import AsyncIterator

from server.log.base import SLICE, Bells, Conflict, Stored


class MemoryLog:
    """Keeps every promise of `EventLog` except to outlive the process."""

    def __init__(self) -> None:
        self._rooms: dict[str, list[bytes]] = {}
        self._bells = Bells()

    async def append(self, room: str, seq: int, data: bytes) -> None:
        entries = self._rooms.get(room, [])
        if seq != len(entries) + 1:
            raise Conflict(room, seq)
        entries.append(data)
        self._rooms[room] = entries
        self._bells.ring(room)

    async def read(self, room: str, after: int = 0, most: int = SLICE) -> list[Stored]:
        entries = self._rooms.get(room, [])[after : after + most]
        return [Stored(seq, data) for seq, data in enumerate(entries, after + 1)]

    async def end(self, room: str) -> int:
        return len(self._rooms.get(room, ()))

    def follow(self, room: str, after: int = 0) -> AsyncIterator[Stored]:
        return self._bells.follow(room, after, self.read)

    async def rooms(self) -> list[str]:
        return sorted(self._rooms)

    async def ends(self) -> dict[str, int]:
        return {room: len(entries) for room, entries in self._rooms.items()}

    async def forget(self, room: str) -> None:
        self._rooms.pop(room, None)

    async def mended(self, room: str) -> int | None:  # noqa: ARG002  # memory does not wear out
        return None
