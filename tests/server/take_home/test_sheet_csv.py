"""The sheet as a table for a spreadsheet."""

import csv
import io
import random
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from engine.events import Standing
from server.played import games_in
from server.take_home.sheet_csv import write_sheet
from tests.server.games import NAMES, dealt, played, stored, won


def rows(room, names=NAMES) -> list[list[str]]:
    (game,) = games_in(stored(room, names))
    text = write_sheet("KVRT", game)
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_head_says_what_was_played_when_and_by_which_rules():
    assert rows(won())[:6] == [
        ["room", "KVRT", "game", "1"],
        ["profile", "ru-3@1"],
        ["rule", "concession_half", "true"],
        ["date", "2026-11-30T00:53:20+00:00"],
        ["state", "won", "Ben"],
        [],
    ]


def test_there_is_a_row_a_deal_and_a_column_a_player():
    _, _, _, _, _, _, head, *deals = rows(played())

    assert head[:9] == [
        *("deal", "outcome", "dealer", "declarer", "contract", "made"),
        *("Anna", "Ben", "Carla"),
    ]
    assert head[9:13] == ["Anna raw", "Anna written", "Anna bolts", "Anna barrel"]
    (deal,) = deals
    assert len(deal) == len(head)
    told = dict(zip(head, deal, strict=True))
    assert (told["deal"], told["outcome"], told["dealer"]) == ("1", "played", "Carla")
    assert (told["declarer"], told["contract"]) == ("Anna", "120")
    assert told["made"] in ("yes", "no")
    assert told["Anna"] == told["Anna written"]


def test_a_deal_without_a_contract_that_was_played_out_is_neither_made_nor_failed():
    told = dict(zip(rows(won())[6], rows(won())[7], strict=True))

    assert (told["outcome"], told["contract"], told["made"]) == ("conceded", "400", "")


def test_on_the_barrel_the_deals_there_are_counted_else_nothing_stands():
    room = dealt(standings={"B": Standing(score=880, barrel=0)})
    room.does("B pass", "C pass", "A take", "A concede")

    *_, head, deal = rows(room)

    told = dict(zip(head, deal, strict=True))
    assert told["Ben barrel"] == "0"
    assert told["Anna barrel"] == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("=1+1", "’=1+1"),
        ("+49", "’+49"),
        ("-5", "’-5"),
        ("@sum", "’@sum"),
        ("a;=6*7;b", "a;’=6*7;b"),
        ("x =1", "x ’=1"),
        ("＝1", "’＝1"),
        ("−5", "’−5"),
        ("a\t=1", "a ’=1"),
        ("|calc", "’|calc"),
        ('"=1', '"’=1'),
        ("Anna-Maria", "Anna-Maria"),
        ("Anna + Ben", "Anna ’+ Ben"),
        ("O'Neill", "O'Neill"),
    ],
)
def test_a_name_is_never_computed(name: str, shown: str):
    _, _, _, _, _, _, head, deal = rows(won(), names=(name, "Ben", "Carla"))

    assert head[6] == shown
    assert deal[3] == shown


SEPARATORS = [",", ";", "\t", "|", " ", ":", ".", "/", "^", "#", "&", "_", "'", '"']
UNSEEN = " \t\r\n\v\f\0\ufeff\u200b\xa0\"'"
STARTERS = tuple("=+-@%＝＋－＠％﹦﹢﹣﹫−⁺⁻⁼")
NUMBER = re.compile(r"-?\d+")


def cells(text: str, separator: str, *, quoted: bool) -> Iterator[str]:
    if quoted:
        for row in csv.reader(io.StringIO(text), delimiter=separator):
            yield from row
    else:
        for line in text.splitlines():
            yield from line.split(separator)


def test_no_cell_begins_a_formula_whatever_separates_and_whether_quotes_count():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to write the same names again
    chance = random.Random(seed)
    signs = [*SEPARATORS, *UNSEEN, *STARTERS, "a", "7", "é", "🂡", "|", "!", "(", "\\"]
    foreign = ("=cmd|' /C calc'!A0", '"=1+1', "a\n=1", "x\u2028=1", "a;=6*7;b")
    names = [*foreign, *("".join(chance.choices(signs, k=12)) for _ in range(200))]
    (game,) = games_in(stored(won()))
    for name in names:
        text = write_sheet("KVRT", replace(game, names=(name, name, name)))
        for separator in SEPARATORS:
            for quoted in (True, False):
                if quoted and separator == '"':
                    continue
                for cell in cells(text.removeprefix("\ufeff"), separator, quoted=quoted):
                    shown = cell.strip(UNSEEN)
                    is_number = NUMBER.fullmatch(shown)
                    assert is_number or not shown.startswith(STARTERS), (name, separator, cell)


def test_a_negative_number_stays_one():
    room = dealt(standings={"A": Standing(score=-60)})
    room.does("B pass", "C pass", "A take", "A concede")

    *_, head, deal = rows(room)

    assert dict(zip(head, deal, strict=True))["Anna"] == "-60"


def test_every_cell_is_in_quotes():
    (game,) = games_in(stored(won()))

    lines = write_sheet("KVRT", game).removeprefix("\ufeff").splitlines()

    assert all(line.startswith('"') and line.endswith('"') for line in lines if line)
    assert not any(",," in line or re.search(r",[^\"]", line) for line in lines)


def test_a_name_with_commas_and_quotes_is_one_cell():
    *_, head, _ = rows(won(), names=('An"na, A', "Ben", "Carla"))

    assert head[6] == 'An"na, A'


def test_an_unknown_date_is_empty():
    (game,) = games_in(stored(won(), at=None))

    assert '\r\n"date",""\r\n' in write_sheet("KVRT", game)
