"""A text record as the entries of a room in which its game is played."""

from collections.abc import Mapping

from engine.cards import Seat
from engine.commands import DealCards
from engine.decide import decide
from engine.events import AnyEvent, GameStarted, PlayerSeated, RoomOpened
from engine.history import Entry
from engine.profile import Profile
from engine.record import Record, Unreadable, play_record, read_record
from engine.record.deals import deck_of
from engine.record.position import Position, beginning
from engine.record.statements import Claim, DealBlock, Refusal
from engine.rejections import Rejected


def read_entries(text: str, profiles: Mapping[str, Profile]) -> list[Entry]:
    """The log of a room that never was, in which the game of the record in `text` is played.

    Raises:
        Unreadable: it is no record, or something in it does not hold.
    """
    record = read_record(text, profiles)
    if failure := play_record(record).failure:
        raise Unreadable(failure.line, failure.text)
    decisions = [*_opening(record), *_course(record)]
    return [Entry(seq=seq, facts=facts) for seq, facts in enumerate(decisions, 1)]


def _opening(record: Record) -> list[tuple[AnyEvent, ...]]:
    header = record.header
    return [
        (
            RoomOpened(profile=header.profile),
            *(
                PlayerSeated(seat=Seat(index), name=name, key="")
                for index, name in enumerate(header.names)
            ),
        ),
        (
            GameStarted(
                number=1,
                profile=header.profile,
                dealer=header.dealer,
                by_lot=False,
                at=None,
                standings=header.standings,
            ),
        ),
    ]


def _course(record: Record) -> list[tuple[AnyEvent, ...]]:
    """The decisions that the record tells, which is known to hold."""
    position = beginning(record.header)
    decisions = []
    for statement in record.statements:
        says = statement.says
        if isinstance(says, Claim | Refusal):
            continue
        answer = _dealt(position, says) if isinstance(says, DealBlock) else position.answer(says)
        if isinstance(answer, Rejected):
            raise TypeError("a record that holds was refused")
        decisions.append(answer)
        position = position.after(answer)
    return decisions


def _dealt(position: Position, block: DealBlock) -> tuple[AnyEvent, ...] | Rejected:
    dealer = position.game.dealer
    return decide(position.room, DealCards(dealer, deck_of(block, position.game.profile, dealer)))
