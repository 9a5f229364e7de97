"""Opens the log and the port, says where to go, and serves until told to stop."""

import gc
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn, TextIO

import uvicorn
from msgspec import structs

from server import lan, version
from server.app import create_app
from server.config import STATIC, Config
from server.door import Server
from server.limits import Limits
from server.lines import HttpLine, SocketLine
from server.log import EventLog, LogUnusable, SqliteLog
from server.profiles import ProfileInvalid, load_profiles
from server.protocol import FRAME_LIMIT

# A phone that sleeps does not say so. It is away when it has not answered for this long.
PING_EVERY = 5.0  # seconds
PONG_WITHIN = 10.0  # seconds

# What one connection can have sent before it is the others' turn: read in one go, and no more.
UNREAD = 32 * 1024  # bytes

# A thread that makes something of old games lets the table have its turn after so many seconds:
# with Python's own five milliseconds a table waits three times as long.
SWITCH_AFTER = 0.001

LAST_WORDS = 3  # seconds for open connections to end when told to stop

FILES = 4096
"""Files that the server asks the system for: each connection is one."""

OWN_FILES = 96
"""Those that are no connections of strangers: the log, the listener, pages that are being read."""


class CannotStart(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who runs the server."""


def serve(config: Config) -> None:
    """Serve until interrupted or terminated; afterwards the log is closed and complete.

    Raises:
        CannotStart: the client is not built; a profile, the data folder or the port cannot be used.
    """
    _require_client(STATIC)  # before a folder is made for nothing
    try:
        load_profiles()
        log = SqliteLog(config.data)
    except (ProfileInvalid, LogUnusable) as unusable:
        raise CannotStart(str(unusable)) from unusable
    with closing(log):
        serve_log(log, config, announce)


def serve_log(events: EventLog, config: Config, say: Callable[[Config, TextIO], None]) -> None:
    """Serve what is in `events` until interrupted or terminated, and `say` where.

    Raises:
        CannotStart: the client is not built, or the port cannot be used.
    """
    _require_client(STATIC)
    with closing(_listen(config)) as listener:
        address, port, *_ = listener.getsockname()
        config = structs.replace(config, host=address, port=port)
        server = Server(
            uvicorn.Config(
                create_app(events, config, limits=limits_of(_open_files())),
                loop="uvloop",
                http=HttpLine,
                ws=SocketLine,
                ws_per_message_deflate=False,  # costs more than a home network gains
                ws_ping_interval=PING_EVERY,
                ws_ping_timeout=PONG_WITHIN,
                ws_max_size=FRAME_LIMIT,
                timeout_graceful_shutdown=LAST_WORDS,
                lifespan="on",
                proxy_headers=False,
                server_header=False,
                access_log=False,
                log_level="warning",
            ),
            listener,
        )
        _calm_collector()
        sys.setswitchinterval(SWITCH_AFTER)
        # uvicorn ends in peace on a signal and then raises it again, for whoever came before.
        signal.signal(signal.SIGTERM, _leave)
        say(config, sys.stdout)
        with suppress(KeyboardInterrupt):
            server.run()


def limits_of(files: int) -> Limits:
    """The limits of a process that may have so many files open at a time."""
    usual = Limits()
    places = max(8, min(usual.all_connections, files - OWN_FILES))
    return structs.replace(usual, all_connections=places)


def _open_files() -> int:
    """How many files this process may have open from now on, which is as many as it can get."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return FILES
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft >= wanted:
        return soft
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def announce(config: Config, out: TextIO) -> None:
    """Print where to go: the address, its QR code, and what else there is to know."""
    found = lan.interfaces(config.host)
    url = lan.join_url(config.public_url, None, found, config.port)
    others = [
        other
        for address in ([] if config.public_url else lan.lan_addresses(found))
        if (other := lan.join_url(None, None, [lan.Interface("", address)], config.port)) != url
    ]
    lines = [f"Prikup {version()}", ""]
    if (out.encoding or "").lower().startswith("utf"):
        lines += [*lan.qr_terminal(url).splitlines(), ""]
    if lan.is_loopback(url):
        lines += [
            f"Open on this machine  {url}",
            "",
            "No network for phones was found, so nobody else can open this address.",
            "Join a network and start again, or say the address with --public-url.",
        ]
    else:
        lines += [f"Open on every phone   {url}"]
        lines += [f"                 or   {other}" for other in others]
    lines += ["", f"Games are kept in     {config.data}", "To stop               Ctrl+C", ""]
    out.write("\n" + "".join(f"  {line}\n" if line else "\n" for line in lines))
    out.flush()


def _calm_collector() -> None:
    """The garbage collector looks less often, and never at what is there for good.

    States and views are trees that die by themselves; looking for cycles among them cost a fifth
    of the processor time of an action.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _require_client(static: Path) -> None:
    if not (static / "index.html").is_file():
        raise CannotStart(
            "The client is not built: run `npm --prefix client ci` and "
            "`npm --prefix client run build`, or install Prikup again."
        )


def _listen(config: Config) -> socket.socket:
    """A socket that already takes connections, so that what is announced is true."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotStart(
            f"The address {config.host} means nothing here: {error.strerror}."
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)
        listener.bind(address)
        listener.listen(socket.SOMAXCONN)
    except OSError as error:
        listener.close()
        raise CannotStart(
            f"Port {config.port} on {config.host} cannot be used: {error.strerror}. "
            "Choose another with --port."
        ) from error
    return listener


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
