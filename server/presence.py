"""Whose device was heard, and when: from pings and asks, never stored."""

from collections.abc import Set as AbstractSet

from engine.state import Room
from server.protocol import Nearness
from server.waking import Clock

QUIET_AFTER = 10.0
"""Seconds without a word after which a player's device may be asleep."""

AWAY_AFTER = 30.0
"""Seconds without a word after which the player is away."""


class Heard:
    """When the device of each key was heard last, by the room's clock.

    A silence counts from where it could have been broken: not before the room was loaded, and not
    before the server last woke. Everybody counts as heard then.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock()
        self._last: dict[str, float] = {}

    def hear(self, key: str) -> None:
        """The device with the seat of `key` said something."""
        self._last[key] = self._clock()

    def nearness(self, key: str) -> Nearness:
        """How near the player with `key` is."""
        last = self._last.get(key, self._began)
        silence = self._clock() - max(last, self._clock.woke)
        if silence < QUIET_AFTER:
            return "here"
        return "quiet" if silence < AWAY_AFTER else "away"

    def forget_others(self, room: Room, coming: AbstractSet[str] = frozenset()) -> None:
        """Nothing is kept of who does not sit in `room` and is not among those `coming` to it."""
        kept = {player.key for player in room.players if player is not None} | coming
        self._last = {key: at for key, at in self._last.items() if key in kept}

    def players(self, room: Room) -> tuple[Nearness | None, ...]:
        """How near every player of `room` is, None for a free chair."""
        return tuple(
            None if player is None else self.nearness(player.key) for player in room.players
        )
