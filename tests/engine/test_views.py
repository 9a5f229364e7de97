import msgspec
import pytest

from engine.choices import NOTHING
from engine.commands import (
    Act,
    ChooseProfile,
    ChooseTakeBack,
    EndGame,
    OpenRoom,
    SetReady,
    StartGame,
)
from engine.decide import decide
from engine.events import Call, Standing
from engine.evolve import evolve
from engine.history import TakenBack
from engine.rejections import Rejected
from engine.state import Conceded, Room
from engine.views import (
    AuctionView,
    BetweenView,
    OverView,
    PlayerView,
    ProfileView,
    TalonView,
    game_view,
    sheet_view,
    table_view,
)
from tests.support import (
    BIDDING_3,
    DE_3,
    PL_3,
    PLAIN_3,
    RU_3,
    RU_4,
    A,
    B,
    C,
    Evening,
    card,
    cards,
    with_rules,
)


def started(profile=RU_3, **hands) -> Evening:
    evening = Evening(profile, dealer="D" if profile.table.players == 4 else "C")
    evening.deals(**hands)
    return evening


def test_before_the_first_game_there_is_a_table_and_nothing_else():
    opened = decide(None, OpenRoom(RU_3))
    assert not isinstance(opened, Rejected)
    room = evolve(None, opened[0])

    assert (game_view(room, A), sheet_view(room)) == (None, None)
    table = table_view(room, None)
    assert (table.me, table.players, table.running, table.games) == (None, (None,) * 3, False, 0)
    assert not table.may_start


def test_the_table_may_start_once_everybody_is_ready_and_no_game_runs():
    evening = Evening(RU_3)
    running = table_view(evening.room, A)
    resting = Room(profile=RU_3, players=evening.room.players)
    for chair in (A, B, C):
        assert not table_view(resting, A).may_start
        answer = decide(resting, Act(chair, SetReady(ready=True)))
        assert not isinstance(answer, Rejected)
        resting = evolve(resting, answer[0])

    assert (running.running, running.may_start) == (True, False)
    assert (table_view(resting, A).running, table_view(resting, A).may_start) == (False, True)
    assert not table_view(resting, None).may_start
    assert table_view(resting, A).players[0] == PlayerView("Player 0", ready=True)


def test_the_rules_of_the_table_are_those_of_the_next_game():
    evening = Evening(PL_3, standings={"A": Standing(score=900)})
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="9S", C="9H")
    evening.goes_on()
    answer = decide(evening.room, ChooseProfile(RU_4))
    assert not isinstance(answer, Rejected)
    table = table_view(evolve(evening.room, answer[0]), A)

    assert (table.profile.id, len(table.players)) == ("ru-4", 4)


def test_a_table_shows_the_few_numbers_of_its_rules():
    profile = with_rules(RU_3, barrel=870, four_aces=True)

    assert table_view(Evening(profile).room, A).profile == ProfileView(
        id="ru-3",
        version=1,
        terms="ru",
        players=3,
        clockwise=True,
        step=5,
        target=1000,
        mark=870,
        barrel_deals=3,
        bolts=3,
        marriages={"S": 40, "H": 100, "D": 80, "C": 60},
        chosen={"barrel": 870, "four_aces": True},
    )


@pytest.mark.parametrize(
    ("profile", "mark", "deals", "bolts", "step"),
    [(PL_3, 900, None, None, 10), (PLAIN_3, None, None, None, None), (DE_3, 880, 3, 3, 5)],
)
def test_the_mark_is_the_barrels_or_the_locks(profile, mark, deals, bolts, step):
    shown = table_view(Evening(profile).room, None).profile

    assert (shown.mark, shown.barrel_deals, shown.bolts, shown.step) == (mark, deals, bolts, step)


def test_between_deals_the_dealer_is_on_turn_and_may_deal():
    evening = Evening(RU_3, dealer="B", standings={"A": Standing(score=-20, bolts=1)})
    view = evening.view("B")

    assert (view.number, view.deal, view.dealer, view.turn) == (1, 1, B, B)
    assert (view.sitter, view.order, view.hand) == (None, (), ())
    assert view.phase == BetweenView(last_trick=None, voided=None)
    assert (view.seats[A].score, view.seats[A].bolts) == (-20, 1)
    assert view.may.deal
    assert not evening.may("A").deal
    assert not evening.view(None).may.deal


def test_once_the_dealer_has_had_time_every_seat_may_deal_but_no_table_screen():
    room = Evening(RU_3, dealer="B").room
    seen = [game_view(room, viewer, anybody_deals=True) for viewer in (A, B, C, None)]

    assert [view.may.deal for view in seen if view] == [True, True, True, False]


def test_the_auction_shows_its_calls_and_the_highest():
    evening = started()
    assert evening.shows(None) == AuctionView(calls=(), highest=None)
    evening.does("A bid 100", "B pass")

    assert evening.shows(None) == AuctionView(
        calls=(Call(A, 100), Call(B, None)), highest=Call(A, 100)
    )
    assert [seat.passed for seat in evening.view("C").seats] == [False, True, False]
    assert (evening.view("A").turn, evening.may("A")) == (C, NOTHING)


