import pytest

from engine.cards import Seat
from engine.commands import (
    Act,
    ChooseFirstDealer,
    ChooseProfile,
    ChooseTakeBack,
    DealCards,
    EndGame,
    HandOver,
    Kick,
    Leave,
    MoveTo,
    OpenRoom,
    SetReady,
    StartGame,
    TakeSeat,
    VoidDeal,
)
from engine.decide import decide
from engine.events import (
    DealVoided,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    RoomOpened,
    SeatHandedOver,
    Standing,
)
from engine.evolve import fold
from engine.rejections import Reason, Rejected
from engine.state import Between, Over, Player, Room
from tests.support import BIDDING_4, DE_3, RU_2, RU_3, RU_4, Evening

A, B, C, D = map(Seat, range(4))


def room(*names: str | None, profile=RU_3, ready=()) -> Room:
    """A room in which `names` sit on the chairs in order."""
    seated = [
        PlayerSeated(seat=Seat(index), name=name, key=f"key {name}")
        for index, name in enumerate(names)
        if name
    ]
    said = [ReadySet(seat=chair, ready=True) for chair in ready]
    found = fold([RoomOpened(profile=profile), *seated, *said])
    assert found is not None
    return found


def after(given: Room, command) -> Room:
    answer = decide(given, command)
    assert not isinstance(answer, Rejected)
    found = fold(answer, given)
    assert found is not None
    return found


def names(given: Room) -> list[str | None]:
    return [player.name if player else None for player in given.players]


def test_a_room_opens_with_a_chair_for_everybody_the_profile_plays_with():
    assert decide(None, OpenRoom(RU_4)) == (RoomOpened(profile=RU_4),)
    assert names(room(profile=RU_4)) == [None] * 4


def test_lobby_1_a_new_player_gets_the_chair_asked_for():
    assert decide(room("Anna"), TakeSeat("Ben", "k", C)) == (
        PlayerSeated(seat=C, name="Ben", key="k"),
    )


@pytest.mark.parametrize("wish", [None, A, Seat(7)])
def test_lobby_1_without_a_free_chair_of_that_number_it_is_the_first_free_one(wish):
    assert decide(room("Anna", None, "Carla"), TakeSeat("Ben", "k", wish)) == (
        PlayerSeated(seat=B, name="Ben", key="k"),
    )


def test_lobby_1_a_full_table_takes_nobody():
    full = room("Anna", "Ben", "Carla")

    assert decide(full, TakeSeat("Dora", "k")) == Rejected(Reason.TABLE_FULL)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("  Ben\tvan  Dyk ", "Ben van Dyk"),
        ("Bén\x00\u202e!", "Bén !"),
        ("Анна", "Анна"),
        ("Ame\u0301lie", "Am\u00e9lie"),
        ("Anna\ufe0f", "Anna"),
        ("Anna\u034f\u180b\U000e0101", "Anna"),
        ("x" * 16, "x" * 16),
    ],
)
def test_lobby_2_a_name_is_printable_and_has_single_spaces(typed, written):
    assert decide(room(), TakeSeat(typed, "k")) == (PlayerSeated(seat=A, name=written, key="k"),)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", Reason.NAME_EMPTY),
        (" \n\t", Reason.NAME_EMPTY),
        ("\u3164\u2800", Reason.NAME_EMPTY),
        ("x" * 17, Reason.NAME_TOO_LONG),
    ],
)
def test_lobby_2_a_name_has_1_to_16_characters(typed, reason):
    assert decide(room(), TakeSeat(typed, "k")) == Rejected(reason)


def test_lobby_2_a_name_that_is_taken_gets_a_number():
    again = after(room("Anna"), TakeSeat("Anna", "k"))
    third = after(again, TakeSeat("Anna", "k"))

    assert names(third) == ["Anna", "Anna 2", "Anna 3"]


def test_lobby_2_a_long_name_makes_room_for_its_number():
    again = after(room("x" * 16), TakeSeat("x" * 16, "k"))

    assert names(again)[1] == "x" * 14 + " 2"


def test_lobby_3_a_player_moves_to_a_free_chair():
    start = room("Anna", ready=(A,))

    assert decide(start, Act(A, MoveTo(C))) == (PlayersMoved(a=A, b=C),)
    moved = after(start, Act(A, MoveTo(C)))
    assert names(moved) == [None, None, "Anna"]
    assert moved.players[C] == start.players[A]


def test_lobby_3_whoever_sits_there_changes_places():
    assert names(after(room("Anna", "Ben", "Carla"), Act(A, MoveTo(B)))) == ["Ben", "Anna", "Carla"]


