"""A game as the log of a room of its own, an entry a line: everything, what was taken back too.

The first line says what the rest is. The second is the table as it stood, in one entry; then come
the entries of the game, numbered on from there. Left out are the keys, which recognise the players'
tokens, and the asks, which name the keys.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.events import (
    AnyEvent,
    FirstDealerChosen,
    GameStarted,
    PlayerSeated,
    RoomOpened,
    SeatHandedOver,
    TakeBackChosen,
    Undone,
)
from engine.history import SCHEMA, Entry, Past
from engine.record import Unreadable
from engine.state import Room
from server.log import Stored
from server.log.codec import EntryDecoder, EntryUnreadable, encode
from server.replay import room_at, story_of
from server.room_bounds import IN_DEAL, TAKE_BACKS

FORMAT = 1


class _Head(Struct, frozen=True, kw_only=True):
    """The first line."""

    prikup_log: int
    left_out: tuple[str, ...] = ("ask", "key")


_head = msgspec.json.Decoder(_Head).decode


def write_lines(entries: Iterable[Entry], number: int) -> str:
    """Game `number` of the room whose `entries` these are.

    Raises:
        NoSuchGame: it had not begun.
        TooLong: it has too many entries.
        LogCorrupt: the entries do not follow each other.
    """
    moments = story_of(entries, number, undone=True).moments()
    first = next(moments)
    shift = 2 - first.entry.seq
    table = Entry(seq=1, facts=tuple(_table(room_at(first))))
    told = (_bare(moment.entry, shift) for moment in chain((first,), moments))
    lines = (msgspec.json.encode(_Head(prikup_log=FORMAT)), *map(encode, (table, *told)))
    return b"".join(line + b"\n" for line in lines).decode()


def read_lines(text: str) -> list[Entry]:
    """The entries of a game that was written so; they hold together and make a game.

    Raises:
        Unreadable: they do not, or it is something else; with the first line that is wrong.
    """
    first, *lines = text.removesuffix("\n").split("\n")
    _check_head(first)
    decoder, past, entries, begun = EntryDecoder(), Past(), [], 0
    for number, line in enumerate(lines, 2):
        try:
            entry = decoder.entry(Stored(number - 1, line.encode()))
            past = past.after(entry)
        except EntryUnreadable as wrong:
            raise Unreadable(number, str(wrong)) from wrong
        except Exception as wrong:  # whatever the rules do with facts that they never made
            raise Unreadable(number, "this cannot follow what stands before it") from wrong
        if not entry.facts:
            raise Unreadable(number, "this entry decides nothing")
        begun += sum(isinstance(fact, GameStarted) for fact in entry.facts)
        if begun > 1:
            raise Unreadable(number, "a second game begins here")
        if len(past.taken_back) > TAKE_BACKS or len(past.entries) > 2 * IN_DEAL:
            raise Unreadable(number, "no game has so many acts, or takes so many back")
        entries.append(entry)
    if not begun:
        raise Unreadable(len(lines) + 1, "no game begins here")
    return entries


def _check_head(line: str) -> None:
    try:
        head = _head(line.encode())
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unreadable(1, "this is no log of a game") from error
    if head.prikup_log != FORMAT:
        raise Unreadable(1, f"this reads logs of format {FORMAT}, not {head.prikup_log}")


def _table(room: Room) -> Iterator[AnyEvent]:
    """What led to `room` but for the beginning of its game."""
    yield RoomOpened(profile=room.profile)
    for index, player in enumerate(room.players):
        if player is not None:
            yield PlayerSeated(seat=Seat(index), name=player.name, key="")
    if room.first_dealer is not None:
        yield FirstDealerChosen(dealer=room.first_dealer)
    if room.take_back != Room(profile=room.profile, players=()).take_back:
        yield TakeBackChosen(mode=room.take_back)


def _bare(entry: Entry, shift: int) -> Entry:
    """`entry` under its new number, without what recognises anybody."""
    facts = tuple(_bare_fact(fact, shift) for fact in entry.facts)
    return Entry(seq=entry.seq + shift, facts=facts, schema=SCHEMA)


def _bare_fact(fact: AnyEvent | Undone, shift: int) -> AnyEvent | Undone:
    match fact:
        case PlayerSeated() | SeatHandedOver():
            return replace(fact, key="")
        case Undone(back_to=back_to):
            return replace(fact, back_to=back_to + shift)
        case _:
            return fact
