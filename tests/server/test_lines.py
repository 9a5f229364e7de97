"""Connections of strangers who speak badly, on and on, or not at all: over real sockets."""

import asyncio
import gc
import logging
import os
import signal
from asyncio import Transport
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import ClassVar, cast

import pytest
from websockets.server import ServerProtocol

from server import lines, waking
from server.app import create_app
from server.config import Config
from server.limits import Limits, Rate
from server.log import MemoryLog
from server.protocol import Close
from tests.crash.victim import served as a_process
from tests.server.phones import CODE, built_client, served, store_room

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Open = Callable[..., AbstractAsyncContextManager[Line]]

HANDSHAKE = (
    b"GET /api/rooms/%s/socket HTTP/1.1\r\nHost: localhost\r\n"
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
) % CODE.encode()
HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
OPENING = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\n"

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
LAST = 0x80


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Open]:
    """Opens connections to a server that takes its own machine for a stranger."""
    events = MemoryLog()
    await store_room(events)
    limits = Limits(own_machine=True, connections=4)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)

    async with served(app) as host:

        @asynccontextmanager
        async def line(*, socket: bool = False) -> AsyncIterator[Line]:
            reader, writer = await asyncio.open_connection(*host.split(":"))
            if socket:
                writer.write(HANDSHAKE + b"\r\n")
                assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            try:
                yield reader, writer
            finally:
                writer.close()

        yield line


def frame(first: int, payload: bytes = b"") -> bytes:
    """A short frame whose mask changes nothing."""
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


async def everything(reader: asyncio.StreamReader) -> bytes:
    """What comes until the other side closes."""
    heard = b""
    try:
        async with asyncio.timeout(20):
            while some := await reader.read(65_536):
                heard += some
    except ConnectionError:
        pass
    return heard


async def answers(line: Line) -> bool:
    """Whether the server takes a request on this connection."""
    reader, writer = line
    try:
        writer.write(HEALTH + b"\r\n")
        return (await asyncio.wait_for(reader.readline(), 5)).endswith(b" 200 OK\r\n")
    except ConnectionError:
        return False


@pytest.mark.parametrize(
    "begun", [b"", b"GET /api/hea", HEALTH, OPENING + b"Content-Length: 18\r\n\r\n{"]
)
async def test_a_connection_that_never_ends_its_request_is_closed(
    opened: Open, monkeypatch: pytest.MonkeyPatch, begun: bytes
):
    monkeypatch.setattr(lines, "REQUEST_WITHIN", 0.2)
    async with opened() as (reader, writer):
        writer.write(begun)
        assert await everything(reader) == b""


@pytest.mark.parametrize("begun", [b"\r\n", b"GET /api/hea"])
async def test_a_connection_that_never_ends_a_further_request_is_closed(
    opened: Open, monkeypatch: pytest.MonkeyPatch, begun: bytes
):
    monkeypatch.setattr(lines, "REQUEST_WITHIN", 0.2)
    async with opened() as (reader, writer):
        writer.write(HEALTH + b"\r\n")
        assert b" 200 OK" in await reader.readuntil(b"}")
        writer.write(begun)
        assert await everything(reader) == b""


async def test_a_socket_is_not_taken_for_a_request_that_never_ends(
    opened: Open, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lines, "REQUEST_WITHIN", 0.01)
    monkeypatch.setattr(waking, "TICK", 0.001)
    async with opened(socket=True) as (reader, writer):
        await asyncio.sleep(0.1)
        writer.write(frame(LAST | TEXT, b'{"type":"watch"}'))
        assert b"welcome" in await reader.readuntil(b"}]")


@pytest.mark.parametrize("begun", [HEALTH + b"X: ", OPENING + b"Content-Length: 9999999\r\n\r\n"])
async def test_a_request_without_an_end_takes_no_memory(
    opened: Open, monkeypatch: pytest.MonkeyPatch, begun: bytes
):
    monkeypatch.setattr(lines, "REQUEST_WITHIN", 3600)
    async with opened() as (reader, writer):
        writer.write(begun + b"a" * (4 * lines.REQUEST_LIMIT))
        heard = await everything(reader)

    assert b" 200 " not in heard


