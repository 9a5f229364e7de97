"""The talon, the cards given or laid away, and giving a deal up (EXCH, CONC, VOID)."""

from engine.cards import NINES, Seat
from engine.commands import GiveCards, LayAway, TakeTalon
from engine.events import CardsGiven, CardsLaidAway, DealConceded, DealVoided, TalonTaken
from engine.rejections import Reason, Rejected
from engine.state import Auction, Contracting, Exchanging, InDeal, Playing, TakingTalon


def take(state: TakingTalon, action: TakeTalon) -> TalonTaken | Rejected:
    """The declarer turns a talon and takes it (EXCH-1, EXCH-8, EXCH-9)."""
    talons, exchange = state.deal.dealt.talons, state.game.profile.exchange
    if exchange is None or not 0 <= action.talon < len(talons):
        return Rejected(Reason.WRONG_CARDS)
    auction = state.game.profile.auction
    at_opening = auction is not None and state.bid == auction.opening
    shown = exchange.talon_shown and not (exchange.hidden_at_opening and at_opening)
    return TalonTaken(
        seat=state.declarer, talon=action.talon, cards=talons[action.talon], shown=shown
    )


def gives(state: Exchanging) -> bool:
    """Whether this exchange gives cards to the defenders; otherwise cards are laid away."""
    exchange = state.game.profile.exchange
    return exchange is not None and exchange.then == "give"


def receivers(state: Exchanging) -> tuple[Seat, ...]:
    """The defenders who are to get a card each, in the direction of play from the declarer."""
    order = state.deal.order
    after = order.index(state.declarer) + 1
    return (*order[after:], *order[: after - 1])


def give(state: Exchanging, action: GiveCards) -> CardsGiven | Rejected:
    """One card to each defender, in one decision (EXCH-2, EXCH-10)."""
    cards = [gift.card for gift in action.gifts]
    if sorted(gift.to for gift in action.gifts) != sorted(receivers(state)) or len(
        set(cards)
    ) != len(cards):
        return Rejected(Reason.WRONG_CARDS)
    if not all(card in state.hands[state.declarer] for card in cards):
        return Rejected(Reason.NOT_IN_HAND)
    return CardsGiven(seat=state.declarer, gifts=action.gifts)


def lay_away(state: Exchanging, action: LayAway) -> CardsLaidAway | Rejected:
    """As many cards face down aside as were taken (EXCH-3, EXCH-10)."""
    if len(set(action.cards)) != len(action.cards) or len(action.cards) != len(state.deal.talon):
        return Rejected(Reason.WRONG_CARDS)
    if not all(card in state.hands[state.declarer] for card in action.cards):
        return Rejected(Reason.NOT_IN_HAND)
    return CardsLaidAway(seat=state.declarer, cards=action.cards)


def concede_complaint(state: InDeal, seat: Seat) -> Reason | None:
    """Why `seat` cannot give the deal up now (CONC-1, CONC-4, CONC-6); None: it can."""
    concession = state.game.profile.concession
    match state:
        case Exchanging() | Contracting():
            in_time = True
        case Playing():
            in_time = not state.trick and not any(state.tricks)
        case Auction() | TakingTalon():
            return Reason.CONCEDE_NOT_NOW
    if not in_time or concession is None:
        return Reason.CONCEDE_NOT_NOW
    if seat != state.declarer:
        return Reason.NOT_YOUR_TURN
    standing = state.game.standings[seat]
    if standing.barrel is not None:
        return Reason.CONCEDE_ON_BARREL
    if concession.limit is not None and standing.concessions >= concession.limit:
        return Reason.CONCEDE_LIMIT
    return None


def concede(state: InDeal, seat: Seat) -> DealConceded | Rejected:
    """The declarer gives the deal up at the bid, or at the contract once it is set (CONC-1)."""
    if broken := concede_complaint(state, seat):
        return Rejected(broken)
    match state:
        case Playing(contract=int(points)) | Exchanging(bid=points) | Contracting(bid=points):
            return DealConceded(seat=seat, points=points)
        case _:
            return Rejected(Reason.CONCEDE_NOT_NOW)


def nines_complaint(state: InDeal, seat: Seat) -> Reason | None:
    """Why `seat` cannot show four nines now (VOID-1); None: it can."""
    redeal = state.game.profile.redeal
    match state:
        case Contracting():
            in_time = True
        case Playing():
            in_time = not _has_played(state, seat)
        case _:
            in_time = False
    if not in_time or redeal is None or not redeal.four_nines:
        return Reason.WRONG_PHASE
    return None if all(nine in state.hands[seat] for nine in NINES) else Reason.NO_FOUR_NINES


def show_nines(state: InDeal, seat: Seat) -> DealVoided | Rejected:
    """The holder of all four nines shows them: the deal is void (VOID-1)."""
    if broken := nines_complaint(state, seat):
        return Rejected(broken)
    return DealVoided(reason="four_nines", seat=seat, cards=NINES)


def _has_played(state: Playing, seat: Seat) -> bool:
    return any(state.tricks) or any(played.seat == seat for played in state.trick)
