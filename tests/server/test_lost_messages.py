"""Lines that lose, double and reorder what is said, and break: nobody ever notices at the end.

Real connections, with queues in place of their sockets.
"""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace
from starlette.types import Message
from starlette.websockets import WebSocket

from engine.commands import Pass, SetReady
from engine.history import past_of
from server.log import MemoryLog
from server.log.codec import entries_of
from server.profiles import load_profiles
from server.protocol import (
    PROTOCOL,
    Answer,
    Ask,
    ClientMessage,
    Deal,
    Done,
    Face,
    Proposals,
    Refused,
    Resume,
    Seen,
    ServerMessage,
    Sheet,
    Start,
    Table,
    TakeBack,
    Update,
    VoidDeal,
    Welcome,
    Wish,
)
from server.rooms import Rooms
from server.socket import serve
from tests.server.clock import Clock
from tests.server.games import kept
from tests.server.phones import CODE, Kind, new_id, started, store_room
from tests.support import offered

GREETING = Welcome(protocol=PROTOCOL, build="b", epoch="e", code=CODE, url="http://k")
ROUNDS = 2000
OPEN = 3
"""Asks that a device has open at most."""

_read = msgspec.json.Decoder(list[ServerMessage]).decode


class Device:
    """A device with some seats of a room. It keeps what is on its screen through broken lines."""

    def __init__(self, rooms: Rooms, chance: random.Random, *tokens: str) -> None:
        self.tokens = tokens
        self.screen: dict[type, ServerMessage] = {}
        self.asked: dict[str, Wish] = {}
        self.answers: defaultdict[str, set[Done | Refused]] = defaultdict(set)
        self._rooms = rooms
        self._chance = chance

    def connects(self, *, remembers: bool = True) -> None:
        """A new line, which begins with what the device has on its screen, if it `remembers`."""
        if not remembers:
            self.screen = {}
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._sent: list[str] = []
        self._outgoing = [Ask(id=one, action=wish) for one, wish in self._unanswered()]
        self._incoming.put_nowait({"type": "websocket.connect"})
        me = self.table.table.me if Table in self.screen else None
        update = self.screen.get(Update)
        seen = Seen("e", update.seq, me) if isinstance(update, Update) else None
        self._says(Resume(tokens=self.tokens, facing=me, seen=seen))
        scope = {"type": "websocket", "headers": [], "path": "/"}
        socket = WebSocket(scope, self._incoming.get, self._send_for(self._sent))
        self._serving = asyncio.create_task(serve(socket, self._rooms, CODE, GREETING))

    def breaks(self) -> None:
        """The line is gone, and with it all that was under way in both directions."""
        self._incoming.put_nowait({"type": "websocket.disconnect"})

    async def ended(self) -> None:
        await asyncio.wait_for(self._serving, 5)

    def _send_for(self, sent: list[str]):
        async def send(message: Message) -> None:
            if message["type"] == "websocket.send":
                sent.append(message["text"])

        return send

    def _says(self, message: ClientMessage) -> None:
        frame = msgspec.json.encode(message).decode()
        self._incoming.put_nowait({"type": "websocket.receive", "text": frame})

    def shown(self, kind: type[Kind]) -> Kind:
        """The newest message of `kind`."""
        message = self.screen[kind]
        assert isinstance(message, kind)
        return message

    @property
    def table(self) -> Table:
        """The newest table."""
        return self.shown(Table)

    @property
    def sees(self) -> tuple[object, ...]:
        """Everything on its screen that does not change with time alone."""
        update, waiting = self.shown(Update), self.shown(Proposals).proposals
        game = update.seq, update.game, update.options
        return self.table, self.shown(Sheet), game, [replace(one, left=0) for one in waiting]

    def copied(self) -> "Device":
        """A device that has the same seats, faces the same one, and has seen nothing."""
        other = Device(self._rooms, self._chance, *self.tokens)
        other.screen = {Table: self.table}
        return other

    def reads(self) -> None:
        """Everything that has arrived is on the screen."""
        frames, self._sent[:] = list(self._sent), []
        for frame in frames:
            for message in _read(frame):
                if isinstance(message, Done | Refused):
                    self.answers[message.id].add(message)
                else:
                    self.screen[type(message)] = message

    def faces(self) -> None:
        """It looks with the eyes of any of its seats."""
        update = self.screen.get(Update)
        if isinstance(update, Update) and self.table.mine:
            turn = update.game.turn if update.game else None
            seats = (*self.table.mine, *((turn,) * 4 if turn in self.table.mine else ()))
            self._says(Face(seat=self._chance.choice(seats)))

    def wishes(self) -> None:
        """It wants something, and will say so."""
        if len(list(self._unanswered())) >= OPEN or Update not in self.screen:
            return
        if wishes := list(self._wishes()):
            ask = Ask(id=new_id(), action=self._chance.choice(wishes))
            self.asked[ask.id] = ask.action
            self._outgoing.append(ask)

    def speaks(self, *, faults: bool = True) -> None:
        """It says what it wants to: out of order, some of it twice, some of it never."""
        self._chance.shuffle(self._outgoing)
        for ask in self._outgoing:
            for _ in range(self._chance.choice((0, 1, 1, 1, 2)) if faults else 1):
                self._says(ask)
        self._outgoing = []

    def says_again(self) -> None:
        """It asks again what has no answer yet."""
        self._outgoing += [Ask(id=one, action=wish) for one, wish in self._unanswered()]

    def _unanswered(self) -> Iterator[tuple[str, Wish]]:
        return ((one, wish) for one, wish in self.asked.items() if one not in self.answers)

    def _wishes(self) -> Iterator[Wish]:
        update, waiting = self.shown(Update), self.shown(Proposals)
        yield from (
            Answer(proposal=one.id, agree=self._chance.random() < 0.8)
            for one in waiting.proposals
            if one.may_answer
        )
        if self._chance.random() < 0.2:
            yield self._chance.choice((Pass(), SetReady(ready=True), TakeBack()))
        if self._chance.random() < 0.02:
            yield VoidDeal()
        if not self.table.table.running:
            yield Start() if self.table.table.may_start else SetReady(ready=True)
        elif update.game is not None:
            yield from (Deal(),) if update.game.may.deal else offered(update.game, self._chance)


