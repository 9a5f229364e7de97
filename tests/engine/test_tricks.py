import pytest

from engine.cards import Seat, Suit
from engine.choices import BarredCard
from engine.events import AcesMelded, CardPlayed, MarriageMelded, PlayedCard, Standing, TrickTaken
from engine.rejections import Reason
from engine.tricks import MeldOpen, best_of
from tests.support import (
    BIDDING_3,
    BIDDING_4,
    DE_3,
    NO_3,
    PL_3,
    PLAIN_3,
    PLAIN_4,
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


def playing(profile=RU_3, **how) -> Evening:
    """A has won the auction and leads to the first trick; C dealt."""
    evening = Evening(profile, dealer="D" if profile.table.players == 4 else "C")
    evening.plays_from(**how)
    return evening


def with_trump(profile=RU_3, **more) -> Evening:
    """Diamonds are trump: A has melded, B and C have followed, and A leads again."""
    hands = {
        "A": "AS KD QD AD 9S JC 9C 10H",
        "B": "KS JD 10S QH JH QC 10C 9H",
        "C": "QS 9D 10D JS KH AH AC KC",
    }
    evening = playing(profile, **{**hands, **more})
    evening.does("A play AS", "B play KS", "C play QS", "A meld QD", "B play JD", "C play 9D")
    return evening


def test_play_1_the_declarer_leads_and_then_whoever_took_the_trick():
    evening = playing(declarer="B", A="AS 10S", B="KS QS", C="9S JS")
    assert evening.view("B").turn == 1
    assert evening.refuses("A play AS") == "not-your-turn"
    evening.does("B play KS", "C play 9S", "A play AS")

    assert evening.last == (
        CardPlayed(seat=A, card=card("AS"), next=None),
        TrickTaken(seat=A, points=15),
    )
    assert evening.view("A").turn == 0


def test_play_1_forehand_leads_where_nobody_declares():
    evening = Evening(PLAIN_3, dealer="A")
    evening.deals()

    assert evening.view("B").turn == 1


def test_play_1_in_1001_with_bidding_the_declarer_leads():
    assert playing(BIDDING_3, declarer="C", contract=20, laid="7S 8S").view("C").turn == 2


def test_play_1_only_a_card_of_the_own_hand_is_played():
    evening = playing(A="AS 10S", B="KS QS", C="9S JS")

    assert evening.refuses("A play KS") == "not-in-hand"
    evening.does("A play AS")
    assert evening.refuses("A play AS") == "not-your-turn"
    assert evening.refuses("B play AS") == "not-in-hand"


def test_play_1_the_cards_fall_in_the_direction_of_play_and_skip_the_sitter():
    no = playing(NO_3, A="AS", B="KS", C="QS")
    no.does("A play AS", "C play QS", "B play KS")
    four = Evening(RU_4, dealer="A")
    four.plays_from(declarer="C", A="AS", B="KS", C="QS")
    four.does("C play QS", "A play AS", "B play KS")

    assert no.play.last_trick is not None
    assert [played.seat for played in no.play.last_trick.cards] == [0, 2, 1]
    assert four.play.turn == 0


def test_play_2_the_led_suit_must_be_followed():
    evening = playing(A="AS", B="KS 9S AH AD", C="QS")
    evening.does("A play AS")

    assert evening.refuses("B play AH") == "must-follow-suit"
    assert set(evening.may("B").play) >= set(cards("KS 9S"))
    assert BarredCard(card("AH"), Reason.MUST_FOLLOW_SUIT) in evening.may("B").barred
    evening.does("B play 9S")


def test_play_2_the_trump_suit_is_no_way_out():
    evening = with_trump()
    evening.does("A play 9S")

    assert evening.refuses("B play QH") == "must-follow-suit"
    evening.does("B play 10S")
    assert evening.refuses("C play 10D") == "must-follow-suit"


def test_play_3_who_cannot_follow_must_trump_with_any_trump():
    evening = with_trump(B="KS JD 10S QC 10C AC KC 9H", C="QS 9D 10D JS KH AH QH JH")
    evening.does("A play JC", "B play QC")

    assert evening.refuses("C play KH") == "must-trump"
    assert evening.may("C").play == (card("10D"),)
    assert BarredCard(card("KH"), Reason.MUST_TRUMP) in evening.may("C").barred
    evening.does("C play 10D")
    assert evening.last[-1] == TrickTaken(seat=C, points=15)


def test_play_3_without_a_trump_suit_any_card_goes():
    evening = playing(A="AS", B="AH 9H AD 9D AC 9C KH KD", C="QS")
    evening.does("A play AS")

    assert len(evening.may("B").play) == 8


def test_play_3_without_a_trump_in_the_hand_any_card_goes():
    evening = with_trump(B="KS JD 10S QC 10C AC KC 9H", C="QS 9D 10D JS KH AH QH JH")
    evening.does("A play 10H", "B play 9H", "C play KH", "A play JC", "B play QC", "C play 10D")
    evening.does("C play AH", "A play KD")

    assert set(evening.may("B").play) == set(cards("10S 10C AC KC"))


def test_play_3_1001_knows_no_duty_to_trump_and_a_trump_still_beats():
    evening = playing(
        PLAIN_3,
        A="KD QD AS 9H JC JH 10H AH",
        B="AD JD KS QS JS 10S KH QH",
        C="10D 9D 9S AC KC QC 10C 9C",
    )
    evening.does("A meld KD", "B play AD", "C play 9D", "B play KS", "C play 9S", "A play AS")
    evening.does("A play JH", "B play KH")
    assert len(evening.may("C").play) == 6
    evening.does("C play 10D")

    assert evening.last[-1] == TrickTaken(seat=C, points=16)


def beating(**hands) -> Evening:
    return playing(with_rules(RU_3, must_beat=True), **hands)


def over_trumping(profile) -> Evening:
    """Diamonds are trump, C leads clubs, A has trumped with the queen, and B may go over it."""
    evening = playing(
        profile,
        A="AC 9S KD QD AH 10H KH QH",
        B="9C JS AD 10D 9D JH 9H KS",
        C="JC JD 10S KC QC 10C AS",
    )
    evening.does("A play AC", "B play 9C", "C play JC", "A meld KD", "B play 10D", "C play JD")
    evening.does("B play JS", "C play 10S", "A play 9S", "C play KC", "A play QD")
    return evening


def test_play_4_there_is_no_duty_to_beat_or_to_over_trump():
    evening = playing(A="QS", B="AS 9S", C="10S JS")
    evening.does("A play QS", "B play 9S", "C play JS")

    assert set(over_trumping(RU_3).may("B").play) == set(cards("9D AD"))


def test_play_4_house_rule_a_trump_goes_over_the_one_that_lies():
    evening = over_trumping(with_rules(RU_3, must_beat=True))

    assert evening.may("B").play == (card("AD"),)
    assert BarredCard(card("9D"), Reason.MUST_BEAT) in evening.may("B").barred


def test_play_4_house_rule_following_suit_a_higher_card_must_be_laid_if_held():
    evening = beating(A="KS", B="10S 9S QS", C="AS JS")
    evening.does("A play KS")

    assert evening.refuses("B play 9S") == "must-beat"
    assert set(evening.may("B").play) >= {card("10S")}
    assert card("QS") not in evening.may("B").play
    evening.does("B play 10S")
    assert evening.refuses("C play JS") == "must-beat"


def test_play_4_who_cannot_beat_follows_with_any_card():
    evening = beating(A="AS", B="10S 9S", C="JS")
    evening.does("A play AS")

    assert set(evening.may("B").play) == set(cards("10S 9S"))


def test_play_4_the_best_card_of_the_trick_is_what_must_be_beaten():
    evening = beating(A="9S", B="AS", C="10S QS")
    evening.does("A play 9S", "B play AS")

    assert set(evening.may("C").play) == set(cards("10S QS"))


def trumping(b: str, c: str) -> Evening:
    """Diamonds are trump, one must beat, and A leads clubs."""
    evening = playing(with_rules(RU_3, must_beat=True), A="AS KD QD AD 9S JC 9C 10H", B=b, C=c)
    evening.does("A play AS", "B play KS", "C play QS", "A meld KD")
    return evening


def test_play_4_following_to_a_trumped_trick_needs_no_higher_card():
    evening = trumping("KS JD 10D KH AH QH JH 9H", "QS 9D AC KC QC 10C JS 10S")
    evening.does("B play 10D", "C play 9D")
    evening.does("B play AH", "C play JS", "A play 10H", "B play KH", "C play QC", "A play QD")
    evening.does("A play JC", "B play JD")

    assert set(evening.may("C").play) == set(cards("AC KC 10C"))


def test_play_4_who_cannot_go_over_must_trump_all_the_same():
    evening = trumping_hearts(B="10H 9S JS 9H KD QD KH QH", C="JH AS 10S AD 10D AC KC QC")
    evening.does("B play JS", "C play 10S", "C play AD", "A play JD", "B play KD")
    evening.does("C play 10D", "A play 9D", "B play QD", "C play KC", "A play 10C", "B play 9S")
    assert evening.last[-1] == TrickTaken(seat=B, points=14)
    evening.does("B play 10H")

    assert evening.refuses("C play AC") == "must-trump"
    evening.does("C play AS")
    assert evening.refuses("A play 9C") == "must-trump"
    assert evening.may("A").play == (card("KS"),)
    evening.does("A play KS")
    assert evening.last[-1] == TrickTaken(seat=C, points=25)


def trumping_hearts(**hands: str) -> Evening:
    """Spades are trump after A's meld, and one must beat."""
    evening = playing(with_rules(RU_3, must_beat=True), A="AH KS QS 9C JC 9D JD 10C", **hands)
    evening.does("A play AH", "B play KH", "C play JH", "A meld QS")
    return evening


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("KS 10S AS", None, 2),
        ("KS 10S QS", None, 1),
        ("9S AH AD", None, 0),
        ("AS 9H AD", "H", 1),
        ("AS 9H JH", "H", 2),
        ("AS JH 9H", "H", 1),
        ("9H KH 10H", "H", 2),
        ("QH AS 10S", "C", 0),
    ],
)
def test_play_5_the_highest_trump_takes_the_trick_else_the_highest_of_the_led_suit(
    trick, trump, winner
):
    laid = tuple(PlayedCard(Seat(index), one) for index, one in enumerate(cards(trick)))

    assert best_of(laid, Suit(trump) if trump else None).seat == winner


