"""A replay and what was shown at some of its steps, for the client's tests.

    python -m tests.replay_sample       # writes it

What was shown is taken from the views themselves and not from the patches.
"""

import gzip
from pathlib import Path
from typing import Any

import msgspec

from engine.cards import Seat, sorted_hand
from engine.history import Entry
from engine.state import InDeal
from engine.views import game_view, sheet_view, table_view
from server.log import Stored
from server.log.codec import entries_of
from server.replay import replay_of, room_at, story_of
from tests.golden_logs import LOGS

SAMPLE = Path(__file__).parents[1] / "client" / "src" / "replay" / "sample.gen.json.gz"

CODE = "KVRT"
EVERY = 7
"""Steps from one that is told whole to the next."""


def evening() -> list[Entry]:
    """One whose first game was ended and opened again several times."""
    lines = (LOGS / "v2" / "ended.jsonl").read_bytes().splitlines()
    return entries_of(Stored(seq, line) for seq, line in enumerate(lines, 1))


def sample() -> bytes:
    """The replay, with what was taken back, and what its viewers and all eyes saw."""
    story = story_of(evening(), 1, undone=True)
    replay = replay_of(CODE, story)
    shown: dict[int, Any] = {}
    for step, moment in enumerate(story.moments()):
        if step % EVERY:
            continue
        room = room_at(moment)
        hands = room.phase.hands if isinstance(room.phase, InDeal) else ()
        shown[step] = {
            "common": {
                "table": table_view(room, None),
                "sheet": sheet_view(room, moment.past.taken_back),
            },
            "games": [game_view(room, seat) for seat in (None, *map(Seat, range(3)))],
            "hands": tuple(map(sorted_hand, hands)),
        }
    return msgspec.json.encode({"replay": replay, "shown": shown})


if __name__ == "__main__":
    SAMPLE.write_bytes(gzip.compress(sample(), 9, mtime=0))
