from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.events import AnyEvent, PlayerKicked
from engine.evolve import evolve
from engine.history import Past
from engine.rejections import Reason
from engine.views import sheet_view, table_view
from server.audience import Attendee, Audience, changes_chairs, changes_sheet
from server.chairs import seat_of
from server.consent import Asked, Kicking
from server.outbox import NEWS_WAITING, Outbox
from server.protocol import (
    Deal,
    Done,
    EndGame,
    Join,
    Options,
    Presence,
    Proposals,
    Seen,
    ServerMessage,
    Sheet,
    Table,
    Update,
    Withdraw,
)
from server.room import RoomKeeper
from server.shown import Scene
from tests.engine.agreeing import Agreeing
from tests.golden_logs import LOGS, read
from tests.server.clock import Clock
from tests.server.phones import (
    Phone,
    dealer_of,
    dealt,
    new_token,
    passes,
    running,
    seated,
    started,
)
from tests.support import RU_3, A, B, C


async def test_whoever_enters_is_shown_the_room_whole():
    async with running() as keeper:
        await seated(keeper, "Anna")
        watcher = Phone(keeper)

        heard = await watcher.hears()

        assert [type(m) for m in heard] == [Table, Sheet, Presence, Update, Proposals]
        assert watcher.last(Table).table.me is None
        assert watcher.last(Presence) == Presence(players=("here", None, None), watchers=1)
        assert watcher.last(Update) == Update(
            seq=keeper.seq, game=None, glimpses=(), options=Options()
        )


async def test_each_phone_is_shown_its_own_hand_and_the_table_none():
    async with running() as keeper:
        phones = await started(keeper)
        watcher = Phone(keeper)
        await watcher.hears()
        dealer, _ = dealer_of(phones)
        await dealer.asks(Deal())
        for phone in phones:
            if phone is not dealer:
                await phone.hears()
        await watcher.hears()

        hands = [phone.game.hand for phone in phones]
        assert [len(hand) for hand in hands] == [7, 7, 7]
        assert len({card for hand in hands for card in hand}) == 21
        assert watcher.game.hand == ()


async def test_a_deal_goes_out_as_a_glimpse_without_cards():
    async with running() as keeper:
        dealer, _ = dealer_of(await started(keeper))
        await dealer.asks(Deal())

        (seen,) = dealer.last(Update).glimpses
        assert "cards" not in seen.__struct_fields__


async def test_a_full_table_takes_nobody_more():
    async with running() as keeper:
        await started(keeper)

        assert await keeper.admit(Join(name="Dora", token=new_token())) is Reason.TABLE_FULL


# What a device that comes back has on its screen already.


async def returns(keeper: RoomKeeper, phone: Phone, seen: Seen | None) -> list[str]:
    """What kinds of messages `phone` is sent when it comes back with `seen`."""
    back = Phone(keeper, phone.token, seen=seen)
    return [type(message).__name__ for message in await back.hears()]


WHOLE = ["Table", "Sheet", "Presence", "Update", "Proposals"]


async def test_what_is_on_the_screen_is_not_sent_again():
    async with running() as keeper:
        forehand, _, _ = await dealt(keeper)
        watcher = Phone(keeper)
        seen = Seen("", keeper.seq, forehand.me)

        assert await returns(keeper, forehand, seen) == ["Table", "Presence", "Proposals"]
        assert await returns(keeper, watcher, Seen("", keeper.seq, None)) == [
            "Presence",
            "Proposals",
        ]


@pytest.mark.parametrize(
    "other", [{"epoch": "before"}, {"seq": 1}, {"seq": 99}, {"me": None}, {"me": Seat(7)}]
)
async def test_what_is_on_the_screen_from_elsewhere_or_before_is_replaced(other: dict[str, Any]):
    async with running() as keeper:
        forehand, _, _ = await dealt(keeper)
        seen = replace(Seen("", keeper.seq, forehand.me), **other)

        assert await returns(keeper, forehand, seen) == WHOLE
        assert await returns(keeper, forehand, None) == WHOLE


async def test_what_time_alone_changes_is_always_sent_again():
    clock = Clock()
    async with running(clock=clock) as keeper:
        anna, _, _ = await started(keeper)
        seen = Seen("", keeper.seq, anna.me)
        assert await returns(keeper, anna, seen) == ["Table", "Presence", "Proposals"]
        await passes(clock, keeper, 60)
        assert await returns(keeper, anna, seen) == WHOLE

        (again,) = [Phone(keeper, anna.token)]
        await again.asks(EndGame())
        await passes(clock, keeper, 30)
        assert await returns(keeper, again, Seen("", keeper.seq, anna.me)) == WHOLE


