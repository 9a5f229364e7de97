"""One connection without its socket: frames go in, what they mean comes out.

A session knows in which order messages may come. It knows nothing of rooms, cards or sockets.
"""

import msgspec

from server.protocol import (
    FRAME_LIMIT,
    Ask,
    Claim,
    ClientMessage,
    Close,
    Face,
    Hello,
    Join,
    Ping,
    Resume,
    Watch,
)

_decode = msgspec.json.Decoder(ClientMessage).decode


class Broken(Exception):  # noqa: N818  # reads as what is the case
    """The other side does not speak the protocol; the socket is to be closed with `code`."""

    def __init__(self, code: Close) -> None:
        super().__init__(code.name)
        self.code = code


class Session:
    """The order of messages on one connection: first a hello that is welcomed, then asks."""

    def __init__(self) -> None:
        self._welcomed = False

    def received(self, frame: str | bytes) -> Hello | Ask | Face | Ping:
        """What `frame` says. Pings may come at any time.

        Raises:
            Broken: it is binary, too long, no message, or a message out of order.
        """
        if isinstance(frame, bytes) or len(frame) > FRAME_LIMIT:
            raise Broken(Close.BAD_FRAME)
        try:
            message = _decode(frame)
        except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as error:
            raise Broken(Close.BAD_FRAME) from error
        match message:
            case Ping():
                return message
            case Ask() | Face():
                if not self._welcomed:
                    raise Broken(Close.NO_HELLO)
                return message
            case Join() | Resume() | Claim() | Watch():
                if self._welcomed:
                    raise Broken(Close.BAD_FRAME)
                return message

    def welcomed(self) -> None:
        """The hello was accepted: from now on asks may come, and no second hello."""
        self._welcomed = True
