"""The command line."""

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from server import version
from server.config import EVERYWHERE, PORT, Config, default_data

DESCRIPTION = """\
Thousand, the card game, for a table of friends: this machine is the table,
every phone in the same network is a hand. Nothing to install on the phones."""

EXAMPLES = """\
examples:
  prikup                                  serve on port 8000 and show a QR code
  prikup --port 9000 --data /srv/prikup   elsewhere, games kept in that folder
  prikup rehearse http://127.0.0.1:8000 --rooms 10 --games 1
                                          let robots play, and see how fast it is
  prikup check evening.t1000              does this record of a game hold?
  prikup export KVRT --out evening.t1000  write the last game of a room down
  prikup replay evening.t1000             look at it again
  prikup backup evenings.zip              everything that is kept, in one file
  prikup forget KVRT                      remove a room with all its games"""

SERVE = "Serve until Ctrl+C. Games already begun go on where they were."

REHEARSE = """\
Open rooms on a running server and let robots play whole games in them, over the same protocol
as the phones. Prints figures as JSON; ends with 1 if anything went wrong."""

CHECK = """\
Play text records of games through the rules and say of each the first thing that does not hold.
Ends with 0 if everything holds, 1 if something is false, 2 if a record cannot be read."""

EXPORT = """\
Take a game of a room home: the latest that is finished. The server may be running.
As a text record (t1000), as its log without keys (jsonl), its sheet as a table (csv), or one page
that any browser opens without a network (html). All but the sheet show every card, so a game that
still runs is told only as a record and up to an entry that you name."""

REPLAY = """\
Look at games in files, text records or logs that were exported: a server for them alone, until
Ctrl+C. Nothing is kept and no file is changed. Ends with 2 if a file is no game that holds."""

BACKUP = """\
Write all rooms into one file. The server may be running: the file holds what was stored at one
moment. It shows every card, those of running games too, so it is made for its owner's eyes alone
(mode 600); keep it so."""

RESTORE = """\
Put the rooms of a backup into the data folder. The file is looked through first, and a server that
uses the folder must be stopped. What was there before is put aside, never deleted."""

FORGET = """\
Remove a room with all its games, for good; a backup that was made before still has them. Nothing of
it is read, so a room goes that is too large to be opened, or does not fit together. A server that
uses the folder must be stopped. The space is used again for what is played next."""


class _Layout(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)


def parser() -> argparse.ArgumentParser:
    """Everything that can be said to `prikup`, with the environment as a second voice."""
    top = argparse.ArgumentParser(
        prog="prikup", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=_Layout
    )
    top.add_argument("--version", action="version", version=f"prikup {version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (summary, description, add_options) in COMMANDS.items():
        add_options(
            commands.add_parser(
                name, help=summary, description=description, formatter_class=_Layout
            )
        )
    return top


def _serve_options(command: argparse.ArgumentParser) -> None:
    env = os.environ.get
    command.add_argument(
        "--host",
        default=env("PRIKUP_HOST") or EVERYWHERE,
        help="the address to listen on (PRIKUP_HOST, %(default)s)",
    )
    command.add_argument(
        "--port",
        type=int,
        default=env("PRIKUP_PORT") or PORT,
        help="the port to listen on, 0 for any free one (PRIKUP_PORT, %(default)s)",
    )
    _data_option(command)
    command.add_argument(
        "--public-url",
        metavar="URL",
        default=env("PRIKUP_PUBLIC_URL") or None,
        help="what QR codes show, instead of this machine's address in the network "
        "(PRIKUP_PUBLIC_URL)",
    )
    command.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        help="a name under which this machine may be asked for, beside its addresses and the "
        "names of a home network; may be said again (PRIKUP_ALLOW_HOSTS, with spaces between)",
    )


