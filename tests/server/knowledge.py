"""What a viewer may know of the cards: the yardstick for everything that is sent."""

from engine.cards import Card
from engine.events import AnyEvent, CardPlayed, CardsDealt, CardsGiven, DealVoided, TalonTaken
from engine.views import Viewer


def learned(known: set[Card], viewer: Viewer, fact: AnyEvent) -> set[Card]:
    """The cards that `viewer` knows after `fact`, by the rules and nothing else."""
    match fact:
        case CardsDealt(hands=hands):
            return set() if viewer is None else set(hands[viewer])
        case CardPlayed(card=card):
            return known | {card}
        case TalonTaken(seat=seat, cards=cards, shown=shown):
            return known | set(cards) if shown or seat == viewer else known
        case CardsGiven(gifts=gifts):
            return known | {gift.card for gift in gifts if gift.to == viewer}
        case DealVoided(cards=cards):
            return known | set(cards)
        case _:
            return known
