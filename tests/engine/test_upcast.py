"""Whatever an earlier version has stored loads, and is what that version saw."""

import typing
from typing import Any

import msgspec
import pytest

from engine.events import AnyEvent, GameStarted, Undone
from engine.history import SCHEMA, Entry, past_of
from engine.upcast import STEPS, upcast
from tests.golden_logs import DIGESTS, EVENINGS, LOGS, RELEASED, digests, lines_of, read, seen
from tests.support import RU_3, Evening

FILES = sorted(LOGS.glob("*/*.jsonl"))


def agrees(now: Any, then: Any) -> bool:
    """Whether `now` says all that `then` said; it may say more."""
    match then:
        case dict():
            return all(key in now and agrees(now[key], value) for key, value in then.items())
        case list():
            return len(now) == len(then) and all(map(agrees, now, then))
        case _:
            return bool(now == then)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_golden_log_folds_to_what_was_seen_when_it_was_stored(file):
    then = msgspec.json.decode(file.with_suffix(".view.json").read_bytes())

    now = msgspec.json.decode(msgspec.json.encode(seen(past_of(read(file)))))

    assert agrees(now, then)


def test_there_are_golden_logs_of_every_schema():
    assert {file.parent.name for file in FILES} == {f"v{schema}" for schema in (*STEPS, SCHEMA)}
    assert {file.stem for file in FILES if file.parent.name == f"v{SCHEMA}"} == set(EVENINGS)


def test_nobody_has_edited_a_golden_log():
    assert digests() == DIGESTS.read_text("utf-8").splitlines()
    assert RELEASED <= SCHEMA


def test_every_fact_is_in_a_golden_log_of_today():
    kinds = {
        type(fact)
        for file in FILES
        if file.parent.name == f"v{SCHEMA}"
        for entry in read(file)
        for fact in entry.facts
    }

    assert kinds == {*typing.get_args(AnyEvent), Undone}


def test_a_shape_that_changes_without_a_new_schema_is_noticed():
    for file in FILES:
        if file.parent.name == f"v{SCHEMA}":
            assert lines_of(read(file)) == file.read_bytes()


def test_an_entry_of_today_is_left_as_it_is():
    shape = {"seq": 1, "facts": [], "ask": None, "schema": SCHEMA}

    assert upcast(shape, SCHEMA) is shape


def test_every_schema_before_todays_leads_on_to_the_next():
    assert list(STEPS) == list(range(1, SCHEMA))


def test_a_game_of_schema_1_does_not_know_when_it_began():
    (started,) = (fact for fact in Evening(RU_3).facts if isinstance(fact, GameStarted))
    stored = msgspec.to_builtins(Entry(seq=4, facts=(started,), schema=1))
    del stored["facts"][0]["at"]

    entry = msgspec.convert(upcast(stored, 1), Entry)

    assert entry == Entry(seq=4, facts=(started,))
    assert entry.schema == SCHEMA
