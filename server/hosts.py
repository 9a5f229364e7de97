"""Which names this server answers to, and whose pages may speak to it.

A page from anywhere can make its own name lead to this machine's address, and is then of one
origin with it in the eyes of its browser. Such a name has to be one that the world's DNS knows.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from server.config import Config
from server.lan import LOCAL_NAMES

Headers = Iterable[tuple[bytes, bytes]]
"""As they came: names in lower case."""

_HOST = re.compile(
    r"(?P<name>\[[0-9a-f:.]+\]|[0-9a-z_]([0-9a-z._-]*[0-9a-z])?)(?P<port>:[0-9]{1,5})?"
)


def header(headers: Headers, name: bytes) -> str | None:
    """The value of the one header `name`; None: there is none, or several."""
    values = [value for key, value in headers if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else None


class Hosts:
    """The names of one server."""

    def __init__(self, config: Config, machine: str | None = None) -> None:
        public = urlsplit(config.public_url or "")
        usual = ":443" if public.scheme == "https" else ":80"  # browsers leave it out
        self._public_host = public.netloc.lower().removesuffix(usual)
        self._public_origin = f"{public.scheme}://{self._public_host}"
        self._names = {
            name.lower()
            for name in (public.hostname, machine or socket.gethostname(), *config.allowed_hosts)
            if name
        }

    def host(self, headers: Headers) -> str | None:
        """The host and port that was asked for; None: it is not this server."""
        match = _HOST.fullmatch((header(headers, b"host") or "").lower())
        if match is None or not self._known(match["name"]):
            return None
        return match["name"] + (match["port"] or "")

    def _known(self, name: str) -> bool:
        return (
            _is_address(name)
            or "." not in name  # also `localhost`
            or name.endswith(LOCAL_NAMES)
            or name in self._names
        )

    def origin(self, host: str) -> str:
        """The origin of the pages that are read at `host`.

        This server speaks plain http; where a proxy before it speaks https, `--public-url` says so.
        """
        return self._public_origin if host == self._public_host else f"http://{host}"

    def own_page(self, headers: Headers, host: str) -> bool:
        """Whether a request at `host` was made by a page of this server, or by no page at all."""
        origin = [value.decode("latin-1").lower() for name, value in headers if name == b"origin"]
        # A proxy may have put a host of its own in the place of the one that the page was read at.
        return (
            origin in ([], [self.origin(host)], [self._public_origin])
            and header(headers, b"sec-fetch-site") != "cross-site"
        )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
