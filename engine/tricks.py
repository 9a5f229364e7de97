"""What may be laid to a trick, who takes it, and what may be melded (PLAY, MELD)."""

from collections.abc import Iterator

from msgspec import Struct

from engine.cards import ACES, PAIRS, Card, Rank, Seat, Suit, pairs_in
from engine.events import AcesMelded, MarriageMelded, PlayedCard
from engine.rejections import Reason
from engine.state import Playing


class MeldOpen(Struct, frozen=True):
    """A meld that may be made now by leading one of `cards`; no suit: the four aces."""

    suit: Suit | None
    points: int
    cards: tuple[Card, ...]


def best_of(trick: tuple[PlayedCard, ...], trump: Suit | None) -> PlayedCard:
    """The card that takes `trick`: the highest trump, else the highest of the led suit (PLAY-5)."""
    best = trick[0]
    for played in trick[1:]:
        if _beats(played.card, best.card, trump):
            best = played
    return best


def _beats(card: Card, best: Card, trump: Suit | None) -> bool:
    if card.suit is best.suit:
        return card.strength > best.strength
    return card.suit is trump


def complaint(state: Playing, hand: tuple[Card, ...], card: Card) -> Reason | None:
    """The first rule that laying `card` from `hand` breaks (PLAY-1 to PLAY-4); None: no rule."""
    if card not in hand:
        return Reason.NOT_IN_HAND
    if not state.trick:
        return None
    led, play = state.trick[0].card.suit, state.game.profile.play
    held = [one.suit for one in hand]
    if led in held:
        if card.suit is not led:
            return Reason.MUST_FOLLOW_SUIT
    elif play.must_trump and state.trump in held and card.suit is not state.trump:
        return Reason.MUST_TRUMP
    return _beat_complaint(state, hand, card) if play.must_beat else None


def _beat_complaint(state: Playing, hand: tuple[Card, ...], card: Card) -> Reason | None:
    """PLAY-4. A card that follows to a trumped trick need not beat, nor one that is thrown off."""
    best = best_of(state.trick, state.trump).card
    if card.suit is not best.suit and card.suit is not state.trump:
        return None
    if _beats(card, best, state.trump):
        return None
    able = any(held.suit is card.suit and _beats(held, best, state.trump) for held in hand)
    return Reason.MUST_BEAT if able else None


def meld_complaint(state: Playing, seat: Seat, card: Card) -> Reason | None:
    """Why `seat`, on turn, cannot meld by leading `card` (MELD-1 to MELD-6); None: it can."""
    hand, meld = state.hands[seat], state.game.profile.meld
    if card not in hand:
        return Reason.NOT_IN_HAND
    if state.trick or not (any(state.tricks) or (meld.first_lead and card.rank is not Rank.ACE)):
        return Reason.MELD_NOT_NOW
    worth = meld_worth(state, hand, card)
    if worth is None:
        return Reason.NO_MARRIAGE
    if meld.locked_above is not None and state.game.standings[seat].score > meld.locked_above:
        return Reason.MELD_LOCKED
    if meld.must_rise and any(made.points >= worth for made in state.melds):
        return Reason.MELD_MUST_RISE
    return None


def meld_worth(state: Playing, hand: tuple[Card, ...], card: Card) -> int | None:
    """Points of the meld that `card` belongs to and `hand` holds whole; None: there is none."""
    meld = state.game.profile.meld
    if card.rank is Rank.ACE:
        return meld.four_aces if meld.four_aces and all(ace in hand for ace in ACES) else None
    if card in PAIRS[card.suit] and all(half in hand for half in PAIRS[card.suit]):
        return meld.worth(card.suit)
    return None


def melded(state: Playing, seat: Seat, card: Card) -> MarriageMelded | AcesMelded:
    """The fact that `seat` melds by leading `card`, which may be melded."""
    meld = state.game.profile.meld
    if card.rank is Rank.ACE:
        return AcesMelded(seat=seat, points=meld.four_aces)
    return MarriageMelded(seat=seat, suit=card.suit, points=meld.worth(card.suit))


def melds_open(state: Playing, seat: Seat) -> Iterator[MeldOpen]:
    """The melds that `seat`, on turn, may make now."""
    hand = state.hands[seat]
    if state.trick:
        return
    for suit in pairs_in(hand):
        if meld_complaint(state, seat, PAIRS[suit][0]) is None:
            yield MeldOpen(suit, state.game.profile.meld.worth(suit), PAIRS[suit])
    if all(ace in hand for ace in ACES) and meld_complaint(state, seat, ACES[0]) is None:
        yield MeldOpen(None, state.game.profile.meld.four_aces, ACES)
