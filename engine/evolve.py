"""Fold facts into the state of a room.

Nothing is judged here: every number comes out of the fact.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from engine.cards import Card, Seat
from engine.events import (
    AcesMelded,
    AnyEvent,
    AuctionWon,
    BidPlaced,
    Call,
    CardPlayed,
    CardsDealt,
    CardsGiven,
    CardsLaidAway,
    ContractSet,
    DealConceded,
    DealScored,
    DealVoided,
    DiscardForgotten,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    GameWon,
    MarriageMelded,
    Passed,
    PlayedCard,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    RoomOpened,
    SeatHandedOver,
    TakeBackChosen,
    TalonTaken,
    TrickTaken,
    Undone,
)
from engine.state import (
    Auction,
    Between,
    Conceded,
    Contracting,
    Deal,
    Exchanging,
    Forgotten,
    Game,
    Gathering,
    MeldMade,
    Over,
    Phase,
    Player,
    Playing,
    Room,
    TakingTalon,
    Trick,
)

Hands = tuple[tuple[Card, ...], ...]


class LogCorrupt(Exception):  # noqa: N818  # reads as what is the case
    """A fact cannot follow the ones before it: a fault of ours, never a player's mistake."""

    def __init__(self, event: AnyEvent | Undone, phase: Phase | None) -> None:
        super().__init__(f"{type(event).__name__} cannot follow {type(phase).__name__}")


def fold(events: Iterable[AnyEvent], room: Room | None = None) -> Room | None:
    """The room after `events`, in order; None when there are none yet.

    Raises:
        LogCorrupt: a fact does not fit.
    """
    for event in events:
        room = evolve(room, event)
    return room


def evolve(room: Room | None, event: AnyEvent) -> Room:
    """The room after one fact.

    Raises:
        LogCorrupt: the fact does not fit.
    """
    if room is None:
        if isinstance(event, RoomOpened):
            return Room(profile=event.profile, players=(None,) * event.profile.table.players)
        raise LogCorrupt(event, None)
    match event:
        case RoomOpened():
            raise LogCorrupt(event, room.phase)
        case PlayerSeated() | PlayerKicked() | SeatHandedOver():
            return _seat(room, event)
        case (
            ProfileChosen()
            | PlayersMoved()
            | PlayerLeft()
            | ReadySet()
            | FirstDealerChosen()
            | TakeBackChosen()
            | GameStarted()
        ):
            if not isinstance(room.phase, Gathering | Over):
                raise LogCorrupt(event, room.phase)
            return _arrange(room, event)
        case _:
            return replace(room, phase=_advance(room.phase, event))


RosterEvent = PlayerSeated | PlayerKicked | SeatHandedOver
"""Who sits where, which may change while a game runs too, and is never undone."""

TableEvent = (
    ProfileChosen
    | PlayersMoved
    | PlayerLeft
    | ReadySet
    | FirstDealerChosen
    | TakeBackChosen
    | GameStarted
)
EndEvent = GameWon | GameEnded
"""A game is over, and the table is arranged for the next one."""

GameEvent = (
    CardsDealt
    | BidPlaced
    | Passed
    | AuctionWon
    | TalonTaken
    | CardsGiven
    | CardsLaidAway
    | ContractSet
    | CardPlayed
    | MarriageMelded
    | AcesMelded
    | TrickTaken
    | DealVoided
    | DealConceded
    | DiscardForgotten
    | DealScored
    | EndEvent
)


def _seat(room: Room, event: RosterEvent) -> Room:
    """The table after a fact about who sits where."""
    sits = room.players[event.seat]
    match event:
        case PlayerSeated(seat=seat, name=name, key=key) if sits is None:
            return _put(room, {seat: Player(name, key)})
        case PlayerKicked(seat=seat) if sits is not None:
            return _put(room, {seat: None})
        case SeatHandedOver(seat=seat, key=key) if sits is not None:
            return _put(room, {seat: replace(sits, key=key)})
        case _:
            raise LogCorrupt(event, room.phase)


