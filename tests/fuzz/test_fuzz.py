"""A few thousand hostile frames, each time others; and that what is wrong would be noticed."""

import random
from pathlib import Path

import msgspec
import pytest

from engine.cards import Seat
from engine.events import PlayerSeated
from engine.history import AskId, Entry, past_of
from engine.views import Viewer, game_view
from server.protocol import Options, Update
from tests.fuzz.__main__ import assaulted
from tests.fuzz.game import not_theirs
from tests.fuzz.secrets import Secrets
from tests.server.games import dealt, stored

ENTRIES = stored(dealt())


@pytest.mark.parametrize(("frames", "limits"), [(2000, False), (300, True)])
async def test_a_hostile_client_harms_neither_the_server_nor_a_game(
    tmp_path: Path, frames: int, *, limits: bool
):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to say much the same again

    outcome = await assaulted(frames, tmp_path, seed, limits=limits)

    assert outcome.kinds["broken frames"] > 0
    assert outcome.entries > 10
    assert outcome.looked_at > 0


def told(viewer: Viewer, shown_to: Viewer, *, shown: int = len(ENTRIES)) -> int:
    """How many cards too many `shown_to` has seen, who was sent what `viewer` may see."""
    secrets = Secrets(players=3)
    secrets.read_on(ENTRIES)
    room = past_of(ENTRIES).room
    assert room is not None
    update = Update(seq=len(ENTRIES), game=game_view(room, viewer), glimpses=(), options=Options())
    return len(secrets.told(shown_to, shown, msgspec.json.encode([update])))


def test_a_hand_that_is_shown_to_somebody_else_is_noticed():
    assert told(Seat(0), shown_to=Seat(0)) == 0
    assert told(None, shown_to=None) == 0
    assert told(Seat(0), shown_to=None) == 7
    assert told(Seat(0), shown_to=Seat(1)) == 7


@pytest.mark.parametrize("ask", [AskId("anna", "another"), AskId("mallory", "her-call")])
def test_an_entry_that_somebody_else_asked_for_is_noticed(ask: AskId):
    hers = Entry(seq=1, facts=(), ask=AskId("anna", "her-call"))

    assert not_theirs([hers, Entry(seq=2, facts=(), ask=ask)], {"anna": {"her-call"}}) == [2]


def test_somebody_else_who_sits_down_is_noticed():
    facts = tuple(PlayerSeated(seat=Seat(0), name="Anna", key=key) for key in ("anna", "mallory"))

    assert not_theirs([Entry(seq=1, facts=facts[:1]), Entry(seq=2, facts=facts)], {"anna": ()}) == [
        2
    ]
