"""Answer a command: with the facts that follow, or with the reason why there are none."""

from collections.abc import Iterator

from engine import auction, exchange, lobby, scoring, tricks
from engine.cards import Seat, points_of
from engine.commands import (
    Act,
    AnyAction,
    ChooseProfile,
    Command,
    Concede,
    DealCards,
    EndGame,
    ForgetDiscard,
    GiveCards,
    HandOver,
    Kick,
    LayAway,
    Meld,
    OpenRoom,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    ShowNines,
    StartGame,
    TakeSeat,
    TakeTalon,
    VoidDeal,
)
from engine.dealing import deal_out
from engine.events import (
    AnyEvent,
    CardPlayed,
    CardsDealt,
    ContractSet,
    DealVoided,
    DiscardForgotten,
    GameWon,
    RoomOpened,
    TrickTaken,
)
from engine.evolve import evolve
from engine.rejections import Reason, Rejected
from engine.state import (
    Auction,
    Between,
    Conceded,
    Contracting,
    Exchanging,
    Forgotten,
    InDeal,
    Playing,
    Room,
    TakingTalon,
)

Decision = tuple[AnyEvent, ...] | Rejected


def decide(room: Room | None, command: Command) -> Decision:
    """The facts that `command` leads to, chosen ones first and then what the rules force.

    Pure: the same room and command always give the same answer. A room begins with `OpenRoom`.
    """
    answer = _respond(room, command)
    if isinstance(answer, Rejected):
        return answer
    for fact in answer:
        room = evolve(room, fact)
    return (*answer, *_settle(room)) if room else answer


def _respond(room: Room | None, command: Command) -> Decision:
    """The part of the answer that somebody chose."""
    if room is None:
        if not isinstance(command, OpenRoom):
            raise ValueError("a room begins with being opened")
        return (RoomOpened(profile=command.profile),)
    match command:
        case Act(seat=seat, action=action):
            return _act(room, seat, action)
        case DealCards():
            return _one(_deal(room, command))
        case TakeSeat():
            return _one(lobby.take_seat(room, command))
        case HandOver():
            return _one(lobby.hand_over(room, command))
        case Kick():
            return _one(lobby.kick(room, command))
        case EndGame():
            return _one(lobby.end_game(room, command))
        case VoidDeal(by=by, agreed=agreed):
            if not isinstance(room.phase, InDeal):
                return Rejected(Reason.NO_DEAL)
            return (DealVoided(reason="agreed", seat=by, cards=(), agreed=agreed),)
        case ChooseProfile():
            return _one(lobby.choose_profile(room, command))
        case StartGame():
            return _one(lobby.start_game(room, command))
        case ForgetDiscard():
            if not isinstance(room.phase, Exchanging) or exchange.gives(room.phase):
                return Rejected(Reason.WRONG_PHASE)
            return (DiscardForgotten(seat=room.phase.declarer),)
        case OpenRoom():
            raise ValueError("the room is open already")


def _one(answer: AnyEvent | Rejected) -> Decision:
    return answer if isinstance(answer, Rejected) else (answer,)


def _act(room: Room, seat: Seat, action: AnyAction) -> Decision:
    if isinstance(action, lobby.Arrangement):
        return _one(lobby.arrange(room, seat, action))
    match room.phase, action:
        case Playing() as state, PlayCard() | Meld():
            return _play(state, seat, action)
        case Auction() as state, PlaceBid(points=points):
            return _in_turn(state.turn, seat) or _one(auction.bid(state, seat, points))
        case Auction() as state, Pass():
            return _in_turn(state.turn, seat) or _one(auction.leave(state, seat))
        case TakingTalon() as state, TakeTalon():
            return _in_turn(state.declarer, seat) or _one(exchange.take(state, action))
        case Exchanging() as state, GiveCards() if exchange.gives(state):
            return _in_turn(state.declarer, seat) or _one(exchange.give(state, action))
        case Exchanging() as state, LayAway() if not exchange.gives(state):
            return _in_turn(state.declarer, seat) or _one(exchange.lay_away(state, action))
        case Contracting() as state, SetContract(points=points):
            return _in_turn(state.declarer, seat) or _set_contract(state, points)
        case (
            Auction() | TakingTalon() | Exchanging() | Contracting() | Playing()
        ) as state, Concede():
            return _one(exchange.concede(state, seat))
        case (
            Auction() | TakingTalon() | Exchanging() | Contracting() | Playing()
        ) as state, ShowNines():
            return _one(exchange.show_nines(state, seat))
        case _:
            return Rejected(Reason.WRONG_PHASE)