def test_play_6_taken_points_are_shown_to_their_owner_alone():
    evening = with_trump()

    def seen(letter):
        return [seat.points for seat in evening.view(letter).seats]

    assert seen("A") == [18 + 5, None, None]
    assert seen("B") == [None, 0, None]
    assert seen(None) == [None] * 3


def test_play_6_house_rule_everybody_sees_everybodys():
    evening = with_trump(with_rules(RU_3, running_points=True))

    for viewer in ("A", "B", "C", None):
        assert [seat.points for seat in evening.view(viewer).seats] == [23, 0, 0]


# Melds.


def on_lead(profile=RU_3, **more) -> Evening:
    """A has taken the first trick and leads."""
    hands = {"A": "AS KD QD KS QS 9H JH 9C", "B": "10S", "C": "9S"}
    evening = playing(profile, **{**hands, **more})
    evening.does("A play AS", "B play 10S", "C play 9S")
    return evening


@pytest.mark.parametrize("half", ["KD", "QD"])
def test_meld_1_king_or_queen_of_a_held_pair_is_led_and_the_points_count_at_once(half):
    evening = on_lead()

    assert evening.may("A").melds == (
        MeldOpen(Suit.SPADES, 40, cards("KS QS")),
        MeldOpen(Suit.DIAMONDS, 80, cards("KD QD")),
    )
    evening.does(f"A meld {half}")
    assert evening.last == (
        MarriageMelded(seat=A, suit=Suit.DIAMONDS, points=80),
        CardPlayed(seat=A, card=card(half), next=B),
    )
    assert evening.play.trick == (PlayedCard(A, card(half)),)


