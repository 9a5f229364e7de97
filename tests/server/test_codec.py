import random
import typing

import msgspec
import pytest

from engine.events import AnyEvent, ProfileChosen, RoomOpened
from engine.history import SCHEMA, Entry
from engine.profile import Profile
from server.log import Stored
from server.log.codec import (
    EntryDecoder,
    EntryUnreadable,
    ProfileEvent,
    Told,
    encode,
    entries_of,
)
from tests.engine.agreeing import eventful
from tests.golden_logs import lines_of
from tests.support import DE_3, RU_3, entries, with_rules

WHOLE = 1000  # a profile alone takes more bytes


def chosen(seq: int, profile: Profile) -> Entry:
    return Entry(seq=seq, facts=(ProfileChosen(profile=profile),))


def many(count: int) -> list[Profile]:
    """So many profiles, of which no two are the same."""
    return [msgspec.structs.replace(RU_3, version=version) for version in range(1, count + 1)]


def stored(log: list[Entry]) -> list[Stored]:
    return [Stored(seq, line) for seq, line in enumerate(lines_of(log).splitlines(), 1)]


def test_an_entry_comes_back_as_it_was():
    for entry in eventful(DE_3, 7, deals=3).log:
        assert EntryDecoder().entry(Stored(entry.seq, encode(entry))) == entry


def test_bytes_that_are_no_entry_are_named_by_their_number():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))
    good = encode(entry)
    today = f'"schema":{SCHEMA}'.encode()
    deep = b'{"schema":1,"seq":2,"facts":' + b"[" * 100_000
    wrong = [
        (b"", "cannot be read"),
        (good[:-10], "cannot be read"),
        (b"[]", "cannot be read"),
        (b'{"schema":1}', "cannot be read"),
        (b'{"schema":1,"seq":2,"facts":1}', "cannot be read"),
        (b'{"schema":1,"seq":2,"facts":[7]}', "cannot be read"),
        (b'{"seq":2,"facts":1,' + today + b"}", "cannot be read"),
        (b'{"seq":2,"facts":[7],' + today + b"}", "cannot be read"),
        (deep, "cannot be read"),
        (good.replace(today, b'"schema":99'), "has schema 99; this version reads 1 to"),
        (good.replace(today, b'"schema":0'), "has schema 0; this version reads 1 to"),
        (good.replace(b"cards_dealt", b"cards_dropped"), "cannot be read"),
        (good.replace(b"cards_dealt", b"cards_dropped").replace(today, b'"schema":1'), "cannot"),
    ]
    for data, told in wrong:
        with pytest.raises(EntryUnreadable, match=f"entry {entry.seq} .*{told}"):
            EntryDecoder().entry(Stored(entry.seq, data))


def test_an_entry_that_an_earlier_version_stored_is_read_as_one_of_today():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))
    before = encode(entry).replace(f'"schema":{SCHEMA}'.encode(), b'"schema":1')

    assert EntryDecoder().entry(Stored(entry.seq, before)) == entry


def test_an_entry_under_another_number_is_refused():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))

    with pytest.raises(EntryUnreadable, match="says it is number 2"):
        EntryDecoder().entry(Stored(9, encode(entry)))


def test_a_room_stores_a_profile_once_however_often_it_is_chosen():
    plain, other = RU_3, with_rules(RU_3, four_aces=True)
    log = [Entry(seq=1, facts=(RoomOpened(profile=plain),))]
    log += [chosen(seq, other if seq % 2 == 0 else plain) for seq in range(2, 100)]

    kept = stored(log)

    assert [one.seq for one in kept if len(one.data) > WHOLE] == [1, 2]
    assert entries_of(kept) == log


def test_a_profile_that_an_earlier_version_told_is_not_told_again():
    opened = Entry(seq=1, facts=(RoomOpened(profile=RU_3),))
    before = encode(opened).replace(f'"schema":{SCHEMA}'.encode(), b'"schema":2')
    decoder = EntryDecoder()
    decoder.entry(Stored(1, before))

    data = encode(chosen(2, RU_3), decoder.told)

    assert len(data) < WHOLE
    assert decoder.entry(Stored(2, data)) == chosen(2, RU_3)


def test_whoever_writes_refers_to_nothing_that_a_reader_has_let_go():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to have the same table again
    chance, profiles = random.Random(seed), many(2 * Told.KEPT)
    log = [chosen(seq, chance.choice(profiles)) for seq in range(1, 500)]

    assert entries_of(stored(log)) == log


def test_a_room_keeps_few_profiles_in_memory_however_many_it_told():
    decoder = EntryDecoder()
    for one in stored([chosen(seq, profile) for seq, profile in enumerate(many(100), 1)]):
        decoder.entry(one)

    assert len(decoder.told) == Told.KEPT


def test_of_several_profiles_in_one_entry_each_comes_back():
    one, other = many(2)
    both = (ProfileChosen(profile=one), ProfileChosen(profile=other))
    log = [Entry(seq=1, facts=both), chosen(2, other), chosen(3, one), Entry(seq=4, facts=both)]

    assert entries_of(stored(log)) == log


@pytest.mark.parametrize("to", ["1", "2", "3", "-1", "true", "1.0", '"1"', "null", "1e999"])
def test_an_entry_that_refers_to_what_tells_no_profile_is_refused(to):
    told = stored([chosen(1, RU_3)])[0].data.replace(b'"seq":1', b'"seq":2')
    begins = told.index(b'{"id":')
    ends = told.index(b'}],"ask"')
    wrong = told[:begins] + to.encode() + told[ends:]
    decoder = EntryDecoder()
    decoder.entry(Stored(1, encode(Entry(seq=1, facts=()))))

    with pytest.raises(EntryUnreadable, match="entry 2 cannot be read"):
        decoder.entry(Stored(2, wrong))


def test_every_fact_with_a_profile_refers_to_it():
    holding = {
        kind
        for kind in typing.get_args(AnyEvent)
        if any(field.type is Profile for field in msgspec.structs.fields(kind))
    }

    assert holding == set(typing.get_args(ProfileEvent))
