"""Robots that remember what they were shown, and everything that was answered to them."""

import msgspec
from msgspec import Raw, Struct

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


class Witness(Robot):
    """A robot that keeps the last view it was shown; with `token` it is who had it before."""

    def __init__(self, number: int, brief: Brief, token: str | None = None) -> None:
        super().__init__(number, brief)
        self.code = brief.code
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


class Answers(Tally):
    """A tally that keeps every answer that an ask was done."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Answer] = []

    def done(self, room: str, token: str, ask: str, seq: int) -> None:
        super().done(room, token, ask, seq)
        self.given.append(Answer(room=room, key=key_of(token), id=ask, seq=seq))
