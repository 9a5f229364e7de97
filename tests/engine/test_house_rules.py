import pytest

from engine.house_rules import UnknownHouseRule, with_house_rules
from engine.profile import SitterIncome
from tests.support import BIDDING_3, DE_4, NO_4, PL_3, PLAIN_3, RU_2, RU_3, with_rules


def test_a_profile_keeps_only_what_differs_from_it():
    changed = with_rules(RU_3, four_aces=True, step=5, barrel=880, bolts=False)

    assert changed.chosen == {"four_aces": True, "bolts": False}
    assert (changed.meld.four_aces, changed.bolts) == (200, None)


def test_setting_nothing_changes_nothing():
    assert with_house_rules(RU_3, {}) == RU_3


@pytest.mark.parametrize(
    ("profile", "chosen"),
    [
        (PL_3, {"bolts": True}),
        (RU_3, {"sitter": "dealer"}),
        (PLAIN_3, {"four_aces": True}),
        (RU_3, {"no_such_key": True}),
        (RU_3, {"step": 7}),
        (RU_3, {"bolts": 1}),
        (RU_3, {"step": True}),
    ],
)
def test_an_unknown_key_or_value_is_refused(profile, chosen):
    with pytest.raises(UnknownHouseRule):
        with_house_rules(profile, chosen)


@pytest.mark.parametrize(
    ("profile", "chosen", "path", "value"),
    [
        (RU_3, {"four_aces": True}, "meld.four_aces", 200),
        (RU_3, {"concession_half": True}, "concession.pays_half", True),
        (RU_3, {"reset_555": True}, "scoring.reset_at", 555),
        (RU_3, {"must_beat": True}, "play.must_beat", True),
        (RU_3, {"first_trick_marriage": True}, "meld.first_lead", True),
        (PL_3, {"first_trick_marriage": False}, "meld.first_lead", False),
        (RU_3, {"hidden_talon_at_100": True}, "exchange.hidden_at_opening", True),
        (RU_3, {"running_points": True}, "scoring.running_points", True),
        (RU_3, {"step": 10}, "auction.step", 10),
        (RU_3, {"rounding": 10}, "scoring.rounding", 10),
        (RU_3, {"barrel": 850}, "barrel.at", 850),
        (RU_3, {"barrel": 850}, "barrel.fall", 120),
        (RU_3, {"one_on_barrel": True}, "barrel.one_at_a_time", True),
        (RU_3, {"third_fall_zero": True}, "barrel.zero_after_falls", 3),
        (RU_3, {"redeal_weak_talon": True}, "redeal.weak_talon_below", 5),
        (RU_2, {"talon_points": "nobody"}, "exchange.unused_points", "nobody"),
        (DE_4, {"sitter": "opposite"}, "table.sitter", "opposite"),
        (DE_4, {"sitter_income": 50}, "sitter_income.per_ace", 50),
        (BIDDING_3, {"discard_clock": 60}, "exchange.discard_seconds", 60),
        (PLAIN_3, {"tens": True}, "scoring.tens", True),
        (PLAIN_3, {"tens": True}, "scoring.target", 100),
        (PLAIN_3, {"virgin": True}, "scoring.virgin", 100),
        (PLAIN_3, {"virgin": True, "tens": True}, "scoring.virgin", 10),
        (PLAIN_3, {"tens": True, "virgin": True}, "scoring.virgin", 10),
    ],
)
def test_each_key_changes_one_place_of_the_profile(profile, chosen, path, value):
    section, field = path.split(".")

    assert getattr(getattr(with_rules(profile, **chosen), section), field) == value


def test_a_sitter_without_income_has_no_section_for_it():
    assert with_rules(NO_4, sitter_income="none").sitter_income is None
    assert with_rules(NO_4, sitter_income=50).sitter_income == SitterIncome(per_ace=50)


def test_the_clock_for_laying_away_can_be_switched_off_again():
    ticking = with_rules(BIDDING_3, discard_clock=120)

    assert ticking.exchange is not None
    assert ticking.exchange.discard_seconds == 120
    silent = with_rules(ticking, discard_clock="off").exchange
    assert silent is not None
    assert silent.discard_seconds == 0
