import pytest
from msgspec.structs import replace

from engine.cards import Card
from engine.dealing import deal_out, next_dealer, order_of, sitter_of
from engine.profile import Table
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    BIDDING_4,
    DE_4,
    LETTERS,
    NO_3,
    NO_4,
    PLAIN_3,
    RU_2,
    RU_3,
    RU_4,
    seat,
    with_rules,
)


def order(profile, dealer):
    return "".join(LETTERS[one] for one in order_of(profile, seat(dealer)))


def dealt(profile, dealer="C"):
    return deal_out(profile, seat(dealer), profile.pack.cards())


@pytest.mark.parametrize(
    ("profile", "orders"),
    [
        (RU_3, ["BCA", "CAB", "ABC"]),
        (NO_3, ["BAC", "CBA", "ACB"]),
        (RU_2, ["BA", "AB"]),
        (BIDDING_4, ["BCDA", "CDAB", "DABC", "ABCD"]),
    ],
)
def test_table_2_the_cards_run_in_the_direction_of_the_profile(profile, orders):
    letters = LETTERS[: profile.table.players]

    assert [order(profile, dealer) for dealer in letters] == orders


@pytest.mark.parametrize(
    ("profile", "dealers"), [(RU_3, "BCA"), (NO_3, "CAB"), (RU_4, "BCDA"), (NO_4, "DABC")]
)
def test_table_3_the_deal_moves_one_seat_in_the_direction_of_play(profile, dealers):
    letters = LETTERS[: profile.table.players]

    assert [LETTERS[next_dealer(profile, seat(one))] for one in letters] == [*dealers]


@pytest.mark.parametrize(
    ("profile", "sitters"),
    [
        (RU_4, "DABC"),
        (DE_4, "ABCD"),
        (NO_4, "DABC"),
        (with_rules(DE_4, sitter="right"), "DABC"),
        (with_rules(NO_4, sitter="opposite"), "CDAB"),
    ],
)
def test_table_4_the_dealer_the_right_neighbour_or_the_one_opposite_sits_out(profile, sitters):
    assert [sitter_of(profile, seat(dealer)) for dealer in "ABCD"] == list(map(seat, sitters))


def test_table_4_nobody_sits_out_where_everybody_gets_cards():
    assert sitter_of(RU_3, seat("A")) is None
    assert sitter_of(BIDDING_4, seat("A")) is None


@pytest.mark.parametrize(
    ("profile", "dealer", "expected"),
    [
        (RU_4, "A", "BCA"),  # D, right of the dealer, sits out
        (DE_4, "A", "BCD"),
        (NO_4, "A", "BAC"),
        (with_rules(NO_4, sitter="opposite"), "A", "BAD"),
        (with_rules(RU_4, sitter="opposite"), "B", "CAB"),
    ],
)
def test_table_5_forehand_is_left_of_the_dealer_and_the_order_skips_the_sitter(
    profile, dealer, expected
):
    assert order(profile, dealer) == expected


@pytest.mark.parametrize("sitter", ["dealer", "right", "opposite"])
@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_table_5_forehand_never_sits_out(sitter, direction):
    profile = replace(RU_4, table=Table(players=4, direction=direction, sitter=sitter))

    assert [order(profile, dealer)[0] for dealer in "ABCD"] == [*"BCDA"]


def test_deal_1_cards_go_out_one_at_a_time_beginning_with_forehand():
    pack, fact = RU_3.pack.cards(), dealt(RU_3)

    assert fact.order == (0, 1, 2)
    # Three cards and one for the talon in each of the first three rounds, then three a round.
    assert fact.hands[0] == tuple(pack[at] for at in (0, 4, 8, 12, 15, 18, 21))
    assert fact.hands[2] == tuple(pack[at] for at in (2, 6, 10, 14, 17, 20, 23))


def test_deal_1_packets_of_three_three_and_two():
    pack, fact = PLAIN_3.pack.cards(), dealt(PLAIN_3)

    assert fact.hands[1] == pack[3:6] + pack[12:15] + pack[20:22]
    assert fact.talons == ()


def test_deal_2_one_talon_card_after_each_of_the_first_three_rounds():
    pack, fact = RU_3.pack.cards(), dealt(RU_3)

    assert fact.talons == ((pack[3], pack[7], pack[11]),)


def test_deal_2_two_talons_are_filled_in_turn():
    pack, fact = RU_2.pack.cards(), dealt(RU_2, "B")

    assert fact.talons == ((pack[2], pack[8]), (pack[5], pack[11]))


def test_deal_2_the_skat_follows_the_first_round():
    for profile, first_round in ((BIDDING_3, 9), (BIDDING_4, 12)):
        pack = profile.pack.cards()

        assert dealt(profile).talons == (pack[first_round : first_round + 2],)


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_deal_1_every_card_goes_somewhere_once_and_the_sitter_gets_none(profile):
    for dealer in range(profile.table.players):
        fact = dealt(profile, LETTERS[dealer])
        everywhere = [card for pile in (*fact.hands, *fact.talons) for card in pile]

        assert sorted(everywhere, key=lambda card: card.value) == sorted(
            profile.pack.cards(), key=lambda card: card.value
        )
        hands = {len(fact.hands[index]) for index in fact.order}
        assert hands == {sum(profile.dealing.packets)}
        if fact.sitter is not None:
            assert fact.hands[fact.sitter] == ()


def test_deal_4_the_fact_keeps_the_order_of_the_pack():
    backwards: tuple[Card, ...] = RU_3.pack.cards()[::-1]

    assert deal_out(RU_3, seat("C"), backwards).deck == backwards
