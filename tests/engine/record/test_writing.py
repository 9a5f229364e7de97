from itertools import accumulate, pairwise

import pytest
from msgspec.structs import replace

from engine.commands import ForgetDiscard
from engine.events import GameStarted, ReadySet, Standing
from engine.history import Entry
from engine.record import NoSuchGame, play_record, read_record, write_record
from tests.engine.agreeing import Agreeing
from tests.engine.record.papers import PROFILES, assert_holds
from tests.engine.record.rooms import Logged, random_log, room_of
from tests.support import ALL_PROFILES, BIDDING_3, NO_4, RU_2, RU_3, A, with_rules

HANDS = {
    "A": "AS 10S KH QH AC 9D 9C",
    "B": "KS QS 9S 10H KC QC JD",
    "C": "JS AH JH 10C 10D KD QD",
}
CONCEDED = ("A bid 100", "B pass", "C pass", "A take", "A concede")


def conceded(profile=RU_3, **begin):
    game = Logged(profile, **begin)
    game.deals(**HANDS, talon="JC 9H AD")
    game.does(*CONCEDED)
    return game


def body(text):
    """The statements after the header."""
    return text.split("\n\n", 1)[1].split("\n")


def test_a_game_is_written_from_its_header_to_what_stands_on_the_sheet():
    game = conceded(with_rules(RU_3, four_aces=True), standings={"B": Standing(score=5)})

    assert (
        write_record(game.log, 1)
        == """\
prikup 1
profile ru-3@1
set four_aces on
seat A Player 0
seat B Player 1
seat C Player 2
dealer C
standing B 5

deal
  A AS 10S KH QH AC 9C 9D
  B KS QS 9S 10H KC QC JD
  C JS AH JH 10C 10D KD QD
  talon JC 9H AD
A bid 100
B pass
C pass
A take
A concede
= raw A 0 B 0 C 0
= scores A 0 B 65 C 60
= bolts A 0 B 0 C 0
= barrel A off B off C off
= concessions A 1 B 0 C 0
"""
    )


def test_only_counters_that_the_profile_has_are_claimed():
    def words(profile):
        lines = body(write_record(random_log(profile, 1, deals=1), 1))
        return {line.split()[1] for line in lines if line.startswith("= ")}

    everywhere = {"raw", "scores"}
    assert words(PROFILES["1001-3"]) == everywhere
    assert words(PROFILES["pl-3"]) == everywhere | {"concessions"}
    assert words(with_rules(RU_3, bolts=False)) == everywhere | {"concessions", "barrel"}
    assert words(with_rules(RU_3, third_fall_zero=True)) == (
        everywhere | {"concessions", "barrel", "bolts", "falls"}
    )


def test_a_sitter_has_no_hand():
    game = Logged(NO_4)
    game.deals()

    written = body(write_record(game.log, 1))

    assert [line.split()[0] for line in written if line] == ["deal", "A", "C", "D", "talon"]


def test_of_two_talons_each_is_told_and_the_chosen_one_named():
    game = Logged(RU_2, dealer="B")
    game.deals(talon=("JH 9H", "JC 9C"))
    game.does("A bid 100", "B pass", "A take 2")

    written = body(write_record(game.log, 1))

    assert written[3:5] == ["  talon 1 JH 9H", "  talon 2 JC 9C"]
    assert written[-2] == "A take 2"


def test_four_nines_are_an_act_and_the_deal_is_dealt_again():
    game = Logged(RU_3)
    game.deals(B="KS 9S 9H 9D 9C QC JS", talon="KC 10H AD")
    game.does("A bid 100", "B pass", "C pass", "A take", "A give KC B 10H C", "B nines")
    game.deals()

    written = write_record(game.log, 1)

    assert "B nines\n= raw A 0 B 0 C 0\n= scores A 0 B 0 C 0\n" in written
    assert written.count("\ndeal\n") == 2
    assert_holds(written)


def test_a_weak_talon_needs_no_act():
    game = Logged(with_rules(RU_3, redeal_weak_talon=True))
    game.deals(talon="JC 9H 9C")

    written = body(write_record(game.log, 1))

    assert written[4:6] == ["  talon JC 9H 9C", "= raw A 0 B 0 C 0"]


def test_a_forgotten_discard_is_told_of_the_declarer():
    game = Logged(BIDDING_3)
    game.deals()
    game.does("A bid 10", "B pass", "C pass", "A take")
    game.obeys(ForgetDiscard())

    written = write_record(game.log, 1)

    assert "A take\nA forgets\n= raw A 0 B 0 C 0\n= scores A -120 B 60 C 60\n" in written
    assert_holds(written)


