"""An ethernet in this process: the machines on it are real to the kernel, the cables are bad."""

import asyncio
import fcntl
import os
import struct
from random import Random

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000

FRAME = 2048
"""Bytes of a frame at most, and some more."""

BROADCAST = 1
"""The bit of an address by which a frame is for everybody."""


class Ether:
    """Carries frames between tap devices: of `loss` some never arrive, all of them late.

    `late`: seconds that a frame takes at most, and half of that at least. Frames to one device stay
    in order, as they do on a radio.
    """

    def __init__(self, chance: Random, loss: float, late: float) -> None:
        self.lost = self.carried = 0
        self._chance = chance
        self._loss = loss
        self._late = late
        self._ports: list[int] = []
        self._port_of: dict[bytes, int] = {}
        self._free_at: dict[int, float] = {}

    def plug(self, device: str) -> None:
        """A new tap device of this name is on the ether; it may be moved to any namespace."""
        port = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(port, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TAP | IFF_NO_PI))
        self._ports.append(port)
        asyncio.get_running_loop().add_reader(port, self._arrived, port)

    def close(self) -> None:
        """The devices are gone."""
        for port in self._ports:
            asyncio.get_running_loop().remove_reader(port)
            os.close(port)
        self._ports.clear()

    def _arrived(self, port: int) -> None:
        frame = os.read(port, FRAME)
        to, sender = frame[:6], frame[6:12]
        self._port_of[sender] = port
        known = None if to[0] & BROADCAST else self._port_of.get(to)
        for other in self._ports if known is None else [known]:
            if other != port:
                self._carry(frame, other)

    def _carry(self, frame: bytes, port: int) -> None:
        if self._chance.random() < self._loss:
            self.lost += 1
            return
        self.carried += 1
        loop = asyncio.get_running_loop()
        at = loop.time() + self._chance.uniform(self._late / 2, self._late)
        at = self._free_at[port] = max(at, self._free_at.get(port, 0.0))
        loop.call_at(at, self._deliver, frame, port)

    def _deliver(self, frame: bytes, port: int) -> None:
        if port in self._ports:
            try:
                os.write(port, frame)
            except OSError:  # the device is down: nobody is there to take it
                self.lost += 1
