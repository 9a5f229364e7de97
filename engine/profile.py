"""A rule profile: the house rules of one kind of Thousand as typed data.

Every key names an *effect*. The engine asks a profile what happens, never what it is called. A
table that a profile leaves out is a rule that is not played there. Each section is explained, with
its sources, under the same heading in RULES.md.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.cards import Card, Rank, Suit

MOST_PLAYERS = 4
"""Chairs at a table at most; one of so many may sit a deal out."""

Points = Annotated[int, Meta(ge=0, le=2000)]
Count = Annotated[int, Meta(ge=1, le=20)]
Step = Literal[1, 5, 10]
Setting = bool | int | str
"""A value of a house rule."""


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a profile. Unknown keys are mistakes, not extensions."""


class Table(Section, frozen=True, kw_only=True):
    """Who sits where and which way round things go (TABLE)."""

    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)]
    direction: Literal["clockwise", "counterclockwise"] = "clockwise"
    sitter: Literal["dealer", "right", "opposite"] | None = None
    """Who sits a deal out: the dealer, the player right of the dealer, or the one opposite."""


class Pack(Section, frozen=True, kw_only=True):
    """The cards used: every rank from the ace down to `lowest`, but for those left out (PACK)."""

    lowest: Rank = Rank.NINE
    without: tuple[Card, ...] = ()

    def cards(self) -> tuple[Card, ...]:
        """The pack in a fixed order, before any shuffle."""
        return tuple(
            card
            for card in Card
            if card.strength >= self.lowest.strength and card not in self.without
        )


class Dealing(Section, frozen=True, kw_only=True):
    """How the cards are laid out (DEAL)."""

    packets: tuple[Annotated[int, Meta(ge=1, le=8)], ...]
    """Cards given to each player in each round, starting with forehand."""
    talon_after: tuple[Annotated[int, Meta(ge=0, le=4)], ...] = ()
    """Talon cards laid after each round, the first round first."""
    talons: Literal[1, 2] = 1
    """With two talons their cards are laid in turn."""


class Auction(Section, frozen=True, kw_only=True):
    """The bidding (BID)."""

    opening: Points
    """The least first call, in points."""
    must_open: bool = True
    """Forehand's first call cannot be a pass; without it a deal that all pass is thrown in."""
    step: Literal[5, 10]
    ceiling: Points = 400
    free_up_to: Points | None = None
    """A call above this needs a pair in the hand; absent: no call needs one."""
    ceiling_by_pairs: bool = False
    """The ceiling is `free_up_to` and the value of the pairs held."""


class Exchange(Section, frozen=True, kw_only=True):
    """What the declarer does with the talon (EXCH)."""

    talon_shown: bool = True
    """Turned for everybody; otherwise the declarer alone sees it."""
    hidden_at_opening: bool = False
    """A talon won at the opening call is for the declarer alone."""
    then: Literal["give", "lay_away"] = "give"
    """One card to each defender, or as many laid away as were taken."""
    raise_contract: bool = True
    """After the exchange the declarer keeps or raises the bid."""
    unused_points: Literal["last_trick", "nobody", "declarer"] = "nobody"
    """Who gets the card points of what is laid away or left in a talon."""
    discard_seconds: Annotated[int, Meta(ge=0, le=600)] = 0
    """Seconds to lay away before the deal is lost; 0: the server waits for ever."""
    forgetting_costs: Points = 120
    """What a declarer pays who runs out of those seconds; the others share as much."""


class Concession(Section, frozen=True, kw_only=True):
    """The declarer gives the deal up unplayed (CONC)."""

    pays: Points = 60
    """Points for each defender."""
    pays_half: bool = False
    """Each defender gets half the bid instead, rounded down to a five."""
    limit: Count | None = None
    """Concessions a player has in one game; absent: no limit."""
    costly: Count | None = None
    """Every so many-th concession costs; absent: none ever does."""
    cost: Points = 120


class Redeal(Section, frozen=True, kw_only=True):
    """Reasons for which the same dealer deals again and nothing is written (VOID)."""

    four_nines: bool = True
    weak_talon_below: Points = 0
    """A talon with fewer card points is shown and the deal void; 0: never."""


