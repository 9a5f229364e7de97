"""What a room asks of the house: to shuffle, to draw lots, to look a profile up."""

import secrets
import time
from collections.abc import Mapping

from engine.cards import Seat
from engine.commands import Act, AnyAction, ChooseProfile, Command, DealCards, StartGame
from engine.house_rules import UnknownHouseRule, with_house_rules
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Between, Room
from server.protocol import Deal, Start, UseProfile

HouseWish = AnyAction | Deal | Start | UseProfile
"""What a seat may wish without asking the others."""

_chance = secrets.SystemRandom()


def command_for(
    wish: HouseWish, seat: Seat, room: Room, profiles: Mapping[str, Profile], *, anybody_deals: bool
) -> Command | Rejected:
    """What the engine is to judge when `seat` wishes so, with whatever the house adds to it."""
    match wish:
        case Deal():
            if not isinstance(room.phase, Between):
                return Rejected(Reason.WRONG_PHASE)
            deck = list(room.phase.game.profile.pack.cards())
            _chance.shuffle(deck)
            return DealCards(seat, tuple(deck), anybody=anybody_deals)
        case Start():
            return StartGame(lot=Seat(_chance.randrange(len(room.players))), at=int(time.time()))
        case UseProfile(id=profile, house_rules=chosen):
            if profile not in profiles:
                return Rejected(Reason.UNKNOWN_PROFILE)
            try:
                return ChooseProfile(with_house_rules(profiles[profile], chosen))
            except UnknownHouseRule:
                return Rejected(Reason.UNKNOWN_HOUSE_RULE)
        case action:
            return Act(seat, action)
