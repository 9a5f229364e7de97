"""What devices without a seat ask of the table: a chair."""

from collections.abc import Callable
from math import inf
from typing import ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import HandOver, TakeSeat
from engine.history import Past
from engine.lobby import game_runs
from engine.state import Room
from server.chairs import player_on, seat_of
from server.consent.base import Asks, Base, Outcome
from server.presence import QUIET_AFTER

CLAIM_LIVES = 120.0
"""Seconds to answer a device that asks for a chair: somebody has to look up from the game."""

OBJECT_WITHIN = 6.0
"""Seconds for which the others may still refuse once a witness's word for a device counts."""


class Notice(Struct, frozen=True):
    """That the word of a witness counts: shown at the moment `since` to those who were here."""

    since: float
    shown_to: frozenset[Seat]


class _Claim(Base, frozen=True, kw_only=True):
    """What a device without a seat wants: the chair `seat`, under `name`, with its own `key`.

    The word of a witness counts only while the claim is possible and the witness is here, whenever
    it was given; from then on whoever else is here has the time to object. Else somebody with two
    phones could look into any hand.
    """

    lives = CLAIM_LIVES
    enough = "one"
    by: ClassVar[None] = None
    back_to: ClassVar[None] = None

    seat: Seat
    key: str
    name: str
    sign: str
    """Two digits that the device shows as well."""
    notice: Notice | None = None

    @property
    def spared(self) -> tuple[Seat, ...]:
        """Everybody is asked, the player on the chair too."""
        return ()

    @property
    def counts_from(self) -> float | None:
        """When the word of a witness will have been enough; None: none counts yet."""
        return self.notice.since + OBJECT_WITHIN if self.notice else None

    @property
    def next_end(self) -> float:
        return min(self.until, inf if self.counts_from is None else self.counts_from)

    def comes_from(self, room: Room) -> bool:
        """Whether the device still sits nowhere."""
        return seat_of(room, self.key) is None

    def is_from(self, _seat: Seat | None, key: str | None) -> bool:
        """Whether the device with `key` wants it."""
        return key == self.key

    def weighed(self, here: Asks, now: float, woke: float) -> Self:
        """The claim with the time to object, which runs while the word of a witness counts.

        It begins anew when somebody comes who has not seen that, and when the server woke.
        """
        claim = super().weighed(here, now, woke)
        if not self._is_possible(here) or not any(here(seat) for seat in self._witnesses):
            return replace(claim, notice=None)
        watching = {seat for seat in self.asked if here(seat)}
        notice = self.notice
        if notice is None or woke > notice.since:
            notice = Notice(now, frozenset(watching))
        elif not watching <= notice.shown_to:
            notice = Notice(now, notice.shown_to | watching)
        return replace(claim.kept(notice.since + OBJECT_WITHIN), notice=notice)

    def is_agreed(self, here: Asks, at: float) -> bool:
        """Whether a word counts, and all others who are here agree too or let their time go by.

        Weighed now; the time that is over by the moment `at`.
        """
        if self.notice is None:
            return False
        silent = all(seat in self.agreed or not here(seat) for seat in self.asked)
        return silent or at >= self.notice.since + OBJECT_WITHIN

    def at_the_end(self, _away: Asks) -> Outcome:
        """No chair goes to a device by absence."""
        return "lapsed"

    def is_forsaken(self, heard: Callable[[str], bool], now: float) -> bool:
        """Whether the device has had time to be heard, and is not."""
        return now >= self.began + QUIET_AFTER and not heard(self.key)

    @property
    def _witnesses(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.agreed if seat != self.seat)

    def _is_possible(self, here: Asks) -> bool:
        """Whether the word of a witness is enough: nobody who could speak sits on the chair."""
        return self.seat not in self.asked or not here(self.seat)


class TakingOver(_Claim, frozen=True, kw_only=True):
    """To play on as `name`, on another device."""

    kind = "take_over"

    def is_agreed(self, here: Asks, at: float) -> bool:
        """By the word of the player; else as every claim."""
        return self.seat in self.agreed or super().is_agreed(here, at)

    def still_open(self, _past: Past, room: Room) -> bool:
        """Whether that player still sits there."""
        sits = player_on(room, self.seat)
        return sits is not None and sits.name == self.name

    def effect(self) -> HandOver:
        return HandOver(self.seat, self.key, self.agreed)


class SittingIn(_Claim, frozen=True, kw_only=True):
    """To play on from a free chair, under a name of its own."""

    kind = "sit_in"

    def still_open(self, _past: Past, room: Room) -> bool:
        """Whether the chair is still free, and the game goes on."""
        in_range = self.seat in range(len(room.players))
        return in_range and room.players[self.seat] is None and game_runs(room)

    def effect(self) -> TakeSeat:
        return TakeSeat(self.name, self.key, self.seat, self.agreed)