def _rehearse_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("url", metavar="URL", help="the server, such as http://127.0.0.1:8000")
    command.add_argument(
        "--rooms", type=_count, default=1, metavar="R", help="how many at a time (1)"
    )
    command.add_argument(
        "--games", type=_count, default=1, metavar="N", help="how many in each (1)"
    )
    command.add_argument("--profile", metavar="P", help="by which rules, such as ru-3")
    command.add_argument(
        "--think", type=_span, default=0, metavar="MS", help="milliseconds before an act (0)"
    )
    command.add_argument(
        "--drop",
        type=_part,
        default=0,
        metavar="P",
        help="how often a robot loses its line with an act, from 0 to 1 (0)",
    )
    command.add_argument("--seconds", type=_span, metavar="S", help="end after so long, won or not")
    command.add_argument(
        "--answers", type=Path, metavar="FILE", help="write every answered ask there, one a line"
    )


def _check_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", metavar="FILE", help="a record, such as evening.t1000")


def _export_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("code", metavar="CODE", help="the room")
    _data_option(command)
    command.add_argument(
        "--game", type=_count, metavar="N", help="which game of the room, counted from 1"
    )
    command.add_argument(
        "--until", type=_count, metavar="SEQ", help="no further than this entry of the room's log"
    )
    command.add_argument(
        "--format",
        choices=("t1000", "jsonl", "csv", "html"),
        default="t1000",
        help="what to write (%(default)s)",
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="where, instead of the terminal")
    command.add_argument(
        "--anonymous", action="store_true", help="letters instead of names, and no room code"
    )


def _replay_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", metavar="FILE", help="a game, such as evening.t1000")
    command.add_argument(
        "--host", default=EVERYWHERE, help="the address to listen on (%(default)s)"
    )
    command.add_argument(
        "--port", type=int, default=0, help="the port to listen on, 0 for any free one (0)"
    )


def _backup_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE", help="what to write, such as games.zip")
    _data_option(command)
    command.add_argument("--force", action="store_true", help="replace FILE if it is there")


def _restore_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE", help="what `prikup backup` wrote")
    _data_option(command)
    command.add_argument(
        "--replace", action="store_true", help="put the rooms aside that are in the folder"
    )


def _forget_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("code", metavar="CODE", help="the room")
    _data_option(command)
    command.add_argument("--yes", action="store_true", help="remove it without asking")


COMMANDS: dict[str, tuple[str, str, Callable[[argparse.ArgumentParser], None]]] = {
    "serve": ("run the server; also what happens without a command", SERVE, _serve_options),
    "rehearse": ("let robots play on a running server", REHEARSE, _rehearse_options),
    "check": ("see whether records of games hold", CHECK, _check_options),
    "export": ("take a game of a room home, as a file", EXPORT, _export_options),
    "replay": ("look at games in files", REPLAY, _replay_options),
    "backup": ("write all rooms into one file", BACKUP, _backup_options),
    "restore": ("put the rooms of a backup back", RESTORE, _restore_options),
    "forget": ("remove a room with all its games", FORGET, _forget_options),
}
"""What can be asked for: a summary, a description, and what adds the options."""


def _count(text: str) -> int:
    """A whole number from 1."""
    with suppress(ValueError):
        if (number := int(text)) >= 1:
            return number
    raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text}")


def _span(text: str) -> float:
    """A time that can pass."""
    with suppress(ValueError):
        if 0 <= (number := float(text)) < math.inf:
            return number
    raise argparse.ArgumentTypeError(f"must be a number from 0, not {text}")


def _part(text: str) -> float:
    """A chance."""
    with suppress(ValueError):
        if 0 <= (number := float(text)) <= 1:
            return number
    raise argparse.ArgumentTypeError(f"must be a number from 0 to 1, not {text}")


def _data_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=os.environ.get("PRIKUP_DATA") or default_data(),
        help="the folder in which games are kept (PRIKUP_DATA, %(default)s)",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what `arguments` say; the answer is the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        given.insert(0, "serve")
    asked = parser().parse_args(given)
    match asked.command:
        case "rehearse":
            from server.rehearse import run

            return run(
                asked.url,
                asked.rooms,
                asked.games,
                asked.profile,
                think=asked.think / 1000,
                drop=asked.drop,
                seconds=asked.seconds,
                answers=asked.answers,
            )
        case "check":
            return _check(asked)
        case "export":
            return _export(asked)
        case "replay":
            return _replay(asked)
        case "backup":
            return _backup(asked)
        case "restore":
            return _restore(asked)
        case "forget":
            return _forget(asked)
        case _:
            return _serve(asked)