async def test_a_device_that_has_lost_a_seat_meanwhile_is_told_which_it_has():
    async with running() as keeper:
        forehand, middlehand, _ = await dealt(keeper)
        both = Phone(keeper, forehand.token, middlehand.token, facing=forehand.me)
        keeper.leave(both.attendee)
        Phone(keeper, middlehand.token)

        back = Phone(keeper, both.token, seen=Seen("", keeper.seq, forehand.me))
        await back.hears()

        assert back.last(Table).mine == (forehand.me,)


async def test_whoever_looks_with_other_eyes_after_a_change_sees_what_those_are_asked():
    room = Agreeing(RU_3).room
    past = Past(seq=1, room=room)
    asked = Kicking(
        began=0.0,
        by=C,
        by_name="Player 2",
        seat=A,
        key="0",
        name="Player 0",
        players=(Asked(B, "Player 1"),),
    )
    audience, attendee = Audience(Clock()), Attendee(Outbox(), ("0", "1"), "0")
    audience.enter(attendee, Scene(room=room, past=past, proposals=(asked,)))
    kicked = PlayerKicked(seat=A, by=C, agreed=(B,))
    after = evolve(room, kicked)

    audience.show(Scene(room=after, past=past, proposals=(asked,)), (kicked,))

    frame = await attendee.outbox.frame()
    told = msgspec.json.decode(frame or b"", type=list[ServerMessage])
    (waiting,) = (message for message in told if isinstance(message, Proposals))
    assert [one.may_answer for one in waiting.proposals] == [True]


async def test_a_device_with_several_seats_is_sent_no_hand_by_the_dealing():
    async with running() as keeper:
        phones = await started(keeper)
        dealer, others = dealer_of(phones)
        shared = Phone(keeper, dealer.token, others[0].token, facing=dealer.me)
        await shared.catches_up()
        assert shared.me == dealer.me

        assert isinstance(await shared.asks(Deal()), Done)

        assert shared.last(Table).table.me is None
        assert all(
            message.game is None or message.game.hand == ()
            for message in shared.messages
            if isinstance(message, Update)
        )


async def test_a_device_that_the_dealing_has_covered_is_asked_for_nobodys_consent():
    async with running() as keeper:
        phones = await started(keeper)
        dealer, others = dealer_of(phones)
        shared = Phone(keeper, dealer.token, others[0].token, facing=dealer.me)
        await others[1].asks(EndGame())
        await shared.catches_up()
        assert shared.open.may_answer

        await shared.asks(Deal())

        assert not shared.open.may_answer


def differing(past: Past, after: Past) -> tuple[bool, bool]:
    """Whether some device sees other chairs than before, or another sheet."""
    before, now = past.room, after.room
    assert before is not None
    assert now is not None
    keys = {player.key for player in (*before.players, *now.players) if player is not None}
    seats = [(seat_of(before, key), seat_of(now, key)) for key in keys] + [(None, None)]
    chairs = any(table_view(before, old) != table_view(now, new) for old, new in seats)
    return chairs, sheet_view(before, past.taken_back) != sheet_view(now, after.taken_back)


def test_whatever_changes_chairs_or_sheet_is_known_to_do_so():
    """All kinds of events are in these evenings: a new one has to be in one of them too."""
    walked = set[type]()
    for file in sorted(LOGS.glob("*/*.jsonl")):
        past = Past()
        for entry in read(file):
            after = past.after(entry)
            walked |= {type(fact) for fact in entry.happened}
            if past.room is not None and entry.undone is None:
                chairs, sheet = differing(past, after)
                assert changes_chairs(entry.happened) or not chairs, (file.name, entry)
                assert changes_sheet(entry.happened) or not sheet, (file.name, entry)
            past = after

    assert walked == set(get_args(AnyEvent))


async def test_a_phone_that_sleeps_through_a_hundred_proposals_is_not_hung_up_on():
    async with running() as keeper:
        anna, ben, _ = await started(keeper)
        await ben.catches_up()
        for _ in range(100):
            await anna.asks(EndGame())
            await anna.asks(Withdraw(proposal=anna.open.id))

        heard = await ben.hears()

        assert ben.outbox.closing is None
        assert [type(message).__name__ for message in heard[-NEWS_WAITING:]] == ["Settled"] * 8
