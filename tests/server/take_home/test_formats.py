"""A finished game in every format."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from engine.record import NoSuchGame
from server.profiles import load_profiles
from server.replay import NotFinished
from server.take_home import FORMATS, read_entries, read_lines, taken_home
from tests.server.games import dealt, played, stored


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "replay-file.html").write_text('<head><script src="/a.js"></script></head>')
    (tmp_path / "a.js").write_text("go()")
    return tmp_path


def home(kind: str, static: Path, *, anonymously: bool = False) -> str:
    log = stored(played())
    return taken_home("KVRT", log, 1, kind, static=static, anonymously=anonymously)


def test_a_record_read_back_and_written_again_is_the_same(static: Path):
    text = home("t1000", static)

    log = read_entries(text, load_profiles())
    assert taken_home("KVRT", log, 1, "t1000", static=static) == text


def test_a_log_read_back_and_written_again_is_the_same(static: Path):
    text = home("jsonl", static)

    assert taken_home("ABCD", read_lines(text), 1, "jsonl", static=static) == text


def test_a_page_has_what_was_taken_back_too(static: Path):
    found = re.search(r'id="replay">([^<]*)<', home("html", static))

    assert found
    replay = json.loads(gzip.decompress(base64.b64decode(found[1])))
    assert replay["code"] == "KVRT"
    assert any(step["undone"] for step in replay["steps"])


@pytest.mark.parametrize("kind", FORMATS)
def test_anonymously_there_is_no_name_and_no_code(static: Path, kind: str):
    text = home(kind, static, anonymously=True)

    if found := re.search(r'id="replay">([^<]*)<', text):
        text = gzip.decompress(base64.b64decode(found[1])).decode()
    assert not any(word in text for word in ("Anna", "Ben", "Carla", "KVRT"))


@pytest.mark.parametrize("kind", ["t1000", "jsonl", "html"])
def test_a_game_that_has_not_begun_is_none(static: Path, kind: str):
    with pytest.raises(NoSuchGame):
        taken_home("KVRT", stored(played()), 2, kind, static=static)


def test_a_game_that_runs_makes_no_page(static: Path):
    with pytest.raises(NotFinished):
        taken_home("KVRT", stored(dealt()), 1, "html", static=static)