def _serve(asked: argparse.Namespace) -> int:
    from server.serve import CannotStart, serve

    try:
        config = Config(
            host=asked.host,
            port=asked.port,
            data=asked.data.expanduser(),
            public_url=asked.public_url,
            allowed_hosts=tuple(
                asked.allow_host or os.environ.get("PRIKUP_ALLOW_HOSTS", "").split()
            ),
        )
    except ValueError as mistake:
        return _cannot(mistake)
    try:
        serve(config)
    except CannotStart as problem:
        return _cannot(problem)
    return 0


def _check(asked: argparse.Namespace) -> int:
    from server.check import UNREADABLE, check
    from server.profiles import ProfileInvalid, load_profiles

    try:
        profiles = load_profiles()
    except ProfileInvalid as problem:
        _cannot(problem)
        return UNREADABLE
    return check(asked.files, profiles, _able_to_say_everything(sys.stdout))


def _export(asked: argparse.Namespace) -> int:
    from server.export import CannotExport, export, write

    try:
        text = export(
            asked.data.expanduser(),
            asked.code,
            game=asked.game,
            until=asked.until,
            kind=asked.format,
            anonymously=asked.anonymous,
        )
        if asked.out:
            write(text, asked.out)
        else:
            sys.stdout.buffer.write(text.encode())  # UTF-8, whatever the terminal speaks
    except CannotExport as problem:
        return _cannot(problem)
    return 0


def _replay(asked: argparse.Namespace) -> int:
    from server.serve import CannotStart
    from server.viewing import UNREADABLE, CannotView, view

    try:
        view(asked.files, Config(data=Path(), host=asked.host, port=asked.port))
    except CannotView as wrong:
        _cannot(wrong)
        return UNREADABLE
    except (ValueError, CannotStart) as problem:
        return _cannot(problem)
    return 0


def _backup(asked: argparse.Namespace) -> int:
    from server.backup import CannotBackUp, back_up

    try:
        made = back_up(asked.data.expanduser(), asked.file, force=asked.force)
    except CannotBackUp as problem:
        return _cannot(problem)
    print(f"Backed up into {asked.file}. Rooms: {made.rooms}, entries: {made.entries}.")
    return 0


def _restore(asked: argparse.Namespace) -> int:
    from server.backup import CannotRestore, restore

    folder = asked.data.expanduser()
    try:
        made, kept = restore(asked.file, folder, replace=asked.replace)
    except CannotRestore as problem:
        return _cannot(problem)
    print(f"Restored into {folder}. Rooms: {made.rooms}, entries: {made.entries}.")
    if kept is not None:
        print(f"What was there before is kept as {kept.name}.")
    return 0


def _forget(asked: argparse.Namespace) -> int:
    from server.forget import CannotForget, forget

    def sure(entries: int) -> bool:
        print(f"Room {asked.code} has {entries} entries. Once removed they are gone for good.")
        if asked.yes:
            return True
        if not sys.stdin.isatty():
            raise CannotForget("Nothing was removed; say --yes to remove it without being asked.")
        with suppress(EOFError):
            return input("Remove it? [y/N] ").strip().lower() in ("y", "yes")
        return False

    try:
        gone = forget(asked.data.expanduser(), asked.code, sure)
    except CannotForget as problem:
        return _cannot(problem)
    print(f"Removed room {asked.code}." if gone else "Nothing was removed.")
    return 0 if gone else 1


def _able_to_say_everything(out: TextIO) -> TextIO:
    """`out`, which spells what its encoding lacks, such as a name that is no text at all."""
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
    return out


def _cannot(reason: Exception) -> int:
    print(f"prikup: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
