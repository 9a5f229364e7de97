"""What robots choose: what is offered, and what brings every kind of game to its end."""

import random

import msgspec
import pytest

from engine.auction import BidRange
from engine.choices import Choices
from engine.commands import Act, AnyAction, DealCards, LayAway, Meld, Pass, PlaceBid, PlayCard
from engine.events import PlayedCard
from engine.profile import Profile
from engine.rejections import Reason
from engine.state import Over
from engine.tricks import MeldOpen
from engine.views import GameView
from server.protocol import Deal
from server.rehearse.choices import Phase, Sight, choose
from tests.support import ALL_PROFILES, Evening, card, cards, seat, shuffled

DEALS = 500
"""More than any game of robots takes."""


class Steady(random.Random):
    """Chance without whims."""

    def random(self) -> float:
        return 0.5


def seen(view: GameView) -> Sight:
    """What a robot makes of `view` when it comes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(view), type=Sight)


def to_play(trick: str, may: str) -> Sight:
    played = tuple(PlayedCard(seat("A"), one) for one in cards(trick))
    return Sight(phase=Phase(trick=played), hand=cards(may), may=Choices(play=cards(may)))


def to_bid(hand: str, least: int) -> Sight:
    offered = BidRange(least, 300, 5, Reason.BID_TOO_HIGH)
    return Sight(phase=Phase(), hand=cards(hand), may=Choices(bid=offered, may_pass=True))


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_robots_are_never_refused_and_end_every_kind_of_game(profile: Profile):
    for seed in range(2):
        chance = random.Random(seed)
        evening = Evening(profile)

        while not isinstance(evening.phase, Over):
            assert len(evening.game.sheet) < DEALS, f"{seed=}"
            turn = evening.view("A").turn
            assert turn is not None
            wish = choose(seen(evening.view("ABCD"[turn])), chance)
            if isinstance(wish, Deal):
                evening.obeys(DealCards(turn, shuffled(profile, chance)))
            else:
                assert isinstance(wish, AnyAction)
                evening.obeys(Act(turn, wish))


def test_a_robot_with_nothing_to_do_does_nothing():
    assert choose(Sight(phase=Phase(), hand=cards("AS"), may=Choices()), Steady()) is None


def test_it_bids_on_a_strong_hand_and_passes_on_a_weak_one():
    assert choose(to_bid("AS 10S AH KH QH 9D 9C", 120), Steady()) == PlaceBid(120)
    assert choose(to_bid("KS JS 9H JD 9D JC 9C", 120), Steady()) == Pass()


def test_it_keeps_its_pairs_when_it_lays_away():
    hand = cards("KS QS AH 9D 10C")
    laying = Sight(phase=Phase(), hand=hand, may=Choices(lay_away=2))

    assert choose(laying, Steady()) == LayAway(cards("9D 10C"))


def test_it_melds_when_it_can():
    meld = MeldOpen(card("KS").suit, 40, cards("KS QS"))
    leading = Sight(
        phase=Phase(), hand=cards("KS QS"), may=Choices(play=cards("KS QS"), melds=(meld,))
    )

    wish = choose(leading, Steady())

    assert isinstance(wish, Meld)
    assert wish.card in meld.cards


def test_it_leads_high():
    assert choose(to_play("", "9S AS JS"), Steady()) == PlayCard(card("AS"))


def test_it_takes_a_trick_that_it_can_take():
    assert choose(to_play("KS", "9S AS JS"), Steady()) == PlayCard(card("AS"))


def test_it_gives_its_lowest_to_a_trick_that_it_cannot_take():
    assert choose(to_play("AS", "10S 9S JS"), Steady()) == PlayCard(card("9S"))
