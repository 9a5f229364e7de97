"""What a hostile client says on a socket: what is valid and unwelcome, and what is broken."""

import json
import struct
from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct

from engine.cards import Card
from server.protocol import FRAME_LIMIT

CARDS = [card.value for card in Card]

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

Wish = dict[str, Any]


class Knows(Struct, frozen=True):
    """What the client has gathered: tokens of its own, ids of proposals that it has seen."""

    tokens: tuple[str, ...]
    proposals: list[str]


def framed(payload: bytes, opcode: int = TEXT, *, first: int = 0x80) -> bytes:
    """A frame as a client sends it; its mask is zero, which is as good as any."""
    size, masked = len(payload), 0x80
    if size < 126:
        head = struct.pack("!BB", first | opcode, masked | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first | opcode, masked | 126, size)
    else:
        head = struct.pack("!BBQ", first | opcode, masked | 127, size)
    return head + bytes(4) + payload


def text(message: object) -> bytes:
    return framed(json.dumps(message).encode())


# Valid messages, which mostly come to nothing.


def hello(chance: Random, knows: Knows) -> Wish:
    """Of every kind, with tokens of somebody else and of nobody."""
    token = chance.choice((*knows.tokens, any_token(chance), any_token(chance)))
    seat = chance.randrange(-1, 5)
    seen = {"epoch": chance.choice(("", "0000")), "seq": chance.randrange(9), "me": None}
    return chance.choice(
        (
            {"type": "watch"},
            {"type": "watch"},
            {"type": "watch", "seen": {**seen, "me": seat}},
            {"type": "join", "name": any_name(chance), "token": token},
            {"type": "join", "name": any_name(chance), "token": token, "seat": seat},
            {"type": "resume", "tokens": [token], "facing": seat, "seen": seen},
            {"type": "claim", "seat": seat, "token": token, "name": any_name(chance)},
        )
    )


def unwelcome(chance: Random, knows: Knows) -> Wish:
    """A message that may come after a hello, whoever may do what."""
    dice = chance.random()
    if dice < 0.08:
        return {"type": "ping", "n": chance.choice((0, -1, 2**62, chance.randrange(1 << 30)))}
    if dice < 0.15:
        return {"type": "face", "seat": chance.choice((None, 0, 1, 2, 3, -1, 2**40))}
    fresh = f"{chance.getrandbits(64):016x}"
    return {"type": "ask", "id": chance.choice((fresh, "00000000")), "action": wish(chance, knows)}


def wish(chance: Random, knows: Knows) -> Wish:
    """One of everything that can be asked for, with any content."""
    seat, points = chance.randrange(-1, 5), chance.choice((100, 105, 120, 300, -5, 0, 2**60))
    card, other = chance.choice(CARDS), chance.choice(CARDS)
    proposal = chance.choice(knows.proposals or ["00000000"])
    return chance.choice(
        (
            {"type": "place_bid", "points": points},
            {"type": "pass"},
            {"type": "take_talon", "talon": seat},
            {"type": "give_cards", "gifts": [{"to": seat, "card": card}, {"to": 1, "card": other}]},
            {"type": "lay_away", "cards": [card, other]},
            {"type": "set_contract", "points": points},
            {"type": "concede"},
            {"type": "show_nines"},
            {"type": "play_card", "card": card},
            {"type": "play_card", "card": other},
            {"type": "meld", "card": card},
            {"type": "move_to", "seat": seat},
            {"type": "set_ready", "ready": chance.random() < 0.8},
            {"type": "choose_first_dealer", "dealer": seat},
            {"type": "choose_take_back", "mode": chance.choice(("off", "ask", "free"))},
            {"type": "leave"},
            {"type": "deal"},
            {"type": "start"},
            {
                "type": "use_profile",
                "id": chance.choice(("ru-3", "de-3", "none")),
                "house_rules": {},
            },
            {"type": "use_profile", "id": "ru-3", "house_rules": {any_name(chance): points}},
            {"type": "take_back"},
            {"type": "void_deal"},
            {"type": "end_game"},
            {"type": "reopen"},
            {"type": "kick", "seat": seat},
            {"type": "call_back", "seat": seat},
            {"type": "answer", "proposal": proposal, "agree": chance.random() < 0.5},
            {"type": "withdraw", "proposal": proposal},
        )
    )


def any_token(chance: Random) -> str:
    return f"{chance.getrandbits(88):022x}"


def any_name(chance: Random) -> str:
    return chance.choice(("Anna", "", "x" * 64, "Ж\u202e", "<b>", "'; DROP TABLE entry; --", "\0"))


# Broken ones.


def broken(chance: Random, knows: Knows) -> bytes:
    """A frame that no client of ours sends."""
    message = chance.choice((hello, unwelcome, unwelcome))(chance, knows)
    return chance.choice(BREAKING)(chance, message)


