"""All rooms of this server: opened, found by their code, loaded when somebody asks for them."""

import asyncio
import logging
import math
from collections.abc import Mapping

from engine.events import RoomOpened
from engine.history import Entry
from engine.profile import Profile
from server.identity import new_code
from server.limits import Account
from server.log import Conflict, EventLog, LogFailed
from server.log.codec import encode
from server.protocol import Close
from server.room import DEALER_ALONE, RoomKeeper
from server.room_log import RoomFailed, RoomStopped
from server.turns import Turns
from server.waking import Alarm, Clock

log = logging.getLogger(__name__)

IDLE = 300.0
"""Seconds after which a room that nobody looks at is let go from memory."""

RESTING = 256
"""Rooms that nobody looks at and that are in memory; one more, and the first is let go at once."""

LOOK_EVERY = 1.0
"""Seconds between two looks at who is near."""

STOPPED_FOR = 30.0
"""Seconds after which a room that a fault stopped is loaded again when somebody asks for it."""

CODES_TRIED = 64
"""Codes that are tried for a new room: once in a thousand times in vain where 9 of 10 are used."""

FORGOTTEN_KEPT = 1024
"""Codes of forgotten rooms that are not given again. Their tokens open nothing in another room."""


class NoCodeLeft(Exception):  # noqa: N818  # reads as what is the case
    """As good as every code names a room already."""


