import random

import pytest

from server.log import Stored
from server.log.codec import EntryUnreadable, decode, encode
from tests.support import DE_3, entries


def test_an_entry_comes_back_as_it_was():
    for _, entry in entries(DE_3, random.Random(7), deals=3):
        assert decode(Stored(entry.seq, encode(entry))) == entry


def test_bytes_that_are_no_entry_are_named_by_their_number():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))
    good = encode(entry)
    wrong = [
        (b"", "cannot be read"),
        (good[:-10], "cannot be read"),
        (good.replace(b'"schema":1', b'"schema":2'), "schema 2"),
        (good.replace(b"cards_dealt", b"cards_dropped"), "cannot be read"),
    ]
    for data, told in wrong:
        with pytest.raises(EntryUnreadable, match=f"entry {entry.seq} .*{told}"):
            decode(Stored(entry.seq, data))


def test_an_entry_under_another_number_is_refused():
    _, entry = next(entries(DE_3, random.Random(7), deals=1))

    with pytest.raises(EntryUnreadable, match="says it is number 2"):
        decode(Stored(9, encode(entry)))