def test_everybody_sees_the_own_hand_sorted_and_counts_of_the_others():
    evening = started(A="9H KS 10H AD AS KC QC")

    assert evening.view("A").hand == cards("AS KS 10H 9H KC QC AD")
    assert evening.view("A").pairs == (card("KC").suit,)
    assert (evening.view(None).hand, evening.view(None).pairs) == ((), ())
    assert [seat.cards for seat in evening.view("B").seats] == [7, 7, 7]
    assert evening.view("B").hand != evening.view("A").hand


def test_a_talon_is_counted_and_not_shown_before_it_is_turned():
    evening = started()
    evening.declares("A", 100)

    assert evening.shows("A") == TalonView(
        declarer=A, bid=100, calls=evening.shows("A").calls, talons=(3,)
    )
    assert (evening.may("A").take, evening.may("B")) == ((0,), NOTHING)


def test_play_shows_trick_trump_melds_and_how_far_the_deal_is():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS JD", C="QS 9D")
    evening.does("A play AS", "B play KS", "C play QS", "A meld KD", "B play JD")
    shown = evening.shows(None)

    assert (shown.declarer, shown.contract) == (A, 100)
    assert [played.card for played in shown.trick] == list(cards("KD JD"))
    assert shown.last_trick is not None
    assert shown.last_trick.winner == A
    assert [made.points for made in shown.melds] == [80]
    assert (shown.trick_number, shown.trick_count) == (2, 8)
    assert [seat.tricks for seat in evening.view(None).seats] == [1, 0, 0]
    assert [seat.cards for seat in evening.view(None).seats] == [6, 6, 7]


def test_the_last_trick_stays_until_the_next_deal():
    evening = Evening(RU_3)
    evening.plays_from(A="AS", B="KS", C="QS")
    evening.goes_on()

    assert evening.shows(None).last_trick is not None
    assert len(evening.shows(None).last_trick.cards) == 3
    assert evening.view(None).deal == 2


def test_the_end_shows_who_has_won_and_offers_nothing():
    evening = Evening(PL_3, standings={"A": Standing(score=900)})
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="9S", C="9H")
    evening.goes_on()

    assert isinstance(evening.shows("A"), OverView)
    assert evening.shows("A").winners == (A,)
    assert (evening.view("A").turn, evening.may("A")) == (None, NOTHING)


def test_the_sheet_is_everybodys():
    evening = Evening(RU_3)
    evening.plays_from(A="AS", B="KS", C="QS")
    evening.goes_on()
    sheet = sheet_view(evening.room)

    assert sheet is not None
    assert (sheet.game, sheet.deals) == (1, (evening.scored,))
    assert (sheet.at, sheet.taken_back) == (None, ())


def test_the_sheet_has_the_rules_of_its_game_and_when_it_began():
    evening = Evening(RU_3)
    evening.obeys(EndGame(by=A, agreed=(B, C)))
    for chair in (A, B, C):
        evening.obeys(Act(chair, SetReady(ready=True)))
    evening.obeys(StartGame(A, at=1_796_061_600))
    evening.obeys(EndGame(by=A, agreed=(B, C)))
    evening.obeys(ChooseProfile(PL_3))
    sheet = sheet_view(evening.room)

    assert sheet is not None
    assert (sheet.game, sheet.at, sheet.profile.id) == (2, 1_796_061_600, "ru-3")
    assert table_view(evening.room, A).profile.id == "pl-3"


def test_the_sheet_marks_where_decisions_were_taken_back():
    marks = (TakenBack(1, B),)
    sheet = sheet_view(Evening(RU_3).room, marks)

    assert sheet is not None
    assert sheet.taken_back == marks


def test_a_game_that_the_table_ended_shows_no_winner():
    evening = Evening(RU_3)
    evening.deals()
    evening.obeys(EndGame(by=A, agreed=(B, C)))

    assert evening.shows("A") == OverView((), None)
    assert (evening.view("A").hand, evening.may("A")) == ((), NOTHING)
    assert not table_view(evening.room, A).running


def test_the_table_shows_whether_decisions_may_be_taken_back():
    evening = Evening(RU_3)
    evening.obeys(EndGame(by=A, agreed=(B, C)))
    evening.obeys(Act(B, ChooseTakeBack("free")))

    assert table_view(evening.room, None).take_back == "free"


def test_a_table_screen_may_do_nothing_in_any_phase():
    evening = started(BIDDING_3)
    assert evening.view(None).may == NOTHING
    evening.declares("A", 10)
    evening.does("A take")
    assert evening.view(None).may == NOTHING


def test_a_deal_that_waits_for_its_settlement_is_never_shown():
    evening = started()
    evening.declares("A", 100)
    phase = evening.phase
    waiting = Conceded(game=evening.game, deal=getattr(phase, "deal"), declarer=A, contract=100)  # noqa: B009

    with pytest.raises(ValueError, match="never shown"):
        game_view(Room(profile=RU_3, players=(), phase=waiting), A)


def test_a_view_is_small():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS JD", C="QS 9D")

    assert len(msgspec.json.encode(evening.view("A"))) < 2048
