"""What an HTTP answer looks like: JSON, and one shape for everything that fails."""

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.http_messages import Problem

FRESH = {"Cache-Control": "no-cache"}
"""Asked for anew each time."""

BODY_LIMIT = 16_384
"""Bytes of a request's body at most."""


class Refusal(Exception):  # noqa: N818  # an answer, not a fault
    """A request that cannot be served, as its status and its word."""

    def __init__(self, status: int, problem: Problem, retry_after: int | None = None) -> None:
        super().__init__(problem.error)
        self.status = status
        self.problem = problem
        self.retry_after = retry_after
        """Seconds; None: trying again does not help."""

    def response(self) -> Response:
        """The answer."""
        answer = json(self.problem, self.status)
        if self.retry_after is not None:
            answer.headers["Retry-After"] = str(self.retry_after)
        return answer


def json(body: object, status: int = 200) -> Response:
    """`body` as JSON, asked for anew each time."""
    return Response(msgspec.json.encode(body), status, headers=FRESH, media_type="application/json")


async def body_of(request: Request) -> bytes:
    """The request's body.

    Raises:
        Refusal: it is too long, or was broken off, and then nobody hears it.
    """
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_LIMIT:
                raise Refusal(413, Problem(error="bad-request"))
    except ClientDisconnect as error:
        raise Refusal(400, Problem(error="bad-request")) from error
    return body


async def refused(_request: Request, refusal: Exception) -> Response:
    """The answer to a request that was refused."""
    if not isinstance(refusal, Refusal):
        raise refusal
    return refusal.response()


async def turned_away(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """The answer to a request that no endpoint sees; to a handshake it is 403 without a word."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})
    else:
        await refusal.response()(scope, receive, send)


async def failed(_request: Request, _error: Exception) -> Response:
    """The answer to a request at which the server itself failed, which its log tells about."""
    return json(Problem(error="failed"), 500)


async def not_found(_request: Request, error: Exception) -> Response:
    """The answer to a request that leads nowhere."""
    if not isinstance(error, HTTPException):
        raise error
    found = error.status_code != HTTPStatus.NOT_FOUND
    return json(Problem(error="bad-request" if found else "not-found"), error.status_code)
