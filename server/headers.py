"""What every answer tells the browser: to believe and load nothing from elsewhere."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.hosts import Hosts

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

ALWAYS = [
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]


class Headers:
    """The application, with these headers on its answers."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                host = self._hosts.host(scope["headers"])
                policy = policy_at(self._hosts.origin(host) if host else "")
                added = [*ALWAYS, (b"content-security-policy", policy.encode("latin-1"))]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        await self._app(scope, receive, send_with_headers)


def policy_at(origin: str) -> str:
    """The policy for a page of `origin`.

    To Safari before 15.4 a WebSocket to the page's own host is not `'self'`, so it is named.
    The policy's grammar has no IPv6 addresses; there such a Safari has to use IPv4.
    """
    policy = dict(POLICY)
    if origin and "[" not in origin:
        policy["connect-src"] += f" ws{origin.removeprefix('http')}"
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())