class Play(Section, frozen=True, kw_only=True):
    """What may be laid to a trick (PLAY)."""

    must_trump: bool = True
    must_beat: bool = False


class Meld(Section, frozen=True, kw_only=True):
    """Marriages and the four aces (MELD)."""

    spades: Points
    hearts: Points
    diamonds: Points
    clubs: Points
    first_lead: bool = False
    """Whoever leads to the first trick may meld on it."""
    four_aces: Points = 0
    """What the four aces bring when led from; 0: nothing, they cannot be melded."""
    must_rise: bool = False
    """A later meld must be worth more than every earlier one of the deal."""
    locked_above: Points | None = None
    """Above this total at the start of the deal a player may not meld."""
    needs_trick: bool = False
    """Melded points count only for a player who took a trick by the end of the deal."""

    def worth(self, suit: Suit) -> int:
        """Points of the marriage of `suit`."""
        match suit:
            case Suit.SPADES:
                return self.spades
            case Suit.HEARTS:
                return self.hearts
            case Suit.DIAMONDS:
                return self.diamonds
            case Suit.CLUBS:
                return self.clubs


class Scoring(Section, frozen=True, kw_only=True):
    """What is written after a deal (SCORE)."""

    target: Annotated[int, Meta(ge=1, le=2000)] = 1000
    rounding: Step = 5
    """Defenders write their points rounded to the nearest multiple; an exact half goes up."""
    declarer_writes: Literal["contract", "raw"] = "contract"
    """What a declarer writes who reached the contract."""
    tens: bool = False
    """Each writes the nearest tenth; an exact five goes up only with the last trick."""
    virgin: Points = 0
    """Written more by a player without a trick."""
    reset_at: Points | None = None
    """A total of exactly this becomes 0."""
    running_points: bool = False
    """Everybody sees everybody's taken points during the deal."""
    declarer_wins_first: bool = True
    """At the target the declarer wins before a higher total."""
    ties: Literal["share", "play_on"] = "share"


class Bolts(Section, frozen=True, kw_only=True):
    """A defender's deal without card points (BOLT)."""

    limit: Annotated[int, Meta(ge=1, le=9)] = 3
    cost: Points = 120


class Barrel(Section, frozen=True, kw_only=True):
    """The forced stop below the target (BARREL)."""

    at: Points = 880
    deals: Annotated[int, Meta(ge=1, le=9)] = 3
    fall: Points = 120
    """Points below the mark after a fall."""
    one_at_a_time: bool = False
    """Who sat there falls when another arrives."""
    zero_after_falls: Count | None = None
    """That many falls bring the total to 0; absent: falls are not counted."""


class Lock(Section, frozen=True, kw_only=True):
    """From this total at the start of a deal only a declarer writes (LOCK)."""

    at: Points = 900


class SitterIncome(Section, frozen=True, kw_only=True):
    """What the player who sits out earns from the talon (SIT)."""

    per_ace: Points
    pairs: bool = True
    """The value of pairs in the talon too."""


