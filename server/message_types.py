"""The message types as a client's author sees them: names, fields and documentation.

The client's types and the tables of PROTOCOL.md are both written from this. Types are given in
TypeScript's notation, which says the most about JSON in the fewest signs.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import pairwise
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from engine import (
    auction,
    cards,
    choices,
    commands,
    events,
    glimpses,
    history,
    profile,
    rejections,
    state,
    tricks,
)
from engine import views as engine_views
from server import http_messages, protocol, replay_messages

MODULES: tuple[ModuleType, ...] = (
    cards,
    profile,
    rejections,
    events,
    commands,
    state,
    auction,
    tricks,
    choices,
    history,
    engine_views,
    glimpses,
    protocol,
    http_messages,
    replay_messages,
)
"""Where the types stand and their documentation is read."""

FROM_CLIENT: tuple[object, ...] = (
    protocol.ClientMessage,
    http_messages.NewRoom,
    http_messages.KeepSeat,
)
"""What a client sends. Fields with a default may be left out."""

FROM_SERVER: tuple[object, ...] = (
    protocol.ServerMessage,
    http_messages.RoomOpened,
    http_messages.RoomSummary,
    http_messages.ProfileSummary,
    http_messages.RuleBook,
    http_messages.KeptSeats,
    http_messages.Health,
    http_messages.Problem,
    replay_messages.Replay,
    replay_messages.ReplayCommon,
    replay_messages.AllHandsView,
    replay_messages.ArchivePage,
    replay_messages.GameSheet,
    replay_messages.Evening,
)
"""What the server sends. Every field is always there."""

NAMED: dict[object, str] = {
    cards.Seat: "Seat",
    profile.Setting: "Setting",
    events.Cause: "Cause",
    events.Role: "Role",
    events.Outcome: "Outcome",
    events.TakeBackMode: "TakeBackMode",
    protocol.Hello: "Hello",
    protocol.Nearness: "Nearness",
    protocol.ProposalKind: "ProposalKind",
    protocol.Wish: "Wish",
    protocol.ClientMessage: "ClientMessage",
    protocol.ServerMessage: "ServerMessage",
    glimpses.Glimpse: "Glimpse",
    engine_views.PhaseView: "PhaseView",
}
"""Types that have a name but no class to carry it."""

PRIMITIVES: dict[object, str] = {
    str: "string",
    int: "number",
    bool: "boolean",
    NoneType: "null",
    msgspec.Raw: "unknown",
}


class Field(Struct, frozen=True, kw_only=True):
    """A field that holds one of `options`; `optional`: whoever sends it may leave it out."""

    name: str
    options: tuple[str, ...]
    optional: bool
    doc: str


class Shape(Struct, frozen=True, kw_only=True):
    """An object. `tag` is the value of its field `type`; None: it has none."""

    name: str
    doc: str
    tag: str | None
    fields: tuple[Field, ...]


class Choice(Struct, frozen=True, kw_only=True):
    """A name for one of `options`."""

    name: str
    doc: str
    options: tuple[str, ...]


Declaration = Shape | Choice


def declarations() -> tuple[Declaration, ...]:
    """Every type that crosses the wire, each before the types that only it needs.

    Raises:
        TypeError: two types of one name, an annotation that has no counterpart, or a type from a
            module whose documentation is not read.
    """
    reader = _Reader()
    reader.read([*FROM_CLIENT, protocol.Hello], from_client=True)
    reader.read(FROM_SERVER, from_client=False)
    return tuple(reader.found.values())


class _Reader:
    """Walks the annotations from some roots and keeps what it meets, in that order."""

    def __init__(self) -> None:
        self.found: dict[str, Declaration] = {}
        self._met: dict[str, object] = {}
        self._waiting: list[object] = []
        self._docs = _documentation()

    def read(self, roots: Iterable[object], *, from_client: bool) -> None:
        for root in roots:
            self._joined(root)
        while self._waiting:
            hint = self._waiting.pop(0)
            declared = self._declare(hint, from_client=from_client)
            self.found[declared.name] = declared

    def _declare(self, hint: object, *, from_client: bool) -> Declaration:
        if isinstance(hint, type) and issubclass(hint, Struct):
            return self._shape(hint, from_client=from_client)
        if isinstance(hint, type) and issubclass(hint, Enum):
            values = tuple(_quoted(member.value) for member in hint)
            return Choice(name=hint.__name__, doc=self._doc_of(hint), options=values)
        name = NAMED[hint]
        options = tuple(self._spelled(getattr(hint, "__supertype__", hint)))
        return Choice(name=name, doc=self._docs.get(name, ""), options=options)

    def _shape(self, cls: type[Struct], *, from_client: bool) -> Shape:
        path, tag = _path(cls), cls.__struct_config__.tag
        return Shape(
            name=_shape_name(cls),
            doc=self._doc_of(cls),
            tag=None if tag is None else str(tag),
            fields=tuple(
                Field(
                    name=field.encode_name,
                    options=tuple(self._options(field.type)),
                    optional=from_client and not field.required,
                    doc=self._docs.get(f"{path}.{field.name}", ""),
                )
                for field in fields(cls)
            ),
        )

    def _doc_of(self, cls: type) -> str:
        if (path := _path(cls)) not in self._docs:
            raise TypeError(f"{cls.__module__} is not among the modules that are read")
        return self._docs[path]

    def _options(self, hint: object) -> Iterator[str]:
        """What a value of type `hint` may be, by name where there is one."""
        if name := _name(hint):
            self._meet(name, hint)
            yield name
        else:
            yield from self._spelled(hint)

    def _spelled(self, hint: object) -> Iterator[str]:
        origin, args = get_origin(hint), get_args(hint)
        if hint in PRIMITIVES:
            yield PRIMITIVES[hint]
        elif origin is Annotated:
            yield from self._options(args[0])
        elif origin is Literal:
            yield from map(_quoted, args)
        elif origin in (Union, UnionType):
            for arg in args:
                yield from self._options(arg)
        elif origin is tuple and args[-1] is Ellipsis:
            inner = self._joined(args[0])
            yield f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        elif origin is tuple:
            yield f"readonly [{', '.join(map(self._joined, args))}]"
        elif origin is dict:
            yield f"Readonly<Record<{self._joined(args[0])}, {self._joined(args[1])}>>"
        else:
            raise TypeError(f"no counterpart for {hint}")

    def _joined(self, hint: object) -> str:
        return " | ".join(self._options(hint))

    def _meet(self, name: str, hint: object) -> None:
        if name not in self._met:
            self._met[name] = hint
            self._waiting.append(hint)
        elif self._met[name] != hint:
            raise TypeError(f"two types are called {name}")


def _name(hint: object) -> str | None:
    if isinstance(hint, type) and issubclass(hint, Struct | Enum):
        return _shape_name(hint)
    return NAMED.get(hint)


def _shape_name(cls: type) -> str:
    """A part of a profile says so, for there are messages of the same name."""
    part = issubclass(cls, profile.Section) and cls is not profile.Profile
    return f"{cls.__name__}Rules" if part else cls.__name__


def _path(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


def _quoted(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _documentation() -> dict[str, str]:
    """What is written of each name in `NAMED`, and by path of each class and of its fields."""
    docs: dict[str, str] = {}
    for module in MODULES:
        body = ast.parse(inspect.getsource(module)).body
        docs |= _below(body)
        for node in body:
            if isinstance(node, ast.ClassDef):
                path = f"{module.__name__}.{node.name}"
                docs[path] = _prose(ast.get_docstring(node) or "")
                docs |= {f"{path}.{name}": doc for name, doc in _below(node.body).items()}
    return docs


def _below(body: list[ast.stmt]) -> dict[str, str]:
    """The strings that stand directly below an assignment, by the name assigned to."""
    docs = {}
    for node, following in pairwise(body):
        match node, following:
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                docs[name] = _prose(text)
    return docs


def _prose(text: str) -> str:
    """`text` on one line a paragraph, speaking of null where Python says None."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    joined = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    return re.sub(r"\bNone\b", "null", joined)
