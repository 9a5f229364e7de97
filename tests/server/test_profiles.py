from pathlib import Path

import pytest

from server import profiles
from server.profiles import ProfileInvalid, load_profiles, read_profile, seeds_folder

GOOD = (seeds_folder() / "profiles" / "ru-3.toml").read_text("utf-8")


def test_every_profile_in_seeds_can_be_read():
    files = {file.stem for file in (seeds_folder() / "profiles").glob("*.toml")}

    assert set(load_profiles()) == files
    assert {"ru-3", "de-3"} <= files


def test_without_any_profile_nothing_can_be_played(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(profiles, "seeds_folder", lambda: tmp_path)

    with pytest.raises(ProfileInvalid, match="There are no rule profiles in "):
        load_profiles.__wrapped__()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (GOOD.replace("step = 5", "step = 7"), "auction.step"),
        (GOOD.replace("must_trump", "must_trumps"), "must_trumps"),
        (GOOD.replace("at = 880", "at = 1000"), "barrel.at"),
        (GOOD.replace('"four_aces"', '"five_aces"'), "five_aces"),
        (GOOD.replace('id = "ru-3"', 'id = "ru-4"'), "ru-4"),
        ("players =", "x-3.toml"),
    ],
)
def test_a_wrong_file_is_named_with_the_place_in_it(tmp_path: Path, wrong: str, told: str):
    file = tmp_path / ("ru-3.toml" if "x-3" not in told else "x-3.toml")
    file.write_text(wrong, "utf-8")

    with pytest.raises(ProfileInvalid, match=told):
        read_profile(file)
