"""What a robot does: something legal, by chance, with as much sense as ends a game in good time."""

from random import Random

from msgspec import Struct

from engine.auction import BidRange
from engine.cards import PAIRS, Card, Rank, Seat, Suit, pairs_in
from engine.choices import Choices
from engine.commands import (
    Concede,
    GiveCards,
    LayAway,
    Meld,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    ShowNines,
    TakeTalon,
)
from engine.events import Gift, PlayedCard
from engine.tricks import best_of
from server.protocol import Deal, Wish

WHIM = 0.05
"""How often a robot does not do what it thinks best."""

TALON = 35
"""Points a robot hopes to win by the talon."""

PAIR = 60
"""Points it hopes to win by a pair."""

SHORT = 0.9
"""It gives up a contract of which it can hope for less than this part."""


class Phase(Struct, frozen=True, kw_only=True):
    """As much of a phase as a robot looks at."""

    trick: tuple[PlayedCard, ...] = ()
    trump: Suit | None = None


class Sight(Struct, frozen=True, kw_only=True):
    """As much of its view as a robot looks at when it is to act."""

    phase: Phase
    hand: tuple[Card, ...]
    may: Choices


def choose(sight: Sight, chance: Random) -> Wish | None:
    """One of the acts that `sight.may` offers; None: it offers nothing."""
    may, hand = sight.may, sight.hand
    whim = chance.random() < WHIM
    if may.deal:
        return Deal()
    if may.take:
        return TakeTalon(chance.choice(may.take))
    if may.nines:
        return ShowNines()
    if may.bid and (not may.may_pass or whim or may.bid.least <= hope(hand) + TALON):
        return PlaceBid(may.bid.least)
    if may.may_pass:
        return Pass()
    if may.give_to:
        return GiveCards(tuple(map(Gift, may.give_to, _least(hand, len(may.give_to)))))
    if may.lay_away:
        return LayAway(_least(hand, may.lay_away))
    if may.contract:
        short = hope(hand) < SHORT * may.contract.least
        return Concede() if may.concede and short else SetContract(_contract(hand, may.contract))
    if may.melds and not whim:
        return Meld(chance.choice(max(may.melds, key=lambda meld: meld.points).cards))
    if may.play:
        return PlayCard(chance.choice(may.play) if whim else _card(sight))
    return None


def hope(hand: tuple[Card, ...]) -> int:
    """Points that `hand` may win for a declarer, roughly."""
    aces = [card for card in hand if card.rank is Rank.ACE]
    tens = [card for card in hand if card.rank is Rank.TEN]
    guarded = [ten for ten in tens if any(ace.suit is ten.suit for ace in aces)]
    pairs = len(pairs_in(hand)) if aces else 0
    return 20 * len(aces) + 15 * len(guarded) + 5 * len(tens) + PAIR * pairs


def _contract(hand: tuple[Card, ...], offered: BidRange) -> int:
    """As much of what is offered as `hand` may hope for."""
    hoped = min(hope(hand), offered.greatest)
    return offered.least + max(0, hoped - offered.least) // offered.step * offered.step


def _least(hand: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    """The `count` lowest cards, those of pairs last."""
    paired = {card for suit in pairs_in(hand) for card in PAIRS[suit]}
    return tuple(sorted(hand, key=lambda card: (card in paired, card.strength))[:count])


def _card(sight: Sight) -> Card:
    """High to lead; else the highest that takes the trick so far, or the lowest of all."""
    trick, trump = sight.phase.trick, sight.phase.trump
    by_strength = sorted(sight.may.play, key=lambda card: card.strength)
    if not trick:
        return by_strength[-1]
    taking = [card for card in by_strength if _takes(card, trick, trump)]
    return taking[-1] if taking else by_strength[0]


def _takes(card: Card, trick: tuple[PlayedCard, ...], trump: Suit | None) -> bool:
    own = PlayedCard(Seat(-1), card)
    return best_of((*trick, own), trump) is own
