import pytest

from engine.cards import Card
from engine.commands import PlayCard
from server.protocol import FRAME_LIMIT, Ask, Close, Join, Ping, Watch
from server.session import Broken, Session

TOKEN = "A" * 22
ASK = '{"type":"ask","id":"12345678","action":{"type":"play_card","card":"HK"}}'


def welcomed() -> Session:
    session = Session()
    session.received('{"type":"watch"}')
    session.welcomed()
    return session


def test_a_hello_comes_first_and_asks_follow():
    session = Session()

    hello = session.received(f'{{"type":"join","name":"Anna","token":"{TOKEN}"}}')
    session.welcomed()

    assert hello == Join(name="Anna", token=TOKEN)
    assert session.received(ASK) == Ask(id="12345678", action=PlayCard(Card.HK))


def test_a_hello_that_was_not_welcomed_may_be_said_again():
    session = Session()
    session.received('{"type":"watch"}')

    assert session.received('{"type":"watch"}') == Watch()


def test_a_ping_may_come_at_any_time():
    assert Session().received('{"type":"ping","n":1}') == Ping(n=1)
    assert welcomed().received('{"type":"ping","n":2}') == Ping(n=2)


def test_an_ask_before_the_hello_breaks_the_protocol():
    with pytest.raises(Broken) as broken:
        Session().received(ASK)

    assert broken.value.code is Close.NO_HELLO


def test_a_token_with_a_line_break_behind_it_is_none():
    with pytest.raises(Broken) as broken:
        Session().received(f'{{"type":"resume","tokens":["{TOKEN}\\n"]}}')

    assert broken.value.code is Close.BAD_FRAME


def test_a_second_hello_breaks_the_protocol():
    with pytest.raises(Broken) as broken:
        welcomed().received('{"type":"watch"}')

    assert broken.value.code is Close.BAD_FRAME


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "nonsense",
        "null",
        "[]",
        "[" * 5000,
        '{"type":"ask"}',
        '{"type":"nothing"}',
        '{"type":"ask","id":"12345678","action":{"type":"play_card","card":"HX"}}',
        '{"type":"ask","id":"12345678","action":{"type":"play_card","card":"HK","seat":2}}',
        '{"type":"ask","id":"12345678","seat":2,"action":{"type":"play_card","card":"HK"}}',
        '{"type":"ask","id":"short","action":{"type":"pass"}}',
        '{"type":"ask","id":"12345678\\n","action":{"type":"pass"}}',
        '{"type":"ask","id":"12345678","action":{"type":"place_bid","points":"100"}}',
        '{"type":"ask","id":"12345678","action":{"type":"deal_cards"}}',
        '{"type":"resume","tokens":["too short"]}',
        '{"type":"join","name":"Anna"}',
        '{"type":"ping","n":1' + " " * FRAME_LIMIT + "}",
        "\ud800",
        b'{"type":"ping","n":1}',
    ],
)
def test_what_is_no_message_breaks_the_protocol(frame: str | bytes):
    with pytest.raises(Broken) as broken:
        welcomed().received(frame)

    assert broken.value.code is Close.BAD_FRAME
