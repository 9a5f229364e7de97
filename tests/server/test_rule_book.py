import pytest

from engine.profile import Profile
from server.profiles import load_profiles
from server.rule_book import SHARES, rule_book

PROFILES = tuple(load_profiles().values())


def named(profile: Profile) -> str:
    return profile.id


@pytest.mark.parametrize("profile", PROFILES, ids=named)
def test_the_cards_of_a_book_are_the_pack_from_high_to_low(profile: Profile):
    book = rule_book(profile)

    assert book.total == 120
    assert [one.rank.strength for one in book.ranks] == sorted(
        (one.rank.strength for one in book.ranks), reverse=True
    )
    assert {one.rank for one in book.ranks} == {card.rank for card in profile.pack.cards()}


@pytest.mark.parametrize("players", SHARES)
def test_an_imagined_deal_shares_out_the_whole_pack(players: int):
    assert (len(SHARES[players]), sum(SHARES[players])) == (players, 120)


@pytest.mark.parametrize("profile", PROFILES, ids=named)
def test_a_worked_contract_can_be_called_is_made_and_the_next_ten_is_missed(profile: Profile):
    example = rule_book(profile).example
    declarer = example.shares[0]

    assert len(example.shares) == profile.active
    if profile.auction is None:
        assert (example.contract, example.missed) == (None, None)
    else:
        assert example.contract is not None
        assert example.missed is not None
        assert example.contract % profile.auction.step == 0
        assert profile.auction.opening <= example.contract <= declarer.raw < example.missed


def test_the_worked_score_of_de_3_is_that_of_its_source():
    """S0: 74 and the diamonds are 154 for 150; 32 are written 30."""
    example = rule_book(load_profiles()["de-3"]).example

    assert (example.meld, example.contract) == (80, 150)
    assert [(one.raw, one.written) for one in example.shares] == [(154, 150), (32, 30), (14, 15)]
