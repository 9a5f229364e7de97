import tomllib

import msgspec
import pytest
from msgspec.structs import replace

from engine import profile as rules
from engine.cards import Card
from engine.house_rules import HOUSE_RULES
from engine.profile import Profile
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    DE_3,
    DE_4,
    PL_3,
    PLAIN_3,
    RU_2,
    RU_3,
    SEEDS,
    read_profile,
    with_rules,
)

FILES = sorted((SEEDS / "profiles").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_profile_file_is_a_profile_of_its_own_name_that_offers_known_house_rules(file):
    profile = read_profile(file.stem)

    assert profile.id == file.stem
    assert set(profile.house_rules) <= set(HOUSE_RULES)
    assert profile.chosen == {}


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_every_house_rule_that_a_profile_offers_can_be_set_to_each_of_its_values(profile):
    for key in profile.house_rules:
        for value in HOUSE_RULES[key].values:
            changed = with_rules(profile, **{key: value})

            assert HOUSE_RULES[key].read(changed) == value


def test_a_misspelt_key_is_refused_with_its_path():
    wrong = msgspec.to_builtins(RU_3)
    wrong["play"]["must_trumpp"] = True

    with pytest.raises(msgspec.ValidationError, match=r"must_trumpp.*\$.play"):
        msgspec.convert(wrong, Profile)


def test_a_profile_written_as_toml_reads_as_the_same_profile():
    text = (SEEDS / "profiles" / "ru-3.toml").read_text("utf-8")

    assert msgspec.convert(tomllib.loads(text), Profile) == RU_3
    assert msgspec.json.decode(msgspec.json.encode(RU_3), type=Profile) == RU_3


@pytest.mark.parametrize(
    ("profile", "change", "path"),
    [
        (RU_3, {"dealing": rules.Dealing(packets=(8,), talon_after=(3,))}, "dealing.packets"),
        (RU_3, {"dealing": rules.Dealing(packets=(7,), talon_after=(2, 1))}, "dealing.talon_after"),
        (
            RU_2,
            {
                "pack": rules.Pack(without=(Card.H9,)),
                "dealing": rules.Dealing(packets=(10,), talon_after=(3,), talons=2),
            },
            "dealing.talons",
        ),
        (RU_2, {"table": rules.Table(players=3, sitter="dealer")}, "table.sitter"),
        (RU_3, {"exchange": None}, "dealing.talon_after"),
        (PLAIN_3, {"exchange": rules.Exchange()}, "dealing.talon_after"),
        (RU_3, {"auction": None, "concession": None, "redeal": None, "bolts": None}, "exchange"),
        (BIDDING_3, {"exchange": rules.Exchange()}, "exchange.then"),
        (
            RU_2,
            {
                "exchange": rules.Exchange(),
                "pack": rules.Pack(without=(Card.H9, Card.D9)),
                "dealing": rules.Dealing(packets=(10,), talon_after=(2,), talons=2),
            },
            "dealing.talons",
        ),
        (RU_3, {"exchange": rules.Exchange(discard_seconds=60)}, "exchange.discard_seconds"),
        (RU_2, {"redeal": rules.Redeal(weak_talon_below=5)}, "redeal.weak_talon_below"),
        (PL_3, {"auction": rules.Auction(opening=105, step=10)}, "auction.opening"),
        (RU_3, {"auction": rules.Auction(opening=500, step=5)}, "auction.opening"),
        (
            RU_3,
            {"auction": rules.Auction(opening=130, step=5, free_up_to=120)},
            "auction.free_up_to",
        ),
        (
            RU_3,
            {"auction": rules.Auction(opening=100, step=5, ceiling_by_pairs=True)},
            "auction.ceiling_by_pairs",
        ),
        (PLAIN_3, {"concession": rules.Concession()}, "concession"),
        (PLAIN_3, {"redeal": rules.Redeal()}, "redeal"),
        (PLAIN_3, {"bolts": rules.Bolts()}, "bolts"),
        (RU_3, {"sitter_income": rules.SitterIncome(per_ace=40)}, "sitter_income"),
        (RU_3, {"lock": rules.Lock()}, "lock"),
        (RU_3, {"barrel": rules.Barrel(at=1000)}, "barrel.at"),
        (RU_3, {"barrel": rules.Barrel(at=100)}, "barrel.at"),
        (PL_3, {"lock": rules.Lock(at=1000)}, "lock.at"),
        (PLAIN_3, {"chosen": {"bolts": True}}, "chosen"),
    ],
)
def test_values_that_contradict_each_other_are_refused_with_the_path_of_the_wrong_one(
    profile, change, path
):
    with pytest.raises(ValueError, match=f"^{path}: "):
        replace(profile, **change)


def test_a_profile_says_how_many_get_cards():
    assert (RU_3.active, DE_4.active, RU_2.active, DE_3.active) == (3, 3, 2, 3)