ODD: tuple[object, ...] = (
    None, True, False, -1, 0, 2**63, -(2**63) - 1, 10**400, 1e308, float("inf"), float("nan"), "",
    "\ud800", "\udfff\ud800", "\0", "x" * 5000, [], {}, [[[]]], {"type": "ask"}, ["ask"], "ask",
)  # fmt: skip
"""Values that stand where others should."""


def _places(message: Wish) -> list[tuple[Wish, str]]:
    """Every field of `message` and of what it holds."""
    inner = [value for value in message.values() if isinstance(value, dict)]
    return [(holder, name) for holder in (message, *inner) for name in holder]


def _without_field(chance: Random, message: Wish) -> bytes:
    holder, name = chance.choice(_places(message))
    del holder[name]
    return text(message)


def _odd_field(chance: Random, message: Wish) -> bytes:
    holder, name = chance.choice(_places(message))
    holder[name] = chance.choice(ODD)
    return text(message)


def _further_field(chance: Random, message: Wish) -> bytes:
    holder, name = chance.choice(_places(message))
    holder[chance.choice((name.upper(), "seat", "key", "__class__", "me", "\ud800"))] = 0
    return text(message)


def _doubled_field(chance: Random, message: Wish) -> bytes:
    holder, name = chance.choice(_places(message))
    once = json.dumps({name: holder[name]})[1:-1]
    again = json.dumps({name: chance.choice(ODD)})[1:-1]
    return framed(json.dumps(message).replace(once, f"{once},{again}", 1).encode())


def _other_type(chance: Random, message: Wish) -> bytes:
    message["type"] = chance.choice(("welcome", "update", "table", "done", "ASK", "", "ask ", 7))
    return text(message)


def _cut(chance: Random, message: Wish) -> bytes:
    payload = json.dumps(message).encode()
    return framed(payload[: chance.randrange(len(payload))])


def _flipped(chance: Random, message: Wish) -> bytes:
    payload = bytearray(json.dumps(message).encode())
    for _ in range(chance.randint(1, 4)):
        payload[chance.randrange(len(payload))] = chance.randrange(256)
    return framed(bytes(payload))


def _deep(chance: Random, _message: Wish) -> bytes:
    depth = chance.choice((10, 500, 5000, 8000))
    inside = chance.choice((b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth))
    return framed(b'{"type":"ask","id":"12345678","action":' + inside)


def _oversize(chance: Random, message: Wish) -> bytes:
    size = chance.choice((FRAME_LIMIT + 1, FRAME_LIMIT, 40_000))
    return framed(json.dumps(message).encode().ljust(size))


def _no_text(chance: Random, message: Wish) -> bytes:
    payload = json.dumps(message).encode()
    bad = chance.choice((b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\x80"))
    at = chance.randrange(len(payload))
    return framed(payload[:at] + bad + payload[at:])


def _binary(chance: Random, message: Wish) -> bytes:
    return framed(chance.choice((json.dumps(message).encode(), chance.randbytes(50), b"")), BINARY)


def _in_pieces(chance: Random, message: Wish) -> bytes:
    payload, count = json.dumps(message).encode(), chance.choice((2, 15, 17, 40))
    step = max(1, len(payload) // count)
    pieces = [payload[at : at + step] for at in range(0, len(payload), step)]
    begun = framed(pieces[0], TEXT, first=0)
    middle = b"".join(framed(piece, 0, first=0) for piece in pieces[1:])
    return begun + middle + (framed(b"", 0) if chance.random() < 0.5 else b"")


def _odd_frame(chance: Random, message: Wish) -> bytes:
    """What the protocol of sockets itself forbids."""
    payload = json.dumps(message).encode()[:100]
    return chance.choice(
        (
            framed(payload, 0),  # goes on with nothing
            framed(payload, chance.choice((3, 7, 11, 15))),
            framed(payload, first=chance.choice((0xC0, 0xA0, 0x90))),
            framed(payload, PING, first=0),
            framed(bytes(126), PING),
            framed(payload, PONG),
            bytes([0x81, len(payload)]) + payload,  # without a mask
            framed(b"\x03", CLOSE),
            framed(struct.pack("!H", chance.choice((0, 999, 1005, 1006, 2999, 65535))), CLOSE),
            framed(b"\x03\xe8\xff", CLOSE),
            b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff" + bytes(4),
            chance.randbytes(chance.randint(1, 200)),
        )
    )


def _second_hello(_chance: Random, _message: Wish) -> bytes:
    return text({"type": "watch"}) + text({"type": "watch"})


BREAKING: tuple[Callable[[Random, Wish], bytes], ...] = (
    _without_field,
    _odd_field,
    _odd_field,
    _further_field,
    _doubled_field,
    _other_type,
    _cut,
    _flipped,
    _flipped,
    _deep,
    _oversize,
    _no_text,
    _binary,
    _in_pieces,
    _odd_frame,
    _odd_frame,
    _second_hello,
)
