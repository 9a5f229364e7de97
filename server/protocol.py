"""Every message between a phone and the server, in both directions.

A frame to the server is one JSON object. A frame from the server is a JSON array of messages that
belong together. PROTOCOL.md and the client's types are written from these structs.
"""

from enum import IntEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.cards import Rank, Seat, Suit
from engine.commands import AnyAction
from engine.glimpses import Glimpse
from engine.profile import Profile, Setting
from engine.rejections import Reason
from engine.views import GameView, SheetView, TableView

PROTOCOL = 1
"""Number of this protocol; a client of another number is asked to load itself again."""

FRAME_LIMIT = 16_384
"""Bytes of a frame to the server at most."""

Id = Annotated[str, Meta(pattern=r"^[0-9a-zA-Z_-]{8,64}\Z")]
"""An ask's id, chosen at random by the phone."""

Token = Annotated[str, Meta(pattern=r"^[0-9a-zA-Z_-]{22}\Z")]
"""128 secret bits, base64url, that give a device its seat."""


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A message to a phone."""


class Request(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A message from a phone. Unknown fields are mistakes."""


# From a phone: first one hello.


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Sit down under `name`, on chair `seat` if it is free.

    The phone makes up the token that will be its seat, from secure randomness. A join that is sent
    again, because the welcome was lost, therefore finds its chair taken by itself.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token
    seat: Seat | None = None


class Resume(Request, frozen=True, kw_only=True, tag="resume"):
    """Be again who joined with this token."""

    token: Token


class Watch(Request, frozen=True, kw_only=True, tag="watch"):
    """See what the table screen sees."""


Hello = Join | Resume | Watch


# From a phone: then asks.


class Deal(Struct, frozen=True, tag="deal", tag_field="type", forbid_unknown_fields=True):
    """Shuffle and deal."""


class Start(Struct, frozen=True, tag="start", tag_field="type", forbid_unknown_fields=True):
    """Begin a game; also the next one on the same chairs."""


class UseProfile(
    Struct, frozen=True, tag="use_profile", tag_field="type", forbid_unknown_fields=True
):
    """Play the next game by profile `id` with these house rules."""

    id: str
    house_rules: dict[str, Setting] = {}


Wish = AnyAction | Deal | Start | UseProfile
"""What an ask may ask for: a game action, or something for which the house is needed."""


class Ask(Request, frozen=True, kw_only=True, tag="ask"):
    """Do something. Gets exactly one answer; asked again under the same id, the same answer."""

    id: Id
    action: Wish


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Answer with a pong."""

    n: int


ClientMessage = Join | Resume | Watch | Ask | Ping


# To a phone.


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The hello was understood."""

    protocol: int
    build: str
    epoch: str
    """Changes with every start of the server."""
    code: str
    url: str
    """The address that this room's QR code holds."""


class Table(Message, frozen=True, kw_only=True, tag="table"):
    """The chairs and the rules, whole."""

    table: TableView


class Sheet(Message, frozen=True, kw_only=True, tag="sheet"):
    """The score sheet, whole; None before the first game."""

    sheet: SheetView | None


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Which chairs have a phone connected, and how many watch."""

    here: tuple[bool, ...]
    watchers: int


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """The game as this viewer sees it after entry `seq`, whole, and how it came about.

    Without glimpses the view is to be shown at once.
    """

    seq: int
    game: GameView | None
    glimpses: tuple[Glimpse, ...]


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """Ask `id` was done and stored as entry `seq`."""

    id: str
    seq: int


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Ask `id` came to nothing; nothing has changed."""

    id: str
    reason: Reason


class NotSeated(Message, frozen=True, kw_only=True, tag="not_seated"):
    """The join came to nothing; another hello may follow."""

    reason: Reason


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping."""

    n: int


ServerMessage = Welcome | Table | Sheet | Presence | Update | Done | Refused | NotSeated | Pong


class Close(IntEnum):
    """Why the server closes a socket. The numbers are permanent."""

    RESTARTING = 1012
    BAD_FRAME = 4400
    WRONG_TOKEN = 4401
    NO_SUCH_ROOM = 4404
    NO_HELLO = 4408
    ELSEWHERE = 4409
    SEAT_GONE = 4410
    TOO_SLOW = 4413
    ROOM_STOPPED = 4500


# Over HTTP.


class NewRoom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open a table. POST /api/rooms."""

    profile: str
    house_rules: dict[str, Setting] = {}


class RoomOpened(Struct, frozen=True, kw_only=True):
    """The answer: the new room."""

    code: str
    url: str


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
        "room-stopped",
        "bad-request",
        "unknown-profile",
        "unknown-house-rule",
        "not-stored",
        "not-found",
    ]
