"""What is counted while robots play, and the figures that come of it."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

import msgspec
from msgspec import Struct

from server.identity import key_of


class Report(Struct, frozen=True, kw_only=True):
    """The figures of a rehearsal.

    Latency is from sending an ask until the last robot of the room has the view it led to.
    """

    rooms: int
    games: int
    """Games won, in all rooms together."""
    actions: int
    """Asks that were done."""
    seconds: float
    actions_per_second: float
    p50_ms: float
    p99_ms: float
    reconnects: int
    drops: int
    """Lines that robots dropped on purpose."""
    errors: dict[str, int]
    """What should not have happened, and how often."""


class Answer(Struct, frozen=True, kw_only=True):
    """An ask that was answered as done: what the log must hold from then on for ever.

    `key` is what the log calls the one who asked.
    """

    room: str
    key: str
    id: str
    seq: int


class Tally:
    """Everything counted in one rehearsal, in all rooms together.

    As a context it closes the file of answers.
    """

    def __init__(self, answers: Path | None = None) -> None:
        self.actions = 0
        self.games = 0
        self.reconnects = 0
        self.drops = 0
        self.errors: Counter[str] = Counter()
        self.latencies: list[float] = []
        """In seconds."""
        self._began = time.perf_counter()
        self._answers: TextIO | None = None
        if answers is not None:
            self._answers = answers.open("w", encoding="utf-8", buffering=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._answers is not None:
            self._answers.close()

    def done(self, room: str, token: str, ask: str, seq: int) -> None:
        """An ask was done; if answers are kept, the file has this one now."""
        self.actions += 1
        if self._answers is not None:
            answer = Answer(room=room, key=key_of(token), id=ask, seq=seq)
            self._answers.write(msgspec.json.encode(answer).decode() + "\n")

    @property
    def seconds(self) -> float:
        """Seconds since the rehearsal began."""
        return time.perf_counter() - self._began

    def progress(self) -> str:
        """How far it has come, in a line."""
        return (
            f"{self.seconds:6.1f} s  {self.games} games won  {self.actions} actions  "
            f"{self.reconnects} reconnects  {self.errors.total()} errors"
        )

    def report(self, rooms: int) -> Report:
        """The figures so far."""
        ordered, seconds = sorted(self.latencies), self.seconds
        return Report(
            rooms=rooms,
            games=self.games,
            actions=self.actions,
            seconds=round(seconds, 2),
            actions_per_second=round(self.actions / seconds, 1),
            p50_ms=round(1000 * quantile(ordered, 0.5), 2),
            p99_ms=round(1000 * quantile(ordered, 0.99), 2),
            reconnects=self.reconnects,
            drops=self.drops,
            errors=dict(self.errors),
        )


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value that `part` of the `ordered` values do not exceed; 0 if there are none."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Stopwatch:
    """When the robots of one room have all seen what an ask led to."""

    def __init__(self, robots: int, latencies: list[float]) -> None:
        self._seen = [0] * robots
        self._latencies = latencies
        self._running: list[tuple[int, float]] = []

    def stored(self, seq: int, sent: float, now: float) -> None:
        """An ask sent at `sent` became entry `seq`."""
        self._running.append((seq, sent))
        self._stop(now)

    def shown(self, robot: int, seq: int, now: float) -> None:
        """Robot number `robot` has the view after entry `seq`."""
        self._seen[robot] = seq
        if self._running:
            self._stop(now)

    def _stop(self, now: float) -> None:
        everywhere = min(self._seen)
        self._latencies.extend(now - sent for seq, sent in self._running if seq <= everywhere)
        self._running = [one for one in self._running if one[0] > everywhere]