def _arrange(room: Room, event: TableEvent) -> Room:
    """The table after a fact about chairs or the next game."""
    match event:
        case ProfileChosen(profile=profile):
            return replace(
                room,
                profile=profile,
                players=_seated_for(room, profile.table.players),
                first_dealer=None,
            )
        case PlayersMoved(a=a, b=b):
            return _put(room, {a: room.players[b], b: room.players[a]})
        case PlayerLeft(seat=seat):
            return _put(room, {seat: None})
        case ReadySet(seat=seat, ready=ready):
            player = room.players[seat]
            if player is None:
                raise LogCorrupt(event, room.phase)
            return _put(room, {seat: replace(player, ready=ready)})
        case FirstDealerChosen(dealer=dealer):
            return replace(room, first_dealer=dealer)
        case TakeBackChosen(mode=mode):
            return replace(room, take_back=mode)
        case GameStarted(number=number, profile=profile):
            game = Game(
                number=number,
                profile=profile,
                standings=event.standings,
                dealer=event.dealer,
                at=event.at,
            )
            return replace(
                room, games=number, players=_not_ready(room.players), phase=Between(game=game)
            )
        case never:
            assert_never(never)


def _put(room: Room, changed: dict[Seat, Player | None]) -> Room:
    players = tuple(changed.get(Seat(index), player) for index, player in enumerate(room.players))
    return replace(room, players=players)


def _seated_for(room: Room, chairs: int) -> tuple[Player | None, ...]:
    """The players on so many chairs; whoever sat beyond them moves to the first free one.

    Nobody has said to be ready for the new rules (LOBBY-6).
    """
    kept = [*room.players[:chairs], *[None] * (chairs - len(room.players))]
    for player in filter(None, room.players[chairs:]):
        kept[kept.index(None)] = player
    return _not_ready(kept)


def _not_ready(players: Iterable[Player | None]) -> tuple[Player | None, ...]:
    return tuple(player and replace(player, ready=False) for player in players)


