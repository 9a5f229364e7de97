"""Calls and contracts: what may be said (BID, EXCH-4, EXCH-5)."""

from msgspec import Struct

from engine import profile as rules
from engine.cards import Card, Seat, pairs_in
from engine.events import AuctionWon, BidPlaced, Call, Passed
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Auction, Contracting


class BidRange(Struct, frozen=True):
    """Open calls: every multiple of `step` from `least` to `greatest`, in points."""

    least: int
    greatest: int
    step: int
    limit: Reason
    """What stands in the way of more than `greatest`."""


def highest(calls: tuple[Call, ...]) -> Call | None:
    """The call that stands; None before the first."""
    return next((call for call in reversed(calls) if call.points is not None), None)


def bid_range(state: Auction, seat: Seat) -> BidRange | None:
    """The calls open to `seat`, whose turn it is; None: it can only pass."""
    found = _range(state.game.profile, state.hands[seat], _least(state))
    return found if found.least <= found.greatest else None


def may_pass(state: Auction) -> bool:
    """Whether the seat on turn may pass: not forehand at a forced first call (BID-2)."""
    return bool(state.deal.calls) or not _auction(state.game.profile).must_open


def bid(state: Auction, seat: Seat, points: int) -> BidPlaced | Rejected:
    """The call of `points`, or why it cannot be made (BID-1, BID-8)."""
    auction, least = _auction(state.game.profile), _least(state)
    if points % auction.step:
        return Rejected(Reason.BID_OFF_STEP)
    if points < least:
        return Rejected(Reason.BID_TOO_LOW)
    if broken := _above(state.game.profile, state.hands[seat], points):
        return Rejected(broken)
    return BidPlaced(seat=seat, points=points, next=_next_speaker(state, Call(seat, points)))


def leave(state: Auction, seat: Seat) -> Passed | Rejected:
    """The pass of `seat`, or why it cannot (BID-2, BID-3)."""
    if not may_pass(state):
        return Rejected(Reason.MUST_OPEN)
    return Passed(seat=seat, next=_next_speaker(state, Call(seat, None)))


def won(state: Auction) -> AuctionWon | None:
    """Who declares, once nobody is left to speak (BID-3); None: all passed (BID-7)."""
    top = highest(state.deal.calls)
    if top is None or top.points is None:
        return None
    return AuctionWon(declarer=top.seat, points=top.points)


def contract_range(state: Contracting) -> BidRange:
    """The contracts open to the declarer; keeping the bid always is (EXCH-4, EXCH-5)."""
    found = _range(state.game.profile, state.hands[state.declarer], state.bid)
    return (
        found
        if found.greatest >= state.bid
        else BidRange(state.bid, state.bid, found.step, found.limit)
    )


def contract_complaint(state: Contracting, points: int) -> Reason | None:
    """Why the contract cannot be `points`; None: it can."""
    profile = state.game.profile
    if points == state.bid:
        return None
    if points < state.bid:
        return Reason.CONTRACT_TOO_LOW
    if points % _auction(profile).step:
        return Reason.BID_OFF_STEP
    return _above(profile, state.hands[state.declarer], points)


def _auction(profile: Profile) -> rules.Auction:
    if profile.auction is None:
        raise ValueError(f"{profile.id} has no auction")
    return profile.auction


def _least(state: Auction) -> int:
    """The least call that is high enough (BID-1)."""
    auction, top = _auction(state.game.profile), highest(state.deal.calls)
    return auction.opening if top is None or top.points is None else top.points + auction.step


def _range(profile: Profile, hand: tuple[Card, ...], least: int) -> BidRange:
    auction = _auction(profile)
    ceiling = _ceiling(profile, hand)
    if auction.free_up_to is not None and auction.free_up_to < ceiling and not pairs_in(hand):
        return BidRange(least, auction.free_up_to, auction.step, Reason.BID_NEEDS_MARRIAGE)
    limit = (
        Reason.BID_NEEDS_MARRIAGE
        if auction.ceiling_by_pairs and not pairs_in(hand)
        else Reason.BID_TOO_HIGH
    )
    return BidRange(least, ceiling, auction.step, limit)


def _above(profile: Profile, hand: tuple[Card, ...], points: int) -> Reason | None:
    """The upper bound that `points` breaks, the need of a pair first (BID-4 to BID-6, BID-8)."""
    free = _auction(profile).free_up_to
    if free is not None and points > free and not pairs_in(hand):
        return Reason.BID_NEEDS_MARRIAGE
    return Reason.BID_TOO_HIGH if points > _ceiling(profile, hand) else None


def _ceiling(profile: Profile, hand: tuple[Card, ...]) -> int:
    """The highest call with `hand`, ignoring the need of a pair, as a multiple of the step."""
    auction = _auction(profile)
    ceiling = auction.ceiling
    if auction.ceiling_by_pairs and auction.free_up_to is not None:
        held = sum(profile.meld.worth(suit) for suit in pairs_in(hand))
        ceiling = min(ceiling, auction.free_up_to + held)
    return ceiling - ceiling % auction.step


def _next_speaker(state: Auction, call: Call) -> Seat | None:
    """Who speaks after `call`; None once the auction is decided (BID-3, BID-7).

    A seat that has not passed still speaks while nobody has called; after that the last one left is
    not asked again.
    """
    calls = (*state.deal.calls, call)
    passed = {said.seat for said in calls if said.points is None}
    order = state.deal.order
    after = order.index(call.seat) + 1
    left = [seat for seat in (*order[after:], *order[:after]) if seat not in passed]
    top = highest(calls)
    if not left or (top is not None and left == [top.seat]):
        return None
    return left[0]
