"""Everything a seat may do now, computed by the very functions that judge it."""

from typing import assert_never

from msgspec import Struct

from engine import auction, exchange, scoring, tricks
from engine.auction import BidRange
from engine.cards import PAIRS, Card, Seat, pairs_in, sorted_hand
from engine.rejections import Reason
from engine.state import Auction, Contracting, Exchanging, InDeal, Playing, TakingTalon
from engine.tricks import MeldOpen


class BarredCard(Struct, frozen=True):
    """A card that may not be laid now, and why."""

    card: Card
    reason: Reason


class ConcessionOpen(Struct, frozen=True, kw_only=True):
    """Conceding is possible: what it costs the declarer and pays each defender, in points."""

    cost: int
    pays: int
    used: int
    """Concessions that count so far."""
    costly: int | None
    """Every so many-th one costs."""
    limit: int | None


class Choices(Struct, frozen=True, kw_only=True):
    """Everything this seat may do now; a table screen may do nothing."""

    deal: bool = False
    bid: BidRange | None = None
    may_pass: bool = False
    take: tuple[int, ...] = ()
    """Talons that can be turned, by number from 0."""
    give_to: tuple[Seat, ...] = ()
    lay_away: int = 0
    """Cards to lay away."""
    contract: BidRange | None = None
    concede: ConcessionOpen | None = None
    nines: bool = False
    play: tuple[Card, ...] = ()
    barred: tuple[BarredCard, ...] = ()
    melds: tuple[MeldOpen, ...] = ()
    spoils: tuple[Card, ...] = ()
    """Cards that break a held pair for good when led without melding."""


NOTHING = Choices()


def choices_of(state: InDeal, seat: Seat) -> Choices:
    """Every legal act of `seat`."""
    nines = exchange.nines_complaint(state, seat) is None
    match state:
        case Auction(turn=turn):
            if turn != seat:
                return NOTHING
            return Choices(bid=auction.bid_range(state, seat), may_pass=auction.may_pass(state))
        case TakingTalon(declarer=declarer):
            return (
                Choices(take=tuple(range(len(state.deal.dealt.talons))))
                if declarer == seat
                else NOTHING
            )
        case Exchanging(declarer=declarer):
            if declarer != seat:
                return NOTHING
            concession = _concession(state, state.bid, seat)
            if exchange.gives(state):
                return Choices(give_to=exchange.receivers(state), concede=concession)
            return Choices(lay_away=len(state.deal.talon), concede=concession)
        case Contracting(declarer=declarer):
            if declarer != seat:
                return Choices(nines=nines)
            return Choices(
                contract=auction.contract_range(state),
                concede=_concession(state, state.bid, seat),
                nines=nines,
            )
        case Playing(turn=turn):
            if turn != seat:
                return Choices(nines=True) if nines else NOTHING
            return _play_choices(state, seat, nines=nines)
        case never:
            assert_never(never)


def _play_choices(state: Playing, seat: Seat, *, nines: bool) -> Choices:
    hand = state.hands[seat]
    play, barred = [], []
    for card in sorted_hand(hand):
        broken = tricks.complaint(state, hand, card)
        if broken is None:
            play.append(card)
        else:
            barred.append(BarredCard(card, broken))
    leads = not state.trick
    return Choices(
        play=tuple(play),
        barred=tuple(barred),
        melds=tuple(tricks.melds_open(state, seat)) if leads else (),
        spoils=tuple(card for suit in pairs_in(hand) for card in PAIRS[suit]) if leads else (),
        concede=_concession(state, state.contract or 0, seat) if leads else None,
        nines=nines,
    )


def _concession(state: InDeal, contract: int, seat: Seat) -> ConcessionOpen | None:
    profile = state.game.profile
    if profile.concession is None or exchange.concede_complaint(state, seat) is not None:
        return None
    standing = state.game.standings[seat]
    return ConcessionOpen(
        cost=scoring.concession_cost(profile, standing),
        pays=scoring.concession_pay(profile, contract),
        used=standing.concessions,
        costly=profile.concession.costly,
        limit=profile.concession.limit,
    )
