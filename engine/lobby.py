"""Chairs, names and the start of a game (LOBBY)."""

import unicodedata
from typing import assert_never

from engine.cards import Seat
from engine.commands import (
    ChooseFirstDealer,
    ChooseProfile,
    ChooseTakeBack,
    EndGame,
    HandOver,
    Kick,
    Leave,
    MoveTo,
    SetReady,
    StartGame,
    TakeSeat,
)
from engine.events import (
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    SeatHandedOver,
    Standing,
    TakeBackChosen,
)
from engine.rejections import Reason, Rejected
from engine.state import Gathering, Over, Room

NAME_LENGTH = 16
"""Characters of a name at most."""

_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Characters that count as printable and show nothing: fillers, joiners, variations."""


def game_runs(room: Room) -> bool:
    """Whether a game has begun that nobody has won yet."""
    return not isinstance(room.phase, Gathering | Over)


def take_seat(room: Room, command: TakeSeat) -> PlayerSeated | Rejected:
    """A new player on the chair asked for, or on the first free one (LOBBY-1, LOBBY-2).

    Into a running game a player comes when the table agrees (LOBBY-12).
    """
    name = readable(command.name)
    if broken := name_complaint(name):
        return Rejected(broken)
    free = [Seat(index) for index, player in enumerate(room.players) if player is None]
    if not free:
        return Rejected(Reason.TABLE_FULL)
    if game_runs(room) and not command.agreed:
        return Rejected(Reason.GAME_RUNNING)
    seat = command.seat if command.seat in free and command.seat is not None else free[0]
    return PlayerSeated(
        seat=seat, name=_distinct(room, name), key=command.key, agreed=command.agreed
    )


def hand_over(room: Room, command: HandOver) -> SeatHandedOver | Rejected:
    """Another device is the player on a chair (LOBBY-10)."""
    if not _taken(room, command.seat):
        return Rejected(Reason.CHAIR_FREE)
    return SeatHandedOver(seat=command.seat, key=command.key, agreed=command.agreed)


def kick(room: Room, command: Kick) -> PlayerKicked | Rejected:
    """The chair is free, in a running game too (LOBBY-11)."""
    if not _taken(room, command.seat):
        return Rejected(Reason.CHAIR_FREE)
    return PlayerKicked(seat=command.seat, by=command.by, agreed=command.agreed)


def end_game(room: Room, command: EndGame) -> GameEnded | Rejected:
    """The game is over with the standings as they are (LOBBY-13)."""
    if not game_runs(room):
        return Rejected(Reason.NO_GAME)
    return GameEnded(by=command.by, agreed=command.agreed)


def _taken(room: Room, seat: Seat) -> bool:
    return seat in range(len(room.players)) and room.players[seat] is not None


def name_complaint(name: str) -> Reason | None:
    """Why `name` cannot be one (LOBBY-2)."""
    if not name:
        return Reason.NAME_EMPTY
    return Reason.NAME_TOO_LONG if len(name) > NAME_LENGTH else None


def readable(typed: str) -> str:
    """`typed` without what cannot be seen: one spelling of each letter, single spaces (LOBBY-2)."""
    composed = unicodedata.normalize("NFC", typed)
    shown = (c if c.isprintable() and c not in _BLANK else " " for c in composed)
    return " ".join("".join(shown).split())


def _distinct(room: Room, name: str) -> str:
    """`name`, with the first number behind it that tells it from the others (LOBBY-2)."""
    taken = {player.name for player in room.players if player is not None}
    number, found = 1, name
    while found in taken:
        number += 1
        suffix = f" {number}"
        found = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return found


Arrangement = MoveTo | SetReady | ChooseFirstDealer | ChooseTakeBack | Leave


def arrange(
    room: Room, seat: Seat, action: Arrangement
) -> PlayersMoved | ReadySet | FirstDealerChosen | TakeBackChosen | PlayerLeft | Rejected:
    """What a seated player changes about the table before a game.

    LOBBY-3 to LOBBY-5, LOBBY-9 and BACK-1.
    """
    if game_runs(room):
        return Rejected(Reason.GAME_RUNNING)
    chairs = range(len(room.players))
    match action:
        case MoveTo(seat=to):
            if to not in chairs:
                return Rejected(Reason.NO_SUCH_CHAIR)
            return PlayersMoved(a=seat, b=to)
        case SetReady(ready=ready):
            return ReadySet(seat=seat, ready=ready)
        case ChooseFirstDealer(dealer=dealer):
            if dealer is not None and dealer not in chairs:
                return Rejected(Reason.NO_SUCH_CHAIR)
            return FirstDealerChosen(dealer=dealer)
        case ChooseTakeBack(mode=mode):
            return TakeBackChosen(mode=mode)
        case Leave():
            return PlayerLeft(seat=seat)
        case never:
            assert_never(never)


def choose_profile(room: Room, command: ChooseProfile) -> ProfileChosen | Rejected:
    """The next game's rules; there must be a chair for everybody who sits (LOBBY-6)."""
    if game_runs(room):
        return Rejected(Reason.GAME_RUNNING)
    if sum(player is not None for player in room.players) > command.profile.table.players:
        return Rejected(Reason.TOO_MANY_PLAYERS)
    return ProfileChosen(profile=command.profile)


def start_game(room: Room, command: StartGame) -> GameStarted | Rejected:
    """A game from nothing, once the chairs are filled and everybody is ready (LOBBY-7, LOBBY-8)."""
    if game_runs(room):
        return Rejected(Reason.GAME_RUNNING)
    if not all(room.players):
        return Rejected(Reason.CHAIRS_FREE)
    if not all(player and player.ready for player in room.players):
        return Rejected(Reason.NOT_READY)
    by_lot = room.first_dealer is None
    return GameStarted(
        number=room.games + 1,
        profile=room.profile,
        dealer=command.lot if room.first_dealer is None else room.first_dealer,
        by_lot=by_lot,
        at=command.at,
        standings=tuple(Standing() for _ in room.players),
    )