@pytest.mark.parametrize("chair", [Seat(3), Seat(-1)])
def test_lobby_3_there_must_be_such_a_chair(chair):
    assert decide(room("Anna"), Act(A, MoveTo(chair))) == Rejected(Reason.NO_SUCH_CHAIR)


def test_lobby_4_a_chair_that_was_left_is_free():
    start = room("Anna", "Ben")

    assert decide(start, Act(B, Leave())) == (PlayerLeft(seat=B),)
    assert names(after(start, Act(B, Leave()))) == ["Anna", None, None]


def test_lobby_5_the_first_dealer_can_be_chosen_and_left_to_the_lot_again():
    chosen = after(room("Anna"), Act(A, ChooseFirstDealer(C)))

    assert chosen.first_dealer == C
    assert decide(chosen, Act(A, ChooseFirstDealer(None))) == (FirstDealerChosen(dealer=None),)
    assert after(chosen, Act(A, ChooseFirstDealer(None))).first_dealer is None


def test_lobby_5_the_first_dealer_sits_on_a_chair_of_the_table():
    for chair in (Seat(3), Seat(-1)):
        assert decide(room("Anna"), Act(A, ChooseFirstDealer(chair))) == Rejected(
            Reason.NO_SUCH_CHAIR
        )


def test_lobby_6_other_rules_can_be_chosen():
    start = room("Anna")

    assert decide(start, ChooseProfile(RU_4)) == (ProfileChosen(profile=RU_4),)
    assert after(start, ChooseProfile(RU_4)).profile == RU_4
    assert names(after(start, ChooseProfile(RU_4))) == ["Anna", None, None, None]


def test_lobby_6_there_must_be_a_chair_for_everybody_who_sits():
    full = room("Anna", "Ben", "Carla")

    assert decide(full, ChooseProfile(RU_2)) == Rejected(Reason.TOO_MANY_PLAYERS)
    assert names(after(full, ChooseProfile(BIDDING_4))) == ["Anna", "Ben", "Carla", None]


def test_lobby_6_who_sat_beyond_the_last_chair_moves_to_a_free_one():
    start = room(None, "Ben", None, "Dora", profile=RU_4)

    assert names(after(start, ChooseProfile(RU_2))) == ["Dora", "Ben"]


def test_lobby_6_the_first_dealer_is_forgotten_and_nobody_is_ready_for_the_new_rules():
    start = after(room("Anna", "Ben", "Carla", ready=(A, B)), Act(A, ChooseFirstDealer(C)))
    changed = after(start, ChooseProfile(DE_3))

    assert changed.first_dealer is None
    assert [player and player.ready for player in changed.players] == [False] * 3


def test_lobby_7_a_game_waits_for_every_chair_and_then_for_everybody_to_be_ready():
    assert decide(room("Anna", "Ben", ready=(A, B)), StartGame(A)) == Rejected(Reason.CHAIRS_FREE)
    assert decide(room("Anna", "Ben", "Carla", ready=(A, B)), StartGame(A)) == Rejected(
        Reason.NOT_READY
    )


def test_lobby_7_being_ready_can_be_taken_back():
    start = room("Anna", "Ben", "Carla", ready=(A, B, C))
    doubting = after(start, Act(B, SetReady(ready=False)))

    assert decide(start, Act(B, SetReady(ready=False))) == (ReadySet(seat=B, ready=False),)
    assert decide(doubting, StartGame(A)) == Rejected(Reason.NOT_READY)


def test_lobby_8_a_game_starts_from_nothing_under_a_copy_of_the_rules():
    assert decide(room("Anna", "Ben", "Carla", ready=(A, B, C)), StartGame(B)) == (
        GameStarted(
            number=1,
            profile=RU_3,
            dealer=B,
            by_lot=True,
            at=None,
            standings=(Standing(score=0),) * 3,
        ),
    )


def test_lobby_8_nobody_is_ready_for_the_game_after():
    playing = after(room("Anna", "Ben", "Carla", ready=(A, B, C)), StartGame(B))

    assert isinstance(playing.phase, Between)
    assert playing.games == 1
    assert [player and player.ready for player in playing.players] == [False] * 3


def test_table_1_the_first_dealer_is_drawn_by_lot_unless_chosen():
    start = room("Anna", "Ben", "Carla", ready=(A, B, C))
    by_lot = after(start, StartGame(B))
    chosen = decide(after(start, Act(A, ChooseFirstDealer(C))), StartGame(B))

    assert isinstance(by_lot.phase, Between)
    assert by_lot.phase.game.dealer == B
    assert not isinstance(chosen, Rejected)
    assert isinstance(chosen[0], GameStarted)
    assert (chosen[0].dealer, chosen[0].by_lot) == (C, False)


