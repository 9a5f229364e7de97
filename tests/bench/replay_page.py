"""How long a browser takes to open a replay of 30 deals, and to jump in it.

    python -m tests.bench.replay_page                 # figures as JSON on stdout
    python -m tests.bench.replay_page --slow 4        # on a processor so many times as slow

Opening counts from the moment the document has arrived until the page with it is laid out; a jump
from the slider's event until the new step is laid out. Both without painting.
"""

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Page, async_playwright

from server.log import SqliteLog
from server.profiles import load_profiles
from tests.bench.replay_bench import long_game
from tests.e2e.conftest import Served

CODE = "KVRT"
TIMES = 7
"""Pages that are opened."""

OPENED = """() => new Promise((done) => {
  const look = () => {
    const loaded = performance.getEntriesByType('resource')
    const fetched = loaded.find((one) => one.name.includes('/games/'))
    if (!fetched || !document.querySelector('.transport')) return setTimeout(look)
    document.body.getBoundingClientRect()
    done(performance.now() - fetched.responseEnd)
  }
  look()
})"""

JUMPS = """async (deals) => {
  const press = (key, held = {}) =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key, ...held, cancelable: true }))
  const taken = []
  for (let deal = 0; deal < deals; deal += 1) {
    press('ArrowRight', { ctrlKey: true })
    await new Promise((done) => setTimeout(done))
    const slider = document.querySelector('input[type=range]')
    for (const share of [1, 0.2, 0.7]) {
      const first = Number(slider.min)
      const from = performance.now()
      slider.value = Math.round(first + share * (Number(slider.max) - first))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await Promise.resolve()
      document.body.getBoundingClientRect()
      taken.push(performance.now() - from)
      await new Promise((done) => setTimeout(done))
    }
  }
  return taken
}"""


async def prepared(data: Path) -> None:
    """A log in `data` with a finished game of 30 deals."""
    log = SqliteLog(data)
    for one in long_game(load_profiles()["ru-3"]):
        await log.append(CODE, one.seq, one.data)
    log.close()


async def measured(url: str, slow: float) -> dict[str, Any]:
    """The figures, in milliseconds."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        opened: list[float] = []
        jumps: list[float] = []
        for _ in range(TIMES):
            context = await browser.new_context(viewport={"width": 390, "height": 844})
            page: Page = await context.new_page()
            line = await context.new_cdp_session(page)
            await line.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            await page.goto(f"{url}/{CODE}/replay/1", wait_until="commit")
            opened.append(await page.evaluate(OPENED))
            jumps += await page.evaluate(JUMPS, 30)
            await context.close()
        await browser.close()
    return {
        "open_ms": round(statistics.median(opened)),
        "jump_ms": round(statistics.median(jumps), 1),
        "jump_worst_ms": round(max(jumps), 1),
    }


def main() -> None:
    """Measure, and print what was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.replay_page")
    asked.add_argument("--slow", type=float, default=1)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        asyncio.run(prepared(data))
        server = Served(data)
        server.start()
        try:
            url = f"http://127.0.0.1:{server.port}"
            figures = asyncio.run(measured(url, asked.parse_args().slow))
            figures["file_bytes"] = len(httpx.get(f"{url}/api/rooms/{CODE}/games/1.html").content)
        finally:
            server.stop()
    print(json.dumps(figures, indent=2))  # noqa: T201


if __name__ == "__main__":
    main()
