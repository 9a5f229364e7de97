"""The recorded games: every one holds, and there is a whole one of each profile."""

import io
from pathlib import Path

import pytest

from engine.record import play_record, read_record
from engine.state import Over
from server.check import HOLDS, check
from server.profiles import load_profiles
from tests.support import ALL_PROFILES, SEEDS

GAMES = sorted((SEEDS / "games").glob("*.t1000"))
EVERYWHERE = sorted([*GAMES, *Path(__file__).parents[1].rglob("*.t1000")])
by_game = pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)


@pytest.mark.parametrize("file", EVERYWHERE, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_check_accepts_it(file):
    out = io.StringIO()

    assert check([str(file)], load_profiles(), out) == HOLDS, out.getvalue()


@by_game
def test_it_is_played_to_its_end_in_good_time(file):
    played = play_record(read_record(file.read_text("utf-8"), load_profiles()))

    assert isinstance(played.room.phase, Over)
    assert played.deals < 60


@by_game
def test_it_claims_after_every_deal_what_stands_on_the_sheet_and_at_the_end_who_won(file):
    header, *deals = file.read_text("utf-8").split("\ndeal\n")

    assert "= " not in header
    for deal in deals:
        assert deal.count("\n= raw ") == deal.count("\n= scores ") == 1
    assert deals[-1].splitlines()[-1].startswith("= winner ")


def test_there_is_a_game_of_every_profile():
    played = [read_record(file.read_text("utf-8"), load_profiles()).header for file in GAMES]
    plain = {header.profile.id for header in played if not header.profile.chosen}

    assert plain == {profile.id for profile in ALL_PROFILES}
    assert any(header.profile.chosen for header in played)
