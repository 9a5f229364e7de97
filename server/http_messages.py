"""What is said over HTTP of rooms and rules, and the one shape of everything that fails."""

from typing import Literal

from msgspec import Struct

from engine.cards import Rank, Seat, Suit
from engine.profile import Profile, Setting
from server.protocol import Token


class NewRoom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open a table. POST /api/rooms."""

    profile: str
    house_rules: dict[str, Setting] = {}


class RoomOpened(Struct, frozen=True, kw_only=True):
    """The answer: the new room."""

    code: str
    url: str


class KeepSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep a seat in the device's cookies. POST /api/rooms/{code}/seats."""

    token: Token


class KeptSeats(Struct, frozen=True, kw_only=True):
    """The seats that the device's cookies bring back. GET /api/rooms/{code}/seats."""

    seats: tuple[Seat, ...]


class RoomSummary(Struct, frozen=True, kw_only=True):
    """What anybody may know of a room. GET /api/rooms/{code}."""

    code: str
    url: str
    profile: str
    players: tuple[str | None, ...]
    state: Literal["gathering", "playing", "over"]
    deal: int
    turn: Seat | None


class HouseRuleView(Struct, frozen=True, kw_only=True):
    """A switch of a profile, its values and the profile's own one."""

    key: str
    values: tuple[Setting, ...]
    default: Setting


class ProfileSummary(Struct, frozen=True, kw_only=True):
    """A profile to choose. GET /api/profiles."""

    id: str
    version: int
    terms: str
    source: str
    players: int
    house_rules: tuple[HouseRuleView, ...]
    step: int | None
    target: int
    mark: int | None


class WorkedShare(Struct, frozen=True, kw_only=True):
    """One player's part of a worked score: card points, with the meld, and what is written."""

    cards: int
    raw: int
    written: int


class WorkedScore(Struct, frozen=True, kw_only=True):
    """A deal that might have been, settled by the rules of the book."""

    suit: Suit
    meld: int
    contract: int | None
    missed: int | None
    """A contract that the same deal would have failed."""
    shares: tuple[WorkedShare, ...]
    """Of everybody who plays the deal; the first has the meld and, if anybody, the contract."""


class RankPoints(Struct, frozen=True, kw_only=True):
    """A rank and the card points of each of its cards."""

    rank: Rank
    points: int


class RuleBook(Struct, frozen=True, kw_only=True):
    """All that is played by. GET /api/rooms/{code}/rules and GET /api/profiles/{id}."""

    profile: Profile
    ranks: tuple[RankPoints, ...]
    """The ranks in the pack, from high to low."""
    total: int
    """Card points of the whole pack."""
    example: WorkedScore


class Health(Struct, frozen=True, kw_only=True):
    """GET /api/health."""

    status: Literal["ok"]
    version: str
    epoch: str
    rooms: int
    connections: int


class Problem(Struct, frozen=True, kw_only=True):
    """The one shape of an HTTP error."""

    error: Literal[
        "no-such-room",
        "no-such-game",
        "game-running",
        "room-stopped",
        "bad-request",
        "unknown-profile",
        "unknown-house-rule",
        "not-stored",
        "unreadable",
        "full",
        "too-long",
        "not-found",
        "wrong-host",
        "wrong-origin",
        "too-many",
        "failed",
    ]