@pytest.mark.parametrize(
    "command",
    [
        Act(A, MoveTo(B)),
        Act(A, SetReady(ready=True)),
        Act(A, ChooseFirstDealer(B)),
        Act(A, ChooseTakeBack("off")),
        Act(A, Leave()),
        ChooseProfile(DE_3),
        StartGame(A),
    ],
    ids=lambda command: type(getattr(command, "action", command)).__name__,
)
def test_lobby_9_while_a_game_runs_nobody_moves_and_the_rules_stay_as_they_are(command):
    evening = Evening(RU_3)

    assert decide(evening.room, command) == Rejected(Reason.GAME_RUNNING)
    evening.deals()
    assert decide(evening.room, command) == Rejected(Reason.GAME_RUNNING)


def test_lobby_9_after_the_game_they_may_change_and_the_next_one_begins_from_nothing():
    evening = Evening(RU_3, standings={"A": Standing(score=999)})
    game = evening.game
    over = Room(
        profile=RU_3, players=evening.room.players, games=1, phase=Over(game=game, winners=(A,))
    )
    for chair in (A, B, C):
        over = after(over, Act(chair, SetReady(ready=True)))
    again = decide(over, StartGame(C))

    assert not isinstance(again, Rejected)
    assert again[0] == GameStarted(
        number=2, profile=RU_3, dealer=C, by_lot=True, at=None, standings=(Standing(),) * 3
    )


def test_lobby_10_another_device_takes_a_seat_over_with_name_hand_and_standing():
    evening = Evening(RU_3)
    evening.deals()
    order = HandOver(B, "new key", agreed=(A, C))
    taken = after(evening.room, order)

    assert decide(evening.room, order) == (SeatHandedOver(seat=B, key="new key", agreed=(A, C)),)
    assert taken.phase == evening.room.phase
    assert taken.players[B] == Player("Player 1", "new key")


def test_lobby_10_before_a_game_it_stays_ready():
    taken = after(room("Anna", "Ben", ready=(B,)), HandOver(B, "new key", agreed=(A,)))

    assert taken.players[B] == Player("Ben", "new key", ready=True)


@pytest.mark.parametrize("chair", [A, Seat(3), Seat(-1)])
def test_lobby_10_a_chair_on_which_nobody_sits_is_not_handed_over(chair):
    given = room(None, "Ben", "Carla")

    assert decide(given, HandOver(chair, "k", agreed=(B,))) == Rejected(Reason.CHAIR_FREE)


def test_lobby_11_the_table_takes_a_chair_from_a_player_in_a_running_game_too():
    evening = Evening(RU_3)
    evening.deals()
    order = Kick(A, by=B, agreed=(C,))
    kicked = after(evening.room, order)

    assert decide(evening.room, order) == (PlayerKicked(seat=A, by=B, agreed=(C,)),)
    assert names(kicked) == [None, "Player 1", "Player 2"]
    assert kicked.phase == evening.room.phase
    assert names(after(room("Anna", "Ben"), Kick(A, by=B, agreed=()))) == [None, "Ben", None]


def test_lobby_11_the_game_waits_for_the_chair_and_goes_on_elsewhere():
    evening = Evening(RU_3)
    evening.deals()
    evening.obeys(Kick(B, by=A, agreed=(C,)))
    evening.does("A bid 100")

    assert evening.view("C").turn == B
    assert evening.refuses("C pass") == "not-your-turn"


def test_lobby_11_a_game_does_not_start_while_a_chair_is_free():
    ready = room("Anna", "Ben", "Carla", ready=(A, B, C))

    assert decide(after(ready, Kick(B, by=A, agreed=(C,))), StartGame(A)) == Rejected(
        Reason.CHAIRS_FREE
    )


@pytest.mark.parametrize("chair", [A, Seat(3), Seat(-1)])
def test_lobby_11_nobody_is_kicked_who_does_not_sit(chair):
    given = room(None, "Ben", "Carla")

    assert decide(given, Kick(chair, by=B, agreed=(C,))) == Rejected(Reason.CHAIR_FREE)


def left_alone() -> Evening:
    """A game in which B's chair is free after B's call."""
    evening = Evening(RU_3, standings={"B": Standing(score=300)})
    evening.deals(B="9S 9H")
    evening.does("A bid 100", "B bid 105")
    evening.obeys(Kick(B, by=A, agreed=(C,)))
    return evening


