import random

import pytest

from engine.history import SCHEMA
from server.log import Stored
from server.log.codec import EntryUnreadable, decode, encode
from tests.engine.agreeing import eventful
from tests.support import DE_3, entries


def test_an_entry_comes_back_as_it_was():
    for entry in eventful(DE_3, 7, deals=3).log:
        assert decode(Stored(entry.seq, encode(entry))) == entry


def test_bytes_that_are_no_entry_are_named_by_their_number():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))
    good = encode(entry)
    today = f'"schema":{SCHEMA}'.encode()
    wrong = [
        (b"", "cannot be read"),
        (good[:-10], "cannot be read"),
        (b"[]", "cannot be read"),
        (b'{"schema":1}', "cannot be read"),
        (b'{"schema":1,"seq":2,"facts":1}', "cannot be read"),
        (b'{"schema":1,"seq":2,"facts":[7]}', "cannot be read"),
        (good.replace(today, b'"schema":99'), "has schema 99; this version reads 1 to"),
        (good.replace(today, b'"schema":0'), "has schema 0; this version reads 1 to"),
        (good.replace(b"cards_dealt", b"cards_dropped"), "cannot be read"),
        (good.replace(b"cards_dealt", b"cards_dropped").replace(today, b'"schema":1'), "cannot"),
    ]
    for data, told in wrong:
        with pytest.raises(EntryUnreadable, match=f"entry {entry.seq} .*{told}"):
            decode(Stored(entry.seq, data))


def test_an_entry_that_an_earlier_version_stored_is_read_as_one_of_today():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))
    before = encode(entry).replace(f'"schema":{SCHEMA}'.encode(), b'"schema":1')

    assert decode(Stored(entry.seq, before)) == entry


def test_an_entry_under_another_number_is_refused():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))

    with pytest.raises(EntryUnreadable, match="says it is number 2"):
        decode(Stored(9, encode(entry)))
