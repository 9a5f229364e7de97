from engine.cards import Seat
from engine.events import ReadySet
from engine.history import AskId, Entry
from engine.rejections import Reason
from server.asked import KEPT, Asked

ANNA = AskId("anna", "ask-0000")
READY = (ReadySet(seat=Seat(0), ready=True),)


def test_an_entry_answers_its_ask_for_ever():
    asked = Asked()
    asked.read([Entry(seq=1, facts=READY), Entry(seq=2, facts=READY, ask=ANNA)])
    for n in range(2 * KEPT):
        asked.answered(AskId("ben", f"ask-{n:04}"), Reason.WRONG_PHASE)

    assert asked.answer_to("ask-0000", ["anna"]) == 2


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


def test_what_was_not_stored_may_be_asked_again():
    asked = Asked()
    asked.answered(ANNA, Reason.NOT_STORED)

    assert asked.answer_to("ask-0000", ["anna"]) is None