def test_lobby_12_a_free_chair_in_a_running_game_is_for_those_the_table_vouches_for():
    evening = left_alone()

    assert decide(evening.room, TakeSeat("Nora", "n", B)) == Rejected(Reason.GAME_RUNNING)
    assert decide(evening.room, TakeSeat("Nora", "n", B, agreed=(A, C))) == (
        PlayerSeated(seat=B, name="Nora", key="n", agreed=(A, C)),
    )


def test_lobby_12_hand_and_standing_stay_with_the_chair():
    evening = left_alone()
    seen = evening.view("B")
    evening.obeys(TakeSeat("Nora", "n", B, agreed=(A,)))

    assert evening.view("B") == seen
    assert evening.standing("B").score == 300
    evening.does("C pass", "A pass", "B take")


def test_lobby_12_a_full_table_takes_nobody_whoever_vouches():
    full = Evening(RU_3).room

    assert decide(full, TakeSeat("Nora", "n", B, agreed=(A, C))) == Rejected(Reason.TABLE_FULL)


def test_lobby_12_who_had_the_chair_comes_back_with_the_name_from_before():
    evening = left_alone()
    evening.obeys(TakeSeat("Player 1", "1", B, agreed=(A, C)))

    assert evening.room.players[B] == Player("Player 1", "1")


def test_lobby_12_a_name_that_somebody_else_has_gets_a_number_then_too():
    evening = left_alone()
    evening.obeys(TakeSeat("Player 2", "n", B, agreed=(A, C)))

    assert evening.last[0] == PlayerSeated(seat=B, name="Player 2 2", key="n", agreed=(A, C))


def test_lobby_13_the_table_ends_a_game_with_the_standings_as_they_are():
    evening = left_alone()
    before = evening.game
    order = EndGame(by=A, agreed=(C,))

    assert decide(evening.room, order) == (GameEnded(by=A, agreed=(C,)),)
    ended = after(evening.room, order).phase
    assert ended == Over(game=before, winners=())
    assert ended.game.sheet == ()


def test_lobby_13_in_every_phase_and_between_deals():
    evening = Evening(RU_3)
    phases = [evening.room]
    evening.plays_from(A="AS KD QD", B="KS JD", C="QS 9D")
    phases.append(evening.room)
    evening.goes_on()
    phases.append(evening.room)

    for given in phases:
        assert isinstance(after(given, EndGame(by=A, agreed=())).phase, Over)


def test_lobby_13_a_game_that_does_not_run_is_not_ended():
    over = after(Evening(RU_3).room, EndGame(by=A, agreed=(B, C)))

    assert decide(over, EndGame(by=A, agreed=())) == Rejected(Reason.NO_GAME)
    assert decide(room("Anna"), EndGame(by=A, agreed=())) == Rejected(Reason.NO_GAME)


def test_lobby_13_afterwards_the_next_one_can_begin_with_its_number():
    over = after(Evening(RU_3).room, EndGame(by=A, agreed=(B, C)))
    for chair in (A, B, C):
        over = after(over, Act(chair, SetReady(ready=True)))
    again = decide(over, StartGame(C, at=1_796_061_600))

    assert not isinstance(again, Rejected)
    assert again[0] == GameStarted(
        number=2,
        profile=RU_3,
        dealer=C,
        by_lot=True,
        at=1_796_061_600,
        standings=(Standing(),) * 3,
    )


@pytest.mark.parametrize("words", [[], ["A bid 100"], ["A bid 100", "B pass", "C pass", "A take"]])
def test_void_4_the_table_may_agree_that_a_deal_is_void_in_any_phase(words):
    evening = Evening(RU_3, standings={"A": Standing(score=300)})
    evening.deals()
    evening.does(*words)
    before = evening.game
    evening.obeys(VoidDeal(by=B, agreed=(A, C)))

    assert evening.last == (DealVoided(reason="agreed", seat=B, cards=(), agreed=(A, C)),)
    assert evening.game == before
    assert evening.view("A").turn == before.dealer
    evening.obeys(DealCards(before.dealer, RU_3.pack.cards()))


def test_void_4_also_while_cards_fall_and_once_nothing_runs_no_longer():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS JD", C="QS 9D")
    evening.does("A play AS", "B play KS")
    evening.obeys(VoidDeal(by=B, agreed=(A, C)))

    assert evening.shows("A").voided == evening.last[0]
    assert decide(evening.room, VoidDeal(by=B, agreed=())) == Rejected(Reason.NO_DEAL)
    assert decide(room("Anna"), VoidDeal(by=A, agreed=())) == Rejected(Reason.NO_DEAL)
