"""What a table settles among itself, over phones: each sees what it is asked, and what came of it.

The clock is wound by hand.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import Leave, MoveTo, Pass, PlaceBid, SetReady
from engine.events import BidPlaced, Passed
from engine.rejections import Reason
from engine.views import AuctionView, BetweenView, OverView, PlayerView
from server.chairs import seat_of
from server.consent import (
    CLAIM_LIVES,
    OBJECT_WITHIN,
    PROPOSAL_LIVES,
    Ending,
    TakingOver,
    Voiding,
)
from server.identity import key_of
from server.log import LogFailed, MemoryLog
from server.presence import AWAY_AFTER, QUIET_AFTER
from server.protocol import (
    Answer,
    Ask,
    CallBack,
    Claim,
    Close,
    Done,
    EndGame,
    Join,
    Kick,
    Presence,
    Proposals,
    Refused,
    Reopen,
    Settled,
    Table,
    TakeBack,
    Update,
    UseProfile,
    VoidDeal,
    Wish,
    Withdraw,
)
from server.room import RoomKeeper
from server.table_talk import CALL_BACK_FOR, REOPEN_FOR, OpenProposals, TableTalk
from tests.engine.agreeing import Agreeing
from tests.server.clock import Clock
from tests.server.phones import (
    Phone,
    claims,
    dealt,
    new_id,
    new_token,
    passes,
    running,
    seated,
    started,
    store_room,
)
from tests.support import RU_4, A, B, C, D


class FullDisk(MemoryLog):
    """A log that refuses to append while it is told to."""

    full = False

    async def append(self, room: str, seq: int, data: bytes) -> None:
        if self.full:
            raise LogFailed("no space left")
        await super().append(room, seq, data)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def events() -> FullDisk:
    events = FullDisk()
    await store_room(events)
    return events


@pytest.fixture
async def keeper(events: FullDisk, clock: Clock) -> AsyncIterator[RoomKeeper]:
    async with running(events, clock=clock) as keeper:
        yield keeper


async def all_hear(*phones: Phone) -> None:
    for phone in phones:
        await phone.catches_up()


def refused(answer: Done | Refused) -> Reason:
    assert isinstance(answer, Refused), answer
    return answer.reason


async def done(phone: Phone, wish: Wish, *others: Phone) -> int:
    answer = await phone.asks(wish)
    assert isinstance(answer, Done), answer
    await all_hear(*others)
    return answer.seq


async def faces(phone: Phone, seat: Seat | None) -> None:
    phone.keeper.face(phone.attendee, seat)
    await phone.catches_up()


def counts(phone: Phone) -> int | None:
    """Milliseconds for which the only proposal can still be refused; None: no word counts."""
    return phone.open.counts


def outcome(phone: Phone) -> tuple[str, str, Seat | None]:
    settled = phone.last(Settled)
    return settled.kind, settled.outcome, settled.who


# Taking back.


async def test_back_2_nobody_is_asked_while_nobody_has_acted_since_and_everybody_is_told(
    keeper: RoomKeeper,
):
    forehand, middlehand, dealer = await dealt(keeper)
    before = keeper.state
    await done(forehand, PlaceBid(100))
    assert forehand.last(Update).options.take_back == "at_once"

    await done(forehand, TakeBack(), middlehand, dealer)

    assert keeper.state == before
    assert keeper.restored is None
    for phone in (forehand, middlehand, dealer):
        assert outcome(phone) == ("take_back", "agreed", None)
        assert phone.last(Update).glimpses == ()
        assert phone.last(Proposals).proposals == ()


async def test_back_3_once_others_have_acted_all_of_them_consent(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    before = keeper.state
    await done(forehand, PlaceBid(100))
    await done(middlehand, PlaceBid(105), forehand, dealer)
    assert forehand.last(Update).options.take_back == "by_consent"

    length = keeper.seq
    assert await done(forehand, TakeBack(), middlehand, dealer) == length
    assert (middlehand.open.may_answer, forehand.open.may_answer) == (True, False)
    assert (forehand.open.mine, middlehand.open.mine) == (True, False)
    await middlehand.answers(agree=True)
    await all_hear(dealer)
    assert dealer.open.agreed == (middlehand.me,)
    assert keeper.seq == length
    await dealer.answers(agree=True)

    assert keeper.state == before
    assert outcome(dealer) == ("take_back", "agreed", None)


async def test_who_is_asked_to_consent_sees_what_returns_and_the_game_after_it(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    watcher = Phone(keeper)
    hands = {phone: phone.game.hand for phone in (forehand, middlehand, dealer)}
    await done(forehand, PlaceBid(100))
    await done(middlehand, PlaceBid(105), forehand, dealer)

    await done(forehand, TakeBack(), middlehand, dealer, watcher)

    for phone in (forehand, middlehand, dealer, watcher):
        assert [type(one) for one in phone.open.returns] == [BidPlaced, BidPlaced]
        after = phone.open.after
        assert after is not None
        assert isinstance(after.phase, AuctionView)
        assert after.phase.calls == ()
        assert after.hand == hands.get(phone, ())


async def test_a_refusal_ends_a_proposal_and_says_whose_it_was(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, PlaceBid(100))
    await done(middlehand, Pass())
    await done(forehand, TakeBack(), middlehand)

    await middlehand.answers(agree=False)
    await all_hear(forehand, dealer)

    for phone in (forehand, middlehand, dealer):
        assert outcome(phone) == ("take_back", "refused", middlehand.me)
        assert phone.last(Proposals).proposals == ()


async def test_a_proposal_is_overtaken_by_an_act_that_is_stored_first(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, PlaceBid(100))
    await done(middlehand, PlaceBid(105))
    await done(forehand, TakeBack(), middlehand, dealer)
    agreeing = Answer(proposal=dealer.open.id, agree=True)

    act, late = Ask(id=new_id(), action=Pass()), Ask(id=new_id(), action=agreeing)
    await keeper.ask(dealer.attendee, act)
    await keeper.ask(middlehand.attendee, late)
    await all_hear(forehand, middlehand, dealer)
    await all_hear(forehand, middlehand, dealer)

    assert outcome(forehand) == ("take_back", "overtaken", None)
    assert middlehand.last(Refused) == Refused(id=late.id, reason=Reason.PROPOSAL_OVER)


async def test_a_consent_given_twice_or_by_somebody_not_asked_counts_for_nothing(
    keeper: RoomKeeper,
):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, VoidDeal(), middlehand, dealer)

    assert refused(await forehand.answers(agree=True)) is Reason.NOT_ASKED
    await done(middlehand, Answer(proposal=middlehand.open.id, agree=True))
    await done(middlehand, Answer(proposal=middlehand.open.id, agree=True), dealer)

    assert isinstance(dealer.game.phase, AuctionView)
    assert refused(await Phone(keeper).asks(VoidDeal())) is Reason.NOT_SEATED


async def test_one_open_proposal_at_a_time_and_only_who_made_it_withdraws_it(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, VoidDeal(), middlehand, dealer)
    withdraw = Withdraw(proposal=forehand.open.id)

    assert refused(await middlehand.asks(EndGame())) is Reason.PROPOSAL_OPEN
    assert refused(await middlehand.asks(withdraw)) is Reason.NOT_ASKED
    await done(forehand, withdraw, dealer)
    assert outcome(dealer) == ("void_deal", "withdrawn", None)
    assert refused(await forehand.asks(withdraw)) is Reason.PROPOSAL_OVER
    await done(middlehand, EndGame())


async def test_a_proposal_asked_for_again_under_its_id_is_one_proposal(keeper: RoomKeeper):
    forehand, middlehand, _ = await dealt(keeper)
    first = await forehand.asks(VoidDeal(), "void-0000")
    await middlehand.answers(agree=False)

    assert await forehand.asks(VoidDeal(), "void-0000") == first
    assert forehand.last(Proposals).proposals == ()


# Time and absence.


async def test_a_proposal_lapses_when_somebody_present_says_nothing(
    keeper: RoomKeeper, clock: Clock
):
    phones = await dealt(keeper)
    forehand, middlehand, _ = phones
    await done(forehand, VoidDeal())
    await middlehand.answers(agree=True)

    await passes(clock, keeper, PROPOSAL_LIVES - 1, *phones)
    assert forehand.open.agreed == (middlehand.me,)
    await passes(clock, keeper, 1, *phones)

    assert outcome(forehand) == ("void_deal", "lapsed", None)
    assert forehand.last(Proposals).proposals == ()


async def test_who_is_away_does_not_block_those_who_agreed(keeper: RoomKeeper, clock: Clock):
    forehand, middlehand, _ = await dealt(keeper)
    await passes(clock, keeper, 30, forehand, middlehand)
    await done(forehand, VoidDeal())
    await middlehand.answers(agree=True)

    await passes(clock, keeper, PROPOSAL_LIVES, forehand, middlehand)

    assert outcome(forehand) == ("void_deal", "agreed", None)
    assert isinstance(forehand.game.phase, BetweenView)


async def test_one_whom_all_have_left_ends_the_game_but_takes_nothing_back(
    keeper: RoomKeeper, clock: Clock
):
    forehand, _, _ = await dealt(keeper)
    await passes(clock, keeper, 30, forehand)
    await done(forehand, VoidDeal())
    await passes(clock, keeper, PROPOSAL_LIVES, forehand)
    assert outcome(forehand) == ("void_deal", "lapsed", None)

    await done(forehand, EndGame())
    await passes(clock, keeper, PROPOSAL_LIVES, forehand)

    assert outcome(forehand) == ("end_game", "agreed", None)
    assert forehand.game.phase == OverView(winners=(), last_trick=None)


async def test_of_two_proposals_that_end_together_the_first_may_overtake_the_second(
    keeper: RoomKeeper, clock: Clock
):
    forehand, _, dealer = await kicked(keeper)
    await passes(clock, keeper, 30, forehand)
    await done(forehand, EndGame())
    nora = await claims(keeper, dealer.me, "Nora")

    await passes(clock, keeper, CLAIM_LIVES, forehand, nora)

    assert [(one.kind, one.outcome) for one in forehand.all(Settled)] == [
        ("kick", "agreed"),
        ("end_game", "agreed"),
        ("sit_in", "overtaken"),
    ]


async def test_at_a_full_disk_a_consent_is_refused_and_may_be_given_again(
    keeper: RoomKeeper, events: FullDisk
):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, VoidDeal(), middlehand, dealer)
    await middlehand.answers(agree=True)
    events.full = True

    agreeing = Answer(proposal=dealer.open.id, agree=True)
    assert refused(await dealer.asks(agreeing, "agree-000")) is Reason.NOT_STORED
    watcher = Phone(keeper)
    await watcher.catches_up()
    assert watcher.open.agreed == (middlehand.me,)

    events.full = False
    assert isinstance(await dealer.asks(agreeing, "agree-000"), Done)
    assert isinstance(dealer.game.phase, BetweenView)


async def test_at_a_full_disk_what_time_decided_happens_once_there_is_space(
    keeper: RoomKeeper, clock: Clock, events: FullDisk
):
    forehand, _, _ = await dealt(keeper)
    await passes(clock, keeper, 30, forehand)
    await done(forehand, EndGame())
    events.full = True
    await passes(clock, keeper, PROPOSAL_LIVES, forehand)
    assert forehand.all(Settled) == []

    events.full = False
    await passes(clock, keeper, 1, forehand)

    assert outcome(forehand) == ("end_game", "agreed", None)


async def test_after_a_restart_a_proposal_has_left_no_trace(events: FullDisk, clock: Clock):
    async with running(events, clock=clock) as keeper:
        forehand, _, _ = await dealt(keeper)
        length = keeper.seq
        await done(forehand, VoidDeal())
    async with running(events, clock=clock) as keeper:
        again = Phone(keeper, forehand.token)
        await again.catches_up()

        assert again.last(Proposals).proposals == ()
        assert keeper.seq == length
        await done(again, EndGame())


async def test_a_consent_is_judged_by_the_log_if_another_server_wrote_first(
    events: FullDisk, clock: Clock
):
    async with running(events, clock=clock) as here, running(events, clock=clock) as there:
        forehand, middlehand, dealer = await dealt(here)
        await done(forehand, PlaceBid(100))
        await done(middlehand, PlaceBid(105))
        await done(forehand, TakeBack(), middlehand, dealer)
        await done(middlehand, Answer(proposal=middlehand.open.id, agree=True), dealer)
        assert await there.load()
        await done(Phone(there, dealer.token), Pass())

        answer = await dealer.answers(agree=True)

        assert refused(answer) is Reason.PROPOSAL_OVER
        assert outcome(dealer) == ("take_back", "overtaken", None)
        assert here.state == there.state


# Voiding, ending, reopening.


async def test_all_agree_that_a_deal_does_not_count(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, VoidDeal())
    await middlehand.answers(agree=True)
    await dealer.answers(agree=True)

    assert isinstance(dealer.game.phase, BetweenView)
    assert refused(await dealer.asks(VoidDeal())) is Reason.NO_DEAL


async def test_a_game_that_was_ended_goes_on_within_the_minute_and_not_later(
    keeper: RoomKeeper, clock: Clock
):
    phones = await dealt(keeper)
    forehand, middlehand, dealer = phones
    hand = forehand.game.hand
    await done(forehand, EndGame())
    await middlehand.answers(agree=True)
    await all_hear(*phones)
    assert forehand.last(Update).options.reopen

    await passes(clock, keeper, REOPEN_FOR - 1, *phones)
    await done(dealer, Reopen())
    await forehand.answers(agree=True)
    await middlehand.answers(agree=True)
    await all_hear(*phones)
    assert isinstance(forehand.game.phase, AuctionView)
    assert forehand.game.hand == hand

    await done(forehand, EndGame())
    await middlehand.answers(agree=True)
    await passes(clock, keeper, REOPEN_FOR, *phones)
    assert not forehand.last(Update).options.reopen
    assert refused(await dealer.asks(Reopen())) is Reason.TOO_LATE


async def test_an_ended_game_keeps_its_cards_covered_until_it_can_go_on_no_more(
    keeper: RoomKeeper, clock: Clock
):
    phones = await dealt(keeper)
    forehand, middlehand, dealer = phones
    assert keeper.covered == 1
    await done(forehand, EndGame())
    await middlehand.answers(agree=True)
    assert keeper.covered == 1

    await passes(clock, keeper, REOPEN_FOR - 1, *phones)
    await done(dealer, Reopen())
    await passes(clock, keeper, 2, *phones)
    assert keeper.covered == 1

    await forehand.answers(agree=False)
    assert keeper.covered is None


async def test_a_game_that_was_ended_between_deals_has_nothing_to_cover(keeper: RoomKeeper):
    forehand, middlehand, _ = await started(keeper)
    await done(forehand, EndGame())
    await middlehand.answers(agree=True)

    assert keeper.covered is None


async def test_what_cannot_be_proposed_is_refused(keeper: RoomKeeper):
    (anna,) = await seated(keeper, "Anna")

    assert refused(await anna.asks(EndGame())) is Reason.NO_GAME
    assert refused(await anna.asks(VoidDeal())) is Reason.NO_DEAL
    assert refused(await anna.asks(Reopen())) is Reason.TOO_LATE
    assert refused(await anna.asks(TakeBack())) is Reason.NOTHING_TO_TAKE_BACK
    assert refused(await anna.asks(Kick(seat=Seat(1)))) is Reason.CHAIR_FREE
    assert refused(await anna.asks(Kick(seat=Seat(7)))) is Reason.NO_SUCH_CHAIR
    assert refused(await anna.asks(Kick(seat=anna.me))) is Reason.NOT_ASKED
    assert refused(await anna.asks(CallBack(seat=Seat(7)))) is Reason.TOO_LATE


# Chairs that change hands.


async def kicked(keeper: RoomKeeper) -> tuple[Phone, Phone, Phone]:
    """Forehand has kicked the dealer."""
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, Kick(seat=dealer.me))
    await middlehand.answers(agree=True)
    await all_hear(forehand)
    return forehand, middlehand, dealer


async def test_who_is_kicked_is_told_and_can_be_called_back_to_the_same_hand(keeper: RoomKeeper):
    forehand, _, dealer = await kicked(keeper)
    chair = dealer.me
    assert dealer.outbox.closing is Close.SEAT_GONE
    assert keeper.seat_of(dealer.token or "") is None
    (one,) = forehand.last(Proposals).kicked
    assert (one.seat, one.left) == (chair, 60_000)

    await done(forehand, CallBack(seat=chair))

    assert forehand.last(Proposals).kicked == ()
    back = Phone(keeper, dealer.token)
    await back.catches_up()
    assert (back.me, back.game.hand) == (chair, dealer.game.hand)


async def test_nobody_is_called_back_after_a_minute(keeper: RoomKeeper, clock: Clock):
    forehand, _, dealer = await kicked(keeper)

    await passes(clock, keeper, CALL_BACK_FOR, forehand)

    assert forehand.last(Proposals).kicked == ()
    assert refused(await forehand.asks(CallBack(seat=dealer.me))) is Reason.TOO_LATE


async def test_nobody_is_called_back_to_a_chair_that_somebody_else_has_taken(keeper: RoomKeeper):
    forehand, middlehand, dealer = await kicked(keeper)
    await claims(keeper, dealer.me, "Nora")
    await all_hear(middlehand)
    await forehand.answers(agree=True)
    await middlehand.answers(agree=True)
    await all_hear(forehand)

    assert forehand.last(Proposals).kicked == ()
    assert refused(await forehand.asks(CallBack(seat=dealer.me))) is Reason.TOO_LATE


async def test_nobody_who_sits_elsewhere_by_now_is_called_back_to_a_second_chair(
    keeper: RoomKeeper,
):
    anna, ben, carla = await seated(keeper, "Anna", "Ben", "Carla")
    await done(anna, UseProfile(id="ru-4"))
    await done(anna, Kick(seat=Seat(1)))
    await carla.answers(agree=True)
    again = Join(name="Ben", token=ben.token or "", seat=Seat(3))
    assert await keeper.admit(again) is None

    assert refused(await anna.asks(CallBack(seat=Seat(1)))) is Reason.TOO_LATE


async def test_kicking_in_a_running_game_the_other_seat_of_a_device_leaves_it_the_first(
    keeper: RoomKeeper,
):
    forehand, middlehand, dealer = await dealt(keeper)
    both = Phone(keeper, middlehand.token, dealer.token, facing=dealer.me)
    await both.catches_up()
    assert both.last(Table).mine == tuple(sorted((middlehand.me, dealer.me)))
    await done(forehand, Kick(seat=dealer.me))
    await faces(both, middlehand.me)
    await both.answers(agree=True)

    assert both.last(Table).mine == (middlehand.me,)
    assert both.me == middlehand.me
    assert both.game.hand == middlehand.game.hand
    assert both.outbox.closing is None


async def test_a_device_that_loses_the_seat_it_faced_looks_with_the_only_one_left(
    keeper: RoomKeeper,
):
    forehand, middlehand, dealer = await dealt(keeper)
    both = Phone(keeper, middlehand.token, dealer.token, facing=dealer.me)
    new = Phone(keeper, dealer.token)
    await all_hear(both, new, forehand)

    assert (both.me, both.last(Table).mine) == (middlehand.me, (middlehand.me,))
    assert both.game.hand == middlehand.game.hand
    assert dealer.outbox.closing is Close.ELSEWHERE


async def test_the_player_on_the_chair_hands_it_over_alone_or_refuses(keeper: RoomKeeper):
    forehand, _, dealer = await dealt(keeper)
    refused = await claims(keeper, dealer.me)
    await all_hear(dealer, forehand)
    await forehand.answers(agree=True)
    await dealer.answers(agree=False)
    await all_hear(refused)
    assert outcome(refused) == ("take_over", "refused", dealer.me)

    new = await claims(keeper, dealer.me)
    await all_hear(dealer)
    await dealer.answers(agree=True)
    await all_hear(new)

    assert new.game.hand == dealer.game.hand


async def test_a_seat_is_handed_over_with_one_witness_and_the_token_before_is_void(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)
    await all_hear(forehand, middlehand, dealer)
    assert (new.open.sign, new.open.mine) == (forehand.open.sign, True)
    assert len(new.open.sign) == 2
    assert (dealer.open.may_answer, forehand.open.may_answer) == (True, True)
    assert new.last(Table).table.me is None
    assert new.game.hand == ()

    await forehand.answers(agree=True)
    await all_hear(new, dealer)
    assert new.game.hand == ()
    await passes(clock, keeper, QUIET_AFTER, forehand, new)
    await all_hear(new, dealer)

    assert new.game.hand == dealer.game.hand
    assert new.last(Table).mine == (dealer.me,)
    assert outcome(new) == outcome(dealer) == ("take_over", "agreed", None)
    assert dealer.outbox.closing is Close.SEAT_GONE
    assert keeper.seat_of(dealer.token or "") is None
    assert new.last(Table).table.players == dealer.last(Table).table.players


async def test_no_claim_is_granted_by_time_even_if_everybody_is_away(
    keeper: RoomKeeper, clock: Clock
):
    _, _, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)

    await passes(clock, keeper, CLAIM_LIVES, new)

    assert outcome(new) == ("take_over", "lapsed", None)
    assert keeper.seat_of(dealer.token or "") == dealer.me


async def test_a_claim_whose_line_dropped_is_still_open_under_its_token(keeper: RoomKeeper):
    forehand, _, dealer = await dealt(keeper)
    first = await claims(keeper, dealer.me)
    keeper.leave(first.attendee)
    await all_hear(forehand)
    sign = forehand.open.sign

    again = Claim(seat=dealer.me, token=first.token or "")
    assert await keeper.admit(again) is None
    back = Phone(keeper, claiming=first.token)
    await all_hear(back, forehand)
    assert (back.open.mine, back.open.sign, forehand.open.sign) == (True, sign, sign)

    await all_hear(dealer)
    await dealer.answers(agree=True)
    await back.catches_up()
    assert back.game.hand == dealer.game.hand


async def test_a_claim_that_was_granted_meanwhile_finds_its_chair(keeper: RoomKeeper):
    _, _, dealer = await dealt(keeper)
    first = await claims(keeper, dealer.me)
    keeper.leave(first.attendee)
    await all_hear(dealer)
    await dealer.answers(agree=True)

    assert await keeper.admit(Claim(seat=dealer.me, token=first.token or "")) is None
    assert keeper.seat_of(first.token or "") == dealer.me


async def test_a_device_that_claims_another_chair_instead_gives_the_first_claim_up(
    keeper: RoomKeeper,
):
    forehand, middlehand, dealer = await dealt(keeper)
    first = await claims(keeper, dealer.me)

    assert await keeper.admit(Claim(seat=middlehand.me, token=first.token or "")) is None
    await all_hear(first, forehand)

    assert outcome(first) == ("take_over", "withdrawn", None)
    assert forehand.open.seat == middlehand.me


async def test_a_chair_has_one_claim_at_a_time(keeper: RoomKeeper):
    _, middlehand, dealer = await dealt(keeper)
    await claims(keeper, dealer.me)

    assert await keeper.admit(Claim(seat=dealer.me, token=new_token())) is Reason.PROPOSAL_OPEN
    await claims(keeper, middlehand.me)


async def test_a_claim_that_makes_no_sense_is_told_so(keeper: RoomKeeper):
    await seated(keeper, "Anna")

    for chair, reason in ((Seat(1), Reason.CHAIR_FREE), (Seat(9), Reason.NO_SUCH_CHAIR)):
        assert await keeper.admit(Claim(seat=chair, token=new_token())) is reason


async def test_a_claim_on_a_chair_whose_player_leaves_is_over(keeper: RoomKeeper):
    anna, ben = await seated(keeper, "Anna", "Ben")
    claim = await claims(keeper, Seat(1))
    await all_hear(anna, ben)

    await done(ben, Leave(), anna)
    await claim.catches_up()

    assert outcome(claim) == ("take_over", "overtaken", None)
    assert claim.last(Proposals).proposals == ()


async def test_a_newcomer_plays_on_with_the_hand_that_lay_there(keeper: RoomKeeper):
    forehand, middlehand, dealer = await kicked(keeper)
    assert (
        await keeper.admit(Claim(seat=dealer.me, token=new_token(), name=" ")) is Reason.NAME_EMPTY
    )
    new = await claims(keeper, dealer.me, "Nora")
    assert new.open.kind == "sit_in"
    assert new.game.hand == ()

    await forehand.answers(agree=True)
    await all_hear(new, middlehand)
    assert new.game.hand == ()
    await middlehand.answers(agree=True)
    await new.catches_up()

    assert new.game.hand == dealer.game.hand
    assert new.last(Table).table.players[dealer.me] == PlayerView("Nora", ready=False)


async def test_one_witness_will_do_once_the_others_have_had_time_to_object(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await kicked(keeper)
    new = await claims(keeper, dealer.me, "Nora")
    await all_hear(forehand)
    await forehand.answers(agree=True)

    await passes(clock, keeper, OBJECT_WITHIN - 0.1, middlehand, new)
    assert new.game.hand == ()
    await passes(clock, keeper, 0.1, middlehand, new)

    assert new.game.hand == dealer.game.hand


async def test_whoever_is_here_may_object_to_a_device_that_another_vouches_for(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await kicked(keeper)
    new = await claims(keeper, dealer.me, "Nora")
    await all_hear(forehand, middlehand)
    await forehand.answers(agree=True)
    await middlehand.answers(agree=False)

    await passes(clock, keeper, OBJECT_WITHIN, middlehand, new)

    assert outcome(new) == ("sit_in", "refused", middlehand.me)
    assert new.game.hand == ()


async def test_who_refuses_a_claim_before_time_has_granted_it_has_refused_it(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await kicked(keeper)
    new = await claims(keeper, dealer.me, "Nora")
    await all_hear(forehand, middlehand)
    await forehand.answers(agree=True)
    clock.wind(OBJECT_WITHIN)
    await middlehand.answers(agree=False)
    await new.catches_up()

    assert outcome(new) == ("sit_in", "refused", middlehand.me)
    assert keeper.seat_of(new.token or "") is None


def test_a_further_consent_does_not_end_the_time_of_who_may_have_refused_already(clock: Clock):
    table = Agreeing(RU_4)
    table.deals()
    table.kicks("C")
    talk = TableTalk(clock, lambda _settled: None)
    claim = talk.claim(Claim(seat=C, token=new_token(), name="Nora"), table.past, table.room)
    assert not isinstance(claim, Reason)
    yes = Answer(proposal=claim.id, agree=True)
    first = talk.answer(A, yes, lambda _seat: True)
    clock.wind(OBJECT_WITHIN)
    second = talk.answer(B, yes, lambda _seat: True)
    assert not isinstance(first, Reason | None)
    assert not isinstance(second, Reason | None)

    assert second.agreed == (A, B)
    assert talk.waits(second)
    third = talk.answer(D, yes, lambda _seat: True)
    assert not isinstance(third, Reason | None)
    assert not talk.waits(third)


async def test_a_word_from_long_before_leaves_the_others_the_whole_time_to_object(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)
    await all_hear(forehand, middlehand, dealer)
    await forehand.answers(agree=True)
    told = []
    for seconds in (9, 9, 2 + QUIET_AFTER):
        alive = (forehand, middlehand, new, *([dealer] if seconds == 9 else ()))
        await passes(clock, keeper, seconds, *alive)
        told.append(counts(middlehand))
    assert told == [None, None, OBJECT_WITHIN * 1000]

    await passes(clock, keeper, OBJECT_WITHIN - 0.1, forehand, middlehand, new)
    assert new.game.hand == ()
    assert middlehand.open.may_answer
    await passes(clock, keeper, 0.1, forehand, middlehand, new)

    assert new.game.hand == dealer.game.hand


async def test_a_player_who_comes_back_is_asked_and_the_word_of_the_witness_waits_again(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)
    await all_hear(forehand, middlehand, dealer)
    await forehand.answers(agree=True)
    await passes(clock, keeper, QUIET_AFTER, forehand, middlehand, new)
    await passes(clock, keeper, OBJECT_WITHIN - 1, forehand, middlehand, new)
    keeper.hear(dealer.attendee)
    await passes(clock, keeper, 1, forehand, middlehand, new)
    assert counts(middlehand) is None

    await passes(clock, keeper, QUIET_AFTER, forehand, middlehand, new)

    assert counts(middlehand) == OBJECT_WITHIN * 1000
    assert new.game.hand == ()


async def test_the_claim_of_a_device_that_is_gone_blocks_no_chair(keeper: RoomKeeper, clock: Clock):
    forehand, _, dealer = await kicked(keeper)
    stranger = await claims(keeper, dealer.me, "Mallory")
    keeper.leave(stranger.attendee)

    await passes(clock, keeper, QUIET_AFTER, forehand)

    assert outcome(forehand) == ("sit_in", "withdrawn", None)
    assert (await claims(keeper, dealer.me, "Nora")).open.name == "Nora"


async def test_a_player_whose_device_is_asked_for_may_be_kicked_meanwhile(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    claim = await claims(keeper, dealer.me)
    await done(forehand, Kick(seat=dealer.me), middlehand)
    (kick,) = (p for p in middlehand.last(Proposals).proposals if p.kind == "kick")

    await done(middlehand, Answer(proposal=kick.id, agree=True))
    await claim.catches_up()

    assert outcome(claim) == ("take_over", "overtaken", None)


async def test_new_rules_with_fewer_chairs_end_what_was_about_the_chairs(keeper: RoomKeeper):
    anna, _ben = await seated(keeper, "Anna", "Ben")
    await done(anna, UseProfile(id="ru-4"))
    token = new_token()
    assert await keeper.admit(Join(name="Dora", token=token, seat=Seat(3))) is None
    dora = Phone(keeper, token)
    await done(dora, Kick(seat=Seat(1)))

    await done(anna, UseProfile(id="ru-3"), dora)

    assert outcome(dora) == ("kick", "overtaken", None)
    assert seat_of(keeper.state, key_of(token)) == 2


async def test_who_proposes_and_then_moves_has_given_the_proposal_up(keeper: RoomKeeper):
    anna, ben, _ = await seated(keeper, "Anna", "Ben", "Carla")
    await all_hear(anna, ben)
    await done(anna, Kick(seat=Seat(2)))

    await done(ben, MoveTo(Seat(0)), anna)

    assert outcome(anna) == ("kick", "overtaken", None)


# Several seats on one device.


async def test_a_device_with_two_seats_is_shown_no_hand_before_it_faces_one(keeper: RoomKeeper):
    forehand, middlehand, dealer = await dealt(keeper)
    both = Phone(keeper, forehand.token, middlehand.token)
    await both.catches_up()
    assert both.last(Table).table.me is None
    assert both.game.hand == ()
    assert refused(await both.asks(PlaceBid(100))) is Reason.NOT_SEATED

    await faces(both, forehand.me)
    assert both.game.hand == forehand.game.hand
    await done(both, PlaceBid(100))
    await faces(both, None)
    assert both.game.hand == ()
    await faces(both, dealer.me)
    assert both.game.hand == ()
    assert both.last(Table).table.me is None


async def test_an_ask_counts_for_the_seat_that_was_faced_when_it_came(keeper: RoomKeeper):
    forehand, middlehand, _ = await dealt(keeper)
    both = Phone(keeper, forehand.token, middlehand.token, facing=forehand.me)
    await keeper.ask(both.attendee, Ask(id=new_id(), action=PlaceBid(100)))
    keeper.face(both.attendee, middlehand.me)
    await asyncio.sleep(0)
    await both.catches_up()

    assert isinstance(both.game.phase, AuctionView)
    assert [call.seat for call in both.game.phase.calls] == [forehand.me]


async def test_an_ask_sent_again_is_answered_again_whichever_seat_is_faced_then(
    keeper: RoomKeeper,
):
    forehand, middlehand, _ = await dealt(keeper)
    both = Phone(keeper, forehand.token, middlehand.token, facing=forehand.me)
    first = await both.asks(PlaceBid(100), "bid-00000")

    again = Phone(keeper, forehand.token, middlehand.token, facing=middlehand.me)

    assert await again.asks(PlaceBid(100), "bid-00000") == first


async def test_a_player_who_shares_a_device_keeps_looking_when_it_gets_another_seat(
    keeper: RoomKeeper,
):
    _, middlehand, dealer = await dealt(keeper)
    token = new_token()
    assert await keeper.admit(Claim(seat=dealer.me, token=token)) is None
    shared = Phone(keeper, middlehand.token, claiming=token)
    await all_hear(dealer)
    await dealer.answers(agree=True)
    await shared.catches_up()

    assert shared.me == middlehand.me
    assert shared.last(Table).mine == tuple(sorted((middlehand.me, dealer.me)))
    assert shared.game.hand == middlehand.game.hand


async def test_what_changes_nothing_is_done_and_leaves_no_entry(keeper: RoomKeeper):
    (anna,) = await seated(keeper, "Anna")
    length = keeper.seq
    chosen = UseProfile(id="ru-3")

    for wish in (SetReady(ready=False), MoveTo(Seat(0)), chosen):
        assert await anna.asks(wish) == Done(id=anna.last(Done).id, seq=length)

    await done(anna, SetReady(ready=True))
    await done(anna, SetReady(ready=True))
    assert keeper.seq == length + 1


async def test_the_glimpses_that_wait_are_not_lost_to_a_proposal_that_lapses(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, EndGame(), middlehand, dealer)
    await done(forehand, PlaceBid(100))
    await done(middlehand, Pass())

    await passes(clock, keeper, PROPOSAL_LIVES, forehand)
    await dealer.catches_up()

    assert [type(one) for one in dealer.last(Update).glimpses] == [BidPlaced, Passed]


# The server sleeps.


async def sleeps(clock: Clock, keeper: RoomKeeper, *phones: Phone) -> None:
    """The server sleeps and wakes, and looks around before it has read anything."""
    clock.stand_still()
    await passes(clock, keeper, 0)
    await all_hear(*phones)


@pytest.mark.parametrize("wish", [EndGame(), "kick"])
async def test_nobody_is_sent_away_and_no_game_ends_because_the_server_slept(
    keeper: RoomKeeper, clock: Clock, wish: EndGame | str
):
    forehand, middlehand, dealer = await dealt(keeper)
    await done(forehand, Kick(seat=dealer.me) if wish == "kick" else EndGame())
    await passes(clock, keeper, PROPOSAL_LIVES - 1, forehand)
    await sleeps(clock, keeper, forehand, middlehand)
    assert forehand.last(Presence).players == ("here", "here", "here")
    assert forehand.open.left == AWAY_AFTER * 1000

    await passes(clock, keeper, AWAY_AFTER - 1, forehand, middlehand)
    assert not forehand.all(Settled)
    await passes(clock, keeper, 1, forehand)

    assert outcome(forehand)[1:] == ("lapsed", None)


async def test_whom_all_have_left_goes_on_alone_after_the_server_slept(
    keeper: RoomKeeper, clock: Clock
):
    forehand, *_ = await dealt(keeper)
    await done(forehand, EndGame())
    await passes(clock, keeper, PROPOSAL_LIVES - 1, forehand)
    await sleeps(clock, keeper, forehand)

    await passes(clock, keeper, AWAY_AFTER, forehand)

    assert outcome(forehand) == ("end_game", "agreed", None)


async def test_no_chair_is_given_away_because_the_server_slept(keeper: RoomKeeper, clock: Clock):
    forehand, middlehand, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)
    await all_hear(forehand, middlehand, dealer)
    await forehand.answers(agree=True)
    await passes(clock, keeper, QUIET_AFTER - 1, forehand, middlehand, new)
    await sleeps(clock, keeper, forehand, middlehand, new)
    await passes(clock, keeper, 1, forehand, middlehand, new)
    assert counts(middlehand) is None

    await passes(clock, keeper, QUIET_AFTER - 1, forehand, middlehand, new)
    assert counts(middlehand) == OBJECT_WITHIN * 1000
    await passes(clock, keeper, OBJECT_WITHIN - 1, forehand, middlehand, new)
    await sleeps(clock, keeper, forehand, middlehand, new)

    assert counts(middlehand) is None
    assert new.game.hand == ()


async def test_a_claim_is_not_withdrawn_because_the_server_slept(keeper: RoomKeeper, clock: Clock):
    forehand, _, dealer = await dealt(keeper)
    new = await claims(keeper, dealer.me)
    await passes(clock, keeper, QUIET_AFTER - 1, forehand)
    clock.wind(1)
    await sleeps(clock, keeper, forehand, new)

    assert new.open.mine


async def test_after_a_restart_nobody_is_silent_who_had_no_time_to_come_back(
    events: FullDisk, keeper: RoomKeeper, clock: Clock
):
    phones = await dealt(keeper)
    witness, dealer = phones[0].token, phones[2].me
    async with running(events, clock=clock) as again:
        back = Phone(again, witness)
        new = await claims(again, dealer)
        await back.answers(agree=True)
        await passes(clock, again, 1, back, new)
        assert counts(back) is None
        assert new.game.hand == ()

        await passes(clock, again, QUIET_AFTER, back, new)

        assert outcome(back) == ("take_over", "agreed", None)


class SlowDisk(MemoryLog):
    """A log that stores nothing while it is told to be slow."""

    def __init__(self) -> None:
        super().__init__()
        self.stores = asyncio.Event()
        self.stores.set()
        self.waits = asyncio.Event()

    async def append(self, room: str, seq: int, data: bytes) -> None:
        self.waits.set()
        await self.stores.wait()
        await super().append(room, seq, data)


async def test_a_refusal_that_waited_for_a_slow_disk_was_in_time(clock: Clock):
    events = SlowDisk()
    await store_room(events)
    async with running(events, clock=clock) as keeper:
        forehand, middlehand, dealer = await kicked(keeper)
        new = await claims(keeper, dealer.me, "Nora")
        await all_hear(forehand, middlehand)
        await forehand.answers(agree=True)
        refusal = Answer(proposal=middlehand.last(Proposals).proposals[0].id, agree=False)
        events.stores.clear()
        events.waits.clear()
        bid = asyncio.create_task(forehand.asks(PlaceBid(100)))
        await events.waits.wait()
        clock.wind(1)
        keeper.ring(clock())
        refuses = asyncio.create_task(middlehand.asks(refusal))
        await asyncio.sleep(0)

        clock.wind(60)
        for phone in (forehand, middlehand, new):
            keeper.hear(phone.attendee)
        events.stores.set()
        assert isinstance(await bid, Done)
        assert isinstance(await refuses, Done)
        await all_hear(new)

        assert outcome(new) == ("sit_in", "refused", middlehand.me)
        assert keeper.seat_of(new.token or "") is None


# What is open.


def test_players_have_one_open_proposal_and_every_chair_one_claim():
    opened = OpenProposals()
    claim = TakingOver(began=0.0, seat=Seat(2), key="k", name="Carla", sign="47")
    opened.put(Ending(began=0.0, by=Seat(0), by_name="Anna"))
    opened.put(claim)

    assert not opened.has_place_for(Voiding(began=0.0, by=Seat(1), by_name="Ben", dealing=3))
    assert not opened.has_place_for(replace(claim, id="c", key="other"))
    assert opened.has_place_for(replace(claim, id="c", seat=Seat(1)))
    assert opened.claimed_by("k") == claim
