"""One room: who gets which answer, what is stored, and what is shown only afterwards."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import LayAway, Leave, MoveTo, Pass, PlaceBid, SetReady, TakeTalon
from engine.events import AnyEvent, DiscardForgotten, Undone
from engine.profile import Profile
from engine.rejections import Reason
from engine.views import BetweenView
from server.asked import KEPT
from server.log import EventLog, LogFailed, MemoryLog
from server.log.codec import entries_of
from server.protocol import Ask, Close, Deal, Done, Join, Refused, Start, Table, Update, UseProfile
from server.room import RoomKeeper
from server.room_log import RoomLog, RoomStopped
from tests.server.clock import Clock
from tests.server.games import kept
from tests.server.phones import (
    CODE,
    Phone,
    dealer_of,
    new_id,
    new_token,
    running,
    seated,
    started,
    store_room,
)
from tests.support import read_profile


class FullDisk(MemoryLog):
    """A log that refuses to append while it is told to: what a full disk looks like from above."""

    full = False

    def __init__(self) -> None:
        super().__init__()
        self.refused = asyncio.Event()

    async def append(self, room: str, seq: int, data: bytes) -> None:
        if self.full:
            self.refused.set()
            raise LogFailed("no space left")
        await super().append(room, seq, data)


async def room_in(events: EventLog) -> EventLog:
    await store_room(events)
    return events


async def stored(events: EventLog) -> list[bytes]:
    return [one.data for one in await kept(events, CODE)]


async def last_facts(events: EventLog) -> tuple[AnyEvent | Undone, ...]:
    return entries_of(await kept(events, CODE))[-1].facts


async def test_what_is_done_is_stored_and_shown_to_everybody_in_the_frame_of_the_answer():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        for phone in (anna, ben):
            await phone.hears()

        ask = Ask(id=new_id(), action=SetReady(ready=True))
        await keeper.ask(anna.attendee, ask)
        heard = await anna.hears()

        assert heard[-1] == Done(id=ask.id, seq=4)
        assert [message.seq for message in heard if isinstance(message, Update)] == [4]
        shown = next(m for m in await ben.hears() if isinstance(m, Table))
        assert [player and player.ready for player in shown.table.players] == [True, False, None]
        assert len(await stored(events)) == 4


async def test_a_refusal_goes_to_the_asker_alone_and_the_log_does_not_grow():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        dealer, others = dealer_of(await started(keeper))
        before = await stored(events)

        answer = await others[0].asks(Deal())

        assert answer == Refused(id=answer.id, reason=Reason.DEALER_FIRST)
        assert await stored(events) == before
        assert await dealer.catches_up() == []


async def test_rules_that_a_table_has_had_before_are_not_stored_again_also_after_a_restart():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        (anna,) = await seated(keeper, "Anna")
        for rules in ("de-3", "ru-3", "de-3"):
            assert isinstance(await anna.asks(UseProfile(id=rules)), Done)
    async with running(events) as keeper:
        anna = Phone(keeper, anna.token)
        for rules in ("ru-3", "de-3"):
            assert isinstance(await anna.asks(UseProfile(id=rules)), Done)
        chosen = keeper.state.profile.id

    whole = [seq for seq, data in await kept(events, CODE) if len(data) > 1000]
    assert whole == [1, 3]
    assert chosen == "de-3"
    assert await RoomLog(CODE, events).read()


async def test_an_ask_repeated_under_its_id_is_answered_again_and_not_done_again():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        dealer, _ = dealer_of(await started(keeper))
        first = await dealer.asks(Deal(), "deal-0000")
        length = len(await stored(events))

        again = await dealer.asks(Deal(), "deal-0000")

        assert first == again
        assert len(await stored(events)) == length


async def test_a_repeated_ask_is_answered_again_after_a_restart():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        dealer, _ = dealer_of(await started(keeper))
        first = await dealer.asks(Deal(), "deal-0000")
    async with running(events) as keeper:
        again = await Phone(keeper, dealer.token).asks(Deal(), "deal-0000")

    assert first == again


async def test_a_refused_ask_repeated_under_its_id_stays_refused_though_it_could_be_done_now():
    async with running() as keeper:
        phones = await started(keeper)
        dealer, _ = dealer_of(phones)
        early = phones[(phones.index(dealer) + 1) % 3]  # forehand, who opens once cards are dealt
        refused = await early.asks(PlaceBid(100), "bid-00000")
        await dealer.asks(Deal())

        again = await early.asks(PlaceBid(100), "bid-00000")

        assert isinstance(refused, Refused)
        assert again == refused


async def test_only_the_latest_refusals_are_remembered():
    async with running() as keeper:
        dealer, (other, _) = dealer_of(await started(keeper))
        await other.asks(PlaceBid(100), "bid-00000")
        for _ in range(KEPT):
            await dealer.asks(PlaceBid(100))

        again = await other.asks(PlaceBid(100), "bid-00000")

        assert again == Refused(id="bid-00000", reason=Reason.WRONG_PHASE)


async def test_another_player_cannot_get_an_answer_with_somebody_elses_id():
    async with running() as keeper:
        dealer, (other, _) = dealer_of(await started(keeper))
        await dealer.asks(Deal(), "deal-0000")

        answer = await other.asks(Deal(), "deal-0000")

        assert answer == Refused(id="deal-0000", reason=Reason.WRONG_PHASE)


async def test_what_cannot_be_stored_is_refused_shown_to_nobody_and_may_be_asked_again():
    events = FullDisk()
    await store_room(events)
    async with running(events) as keeper:
        dealer, others = dealer_of(await started(keeper))
        events.full = True
        refused = await dealer.asks(Deal(), "deal-0000")

        assert refused == Refused(id="deal-0000", reason=Reason.NOT_STORED)
        assert await others[0].catches_up() == []
        assert await keeper.admit(Join(name="Dora", token=new_token())) is Reason.TABLE_FULL

        events.full = False
        assert isinstance(await dealer.asks(Deal(), "deal-0000"), Done)


async def test_a_log_that_does_not_fit_together_stops_the_room_and_is_not_touched():
    events = await room_in(MemoryLog())
    async with running(events) as keeper:
        dealer, _ = dealer_of(await started(keeper))
        await dealer.asks(Deal())
        data = await stored(events)
    twice = msgspec.structs.replace(entries_of(await kept(events, CODE))[-1], seq=len(data) + 1)
    await events.append(CODE, len(data) + 1, msgspec.json.encode(twice))
    before = await stored(events)

    keeper = RoomKeeper(CODE, events, {}, clock=Clock())
    with pytest.raises(RoomStopped, match="CardsDealt cannot follow Auction"):
        await keeper.load()

    assert await stored(events) == before
    with pytest.raises(RoomStopped):
        keeper.seat_of(new_token())


async def test_a_room_nobody_opened_cannot_be_loaded():
    assert not await RoomKeeper("NOPE", MemoryLog(), {}, clock=Clock()).load()


async def test_deal_3_the_dealer_has_time_alone_and_then_anybody_deals():
    async with running(dealer_alone=0.05) as keeper:
        _, (other, _) = dealer_of(await started(keeper))
        early = other.game.may.deal

        await other.hears()

        assert (early, other.game.may.deal) == (False, True)
        assert isinstance(await other.asks(Deal()), Done)


async def test_a_player_who_moves_sees_the_room_from_the_new_chair():
    async with running() as keeper:
        (anna,) = await seated(keeper, "Anna")

        await anna.asks(MoveTo(Seat(2)))

        table = anna.last(Table).table
        assert table.me == 2
        assert isinstance(await anna.asks(SetReady(ready=True)), Done)
        assert keeper.state.players[2] is not None
        assert keeper.state.players[2].ready


async def test_who_leaves_is_answered_and_then_hung_up_on():
    async with running() as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")

        assert isinstance(await anna.asks(Leave()), Done)

        assert anna.outbox.closing is Close.SEAT_GONE
        assert keeper.seat_of(anna.token or "") is None
        assert keeper.seat_of(ben.token or "") is not None


async def test_the_newest_device_with_a_token_has_the_seat():
    async with running() as keeper:
        (old,) = await seated(keeper, "Anna")
        new = Phone(keeper, old.token)

        assert old.outbox.closing is Close.ELSEWHERE
        assert isinstance(await new.asks(SetReady(ready=True)), Done)


async def test_a_join_that_is_sent_again_finds_its_own_chair():
    async with running() as keeper:
        join = Join(name="Anna", token=new_token())

        assert await keeper.admit(join) is None
        assert await keeper.admit(join) is None

        assert [player and player.name for player in keeper.state.players] == ["Anna", None, None]


async def test_a_watcher_sees_the_table_and_may_do_nothing():
    async with running() as keeper:
        watcher = Phone(keeper)

        assert await watcher.asks(Start(), "start-00") == Refused(
            id="start-00", reason=Reason.NOT_SEATED
        )


async def laying_away(keeper: RoomKeeper) -> Phone:
    """The declarer's phone, when the talon is taken."""
    phones = await started(keeper)
    dealer, _ = dealer_of(phones)
    await dealer.asks(Deal())
    forehand, middlehand = (phones[(phones.index(dealer) + step) % 3] for step in (1, 2))
    await forehand.asks(PlaceBid(120))
    for phone in (middlehand, dealer):
        await phone.asks(Pass())
    assert isinstance(await forehand.asks(TakeTalon()), Done)
    return forehand


