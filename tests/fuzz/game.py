"""The game that goes on beside an assault: robots, and what their log must be."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from engine.events import PlayerSeated
from engine.history import Entry
from engine.views import Viewer
from server.protocol import Ask
from server.rehearse.robot import Brief, Robot


class Player(Robot):
    """A robot that remembers what it asked for and passes on what it hears."""

    def __init__(self, number: int, brief: Brief, heard: Callable[[Viewer, int, bytes], None]):
        super().__init__(number, brief)
        self.said: set[str] = set()
        self._heard_by = heard
        self._shown = 0

    @property
    def token(self) -> str:
        return self._token

    def heard(self, frame: bytes) -> None:
        super().heard(frame)
        me = None if self._table is None else self._table.me
        self._heard_by(me, self._shown, frame)
        for seq in re.findall(rb'\{"type":"update","seq":(\d+)', frame):
            self._shown = int(seq)

    def _say(self, ask: Ask) -> None:
        self.said.add(ask.id)
        super()._say(ask)


def not_theirs(entries: Iterable[Entry], said: Mapping[str, Collection[str]]) -> list[int]:
    """The numbers of entries that none of the players asked for, or by which somebody else sat.

    `said`: the ids of all asks that each player made, by the player's key.
    """
    return [
        entry.seq
        for entry in entries
        if (entry.ask is not None and entry.ask.id not in said.get(entry.ask.key, ()))
        or any(isinstance(fact, PlayerSeated) and fact.key not in said for fact in entry.happened)
    ]
