"""What it costs to take a card back, in the first deal of a game and in a late one.

    python -m tests.bench.undo_bench                # figures as JSON on stdout

`past_us` is the fold alone: the past after the entry that takes it back. `ask_us` is all that the
server does for it, with three phones and a log in memory: from the ask in the inbox until every
phone has its frame. Wall time, the middle of many.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Callable

from msgspec.structs import replace

from engine.commands import Act, DealCards, PlayCard
from engine.events import PlayerSeated, Standing, Undone
from engine.history import Entry, past_of
from engine.profile import Profile
from engine.state import Between, Playing
from server.identity import key_of
from server.log import MemoryLog
from server.log.codec import encode
from server.profiles import load_profiles
from server.protocol import Ask
from server.protocol import TakeBack as Wish
from tests.engine.record.rooms import Logged
from tests.server.phones import Phone, new_id, running
from tests.support import LETTERS, offered, shuffled, views

DEALS = (1, 60)
"""The deals in which is measured."""

ROUNDS = 300

FAR = Standing(score=-100_000)
"""From here nobody wins for long."""


def under_way(profile: Profile, deal: int) -> Logged:
    """A game in the middle of deal number `deal`, where somebody may lay a card."""
    chance = random.Random(deal)
    room = Logged(profile, standings=dict.fromkeys(LETTERS[: profile.table.players], FAR))
    while True:
        phase = room.phase
        if isinstance(phase, Between):
            room.obeys(DealCards(phase.game.dealer, shuffled(profile, chance)))
        elif isinstance(phase, Playing) and len(phase.game.sheet) == deal - 1 and any(phase.tricks):
            return room
        else:
            acts = [
                Act(who, act) for who, view in views(room.room) for act in offered(view, chance)
            ]
            room.obeys(chance.choice(acts))


def a_card(room: Logged) -> Act:
    """A card that may be laid now."""
    turn = room.play.turn
    if turn is None:
        raise TypeError("somebody is on turn")
    return Act(turn, PlayCard(room.may(LETTERS[turn]).play[0]))


def past_us(room: Logged) -> float:
    """Microseconds of the fold."""
    act = a_card(room)
    before = past_of(room.log)
    room.obeys(act)
    past = before.after(room.log[-1])
    undone = Entry(seq=past.seq + 1, facts=(Undone(back_to=before.seq, by=act.seat, agreed=()),))
    return _middle([_timed(lambda: past.after(undone)) for _ in range(ROUNDS)])


async def ask_us(room: Logged, profile: Profile) -> float:
    """Microseconds of the whole way."""
    tokens = [f"token-of-the-seat-{index:04}" for index in range(profile.table.players)]
    events = MemoryLog()
    for entry in room.log:
        await events.append("KVRT", entry.seq, encode(_known(entry, tokens)))
    act, spent = a_card(room), []
    async with running(events) as keeper:
        phones = [Phone(keeper, token) for token in tokens]
        for _ in range(ROUNDS):
            await phones[act.seat].asks(act.action)
            for phone in phones:
                await phone.catches_up()
            ask = Ask(id=new_id(), action=Wish())
            began = time.perf_counter()
            await keeper.ask(phones[act.seat].attendee, ask)
            frames = [await phone.outbox.frame() for phone in phones]
            spent.append(time.perf_counter() - began)
            if b'"type":"done"' not in (frames[act.seat] or b""):
                raise TypeError("taking back was refused")
    return _middle(spent)


def _known(entry: Entry, tokens: list[str]) -> Entry:
    """`entry` with the players of `tokens`."""
    return replace(
        entry,
        facts=tuple(
            replace(fact, key=key_of(tokens[fact.seat])) if isinstance(fact, PlayerSeated) else fact
            for fact in entry.facts
        ),
    )


def _timed(measured: Callable[[], object]) -> float:
    began = time.perf_counter()
    measured()
    return time.perf_counter() - began


def _middle(spent: list[float]) -> float:
    return round(statistics.median(spent) * 1e6, 1)


def main() -> None:
    """Measure, and print what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.undo_bench")
    asked.add_argument("--profile", default="ru-3", choices=list(load_profiles()))
    profile = load_profiles()[asked.parse_args().profile]
    figures = {}
    for deal in DEALS:
        ask = asyncio.run(ask_us(under_way(profile, deal), profile))
        figures[f"deal {deal}"] = {"past_us": past_us(under_way(profile, deal)), "ask_us": ask}
    print(json.dumps({"profile": profile.id, **figures}, indent=2))  # noqa: T201


if __name__ == "__main__":
    main()
