"""What waits to be sent to one connection: bounded, and always the newest.

A slow phone holds nobody up. Views and documents replace each other while they wait, and of the
news that is told to everybody the latest are kept. Only answers to what the phone said itself
queue, and whoever lets too many of them pile up is hung up on.
"""

import asyncio
from collections import deque
from typing import assert_never

import msgspec
from msgspec.structs import replace

from server.protocol import (
    Close,
    Done,
    NotSeated,
    Pong,
    Presence,
    Proposals,
    Refused,
    ServerMessage,
    Settled,
    Sheet,
    Table,
    Update,
    Welcome,
)

ANSWERS_WAITING = 64
"""Answers that may wait for one connection."""

NEWS_WAITING = 8
"""What became of proposals, as far as it may wait; a phone that wakes wants the last few."""

GLIMPSES_WAITING = 48
"""Glimpses that may wait; a screen that is further behind is shown the view at once."""

_encode = msgspec.json.Encoder().encode


class Outbox:
    """Messages for one connection. Used from one event loop; one reader takes frames from it."""

    def __init__(self) -> None:
        self._welcome: Welcome | None = None
        self._answers: list[Done | Refused | NotSeated | Pong] = []
        self._settled: deque[Settled] = deque(maxlen=NEWS_WAITING)
        self._table: Table | None = None
        self._sheet: Sheet | None = None
        self._presence: Presence | None = None
        self._proposals: Proposals | None = None
        self._update: Update | None = None
        self._news = asyncio.Event()
        self.closing: Close | None = None
        """Once set: nothing more is sent but what waits, then the socket is closed with it."""

    def post(self, message: ServerMessage) -> None:
        """`message` is sent with the next frame, unless a newer one of its kind replaces it."""
        match message:
            case Update():
                self._update = _after(self._update, message)
            case Table():
                self._table = message
            case Sheet():
                self._sheet = message
            case Presence():
                self._presence = message
            case Proposals():
                self._proposals = message
            case Welcome():
                self._welcome = message
            case Settled():
                self._settled.append(message)
            case Done() | Refused() | NotSeated() | Pong():
                self._answers.append(message)
                if len(self._answers) > ANSWERS_WAITING:
                    self.close(Close.TOO_SLOW)
            case never:
                assert_never(never)
        self._news.set()

    def give_up(self) -> None:
        """The socket is closed as `FAILED` after the answers; what was to be seen is not whole."""
        self._take_documents()
        self.close(Close.FAILED)

    def close(self, code: Close) -> None:
        """The socket is closed with `code` after what waits; the first code stays."""
        self.closing = self.closing or code
        self._news.set()

    async def frame(self) -> bytes | None:
        """Everything that waits as one frame, as soon as there is something; None: hang up.

        A welcome comes first, then the documents, then the news, then the answers: what an answer
        speaks of is there when it is read.
        """
        while not (messages := self._take()):
            if self.closing is not None:
                return None
            self._news.clear()
            await self._news.wait()
        return _encode(messages)

    def _take(self) -> list[ServerMessage]:
        messages = [*self._take_documents(), *self._settled, *self._answers]
        self._settled.clear()
        self._answers = []
        return messages

    def _take_documents(self) -> list[ServerMessage]:
        documents = (
            self._welcome,
            self._table,
            self._sheet,
            self._presence,
            self._update,
            self._proposals,
        )
        self._welcome = self._table = self._sheet = None
        self._presence = self._update = self._proposals = None
        return [document for document in documents if document is not None]


def _after(waiting: Update | None, newer: Update) -> Update:
    """`newer` with the glimpses that were not sent yet, or with none if they are too many."""
    if waiting is None:
        return newer
    glimpses = waiting.glimpses + newer.glimpses
    behind = not waiting.glimpses or not newer.glimpses or len(glimpses) > GLIMPSES_WAITING
    return replace(newer, glimpses=() if behind else glimpses)
