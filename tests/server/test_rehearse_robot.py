"""A robot without a socket: what it says to what it hears."""

import asyncio
import random
from collections.abc import Sequence

import msgspec
import pytest

from engine.cards import Seat
from engine.commands import PlayCard, SetReady
from engine.rejections import Reason
from engine.views import PlayerView, TableView, profile_view
from server.protocol import (
    Ask,
    ClientMessage,
    Done,
    Join,
    NotSeated,
    Options,
    Presence,
    Refused,
    Resume,
    ServerMessage,
    Start,
    Table,
    Update,
    Welcome,
)
from server.rehearse import robot as robots
from server.rehearse.report import Stopwatch, Tally
from server.rehearse.robot import Brief, Robot
from tests.support import RU_3, Evening

WELCOME = Welcome(protocol=1, build="b", epoch="e", code="KVRT", url="http://k")
_read = msgspec.json.Decoder(ClientMessage).decode


class Wire:
    """A robot for one game, and everything it says."""

    def __init__(self, *, think: float = 0.0, drop: float = 0.0) -> None:
        self.tally = Tally()
        brief = Brief(
            code="KVRT",
            games=1,
            think=think,
            drop=drop,
            tally=self.tally,
            stopwatch=Stopwatch(1, self.tally.latencies),
            chance=random.Random(1),
        )
        self.robot = Robot(0, brief)
        self.said: list[ClientMessage] = []
        self.hung_up = 0
        self.connect()

    def connect(self) -> None:
        self.robot.connected(lambda frame: self.said.append(_read(frame)), self._hangs_up)

    def _hangs_up(self) -> None:
        self.hung_up += 1

    def says(self, *messages: ServerMessage) -> None:
        self.robot.heard(msgspec.json.encode(messages))

    @property
    def hello(self) -> ClientMessage:
        """The last that was no ask."""
        return next(one for one in reversed(self.said) if not isinstance(one, Ask))

    @property
    def last(self) -> Ask:
        ask = self.said[-1]
        assert isinstance(ask, Ask)
        return ask


def table(
    *, ready: Sequence[bool] = (False,) * 3, games: int = 0, running: bool = False, me: int = 0
) -> Table:
    return Table(
        table=TableView(
            me=Seat(me),
            players=tuple(PlayerView(f"Robot {i + 1}", one) for i, one in enumerate(ready)),
            first_dealer=None,
            take_back="ask",
            profile=profile_view(RU_3),
            games=games,
            running=running,
            may_start=all(ready) and not running,
        ),
        mine=(Seat(me),),
    )


def update(evening: Evening, seq: int) -> Update:
    return Update(seq=seq, game=evening.view("A"), glimpses=(), options=Options())


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def leading() -> Evening:
    """A deal in which the first chair is to lead."""
    evening = Evening(RU_3)
    evening.plays_from(
        A="AS 10S KH QH JH 9D 9C AC", B="KS QS JS 9S AD 10D KD QD", C="AH 10H 9H JD 10C KC QC JC"
    )
    return evening


def test_it_joins_and_is_ready(wire: Wire):
    wire.says(WELCOME, table())

    assert isinstance(wire.said[0], Join)
    assert wire.last.action == SetReady(ready=True)


def test_on_the_first_chair_it_starts_when_all_are_ready(wire: Wire):
    wire.says(WELCOME, table(ready=(True, True, True)))

    assert wire.last.action == Start()


def test_on_another_chair_it_leaves_that_to_the_first(wire: Wire):
    wire.says(WELCOME, table(ready=(True, True, True), me=1))

    assert len(wire.said) == 1


def test_on_turn_it_acts_once(wire: Wire, leading: Evening):
    wire.says(WELCOME, table(running=True, games=1), update(leading, 9))
    wire.says(Presence(players=("here", "here", "here"), watchers=0))

    assert len(wire.said) == 2
    assert wire.last.action in [PlayCard(one) for one in leading.may("A").play]


def test_off_turn_it_waits(wire: Wire, leading: Evening):
    wire.says(WELCOME, table(running=True, games=1, me=1), update(leading, 9))

    assert len(wire.said) == 1


def test_after_a_lost_line_it_resumes_and_asks_again_under_the_same_id(wire: Wire):
    wire.says(WELCOME, table())
    ask, hello = wire.last, wire.hello
    assert isinstance(hello, Join)
    wire.robot.lost()

    wire.connect()
    wire.says(WELCOME, table())

    assert wire.hello == Resume(tokens=(hello.token,))
    assert wire.last == ask


def test_a_join_that_was_never_welcomed_is_said_again(wire: Wire):
    wire.robot.lost()
    wire.connect()

    assert wire.said[0] == wire.said[1]


def test_what_was_done_is_counted_and_timed(wire: Wire):
    wire.says(WELCOME, table())
    ready = table(ready=(True, False, False))
    wire.says(
        ready,
        Update(seq=4, game=None, glimpses=(), options=Options()),
        Done(id=wire.last.id, seq=4),
    )

    assert wire.tally.actions == 1
    assert len(wire.tally.latencies) == 1


async def test_a_refusal_is_an_error_and_it_tries_again(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(robots, "AFTER_REFUSAL", 0.001)
    wire.says(WELCOME, table())
    first = wire.last
    wire.says(Refused(id=first.id, reason=Reason.NOT_STORED))
    while wire.said[-1] is first:  # noqa: ASYNC110  # the robot has no events
        await asyncio.sleep(0)

    assert wire.tally.errors == {"refused: not-stored": 1}
    assert wire.last.id != first.id
    assert wire.last.action == first.action


async def test_it_gives_up_when_it_is_refused_again_and_again(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(robots, "AFTER_REFUSAL", 0.0)
    wire.says(WELCOME, table())
    while not wire.robot.finished:
        wire.says(Refused(id=wire.last.id, reason=Reason.NOT_STORED))

    assert wire.robot.failed
    assert wire.tally.errors["refused again and again"] == 1


def test_it_gives_up_without_a_chair(wire: Wire):
    wire.says(NotSeated(reason=Reason.TABLE_FULL))

    assert wire.robot.failed
    assert wire.tally.errors == {"not seated: table-full": 1}


def test_an_answer_to_nothing_is_an_error(wire: Wire):
    wire.says(WELCOME, Done(id="ask-00000001", seq=3))

    assert wire.robot.failed
    assert wire.tally.errors == {"an answer to nothing": 1}


def test_when_the_last_game_is_won_it_has_finished(wire: Wire):
    wire.says(WELCOME, table(running=True, games=1))
    wire.says(table(games=1))

    assert wire.robot.finished
    assert wire.tally.games == 1


async def test_it_thinks_before_it_acts(leading: Evening):
    wire = Wire(think=0.001)
    wire.says(WELCOME, table(running=True, games=1), update(leading, 9))
    assert len(wire.said) == 1

    while len(wire.said) == 1:  # noqa: ASYNC110  # the robot has no events
        await asyncio.sleep(0)

    assert isinstance(wire.last.action, PlayCard)


@pytest.mark.parametrize("drop", [0.0, 1.0])
def test_it_hangs_up_as_often_as_it_was_told_and_asks_again_when_it_is_back(drop: float):
    wire = Wire(drop=drop)
    wire.says(WELCOME, table())
    assert wire.hung_up == wire.tally.drops == drop
    wire.robot.lost()

    wire.connect()
    wire.says(WELCOME)

    assert wire.last.action == SetReady(ready=True)
    assert wire.hung_up == drop