class Rooms:
    """The keepers of the rooms in use. The log knows them all."""

    def __init__(  # noqa: PLR0913  # what all rooms run on, named
        self,
        events: EventLog,
        profiles: Mapping[str, Profile],
        *,
        clock: Clock,
        dealer_alone: float = DEALER_ALONE,
        idle: float = IDLE,
        epoch: str = "",
    ) -> None:
        self.clock = clock
        """What all rooms are timed by."""
        self._events = events
        self._profiles = profiles
        self._dealer_alone = dealer_alone
        self._idle = idle
        self._epoch = epoch
        self._lookout: asyncio.TimerHandle | None = None
        self._resting: dict[str, Alarm] = {}
        """By room, those in which somebody was lately last."""
        self._keepers: dict[str, RoomKeeper] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._forgotten: dict[str, None] = {}
        """The latest, the oldest of them first."""
        self._stopped: dict[str, tuple[float, RoomStopped]] = {}
        """Until when, and why; of rooms that are in the log."""
        self._unseen: set[str] = set()
        """The rooms in memory in which the last look around failed."""
        self._loading: dict[str, asyncio.Task[RoomKeeper | None]] = {}
        self._turns = Turns()

    def __len__(self) -> int:
        return len(self._keepers)

    @property
    def connections(self) -> int:
        """Connections in all rooms."""
        return sum(keeper.visitors for keeper in self._keepers.values())

    async def open(self, profile: Profile, account: Account | None = None) -> str:
        """The code of a new room for `profile`, charged to `account`.

        Raises:
            LogFailed: the room could not be stored.
            NoCodeLeft: there is none.
        """
        entry = encode(Entry(seq=1, facts=(RoomOpened(profile=profile),)))
        for _ in range(CODES_TRIED):
            code = new_code()
            if code in self._forgotten:
                continue
            try:
                await self._events.append(code, 1, entry)
            except Conflict:
                continue
            self._stopped.pop(code, None)
            if account is not None:
                account.charge(len(entry), change=False)
            return code
        log.error("no room was opened: %d codes that were tried are all in use", CODES_TRIED)
        raise NoCodeLeft

    async def find(self, code: str) -> RoomKeeper | None:
        """The keeper of room `code`; None: there is no such room.

        A room that had to stop is not loaded again for a while: whatever stopped it would stop it
        again.

        Raises:
            RoomStopped: its log does not fit together, or has lost what was shown.
            RoomFailed: a fault of ours stopped it.
            LogFailed: the log cannot be read now.
        """
        if code in self._forgotten:
            return None
        if code in self._keepers:
            return self._keepers[code]
        if code in self._stopped:
            until, why = self._stopped[code]
            if asyncio.get_running_loop().time() < until:
                raise type(why)(str(why))
            del self._stopped[code]
        if code not in self._loading:
            self._loading[code] = asyncio.create_task(self._load(code))
        return await asyncio.shield(self._loading[code])

    def covers(self, code: str, number: int) -> bool:
        """Whether game `number` of room `code` runs, or may yet go on with hidden cards.

        A room that nobody has looked at since its last entry is not in memory, and its time is
        over.
        """
        keeper = self._keepers.get(code)
        return keeper is not None and keeper.covered == number

    async def forget(self, code: str) -> None:
        """Room `code` and its games are gone for good; who is there is told so.

        Its code is given to no other room while this server runs: somebody may still have it open.

        Raises:
            LogFailed: nothing is gone.
        """
        self._forgotten[code] = None
        if len(self._forgotten) > FORGOTTEN_KEPT:
            del self._forgotten[next(iter(self._forgotten))]
        self._stopped.pop(code, None)
        if (keeper := self._keepers.get(code)) is not None:
            self._running[code].cancel()
            self._drop(keeper, Close.NO_SUCH_ROOM)
        try:
            await self._events.forget(code)
        except LogFailed:
            self._forgotten.pop(code, None)
            raise

    async def _load(self, code: str) -> RoomKeeper | None:
        keeper = RoomKeeper(
            code,
            self._events,
            self._profiles,
            clock=self.clock,
            dealer_alone=self._dealer_alone,
            epoch=self._epoch,
            turns=self._turns,
        )
        try:
            if not await keeper.load() or code in self._forgotten:
                return None
        except RoomStopped as stopped:
            self._stop(code, stopped)
            raise
        except LogFailed:
            raise
        except Exception as fault:
            log.exception("room %s cannot be loaded", code)
            failed = RoomFailed(f"room {code} is stopped, its log was not touched")
            self._stop(code, failed)
            raise failed from fault
        finally:
            del self._loading[code]
        self._keepers[code] = keeper
        self._running[code] = asyncio.create_task(self._run(keeper))
        if self._lookout is None:
            self._look_around()
        self.rest(keeper)
        return keeper

    async def _run(self, keeper: RoomKeeper) -> None:
        """Run the keeper; if it stops, its phones are told why."""
        try:
            await keeper.run()
        except RoomFailed as failed:
            self._stop(keeper.code, failed)
            self._drop(keeper, Close.FAILED)
        except RoomStopped as stopped:  # what was shown is lost: somebody has to look first
            self._stop(keeper.code, stopped, seconds=math.inf)
            self._drop(keeper, Close.ROOM_STOPPED)
        except LogFailed as error:
            log.error("room %s could not be read again: %s", keeper.code, error)  # noqa: TRY400
            self._drop(keeper, Close.UNREADABLE)
        except Exception:
            log.exception("room %s failed at entry %d", keeper.code, keeper.seq)
            self._stop(keeper.code, RoomFailed(f"room {keeper.code} is stopped"))
            self._drop(keeper, Close.FAILED)

    def _stop(self, code: str, why: RoomStopped, seconds: float | None = None) -> None:
        """Room `code` is not loaded for a while; the operator is told."""
        log.error("%s", why)
        until = asyncio.get_running_loop().time() + (STOPPED_FOR if seconds is None else seconds)
        self._stopped[code] = (until, why)

    def _look_around(self) -> None:
        """Every room in memory shows who is near, now and every second until none is left."""
        for keeper in self._keepers.values():
            try:
                keeper.look_around()
                self._unseen.discard(keeper.code)
            except Exception:  # one room's fault must not end the look at all others
                if keeper.code not in self._unseen:
                    log.exception("room %s: who is near is not known", keeper.code)
                self._unseen.add(keeper.code)
        loop = asyncio.get_running_loop()
        again = loop.call_later(LOOK_EVERY, self._look_around) if self._keepers else None
        self._lookout = again

    def rest(self, keeper: RoomKeeper) -> None:
        """Let the room go after a while if nobody is there then; the log keeps it.

        Somebody who comes and goes again and again leaves one timer, not one each time.
        """
        if self._keepers.get(keeper.code) is not keeper:
            return
        resting = self._resting.get(keeper.code)
        if resting is None:
            resting = Alarm(self.clock, lambda _: self._let_go(keeper))
        self._resting.pop(keeper.code, None)
        self._resting[keeper.code] = resting
        resting.set(self.clock() + self._idle)
        self._let_go_of_many()

    def _let_go_of_many(self) -> None:
        """No more rooms than `RESTING` are in memory at which nobody looks."""
        if len(self._keepers) > RESTING:
            rest = [one for code in self._resting if (one := self._keepers[code]).may_rest]
            for keeper in rest[:-RESTING]:
                self._let_go(keeper)

    def _let_go(self, keeper: RoomKeeper) -> None:
        if not keeper.visitors and self._keepers.get(keeper.code) is keeper:
            self._running[keeper.code].cancel()
            self._drop(keeper, Close.IDLE)

    def _drop(self, keeper: RoomKeeper, code: Close) -> None:
        keeper.close(code)
        self._keepers.pop(keeper.code, None)
        if (resting := self._resting.pop(keeper.code, None)) is not None:
            resting.cancel()
        self._running.pop(keeper.code, None)
        self._unseen.discard(keeper.code)

    async def close(self) -> None:
        """Every connection is told that the server restarts, and every room rests in its log."""
        if self._lookout is not None:
            self._lookout.cancel()
        running = [*self._running.values(), *self._loading.values()]
        for keeper in list(self._keepers.values()):
            self._drop(keeper, Close.RESTARTING)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