def clocked(seconds: int) -> Profile:
    """A profile that gives so many seconds to lay away."""
    profile = read_profile("1001-bid-3")
    assert profile.exchange is not None
    return replace(profile, exchange=replace(profile.exchange, discard_seconds=seconds))


async def test_exch_7_a_declarer_whose_seconds_to_lay_away_run_out_has_forgotten():
    events = MemoryLog()
    await store_room(events, clocked(1))
    async with running(events) as keeper:
        declarer = await laying_away(keeper)

        while not isinstance(declarer.game.phase, BetweenView):
            await declarer.hears()

        facts = await last_facts(events)
        assert [f.seat for f in facts if isinstance(f, DiscardForgotten)] == [
            declarer.last(Table).table.me
        ]


async def test_exch_7_a_full_disk_only_puts_the_clock_off():
    events = FullDisk()
    await store_room(events, clocked(1))
    async with running(events) as keeper:
        declarer = await laying_away(keeper)
        events.full, before = True, len(await stored(events))
        await events.refused.wait()
        events.full = False

        while not isinstance(declarer.game.phase, BetweenView):
            await declarer.hears()

        assert len(await stored(events)) == before + 1


async def test_exch_7_who_has_laid_away_in_time_hears_no_clock():
    events = MemoryLog()
    await store_room(events, clocked(1))
    async with running(events) as keeper:
        declarer = await laying_away(keeper)
        await declarer.asks(LayAway(declarer.game.hand[:2]))
        length = len(await stored(events))

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(declarer.outbox.frame(), 1.2)

        assert len(await stored(events)) == length


async def test_a_room_that_was_closed_says_so_to_whoever_still_looks():
    async with running() as keeper:
        (anna,) = await seated(keeper, "Anna")
        keeper.close(Close.RESTARTING)

        for look in (keeper.look_around, lambda: keeper.face(anna.attendee, Seat(0))):
            with pytest.raises(RoomStopped):
                look()
