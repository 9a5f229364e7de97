from engine.cards import Card, Rank, Suit, pairs_in, points_of, sorted_hand
from engine.profile import Pack
from tests.support import ALL_PROFILES, cards


def test_pack_1_the_ten_stands_above_the_king_and_eight_and_seven_below_the_nine():
    from_high_to_low = sorted(Rank, key=lambda rank: -rank.strength)

    assert [rank.value for rank in from_high_to_low] == [*"ATKQJ987"]


def test_pack_1_points_are_11_10_4_3_2_and_nothing():
    assert [rank.points for rank in Rank] == [11, 10, 4, 3, 2, 0, 0, 0]


def test_pack_1_every_profile_plays_for_120_points():
    assert {points_of(profile.pack.cards()) for profile in ALL_PROFILES} == {120}


def test_pack_1_a_card_is_named_by_suit_and_rank_and_knows_both():
    assert [(card.suit.value + card.rank.value) for card in Card] == [card.value for card in Card]
    assert all(card.strength == card.rank.strength for card in Card)
    assert len(Card) == 32


def test_pack_2_the_pack_goes_down_to_the_lowest_rank_without_the_cards_left_out():
    short = Pack().cards()
    long = Pack(lowest=Rank.SEVEN, without=(Card.H7, Card.D7)).cards()

    assert len(set(short)) == 24
    assert {card.rank for card in short} == set(Rank) - {Rank.EIGHT, Rank.SEVEN}
    assert set(long) == set(Card) - {Card.H7, Card.D7}


def test_pairs_are_king_and_queen_of_one_suit():
    assert pairs_in(cards("KH QS KD QD AD 10C QC KS")) == (Suit.SPADES, Suit.DIAMONDS)


def test_a_hand_lies_by_suits_in_alternating_colours_from_high_to_low():
    dealt = cards("9H KS 10H AD AS KC QC")

    assert sorted_hand(dealt) == cards("AS KS 10H 9H KC QC AD")
    assert sorted_hand(cards("9H 9D 9C")) == cards("9H 9C 9D")


def test_how_a_hand_lies_does_not_tell_in_which_order_it_was_dealt():
    dealt = cards("9H KS 10H AD AS KC QC")

    assert sorted_hand(dealt[::-1]) == sorted_hand(dealt)
