"""A game that was played, as everybody saw it: from the log to one document."""

from server.replay.document import NotFinished, replay_of
from server.replay.story import Moment, Story, TooLong, room_at, story_of

__all__ = ["Moment", "NotFinished", "Story", "TooLong", "replay_of", "room_at", "story_of"]
