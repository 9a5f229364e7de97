"""Whose turn it is, and that nobody else waits for long."""

import asyncio

from server.turns import PIECE, Turns
from tests.server.clock import Clock


async def works(turns: Turns, clock: Clock, name: str, pieces: list[float], done: list[str]):
    job = turns.job()
    for seconds in pieces:
        async with job.turn():
            clock.wind(seconds)
            done.append(name)


async def test_one_job_works_at_a_time():
    turns, inside, most = Turns(Clock()), 0, 0

    async def work():
        nonlocal inside, most
        job = turns.job()
        for _ in range(3):
            async with job.turn():
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

    await asyncio.gather(*(work() for _ in range(5)))

    assert most == 1


async def test_the_next_turn_is_that_of_whoever_has_worked_least():
    clock, done = Clock(), list[str]()
    turns = Turns(clock)

    await asyncio.gather(
        works(turns, clock, "slow", [5.0, 5.0], done),
        works(turns, clock, "fast", [1.0, 1.0, 1.0, 1.0], done),
        works(turns, clock, "late", [9.0], done),
    )

    assert done == ["slow", "fast", "late", "fast", "fast", "fast", "slow"]


async def test_a_short_job_that_comes_late_is_not_behind_a_long_one():
    clock, done = Clock(), list[str]()
    turns = Turns(clock)
    long = asyncio.create_task(works(turns, clock, "long", [1.0] * 50, done))
    for _ in range(40):
        await asyncio.sleep(0)
    before = len(done)
    assert 10 < before < 30

    await works(turns, clock, "short", [1.0] * 3, done)

    assert len(done) <= before + 5
    await long


async def test_between_two_turns_everything_else_goes_on():
    clock, ticks = Clock(), 0
    turns = Turns(clock)

    async def ticking():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(ticking())
    await works(turns, clock, "alone", [1.0] * 20, [])
    beside.cancel()

    assert ticks >= 19


async def test_within_a_turn_everything_else_goes_on_after_every_piece():
    clock = Clock()
    job, happened = Turns(clock).job(), list[int]()
    async with job.turn():
        asyncio.get_running_loop().call_soon(happened.append, 1)
        clock.wind(PIECE / 2)
        await job.breathe()
        assert happened == []

        clock.wind(PIECE)
        await job.breathe()
        assert happened == [1]

        asyncio.get_running_loop().call_soon(happened.append, 2)
        await job.breathe()
        assert happened == [1]


async def test_work_that_fails_gives_its_turn_to_the_next():
    clock, done = Clock(), list[str]()
    turns = Turns(clock)

    async def fails():
        async with turns.job().turn():
            await asyncio.sleep(0)
            raise ValueError

    failing = asyncio.create_task(fails())
    await asyncio.sleep(0)
    await asyncio.gather(
        works(turns, clock, "next", [1.0], done), works(turns, clock, "b", [1], done)
    )

    assert done == ["next", "b"]
    assert isinstance(failing.exception(), ValueError)


async def test_whoever_gave_up_waiting_takes_no_turn():
    clock, done = Clock(), list[str]()
    turns = Turns(clock)
    async with turns.job().turn():
        gone = asyncio.create_task(works(turns, clock, "gone", [1.0], done))
        given_up = asyncio.create_task(works(turns, clock, "given up", [1.0], done))
        there = asyncio.create_task(works(turns, clock, "there", [1.0], done))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    gone.cancel()  # after the turn was given to it, and before it could take it
    await asyncio.wait([gone, given_up, there])

    assert done == ["there"]
    await works(turns, clock, "afterwards", [1.0], done)
    assert done == ["there", "afterwards"]
