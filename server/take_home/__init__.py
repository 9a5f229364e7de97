"""A game as a file: to keep, to send, and to look at again."""

from server.take_home.formats import FORMATS, taken_home
from server.take_home.html_file import PageUnusable
from server.take_home.log_lines import read_lines
from server.take_home.records import read_entries

__all__ = ["FORMATS", "PageUnusable", "read_entries", "read_lines", "taken_home"]
