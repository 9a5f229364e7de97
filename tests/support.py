"""What tests of the engine share: profiles, an evening that speaks the game record, random play."""

import itertools
import random
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import commands
from engine import profile as rules
from engine.cards import PAIRS, Card, Seat, Suit, points_of
from engine.choices import Choices
from engine.commands import Act, AnyAction, Command, DealCards, OpenRoom
from engine.dealing import deal_out
from engine.decide import decide
from engine.events import (
    AnyEvent,
    DealScored,
    GameStarted,
    Gift,
    Line,
    PlayerSeated,
    ReadySet,
    Standing,
)
from engine.evolve import evolve, fold
from engine.history import Entry
from engine.house_rules import HOUSE_RULES, with_house_rules
from engine.profile import Profile, Setting
from engine.rejections import Rejected
from engine.state import (
    Auction,
    Between,
    Deal,
    Game,
    Gathering,
    MeldMade,
    Over,
    Phase,
    Playing,
    Room,
    Trick,
)
from engine.views import GameView, Viewer, game_view

SEEDS = Path(__file__).parent.parent / "seeds"
LETTERS = "ABCD"
A, B, C, D = map(Seat, range(4))


def read_profile(name: str) -> Profile:
    """The profile in `seeds/profiles`."""
    text = (SEEDS / "profiles" / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Profile)


RU_3, RU_4, RU_2 = map(read_profile, ("ru-3", "ru-4", "ru-2"))
PL_3, PL_4, PL_2 = map(read_profile, ("pl-3", "pl-4", "pl-2"))
DE_3, DE_4 = map(read_profile, ("de-3", "de-4"))
NO_3, NO_4 = map(read_profile, ("no-3", "no-4"))
PLAIN_3, PLAIN_4 = map(read_profile, ("1001-3", "1001-4"))
BIDDING_3, BIDDING_4 = map(read_profile, ("1001-bid-3", "1001-bid-4"))
ALL_PROFILES = (
    *(RU_3, RU_4, RU_2, PL_3, PL_4, PL_2, DE_3, DE_4, NO_3, NO_4),
    *(PLAIN_3, PLAIN_4, BIDDING_3, BIDDING_4),
)


# Words of the game record.


def card(word: str) -> Card:
    """The card that a record writes as `word`: the rank, then the suit."""
    return Card(word[-1] + word[:-1].replace("10", "T"))


def cards(words: str) -> tuple[Card, ...]:
    """The cards that a record writes as `words`."""
    return tuple(map(card, words.split()))


def word(one: Card) -> str:
    """How a record writes `one`."""
    suit, rank = one.value
    return f"{rank}{suit}".replace("T", "10")


def seat(letter: str) -> Seat:
    """The seat called `letter`."""
    return Seat(LETTERS.index(letter))


def action(words: list[str]) -> AnyAction:
    """The act that a record writes as `words`."""
    match words:
        case ["bid", points]:
            return commands.PlaceBid(int(points))
        case ["pass"]:
            return commands.Pass()
        case ["take"]:
            return commands.TakeTalon()
        case ["take", number]:
            return commands.TakeTalon(int(number) - 1)
        case ["give", *gifts]:
            pairs = zip(gifts[::2], gifts[1::2], strict=True)
            return commands.GiveCards(tuple(Gift(seat(to), card(what)) for what, to in pairs))
        case ["discard", *away]:
            return commands.LayAway(tuple(map(card, away)))
        case ["contract", points]:
            return commands.SetContract(int(points))
        case ["concede"]:
            return commands.Concede()
        case ["nines"]:
            return commands.ShowNines()
        case ["play", word]:
            return commands.PlayCard(card(word))
        case ["meld", word]:
            return commands.Meld(card(word))
        case _:
            raise ValueError(f"no record says {' '.join(words)}")


def command(line: str) -> Command:
    """The command that a record writes as `line`."""
    letter, *words = line.split()
    if words == ["forgets"]:
        return commands.ForgetDiscard()
    return Act(seat(letter), action(words))


# An evening.


