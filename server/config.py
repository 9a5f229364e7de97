"""What the one who runs the server may choose, checked once at start."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

STATIC = Path(__file__).with_name("static")  # where the build hook puts the client

EVERYWHERE = "0.0.0.0"  # noqa: S104  # the phones are elsewhere
PORT = 8000

NAME = re.compile(r"[0-9a-z]([0-9a-z.-]*[0-9a-z])?", re.IGNORECASE)
"""A host's name: no scheme, no port."""


class Config(Struct, frozen=True, kw_only=True):
    """Settings that hold until the process ends.

    Raises:
        ValueError: with a sentence for the one who runs the server.
    """

    data: Path
    host: str = EVERYWHERE
    port: int = PORT  # 0: any free one
    public_url: str | None = None  # what QR codes show, whatever the interfaces say
    allowed_hosts: tuple[str, ...] = ()  # names it is asked for by, beside those of a home

    def __post_init__(self) -> None:
        if self.port not in range(1 << 16):
            raise ValueError(f"The port must be a number from 0 to 65535, not {self.port}.")
        if self.public_url is not None and not _leads_somewhere(self.public_url):
            raise ValueError(
                f"The public URL must look like http://cards.example:8000, not {self.public_url}."
            )
        for name in self.allowed_hosts:
            if not NAME.fullmatch(name):
                raise ValueError(
                    f"A host to allow must be a bare name like cards.example, not {name}."
                )


def default_data() -> Path:
    """Where games are kept unless said otherwise: the data folder of the user."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "prikup"


def _leads_somewhere(url: str) -> bool:
    parts = urlsplit(url)
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and not parts.query
        and not parts.fragment
        and not any(char.isspace() for char in url)
    )
