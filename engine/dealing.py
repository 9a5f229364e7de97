"""Who sits where in a deal, and how a deck is dealt out (TABLE, DEAL)."""

from typing import assert_never

from engine.cards import Card, Seat
from engine.events import CardsDealt
from engine.profile import Profile


def step_of(profile: Profile) -> int:
    """Seats to add to come to the next player: 1 clockwise, -1 the other way (TABLE-2)."""
    return 1 if profile.table.direction == "clockwise" else -1


def next_dealer(profile: Profile, dealer: Seat) -> Seat:
    """Who deals after `dealer` (TABLE-3)."""
    return Seat((dealer + step_of(profile)) % profile.table.players)


def sitter_of(profile: Profile, dealer: Seat) -> Seat | None:
    """Who sits out when `dealer` deals (TABLE-4); None: nobody."""
    players = profile.table.players
    match profile.table.sitter:
        case None:
            return None
        case "dealer":
            return dealer
        case "right":
            return Seat((dealer - 1) % players)
        case "opposite":
            return Seat((dealer + players // 2) % players)
        case never:
            assert_never(never)


def order_of(profile: Profile, dealer: Seat) -> tuple[Seat, ...]:
    """The seats that play when `dealer` deals, forehand first, in the direction of play (TABLE-5).

    Forehand is the dealer's left neighbour whichever way the cards run.
    """
    players, sitter = profile.table.players, sitter_of(profile, dealer)
    ring = (Seat((dealer + 1 + index * step_of(profile)) % players) for index in range(players))
    return tuple(seat for seat in ring if seat != sitter)


def deal_out(profile: Profile, dealer: Seat, deck: tuple[Card, ...]) -> CardsDealt:
    """`deck` dealt out: packets to each in turn, talon cards after rounds (DEAL-1, DEAL-2)."""
    order, dealing = order_of(profile, dealer), profile.dealing
    hands: list[list[Card]] = [[] for _ in range(profile.table.players)]
    talons: list[list[Card]] = [[] for _ in range(dealing.talons if dealing.talon_after else 0)]
    cards = iter(deck)
    laid = 0
    for index, packet in enumerate(dealing.packets):
        for seat in order:
            hands[seat].extend(next(cards) for _ in range(packet))
        for _ in range(dealing.talon_after[index] if index < len(dealing.talon_after) else 0):
            talons[laid % dealing.talons].append(next(cards))
            laid += 1
    return CardsDealt(
        dealer=dealer,
        sitter=sitter_of(profile, dealer),
        order=order,
        deck=deck,
        hands=tuple(map(tuple, hands)),
        talons=tuple(map(tuple, talons)),
        opens="play" if profile.auction is None else "auction",
    )
