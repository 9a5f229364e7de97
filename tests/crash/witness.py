"""Robots that remember what they were shown, and everything that was answered to them."""

from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct

from engine.history import AskId
from engine.rejections import Reason
from engine.views import Viewer
from server.identity import key_of
from server.rehearse.report import Answer, Tally
from server.rehearse.robot import Brief, Robot


class Shown(Struct, frozen=True):
    """The view after entry `seq`, in the bytes in which it came."""

    seq: int
    game: Raw


class View(Struct, frozen=True, kw_only=True):
    """What was shown last to whoever looks with the eyes of `me`."""

    me: Viewer
    seq: int
    game: Raw


_UPDATE = b'{"type":"update",'
_parts = msgspec.json.Decoder(list[Raw]).decode
_shown = msgspec.json.Decoder(Shown).decode


class Answers(Tally):
    """A tally that keeps every answer that an ask was done, or could not be stored."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Answer] = []
        self.refused: list[tuple[str, AskId]] = []
        """Asks that were not stored, each with its room."""
        self.at_next: Callable[[], None] = _nothing
        """Called once, in the moment in which the next ask is answered as done."""

    def done(self, room: str, token: str, ask: str, seq: int) -> None:
        at_this, self.at_next = self.at_next, _nothing
        at_this()
        super().done(room, token, ask, seq)
        self.given.append(Answer(room=room, key=key_of(token), id=ask, seq=seq))


def _nothing() -> None:
    """What is done about most answers."""


class Witness(Robot):
    """A robot that keeps the last view it was shown, and in `answers` what it was answered.

    With `token` it is who had it before.
    """

    def __init__(
        self, number: int, brief: Brief, answers: Answers, token: str | None = None
    ) -> None:
        super().__init__(number, brief)
        self.code = brief.code
        self._answers = answers
        self.shown: Shown | None = None
        if token is not None:
            self._token = token

    @property
    def token(self) -> str:
        return self._token

    @property
    def has_line(self) -> bool:
        """Whether it can be told anything."""
        return self._send is not None

    @property
    def view(self) -> View | None:
        """What it was shown last."""
        if self.shown is None or self._table is None:
            return None
        return View(me=self._table.me, seq=self.shown.seq, game=self.shown.game)

    def heard(self, frame: bytes) -> None:
        for part in _parts(frame):
            if bytes(memoryview(part)[: len(_UPDATE)]) == _UPDATE:
                self.shown = _shown(part)
        super().heard(frame)

    def _refused(self, ask: str, reason: Reason) -> None:
        if reason is Reason.NOT_STORED:
            self._answers.refused.append((self.code, AskId(key_of(self.token), ask)))
        super()._refused(ask, reason)
