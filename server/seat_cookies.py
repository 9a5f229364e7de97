"""Seats in a device's cookies: they outlive its tabs, and no script can read them."""

from collections.abc import Iterable, Mapping

import msgspec
from starlette.responses import Response

from server.identity import key_of
from server.protocol import Token

_NAME = "seat-"
_KEPT_FOR = 400 * 24 * 3600
"""Seconds; the longest that browsers allow."""


def tokens_in(cookies: Mapping[str, str]) -> list[str]:
    """The tokens that a device's cookies hold; what is no token is passed over."""
    return [value for name, value in cookies.items() if name.startswith(_NAME) and _is_token(value)]


def keep(answer: Response, code: str, token: str, *, secure: bool) -> None:
    """The device that gets `answer` brings `token` whenever it asks for room `code`.

    One cookie a token, so that nothing has to be read to add one.
    """
    answer.set_cookie(
        _name(token),
        token,
        max_age=_KEPT_FOR,
        path=_path(code),
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def forget(answer: Response, code: str, tokens: Iterable[str]) -> None:
    """The device that gets `answer` brings `tokens` no more."""
    for token in tokens:
        answer.delete_cookie(_name(token), path=_path(code), httponly=True, samesite="strict")


def _name(token: str) -> str:
    return _NAME + key_of(token)[:8]


def _path(code: str) -> str:
    return f"/api/rooms/{code}"


def _is_token(value: str) -> bool:
    try:
        msgspec.convert(value, Token)
    except msgspec.ValidationError:
        return False
    return True
