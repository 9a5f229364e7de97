"""A server and three phones on machines of their own, over an ether that loses and delays frames,
while the phones change their addresses.

python -m tests.hosts --seconds 40 --loss 0.03 --late 0.06 --seed 5
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from subprocess import Popen

import msgspec

from engine.history import Entry, past_of
from server.http_messages import NewRoom, RoomOpened
from server.identity import key_of
from server.log.codec import entries_of
from server.log.readonly import stored_in
from tests.hosts.ether import Ether
from tests.hosts.machines import CannotHost, Wanderer, joins, lasting, leave_the_network
from tests.hosts.phone import Told

NAMES = ("anna", "ben", "carla")
PORT = 8000

MOVES_EVERY = 6.0
"""Seconds after which a phone changes its address."""

STARTS_WITHIN = 60.0


def main(arguments: list[str]) -> int:
    """Let it be played, and hold the log against what the phones were told; 1: it differs."""
    asked = argparse.ArgumentParser(prog="python -m tests.hosts")
    asked.add_argument("--seconds", type=float, default=40)
    asked.add_argument("--loss", type=float, default=0.03, help="of the frames, from 0 to 1")
    asked.add_argument("--late", type=float, default=0.06, help="seconds at most")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = asked.parse_args(arguments)
    _say(f"seed {wanted.seed}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the machines go in any case
    try:
        leave_the_network()
        return asyncio.run(_played(wanted))
    except CannotHost as problem:
        _say(f"not possible here: {problem}")
        return 2


async def _played(wanted: argparse.Namespace) -> int:
    ether = Ether(Random(wanted.seed), wanted.loss, wanted.late)
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.callback(ether.close)
        joins(ether, 254)
        house = stack.enter_context(lasting(Wanderer(ether, "house", 1)))
        house.runs(
            *("server", "serve", "--host", house.address),
            *("--port", str(PORT), "--data", str(data)),
        )
        way = f"{house.address}:{PORT}"
        code = await _opened(way)
        phones = [
            stack.enter_context(lasting(Wanderer(ether, name, 10 + number)))
            for number, name in enumerate(NAMES)
        ]
        playing = [
            phone.runs("tests.hosts.phone", way, code, name, str(wanted.seconds))
            for phone, name in zip(phones, NAMES, strict=True)
        ]
        moves = asyncio.create_task(_move(phones))
        told = await asyncio.gather(*map(_told, playing))
        moves.cancel()
        entries = entries_of(stored_in(data, code))
    return _judge(entries, told, ether)


async def _opened(way: str) -> str:
    """The code of a new room, once the server answers."""
    body = msgspec.json.encode(NewRoom(profile="ru-3"))
    wish = urllib.request.Request(f"http://{way}/api/rooms", body)  # our own

    def ask() -> bytes:
        with urllib.request.urlopen(wish, timeout=5) as answer:  # noqa: S310  # as above
            return bytes(answer.read())

    async with asyncio.timeout(STARTS_WITHIN):
        while True:
            with suppress(OSError):
                return msgspec.json.decode(await asyncio.to_thread(ask), type=RoomOpened).code
            await asyncio.sleep(0.2)


async def _move(phones: list[Wanderer]) -> None:
    """One phone after the other gets another address, and another."""
    for number in range(30, 250):
        await asyncio.sleep(MOVES_EVERY)
        phones[number % len(phones)].moves_to(number)


async def _told(phone: Popen[str]) -> Told:
    out, _ = await asyncio.to_thread(phone.communicate)
    return msgspec.json.decode(out, type=Told)


def _judge(entries: list[Entry], told: tuple[Told, ...] | list[Told], ether: Ether) -> int:
    """What was done is in the log, once; everybody has seen the last of it; and it folds."""
    past = past_of(entries)
    logged = [(one.ask.key, one.ask.id, one.seq) for one in entries if one.ask is not None]
    answered = {(key_of(one.token), ask, seq) for one in told for ask, seq in one.done.items()}
    wrong = [
        *(f"{lost} was answered and is not in the log" for lost in answered - set(logged)),
        *(["an ask led to two entries"] if len({one[:2] for one in logged}) < len(logged) else []),
        *(f"a phone ends at {one.seq} of {past.seq}" for one in told if one.seq != past.seq),
        *([] if len(answered) > len(NAMES) else ["nothing was played"]),
    ]
    for line in wrong:
        _say(f"FAILED {line}")
    _say(f"frames: {ether.carried} carried, {ether.lost} lost")
    _say(f"acts: {len(answered)}, the log ends with entry {past.seq}")
    _say(f"lines per phone: {', '.join(str(one.lines) for one in told)}")
    _say(f"back after {max(one.longest for one in told):.1f} s at worst")
    return int(bool(wrong))


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
