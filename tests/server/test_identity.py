import pytest

from server.identity import CODE_LENGTH, CODE_LETTERS, key_of, new_code, read_code
from tests.server.phones import new_token


def test_room_codes_have_four_letters_without_look_alikes():
    codes = {new_code() for _ in range(500)}

    assert len(codes) > 400
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) for code in codes)
    assert not set(CODE_LETTERS) & set("IJOQSU0123456789")


def test_a_code_is_read_however_it_was_typed():
    assert read_code(" kvrt ") == "KVRT"


@pytest.mark.parametrize("text", ["", "KVR", "KVRTX", "KV1T", "KVOT", "КВРТ", "../a", "K RT"])
def test_what_cannot_be_a_code_is_none(text: str):
    assert read_code(text) is None


def test_a_key_recognises_its_token_and_does_not_hold_it():
    token = new_token()

    assert key_of(token) == key_of(token) != key_of(new_token())
    assert token not in key_of(token)
