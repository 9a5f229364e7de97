"""How much the server spends, measured on one processor while robots play from another.

Prints JSON. Nothing here passes or fails: tests/bench/README.md says what the figures mean.
"""

import argparse
import asyncio
import json
import os
import secrets
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import uvloop
from websockets.asyncio.client import connect

from server.rehearse import play
from server.rehearse.rooms import Opened, open_rooms
from tests.bench.process import ServerProcess, own_network, prikup, running

SERVER_CPU, ROBOTS_CPU = 0, 1

ASK = b'{"type":"ask","id":"f3a94c1d22e07b58","action":{"type":"play_card","card":"S9"}}'

Figures = dict[str, float | int | dict[str, int]]


def tell(line: str) -> None:
    sys.stderr.write(line + "\n")


async def floor(rooms: int, seconds: float) -> Figures:
    """The echo floor: asks in turn, each answered by a view to all three of the room."""
    with running("tests.bench.floor", cpu=SERVER_CPU) as server:
        before, until = server.cpu_seconds, time.monotonic() + seconds
        played = [_echo(server, f"{room:04}", until) for room in range(rooms)]
        asks = sum(await asyncio.gather(*played))
        return _cost(server.cpu_seconds - before, asks)


async def _echo(server: ServerProcess, code: str, until: float) -> int:
    asks, uri = 0, f"ws://{server.host}/api/rooms/{code}/socket"
    async with AsyncExitStack() as stack:
        three = [await stack.enter_async_context(_line(uri)) for _ in range(3)]
        while time.monotonic() < until:
            await three[asks % 3].send(ASK, text=True)
            for one in three:
                await one.recv(decode=False)
            asks += 1
    return asks


async def robots(
    rooms: int, seconds: float, data: Path, think: float = 0.0, *, limited: bool
) -> Figures:
    """Robots in `rooms` rooms; `think` as in a rehearsal. `limited`: each room is a stranger."""
    with prikup(data, cpu=SERVER_CPU, limited=limited) as server:
        opened = await _opened(server, rooms, limited=limited)
        before = server.cpu_seconds
        report = await play(opened, 1_000_000, think=think, seconds=seconds, tell=tell)
        return {
            **_cost(server.cpu_seconds - before, report.actions),
            "actions_per_second": report.actions_per_second,
            "p50_ms": report.p50_ms,
            "p99_ms": report.p99_ms,
            "errors": report.errors,
        }


async def memory(rooms: int, data: Path, *, limited: bool) -> Figures:
    """Idle, and with three phones in each of `rooms` rooms that have just sat down."""
    with prikup(data, cpu=SERVER_CPU, limited=limited) as server:
        idle = server.resident
        async with AsyncExitStack() as stack:
            for room in await _opened(server, rooms, limited=limited):
                for name in ("Anna", "Ben", "Carla"):
                    phone = await stack.enter_async_context(_line(room.uri))
                    await phone.send(_join(name))
                    await phone.recv(decode=False)
            full = server.resident
        return {
            "idle_mib": round(idle / 2**20, 1),
            "kib_per_connection": round((full - idle) / 2**10 / (3 * rooms), 1),
        }


async def _opened(server: ServerProcess, rooms: int, *, limited: bool) -> list[Opened]:
    """So many new rooms; where there are limits each is found under an address of its own."""
    found = []
    for room in range(rooms):
        url = f"http://{server.host_of(room, limited=limited)}"
        found += await asyncio.to_thread(open_rooms, url, 1, "ru-3")
    return found


def _line(uri: str) -> connect:
    return connect(uri, compression=None, ping_interval=None)


def _join(name: str) -> str:
    return json.dumps({"type": "join", "name": name, "token": secrets.token_urlsafe(16)})


def _cost(cpu: float, actions: int) -> Figures:
    return {"actions": actions, "cpu_s_per_1000_actions": round(1000 * cpu / max(1, actions), 4)}


async def bench(seconds: float, *, limited: bool) -> dict[str, Figures | float]:
    """All measurements, `seconds` for each that takes time. `limited`: as strangers, if not said
    otherwise.
    """
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        ground = await floor(50, seconds)
        free = await robots(50, seconds, data / "free", limited=False) if limited else None
        busy = await robots(50, seconds, data / "busy", limited=limited)
        calm = await robots(200, 3 * seconds, data / "calm", think=1.0, limited=limited)
        held = await memory(200, data / "held", limited=limited)
    return {
        "floor, 50 rooms": ground,
        "50 rooms at full speed": busy,
        "times the floor": _times(busy, ground),
        **({} if free is None else _compared(busy, free)),
        "200 rooms, 1 s of thought": calm,
        "memory": held,
    }


def _compared(busy: Figures, free: Figures) -> dict[str, Figures | float]:
    return {
        "50 rooms at full speed, from this machine": free,
        "times without limits": _times(busy, free),
    }


def _times(one: Figures, other: Figures) -> float:
    return round(_per_action(one) / _per_action(other), 2)


def _per_action(figures: Figures) -> float:
    cost = figures["cpu_s_per_1000_actions"]
    assert isinstance(cost, float)
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.serve_bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement (20)")
    seconds: float = parser.parse_args().seconds
    if why := own_network():
        tell(f"None of these figures contains the limits of strangers: {why}.")
    os.sched_setaffinity(0, {ROBOTS_CPU})
    measured = uvloop.run(bench(seconds, limited=why is None))
    sys.stdout.write(json.dumps(measured, indent=2) + "\n")


if __name__ == "__main__":
    main()
