"""The client's types say what the server's messages say."""

import re
from typing import get_args

import pytest
from msgspec.structs import fields

from engine.rejections import Reason
from server import message_types, typescript
from server.message_types import Choice, Shape, declarations
from server.protocol import ClientMessage, Close, ServerMessage
from server.typescript import main, stale, types


def declared(name):
    return next(one for one in declarations() if one.name == name)


def test_every_generated_file_is_fresh():
    assert stale() == ()


def test_a_stale_file_is_named_by_check_and_written_without_it(tmp_path, monkeypatch, capsys):
    old = tmp_path / "protocol.gen.ts"
    old.write_text("old")
    monkeypatch.setattr(typescript, "ROOT", tmp_path)
    monkeypatch.setattr(typescript, "GENERATED", {old: types})

    assert main(["--check"]) == 1
    assert "protocol.gen.ts is stale" in capsys.readouterr().err
    assert old.read_text() == "old"
    assert main([]) == 0
    assert old.read_text() == types()
    assert main(["--check"]) == 0


def test_a_type_from_a_module_that_is_not_read_is_a_mistake(monkeypatch):
    monkeypatch.setattr(message_types, "MODULES", message_types.MODULES[1:])

    with pytest.raises(TypeError, match=r"engine\.cards is not among the modules that are read"):
        declarations()


@pytest.mark.parametrize("message", [*get_args(ClientMessage), *get_args(ServerMessage)])
def test_every_message_is_declared_with_its_tag_and_fields(message):
    shape = declared(message.__name__)

    assert isinstance(shape, Shape)
    assert shape.tag == message.__struct_config__.tag
    assert [field.name for field in shape.fields] == [field.name for field in fields(message)]


def test_only_what_a_client_may_leave_out_is_optional():
    optional = {
        f"{one.name}.{field.name}"
        for one in declarations()
        if isinstance(one, Shape)
        for field in one.fields
        if field.optional
    }

    assert optional == {
        "Join.seat",
        "Join.tokens",
        "Resume.tokens",
        "Resume.facing",
        "Resume.seen",
        "Claim.name",
        "Claim.tokens",
        "Watch.seen",
        "TakeBack.seq",
        "TakeTalon.talon",
        "UseProfile.house_rules",
        "NewRoom.house_rules",
    }


def test_what_goes_both_ways_has_no_defaults():
    """Else the client's types would call optional what the server always sends."""
    assert not any(field.optional for field in declared("Gift").fields)


def test_every_reason_and_close_code_is_in_the_types():
    reasons = declared("Reason")

    assert isinstance(reasons, Choice)
    assert reasons.options == tuple(f"'{reason.value}'" for reason in Reason)
    assert all(f"  {code.name}: {code.value},\n" in types() for code in Close)


def test_every_name_that_is_used_is_declared():
    names = {one.name for one in declarations()}
    used = {
        name
        for one in declarations()
        for option in (
            one.options if isinstance(one, Choice) else [o for f in one.fields for o in f.options]
        )
        for name in re.findall(r"\b(?!Readonly|Record)[A-Z]\w+", re.sub(r"'[^']*'", "", option))
    }

    assert used <= names


def test_seats_and_cards_keep_their_names():
    assert declared("Seat").options == ("number",)
    assert "'HK'" in declared("Card").options
    assert "  readonly hand: readonly Card[]\n" in types()


def test_documentation_comes_along_and_speaks_of_null():
    assert "  /** Deals a player may sit on the barrel; null: there is no barrel. */\n" in types()


def test_lines_fit_the_formatter():
    assert max(map(len, types().split("\n"))) <= typescript.WIDTH