@pytest.mark.parametrize(
    ("profile", "worth"),
    [(RU_3, [40, 100, 80, 60]), (BIDDING_3, [80, 60, 40, 100]), (PLAIN_3, [80, 60, 40, 100])],
    ids=["auction games", "1001 with bidding", "1001"],
)
def test_meld_1_every_suit_has_its_worth(profile, worth):
    assert [profile.meld.worth(suit) for suit in Suit] == worth


def test_meld_1_the_pair_must_be_held_whole():
    evening = on_lead(A="AS KD JD KS QS 9H JH 9C", B="10S QD")

    assert evening.refuses("A meld KD") == "no-marriage"
    assert evening.refuses("A meld QD") == "not-in-hand"
    assert evening.refuses("A meld JD") == "no-marriage"
    assert evening.refuses("A meld JH") == "no-marriage"


def test_meld_1_no_other_card_of_the_suit_will_do():
    evening = on_lead(A="AS KD QD AD JD 9H JH 9C", B="10S KS", C="9S QS")

    assert evening.refuses("A meld AD") == "no-marriage"
    assert evening.refuses("A meld JD") == "no-marriage"


def test_meld_1_only_a_leader_melds():
    evening = on_lead(B="10S KH QH", C="9S AH")
    assert evening.refuses("B meld KH") == "not-your-turn"
    evening.does("A play 9H")

    assert evening.refuses("B meld KH") == "meld-not-now"
    assert evening.may("B").melds == ()