async def test_a_connection_asks_as_often_as_it_likes(opened: Open):
    request = HEALTH + b"X: " + b"a" * 7000 + b"\r\n\r\n"
    async with opened() as (reader, writer):
        for _ in range(2 * lines.REQUEST_LIMIT // len(request)):
            writer.write(request)
            assert b" 200 OK" in await reader.readuntil(b"}")


async def test_a_message_in_endless_pieces_takes_no_memory(opened: Open):
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(TEXT) + frame(0) * 1000)
        assert await everything(reader) == b""


async def test_a_message_in_a_few_pieces_is_read(opened: Open):
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(TEXT, b'{"type"') + frame(0, b":") + frame(LAST, b'"watch"}'))
        assert b"welcome" in await reader.readuntil(b"}]")


@pytest.mark.parametrize("idle", [frame(LAST | PING), frame(LAST | PONG)])
async def test_pings_without_an_end_close_their_line(opened: Open, idle: bytes):
    async with opened(socket=True) as (reader, writer):
        writer.write(idle * 1000)
        heard = await everything(reader)

    assert len(heard) < 1000


async def test_a_few_pings_are_answered(opened: Open):
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(LAST | PING, b"hello") * 8)
        assert await reader.readexactly(8 * 7) == bytes([LAST | PONG, 5, *b"hello"]) * 8


async def test_messages_sent_ahead_wait_unread_and_are_all_answered(
    opened: Open, monkeypatch: pytest.MonkeyPatch
):
    queued = lines.SocketLine.send_receive_event_to_app
    waiting: list[int] = []

    def counted(line: lines.SocketLine) -> None:
        queued(line)
        waiting.append(line.queue.qsize())

    monkeypatch.setattr(lines.SocketLine, "send_receive_event_to_app", counted)
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(LAST | TEXT, b'{"type":"watch"}'))
        await reader.readuntil(b"}]")
        writer.write(
            b"".join(frame(LAST | TEXT, b'{"type":"ping","n":%d}' % n) for n in range(100))
        )
        heard = b""
        while b'"n":99}' not in heard:
            heard += await asyncio.wait_for(reader.read(65_536), 20)

    assert heard.count(b'"pong"') == 100
    assert max(waiting) <= lines.MORSEL // len(frame(LAST | TEXT, b'{"type":"ping","n":1}')) + 1


@pytest.mark.parametrize(
    ("garbage", "code"),
    [
        (frame(LAST | TEXT, b"\xff\xfe"), 1007),
        (frame(TEXT, b"\xe2\x82") + frame(LAST, b"\x28"), 1007),
        (frame(LAST | 0x40 | TEXT, b"{}"), 1002),
        (frame(LAST | 3), 1002),
        (frame(LAST), 1002),
        (bytes([LAST | TEXT, 2]) + b"{}", 1002),
        (frame(TEXT, b"{") + frame(LAST | TEXT, b"}"), 1002),
        (frame(LAST | CLOSE, b"\x03"), 1002),
        (frame(PING), 1002),
    ],
)
async def test_garbage_closes_its_own_line_and_is_nobodys_fault(
    opened: Open, caplog: pytest.LogCaptureFixture, garbage: bytes, code: int
):
    async with opened(socket=True) as (reader, writer):
        writer.write(garbage)
        heard = await everything(reader)

    assert int.from_bytes(heard[2:4], "big") == code
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_a_character_that_arrives_in_two_pieces_is_a_character(opened: Open):
    euro = "€".encode()
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(TEXT, b'{"' + euro[:1]) + frame(LAST, euro[1:] + b'":1}'))
        heard = await reader.readexactly(4)

    assert int.from_bytes(heard[2:], "big") == 4400


