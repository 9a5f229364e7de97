"""How big a replay is, and how long it takes to make one, to open it and to jump in it.

    python -m tests.bench.replay_bench                 # figures as JSON on stdout
    python -m tests.bench.replay_bench --profile ru-4

Processor time of this process, the best of some runs. Opening and jumping are measured with the
reference that the tests apply patches with; a browser is several times as fast.
"""

import argparse
import gzip
import json
from collections.abc import Iterable
from typing import Any

import msgspec

from engine.cards import Seat
from engine.events import DealScored, GameEnded, GameWon
from engine.history import Entry
from engine.profile import Profile
from server.log import Stored
from server.log.codec import encode, entries_of
from server.profiles import load_profiles
from server.replay import replay_of, story_of
from server.replay.deltas import applied
from tests.bench.engine_bench import best
from tests.engine.record.rooms import random_log

DEALS = 30
"""Deals of the game."""

KIB = 1024


def long_game(profile: Profile) -> list[Stored]:
    """A finished game of so many deals as a log stores it."""
    for seed in range(1000):
        log = random_log(profile, seed, deals=DEALS)
        facts = [fact for entry in log for fact in entry.facts]
        if sum(isinstance(fact, DealScored) for fact in facts) == DEALS:
            if not isinstance(facts[-1], GameWon):
                log.append(Entry(seq=len(log) + 1, facts=(GameEnded(by=Seat(0), agreed=()),)))
            return [Stored(entry.seq, encode(entry)) for entry in log]
    raise ValueError(f"no game of {profile.id} lasts so long")


def made(stored: Iterable[Stored]) -> bytes:
    """What the server does for a replay, until it is packed."""
    return msgspec.json.encode(replay_of("KVRT", story_of(entries_of(stored), 1)))


def shown_at(replay: Any, step: int) -> list[Any]:
    """What every viewer sees at `step`, from the beginning of its chapter."""
    first = max(one["first"] for one in replay["chapters"] if one["first"] <= step)
    views = [None] * len(replay["viewers"])
    for patches in replay["games"][first : step + 1]:
        views = [applied(view, patch) for view, patch in zip(views, patches, strict=True)]
    return views


def part(replay: Any, viewer: int) -> bytes:
    """What one viewer's views add."""
    games = [patches[viewer] for patches in replay["games"]]
    glimpses = [seen[viewer] for seen in replay["glimpses"]]
    return msgspec.json.encode([games, glimpses])


def figures(profile: Profile) -> dict[str, Any]:
    """What was measured by `profile`."""
    stored = long_game(profile)
    document = made(stored)
    replay = msgspec.json.decode(document)
    steps = len(replay["steps"])
    last = max(replay["chapters"], key=lambda one: one["first"])["first"] - 1

    def kib(data: bytes) -> float:
        return round(len(gzip.compress(data, 6)) / KIB, 1)

    return {
        "profile": profile.id,
        "steps": steps,
        "build_ms": round(best(lambda: made(stored)) * 1e3),
        "pack_ms": round(best(lambda: gzip.compress(document, 6)) * 1e3),
        "plain_kib": round(len(document) / KIB),
        "gzip_kib": kib(document),
        "gzip_kib_by_viewer": {
            str(viewer): kib(part(replay, at)) for at, viewer in enumerate(replay["viewers"])
        },
        "gzip_kib_all_hands": kib(msgspec.json.encode(replay["all_hands"])),
        "open_ms": round(best(lambda: msgspec.json.decode(document)) * 1e3, 1),
        "jump_ms": round(best(lambda: shown_at(replay, last)) * 1e3, 2),
    }


def main() -> None:
    """Measure, and print what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.replay_bench")
    asked.add_argument("--profile", default="ru-3", choices=list(load_profiles()))
    profile = load_profiles()[asked.parse_args().profile]
    print(json.dumps(figures(profile), indent=2))  # noqa: T201


if __name__ == "__main__":
    main()
