"""What a hostile client says before there is a socket: broken requests, and bytes that are none."""

import json
from random import Random

from tests.fuzz.frames import any_token, framed

KEY = "dGhlIHNhbXBsZSBub25jZQ=="

METHODS = ("GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "")

HEADERS = (
    "Host: localhost",
    "Host: evil.example",
    "Host: 127.0.0.1\r\nHost: localhost",
    "Host:",
    "Origin: http://evil.example",
    "Origin: null",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    "Transfer-Encoding: xchunked",
    "Expect: 100-continue",
    "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    "Accept-Encoding: gzip, deflate, br, zstd;q=x",
    "Cookie: seat-00000000=" + "A" * 22,
    "Cookie: " + "a=b; " * 500,
    'Cookie: seat-="\\000\\377"; ;;=; \x7f=\x80',
    "X-Forwarded-For: 127.0.0.1",
    "Range: bytes=0-,-1,5-2",
    "If-None-Match: *",
    "X: " + "y" * 3000,
    " folded: header",
    "no colon",
    "Bad\0Name: x",
)

BODIES = (b"", b"{}", b"null", b"[" * 3000, b'{"profile":"ru-3","x":1}', b"\xff\xfe", b"0\r\n\r\n")

FOREIGN = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a TLS hello
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    b"SSH-2.0-OpenSSH_9.6\r\n",
    b"\x05\x01\x00",
    b"\r\n\r\n\r\n",
    b"GET / HTTP/0.9\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /\r\n",
    framed(b'{"type":"watch"}'),
)


def handshake(code: str) -> bytes:
    """The beginning of a socket in room `code`."""
    return (
        f"GET /api/rooms/{code}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def request(chance: Random, codes: tuple[str, ...]) -> bytes:
    """A request that is wrong in some way, or in none."""
    dice = chance.random()
    if dice < 0.1:
        return chance.choice((*FOREIGN, chance.randbytes(chance.randint(1, 500))))
    if dice < 0.2:
        return _broken_handshake(chance, chance.choice(codes))
    whole = _whole(chance, chance.choice((*codes, "ZZZZ", "aaaa", "%00", "ЖЖЖЖ", "A" * 300)))
    return _mutated(chance, whole) if dice < 0.5 else whole


def _whole(chance: Random, code: str) -> bytes:
    path = _path(chance, code)
    headers = ["Host: localhost", *chance.sample(HEADERS, chance.choice((0, 0, 1, 2)))]
    body = chance.choice((*BODIES, json.dumps({"token": any_token(chance)}).encode()))
    if chance.random() < 0.7:
        headers.append(f"Content-Length: {len(body)}")
    method = chance.choice(("GET", "GET", "POST", "DELETE", *METHODS))
    first = f"{method} {path} HTTP/1.{chance.choice('1110')}"
    return "\r\n".join((first, *headers, "", "")).encode("utf-8", "surrogateescape") + body


def _path(chance: Random, code: str) -> str:
    room = f"/api/rooms/{code}"
    return chance.choice(
        (
            "/", f"/{code}", f"/{code}/table", f"/{code}/replay/{chance.randrange(3)}",
            "/api/health", "/api/profiles", "/api/profiles/ru-3",
            '/api/profiles/ru-3?house_rules={"concession_half":true}',
            "/api/profiles/ru-3?house_rules=[[[[", "/api/archive", "/api/archive?after=x&limit=-1",
            room, f"{room}/rules", f"{room}/qr.svg", f"{room}/seats", f"{room}/evening",
            f"{room}/games/1/replay", f"{room}/games/1/replay?as=0", f"{room}/games/-1.t1000",
            f"{room}/games/99999999999999999999/replay", f"{room}/games/1.json", f"{room}/socket",
            "/assets/../../server/app.py", "/assets/%2e%2e/%2e%2e/pyproject.toml", "//etc/passwd",
            "/assets/..%5c..%5cx", "/%ff%fe", "/a\x7fb", f"/{'a' * 5000}", "*", "http://x/", "",
            f"{room}/socket?{'x=' * 100}", f"{room}#x", "/api/rooms//seats", "/api\0/rooms",
        )
    )  # fmt: skip


def _broken_handshake(chance: Random, code: str) -> bytes:
    lines = handshake(code).decode().split("\r\n")
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(1, len(lines) - 2)
        lines[at] = chance.choice(
            ("", "Upgrade: h2c", "Sec-WebSocket-Version: 99", "Sec-WebSocket-Key: x", "Connection:",
             "Sec-WebSocket-Extensions: permessage-deflate; x=" + "1" * 200, "Origin: http://evil",
             "Sec-WebSocket-Protocol: a, b", lines[at].upper(), lines[at] + lines[at])
        )  # fmt: skip
    return "\r\n".join(lines).encode() + framed(b'{"type":"watch"}')


def _mutated(chance: Random, whole: bytes) -> bytes:
    at = chance.randrange(len(whole))
    match chance.randrange(4):
        case 0:
            return whole[:at]
        case 1:
            return whole[:at] + chance.randbytes(chance.randint(1, 8)) + whole[at:]
        case 2:
            return whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
        case _:
            return whole.replace(b"\r\n", chance.choice((b"\n", b"\r", b"\r\n\r\n", b"\0\r\n")), 2)
