"""Holds back those who ask too much, and turns them away where waiting is no answer."""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.answers import Refusal, turned_away
from server.http_messages import Problem
from server.limits import VISITOR, Bucket, Visitor
from server.places import Place
from server.protocol import Close
from server.strangers import PLACE, Strangers
from server.turnstile import Turnstile

Sleep = Callable[[float], Awaitable[object]]

PATIENCE = 3  # seconds after which it is worth to come again where all is full

ROOMS = "/api/rooms"

_DEAR = re.compile(r"/api/archive|/api/rooms/[^/]+/(games.*|evening|qr\.svg)")

MISTAKES = (Close.WRONG_TOKEN, Close.NO_SUCH_ROOM)


class Brakes:
    """The application, at a pace that leaves it to everybody."""

    def __init__(self, app: ASGIApp, strangers: Strangers, sleep: Sleep = asyncio.sleep) -> None:
        self._app = app
        self._strangers = strangers
        self._sleep = sleep
        self._turnstile = Turnstile()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visitor = None
        if scope["type"] != "lifespan":
            visitor = self._strangers.visitor(scope.get("client"))
            scope.setdefault("state", {})[VISITOR] = visitor
        if visitor is None:
            await self._app(scope, receive, send)
        elif _has_no_place(scope):
            await _tell_that_all_is_full(scope, receive, send)
        elif refusal := _refusal(scope, visitor):
            await turned_away(refusal, scope, receive, send)
        elif scope["type"] == "http":
            async with visitor.answering:
                await self._answer(visitor, scope, receive, send)
        else:
            place: Place | None = scope["state"].get(PLACE)
            await self._answer(visitor, scope, self._slowly(receive, visitor, place), send)

    async def _answer(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """The application answers, as soon as the address may be answered."""
        wait = visitor.requests.take()
        if _is_dear(scope):
            wait = max(wait, visitor.dear.take())
        if wait:
            await self._sleep(wait)
        await self._turnstile.enter(visitor.rank(seated=False))
        if _is_question(scope):
            question = Question(visitor, send, self._sleep)
            try:
                await self._app(scope, receive, question.answer)
            finally:
                question.end()
        else:
            await self._app(scope, receive, send)

    def _slowly(self, receive: Receive, visitor: Visitor, place: Place | None) -> Receive:
        """`receive`, which takes its time with a flood; the network then holds the rest back."""
        frames = Bucket(self._strangers.limits.frames, self._strangers.clock)

        async def receive_in_time() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                if wait := max(frames.take(), visitor.frames.take()):
                    await self._sleep(wait)
                sits = place is not None and place.sits
                await self._turnstile.enter(visitor.rank(seated=sits))
            return message

        return receive_in_time


class Question:
    """One question about a room, which is open until the first of its answer has left.

    The answer is held back as the mistakes *before* it demand, so right and wrong ones come alike.
    """

    def __init__(self, visitor: Visitor, send: Send, sleep: Sleep) -> None:
        self._visitor = visitor
        self._send = send
        self._sleep = sleep
        self._open = True
        visitor.questions += 1

    async def answer(self, message: Message) -> None:
        """Pass on a message of the answer."""
        delay = self._visitor.delay
        if _is_mistake(message):
            self._visitor.mistaken()
        if self._open and message["type"] != "websocket.accept":
            if delay:
                await self._sleep(delay)
            self.end()
        await self._send(message)

    def end(self) -> None:
        """It is answered, or nobody waits for an answer any more."""
        if self._open:
            self._open = False
            self._visitor.questions -= 1


def _has_no_place(scope: Scope) -> bool:
    place: Place | None = scope.get("state", {}).get(PLACE)
    return place is not None and place.refused


async def _tell_that_all_is_full(scope: Scope, receive: Receive, send: Send) -> None:
    """A page learns it by the status, a socket by the code with which it is closed."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": Close.FULL})
    else:
        refusal = Refusal(503, Problem(error="full"), retry_after=PATIENCE)
        await turned_away(refusal, scope, receive, send)


def _refusal(scope: Scope, visitor: Visitor) -> Refusal | None:
    if visitor.flooding:
        return _later(visitor.requests.wait())
    if _is_dear(scope) and visitor.overtaxing:
        return _later(visitor.dear.wait())
    if _is_question(scope) and visitor.crowded:
        return _later(visitor.delay)
    if _opens_room(scope):
        if wait := max(visitor.rooms.wait(), visitor.account.wait):
            return _later(wait)
        visitor.rooms.take()
    return None


def _later(seconds: float) -> Refusal:
    return Refusal(429, Problem(error="too-many"), retry_after=math.ceil(seconds))


def _opens_room(scope: Scope) -> bool:
    return (scope["type"], scope.get("method"), scope["path"]) == ("http", "POST", ROOMS)


def _is_dear(scope: Scope) -> bool:
    """Whether the answer is made of a whole game or evening, or is a picture."""
    return scope["type"] == "http" and _DEAR.fullmatch(scope["path"]) is not None


def _is_question(scope: Scope) -> bool:
    """Whether the answer tells if a room, or a seat in it, exists."""
    path: str = scope["path"]
    return path.startswith(f"{ROOMS}/")


def _is_mistake(message: Message) -> bool:
    match message["type"]:
        case "http.response.start":
            return message["status"] in (401, 404)
        case "websocket.close":
            return message.get("code") in MISTAKES
        case _:
            return False