def _advance(phase: Phase, event: GameEvent) -> Phase:
    """The phase after a fact of the game."""
    match phase, event:
        case Playing(), CardPlayed(seat=seat, card=card, next=following):
            return replace(
                phase,
                hands=_without(phase.hands, seat, (card,)),
                trick=(*phase.trick, PlayedCard(seat, card)),
                turn=following,
            )
        case Playing(), TrickTaken(seat=seat, points=points):
            return replace(
                phase,
                points=_added(phase.points, seat, points),
                tricks=_added(phase.tricks, seat, 1),
                last_trick=Trick(phase.trick, seat),
                trick=(),
                turn=seat,
            )
        case Playing(), MarriageMelded(seat=seat, suit=suit, points=points):
            return replace(phase, trump=suit, melds=(*phase.melds, MeldMade(seat, suit, points)))
        case Playing(), AcesMelded(seat=seat, points=points):
            return replace(phase, melds=(*phase.melds, MeldMade(seat, None, points)))
        case Between(game=game), CardsDealt():
            return _begin(game, event)
        case Auction(), BidPlaced(seat=seat, points=points, next=following):
            return replace(phase, deal=_said(phase.deal, Call(seat, points)), turn=following)
        case Auction(), Passed(seat=seat, next=following):
            return replace(phase, deal=_said(phase.deal, Call(seat, None)), turn=following)
        case Auction(), AuctionWon(declarer=declarer, points=points):
            return TakingTalon(
                game=phase.game, deal=phase.deal, hands=phase.hands, declarer=declarer, bid=points
            )
        case TakingTalon(), TalonTaken(seat=seat, talon=talon, cards=cards, shown=shown):
            left = (pile for index, pile in enumerate(phase.deal.dealt.talons) if index != talon)
            unused = tuple(card for pile in left for card in pile)
            return Exchanging(
                game=phase.game,
                deal=replace(phase.deal, talon=cards, talon_shown=shown, unused=unused),
                hands=_with(phase.hands, seat, cards),
                declarer=phase.declarer,
                bid=phase.bid,
            )
        case Exchanging(), CardsGiven(seat=seat, gifts=gifts):
            hands = _without(phase.hands, seat, tuple(gift.card for gift in gifts))
            for gift in gifts:
                hands = _with(hands, gift.to, (gift.card,))
            return _to_contract(phase, replace(phase.deal, gifts=gifts), hands)
        case Exchanging(), CardsLaidAway(seat=seat, cards=cards):
            deal = replace(phase.deal, laid_away=cards)
            return _to_contract(phase, deal, _without(phase.hands, seat, cards))
        case Contracting(), ContractSet(seat=seat, points=points):
            return _play(phase.game, phase.deal, phase.hands, declarer=seat, contract=points)
        case ((Exchanging() | Contracting() | Playing()), DealConceded(seat=seat, points=points)):
            return Conceded(game=phase.game, deal=phase.deal, declarer=seat, contract=points)
        case Exchanging(), DiscardForgotten(seat=seat):
            return Forgotten(game=phase.game, deal=phase.deal, declarer=seat, bid=phase.bid)
        case (
            (Auction() | TakingTalon() | Exchanging() | Contracting() | Playing()),
            DealVoided(),
        ):
            return Between(game=phase.game, voided=event)
        case ((Auction() | Playing() | Conceded() | Forgotten()), DealScored()):
            last = phase.last_trick if isinstance(phase, Playing) else None
            return Between(game=_written(phase.game, event), last_trick=last)
        case Between(), GameWon(winners=winners):
            return Over(game=phase.game, winners=winners, last_trick=phase.last_trick)
        case (
            (Between() | Auction() | TakingTalon() | Exchanging() | Contracting() | Playing()),
            GameEnded(),
        ):
            return Over(game=phase.game, winners=())
        case _:
            raise LogCorrupt(event, phase)


def _begin(game: Game, dealt: CardsDealt) -> Phase:
    deal = Deal(dealt=dealt)
    if dealt.opens == "auction":
        return Auction(game=game, deal=deal, hands=dealt.hands, turn=dealt.order[0])
    return _play(game, deal, dealt.hands, declarer=None, contract=None)


def _play(
    game: Game, deal: Deal, hands: Hands, *, declarer: Seat | None, contract: int | None
) -> Playing:
    """The first lead is the declarer's, or forehand's where nobody declares (PLAY-1)."""
    nothing = (0,) * len(hands)
    return Playing(
        game=game,
        deal=deal,
        hands=hands,
        declarer=declarer,
        contract=contract,
        turn=deal.order[0] if declarer is None else declarer,
        points=nothing,
        tricks=nothing,
    )


def _to_contract(phase: Exchanging, deal: Deal, hands: Hands) -> Contracting:
    return Contracting(
        game=phase.game, deal=deal, hands=hands, declarer=phase.declarer, bid=phase.bid
    )


def _said(deal: Deal, call: Call) -> Deal:
    return replace(deal, calls=(*deal.calls, call))


def _written(game: Game, scored: DealScored) -> Game:
    return replace(
        game,
        standings=tuple(line.after for line in scored.lines),
        dealer=scored.next_dealer,
        sheet=(*game.sheet, scored),
    )


def _without(hands: Hands, seat: Seat, cards: tuple[Card, ...]) -> Hands:
    kept = tuple(card for card in hands[seat] if card not in cards)
    return (*hands[:seat], kept, *hands[seat + 1 :])


def _with(hands: Hands, seat: Seat, cards: tuple[Card, ...]) -> Hands:
    return (*hands[:seat], (*hands[seat], *cards), *hands[seat + 1 :])


def _added(numbers: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return (*numbers[:seat], numbers[seat] + more, *numbers[seat + 1 :])
