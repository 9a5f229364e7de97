"""The rule profiles in `seeds/profiles`, read and checked when the server starts."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from engine.house_rules import HOUSE_RULES
from engine.profile import Profile

_HERE = Path(__file__).parent


class ProfileInvalid(Exception):  # noqa: N818  # reads as what is the case
    """The profiles cannot be used; the text names the file and the path of the value."""


def seeds_folder() -> Path:
    """`seeds/`: inside an installed package, or beside the sources."""
    inside = _HERE / "seeds"
    return inside if inside.is_dir() else _HERE.parent / "seeds"


@cache
def load_profiles() -> Mapping[str, Profile]:
    """Every profile by its id, in the order of the file names.

    Raises:
        ProfileInvalid: a file is no profile, or there is none.
    """
    folder = seeds_folder() / "profiles"
    if not (files := sorted(folder.glob("*.toml"))):
        raise ProfileInvalid(f"There are no rule profiles in {folder}.")
    return {profile.id: profile for profile in map(read_profile, files)}


def read_profile(file: Path) -> Profile:
    """The profile in `file`, whose name is the profile's id.

    Raises:
        ProfileInvalid: it is none, or names a house rule that does not exist.
    """
    try:
        profile = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Profile)
    except (OSError, ValueError) as error:
        raise ProfileInvalid(f"The rule profile {file.name} cannot be used: {error}") from error
    if profile.id != file.stem:
        raise ProfileInvalid(
            f"{file.name}: id is {profile.id!r}, but the file is called {file.stem!r}"
        )
    if unknown := [key for key in profile.house_rules if key not in HOUSE_RULES]:
        raise ProfileInvalid(f"{file.name}: house_rules: there is no {unknown[0]!r}")
    return profile
