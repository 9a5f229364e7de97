"""The client's types, written from the server's messages.

``python -m server.typescript`` writes them and the tables of PROTOCOL.md; with ``--check`` it
writes nothing and fails where a file is not what it would write.
"""

import argparse
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from server import protocol
from server.message_types import Choice, Declaration, Field, Shape, declarations
from server.profiles import load_profiles
from server.protocol_page import with_reference
from server.rule_book import rule_book

ROOT = Path(__file__).parent.parent
TYPES = ROOT / "client" / "src" / "protocol.gen.ts"
PAGE = ROOT / "server" / "PROTOCOL.md"
BOOKS = ROOT / "client" / "src" / "rules" / "books.gen.json"

WIDTH = 100
"""Columns, as the client's formatter is set."""

HEADER = """\
// Generated from server/protocol.py. Do not edit: run `python -m server.typescript`.
"""


def types() -> str:
    """The whole file `client/src/protocol.gen.ts`."""
    parts = [HEADER, _constants(), *map(_declared, declarations())]
    return "\n".join(parts)


def _constants() -> str:
    members = "".join(f"  {code.name}: {code.value},\n" for code in protocol.Close)
    return (
        f"export const PROTOCOL = {protocol.PROTOCOL}\n\n"
        "/** Bytes of a frame to the server at most. */\n"
        f"export const FRAME_LIMIT = {protocol.FRAME_LIMIT}\n\n"
        "/** Why the server closes a socket. The numbers are permanent. */\n"
        f"export const CLOSE = {{\n{members}}} as const\n\n"
        "export type Close = (typeof CLOSE)[keyof typeof CLOSE]\n"
    )


def _declared(declaration: Declaration) -> str:
    match declaration:
        case Shape(name=name, doc=doc, tag=tag, fields=fields):
            tagged = "" if tag is None else f"  readonly type: '{tag}'\n"
            body = tagged + "".join(map(_field, fields))
            return f"{_comment(doc)}export interface {name} {{\n{body}}}\n"
        case Choice(name=name, doc=doc, options=options):
            return f"{_comment(doc)}{_union(f'export type {name} =', options)}\n"


def _field(field: Field) -> str:
    mark = "?" if field.optional else ""
    head = f"  readonly {field.name}{mark}:"
    return f"{_comment(field.doc, '  ')}{_union(head, field.options)}\n"


def _union(head: str, options: Sequence[str]) -> str:
    """`head` and the options: on its line, on the next, or on a line each, as the room allows."""
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    joined = " | ".join(options)
    for candidate in (f"{head} {joined}", f"{head}\n{indent}{joined}"):
        if max(map(len, candidate.split("\n"))) <= WIDTH:
            return candidate
    return head + "".join(f"\n{indent}| {option}" for option in options)


def _comment(doc: str, indent: str = "") -> str:
    """`doc` as a comment above a declaration; empty where there is none."""
    if not doc:
        return ""
    if "\n" not in doc and len(indent + doc) + len("/**  */") <= WIDTH:
        return f"{indent}/** {doc} */\n"
    room = WIDTH - len(indent) - len(" * ")
    lines = [line for text in doc.split("\n") for line in textwrap.wrap(text, room) or [""]]
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{inner}{indent} */\n"


def page() -> str:
    """The whole file `server/PROTOCOL.md`: its own words, and the reference anew."""
    return with_reference(PAGE.read_text(encoding="utf-8"))


def books() -> str:
    """The rules of every profile, by which the client's page of rules is tested."""
    written = [rule_book(profile) for profile in load_profiles().values()]
    return msgspec.json.format(msgspec.json.encode(written), indent=1).decode() + "\n"


GENERATED: dict[Path, Callable[[], str]] = {TYPES: types, PAGE: page, BOOKS: books}
"""Every generated file and what it is to hold."""


def stale() -> tuple[Path, ...]:
    """The generated files that are not what the types say."""
    return tuple(
        path
        for path, written in GENERATED.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != written()
    )


def main(arguments: list[str] | None = None) -> int:
    """Write the generated files or, with ``--check``, name those that are stale. The exit code."""
    parser = argparse.ArgumentParser(prog="python -m server.typescript", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    check: bool = parser.parse_args(arguments).check
    for path in stale():
        if check:
            sys.stderr.write(
                f"{path.relative_to(ROOT)} is stale: run python -m server.typescript\n"
            )
        else:
            path.write_text(GENERATED[path](), encoding="utf-8")
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main())
