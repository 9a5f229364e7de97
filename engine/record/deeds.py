"""Acts in a record: what a seat does, read and written."""

from collections.abc import Sequence
from typing import assert_never

from engine.commands import (
    Act,
    AnyAction,
    ChooseFirstDealer,
    ChooseTakeBack,
    Concede,
    GiveCards,
    LayAway,
    Leave,
    Meld,
    MoveTo,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    SetReady,
    ShowNines,
    TakeTalon,
)
from engine.events import Gift
from engine.profile import Profile
from engine.record.lines import Line
from engine.record.statements import Deed, Forgets
from engine.record.words import card_word, seat_word

VERBS = (
    *("bid", "pass", "take", "give", "discard", "contract"),
    *("concede", "nines", "forgets", "play", "meld"),
)


def read_deed(line: Line, words: Sequence[str], profile: Profile) -> Deed:
    """What `words`, a part of `line`, let a seat do.

    Raises:
        Unreadable: they are no act at a table of `profile`.
    """
    if len(words) < 2 or words[1] not in VERBS:  # noqa: PLR2004  # a seat and a verb
        raise line.unknown()
    seat = line.seat(words[0], profile.table.players)
    match words[1:]:
        case ["forgets"]:
            return Forgets(seat)
        case said:
            return Act(seat, _read_action(line, said, profile))


def _read_action(line: Line, words: Sequence[str], profile: Profile) -> AnyAction:
    match words:
        case ["bid", points]:
            return PlaceBid(line.whole(points))
        case ["pass"]:
            return Pass()
        case ["take", *number]:
            return TakeTalon(_read_talon(line, number, profile))
        case ["give", *gifts] if len(gifts) % 2 == 0:
            players = profile.table.players
            cards, seats = line.cards(gifts[::2]), gifts[1::2]
            return GiveCards(
                tuple(
                    Gift(line.seat(seat, players), card)
                    for card, seat in zip(cards, seats, strict=True)
                )
            )
        case ["discard", *cards]:
            return LayAway(line.cards(cards))
        case ["contract", points]:
            return SetContract(line.whole(points))
        case ["concede"]:
            return Concede()
        case ["nines"]:
            return ShowNines()
        case ["play", card]:
            return PlayCard(*line.cards([card]))
        case ["meld", card]:
            return Meld(*line.cards([card]))
        case _:
            raise line.unknown()


def _read_talon(line: Line, number: Sequence[str], profile: Profile) -> int:
    """Which talon is taken, from 0; only where there are two does a number say so."""
    match number:
        case [] if profile.dealing.talons == 1:
            return 0
        case ["1" | "2" as which] if profile.dealing.talons > 1:
            return int(which) - 1
        case []:
            raise line.wrong("there are two talons: take 1 or take 2")
        case _ if profile.dealing.talons > 1:
            raise line.wrong(f"{' '.join(number)!r} is no talon; they are 1 and 2")
        case _:
            raise line.wrong("there is one talon: take, without a number")


def deed_words(deed: Deed, profile: Profile) -> str:
    """How a record says `deed`."""
    if isinstance(deed, Forgets):
        return f"{seat_word(deed.seat)} forgets"
    return f"{seat_word(deed.seat)} {_action_words(deed.action, profile)}"


def _action_words(action: AnyAction, profile: Profile) -> str:
    match action:
        case PlaceBid(points=points):
            return f"bid {points}"
        case Pass():
            return "pass"
        case TakeTalon(talon=talon):
            return f"take {talon + 1}" if profile.dealing.talons > 1 else "take"
        case GiveCards(gifts=gifts):
            return " ".join(["give", *map(_gift_words, gifts)])
        case LayAway(cards=cards):
            return " ".join(["discard", *map(card_word, cards)])
        case SetContract(points=points):
            return f"contract {points}"
        case Concede():
            return "concede"
        case ShowNines():
            return "nines"
        case PlayCard(card=card):
            return f"play {card_word(card)}"
        case Meld(card=card):
            return f"meld {card_word(card)}"
        case MoveTo() | SetReady() | ChooseFirstDealer() | ChooseTakeBack() | Leave():
            raise ValueError("a record tells nothing of the table before the game")
        case never:
            assert_never(never)


def _gift_words(gift: Gift) -> str:
    return f"{card_word(gift.card)} {seat_word(gift.to)}"
