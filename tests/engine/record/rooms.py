"""Rooms whose games are to be written: their logs, entry by entry."""

import random
from collections.abc import Iterable
from typing import Any

from engine.commands import Act, Command, DealCards, ForgetDiscard
from engine.history import AskId, Entry, past_of
from engine.profile import Profile
from engine.record import read_record
from engine.record.deals import deck_of
from engine.record.statements import DealBlock, Forgets
from engine.state import Gathering, Room
from tests.support import ALL_PROFILES, LETTERS, Evening, entries


class Logged(Evening):
    """An evening that keeps the log of its room."""

    def __init__(self, profile: Profile, **begin: Any) -> None:
        super().__init__(profile, **begin)
        self.log = [Entry(seq=1, facts=tuple(self.facts))]

    def obeys(self, order: Command) -> None:
        ask = self.asked(order)
        super().obeys(order)
        self.log.append(Entry(seq=len(self.log) + 1, facts=self.last, ask=ask))

    def asked(self, order: Command) -> AskId | None:  # noqa: ARG002  # for those who know
        """The ask that `order` came with."""
        return None


def random_log(profile: Profile, seed: int, *, deals: int | None = None) -> list[Entry]:
    """The log of a room in which a random game was played, of so many deals at most."""
    told = list(entries(profile, random.Random(seed), deals=deals))
    first, _ = told[0]
    assert not isinstance(first.phase, Gathering)
    begun = Logged(profile, dealer=LETTERS[first.phase.game.dealer])
    return [*begun.log, *(entry for _, entry in told)]


def room_of(log: Iterable[Entry]) -> Room:
    """The room after all of `log`."""
    room = past_of(log).room
    assert room is not None
    return room


def log_of(text: str) -> list[Entry]:
    """The log of a room in which the game of a record is played again."""
    record = read_record(text, {profile.id: profile for profile in ALL_PROFILES})
    header = record.header
    game = Logged(
        header.profile,
        dealer=LETTERS[header.dealer],
        standings=dict(zip(LETTERS, header.standings, strict=False)),
    )
    for statement in record.statements:
        match statement.says:
            case DealBlock() as deal:
                deck = deck_of(deal, header.profile, game.game.dealer)
                game.obeys(DealCards(game.game.dealer, deck))
            case Act() as act:
                game.obeys(act)
            case Forgets():
                game.obeys(ForgetDiscard())
    return game.log
