"""Why a command came to nothing. The codes are permanent; every language has a phrase for each."""

from enum import Enum

from msgspec import Struct


class Reason(Enum):
    """A stable code.

    The first block is shared with the text record of a game, the second is the table's; with the
    third the house answers what no rule can judge.
    """

    NOT_YOUR_TURN = "not-your-turn"
    WRONG_PHASE = "wrong-phase"
    BID_TOO_LOW = "bid-too-low"
    BID_OFF_STEP = "bid-off-step"
    BID_NEEDS_MARRIAGE = "bid-needs-marriage"
    BID_TOO_HIGH = "bid-too-high"
    MUST_OPEN = "must-open"
    NOT_IN_HAND = "not-in-hand"
    MUST_FOLLOW_SUIT = "must-follow-suit"
    MUST_TRUMP = "must-trump"
    MUST_BEAT = "must-beat"
    NO_MARRIAGE = "no-marriage"
    MELD_NOT_NOW = "meld-not-now"
    MELD_MUST_RISE = "meld-must-rise"
    MELD_LOCKED = "meld-locked"
    CONTRACT_TOO_LOW = "contract-too-low"
    CONCEDE_NOT_NOW = "concede-not-now"
    CONCEDE_ON_BARREL = "concede-on-barrel"
    CONCEDE_LIMIT = "concede-limit"
    NO_FOUR_NINES = "no-four-nines"
    WRONG_CARDS = "wrong-cards"

    NAME_EMPTY = "name-empty"
    NAME_TOO_LONG = "name-too-long"
    TABLE_FULL = "table-full"
    NO_SUCH_CHAIR = "no-such-chair"
    GAME_RUNNING = "game-running"
    CHAIRS_FREE = "chairs-free"
    NOT_READY = "not-ready"
    TOO_MANY_PLAYERS = "too-many-players"
    DEALER_FIRST = "dealer-first"
    CHAIR_FREE = "chair-free"
    NO_GAME = "no-game"
    NO_DEAL = "no-deal"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    TAKE_BACK_OFF = "take-back-off"
    TAKE_BACK_BORDER = "take-back-border"
    TOO_LATE = "too-late"

    NOT_SEATED = "not-seated"
    NOT_STORED = "not-stored"
    FAILED = "failed"
    TOO_MANY = "too-many"
    ROOM_FULL = "room-full"
    UNKNOWN_PROFILE = "unknown-profile"
    UNKNOWN_HOUSE_RULE = "unknown-house-rule"
    PROPOSAL_OPEN = "proposal-open"
    PROPOSAL_OVER = "proposal-over"
    NOT_ASKED = "not-asked"


class Rejected(Struct, frozen=True):
    """The answer to a command that the rules do not allow. Nothing has changed."""

    reason: Reason
