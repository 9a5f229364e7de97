"""What proposals of all kinds have: who is asked, who agreed, and for how long."""

import secrets
from collections.abc import Callable
from math import inf
from typing import ClassVar, Literal, Self

from msgspec import Struct, field
from msgspec.structs import replace

from engine.cards import Seat
from server.limits import Account
from server.presence import AWAY_AFTER
from server.protocol import ProposalKind

Asks = Callable[[Seat], bool]
"""Says of a seat whether its player is away, or here."""

Outcome = Literal["agreed", "refused", "lapsed", "withdrawn", "overtaken"]


class Asked(Struct, frozen=True):
    """Somebody whose consent counts: a player, whoever else may sit there later."""

    seat: Seat
    name: str


class Base(Struct, frozen=True, kw_only=True):
    """What proposals of all kinds have. Its moments are those of the room's clock."""

    kind: ClassVar[ProposalKind]
    enough: ClassVar[Literal["one", "all"]]
    """How many of those who are asked have to agree."""
    lives: ClassVar[float]

    id: str = field(default_factory=lambda: secrets.token_urlsafe(8))
    began: float
    kept_until: float = -inf
    """It does not lapse before."""
    players: tuple[Asked, ...] = ()
    """Who is asked."""
    agreed: tuple[Seat, ...] = ()
    account: Account | None = None
    """Of the address that pays for what comes of it by time alone; None: of one without limits."""

    @property
    def until(self) -> float:
        """When it lapses."""
        return max(self.began + self.lives, self.kept_until)

    @property
    def next_end(self) -> float:
        """When the next of its times is over."""
        return self.until

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats of those who are asked."""
        return tuple(one.seat for one in self.players)

    def asking(self, players: tuple[Asked, ...]) -> Self:
        """The proposal when `players` are asked: only what the same ones said still counts."""
        agreed = tuple(seat for seat in self.agreed if self._player(seat) in players)
        return replace(self, players=players, agreed=agreed)

    def with_consent_of(self, seat: Seat) -> Self:
        """The proposal when `seat` has agreed."""
        return replace(self, agreed=(*(one for one in self.agreed if one != seat), seat))

    def kept(self, until: float) -> Self:
        """The proposal, which does not lapse before `until`."""
        return replace(self, kept_until=max(self.kept_until, until))

    def weighed(self, here: Asks, now: float, woke: float) -> Self:  # noqa: ARG002  # claims ask
        """The proposal as those who are `here` make it now.

        When the server woke after it began, whoever is asked has the time to be heard or away.
        """
        return self.kept(woke + AWAY_AFTER) if woke > self.began else self

    def _player(self, seat: Seat) -> Asked | None:
        return next((one for one in self.players if one.seat == seat), None)

    def _would_speak(self, away: Asks) -> bool:
        """Whether somebody has said nothing and is not away."""
        return any(seat not in self.agreed and not away(seat) for seat in self.asked)
