"""Files that somebody else may have made: opened only where they are files."""

import errno
import os
import stat
from pathlib import Path


def handle_of(path: Path) -> int:
    """A descriptor by which the file at `path` can be read; whoever asked closes it.

    Nobody waits for the other end of a pipe, and no device is read that never ends.

    Raises:
        OSError: it cannot be read, or is no file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "It is a pipe or a device and no file")
