"""Every message between a phone and the server, in both directions.

A frame to the server is one JSON object. A frame from the server is a JSON array of messages that
belong together. PROTOCOL.md and the client's types are written from these structs.
"""

from enum import IntEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.cards import Seat
from engine.commands import AnyAction
from engine.glimpses import Glimpse
from engine.profile import Setting
from engine.rejections import Reason
from engine.views import GameView, SheetView, TableView

PROTOCOL = 2
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


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """What a phone that comes back has on its screen: whose eyes, which entry, which server."""

    epoch: str
    seq: int
    me: Seat | None


Tokens = Annotated[tuple[Token, ...], Meta(max_length=8)]
"""Further seats of the same device. Those in its cookies need not be named."""


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Sit down under `name`, on chair `seat` if it is free.

    The phone makes up the token that will be its seat, from secure randomness. A join that is sent
    again, because the welcome was lost, therefore finds its chair taken by itself.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: Token
    seat: Seat | None = None
    tokens: Tokens = ()


class Resume(Request, frozen=True, kw_only=True, tag="resume"):
    """Be again who joined with these tokens, and with those in the device's cookies.

    A device with several seats says with whose eyes it looks; with nobody's until then.
    """

    tokens: Tokens = ()
    facing: Seat | None = None
    seen: Seen | None = None


class Claim(Request, frozen=True, kw_only=True, tag="claim"):
    """Ask the table for chair `seat` of a running game, with a token made up for it.

    On a taken chair: be that player on another device. On a free one: play on under `name`.
    Until somebody who sits there has agreed, the device watches.
    """

    seat: Seat
    token: Token
    name: Annotated[str, Meta(max_length=64)] = ""
    tokens: Tokens = ()


class Watch(Request, frozen=True, kw_only=True, tag="watch"):
    """See what the table screen sees."""

    seen: Seen | None = None


Hello = Join | Resume | Claim | Watch


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


class TakeBack(Struct, frozen=True, tag="take_back", tag_field="type", forbid_unknown_fields=True):
    """Take the own last decision back: at once, or if the others consent.

    `seq`: the entry that the phone shows. If another has come since, nothing happens, so that two
    taps never take two decisions back. None: whatever the last one is.
    """

    seq: int | None = None


class VoidDeal(Struct, frozen=True, tag="void_deal", tag_field="type", forbid_unknown_fields=True):
    """Propose that the running deal does not count."""


class EndGame(Struct, frozen=True, tag="end_game", tag_field="type", forbid_unknown_fields=True):
    """Propose to end the game with the standings as they are."""


class Reopen(Struct, frozen=True, tag="reopen", tag_field="type", forbid_unknown_fields=True):
    """Propose to go on before the last decision of the game that just ended."""


class Kick(Struct, frozen=True, tag="kick", tag_field="type", forbid_unknown_fields=True):
    """Propose to free the chair `seat`."""

    seat: Seat


class CallBack(Struct, frozen=True, tag="call_back", tag_field="type", forbid_unknown_fields=True):
    """Give the player who was just kicked off the chair `seat` that chair again."""

    seat: Seat


class Answer(Struct, frozen=True, tag="answer", tag_field="type", forbid_unknown_fields=True):
    """Agree to a proposal, or refuse it."""

    proposal: Id
    agree: bool


class Withdraw(Struct, frozen=True, tag="withdraw", tag_field="type", forbid_unknown_fields=True):
    """Take back one's own proposal."""

    proposal: Id


Proposing = TakeBack | VoidDeal | EndGame | Reopen | Kick
Talk = Proposing | CallBack | Answer | Withdraw
"""What the players settle among themselves."""

Wish = AnyAction | Deal | Start | UseProfile | Talk
"""What an ask may ask for: an action, something of the house, or something of the others."""


