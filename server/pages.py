"""The built client as the server gives it out."""

import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from server.answers import FRESH
from server.identity import read_code

_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


def build_id(static: Path) -> str:
    """A short name of the built client; a page of another build has to load itself again."""
    pages = sorted(static.glob("*.html"))
    return hashlib.blake2b(b"".join(page.read_bytes() for page in pages), digest_size=6).hexdigest()


class Assets(StaticFiles):
    """Built files whose names hold a hash of their content: kept by browsers for good."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401  # Starlette's own
        response = super().file_response(*args, **kwargs)
        response.headers.update(_KEPT)
        return response


def page(file: Path) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that serves `file`, which browsers ask for anew each time."""

    async def answer(request: Request) -> Response:
        code = request.path_params.get("code")
        if code is not None and read_code(code) is None:
            raise HTTPException(404)
        return FileResponse(file, headers=FRESH)

    return answer
