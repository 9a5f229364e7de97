"""What everybody in one room is shown now: after an entry, and as time goes by without one."""

from collections.abc import Callable, Sequence

from engine.cards import Seat
from engine.events import AnyEvent
from server.audience import Audience
from server.clocks import Clocks
from server.room_log import RoomLog
from server.shown import Scene
from server.table_talk import TableTalk
from server.waking import Clock


class Stage:
    """The scene of one room, as log, clocks and table talk make it, before its audience.

    `ring_at` is told at which moment the next of it runs out; None: nothing does.
    """

    def __init__(  # noqa: PLR0913  # what a scene is made of
        self,
        *,
        log: RoomLog,
        clocks: Clocks,
        talk: TableTalk,
        audience: Audience,
        clock: Clock,
        ring_at: Callable[[float | None], None],
    ) -> None:
        self.log = log
        self.clocks = clocks
        self.talk = talk
        self.audience = audience
        self._now = clock
        self._ring_at = ring_at
        self._passing_shown = (False, False)
        self._waiting_shown: tuple[object, ...] = ((), ())

    @property
    def scene(self) -> Scene:
        """The room as it is now.

        Raises:
            RoomStopped: it was not loaded, or has stopped since.
        """
        return Scene(
            room=self.log.room,
            past=self.log.past,
            now=self._now(),
            anybody_deals=self.clocks.anybody_deals,
            reopenable=self.talk.reopenable,
            clock=self.clocks.discard_ends,
            proposals=self.talk.open,
            kicked=self.talk.kicked,
        )

    def show(self, facts: Sequence[AnyEvent] = (), *, whole: bool = False) -> None:
        """Everybody sees the room as it is after `facts`; `whole`: with chairs and sheet."""
        scene = self.scene
        self._passing_shown = _passing(scene)
        self.audience.show(scene, facts, whole=whole)
        self.refresh()

    def refresh(self) -> None:
        """Everybody sees what changes without an entry, if it has; the alarm is set anew."""
        scene = self.scene
        if _passing(scene) != self._passing_shown:
            self._passing_shown = _passing(scene)
            self.audience.show(scene)
        if _waiting(scene) != self._waiting_shown:
            self._waiting_shown = _waiting(scene)
            self.audience.show_proposals(scene)
        ends = (self.clocks.next_end, self.talk.next_end())
        self._ring_at(min((end for end in ends if end is not None), default=None))

    def is_here(self, seat: Seat) -> bool:
        """Whether the device of the player on `seat` was heard just now."""
        return self.audience.nearness(self.scene, seat) == "here"

    def is_away(self, seat: Seat) -> bool:
        """Whether nothing was heard of the player on `seat` for a while; nobody is away."""
        return self.audience.nearness(self.scene, seat) == "away"


def _passing(scene: Scene) -> tuple[bool, bool]:
    """What time alone changes in the views."""
    return scene.anybody_deals, scene.reopenable


def _waiting(scene: Scene) -> tuple[object, ...]:
    """What waits for somebody, and for how long."""
    return scene.proposals, scene.kicked
