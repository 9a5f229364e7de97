"""All attackers at once, again and again, beside two tables that play on one server."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.attack.house import House
from tests.attack.rows import Row
from tests.attack.tables import Players, playing, reload_amid
from tests.attack.trial import (
    MIB,
    SETTLES,
    Pantry,
    Terms,
    attacking,
    faults,
    judged,
    lost,
    told,
)

ROUND = 60.0
"""Seconds for which all of them attack; then they begin anew."""

MOST = 30
"""Sentences about what is wrong that are printed."""

HEADS = (
    "minute    RSS  group     p50     p99    worst  answers  acts     lost   page    back"
    "  entries    MiB   CPU %"
)


async def besieged(
    rows: Sequence[Row], seconds: float, folder: Path, terms: Terms, say: Callable[[str], None]
) -> int:
    """A line a minute, and in the end what all of it came to; 1: something is wrong."""
    house = House(terms.ground.house, folder, terms.keeper)
    await Pantry(folder / "pantry").lay(rows, house.data)
    wrong, most = Counter[str](), 0
    try:
        await house.start()
        with playing(folder) as (players, robots):
            await players.sit()
            await asyncio.sleep(SETTLES)
            await players.begin()
            say(HEADS)
            began = time.monotonic()
            while house.lives and (left := seconds - (time.monotonic() - began)) > 1:
                line, faulty = await _round(rows, min(ROUND, left), players, house, terms)
                say(f"{(time.monotonic() - began) / 60:6.1f} {line}")
                wrong.update(faulty)
                most = max(most, house.peak)
            wrong.update([] if house.lives else ["the server died"])
            wrong.update([] if robots.play or not house.lives else ["the robots gave up"])
            whole, answers = await players.whole(), await players.end()
        house.kill()
        answers += robots.answered()
    finally:
        house.kill()
    wrong.update(lost(house.data, answers) + faults(house.said))
    for what, times in wrong.most_common(MOST):
        say(f"WRONG {what}" + (f" ({times} times)" if times > 1 else ""))
    say(
        f"players: p50 {whole.p50:.1f} ms, p99 {whole.p99:.1f} ms, worst {whole.worst:.1f} ms"
        f" of {whole.answers} answers; RSS {most / MIB:.0f} MiB at most"
    )
    say(f"{len(answers)} asks of players and robots were done; the log was held against them")
    return int(bool(wrong))


async def _round(
    rows: Sequence[Row], seconds: float, players: Players, house: House, terms: Terms
) -> tuple[str, list[str]]:
    """How a minute went, as a line, and what was wrong in it."""
    house.forget_peaks()
    cpu, began = house.cpu_seconds, time.monotonic()
    attack = attacking(rows, seconds, players.code, terms)
    reloading = asyncio.create_task(reload_amid(players, seconds, house))
    await told(attack, seconds, house)
    reloaded, figures = await reloading, await players.figures()
    used = max(0.0, house.cpu_seconds - cpu) / (time.monotonic() - began)
    held = house.holds()
    page, back = ("no" if ms is None else f"{ms:.0f}" for ms in (reloaded.page, reloaded.back))
    line = (
        f"{house.peak / MIB:6.0f} {(house.group_peak or 0) / MIB:6.0f} {figures.p50:7.1f}"
        f" {figures.p99:7.1f} {figures.worst:8.1f} {figures.answers:8} {figures.acts:5}"
        f" {figures.lost:8} {page:>6} {back:>7} {held.entries:8} {held.size / MIB:6.0f}"
        f" {100 * used:7.0f}"
    )
    return line, judged(terms.bounds, house.peak, figures, reloaded)
