"""Games that were played, as a log holds them: what tests of replay, archive and files share."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.events import AnyEvent, GameStarted, PlayerSeated, Standing, Undone
from engine.history import Entry
from server.identity import key_of
from server.log import EventLog, Stored
from server.log.codec import encode
from tests.engine.agreeing import Agreeing
from tests.support import RU_3, with_rules

RULES = with_rules(RU_3, concession_half=True)
HANDS = {
    "A": "AS 10S KH QH AC 9D 9C",
    "B": "KS QS 9S 10H KC QC JD",
    "C": "JS AH JH 10C 10D KD QD",
}
TALON = "JC 9H AD"
TOKENS = tuple(f"token-of-the-seat-{name}" for name in ("anna", "ben-", "cara", "dana"))
NAMES = ("Anna", "Ben", "Carla", "Dana")
BEGAN = 1_796_000_000
"""When the first game began, in seconds since 1970."""


def dealt(**begin: object) -> Agreeing:
    """A game in which the cards are out and A has called 100."""
    room = Agreeing(RULES, **begin)
    room.deals(**HANDS, talon=TALON)
    room.does("A bid 100")
    return room


def won() -> Agreeing:
    """A game that B has won at once, when A gave up."""
    room = dealt(standings={"B": Standing(score=870)})
    room.does("B pass", "C bid 105", "A bid 400", "C pass", "A take", "A concede")
    return room


def played() -> Agreeing:
    """A deal played to its end with a meld, a void one, a call taken back; then ended by B."""
    room = dealt()
    room.does("B pass", "C pass", "A take", "A give 9D B 9C C", "A contract 120")
    room.does("A play AS", "B play 9S", "C play JS", "A meld KH")
    room.goes_on()
    room.deals()
    room.voids("C")
    room.deals()
    caller = "ABC"[room.view(None).turn or 0]
    room.does(f"{caller} bid 100")
    room.takes_back(caller)
    room.ends("B")
    return room


def again(room: Agreeing) -> Agreeing:
    """The same table in its next game, which runs."""
    room.starts()
    room.deals()
    return room


def stored(room: Agreeing, names: Sequence[str] = NAMES, at: int | None = BEGAN) -> list[Entry]:
    """The log of `room` as a server would have it: with names, with keys of `TOKENS`, and the
    beginning of the game in an entry of its own.
    """
    first, *others = room.log
    table = tuple(_called(fact, names, at) for fact in first.facts)
    beginning = [Entry(seq=1, facts=table[:-1]), Entry(seq=2, facts=table[-1:])]
    return [*beginning, *(_later(entry, names, at) for entry in others)]


def _later(entry: Entry, names: Sequence[str], at: int | None) -> Entry:
    facts = tuple(_called(fact, names, at) for fact in entry.facts)
    return replace(entry, seq=entry.seq + 1, facts=facts)


def _called(fact: AnyEvent | Undone, names: Sequence[str], at: int | None) -> AnyEvent | Undone:
    match fact:
        case PlayerSeated(seat=seat, key=key) if key == str(seat):
            return replace(fact, name=names[seat], key=key_of(TOKENS[seat]))
        case GameStarted(number=number):
            return replace(fact, at=None if at is None else at + 3600 * (number - 1))
        case Undone(back_to=back_to):
            return replace(fact, back_to=back_to + 1)
        case _:
            return fact


async def keep(events: EventLog, entries: Iterable[Entry], code: str = "KVRT") -> None:
    """The log has room `code` with these entries."""
    for entry in entries:
        await events.append(code, entry.seq, encode(entry))


async def kept(events: EventLog, code: str) -> list[Stored]:
    """All that the log has of room `code`, however long it is."""
    return await events.read(code, most=await events.end(code))
