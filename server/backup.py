"""The whole log in one file, and back.

An archive is a zip of the log's database and a manifest that says what the database must be.
"""

import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import msgspec

from server import version
from server.log import LogUnusable
from server.log.examining import Contents, Damaged, examine
from server.log.folder import DB, RESTORED, claim, holds_log, put_in_place, sync, workshop
from server.log.readonly import copy_into
from server.log.schema import FORMAT

MANIFEST = "manifest.json"
MANIFEST_LIMIT = 10_000  # bytes
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack a few bytes to gigabytes
BLOCK = 1 << 20  # bytes that are in memory at a time

# What the module for zip files raises when one is broken or made to do harm.
BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,  # a compression or a version it does not know
    RuntimeError,  # a password
    ValueError,
)


class CannotBackUp(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked; nothing was written."""


class CannotRestore(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked; the log in the folder is what it was."""


class Manifest(msgspec.Struct, frozen=True):
    """What an archive says about its database."""

    format: int
    """The shape of the log."""
    prikup: str
    """The version that made the archive."""
    rooms: int
    entries: int
    bytes: int
    blake2b: str
    """Of the database, 256 bits in hexadecimal digits."""


def back_up(folder: Path, file: Path, *, force: bool = False) -> Manifest:
    """`file` is an archive of the log in `folder`, as it was at one moment.

    A server may use the folder. Only the owner may read the file: it shows every card.
    A file that was there before is replaced with `force` alone.

    Raises:
        CannotBackUp: there is no log, it is damaged, or the file cannot be written or is there.
    """
    try:
        _refuse_existing(file, force=force)
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as work:
            db, packed = Path(work, DB), Path(work, "packed")
            copy_into(db, folder)
            manifest = _manifest_of(db)
            _pack(packed, manifest, db)
            _refuse_existing(file, force=force)
            packed.replace(file)
            sync(file.parent)
    except LogUnusable as unusable:
        raise CannotBackUp(str(unusable)) from unusable
    except Damaged as damage:
        raise CannotBackUp(
            f"The log in {folder} is damaged ({damage}). A server that starts on it mends it."
        ) from damage
    except OSError as error:
        raise CannotBackUp(f"{file} cannot be written: {error.strerror}.") from error
    return manifest


def restore(file: Path, folder: Path, *, replace: bool = False) -> tuple[Manifest, Path | None]:
    """The log in `folder` is what `file` holds; also where the log before it lies, if any.

    With `replace` alone may there be a log already.
    A crash at any moment leaves the old log or the new one.

    Raises:
        CannotRestore: the file is no whole backup, the folder is in use or has a log, or the disk
            would not.
    """
    try:
        with _opened(file) as archive:
            manifest = _checked(archive, file, folder)
            with closing(claim(folder)):
                had_log = holds_log(folder)
                if had_log and not replace:
                    raise CannotRestore(
                        f"There are games in {folder} already. "
                        "With --replace they are put aside and kept."
                    )
                with workshop(folder) as work:
                    _unpack(archive, manifest, work / DB)
                    kept = put_in_place(folder, work / DB, RESTORED)
    except LogUnusable as unusable:
        raise CannotRestore(str(unusable)) from unusable
    except Damaged as damage:
        raise CannotRestore(f"The log in {file} is damaged: {damage}.") from damage
    except OSError as error:
        raise CannotRestore(f"{folder} cannot be written: {error.strerror}.") from error
    return manifest, kept if had_log else None


def _refuse_existing(file: Path, *, force: bool) -> None:
    if file.is_dir():
        raise CannotBackUp(f"{file} is a folder.")
    if file.exists() and not force:
        raise CannotBackUp(f"{file} is there already. With --force it is replaced.")


def _manifest_of(db: Path) -> Manifest:
    contents = examine(db)
    with db.open("rb") as opened:
        digest = _digest(opened)
    return Manifest(
        format=contents.format,
        prikup=version(),
        rooms=contents.rooms,
        entries=contents.entries,
        bytes=db.stat().st_size,
        blake2b=digest,
    )


def _pack(packed: Path, manifest: Manifest, db: Path) -> None:
    """`packed` is on the disk, for its owner's eyes."""
    told = msgspec.json.format(msgspec.json.encode(manifest))
    handle = os.open(packed, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w+b") as opened:
        with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_member(MANIFEST), told)
            with (
                db.open("rb") as source,
                archive.open(_member(DB), "w", force_zip64=True) as target,
            ):
                shutil.copyfileobj(source, target, BLOCK)
        opened.flush()
        os.fsync(handle)


def _member(name: str) -> zipfile.ZipInfo:
    """Without a time: the same log makes the same archive, whatever the clock says."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16
    return member


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        opened = file.open("rb")
    except OSError as error:
        raise CannotRestore(f"{file} cannot be read: {error.strerror}.") from error
    with opened:
        try:
            with zipfile.ZipFile(opened) as archive:
                yield archive
        except BROKEN_ZIP as broken:
            raise CannotRestore(
                f"{file} is not a backup of Prikup, or is damaged: {broken}."
            ) from broken


def _checked(archive: zipfile.ZipFile, file: Path, folder: Path) -> Manifest:
    """What the archive says of itself, which is true of its database; nothing was written."""
    members = {member.filename: member for member in archive.infolist()}
    if sorted(archive.namelist()) != sorted((MANIFEST, DB)):
        raise CannotRestore(
            f"{file} is not a backup of Prikup: it should hold {MANIFEST} and {DB}."
        )
    if any(member.compress_type not in PACKED_AS for member in members.values()):
        raise CannotRestore(f"{file} is not a backup of Prikup: it is packed in another way.")
    if members[MANIFEST].file_size > MANIFEST_LIMIT:
        raise CannotRestore(f"{file} is not a backup of Prikup: its {MANIFEST} is too long.")
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    except msgspec.MsgspecError as unreadable:
        raise CannotRestore(
            f"{file} is not a backup of Prikup: {MANIFEST} cannot be read: {unreadable}."
        ) from unreadable
    if manifest.format > FORMAT:
        raise CannotRestore(f"{file} was made by a newer Prikup ({manifest.prikup}).")
    if members[DB].file_size != manifest.bytes:
        raise CannotRestore(f"{file} is damaged: {DB} has not the size that {MANIFEST} says.")
    if manifest.bytes > _free_bytes(folder):
        raise CannotRestore(f"{folder} has no space for the {manifest.bytes} bytes of {DB}.")
    with archive.open(DB) as packed:
        if _digest(packed) != manifest.blake2b:
            raise CannotRestore(f"{file} is damaged: {DB} is not what {MANIFEST} says.")
    return manifest


def _free_bytes(folder: Path) -> int:
    """On the disk on which `folder` is or would be."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, db: Path) -> None:
    """`db` is a log that is whole, and the one that `manifest` tells of."""
    with archive.open(DB) as packed, db.open("xb") as target:
        shutil.copyfileobj(packed, target, BLOCK)
    told = Contents(manifest.format, manifest.rooms, manifest.entries)
    if (found := examine(db)) != told:
        raise Damaged(
            f"it has {found.entries} entries of {found.rooms} rooms, in format {found.format}"
        )


def _digest(source: IO[bytes]) -> str:
    digest = blake2b(digest_size=32)
    while block := source.read(BLOCK):
        digest.update(block)
    return digest.hexdigest()