class Ask(Request, frozen=True, kw_only=True, tag="ask"):
    """Do something. Gets exactly one answer; asked again under the same id, the same answer."""

    id: Id
    action: Wish


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Answer with a pong."""

    n: int


class Face(Request, frozen=True, kw_only=True, tag="face"):
    """Look with the eyes of one of the device's own seats from now on; None: with nobody's.

    Asks come from the seat that is faced. Answered by the whole view.
    """

    seat: Seat | None


ClientMessage = Hello | Ask | Ping | Face


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
    restored: int | None = None
    """The entry at which the room goes on after its log was damaged; None once it has."""


class Table(Message, frozen=True, kw_only=True, tag="table"):
    """The chairs and the rules, whole. `table.me` is the seat that is faced."""

    table: TableView
    mine: tuple[Seat, ...]
    """The seats of this device."""


class Sheet(Message, frozen=True, kw_only=True, tag="sheet"):
    """The score sheet, whole; None before the first game."""

    sheet: SheetView | None


Nearness = Literal["here", "quiet", "away"]
"""When a player's device was heard last: in the last 10 seconds, in the last 30, or before."""


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Whose device is heard, None for a free chair, and how many watch."""

    players: tuple[Nearness | None, ...]
    watchers: int


ProposalKind = Literal[
    "take_back", "void_deal", "end_game", "reopen", "kick", "take_over", "sit_in"
]


class ProposalView(Struct, frozen=True, kw_only=True):
    """Something that somebody wants and others have to agree to."""

    id: str
    kind: ProposalKind
    by: Seat | None
    """Who proposes it; None: a device that has no seat yet."""
    seat: Seat | None
    """The chair that it is about, if it is about one."""
    name: str
    """Who would sit there."""
    sign: str
    """Two digits that a device without a seat shows too, so that one sees which it is."""
    asked: tuple[Seat, ...]
    agreed: tuple[Seat, ...]
    enough: Literal["one", "all"]
    """How many of those who are asked have to agree."""
    left: int
    """Milliseconds until it lapses."""
    counts: int | None = None
    """Milliseconds until the word of those who agreed gives a device the chair, unless somebody
    refuses; None: their word does not count now, or more than it is needed."""
    may_answer: bool
    mine: bool
    returns: tuple[Glimpse, ...]
    """What a take-back would undo, the oldest first."""
    after: GameView | None
    """The game as this viewer would see it after a take-back."""


class KickedView(Struct, frozen=True, kw_only=True):
    """A player who was just kicked and can be called back."""

    seat: Seat
    name: str
    left: int
    """Milliseconds for which that is possible."""


class Proposals(Message, frozen=True, kw_only=True, tag="proposals"):
    """Everything that waits for somebody's consent, and who can be called back."""

    proposals: tuple[ProposalView, ...]
    kicked: tuple[KickedView, ...]


class Settled(Message, frozen=True, kw_only=True, tag="settled"):
    """What became of a proposal. `who` refused it."""

    kind: ProposalKind
    by: Seat | None
    seat: Seat | None
    name: str
    outcome: Literal["agreed", "refused", "lapsed", "withdrawn", "overtaken"]
    who: Seat | None = None


class Options(Struct, frozen=True, kw_only=True):
    """What this viewer may propose to the others now."""

    take_back: Literal["at_once", "by_consent"] | None = None
    void_deal: bool = False
    end_game: bool = False
    reopen: bool = False


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """The game as this viewer sees it after entry `seq`, whole, and how it came about.

    Without glimpses the view is to be shown at once.
    """

    seq: int
    game: GameView | None
    glimpses: tuple[Glimpse, ...]
    options: Options
    clock: int | None = None
    """Milliseconds the declarer has left to lay away; None: no clock runs."""


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


ServerMessage = (
    Welcome
    | Table
    | Sheet
    | Presence
    | Proposals
    | Update
    | Settled
    | Done
    | Refused
    | NotSeated
    | Pong
)


class Close(IntEnum):
    """Why the server closes a socket. The numbers are permanent."""

    ENDED = 1000
    RESTARTING = 1012
    BAD_FRAME = 4400
    WRONG_TOKEN = 4401
    NO_SUCH_ROOM = 4404
    NO_HELLO = 4408
    ELSEWHERE = 4409
    SEAT_GONE = 4410
    IDLE = 4412
    TOO_SLOW = 4413
    FULL = 4429
    ROOM_STOPPED = 4500
    FAILED = 4501
    UNREADABLE = 4503
