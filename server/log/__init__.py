"""One append-only log per room: what is stored here happened, whatever else is lost."""

from server.log.base import Conflict, EventLog, LogFailed, LogUnusable, Stored
from server.log.memory import MemoryLog
from server.log.sqlite import SqliteLog

__all__ = [
    "Conflict",
    "EventLog",
    "LogFailed",
    "LogUnusable",
    "MemoryLog",
    "SqliteLog",
    "Stored",
]
