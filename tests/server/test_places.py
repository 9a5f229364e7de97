"""Who has a place when there are too few, and who makes way for whom."""

from collections.abc import Callable

import pytest

from server.limits import Limits, Visitor
from server.places import TURNED_AWAY, Place, Places
from tests.server.clock import Clock


class House:
    """So many places, an eighth of them in reserve, and everybody who came."""

    def __init__(self, places: int = 16, connections: int = 64, watchers: int = 16) -> None:
        self.limits = Limits(all_connections=places, connections=connections, watchers=watchers)
        self.places = Places(self.limits)
        self.gone: list[Place] = []
        self.came: list[Place] = []
        """All who came."""

    def address(self) -> Visitor:
        return Visitor(self.limits, Clock())

    def comes(self, visitor: Visitor) -> Place:
        place: Place | None = None

        def make_way() -> None:
            assert place is not None
            self.gone.append(place)

        place = self.places.take(visitor, make_way)
        assert place is not None
        self.came.append(place)
        return place

    def fills(self, visitor: Visitor, count: int) -> list[Place]:
        return [self.comes(visitor) for _ in range(count)]

    def fills_from_many(self, addresses: int, each: int) -> list[Place]:
        return [place for _ in range(addresses) for place in self.fills(self.address(), each)]


def test_while_there_are_places_everybody_has_one():
    house = House()
    places = house.fills(house.address(), 14)

    assert not any(place.refused or place.reserved for place in places)
    assert house.gone == []


def test_an_address_has_so_many_and_is_told_so():
    house = House(connections=2)
    greedy = house.address()

    assert [place.refused for place in house.fills(greedy, 3)] == [False, False, True]
    assert not house.comes(house.address()).refused


def test_who_holds_few_takes_the_newest_place_of_who_holds_most():
    house = House()
    some, most = house.fills(house.address(), 4), house.fills(house.address(), 10)
    newcomer = house.comes(house.address())

    assert house.gone == [most[-1]]
    assert not newcomer.reserved
    assert len(house.places) == 14
    assert all(place not in house.gone for place in some)


@pytest.mark.parametrize(("addresses", "each"), [(13, 62), (250, 4), (400, 2)])
def test_a_player_who_reloads_comes_back_whatever_addresses_somebody_holds(
    addresses: int, each: int
):
    house = House(places=800)
    player = house.address()
    seated = house.comes(player)
    seated.sit()
    for _ in range(addresses):
        stranger = house.address()
        for _ in range(each):
            house.places.take(stranger, lambda: None)
    seated.leave()
    back = house.comes(player)
    back.sit()
    back.end_unless_it_sits()

    assert not back.refused
    assert back not in house.gone


def test_whoever_holds_as_many_as_the_others_gets_in_by_the_reserve_alone():
    house = House()
    house.fills_from_many(14, 1)
    newcomer = house.comes(house.address())

    assert newcomer.reserved
    newcomer.end_unless_it_sits()
    assert house.gone == [newcomer]


def test_a_seat_shown_in_the_reserve_takes_the_place_of_one_who_looks_on():
    house = House()
    loose = house.fills_from_many(14, 1)
    newcomer = house.comes(house.address())
    newcomer.sit()
    newcomer.end_unless_it_sits()

    assert len(house.gone) == 1
    assert house.gone[0] in loose
    assert len(house.places) == 14


def test_whoever_sits_makes_way_for_nobody_who_does_not():
    house = House()
    for place in house.fills(house.address(), 14):
        place.sit()
    house.fills_from_many(4, 2)

    assert not any(place.sits for place in house.gone)


def test_an_address_that_sits_at_many_tables_makes_way_for_one_that_sits_at_its_own():
    house = House()
    greedy = house.fills(house.address(), 14)
    for place in greedy:
        place.sit()
    house.comes(house.address()).sit()

    assert house.gone == [greedy[-1]]


def test_whoever_has_no_place_is_told_so_and_of_very_many_not_even_that():
    house = House()
    house.fills_from_many(16, 1)
    refused = house.fills_from_many(TURNED_AWAY, 1)

    assert all(place.refused for place in refused)
    assert house.places.take(house.address(), lambda: None) is None
    refused[0].end_unless_it_sits()
    assert house.gone == [refused[0]]
    assert house.comes(house.address()).refused


def test_a_place_of_the_reserve_is_a_place_like_any_other_once_there_are_enough():
    house = House()
    loose = house.fills_from_many(14, 1)
    newcomer = house.comes(house.address())
    loose[0].leave()
    newcomer.end_unless_it_sits()

    assert house.gone == []


def test_so_many_of_an_address_look_on():
    house = House(watchers=2)
    address = house.address()
    first, second, third = house.fills(address, 3)

    assert [place.watch() for place in (first, second, third, first)] == [True, True, False, True]
    first.leave()
    assert third.watch()


def test_a_device_that_has_got_a_seat_looks_on_no_longer():
    house = House(watchers=1)
    address = house.address()
    first, second = house.fills(address, 2)
    assert first.watch()
    assert not second.watch()

    first.sit()

    assert second.watch()
    first.leave()
    assert address.watchers == 1


def test_a_connection_that_is_gone_twice_is_counted_once():
    house = House()
    address = house.address()
    first, _ = house.fills(address, 2)
    first.leave()
    first.leave()

    assert (address.connections, len(house.places)) == (1, 1)


def test_coming_and_going_leaves_nothing_behind():
    house = House()
    going: list[Callable[[], None]] = [place.leave for place in house.fills_from_many(5, 5)]
    for leave in going:
        leave()

    assert len(house.places) == 0
    assert vars(house.places)["_refused"] == set()


@pytest.mark.parametrize("addresses", [14, 20, 50])
def test_nobody_shuts_others_out_by_sitting_at_tables_of_their_own(addresses: int):
    house = House(places=800)
    strangers = [house.address() for _ in range(addresses)]
    for _ in range(60):
        for stranger in strangers:
            house.comes(stranger).sit()
            for place in [one for one in house.came if one.reserved or one.refused]:
                place.leave()
    player = house.address()
    house.gone.clear()
    phone = house.comes(player)

    assert not phone.refused
    assert phone.sit()
    phone.end_unless_it_sits()
    assert phone not in house.gone


def test_whoever_sits_in_the_reserve_of_an_address_that_sits_most_has_no_place():
    house = House()
    greedy, other = house.address(), house.address()
    assert all(place.sit() for place in (*house.fills(greedy, 7), *house.fills(other, 7)))
    more = house.comes(greedy)

    assert not more.sit()
    assert not more.sits
    assert house.gone == []
    more.end_unless_it_sits()
    assert house.gone == [more]


def test_a_page_that_is_loaded_makes_way_for_nobody_who_sits_at_many_tables():
    house = House(places=800)
    strangers = [house.address() for _ in range(13)]
    for _ in range(53):
        for stranger in strangers:
            house.comes(stranger).sit()
    page = house.fills(house.address(), 6)
    for stranger in strangers:
        house.comes(stranger).sit()

    assert not any(place in house.gone for place in page)
