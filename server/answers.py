"""What an HTTP answer looks like: JSON, and one shape for everything that fails."""

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from server.protocol import Problem

FRESH = {"Cache-Control": "no-cache"}
"""Asked for anew each time."""

BODY_LIMIT = 16_384
"""Bytes of a request's body at most."""


class Refusal(Exception):  # noqa: N818  # an answer, not a fault
    """A request that cannot be served, as its status and its word."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.error)
        self.status = status
        self.problem = problem


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
    return json(refusal.problem, refusal.status)


async def not_found(_request: Request, error: Exception) -> Response:
    """The answer to a request that leads nowhere."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return json(
        Problem(error="not-found" if status == HTTPStatus.NOT_FOUND else "bad-request"), status
    )