def test_meld_1_the_two_last_cards_are_enough():
    evening = playing(A="AS AH AD AC 10H 10D KC QC", B="9S", C="JS")
    for lead in ("AS", "AH", "AD", "AC", "10H", "10D"):
        evening.does(f"A play {lead}")
        evening.throws("B", "C")

    assert [meld.cards for meld in evening.may("A").melds] == [cards("KC QC")]
    evening.does("A meld KC")


def test_meld_1_points_stand_whoever_takes_the_trick():
    evening = on_lead(B="10S AD 9D", C="9S 10D")
    evening.does("A meld KD", "B play AD", "C play 10D")
    evening.goes_on()

    assert evening.line("A").melds == 80


def test_meld_2_the_suit_is_trump_in_this_very_trick():
    evening = on_lead(
        DE_3,
        A="AS KD QD KS QS 9H JH JC",
        B="10S 9C KC QC AH KH QH 10H",
        C="9S JS AD 10D 9D JD AC 10C",
    )
    evening.does("A meld QD")

    assert evening.play.trump is Suit.DIAMONDS
    assert evening.shows("B").trump is Suit.DIAMONDS
    assert card("9C") in evening.may("B").play  # a player without diamonds may throw anything


def test_meld_2_a_later_meld_changes_the_trump():
    evening = on_lead(B="10S JD KH QH AH 10H", C="9S 9D")
    evening.does("A meld KD", "B play JD", "C play 9D", "A meld KS")
    assert evening.play.trump is Suit.SPADES

    assert [made.suit for made in evening.play.melds] == [Suit.DIAMONDS, Suit.SPADES]


def test_meld_2_anybody_may_change_it():
    evening = on_lead(B="10S AD KH QH AH 10H", C="9S 9D")
    evening.does("A meld KD", "B play AD", "C play 9D", "B meld KH")

    assert evening.play.trump is Suit.HEARTS


@pytest.mark.parametrize("profile", [RU_3, DE_3, NO_3])
def test_meld_3_the_very_first_lead_is_no_meld(profile):
    evening = playing(profile, A="AS KD QD", B="9S", C="9D")

    assert evening.refuses("A meld KD") == "meld-not-now"
    assert evening.may("A").melds == ()


@pytest.mark.parametrize(
    "profile",
    [PL_3, PLAIN_3, PLAIN_4, with_rules(RU_3, first_trick_marriage=True)],
    ids=["pl", "1001-3", "1001-4", "house rule"],
)
def test_meld_3_polish_tables_and_1001_meld_on_it(profile):
    evening = playing(profile, A="AS KD QD", B="9S", C="9D")

    evening.does("A meld QD")
    assert evening.play.trump is Suit.DIAMONDS


