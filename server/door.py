"""Takes connections off the listener: many in a turn of the event loop, and few of them in.

The loop itself takes one in each turn and makes all that a connection needs for it. Whoever opens
connections without end is cut here, before anything is made for him: what waits behind him in the
system's queue, which is short and lets nobody in once it is full, soon has its turn.
"""

import asyncio
import socket
from collections.abc import Callable
from struct import pack

import uvicorn

from server.lines import STRANGERS
from server.strangers import Strangers

TAKEN = 64
"""Connections that are taken in one turn at most."""

LET_IN = 8
"""Those of them for which a line is made, which costs fifty times as much as to cut one."""

NO_FILES = 0.1
"""Seconds until it is tried again where the system gives no more files."""

_AT_ONCE = pack("ii", 1, 0)  # lingers for no second: nothing is left of it, here and there


class Door:
    """The way from a listener to the lines of its connections. Used from one event loop."""

    def __init__(
        self,
        listener: socket.socket,
        strangers: Strangers,
        make_line: Callable[[], asyncio.Protocol],
    ) -> None:
        self._listener = listener
        self._strangers = strangers
        self._make_line = make_line
        self._coming: set[asyncio.Task[object]] = set()

    def open(self) -> None:
        """Connections come in from now on, until it is closed."""
        if self._listener.fileno() < 0:
            return
        self._listener.settimeout(0)
        asyncio.get_running_loop().add_reader(self._listener, self._take)

    def close(self) -> None:
        """No further connection comes in."""
        asyncio.get_running_loop().remove_reader(self._listener)

    def _take(self) -> None:
        let_in = 0
        for _ in range(TAKEN):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:  # no file is free
                self.close()
                asyncio.get_running_loop().call_later(NO_FILES, self.open)
                return
            visitor = self._strangers.visitor((address[0], address[1]))
            if visitor is not None and visitor.connects.take():
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                connection.close()
                continue
            connection.settimeout(0)
            self._let_in(connection)
            let_in += 1
            if let_in == LET_IN:
                return

    def _let_in(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        coming = loop.create_task(loop.connect_accepted_socket(self._make_line, connection))
        self._coming.add(coming)
        coming.add_done_callback(self._coming.discard)


class Server(uvicorn.Server):
    """A server whose connections come in through our own door, off `listener`."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket) -> None:
        super().__init__(config)
        self._listener = listener
        self._door: Door | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002  # there is one
        await super().startup(sockets=[])
        strangers: Strangers = self.lifespan.state[STRANGERS]
        self._door = Door(self._listener, strangers, self._line)
        self._door.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._door is not None:
            self._door.close()
        self._listener.close()  # also to a door that is to be opened again
        await super().shutdown(sockets)

    def _line(self) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        return made
