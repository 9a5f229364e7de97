"""A disk that takes bytes and does not vouch for them: every fsync of this process fails with EIO.

The kernel itself answers so (seccomp), so that everything above it is what it is in a house.
"""

import ctypes
import errno
import platform
import sys

# The numbers of seccomp, fsync and fdatasync; and how the kernel calls the machine.
_CALLS = {
    "x86_64": (317, (74, 75), 0xC000003E),
    "aarch64": (277, (82, 83), 0xC00000B7),
}

AVAILABLE = sys.platform == "linux" and platform.machine() in _CALLS

_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000 | errno.EIO
_NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 38, 1, 1


class _Step(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("then", ctypes.c_ubyte),
        ("otherwise", ctypes.c_ubyte),
        ("value", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step)))


def let_every_sync_fail() -> None:
    """From now on, in all threads of this process, for good."""
    seccomp, (fsync, fdatasync), machine = _CALLS[platform.machine()]
    steps = (
        _Step(_LOAD, 0, 0, 4),  # the machine
        _Step(_JUMP_IF_EQUAL, 0, 4, machine),
        _Step(_LOAD, 0, 0, 0),  # the number of the call
        _Step(_JUMP_IF_EQUAL, 1, 0, fsync),
        _Step(_JUMP_IF_EQUAL, 0, 1, fdatasync),
        _Step(_RETURN, 0, 0, _FAIL),
        _Step(_RETURN, 0, 0, _ALLOW),
    )
    program = _Program(len(steps), (_Step * len(steps))(*steps))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")
