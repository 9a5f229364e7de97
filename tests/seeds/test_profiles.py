"""The tables of seeds/CONCEPT.md, cell by cell, against the files of the profiles."""

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.cards import Suit
from engine.house_rules import HOUSE_RULES
from engine.profile import Profile
from server.profiles import load_profiles
from tests.support import ALL_PROFILES, SEEDS

CONCEPT = (SEEDS / "CONCEPT.md").read_text("utf-8")
PROFILES = {profile.id: profile for profile in ALL_PROFILES}
NONE = "–"


def table(heading: str) -> list[list[str]]:
    """The cells under `heading` of the page, row by row, without the rule below the first."""
    section = CONCEPT.split(f"\n### {heading}\n")[1].split("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not re.fullmatch("-+", row[-1])]


def yes(value: object) -> str:
    return "yes" if value else "no"


def hands(profile: Profile) -> str:
    """Cards of a hand and of each talon."""
    dealing = profile.dealing
    talons = [sum(dealing.talon_after) // dealing.talons] * dealing.talons
    return "+".join(map(str, [sum(dealing.packets), *filter(None, talons)]))


def packets(profile: Profile) -> str:
    sizes = profile.dealing.packets
    return "one by one" if set(sizes) == {1} else "-".join(map(str, sizes))


def sits_out(profile: Profile) -> str:
    return profile.table.sitter or NONE


def ceiling(profile: Profile) -> str:
    auction = profile.auction
    assert auction is not None
    if auction.ceiling_by_pairs:
        return f"{auction.free_up_to} and pairs"
    return str(auction.ceiling)


def needs_pair(profile: Profile) -> str:
    assert profile.auction is not None
    return NONE if profile.auction.free_up_to is None else str(profile.auction.free_up_to)


def talon(profile: Profile) -> str:
    exchange = profile.exchange
    if exchange is None:
        return NONE
    return f"{'shown' if exchange.talon_shown else 'unseen'}, {exchange.then.replace('_', ' ')}"


def out_of_play(profile: Profile) -> str:
    exchange = profile.exchange
    if exchange is None or exchange.then == "give":
        return NONE
    return exchange.unused_points.replace("_", " ")


def marriages(profile: Profile) -> str:
    order = (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES)
    return " ".join(str(profile.meld.worth(suit)) for suit in order)


def concession(profile: Profile) -> str:
    rule = profile.concession
    if rule is None:
        return NONE
    price = f"every {rule.costly}rd −{rule.cost}" if rule.costly else "free"
    return f"{rule.pays}; {price}" + (f", at most {rule.limit}" if rule.limit else "")


def bolts(profile: Profile) -> str:
    return f"{profile.bolts.limit}rd −{profile.bolts.cost}" if profile.bolts else "none"


def stop(profile: Profile) -> str:
    barrel, lock = profile.barrel, profile.lock
    if barrel:
        return f"{barrel.at}, {barrel.deals} deals, {barrel.at - barrel.fall}"
    return f"lock {lock.at}" if lock else "none"


def income(profile: Profile) -> str:
    if profile.table.sitter is None:
        return NONE
    rule = profile.sitter_income
    return f"{rule.per_ace} an ace{', pairs' * rule.pairs}" if rule else "none"


def pack(profile: Profile) -> str:
    left_out = [f"{card.value[1]}{card.value[0]}" for card in profile.pack.without]
    return f"{len(profile.pack.cards())}" + (f", no {' '.join(left_out)}" if left_out else "")


def calls(profile: Profile) -> str:
    auction = profile.auction
    if auction is None:
        return "none"
    opens = "must open" if auction.must_open else "may pass"
    return f"{auction.opening} by {auction.step}, {opens}"


def bid_ceiling(profile: Profile) -> str:
    return NONE if profile.auction is None else ceiling(profile)


def raise_(profile: Profile) -> str:
    return NONE if profile.exchange is None else yes(profile.exchange.raise_contract)


def voids(profile: Profile) -> str:
    return yes(profile.redeal and profile.redeal.four_nines)


ROWS: dict[str, Callable[[Profile], str]] = {
    "players": lambda profile: str(profile.table.players),
    "pack": pack,
    "hands + talon": hands,
    "packets": packets,
    "talon after rounds": lambda profile: "-".join(map(str, profile.dealing.talon_after)) or NONE,
    "direction": lambda profile: {"clockwise": "cw", "counterclockwise": "ccw"}[
        profile.table.direction
    ],
    "sits out": sits_out,
    "calls": calls,
    "a pair above": lambda profile: NONE if profile.auction is None else needs_pair(profile),
    "ceiling": bid_ceiling,
    "talon": talon,
    "raise after it": raise_,
    "cards out of play": out_of_play,
    "concession": concession,
    "four nines": voids,
    "must trump": lambda profile: yes(profile.play.must_trump),
    "must beat": lambda profile: yes(profile.play.must_beat),
    "marriages ♥ ♦ ♣ ♠": marriages,
    "on the first lead": lambda profile: yes(profile.meld.first_lead),
    "must rise": lambda profile: yes(profile.meld.must_rise),
    "need a trick": lambda profile: yes(profile.meld.needs_trick),
    "not above": lambda profile: str(profile.meld.locked_above or NONE),
    "declarer writes": lambda profile: profile.scoring.declarer_writes if profile.auction else NONE,
    "others rounded to": lambda profile: str(profile.scoring.rounding),
    "bolts": bolts,
    "barrel or lock": stop,
    "sitter's income": income,
    "target": lambda profile: str(profile.scoring.target),
    "declarer wins first": lambda profile: yes(profile.scoring.declarer_wins_first),
    "ties": lambda profile: profile.scoring.ties.replace("_", " "),
}
"""How the page says each thing of a profile."""

TABLES = ("The auction game", "1001")


def columns() -> dict[str, dict[str, str]]:
    """What the tables say of each profile, by row."""
    return {
        name: {row: said[at] for row, *said in rows}
        for heading in TABLES
        for head, *rows in [table(heading)]
        for at, name in enumerate(head[1:])
    }


@pytest.mark.parametrize("name", PROFILES)
def test_the_file_says_row_by_row_what_the_table_says(name):
    profile = load_profiles()[name]

    assert {row: say(profile) for row, say in ROWS.items()} == columns()[name]


def test_profiles_that_the_tables_do_not_tell_apart_are_played_alike():
    for one in ALL_PROFILES:
        for other in ALL_PROFILES:
            if columns()[one.id] == columns()[other.id]:
                named = {field: getattr(one, field) for field in ("id", "source", "terms")}
                assert replace(other, **named) == one


def test_the_files_are_exactly_those_of_the_page():
    assert set(load_profiles()) == set(PROFILES) == set(columns())
    assert all(profile.version >= 1 and profile.source for profile in load_profiles().values())


def test_each_profile_takes_exactly_the_house_rules_of_its_rows():
    _, *rows = table("House rules")
    takers = {key.strip("`"): set(names.split(", ")) for key, names in rows}

    assert set(takers) == set(HOUSE_RULES)
    for profile in load_profiles().values():
        assert set(profile.house_rules) == {
            key for key, names in takers.items() if profile.id in names
        }
