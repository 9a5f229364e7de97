"""A game as text: the record that people read, write, check and send each other."""

from engine.games import NoSuchGame
from engine.record.lines import Unreadable
from engine.record.playing import Failure, Played, play_record
from engine.record.reading import read_record
from engine.record.statements import Record
from engine.record.writing import write_record

__all__ = [
    "Failure",
    "NoSuchGame",
    "Played",
    "Record",
    "Unreadable",
    "play_record",
    "read_record",
    "write_record",
]
