"""A patch makes the later document out of the earlier one, and says no more than it must."""

import json
import random
import re
from typing import Any

import msgspec
import pytest

from engine.cards import Seat, Suit
from engine.events import PlayedCard
from engine.state import MeldMade, Trick
from engine.views import AuctionView, BetweenView
from server.replay.deltas import applied, delta, whole
from server.typescript import PAGE
from tests.support import ALL_PROFILES, card, cards, entries, views


def decoded(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def made(before: object, after: object) -> Any:
    return applied(decoded(before), decoded(delta(before, after)))


def test_nothing_changed_is_an_empty_object():
    view = BetweenView(None, None)

    assert delta(view, BetweenView(None, None)) == {}


def test_a_field_is_named_with_its_new_value_alone():
    before, after = MeldMade(Seat(0), Suit("H"), 100), MeldMade(Seat(1), Suit("H"), 100)

    assert delta(before, after) == {"seat": 1}
    assert made(before, after) == decoded(after)


def test_a_field_may_become_null():
    before, after = MeldMade(Seat(0), Suit("H"), 100), MeldMade(Seat(0), None, 100)

    assert decoded(delta(before, after)) == {"suit": None}
    assert made(before, after) == decoded(after)


def test_an_object_of_another_type_is_new():
    before, after = BetweenView(None, None), AuctionView((), None)

    assert delta(before, after) == [after]
    assert made(before, after) == decoded(after)


def test_an_array_that_grows_names_what_it_has_more():
    first, second = PlayedCard(Seat(0), card("AS")), PlayedCard(Seat(1), card("9S"))
    before, after = Trick((first,), Seat(0)), Trick((first, second), Seat(0))

    assert delta(before, after) == {"cards": {"1": [second]}}
    assert made(before, after) == decoded(after)


def test_an_array_that_shrinks_and_a_hand_are_new():
    first, second = PlayedCard(Seat(0), card("AS")), PlayedCard(Seat(1), card("9S"))

    assert delta((first, second), (second,)) == [(second,)]
    assert delta((first,), ()) == [()]
    assert delta(cards("AS KS"), cards("AS KS QS")) == [cards("AS KS QS")]


def test_an_array_that_was_empty_is_new():
    first = PlayedCard(Seat(0), card("AS"))

    assert delta((), (first,)) == [(first,)]
    assert made((), (first,)) == decoded((first,))


def test_a_whole_document_is_made_of_anything():
    assert applied(None, decoded(whole(Trick((), Seat(2))))) == {"cards": [], "winner": 2}
    assert applied({"a": 1}, decoded(whole(None))) is None
    assert applied({"a": 1}, decoded(whole("text"))) == "text"


def test_a_patch_leaves_the_document_before_as_it_was():
    before = {"a": [{"b": 1}], "c": 2}

    after = applied(before, {"a": {"0": {"b": 3}, "1": [{"b": 4}]}})

    assert after == {"a": [{"b": 3}, {"b": 4}], "c": 2}
    assert before == {"a": [{"b": 1}], "c": 2}


ROWS = re.findall(r"^\| `(.*)` \| `(.*)` \| `(.*)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("document", "patch", "becomes"), ROWS)
def test_the_protocol_gives_true_examples(document: str, patch: str, becomes: str):
    assert applied(json.loads(document), json.loads(patch)) == json.loads(becomes)


def test_the_protocol_gives_examples():
    assert len(ROWS) == 7


def test_every_view_of_a_random_game_follows_from_the_one_before():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    chance = random.Random(seed)
    for profile in ALL_PROFILES:
        earlier: dict[Seat, object] = {}
        for room, _ in entries(profile, chance, deals=2):
            for seat, view in views(room):
                before = earlier.get(seat)

                assert made(before, view) == decoded(view)
                earlier[seat] = view
