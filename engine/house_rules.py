"""The house rules a table may set before a game, by their keys in records and messages.

A house rule is a small change to one place of a profile. Which keys a profile takes is its own
data; what a key does stands here once.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine.profile import Barrel, Bolts, Profile, Setting, SitterIncome


class HouseRule(Struct, frozen=True):
    """One key: the values it takes, how to read it in a profile and how to set it."""

    values: tuple[Setting, ...]
    read: Callable[[Profile], Setting]
    apply: Callable[[Profile, Setting], Profile]


class UnknownHouseRule(ValueError):  # noqa: N818  # reads as what is the case
    """A key that the profile does not take, or a value that the key does not have."""


def with_house_rules(profile: Profile, chosen: Mapping[str, Setting]) -> Profile:
    """`profile` with `chosen` set; only what differs from the profile is kept in its `chosen`.

    Raises:
        UnknownHouseRule: a key is not among the profile's, or a value not among the key's.
    """
    changed = profile
    differing: dict[str, Setting] = {}
    for key, value in chosen.items():
        if key not in profile.house_rules:
            raise UnknownHouseRule(f"{profile.id} has no house rule {key!r}")
        rule = HOUSE_RULES[key]
        if not any(value == known and type(value) is type(known) for known in rule.values):
            raise UnknownHouseRule(
                f"{key} cannot be {value!r}; it is one of {', '.join(map(str, rule.values))}"
            )
        if value != rule.read(profile):
            changed = rule.apply(changed, value)
            differing[key] = value
    return replace(changed, chosen=differing)


ON_OFF: tuple[Setting, ...] = (False, True)


def _switch(
    section: str, field: str, *, on: Setting = True, off: Setting | None = False
) -> HouseRule:
    """A house rule that is on or off in one field of one section."""

    def read(profile: Profile) -> Setting:
        part = getattr(profile, section)
        return part is not None and getattr(part, field) != off

    def apply(profile: Profile, value: Setting) -> Profile:
        part = replace(getattr(profile, section), **{field: on if value else off})
        return replace(profile, **{section: part})

    return HouseRule(ON_OFF, read, apply)


def _choice(section: str, field: str, *values: Setting) -> HouseRule:
    """A house rule that puts one of `values` into one field of one section."""

    def read(profile: Profile) -> Setting:
        value: Setting = getattr(getattr(profile, section), field)
        return value

    def apply(profile: Profile, value: Setting) -> Profile:
        return replace(profile, **{section: replace(getattr(profile, section), **{field: value})})

    return HouseRule(values, read, apply)


def _bolts(profile: Profile, value: Setting) -> Profile:
    return replace(profile, bolts=Bolts() if value else None)


def _barrel(profile: Profile, value: Setting) -> Profile:
    return replace(profile, barrel=replace(profile.barrel or Barrel(), at=value))


def _income(profile: Profile, value: Setting) -> Profile:
    income = SitterIncome(per_ace=value) if isinstance(value, int) else None
    return replace(profile, sitter_income=income)


def _tens(profile: Profile, value: Setting) -> Profile:
    target = 100 if value else 1001
    virgin = profile.scoring.virgin and (10 if value else 100)
    return replace(
        profile, scoring=replace(profile.scoring, tens=value, target=target, virgin=virgin)
    )


def _virgin(profile: Profile, value: Setting) -> Profile:
    bonus = (10 if profile.scoring.tens else 100) if value else 0
    return replace(profile, scoring=replace(profile.scoring, virgin=bonus))


def _discard_clock(profile: Profile, value: Setting) -> Profile:
    seconds = value if isinstance(value, int) else 0
    exchange = profile.exchange and replace(profile.exchange, discard_seconds=seconds)
    return replace(profile, exchange=exchange)


HOUSE_RULES: dict[str, HouseRule] = {
    "four_aces": _switch("meld", "four_aces", on=200, off=0),
    "concession_half": _switch("concession", "pays_half"),
    "reset_555": _switch("scoring", "reset_at", on=555, off=None),
    "must_beat": _switch("play", "must_beat"),
    "first_trick_marriage": _switch("meld", "first_lead"),
    "hidden_talon_at_100": _switch("exchange", "hidden_at_opening"),
    "running_points": _switch("scoring", "running_points"),
    "step": _choice("auction", "step", 5, 10),
    "rounding": _choice("scoring", "rounding", 5, 10),
    "bolts": HouseRule(ON_OFF, lambda profile: profile.bolts is not None, _bolts),
    "barrel": HouseRule(
        (850, 870, 880, 900), lambda profile: profile.barrel.at if profile.barrel else 880, _barrel
    ),
    "one_on_barrel": _switch("barrel", "one_at_a_time"),
    "third_fall_zero": _switch("barrel", "zero_after_falls", on=3, off=None),
    "redeal_weak_talon": _switch("redeal", "weak_talon_below", on=5, off=0),
    "talon_points": _choice("exchange", "unused_points", "last_trick", "nobody"),
    "sitter": _choice("table", "sitter", "dealer", "right", "opposite"),
    "sitter_income": HouseRule(
        ("none", 40, 50),
        lambda profile: profile.sitter_income.per_ace if profile.sitter_income else "none",
        _income,
    ),
    "discard_clock": HouseRule(
        ("off", 60, 120),
        lambda profile: (profile.exchange and profile.exchange.discard_seconds) or "off",
        _discard_clock,
    ),
    "tens": HouseRule(ON_OFF, lambda profile: profile.scoring.tens, _tens),
    "virgin": HouseRule(ON_OFF, lambda profile: profile.scoring.virgin > 0, _virgin),
}
