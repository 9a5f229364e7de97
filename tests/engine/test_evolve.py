import itertools
import random
import typing

import pytest

from engine.events import (
    AnyEvent,
    BidPlaced,
    GameEnded,
    GameStarted,
    GameWon,
    PlayerKicked,
    PlayerSeated,
    ReadySet,
    RoomOpened,
    SeatHandedOver,
    TakeBackChosen,
)
from engine.evolve import LogCorrupt, evolve, fold
from engine.state import Gathering, Player, Room
from tests.support import BIDDING_3, RU_2, RU_3, A, B, Evening, entries


def test_folding_nothing_is_no_room():
    assert fold([]) is None


def test_a_room_begins_with_being_opened_once():
    opened = evolve(None, RoomOpened(profile=RU_3))

    assert opened.phase == Gathering()
    with pytest.raises(LogCorrupt, match="RoomOpened cannot follow Gathering"):
        evolve(opened, RoomOpened(profile=RU_3))
    with pytest.raises(LogCorrupt, match="BidPlaced cannot follow NoneType"):
        evolve(None, BidPlaced(seat=A, points=100, next=B))


def test_a_fact_that_cannot_follow_is_a_corrupt_log():
    evening = Evening(RU_3)

    with pytest.raises(LogCorrupt, match="BidPlaced cannot follow Between"):
        evolve(evening.room, BidPlaced(seat=A, points=100, next=B))
    evening.deals()
    with pytest.raises(LogCorrupt, match="GameWon cannot follow Auction"):
        evolve(evening.room, GameWon(winners=(A,)))


def test_facts_of_the_table_do_not_fit_into_a_running_game():
    evening = Evening(RU_3)
    start = evening.facts

    assert {type(fact) for fact in start} == {RoomOpened, PlayerSeated, ReadySet, GameStarted}
    for fact in (*start, TakeBackChosen(mode="off")):
        with pytest.raises(LogCorrupt):
            evolve(evening.room, fact)


def test_who_sits_where_may_change_in_any_phase():
    evening = Evening(RU_3)
    evening.deals()
    kicked = evolve(evening.room, PlayerKicked(seat=B, by=A, agreed=()))
    seated = evolve(kicked, PlayerSeated(seat=B, name="Nora", key="n"))
    handed = evolve(seated, SeatHandedOver(seat=B, key="m", agreed=()))

    assert kicked.phase == seated.phase == handed.phase == evening.room.phase
    assert [room.players[B] for room in (kicked, seated, handed)] == [
        None,
        Player("Nora", "n"),
        Player("Nora", "m"),
    ]


@pytest.mark.parametrize(
    "fact",
    [
        PlayerSeated(seat=A, name="Nora", key="n"),
        PlayerKicked(seat=B, by=A, agreed=()),
        SeatHandedOver(seat=B, key="n", agreed=()),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_nobody_sits_on_a_taken_chair_nor_goes_from_a_free_one(fact):
    kicked = evolve(Evening(RU_3).room, PlayerKicked(seat=B, by=A, agreed=()))

    with pytest.raises(LogCorrupt, match=f"{type(fact).__name__} cannot follow Between"):
        evolve(kicked, fact)


def test_a_game_that_does_not_run_cannot_be_ended():
    opened = evolve(None, RoomOpened(profile=RU_3))

    with pytest.raises(LogCorrupt, match="GameEnded cannot follow Gathering"):
        evolve(opened, GameEnded(by=A, agreed=()))


@pytest.mark.parametrize("profile", [RU_3, RU_2, BIDDING_3], ids=lambda profile: profile.id)
def test_every_fact_either_follows_or_is_refused_as_corrupt_in_every_phase(profile):
    rooms: dict[type, Room] = {}
    facts: dict[type, AnyEvent] = {}
    for seed in range(8):
        for room, entry in entries(profile, random.Random(seed), deals=3):
            rooms[type(room.phase)] = room
            facts |= {type(fact): fact for fact in entry.happened}

    assert len(rooms) >= 5
    for room, fact in itertools.product(rooms.values(), facts.values()):
        try:
            evolve(room, fact)
        except LogCorrupt as corrupt:
            assert type(fact).__name__ in str(corrupt)  # noqa: PT017  # either way is right


def test_every_fact_has_a_tag_of_its_own():
    tags = [kind.__struct_config__.tag for kind in typing.get_args(AnyEvent)]

    assert len(set(tags)) == len(tags) == 29
