import pytest

from engine.dealing import deal_out
from engine.record import play_record, read_record
from engine.record.deals import deal_lines
from engine.record.statements import DealBlock
from engine.state import Auction, Playing
from tests.engine.record.papers import (
    FALSE,
    FOUR_PLAYERS_DEALER_C,
    HERE,
    PAIRS_EVERYWHERE,
    PLAIN,
    PROFILES,
    SKAT,
    TWO_TALONS,
    UNREADABLE,
    assert_holds,
    complaint,
    paper,
)
from tests.support import ALL_PROFILES, A, B, C, cards


@pytest.mark.parametrize(
    ("profile", "deal"),
    [
        ("ru-3", PAIRS_EVERYWHERE),
        ("no-3", PAIRS_EVERYWHERE),
        ("ru-2", TWO_TALONS),
        ("ru-4", FOUR_PLAYERS_DEALER_C),
        ("1001-3", PLAIN),
        ("1001-bid-3", SKAT),
    ],
)
def test_everybody_holds_what_the_deal_says(profile, deal):
    dealer = "B" if profile == "ru-2" else "C"
    record = read_record(paper(deal, profile=profile, dealer=dealer), PROFILES)

    (said,) = [statement.says for statement in record.statements]
    phase = play_record(record).room.phase

    assert isinstance(said, DealBlock)
    assert isinstance(phase, Auction | Playing)
    assert [phase.hands[hand.seat] for hand in said.hands] == [hand.cards for hand in said.hands]
    assert phase.deal.dealt.talons == said.talons


def test_the_talon_lies_as_it_is_told():
    phase = play_record(read_record(paper(PAIRS_EVERYWHERE), PROFILES)).room.phase

    assert isinstance(phase, Auction)
    assert phase.hands[A] == cards("AS 10S KH QH AC 9D 9C")
    assert phase.deal.dealt.talons == (cards("JC 9H AD"),)


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_a_deal_that_is_written_is_read_with_the_same_hands(profile):
    dealt = deal_out(profile, B, profile.pack.cards())
    text = paper(*deal_lines(dealt), profile=profile.id, dealer="B")

    phase = play_record(read_record(text, PROFILES)).room.phase

    assert isinstance(phase, Auction | Playing)
    assert list(map(set, phase.hands)) == list(map(set, dealt.hands))
    assert phase.deal.dealt.talons == dealt.talons


@pytest.mark.parametrize(
    ("profile", "deal", "line", "instead", "why"),
    [
        ("ru-3", PAIRS_EVERYWHERE, "deal", "deal again", "no statement"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC JD 9D", "9D is there twice"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC 9D", "9D is there twice"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC QC", "QC is there twice"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC 8D", "8D is there twice, or not in the pack"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC", "7 cards belong here, not 6"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC jd", "'jd' is no card"),
        ("ru-3", PAIRS_EVERYWHERE, "QC JD", "QC JD\n  B", "7 cards belong here, not 0"),
        ("ru-3", PAIRS_EVERYWHERE, "  C JS", "  D JS", "'D' is no seat"),
        ("ru-3", PAIRS_EVERYWHERE, "  C JS", "  B JS", "B has a hand already"),
        ("ru-3", PAIRS_EVERYWHERE, "talon JC 9H AD", "talon JC 9H", "3 cards belong here"),
        ("ru-3", PAIRS_EVERYWHERE, "talon JC 9H AD", "talon 1 JC 9H AD", "'1' is no card"),
        ("ru-3", PAIRS_EVERYWHERE, "AD", "AD\n  talon", "3 cards belong here, not 0"),
        ("ru-2", TWO_TALONS, "talon 1 JH 9H", "talon JH 9H", "talon 1 and talon 2"),
        ("ru-2", TWO_TALONS, "talon 1 JH 9H", "talon 3 JH 9H", "talon 1 and talon 2"),
        ("ru-2", TWO_TALONS, "talon 2 JC 9C", "talon 1 JC 9C", "the talon 1 is there already"),
        ("1001-3", PLAIN, "JH 9H", "JH 9H\n  talon", "there is no talon"),
    ],
)
def test_what_does_not_share_out_the_pack_cannot_be_read(profile, deal, line, instead, why):
    marked = "\n".join(
        old.replace(line, instead) + HERE if line in old else old for old in deal.split("\n")
    )
    dealer = "B" if profile == "ru-2" else "C"

    assert why in complaint(paper(marked, profile=profile, dealer=dealer), UNREADABLE)


@pytest.mark.parametrize(
    ("profile", "deal", "missing", "why"),
    [
        ("ru-3", PAIRS_EVERYWHERE, "  B KS QS 9S 10H KC QC JD\n", "3 hands are dealt, not 2"),
        ("ru-3", PAIRS_EVERYWHERE, "\n  talon JC 9H AD", "cards are missing: 9H JC AD"),
        ("ru-2", TWO_TALONS, "\n  talon 2 JC 9C", "cards are missing: JC 9C"),
    ],
)
def test_what_is_missing_is_told_of_the_deal(profile, deal, missing, why):
    marked = deal.replace(missing, "").replace("deal", "deal" + HERE)
    dealer = "B" if profile == "ru-2" else "C"

    assert why in complaint(paper(marked, profile=profile, dealer=dealer), UNREADABLE)


def test_a_hand_outside_of_a_deal_is_no_statement():
    text = paper(PAIRS_EVERYWHERE, "A bid 100", f"B KS QS 9S 10H KC QC JD{HERE}")

    assert "no statement" in complaint(text, UNREADABLE)


def test_a_hand_for_a_sitter_is_found_where_that_deal_stands():
    wrong = FOUR_PLAYERS_DEALER_C.replace("  A AS", "  B AS")
    marked = wrong.replace("9D 9C", "9D 9C" + HERE)

    assert "B sits this deal out" in complaint(paper(marked, profile="ru-4"), UNREADABLE)


def test_so_an_earlier_false_claim_is_told_instead():
    wrong = FOUR_PLAYERS_DEALER_C.replace("  A AS", "  B AS")

    complaint(paper(f"= dealer A{HERE}", wrong, profile="ru-4"), FALSE)


def test_a_hand_too_many_is_a_card_twice_before_anything_is_played():
    wrong = FOUR_PLAYERS_DEALER_C.replace("  C KS", f"  B AS 10S KH QH AC 9D 9C{HERE}\n  C KS")

    complaint(paper("= dealer A", wrong, profile="ru-4"), UNREADABLE)


def test_who_sits_out_follows_the_dealer():
    conceded = ("D bid 100", "A pass", "C pass", "D take", "D concede")
    next_deal = FOUR_PLAYERS_DEALER_C.replace("  C ", "  B ").replace("  D JS", "  C JS")
    next_deal = next_deal.replace("  A ", "  X ").replace("  B ", "  A ").replace("  X ", "  B ")

    assert_holds(
        paper(
            "= sitter B",
            FOUR_PLAYERS_DEALER_C,
            "= sitter B",
            *conceded,
            "= dealer D",
            "= sitter C",
            next_deal.replace("  C JS", "  D JS"),
            profile="ru-4",
        )
    )


@pytest.mark.parametrize("seat", [A, B, C])
def test_whoever_deals_the_hands_are_those_of_the_record(seat):
    text = paper(PAIRS_EVERYWHERE, dealer="ABC"[seat])
    phase = play_record(read_record(text, PROFILES)).room.phase

    assert isinstance(phase, Auction)
    assert phase.hands[B] == cards("KS QS 9S 10H KC QC JD")