@pytest.mark.parametrize("profile", [BIDDING_3, BIDDING_4])
def test_meld_3_the_declarer_of_1001_too(profile):
    evening = playing(profile, contract=20, A="KD QD", laid="9S 9H")

    evening.does("A meld KD")


ACES = {"A": "AS AH AD AC 10S KD QD 9C", "B": "9S", "C": "JS"}


def test_meld_4_house_rule_four_aces_are_announced_for_200_by_leading_one():
    evening = with_aces(with_rules(RU_3, four_aces=True))

    assert MeldOpen(None, 200, cards("AS AH AD AC")) in evening.may("A").melds
    evening.does("A meld AH")
    assert evening.last == (
        AcesMelded(seat=A, points=200),
        CardPlayed(seat=A, card=card("AH"), next=B),
    )
    assert evening.play.trump is None


def with_aces(profile) -> Evening:
    """A holds all four aces still and leads after a trick that the ten has taken."""
    evening = playing(profile, A="AS AH AD AC 10S KD QD 9C", B="9S KS JD", C="JS QS 9D 10D")
    evening.does("A play 10S", "B play 9S", "C play JS")
    return evening


def test_meld_4_four_aces_count_for_whoever_melded_them():
    evening = with_aces(with_rules(RU_3, four_aces=True))
    evening.does("A meld AS")
    evening.goes_on()

    assert evening.line("A").melds == 200


def test_meld_4_the_trump_stays_as_it_is():
    evening = with_aces(with_rules(RU_3, four_aces=True))
    evening.does("A meld KD", "B play JD", "C play 9D", "A meld AC")

    assert evening.play.trump is Suit.DIAMONDS
    assert [made.points for made in evening.play.melds] == [80, 200]


@pytest.mark.parametrize(
    "profile",
    [with_rules(RU_3, four_aces=True), with_rules(PL_3, four_aces=True)],
    ids=["ru", "pl"],
)
def test_meld_4_never_on_the_very_first_lead(profile):
    evening = playing(profile, **ACES)

    assert evening.refuses("A meld AS") == "meld-not-now"
    assert None not in [meld.suit for meld in evening.may("A").melds]


def test_meld_4_all_four_must_be_held_and_the_house_rule_be_on():
    assert with_aces(RU_3).refuses("A meld AS") == "no-marriage"
    evening = with_aces(with_rules(RU_3, four_aces=True))
    evening.does("A play AS", "B play KS", "C play QS")

    assert evening.refuses("A meld AH") == "no-marriage"
    assert [meld.suit for meld in evening.may("A").melds] == [Suit.DIAMONDS]


def test_meld_5_in_1001_each_meld_is_worth_more_than_all_before_whoever_melds():
    evening = playing(
        PLAIN_3,
        A="KS QS KD QD AS 9H 9C JD",
        B="AD 10D KC QC KH QH JS 9S",
        C="9D JH JC 10S AH 10H AC 10C",
    )
    evening.does("A play AS", "B play 9S", "C play 10S", "A meld KD", "B play AD", "C play 9D")
    assert evening.play.turn == 1
    evening.does("B meld KH", "C play JH", "A play 9H")

    assert evening.play.turn == 1
    assert [meld.suit for meld in evening.may("B").melds] == [Suit.CLUBS]
    evening.does("B meld QC")


def test_meld_5_a_lower_one_is_refused():
    evening = playing(
        PLAIN_3, A="KS QS KD QD AS AD AH AC", B="9S JS 9D JD", C="JH 9H JC 9C QH KH QC KC"
    )
    evening.does("A meld KS", "B play 9S", "C play JH")

    assert evening.refuses("A meld KD") == "meld-must-rise"
    assert evening.may("A").melds == ()
    assert set(evening.may("A").spoils) == set(cards("KD QD"))


