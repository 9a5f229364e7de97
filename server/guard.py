"""Turns away what is meant for another host, and what pages from elsewhere try to do here."""

from starlette.types import ASGIApp, Receive, Scope, Send

from server.answers import Refusal, turned_away
from server.hosts import Hosts
from server.http_messages import Problem


class Guard:
    """The application, for those who mean this server."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await turned_away(refusal, scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        host = self._hosts.host(scope["headers"])
        if host is None:
            return Refusal(421, Problem(error="wrong-host"))
        if not _only_reads(scope) and not self._hosts.own_page(scope["headers"], host):
            return Refusal(403, Problem(error="wrong-origin"))
        return None


def _only_reads(scope: Scope) -> bool:
    """Whether it does nothing, so that it is enough that no page from elsewhere sees the answer."""
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
