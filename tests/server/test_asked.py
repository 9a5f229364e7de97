import pytest

from engine.cards import Seat
from engine.events import ReadySet
from engine.history import AskId, Entry
from engine.rejections import Reason
from server.asked import ENTRIES_KEPT, KEPT, Asked

ANNA = AskId("anna", "ask-0000")
READY = (ReadySet(seat=Seat(0), ready=True),)


def test_no_refusal_makes_the_house_forget_what_was_done():
    asked = Asked()
    asked.read([Entry(seq=1, facts=READY), Entry(seq=2, facts=READY, ask=ANNA)])
    for n in range(2 * KEPT):
        asked.answered(AskId("ben", f"ask-{n:04}"), Reason.WRONG_PHASE)

    assert asked.answer_to("ask-0000", ["anna"]) == 2


def test_of_asks_that_led_to_an_entry_the_latest_are_kept():
    entries = [
        Entry(seq=n, facts=READY, ask=AskId("anna", f"ask-{n:04}"))
        for n in range(1, ENTRIES_KEPT + 2)
    ]
    asked, read = Asked(), Asked()
    read.read(entries)
    for entry in entries:
        asked.stored(entry)

    for house in (asked, read):
        assert house.answer_to("ask-0001", ["anna"]) is None
        assert house.answer_to("ask-0002", ["anna"]) == 2


def test_an_ask_is_known_under_every_key_of_its_device_and_no_other():
    asked = Asked()
    asked.stored(Entry(seq=7, facts=READY, ask=ANNA))

    assert asked.answer_to("ask-0000", ["ben", "anna"]) == 7
    assert asked.answer_to("ask-0000", ["ben"]) is None
    assert asked.answer_to("ask-0000", []) is None


def test_of_answers_without_an_entry_the_latest_are_kept():
    asked = Asked()
    for n in range(KEPT + 1):
        asked.answered(AskId("anna", f"ask-{n:04}"), Reason.WRONG_PHASE)

    assert asked.answer_to("ask-0000", ["anna"]) is None
    assert asked.answer_to("ask-0001", ["anna"]) is Reason.WRONG_PHASE


@pytest.mark.parametrize("reason", [Reason.NOT_STORED, Reason.TOO_MANY])
def test_what_was_not_stored_or_came_too_soon_may_be_asked_again(reason: Reason):
    asked = Asked()
    asked.answered(ANNA, reason)

    assert asked.answer_to("ask-0000", ["anna"]) is None