def test_meld_5_a_lower_one_of_another_player_is_refused_too():
    evening = playing(PLAIN_3, A="KS QS", B="AS KH QH", C="9S KC")
    evening.does("A meld KS", "B play AS", "C play 9S")

    assert evening.refuses("B meld KH") == "meld-must-rise"
    assert evening.may("B").melds == ()


def test_meld_5_elsewhere_they_come_in_any_order():
    evening = on_lead(A="AS KD QD KS QS AD AH AC", B="10S 9D", C="9S JD")
    evening.does("A meld KD", "B play 9D", "C play JD")

    evening.does("A meld KS")


@pytest.mark.parametrize(("score", "locked"), [(900, False), (901, True), (1005, True)])
def test_meld_6_in_1001_with_bidding_nobody_above_900_melds(score, locked):
    evening = Evening(BIDDING_3, standings={"A": Standing(score=score), "B": Standing(score=1005)})
    evening.plays_from(contract=20, A="KD QD", laid="9S 9H")

    assert (evening.may("A").melds == ()) is locked
    if locked:
        assert evening.refuses("A meld KD") == "meld-locked"
    else:
        evening.does("A meld KD")


def test_meld_6_elsewhere_a_high_total_melds():
    evening = Evening(PL_3, standings={"A": Standing(score=950)})
    evening.plays_from(A="KD QD", B="9D", C="JD")

    evening.does("A meld KD")


def test_meld_7_in_1001_with_bidding_a_meld_counts_only_with_a_trick():
    hands = {"A": "KD QD 7S 8S 7H 8H 7C 8C 9S 9H", "laid": "9C 7D"}
    evening = playing(BIDDING_3, contract=20, **hands, B="AD 10D JD", C="9D 8D")
    evening.does("A meld KD", "B play AD", "C play 9D")
    assert evening.play.trump is Suit.DIAMONDS
    evening.does("B play 10D", "C play 8D", "A play QD")
    evening.goes_on()

    assert (evening.line("A").tricks, evening.line("A").melds) == (0, 0)
    assert evening.line("A").raw == 0


def test_meld_7_with_a_trick_it_does_also_if_the_trick_comes_later_or_came_with_the_meld():
    evening = playing(
        BIDDING_3,
        contract=20,
        A="KD QD 7S 8S 7H 8H 7C 8C 9S AH",
        laid="9C 7D",
        B="AD 10D JD",
        C="9D",
    )
    evening.does("A meld KD", "B play AD", "C play 9D")
    evening.goes_on()

    assert evening.line("A").tricks > 0
    assert evening.line("A").melds == 40


def test_meld_7_elsewhere_a_meld_without_a_trick_counts():
    evening = playing(
        PL_3,
        A="KD QD 9S 9H 9C JS JH JC",
        B="AD 10D AS AH AC 10S 10H 10C",
        C="9D JD KS QS KH QH KC QC",
    )
    evening.does("A meld KD")
    evening.goes_on()

    assert (evening.line("A").tricks, evening.line("A").melds) == (0, 80)


def test_meld_8_nobody_has_to_meld_and_leading_one_of_the_two_spoils_the_pair():
    evening = on_lead(A="AS KD QD AD QS JH JC 9C", B="10S JD", C="9S 9D")
    assert set(evening.may("A").spoils) == set(cards("KD QD"))
    evening.does("A play KD", "B play JD", "C play 9D")

    assert evening.play.trump is None
    assert evening.view("A").turn == 0
    assert evening.refuses("A meld QD") == "no-marriage"
    assert (evening.may("A").melds, evening.may("A").spoils) == ((), ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A meld QH", "not-in-hand"),
        ("B meld KH", "not-your-turn"),
        ("A meld 9H", "no-marriage"),
    ],
)
def test_refusals_of_a_meld_come_in_their_order(line, reason):
    assert on_lead(B="10S KH QH").refuses(line) == reason


def test_cards_are_played_in_play_only():
    evening = Evening(RU_3)
    assert evening.refuses("A play AS") == "wrong-phase"
    evening.deals(A="AS")
    assert evening.refuses("A play AS") == "wrong-phase"
    assert evening.refuses("A meld AS") == "wrong-phase"