class Profile(Section, frozen=True, kw_only=True):
    """One complete set of house rules. A room's log holds a full copy."""

    id: Annotated[str, Meta(pattern="^[a-z0-9-]{1,20}$")]
    version: Annotated[int, Meta(ge=1)]
    source: str
    terms: Literal["ru", "pl", "de", "no", "1001"]
    """Whose words the screens use for talon, bolt, concession; decides no rule."""
    house_rules: tuple[str, ...] = ()
    """Keys of the house rules that may be set on this profile."""
    chosen: dict[str, Setting] = {}
    """House rules that were set, by key; empty in a file."""
    table: Table
    pack: Pack
    dealing: Dealing
    auction: Auction | None = None
    exchange: Exchange | None = None
    concession: Concession | None = None
    redeal: Redeal | None = None
    play: Play
    meld: Meld
    scoring: Scoring
    bolts: Bolts | None = None
    barrel: Barrel | None = None
    lock: Lock | None = None
    sitter_income: SitterIncome | None = None

    def __post_init__(self) -> None:
        """Refuse values that contradict each other, naming the path of the wrong one."""
        for wrong, path, why in self._contradictions():
            if wrong:
                raise ValueError(f"{path}: {why}")

    @property
    def active(self) -> int:
        """Players who get cards in a deal."""
        return self.table.players - (self.table.sitter is not None)

    def _contradictions(self) -> tuple[tuple[bool, str, str], ...]:
        """Each thing that may not be: whether it is, the path of the wrong value, and why not."""
        return (*self._about_cards(), *self._about_contracts(), *self._about_totals())

    def _about_cards(self) -> tuple[tuple[bool, str, str], ...]:
        dealing, exchange, redeal = self.dealing, self.exchange, self.redeal
        hand, talon, pack = sum(dealing.packets), sum(dealing.talon_after), len(self.pack.cards())
        gives = exchange is not None and exchange.then == "give"
        return (
            (
                hand * self.active + talon != pack,
                "dealing.packets",
                f"{self.active} hands of {hand} and a talon of {talon} do not make {pack} cards",
            ),
            (
                len(dealing.talon_after) > len(dealing.packets),
                "dealing.talon_after",
                "there are fewer rounds than that",
            ),
            (
                talon % dealing.talons != 0,
                "dealing.talons",
                "the talon cards cannot be shared equally",
            ),
            (
                self.table.sitter is not None and self.table.players != MOST_PLAYERS,
                "table.sitter",
                "only with four players",
            ),
            (
                (talon > 0) != (exchange is not None),
                "dealing.talon_after",
                "a talon needs an exchange, and it a talon",
            ),
            (
                gives and talon != self.active,
                "exchange.then",
                "the talon must hold one card for each player in the deal",
            ),
            (
                gives and dealing.talons != 1,
                "dealing.talons",
                "cards are given from one talon only",
            ),
            (
                exchange is not None and exchange.discard_seconds > 0 and gives,
                "exchange.discard_seconds",
                "only where cards are laid away",
            ),
            (
                redeal is not None and redeal.weak_talon_below > 0 and dealing.talons != 1,
                "redeal.weak_talon_below",
                "needs a single talon",
            ),
        )

    def _about_contracts(self) -> tuple[tuple[bool, str, str], ...]:
        auction = self.auction
        free = None if auction is None else auction.free_up_to
        return (
            (
                (auction is None) != (self.exchange is None),
                "exchange",
                "goes with an auction, and only with one",
            ),
            (
                auction is not None and auction.opening % auction.step != 0,
                "auction.opening",
                "is no multiple of the step",
            ),
            (
                auction is not None and auction.opening > auction.ceiling,
                "auction.opening",
                "lies above the ceiling",
            ),
            (
                auction is not None and free is not None and auction.opening > free,
                "auction.free_up_to",
                "lies below the opening",
            ),
            (
                auction is not None and auction.ceiling_by_pairs and free is None,
                "auction.ceiling_by_pairs",
                "needs auction.free_up_to",
            ),
            (self.concession is not None and auction is None, "concession", "needs an auction"),
            (self.redeal is not None and auction is None, "redeal", "needs an auction"),
            (self.bolts is not None and auction is None, "bolts", "needs an auction"),
        )

    def _about_totals(self) -> tuple[tuple[bool, str, str], ...]:
        barrel, lock, target = self.barrel, self.lock, self.scoring.target
        return (
            (
                self.sitter_income is not None and self.table.sitter is None,
                "sitter_income",
                "nobody sits out",
            ),
            (
                barrel is not None and lock is not None,
                "lock",
                "a profile has a barrel or a lock, not both",
            ),
            (
                barrel is not None and not barrel.fall < barrel.at < target,
                "barrel.at",
                "must lie between the fall and the target",
            ),
            (
                lock is not None and lock.at >= target,
                "lock.at",
                "must lie below the target",
            ),
            (
                not self.chosen.keys() <= set(self.house_rules),
                "chosen",
                "holds a house rule that the profile does not take",
            ),
        )
