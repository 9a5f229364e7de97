"""What waits for somebody's consent: who is asked, and what their answers come to.

A proposal is one of seven kinds; what depends on the kind stands here and nowhere else. Nothing
here is stored: what the table agrees to becomes an entry of the log, everything else leaves no
trace, and a restart lets it lapse.
"""

import secrets
from collections.abc import Callable
from math import inf
from typing import ClassVar, Literal, Self

from msgspec import Struct, field
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import EndGame, HandOver, Kick, TakeSeat, VoidDeal
from engine.events import Undone
from engine.history import Past
from engine.lobby import game_runs
from engine.rejections import Rejected
from engine.state import InDeal, Room
from engine.take_back import reopening
from server.chairs import player_on, seat_of
from server.limits import Account
from server.presence import AWAY_AFTER, QUIET_AFTER
from server.protocol import ProposalKind

PROPOSAL_LIVES = 20.0
"""Seconds to answer what a player proposes."""

CLAIM_LIVES = 120.0
"""Seconds to answer a device that asks for a chair: somebody has to look up from the game."""

OBJECT_WITHIN = 6.0
"""Seconds for which the others may still refuse once a witness's word for a device counts."""

Asks = Callable[[Seat], bool]
"""Says of a seat whether its player is away, or here."""

Outcome = Literal["agreed", "refused", "lapsed", "withdrawn", "overtaken"]


class Asked(Struct, frozen=True):
    """Somebody whose consent counts: a player, whoever else may sit there later."""

    seat: Seat
    name: str


class _Proposal(Struct, frozen=True, kw_only=True):
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


class _OfPlayer(_Proposal, frozen=True, kw_only=True):
    """What the player on `proposer` wants. A chair may change hands; then it falls."""

    lives = PROPOSAL_LIVES
    sign: ClassVar[str] = ""
    counts_from: ClassVar[None] = None

    by: Seat
    by_name: str

    @property
    def spared(self) -> tuple[Seat, ...]:
        """The seats that are not asked."""
        return (self.by,)

    def comes_from(self, room: Room) -> bool:
        """Whether who proposed it still sits there."""
        player = player_on(room, self.by)
        return player is not None and player.name == self.by_name

    def is_from(self, seat: Seat | None, _key: str | None) -> bool:
        """Whether it is the one on `seat` who wants it, or a device without a seat, by its key."""
        return seat == self.by

    def is_forsaken(self, _heard: Callable[[str], bool], _now: float) -> bool:
        """Whether whoever wants it is gone."""
        return False


class _OfAll(_OfPlayer, frozen=True, kw_only=True):
    """What all have built together takes all of them to undo."""

    enough = "all"
    seat: ClassVar[None] = None
    name: ClassVar[str] = ""

    def is_agreed(self, _here: Asks, _at: float) -> bool:
        """Whether all have agreed."""
        return bool(self.players) and set(self.agreed) >= set(self.asked)

    def at_the_end(self, away: Asks) -> Outcome:
        """Whoever is away does not block those who agreed; absence alone is no consent."""
        return "agreed" if self.agreed and not self._would_speak(away) else "lapsed"


class _OfOne(_OfPlayer, frozen=True, kw_only=True):
    """Where one who agrees is enough."""

    enough = "one"
    back_to: ClassVar[None] = None

    def is_agreed(self, _here: Asks, _at: float) -> bool:
        """Whether one has agreed."""
        return bool(self.agreed)


class TakingBack(_OfAll, frozen=True, kw_only=True):
    """To go back to before the own last decision."""

    kind = "take_back"

    place: int
    """The last decision of all, as the number of its entry: the table agrees to what it saw."""
    back_to: int
    """The entry to go back to."""
    freely: bool = False
    """Nobody has to be asked."""

    def is_agreed(self, here: Asks, at: float) -> bool:
        """Whether all have agreed, or need not."""
        return self.freely or super().is_agreed(here, at)

    def still_open(self, past: Past, _room: Room) -> bool:
        """Whether nobody has decided anything since."""
        return past.place == self.place

    def effect(self) -> Undone:
        """What is to happen once it is agreed to; so in every kind."""
        return Undone(back_to=self.back_to, by=self.by, agreed=self.agreed)


class Reopening(_OfAll, frozen=True, kw_only=True):
    """To go on with the game that is over, before what ended it."""

    kind = "reopen"

    back_to: int

    def still_open(self, past: Past, _room: Room) -> bool:
        """Whether the game is still over, and no other begins."""
        again = reopening(past)
        return not isinstance(again, Rejected) and again.back_to == self.back_to

    def effect(self) -> Undone:
        return Undone(back_to=self.back_to, by=self.by, agreed=self.agreed)


class Voiding(_OfAll, frozen=True, kw_only=True):
    """That the running deal does not count."""

    kind = "void_deal"
    back_to: ClassVar[None] = None

    dealing: int
    """Which deal, as the number of the entry that dealt it."""

    def still_open(self, past: Past, room: Room) -> bool:
        """Whether that deal still runs."""
        return isinstance(room.phase, InDeal) and past.begun == self.dealing

    def effect(self) -> VoidDeal:
        return VoidDeal(self.by, self.agreed)


class Ending(_OfOne, frozen=True, kw_only=True):
    """To end the game with the standings as they are."""

    kind = "end_game"
    seat: ClassVar[None] = None
    name: ClassVar[str] = ""

    def still_open(self, _past: Past, room: Room) -> bool:
        """Whether a game runs."""
        return game_runs(room)

    def at_the_end(self, away: Asks) -> Outcome:
        """One whom all others have left may end it alone."""
        return "lapsed" if self._would_speak(away) else "agreed"

    def effect(self) -> EndGame:
        return EndGame(self.by, self.agreed)


class Kicking(_OfOne, frozen=True, kw_only=True):
    """To free a chair of who sits there."""

    kind = "kick"

    seat: Seat
    key: str
    name: str

    @property
    def spared(self) -> tuple[Seat, ...]:
        return (self.by, self.seat)

    def still_open(self, _past: Past, room: Room) -> bool:
        """Whether the same player sits there, with the same device."""
        sits = player_on(room, self.seat)
        return sits is not None and sits.key == self.key

    def at_the_end(self, away: Asks) -> Outcome:
        """One whom all others have left may free the chair of somebody who is away too."""
        return "agreed" if away(self.seat) and not self._would_speak(away) else "lapsed"

    def effect(self) -> Kick:
        return Kick(self.seat, self.by, self.agreed)


class Notice(Struct, frozen=True):
    """That the word of a witness counts: shown at the moment `since` to those who were here."""

    since: float
    shown_to: frozenset[Seat]


class _Claim(_Proposal, frozen=True, kw_only=True):
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


Proposal = TakingBack | Reopening | Voiding | Ending | Kicking | TakingOver | SittingIn
"""Something that a player wants, or a device without a seat.

It is bound to what everybody saw when it was made: a decision, a deal, a game, a player, a chair.
"""


def up_to_date(proposal: Proposal, past: Past) -> Proposal | None:
    """The proposal as the room is now; None: what it was about is no longer so."""
    room = past.room
    if room is None or not proposal.comes_from(room) or not proposal.still_open(past, room):
        return None
    return proposal.asking(
        tuple(
            Asked(Seat(index), player.name)
            for index, player in enumerate(room.players)
            if player is not None and index not in proposal.spared
        )
    )
