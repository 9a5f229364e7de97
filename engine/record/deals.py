"""The cards of a deal in a record: read, turned into a deck, and written."""

from collections.abc import Iterator, Sequence

from engine.cards import Card, Seat, sorted_hand
from engine.dealing import deal_out
from engine.events import CardsDealt
from engine.profile import Profile
from engine.record.deeds import VERBS
from engine.record.lines import Line
from engine.record.statements import DealBlock, Hand
from engine.record.words import LETTERS, card_word, cards_words, seat_word

TALON = "talon"


def lays_cards(line: Line) -> bool:
    """Whether `line`, which follows a `deal`, still tells who holds what."""
    first, *rest = line.words
    return first == TALON or (first in tuple(LETTERS) and (not rest or rest[0] not in VERBS))


def read_deal(start: Line, lines: Sequence[Line], profile: Profile) -> DealBlock:
    """The deal that begins at `start` and is told by `lines`.

    Raises:
        Unreadable: it does not share out the pack as `profile` does.
    """
    if len(start.words) > 1:
        raise start.unknown()
    hands: dict[Seat, Hand] = {}
    talons: dict[str, tuple[Card, ...]] = {}
    left = set(profile.pack.cards())
    for line in lines:
        name, words = _pile(line, profile)
        cards = line.cards(words)
        _take_from(left, cards, line)
        if name.startswith(TALON):
            _expect(line, len(cards), _talon_size(profile))
            if name in talons:
                raise line.wrong(f"the {name} is there already")
            talons[name] = cards
        else:
            seat = line.seat(name, profile.table.players)
            _expect(line, len(cards), sum(profile.dealing.packets))
            if seat in hands:
                raise line.wrong(f"{name} has a hand already")
            hands[seat] = Hand(seat, cards, line.number)
    if len(hands) != profile.active:
        raise start.wrong(f"{profile.active} hands are dealt, not {len(hands)}")
    if left:
        raise start.wrong(f"cards are missing: {cards_words(sorted_hand(tuple(left)))}")
    return DealBlock(
        hands=tuple(hands[seat] for seat in sorted(hands)),
        talons=tuple(talons[name] for name in sorted(talons)),
    )


def _pile(line: Line, profile: Profile) -> tuple[str, Sequence[str]]:
    """The name of the hand or talon that `line` tells, and the words of its cards."""
    two = profile.dealing.talons > 1
    match line.words:
        case ["talon", *_] if not profile.dealing.talon_after:
            raise line.wrong("there is no talon")
        case ["talon", "1" | "2" as number, *cards] if two:
            return f"{TALON} {number}", cards
        case ["talon", *_] if two:
            raise line.wrong("there are two talons: talon 1 and talon 2")
        case [name, *cards]:
            return name, cards
        case _:
            raise line.unknown()


def _take_from(left: set[Card], cards: tuple[Card, ...], line: Line) -> None:
    for card in cards:
        if card not in left:
            raise line.wrong(f"{card_word(card)} is there twice, or not in the pack")
        left.remove(card)


def _talon_size(profile: Profile) -> int:
    return sum(profile.dealing.talon_after) // profile.dealing.talons


def _expect(line: Line, found: int, size: int) -> None:
    if found != size:
        raise line.wrong(f"{size} cards belong here, not {found}")


def deck_of(deal: DealBlock, profile: Profile, dealer: Seat) -> tuple[Card, ...]:
    """The deck from which `dealer` deals exactly this."""
    pack = profile.pack.cards()
    model = deal_out(profile, dealer, pack)
    held = {hand.seat: hand.cards for hand in deal.hands}
    lies: dict[Card, Card] = {}
    for seat in model.order:
        lies.update(zip(model.hands[seat], held[seat], strict=True))
    for old, new in zip(model.talons, deal.talons, strict=True):
        lies.update(zip(old, new, strict=True))
    return tuple(lies[card] for card in pack)


def deal_lines(dealt: CardsDealt) -> Iterator[str]:
    """How a record tells `dealt`: hands as players hold them, the talon as it lies."""
    yield "deal"
    for seat in sorted(dealt.order):
        yield f"  {seat_word(seat)} {cards_words(sorted_hand(dealt.hands[seat]))}"
    for number, talon in enumerate(dealt.talons, 1):
        name = f"{TALON} {number}" if len(dealt.talons) > 1 else TALON
        yield f"  {name} {cards_words(talon)}"
