import time

from engine.cards import Seat
from engine.commands import Act, ChooseProfile, DealCards, Pass, StartGame
from engine.profile import Setting
from engine.rejections import Reason, Rejected
from server.house import command_for
from server.profiles import load_profiles
from server.protocol import Deal, Start, UseProfile
from tests.support import DE_3, RU_3, Evening, with_rules

ROOM = Evening(RU_3).room


def asked(wish, *, anybody_deals: bool = False):
    return command_for(wish, Seat(1), ROOM, load_profiles(), anybody_deals=anybody_deals)


def test_the_house_shuffles_the_whole_pack_and_never_twice_the_same_way():
    decks = [asked(Deal(), anybody_deals=True) for _ in range(20)]

    assert all(isinstance(deal, DealCards) and deal.anybody and deal.seat == 1 for deal in decks)
    assert len({deal.deck for deal in decks}) == 20
    assert all(set(deal.deck) == set(RU_3.pack.cards()) for deal in decks)


def test_the_house_draws_the_first_dealer_among_the_chairs():
    drawn = [asked(Start()) for _ in range(200)]

    assert all(isinstance(start, StartGame) for start in drawn)
    assert {start.lot for start in drawn} == set(map(Seat, range(3)))


def test_the_house_says_when_a_game_began():
    before = int(time.time())

    began = asked(Start()).at

    assert before <= began <= time.time()


def test_the_house_looks_a_profile_up_and_sets_its_house_rules():
    command = asked(UseProfile(id="de-3", house_rules={"step": 10}))

    assert isinstance(command, ChooseProfile)
    assert command.profile.chosen == {"step": 10}
    assert command.profile == with_rules(DE_3, step=10)


def test_an_unknown_profile_or_house_rule_is_refused():
    assert asked(UseProfile(id="xx-3")) == Rejected(Reason.UNKNOWN_PROFILE)
    wrong: list[dict[str, Setting]] = [{"steps": 10}, {"step": 7}, {"tens": True}, {"bolts": "on"}]
    for chosen in wrong:
        answer = asked(UseProfile(id="de-3", house_rules=chosen))
        assert answer == Rejected(Reason.UNKNOWN_HOUSE_RULE)


def test_what_a_player_does_needs_nothing_from_the_house():
    assert asked(Pass()) == Act(Seat(1), Pass())