@pytest.mark.parametrize(
    ("handshake", "status"),
    [
        (HANDSHAKE.replace(b": 13", b": 8"), 400),
        (HANDSHAKE.replace(b"AAAA==", b""), 400),
        (HANDSHAKE.replace(b"GET", b"POST"), 405),
        (HANDSHAKE.replace(CODE.encode(), b"a" * 9000), 414),
        (HANDSHAKE + b"X: " + b"a" * 9000 + b"\r\n", 431),
        (HANDSHAKE + b"X: a\r\n" * 200, 431),
        (HANDSHAKE.replace(b"/api/rooms/", b"/assets/"), 403),
        (HANDSHAKE.replace(b"/api/rooms/", b"/nowhere/"), 403),
    ],
)
async def test_a_handshake_that_leads_nowhere_is_refused_and_ended(
    opened: Open, caplog: pytest.LogCaptureFixture, handshake: bytes, status: int
):
    async with opened() as (reader, writer):
        writer.write(handshake + b"\r\n")
        heard = await everything(reader)

    assert heard.startswith(b"HTTP/1.1 %d " % status)
    assert b"Traceback" not in heard
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_an_address_opens_so_many_connections_and_a_further_one_when_one_is_closed(
    opened: Open,
):
    async with opened(socket=True), opened(socket=True) as (_, second), opened(), opened() as last:
        assert await answers(last)
        async with opened() as further:
            assert not await answers(further)
        second.close()
        await second.wait_closed()
        while True:
            async with opened() as further:
                if await answers(further):
                    break


async def test_a_socket_that_has_ended_leaves_nothing_to_the_garbage_collector(opened: Open):
    gc.collect()
    gc.disable()
    try:
        async with opened(socket=True):
            assert lines_in_memory()
        async with asyncio.timeout(5):
            while lines_in_memory():  # noqa: ASYNC110  # memory offers nothing to wait for
                await asyncio.sleep(0.01)
    finally:
        gc.enable()


async def test_a_connection_that_is_gone_is_waited_for_no_longer(
    opened: Open, monkeypatch: pytest.MonkeyPatch
):
    made: list[lines.Outlet] = []

    class Kept(lines.Outlet):
        def __init__(self, transport: Transport) -> None:
            super().__init__(transport)
            made.append(self)

    monkeypatch.setattr(lines, "Outlet", Kept)
    for socket in (False, True):
        async with opened(socket=socket):
            pass
    async with asyncio.timeout(5):
        while not all(one.is_closing() for one in made):  # noqa: ASYNC110  # nothing to wait for
            await asyncio.sleep(0.01)

    assert len(made) == 2
    assert not any(one.waits for one in made)


def lines_in_memory() -> bool:
    kinds = lines.HttpLine | lines.SocketLine | ServerProtocol
    return any(isinstance(one, kinds) for one in gc.get_objects())


async def test_an_answer_that_comes_after_its_connection_was_closed_is_no_fault(tmp_path: Path):
    question = b"GET /api/rooms/ZZZZ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with a_process(tmp_path) as server:  # the loop of which raises where ours does not
        for _ in range(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(2 * question + b"garbage\r\n\r\n")
            assert b" 400 " in await reader.read()
            writer.close()

        await server.answers()
        assert "Traceback" not in server.output.read_text()


REQUEST = HEALTH + b"\r\n"


@pytest.mark.parametrize("request_", [REQUEST, b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"])
async def test_requests_sent_without_waiting_for_an_answer_end_their_line(
    opened: Open, request_: bytes
):
    async with opened() as (reader, writer):
        writer.write(request_ * 900)
        heard = await everything(reader)

    assert heard.count(b"HTTP/1.1 ") <= lines.PIPELINED + 1


async def test_a_few_requests_in_one_packet_are_all_answered(opened: Open):
    async with opened() as (reader, writer):
        writer.write(REQUEST * 3)
        for _ in range(3):
            assert b" 200 OK" in await reader.readuntil(b"}")


class Recording(lines.Outlet):
    """Notes for how long it is held."""

    held: ClassVar[list[float]] = []

    def hold(self, seconds: float) -> None:
        self.held.append(seconds)
        super().hold(seconds)


@pytest.mark.parametrize("socket", [False, True])
@pytest.mark.parametrize("own", [Limits(own_machine=True, received=Rate(500, 1e6))])
async def test_every_byte_is_charged_and_whoever_sends_too_many_is_read_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: Limits, *, socket: bool
):
    monkeypatch.setattr(lines, "Outlet", Recording)
    monkeypatch.setattr(Recording, "held", [])
    events = MemoryLog()
    await store_room(events)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), own)
    async with served(app) as host:
        reader, writer = await asyncio.open_connection(*host.split(":"))
        if socket:
            writer.write(HANDSHAKE + b"\r\n")
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame(LAST | PING, bytes(100)) * 8)
            await reader.readexactly(8 * 102)
        else:
            writer.write(HEALTH + b"X: " + bytes(b"a" * 800) + b"\r\n\r\n")
            await reader.readuntil(b"}")
        writer.close()

    assert Recording.held


