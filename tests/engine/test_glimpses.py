import random
import typing

from engine.commands import Act, ChooseFirstDealer, EndGame, HandOver, Kick, MoveTo, VoidDeal
from engine.decide import decide
from engine.events import CardsDealt, CardsLaidAway, GameStarted, PlayerSeated, TalonTaken
from engine.evolve import fold
from engine.glimpses import (
    DealSeen,
    GameSeen,
    GiftsSeen,
    Glimpse,
    LaidAwaySeen,
    PlayerSeen,
    ScoreSeen,
    TalonSeen,
    glimpse,
)
from engine.rejections import Rejected
from engine.views import GiftView
from tests.support import (
    ALL_PROFILES,
    RU_2,
    RU_3,
    A,
    B,
    C,
    Evening,
    card,
    cards,
    entries,
    with_rules,
)


def glimpses(evening: Evening, viewer) -> list[Glimpse]:
    """What moves for `viewer` after the last decision."""
    return [seen for fact in evening.last if (seen := glimpse(fact, viewer)) is not None]


def test_dealing_shows_who_deals_to_whom_and_no_card():
    evening = Evening(RU_3)
    evening.deals()

    assert glimpses(evening, A) == glimpses(evening, None)
    assert glimpses(evening, A) == [DealSeen(dealer=C, order=(A, B, C))]
    assert isinstance(evening.last[0], CardsDealt)


def test_a_turned_talon_is_for_everybody_and_a_hidden_one_for_its_taker():
    for hidden in (False, True):
        evening = Evening(with_rules(RU_3, hidden_talon_at_100=hidden))
        evening.deals(talon="JC 9H AD")
        evening.declares("A", 100)
        evening.does("A take")
        seen = TalonSeen(seat=A, talon=0, cards=cards("JC 9H AD"))
        unseen = TalonSeen(seat=A, talon=0, cards=())

        assert glimpses(evening, A) == [seen]
        for viewer in (B, C, None):
            assert glimpses(evening, viewer) == [unseen if hidden else seen]
        assert isinstance(evening.last[0], TalonTaken)


def test_a_gift_is_seen_by_giver_and_receiver():
    evening = Evening(RU_3)
    evening.deals(A="9D 9C", talon="JC 9H AD")
    evening.declares("A", 100)
    evening.does("A take", "A give 9D B 9C C")

    def seen(viewer):
        return glimpses(evening, viewer)

    both = (GiftView(B, card("9D")), GiftView(C, card("9C")))
    assert seen(A) == [GiftsSeen(seat=A, gifts=both)]
    assert seen(B) == [GiftsSeen(seat=A, gifts=(both[0], GiftView(C, None)))]
    assert seen(C) == [GiftsSeen(seat=A, gifts=(GiftView(B, None), both[1]))]
    assert seen(None) == [GiftsSeen(seat=A, gifts=(GiftView(B, None), GiftView(C, None)))]


def test_cards_laid_away_are_counted_for_everybody():
    evening = Evening(RU_2, dealer="B")
    evening.deals(A="9D 9C")
    evening.declares("A", 100)
    evening.does("A take 1", "A discard 9D 9C")

    assert isinstance(evening.last[0], CardsLaidAway)
    for viewer in (A, B, None):
        assert glimpses(evening, viewer) == [LaidAwaySeen(seat=A, count=2)]


def test_what_is_said_or_laid_openly_is_seen_as_it_is():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS", C="QS")
    evening.does("A play AS", "B play KS", "C play QS", "A meld KD")

    for viewer in (A, B, C, None):
        assert tuple(glimpses(evening, viewer)) == evening.last


def test_a_written_deal_tells_its_outcome_and_the_sheet_the_rest():
    evening = Evening(RU_3)
    evening.deals()
    evening.declares("A", 100)
    evening.does("A take", "A concede")

    assert glimpses(evening, None)[1:] == [ScoreSeen(outcome="conceded")]


def test_a_player_who_sits_down_is_seen_without_a_key():
    assert glimpse(PlayerSeated(seat=A, name="Anna", key="k"), B) == PlayerSeen(seat=A, name="Anna")


def test_a_game_shows_its_first_dealer_and_whether_the_lot_chose():
    (started,) = (fact for fact in Evening(RU_3).facts if isinstance(fact, GameStarted))

    assert glimpse(started, A) == GameSeen(dealer=C, by_lot=False)


def test_chairs_move_nothing_on_the_screen():
    seated = fold(Evening(RU_3).facts[:4])
    for order in (MoveTo(B), ChooseFirstDealer(C)):
        answer = decide(seated, Act(A, order))
        assert not isinstance(answer, Rejected)
        assert glimpse(answer[0], A) is None


def test_no_key_is_ever_seen_whoever_comes_or_goes():
    for order in (HandOver(A, "secret", agreed=(B, C)), Kick(A, by=B, agreed=(C,))):
        evening = Evening(RU_3)
        evening.obeys(order)
        assert glimpses(evening, B) == []


def test_a_deal_that_is_void_by_agreement_and_a_game_that_is_ended_are_seen_with_who_agreed():
    evening = Evening(RU_3)
    evening.deals()
    evening.obeys(VoidDeal(by=A, agreed=(B, C)))
    assert glimpses(evening, None) == list(evening.last)
    evening.obeys(EndGame(by=A, agreed=(B, C)))
    assert glimpses(evening, None) == list(evening.last)


def test_every_fact_of_random_deals_is_seen_as_a_glimpse_or_not_at_all():
    allowed = typing.get_args(Glimpse)
    for profile in ALL_PROFILES:
        for room, entry in entries(profile, random.Random(1), deals=2):
            for viewer in (*range(len(room.players)), None):
                for fact in entry.happened:
                    seen = glimpse(fact, viewer)
                    assert seen is None or isinstance(seen, allowed)
