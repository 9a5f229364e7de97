"""Who sits where, as the house asks for it: by key, or by a number that somebody sent."""

from engine.cards import Seat
from engine.state import Player, Room


def seat_of(room: Room, key: str | None) -> Seat | None:
    """Where the player with `key` sits now; None: nowhere."""
    if key is None:
        return None
    return next(
        (Seat(i) for i, player in enumerate(room.players) if player and player.key == key), None
    )


def player_on(room: Room, chair: Seat | None) -> Player | None:
    """Who sits on `chair`; None: nobody, or there is no such chair."""
    return room.players[chair] if chair in range(len(room.players)) and chair is not None else None
