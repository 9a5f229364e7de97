"""What players propose to each other."""

from collections.abc import Callable
from typing import ClassVar

from engine.cards import Seat
from engine.commands import EndGame, Kick, VoidDeal
from engine.events import Undone
from engine.history import Past
from engine.lobby import game_runs
from engine.rejections import Rejected
from engine.state import InDeal, Room
from engine.take_back import reopening
from server.chairs import player_on
from server.consent.base import Asks, Base, Outcome

PROPOSAL_LIVES = 20.0
"""Seconds to answer what a player proposes."""


class _OfPlayer(Base, frozen=True, kw_only=True):
    """What the player on `by` wants. A chair may change hands; then it falls."""

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
