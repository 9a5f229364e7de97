"""Who speaks in which turn of the event loop."""

import asyncio

from server.turnstile import Rank, Turnstile


class Crowd:
    """Everybody who has entered, turn by turn."""

    def __init__(self, a_turn: int, of_others: int = 1) -> None:
        self.turnstile = Turnstile(a_turn, of_others)
        self.entered: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    def comes(self, name: str, rank: Rank = Rank.SEATED) -> asyncio.Task[None]:
        self._tasks.append(asyncio.create_task(self._enter(name, rank)))
        return self._tasks[-1]

    async def _enter(self, name: str, rank: Rank) -> None:
        await self.turnstile.enter(rank)
        self.entered.append(name)

    async def all_turns(self) -> list[int]:
        """How many have entered after each turn until all have."""
        counts = []
        while not all(task.done() for task in self._tasks):
            await asyncio.sleep(0)
            counts.append(len(self.entered))
        return counts


async def test_in_one_turn_no_more_enter_than_it_lets_in():
    crowd = Crowd(3)
    for number in range(20):
        crowd.comes(str(number))
    counts = await crowd.all_turns()

    assert max(b - a for a, b in zip([0, *counts], counts, strict=False)) <= 3
    assert crowd.entered == [str(number) for number in range(20)]


async def test_whoever_comes_alone_waits_for_nobody():
    crowd = Crowd(1)
    for number in range(5):
        task = crowd.comes(str(number))
        await asyncio.sleep(0)
        assert task.done()
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def test_who_sits_goes_first_and_who_asks_for_much_goes_last():
    crowd = Crowd(1)
    for number in range(3):
        crowd.comes(f"much {number}", Rank.OTHERS)
    crowd.comes("page", Rank.MODEST)
    crowd.comes("player", Rank.SEATED)
    await crowd.all_turns()

    assert crowd.entered == ["much 0", "player", "page", "much 1", "much 2"]


async def test_whoever_hangs_up_while_it_waits_takes_nobodys_turn():
    crowd = Crowd(1)
    tasks = [crowd.comes(str(number)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    tasks[2].cancel()
    await asyncio.sleep(0)
    await crowd.all_turns()

    assert crowd.entered == ["0", "3"]


async def test_of_those_who_ask_for_much_fewer_enter_in_a_turn():
    crowd = Crowd(5, of_others=2)
    for number in range(10):
        crowd.comes(str(number), Rank.OTHERS)
    counts = await crowd.all_turns()

    assert max(b - a for a, b in zip([0, *counts], counts, strict=False)) <= 2
    assert len(crowd.entered) == 10