def _in_turn(turn: Seat | None, seat: Seat) -> Rejected | None:
    return None if seat == turn else Rejected(Reason.NOT_YOUR_TURN)


def _deal(room: Room, command: DealCards) -> CardsDealt | Rejected:
    """The dealer's act; anybody's once the dealer has had time (DEAL-3, DEAL-4)."""
    if not isinstance(room.phase, Between):
        return Rejected(Reason.WRONG_PHASE)
    game = room.phase.game
    if sorted(command.deck, key=str) != sorted(game.profile.pack.cards(), key=str):
        raise ValueError("the deck is not the profile's pack")
    if command.seat != game.dealer and not command.anybody:
        return Rejected(Reason.DEALER_FIRST)
    return deal_out(game.profile, game.dealer, command.deck)


def _set_contract(state: Contracting, points: int) -> Decision:
    if broken := auction.contract_complaint(state, points):
        return Rejected(broken)
    return (ContractSet(seat=state.declarer, points=points),)


def _play(state: Playing, seat: Seat, action: PlayCard | Meld) -> Decision:
    if seat != state.turn:
        return Rejected(Reason.NOT_YOUR_TURN)
    card = action.card
    order = state.deal.order
    full = len(state.trick) + 1 == len(order)
    played = CardPlayed(
        seat=seat, card=card, next=None if full else order[(order.index(seat) + 1) % len(order)]
    )
    if isinstance(action, PlayCard):
        broken = tricks.complaint(state, state.hands[seat], card)
        return Rejected(broken) if broken else (played,)
    if broken := tricks.meld_complaint(state, seat, card):
        return Rejected(broken)
    return (tricks.melded(state, seat, card), played)


def _settle(room: Room) -> Iterator[AnyEvent]:
    """What the rules now force, one fact at a time, until somebody has to choose."""
    while forced := _next_forced(room):
        yield forced
        room = evolve(room, forced)


def _next_forced(room: Room) -> AnyEvent | None:
    match room.phase:
        case Playing(turn=None) as state:
            winner = tricks.best_of(state.trick, state.trump).seat
            return TrickTaken(seat=winner, points=sum(played.card.points for played in state.trick))
        case Playing(trick=()) as state if not state.hands[state.deal.order[0]]:
            return scoring.score_played(state)
        case Auction(turn=None) as state:
            return auction.won(state) or scoring.score_thrown_in(state.game, state.deal)
        case Auction() as state if not state.deal.calls:
            return _weak_talon(state)
        case Contracting() as state if not _may_raise(state):
            return ContractSet(seat=state.declarer, points=state.bid)
        case Conceded() as state:
            return scoring.score_conceded(state)
        case Forgotten() as state:
            return scoring.score_forgotten(state)
        case Between(game=game):
            winners = scoring.winners_of(game)
            return GameWon(winners=winners) if winners else None
        case _:
            return None


def _weak_talon(state: Auction) -> DealVoided | None:
    """VOID-2: a talon with too few points, looked at before the first call, voids the deal."""
    redeal, cards = state.game.profile.redeal, state.deal.dealt.talons[0]
    if redeal is None or points_of(cards) >= redeal.weak_talon_below:
        return None
    return DealVoided(reason="weak_talon", seat=None, cards=cards)


def _may_raise(state: Contracting) -> bool:
    rule = state.game.profile.exchange
    return rule is not None and rule.raise_contract