def test_where_the_bid_is_the_contract_none_is_set():
    game = Logged(BIDDING_3)
    game.deals()
    game.declares("A", 10)
    game.does("A take")
    game.does("A discard AS 10S")

    assert "contract" not in write_record(game.log, 1)


def test_who_has_won_is_claimed_at_the_end():
    game = conceded(
        with_rules(PROFILES["pl-3"], concession_half=True),
        standings={"B": Standing(score=899), "C": Standing(score=899)},
    )
    assert "winner" not in write_record(game.log, 1)

    won = Logged(
        with_rules(PROFILES["pl-3"], concession_half=True),
        standings={"B": Standing(score=890), "C": Standing(score=890)},
    )
    won.deals(**HANDS, talon="JC 9H AD")
    won.does("A bid 220", "B pass", "C pass", "A take", "A concede")

    assert body(write_record(won.log, 1))[-2] == "= winner B C"


def test_what_happens_at_the_table_before_and_afterwards_is_left_out():
    game = random_log(RU_3, 3)
    (opened, *rest) = game
    ready = Entry(seq=0, facts=(ReadySet(seat=A, ready=False),))
    before = [Entry(seq=0, facts=(fact,)) for fact in opened.facts]

    assert write_record([*before[:-1], ready, before[-1], *rest, ready], 1) == write_record(game, 1)


def test_each_game_of_a_room_can_be_written():
    first, second = random_log(RU_3, 3), conceded().log
    started = next(fact for fact in second[0].facts if isinstance(fact, GameStarted))
    both = [*first, Entry(seq=0, facts=(replace(started, number=2),)), *second[1:]]

    assert write_record(both, 1) == write_record(first, 1)
    assert write_record(both, 2) == write_record(second, 1)


def test_what_was_taken_back_is_not_in_a_record():
    evening = Agreeing(RU_3)
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does("A bid 120", "B pass")
    evening.takes_back("A")
    evening.does(*CONCEDED)

    assert write_record(evening.log, 1) == write_record(conceded().log, 1)


def test_a_deal_that_was_void_by_agreement_is_not_in_a_record():
    evening = Agreeing(RU_3)
    evening.deals()
    evening.does("A bid 120", "B pass")
    evening.voids("C")
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does(*CONCEDED)

    assert write_record(evening.log, 1) == write_record(conceded().log, 1)


def test_chairs_that_change_hands_are_not_in_a_record_and_the_first_names_stay():
    evening = Agreeing(RU_3)
    evening.kicks("B")
    evening.deals()
    evening.lets_in("B", "Nora", "n")
    evening.voids("A")
    evening.kicks("B")
    evening.lets_in("B", "Emil", "e")
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does(*CONCEDED)

    assert write_record(evening.log, 1) == write_record(conceded().log, 1)


def test_a_record_ends_with_the_last_finished_deal_before_the_table_ended_the_game():
    evening = Agreeing(RU_3)
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does(*CONCEDED)
    between = write_record(evening.log, 1)
    evening.deals()
    evening.does("B bid 100")
    evening.kicks("C")
    evening.lets_in("C", "Nora", "n")
    running = write_record(evening.log, 1)
    evening.ends("C")

    assert running.endswith("\nB bid 100\n")
    assert write_record(evening.log, 1) == between
    assert write_record(conceded().log, 1) == between


def test_a_game_that_was_ended_between_deals_keeps_them_all_and_another_can_follow():
    evening = Agreeing(RU_3)
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does(*CONCEDED)
    evening.ends("C")
    evening.starts()
    evening.deals(**HANDS, talon="JC 9H AD")

    assert write_record(evening.log, 1) == write_record(conceded().log, 1)
    assert write_record(evening.log, 2).endswith("\n  talon JC 9H AD\n")


def test_a_game_that_was_opened_again_is_told_as_if_it_had_never_ended():
    evening = Agreeing(RU_3)
    evening.deals(**HANDS, talon="JC 9H AD")
    evening.does(*CONCEDED[:2])
    evening.ends("C")
    evening.reopens("A")
    evening.does(*CONCEDED[2:])

    assert write_record(evening.log, 1) == write_record(conceded().log, 1)


@pytest.mark.parametrize("game", [0, 2])
def test_a_game_that_has_not_begun_cannot_be_written(game):
    with pytest.raises(NoSuchGame):
        write_record(conceded().log, game)


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_wherever_a_log_is_cut_the_record_goes_as_far(profile):
    log = random_log(profile, 7, deals=1)
    texts = [write_record(log[:length], 1) for length in range(1, len(log) + 1)]

    assert all(longer.startswith(shorter) for shorter, longer in pairwise(texts))
    for text, room in zip(texts, accumulate([[entry] for entry in log]), strict=True):
        played = play_record(read_record(text, PROFILES))
        assert played.failure is None
        assert type(played.room.phase) is type(room_of(room).phase)
