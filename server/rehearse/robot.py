"""A robot at one chair, without its socket: frames go in, frames come out.

It knows nothing but what the server sent to it, and keeps its chair through lost connections.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from functools import partial
from random import Random

import msgspec
from msgspec import Raw, Struct

from engine.cards import Card, Seat
from engine.choices import Choices
from engine.commands import SetReady
from engine.rejections import Reason
from engine.views import PlayerView
from server.protocol import Ask, Done, Join, NotSeated, Pong, Refused, Resume, Start, Wish
from server.rehearse.choices import Phase, Sight, choose
from server.rehearse.report import Stopwatch, Tally

REFUSALS = 20
"""Refusals in a row after which a robot gives up."""

AFTER_REFUSAL = 0.2
"""Seconds a robot waits before it tries something else."""

AFTER_ALL = 0.5
"""How often an ask is said before the line is dropped."""


class _Heard(Struct, frozen=True, tag_field="type"):
    """A message, read no further than a robot cares."""


class _Welcome(_Heard, frozen=True, tag="welcome"):
    pass


class _Sheet(_Heard, frozen=True, tag="sheet"):
    pass


class _Presence(_Heard, frozen=True, tag="presence"):
    pass


class _Proposals(_Heard, frozen=True, tag="proposals"):
    pass


class _Settled(_Heard, frozen=True, tag="settled"):
    pass


class _TableSight(Struct, frozen=True):
    me: Seat | None
    players: tuple[PlayerView | None, ...]
    games: int
    running: bool
    may_start: bool

    def ready(self, seat: Seat) -> bool:
        player = self.players[seat]
        return player is not None and player.ready


class _Table(_Heard, frozen=True, tag="table"):
    table: _TableSight


class _GameSight(Struct, frozen=True):
    """The parts that only who is on turn looks into stay as they came."""

    turn: Seat | None
    phase: Raw
    hand: Raw
    may: Raw


class _Update(_Heard, frozen=True, tag="update"):
    seq: int
    game: _GameSight | None


_Message = (
    _Welcome
    | _Table
    | _Sheet
    | _Presence
    | _Proposals
    | _Settled
    | _Update
    | Done
    | Refused
    | NotSeated
    | Pong
)

_read = msgspec.json.Decoder(list[_Message]).decode
_phase = msgspec.json.Decoder(Phase).decode
_hand = msgspec.json.Decoder(tuple[Card, ...]).decode
_may = msgspec.json.Decoder(Choices).decode
_write = msgspec.json.Encoder().encode


class Brief(Struct, frozen=True, kw_only=True):
    """What the robots of one room are to do, and where they count."""

    code: str
    games: int
    think: float
    """Seconds a robot thinks before it acts, on average; 0: it acts at once."""
    drop: float = 0.0
    """How often it loses its line with an act, from 0 to 1."""
    tally: Tally
    stopwatch: Stopwatch
    chance: Random


class Robot:
    """Sits down, is ready, starts games if it sits on the first chair, and plays until all are won.

    Used from one event loop. `finished`: it has nothing left to do; `failed`: it gave up.
    """

    def __init__(self, number: int, brief: Brief) -> None:
        self.finished = False
        self.failed = False
        self._number = number
        self._brief = brief
        self._token = secrets.token_urlsafe(16)
        self._known = False
        self._send: Callable[[bytes], None] | None = None
        self._hang_up: Callable[[], None] = lambda: None
        self._table: _TableSight | None = None
        self._game: _GameSight | None = None
        self._asked: tuple[Ask, float] | None = None
        self._refusals = 0
        self._thinking: asyncio.TimerHandle | None = None

    def connected(
        self, send: Callable[[bytes], None], hang_up: Callable[[], None] = lambda: None
    ) -> None:
        """The robot says hello, and from now on what it has to say, by `send`.

        `hang_up` breaks the line without a word.
        """
        self._send, self._hang_up = send, hang_up
        hello = (
            Resume(tokens=(self._token,))
            if self._known
            else Join(name=f"Robot {self._number + 1}", token=self._token)
        )
        send(_write(hello))

    def lost(self) -> None:
        """There is nobody to talk to until `connected` is called again."""
        self._send = None
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def fail(self, why: str) -> None:
        """The robot gives up; `why` is counted as an error."""
        if not self.finished:
            self._brief.tally.errors[why] += 1
            self.finished = self.failed = True

    def heard(self, frame: bytes) -> None:
        """The robot knows what `frame` says, and goes on."""
        now = time.perf_counter()
        for message in _read(frame):
            self._take(message, now)
        if self._asked is None and self._thinking is None and not self.finished:
            self._go_on()

    def _take(self, message: _Message, now: float) -> None:
        match message:
            case _Update(seq=seq, game=game):
                self._game = game
                self._brief.stopwatch.shown(self._number, seq, now)
            case Done(id=ask, seq=seq):
                self._settled(ask, seq, now)
            case Refused(id=ask, reason=reason):
                self._refused(ask, reason)
            case _Table(table=table):
                ended = self._table is not None and self._table.running and not table.running
                self._brief.tally.games += ended and self._number == 0
                self._table = table
            case _Welcome():
                self._known = True
                if self._asked is not None:
                    self._say(self._asked[0])
            case NotSeated(reason=reason):
                self.fail(f"not seated: {reason.value}")
            case _:
                pass

    def _settled(self, ask: str, seq: int, now: float) -> None:
        if self._asked is None or self._asked[0].id != ask:
            return self.fail("an answer to nothing")
        self._brief.tally.done(self._brief.code, self._token, ask, seq)
        self._brief.stopwatch.stored(seq, self._asked[1], now)
        self._asked, self._refusals = None, 0
        return None

    def _refused(self, ask: str, reason: Reason) -> None:
        if self._asked is None or self._asked[0].id != ask:
            return self.fail("an answer to nothing")
        self._brief.tally.errors[f"refused: {reason.value}"] += 1
        self._asked, self._refusals = None, self._refusals + 1
        if self._refusals > REFUSALS:
            return self.fail("refused again and again")
        self._after(AFTER_REFUSAL, self._go_on)
        return None

    def _go_on(self) -> None:
        table = self._table
        if table is None or self._send is None:
            return
        if table.games >= self._brief.games and not table.running:
            self.finished = True
        elif (due := self._due(table)) is not None:
            self._after(self._brief.think * self._brief.chance.uniform(0.5, 1.5), due)

    def _due(self, table: _TableSight) -> Callable[[], None] | None:
        """What the robot has to do now, if anything."""
        me, game = table.me, self._game
        if me is None:
            return None
        if table.running:
            return self._play if game is not None and game.turn == me else None
        if not table.ready(me):
            return partial(self._ask, SetReady(ready=True))
        return partial(self._ask, Start()) if me == 0 and table.may_start else None

    def _after(self, seconds: float, go: Callable[[], None]) -> None:
        if not seconds:
            return go()

        def awake() -> None:
            self._thinking = None
            go()

        self._thinking = asyncio.get_running_loop().call_later(seconds, awake)
        return None

    def _play(self) -> None:
        if self._game is None:
            return
        phase, hand, may = self._game.phase, self._game.hand, self._game.may
        sight = Sight(phase=_phase(phase), hand=_hand(hand), may=_may(may))
        wish = choose(sight, self._brief.chance)
        if wish is not None:
            self._ask(wish)

    def _ask(self, wish: Wish) -> None:
        ask = Ask(id=secrets.token_hex(8), action=wish)
        self._asked = ask, time.perf_counter()
        drops = self._brief.chance.random() < self._brief.drop
        if not drops or self._brief.chance.random() < AFTER_ALL:
            self._say(ask)
        if drops:
            self._brief.tally.drops += 1
            self._hang_up()

    def _say(self, ask: Ask) -> None:
        if self._send is not None:
            self._send(_write(ask))
