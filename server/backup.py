"""The whole log in one file, and back.

An archive is a zip of the log's database and a manifest that says what the database must be.
"""

import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Annotated

import msgspec

from server import version
from server.files import handle_of
from server.log import LogUnusable
from server.log.base import Damaged
from server.log.copying import copy_log
from server.log.examining import Contents
from server.log.folder import DB, RESTORED, claimed, holds_log, put_in_place, sync, workshop
from server.log.schema import FORMAT

MANIFEST = "manifest.json"
MANIFEST_LIMIT = 10_000  # bytes
RATIO = 200  # times that a log can be longer than its archive: every entry has a digest of its own
FOLD = 3  # times its size that a restore takes on the disk: unpacked, made anew, and room to play
SMALL = 1 << 20  # bytes of a log that may be all blanks
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


class _InPieces(FileIO):
    """Gives no more than `BLOCK` bytes at a time, such as the list of what is in an archive."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > BLOCK:
            raise zipfile.BadZipFile("what it holds is listed at too great a length")
        return super().read(size) or b""


class CannotBackUp(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked; nothing was written."""


class CannotRestore(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who asked; the log in the folder is what it was."""


class Manifest(msgspec.Struct, frozen=True):
    """What an archive says about its database."""

    format: int
    """The shape of the log."""
    prikup: Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z.+-]{1,40}\Z")]
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
            manifest = _manifest_of(db, _copied(folder, db))
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
        with _opened(file) as (archive, size):
            manifest = _checked(archive, size, file, folder)
            with claimed(folder):
                had_log = holds_log(folder)
                if had_log and not replace:
                    raise CannotRestore(
                        f"There are games in {folder} already. "
                        "With --replace they are put aside and kept."
                    )
                with workshop(folder) as work:
                    unpacked, new = work / "unpacked.db", work / DB
                    _unpack(archive, manifest, unpacked)
                    _rebuild(unpacked, manifest, new)
                    unpacked.unlink()
                    kept = put_in_place(folder, new, RESTORED)
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


def _copied(folder: Path, db: Path) -> Contents:
    """`db` has the rows of the log in `folder`, and nothing else that may lie in its file."""
    if not (folder / DB).is_file():
        raise LogUnusable(f"No games are kept in {folder}.")
    return copy_log(folder / DB, db)


def _manifest_of(db: Path, contents: Contents) -> Manifest:
    with db.open("rb") as opened:
        digest = _digest(opened)
    return Manifest(
        format=FORMAT,
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
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, int]]:
    """The archive and its size in bytes. However many members it tells of, they take no memory."""
    try:
        opened = _InPieces(handle_of(file))
    except OSError as error:
        raise CannotRestore(f"{file} cannot be read: {error.strerror}.") from error
    with opened:
        try:
            with zipfile.ZipFile(opened) as archive:
                yield archive, os.fstat(opened.fileno()).st_size
        except BROKEN_ZIP as broken:
            raise CannotRestore(
                f"{file} is not a backup of Prikup, or is damaged: {broken}."
            ) from broken


def _checked(archive: zipfile.ZipFile, size: int, file: Path, folder: Path) -> Manifest:
    """What the archive of `size` bytes says of itself, which may well be; nothing was written."""
    foreign = f"{file} is not a backup of Prikup"
    members = {member.filename: member for member in archive.infolist()}
    if sorted(archive.namelist()) != sorted((MANIFEST, DB)):
        raise CannotRestore(f"{foreign}: it should hold {MANIFEST} and {DB}.")
    if any(member.compress_type not in PACKED_AS for member in members.values()):
        raise CannotRestore(f"{foreign}: it is packed in another way.")
    if _overlap(*members.values()):
        raise CannotRestore(f"{foreign}: its two files lie over each other.")
    if members[MANIFEST].file_size > MANIFEST_LIMIT:
        raise CannotRestore(f"{foreign}: its {MANIFEST} is too long.")
    manifest = _told(archive, foreign)
    if manifest.format > FORMAT:
        raise CannotRestore(f"{file} was made by a newer Prikup ({manifest.prikup}).")
    if members[DB].file_size != manifest.bytes:
        raise CannotRestore(f"{file} is damaged: {DB} has not the size that {MANIFEST} says.")
    if manifest.bytes > SMALL + RATIO * size:
        raise CannotRestore(f"{foreign}: no log of {manifest.bytes} bytes can be packed so small.")
    if FOLD * manifest.bytes > _free_bytes(folder):
        raise CannotRestore(
            f"{folder} has no space for the {FOLD * manifest.bytes} bytes "
            f"that {DB} takes while it is put there."
        )
    with archive.open(DB) as packed:
        if _digest(packed) != manifest.blake2b:
            raise CannotRestore(f"{file} is damaged: {DB} is not what {MANIFEST} says.")
    return manifest


def _overlap(one: zipfile.ZipInfo, other: zipfile.ZipInfo) -> bool:
    first, second = sorted((one, other), key=lambda member: member.header_offset)
    return first.header_offset + first.compress_size > second.header_offset


def _told(archive: zipfile.ZipFile, foreign: str) -> Manifest:
    # Never more than was declared: unpacked whole, a few bytes may be gigabytes.
    with archive.open(MANIFEST) as packed:
        told = packed.read(MANIFEST_LIMIT)
        if packed.read(1):
            raise CannotRestore(f"{foreign}: its {MANIFEST} is too long.")
    try:
        return msgspec.json.decode(told, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as unreadable:
        raise CannotRestore(f"{foreign}: {MANIFEST} cannot be read: {unreadable}.") from unreadable


def _free_bytes(folder: Path) -> int:
    """On the disk on which `folder` is or would be."""
    place = folder.absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, unpacked: Path) -> None:
    """`unpacked` is what the archive was checked to hold."""
    with archive.open(DB) as packed, unpacked.open("xb") as target:
        shutil.copyfileobj(packed, target, BLOCK)
    if unpacked.stat().st_size != manifest.bytes:
        raise Damaged("it was changed while it was read")


def _rebuild(unpacked: Path, manifest: Manifest, new: Path) -> None:
    """`new` is a log of our own making with the rows of the one that `manifest` tells of."""
    told = Contents(manifest.format, manifest.rooms, manifest.entries)
    if (found := copy_log(unpacked, new)) != told:
        raise Damaged(
            f"it has {found.entries} entries of {found.rooms} rooms, in format {found.format}"
        )


def _digest(source: IO[bytes]) -> str:
    digest = blake2b(digest_size=32)
    while block := source.read(BLOCK):
        digest.update(block)
    return digest.hexdigest()
