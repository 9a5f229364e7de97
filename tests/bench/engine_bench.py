"""How fast the engine is alone: reading a game back, and playing legal cards by chance.

    python -m tests.bench.engine_bench                  # figures as JSON on stdout
    python -m tests.bench.engine_bench --profile ru-2   # by other rules
    python -m tests.bench.engine_bench --trace          # and where the time goes, on stderr

Processor time of this process, the best of some runs.
"""

import argparse
import cProfile
import json
import pstats
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from engine.choices import choices_of
from engine.commands import Act, PlayCard
from engine.decide import decide
from engine.evolve import fold
from engine.history import Entry
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import Between, Playing, Room
from server.log.base import Stored
from server.log.codec import encode, entries_of
from server.profiles import load_profiles
from tests.engine.record.rooms import random_log, room_of
from tests.support import entries

DEALS = 20
"""Deals of the game that is folded."""

HANDS = 200
"""Deals whose cards are played in one run."""

RUNS = 15


def best(measured: Callable[[], object]) -> float:
    """Seconds of the quickest of some runs."""
    spent = []
    for _ in range(RUNS):
        began = time.process_time()
        measured()
        spent.append(time.process_time() - began)
    return min(spent)


def long_game(profile: Profile) -> list[Stored]:
    """A game of so many deals as a log stores it; `random_log` stops after the last of them."""
    for seed in range(1000):
        log = random_log(profile, seed, deals=DEALS)
        phase = room_of(log).phase
        if isinstance(phase, Between) and len(phase.game.sheet) == DEALS:
            return [Stored(entry.seq, encode(entry)) for entry in log]
    raise ValueError(f"no game of {profile.id} lasts so long")


def read(stored: Iterable[Stored]) -> list[Entry]:
    return entries_of(stored)


def told(log: Iterable[Entry]) -> Room | None:
    return fold(fact for entry in log for fact in entry.happened)


def first_leads(profile: Profile) -> Iterator[Room]:
    """Rooms in which the first card of a deal is to be led."""
    for seed in range(HANDS):
        for room, _ in entries(profile, random.Random(seed), deals=5):
            phase = room.phase
            if isinstance(phase, Playing) and not phase.trick and not any(phase.tricks):
                yield room


def play(rooms: Iterable[Room]) -> Iterator[tuple[Room, Act]]:
    """Every deal goes on by legal cards chosen by chance; each card and the room before it."""
    chance = random.Random(1)
    for start in rooms:
        room = start
        while isinstance(state := room.phase, Playing) and state.turn is not None:
            act = Act(state.turn, PlayCard(chance.choice(choices_of(state, state.turn).play)))
            yield room, act
            room = after(room, act)


def after(room: Room, act: Act) -> Room:
    facts = decide(room, act)
    if isinstance(facts, Rejected):
        raise TypeError("a card that may be played was refused")
    following = fold(facts, room)
    if following is None:
        raise TypeError("a room is never lost")
    return following


def choose(cards: Iterable[tuple[Room, Act]]) -> None:
    for room, act in cards:
        if isinstance(room.phase, Playing):
            choices_of(room.phase, act.seat)


def judge(cards: Iterable[tuple[Room, Act]]) -> None:
    for room, act in cards:
        decide(room, act)


def figures(profile: Profile) -> dict[str, float | int | str]:
    """What was measured by `profile`."""
    stored = long_game(profile)
    log = read(stored)
    reading, folding = best(lambda: read(stored)), best(lambda: told(log))
    rooms = list(islice(first_leads(profile), HANDS))
    played = list(play(rooms))
    facts = [(room, decide(room, act)) for room, act in played]

    def copy() -> None:
        for room, answer in facts:
            if not isinstance(answer, Rejected):
                fold(answer, room)

    def micro(seconds: float) -> float:
        return round(seconds / len(played) * 1e6, 1)

    whole = best(lambda: sum(1 for _ in play(rooms)))
    return {
        "profile": profile.id,
        "fold_ms": round((reading + folding) * 1e3, 2),
        "fold_read_ms": round(reading * 1e3, 2),
        "fold_evolve_ms": round(folding * 1e3, 2),
        "entries": len(stored),
        "cards_per_second": round(len(played) / whole),
        "card_us": micro(whole),
        "choices_us": micro(best(lambda: choose(played))),
        "decide_us": micro(best(lambda: judge(played))),
        "evolve_us": micro(best(copy)),
    }


def main() -> None:
    """Measure, and print what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.engine_bench")
    asked.add_argument("--profile", default="ru-3", choices=list(load_profiles()))
    asked.add_argument("--trace", action="store_true")
    wanted = asked.parse_args()
    profile = load_profiles()[wanted.profile]
    print(json.dumps(figures(profile), indent=2))  # noqa: T201
    if wanted.trace:
        rooms = list(islice(first_leads(profile), HANDS))
        with cProfile.Profile() as trace:
            sum(1 for _ in play(rooms))
        pstats.Stats(trace, stream=sys.stderr).sort_stats("tottime").print_stats(15)


if __name__ == "__main__":
    main()
