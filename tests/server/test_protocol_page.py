"""PROTOCOL.md is enough to write a client from, and is true."""

import re
from typing import get_args

import msgspec
import pytest

from engine.rejections import Reason
from server import http_messages, protocol
from server.http_messages import Problem
from server.message_types import declarations
from server.protocol import FRAME_LIMIT, ClientMessage, Close, ServerMessage, Wish
from server.protocol_page import with_reference
from server.typescript import PAGE

TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"^```json (\S+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def kind_of(said):
    match said:
        case "to-server":
            return ClientMessage
        case "from-server":
            return list[ServerMessage]
        case name:
            return getattr(http_messages, name)


@pytest.mark.parametrize(("said", "example"), EXAMPLES)
def test_an_example_is_whole_and_decodes(said, example):
    message = msgspec.json.decode(example, type=kind_of(said))

    assert msgspec.json.decode(msgspec.json.encode(message)) == msgspec.json.decode(example)


def test_there_are_examples_in_both_directions():
    assert {said for said, _ in EXAMPLES} >= {"to-server", "from-server"}


@pytest.mark.parametrize(
    "message", get_args(ClientMessage) + get_args(ServerMessage) + get_args(Wish)
)
def test_every_message_is_in_the_page(message):
    assert f"**{message.__name__}**, `type: '{message.__struct_config__.tag}'`" in TEXT


def test_every_type_is_in_the_page_once():
    assert all(TEXT.count(f"\n**{one.name}**") == 1 for one in declarations())


def test_the_page_explains_exactly_the_reasons_there_are():
    rows = re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE)

    assert rows == [reason.value for reason in Reason]


def test_the_page_explains_exactly_the_close_codes_there_are():
    rows = re.findall(r"^\| (\d{4}) \| ([A-Z_]+) \|", TEXT, re.MULTILINE)

    assert rows == [(str(code.value), code.name) for code in Close]


def test_every_http_error_is_in_the_page():
    errors = get_args(Problem.__annotations__["error"])

    assert all(f"`{error}`" in TEXT for error in errors)


def test_the_numbers_in_the_page_are_those_of_the_code():
    assert f"This is protocol number {protocol.PROTOCOL}." in TEXT
    assert TEXT.count(f"{FRAME_LIMIT} bytes") == 3


def test_a_page_without_marks_is_not_written_over():
    with pytest.raises(ValueError, match="marks"):
        with_reference("# The protocol\n")