async def settles() -> None:
    """Everything that is under way arrives."""
    for _ in range(200):
        await asyncio.sleep(0)


async def play(rooms: Rooms, devices: list[Device], chance: random.Random) -> None:
    """`ROUNDS` times something happens, mostly something that should not."""
    for _ in range(ROUNDS):
        device = chance.choice(devices)
        match chance.choices(range(6), (12, 12, 6, 5, 1, 1))[0]:
            case 0:
                device.reads()
                device.wishes()
            case 1:
                device.speaks()
            case 2:
                device.says_again()
            case 3:
                device.faces()
            case 4:
                device.breaks()
                device.connects()
            case _:
                device.breaks()
                device.connects(remembers=False)
        for _ in range(chance.randrange(12)):
            await asyncio.sleep(0)
    assert len(rooms) == 1


async def seen_anew(device: Device) -> tuple[object, ...]:
    """What a device sees that comes with the seats and the eyes of `device`, which goes."""
    fresh = device.copied()
    device.breaks()
    await device.ended()
    fresh.connects()
    await settles()
    fresh.reads()
    fresh.breaks()
    await fresh.ended()
    return fresh.sees


@pytest.mark.parametrize("run", range(4))
async def test_whatever_lines_do_all_screens_are_right_and_every_ask_is_answered_once(run: int):
    seed = random.randrange(1 << 32)
    print(f"seed {seed} of run {run}")  # noqa: T201  # to play it again
    chance, events = random.Random(seed), MemoryLog()
    await store_room(events)
    rooms = Rooms(events, load_profiles(), clock=Clock(), epoch="e")
    keeper = await rooms.find(CODE)
    assert keeper is not None
    phones = await started(keeper)
    for phone in phones:
        keeper.leave(phone.attendee)
    tokens = [phone.token or "" for phone in phones]
    devices = [Device(rooms, chance, tokens[0]), Device(rooms, chance, *tokens[1:])]
    for device in devices:
        device.connects()
    await play(rooms, devices, chance)

    for device in devices:
        for _ in range(2):  # the faults are over
            device.says_again()
            device.speaks(faults=False)
            await settles()
            device.reads()
    for device in devices:
        device.reads()
        assert device.shown(Update).seq == keeper.seq, seed
        assert device.sees == await seen_anew(device), seed

    entries = entries_of(await kept(events, CODE))
    assert past_of(entries).room == keeper.state, seed
    stored = Counter(entry.ask.id for entry in entries if entry.ask is not None)
    assert set(stored.values()) == {1}, seed
    for device in devices:
        assert set(device.answers) == set(device.asked), seed
        assert all(len(answers) == 1 for answers in device.answers.values()), seed
    assert len(stored) > 50, seed
    await rooms.close()