class Pipe:
    """As much of a transport as an outlet needs."""

    def __init__(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True


async def test_what_is_held_is_not_read_whoever_resumes_it():
    pipe = Pipe()
    outlet = lines.Outlet(cast("Transport", pipe))
    outlet.hold(0.01)
    outlet.pause_reading()
    outlet.resume_reading()

    assert not pipe.reads
    async with asyncio.timeout(5):
        while not pipe.reads:  # noqa: ASYNC110  # a pipe offers nothing to wait for
            await asyncio.sleep(0.001)


async def test_whoever_reads_no_answer_is_hung_up_on(opened: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "READ_WITHIN", 0.05)
    async with opened() as (reader, writer):
        reader._transport.pause_reading()  # type: ignore[attr-defined]  # noqa: SLF001
        writer.write(b"GET /api/profiles/ru-3 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(20):
            while True:
                try:
                    writer.write(b"GET /api/profiles HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    await writer.drain()
                except ConnectionError:
                    break
                await asyncio.sleep(0.001)


async def test_new_connections_without_an_end_are_not_even_listened_to(tmp_path: Path):
    limits = Limits(own_machine=True, connects=Rate(3, 1 / 1000))
    app = create_app(MemoryLog(), Config(data=tmp_path), built_client(tmp_path), limits)
    taken = []
    async with served(app) as host:
        for _ in range(5):
            try:
                line = await asyncio.open_connection(*host.split(":"))
            except ConnectionError:  # cut so soon
                taken.append(False)
                continue
            taken.append(await answers(line))
            line[1].close()

    assert taken == [True, True, True, False, False]


@pytest.mark.parametrize("upgrade", [b"h2c", b"garbage"])
async def test_an_upgrade_to_something_else_is_no_news_for_the_operator(
    opened: Open, caplog: pytest.LogCaptureFixture, upgrade: bytes
):
    async with opened() as (reader, writer):
        writer.write(HEALTH + b"Connection: Upgrade\r\nUpgrade: " + upgrade + b"\r\n\r\n")
        writer.write(b"no request\r\n\r\n")
        await everything(reader)

    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_without_a_place_a_page_gets_a_status_and_a_socket_its_code(opened: Open):
    async with opened(), opened(), opened(), opened():
        async with opened() as (reader, writer):
            writer.write(REQUEST)
            assert await reader.readline() == b"HTTP/1.1 503 Service Unavailable\r\n"
        async with opened(socket=True) as (reader, _):
            closed = await reader.readexactly(4)

    assert int.from_bytes(closed[2:], "big") == Close.FULL


async def test_whoever_got_in_by_the_reserve_shows_a_seat_or_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lines, "SEAT_WITHIN", 0.05)
    limits = Limits(own_machine=True, all_connections=8)
    events = MemoryLog()
    await store_room(events)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host:
        for_good = [await asyncio.open_connection(*host.split(":")) for _ in range(7)]
        for one in for_good:
            assert await answers(one)
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(HANDSHAKE + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        closed = await reader.readexactly(4)
        for _, other in [*for_good, (reader, writer)]:
            other.close()

    assert int.from_bytes(closed[2:], "big") == Close.FULL


async def test_a_request_that_came_while_the_server_slept_is_answered(
    opened: Open, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lines, "TICK", 0.01)
    async with opened() as (reader, writer):
        writer.write(HEALTH + b"\r\n")
        assert b" 200 OK" in await reader.readuntil(b"}")
        (line,) = (
            one
            for one in gc.get_objects()
            if isinstance(one, lines.HttpLine) and one.timeout_keep_alive_task is not None
        )
        writer.write(HEALTH + b"\r\n")

        line.timeout_keep_alive_handler()  # its timer is the first to wake

        assert b" 200 OK" in await reader.readuntil(b"}")
        line.timeout_keep_alive_handler()
        assert await everything(reader) == b""


async def test_a_phone_that_answered_is_not_hung_up_on_because_the_server_slept(tmp_path: Path):
    async with a_process(tmp_path, pings=(0.1, 0.2)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        body = b'{"profile":"ru-3"}'
        writer.write(OPENING + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        code = (await reader.readuntil(b"}")).partition(b'"code":"')[2][:4]
        writer.write(HANDSHAKE.replace(CODE.encode(), code) + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(LAST | TEXT, b'{"type":"watch"}'))

        for n in (1, 2):
            ping = await next_of(PING, reader, writer)
            os.kill(server.pid, signal.SIGSTOP)
            writer.write(
                frame(LAST | PONG, ping) + frame(LAST | TEXT, b'{"type":"ping","n":%d}' % n)
            )
            await asyncio.sleep(1.5)  # it sleeps, much longer than an answer may take
            os.kill(server.pid, signal.SIGCONT)

            while b'"pong"' not in (said := await next_of(TEXT, reader, writer)):
                pass
            assert said == b'[{"type":"pong","n":%d}]' % n
        silent = await everything(reader)
        writer.close()

    assert b"keepalive ping timeout" in silent  # whoever answers nothing is


async def next_of(opcode: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The next frame of that kind that the server sends; pings before it are answered."""
    async with asyncio.timeout(20):
        while True:
            first, length = await reader.readexactly(2)
            if length == 126:
                length = int.from_bytes(await reader.readexactly(2))
            payload = await reader.readexactly(length)
            assert first & 0xF != CLOSE, payload
            if first & 0xF == opcode:
                return payload
            if first & 0xF == PING:
                writer.write(frame(LAST | PONG, payload))


@pytest.mark.parametrize("ahead", [0, 1000])
async def test_whoever_goes_on_after_goodbye_is_cut_off(
    opened: Open, monkeypatch: pytest.MonkeyPatch, ahead: int
):
    taken_apart: list[int] = []
    whole = lines.SocketLine.send_receive_event_to_app

    def counted(line: lines.SocketLine) -> None:
        taken_apart.append(len(taken_apart))
        whole(line)

    monkeypatch.setattr(lines.SocketLine, "send_receive_event_to_app", counted)
    message = frame(LAST | TEXT, b'{"type":"ping","n":1}')
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(LAST | TEXT, b"no hello") + ahead * message)
        heard = await reader.readexactly(4)
        writer.write(message * 1000)
        assert await everything(reader) == b""

    assert int.from_bytes(heard[2:], "big") == Close.BAD_FRAME
    assert len(taken_apart) <= 1 + (lines.LAST_BYTES + lines.MORSEL) // len(message)


async def test_a_few_words_after_goodbye_do_no_harm_to_it(opened: Open):
    async with opened(socket=True) as (reader, writer):
        writer.write(frame(LAST | TEXT, b"no hello"))
        heard = await reader.readexactly(4)
        writer.write(frame(LAST | TEXT, b'{"type":"ping","n":1}') * 3)
        writer.write(frame(LAST | CLOSE, heard[2:]))
        assert await reader.read() == b""


@pytest.mark.parametrize("first", [b"nonsense", frame(LAST | TEXT, b'{"type":"watch"}')])
async def test_what_comes_before_the_handshake_is_answered_waits_for_that(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, first: bytes
):
    events = MemoryLog()
    await store_room(events)
    late = Limits(own_machine=True, requests=Rate(1, 10))
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), late)
    async with served(app) as host:
        one = await asyncio.open_connection(*host.split(":"))
        assert await answers(one)
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write(HANDSHAKE + b"\r\n")
        await asyncio.sleep(0.03)  # it is read, and answered a tenth of a second later
        writer.write(first)
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        heard = await reader.readexactly(1)
        for _, each in (one, (reader, writer)):
            each.close()

    assert (heard == bytes([LAST | TEXT])) == (first != b"nonsense")
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