class Evening:
    """A game in progress, told in the words of the game record.

    It begins from facts, with any standings, and goes on by commands alone.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        dealer: str = "C",
        standings: Mapping[str, Standing] | None = None,
    ) -> None:
        """Everybody sits and `dealer` is to deal; who is not in `standings` starts from nothing."""
        chairs = [seat(letter) for letter in LETTERS[: profile.table.players]]
        given = standings or {}
        opened = decide(None, OpenRoom(profile))
        assert not isinstance(opened, Rejected)
        self.facts: list[AnyEvent] = [
            *opened,
            *(PlayerSeated(seat=chair, name=f"Player {chair}", key=f"{chair}") for chair in chairs),
            *(ReadySet(seat=chair, ready=True) for chair in chairs),
            GameStarted(
                number=1,
                profile=profile,
                dealer=seat(dealer),
                by_lot=False,
                at=None,
                standings=tuple(given.get(LETTERS[chair], Standing()) for chair in chairs),
            ),
        ]
        room = fold(self.facts)
        assert room is not None
        self.room = room
        self.last: tuple[AnyEvent, ...] = ()

    def obeys(self, order: Command) -> None:
        """`order` is accepted and becomes facts."""
        answer = decide(self.room, order)
        assert not isinstance(answer, Rejected), f"{order} was refused: {answer.reason.value}"
        self.last = answer
        self.facts += answer
        for fact in answer:
            self.room = evolve(self.room, fact)

    def does(self, *lines: str) -> None:
        """Each of `lines` is accepted, one after the other."""
        for line in lines:
            self.obeys(command(line))

    def refuses(self, line: str) -> str:
        """The code with which `line` is refused."""
        answer = decide(self.room, command(line))
        assert isinstance(answer, Rejected), f"{line} was accepted"
        return answer.reason.value

    def deals(self, *, talon: str | tuple[str, ...] = (), **hands: str) -> None:
        """The dealer deals: whoever is named gets these cards first; the rest falls as it may."""
        game = self.game
        pack = game.profile.pack.cards()
        dealt = deal_out(game.profile, game.dealer, pack)
        talons = (talon,) if isinstance(talon, str) else talon
        wanted = {
            **{dealt.hands[seat(letter)]: cards(words) for letter, words in hands.items()},
            **dict(zip(dealt.talons, map(cards, talons), strict=False)),
        }
        named = set(itertools.chain.from_iterable(wanted.values()))
        rest = iter([one for one in pack if one not in named])
        replaced = {
            old: new
            for pile in (*dealt.hands, *dealt.talons)
            for old, new in itertools.zip_longest(pile, wanted.get(pile, ()))
        }
        deck = tuple(replaced[one] or next(rest) for one in pack)
        self.obeys(DealCards(seat=game.dealer, deck=deck))

    def declares(self, declarer: str, points: int) -> None:
        """The auction, in which `declarer` is left at `points` and the others pass."""
        while isinstance(auction := self.room.phase, Auction):
            letter = LETTERS[auction.turn or 0]
            if letter == declarer:
                self.does(f"{letter} bid {points}")
            elif auction.deal.calls or not self.profile_auction.must_open:
                self.does(f"{letter} pass")
            else:
                self.does(f"{letter} bid {self.profile_auction.opening}")

    def plays_from(
        self,
        *,
        declarer: str = "A",
        contract: int | None = None,
        laid: str = "",
        left: str = "",
        **hands: str,
    ) -> None:
        """A deal with these hands at the first lead: `laid` was laid away, `left` is unseen.

        The bid is the least that makes `declarer`. Hands may be named in part. Where cards are
        given, every hand's last card was in the talon.
        """
        profile = self.game.profile
        if profile.exchange is None:
            self.deals(**hands)
            return
        held = {letter: words.split() for letter, words in hands.items()}
        if profile.exchange.then == "lay_away":
            self.deals(talon=(laid, left) if left else laid, **hands)
            exchange = f"{declarer} discard {laid}"
        else:
            self.deals(
                talon=" ".join(words[-1] for words in held.values()),
                **{letter: " ".join(words[:-1]) for letter, words in held.items()},
            )
            gifts = (f"{words[-1]} {to}" for to, words in held.items() if to != declarer)
            exchange = f"{declarer} give {' '.join(gifts)}"
        auction = self.profile_auction
        forehand = self.view(None).turn == seat(declarer)
        bid = (
            auction.opening if forehand or not auction.must_open else auction.opening + auction.step
        )
        self.declares(declarer, bid)
        self.does(f"{declarer} take", exchange)
        if profile.exchange.raise_contract:
            self.does(f"{declarer} contract {contract or bid}")

    def throws(self, *letters: str) -> None:
        """Each of `letters` lays the last card that may be laid, as the hand lies."""
        for letter in letters:
            self.does(f"{letter} play {word(self.may(letter).play[-1])}")

    def goes_on(self) -> None:
        """Whoever is to play lays the first card that may be laid, until the deal is over."""
        while isinstance(state := self.room.phase, Playing):
            letter = LETTERS[state.turn or 0]
            self.does(f"{letter} play {word(self.may(letter).play[0])}")

    @property
    def phase(self) -> Phase:
        return self.room.phase

    @property
    def play(self) -> Playing:
        assert isinstance(self.room.phase, Playing)
        return self.room.phase

    @property
    def game(self) -> Game:
        phase = self.room.phase
        assert not isinstance(phase, Gathering)
        return phase.game

    @property
    def profile_auction(self) -> rules.Auction:
        assert self.game.profile.auction is not None
        return self.game.profile.auction

    @property
    def scored(self) -> DealScored:
        """The last deal on the sheet."""
        return self.game.sheet[-1]

    def line(self, letter: str) -> Line:
        """What the last deal wrote for `letter`."""
        return self.scored.lines[seat(letter)]

    @property
    def scores(self) -> list[int]:
        return [standing.score for standing in self.game.standings]

    def standing(self, letter: str) -> Standing:
        return self.game.standings[seat(letter)]

    def view(self, letter: str | None) -> GameView:
        """What the seat called `letter` sees; None: the table."""
        seen = game_view(self.room, None if letter is None else seat(letter))
        assert seen is not None
        return seen

    def shows(self, letter: str | None) -> Any:
        """The phase as `letter` sees it; which type that is, the test knows."""
        return self.view(letter).phase

    def may(self, letter: str) -> Choices:
        return self.view(letter).may


def finished(  # noqa: PLR0913  # a deal has so many sides
    profile: Profile,
    *,
    points: Mapping[str, int],
    declarer: str | None = None,
    contract: int | None = None,
    melds: Mapping[str, str] | None = None,
    tricks: Mapping[str, int] | None = None,
    last: str = "A",
    standings: Mapping[str, Standing] | None = None,
    dealer: str = "C",
    talon: str = "",
    laid_away: str = "",
    unused: str = "",
) -> Playing:
    """A deal played to its end, in which seats took `points` and melded suits; unwritten yet.

    `tricks` are given where they are not one for everybody with points.
    """
    letters = LETTERS[: profile.table.players]
    given = standings or {}
    dealt = deal_out(profile, seat(dealer), profile.pack.cards())
    return Playing(
        game=Game(
            number=1,
            profile=profile,
            standings=tuple(given.get(letter, Standing()) for letter in letters),
            dealer=seat(dealer),
        ),
        deal=Deal(
            dealt=replace(dealt, talons=(cards(talon),)),
            laid_away=cards(laid_away),
            unused=cards(unused),
        ),
        hands=((),) * len(letters),
        declarer=None if declarer is None else seat(declarer),
        contract=contract,
        turn=seat(last),
        points=tuple(points.get(letter, 0) for letter in letters),
        tricks=tuple(
            (tricks or {}).get(letter, int(points.get(letter, 0) > 0)) for letter in letters
        ),
        last_trick=Trick((), seat(last)),
        melds=tuple(
            MeldMade(seat(letter), Suit(suit), profile.meld.worth(Suit(suit)))
            for letter, suits in (melds or {}).items()
            for suit in suits
        ),
    )


# Random play.


def shuffled(profile: Profile, chance: random.Random) -> tuple[Card, ...]:
    deck = list(profile.pack.cards())
    chance.shuffle(deck)
    return tuple(deck)


def offered(view: GameView, chance: random.Random) -> Iterator[AnyAction]:
    """What the seat that sees `view` may do, each kind of act with one random filling.

    Timid in the auction and keen on melds, tricks and 1000, so that games end.
    """
    may = view.may
    if may.bid:
        strong = {Suit.HEARTS, Suit.DIAMONDS} & set(view.pairs) and points_of(view.hand) > 30
        yield commands.PlaceBid(may.bid.least)
        yield from (commands.PlaceBid(120),) * (40 if strong and may.bid.least <= 120 else 0)
    if may.may_pass:
        yield from (commands.Pass(),) * 9
    yield from map(commands.TakeTalon, may.take)
    if may.give_to:
        chosen = chance.choice((chance.sample(view.hand, len(may.give_to)), _spare(view)))
        yield commands.GiveCards(tuple(map(Gift, may.give_to, chosen)))
    if may.lay_away:
        yield commands.LayAway(tuple(chance.sample(view.hand, may.lay_away)))
        yield commands.LayAway(tuple(_spare(view)[: may.lay_away]))
    if may.contract:
        low, high, step = may.contract.least, may.contract.greatest, may.contract.step
        yield commands.SetContract(chance.choice((low, low, low, min(low + step, high))))
    if may.concede and chance.random() < 0.1:
        yield commands.Concede()
    if may.nines:
        yield commands.ShowNines()
    for meld in may.melds:
        yield from map(commands.Meld, meld.cards * 4)
    yield from map(commands.PlayCard, may.play)
    if may.play:
        best = max(may.play, key=lambda held: held.strength)
        yield from (commands.PlayCard(best),) * len(may.play)


def _spare(view: GameView) -> list[Card]:
    """The cards of `view`, the one first that a player would rather give away."""
    paired = {half for suit in view.pairs for half in PAIRS[suit]}
    return sorted(view.hand, key=lambda held: (held in paired, held.strength))


def entries(
    profile: Profile, chance: random.Random, *, deals: int | None = None
) -> Iterator[tuple[Room, Entry]]:
    """A random game, entry by entry, each with the room before it; `deals`: of so many at most.

    Nobody looks at more than views show: who may act is asked of every seat.
    """
    evening = Evening(profile, dealer=LETTERS[chance.randrange(profile.table.players)])
    room, seq = evening.room, 1
    while not isinstance(room.phase, Over):
        if isinstance(room.phase, Between):
            if deals is not None and len(room.phase.game.sheet) >= deals:
                return
            order: Command = DealCards(room.phase.game.dealer, shuffled(profile, chance))
        else:
            order = chance.choice(
                [Act(mover, act) for mover, view in views(room) for act in offered(view, chance)]
            )
        answer = decide(room, order)
        assert not isinstance(answer, Rejected), f"{order} was offered and refused"
        seq += 1
        yield room, Entry(seq=seq, facts=answer)
        for fact in answer:
            room = evolve(room, fact)


def views(room: Room) -> Iterator[tuple[Seat, GameView]]:
    """What each seat sees."""
    for index in range(len(room.players)):
        seen = game_view(room, Seat(index))
        if seen is not None:
            yield Seat(index), seen


def viewers(room: Room) -> tuple[Viewer, ...]:
    """Everybody who looks: the seats and the table."""
    return (*(Seat(index) for index in range(len(room.players))), None)


def with_rules(profile: Profile, **chosen: Setting) -> Profile:
    """`profile` with house rules set."""
    return with_house_rules(profile, chosen)


def any_rules(profile: Profile, chance: random.Random) -> Profile:
    """`profile` with up to four of its house rules set by chance."""
    keys = chance.sample(profile.house_rules, min(4, len(profile.house_rules)))
    return with_rules(profile, **{key: chance.choice(HOUSE_RULES[key].values) for key in keys})
