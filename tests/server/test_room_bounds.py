"""What is stored in a room, and what no more: by the length of its log, and by who asks."""

import random
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import (
    ChooseFirstDealer,
    ChooseTakeBack,
    Leave,
    MoveTo,
    Pass,
    PlaceBid,
    SetReady,
)
from engine.events import (
    AnyEvent,
    CardsDealt,
    DealScored,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    GameWon,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    SeatHandedOver,
    TakeBackChosen,
    TalonTaken,
    Undone,
)
from engine.history import Entry, Past, TakenBack, past_of
from engine.lobby import game_runs
from engine.profile import Profile
from engine.rejections import Reason
from engine.state import Auction, Between, InDeal, Over, Phase, game_of
from server.consent import PROPOSAL_LIVES
from server.limits import Account, Limits, Rate
from server.log import EventLog, MemoryLog
from server.log.codec import encode
from server.presence import AWAY_AFTER
from server.protocol import (
    Done,
    EndGame,
    Join,
    Proposals,
    Refused,
    Reopen,
    TakeBack,
    UseProfile,
    VoidDeal,
    Wish,
)
from server.room import RoomKeeper
from server.room_bounds import DEALS, IN_DEAL, LAST_GAME, LONGEST, TAKE_BACKS, is_change, refusal
from server.room_log import RoomLog
from tests.engine.agreeing import Agreeing, eventful
from tests.server.clock import Clock
from tests.server.games import dealt as dealt_game
from tests.server.games import keep, kept, played, stored
from tests.server.phones import (
    CODE,
    Phone,
    dealt,
    new_token,
    passes,
    running,
    seated,
    store_room,
)
from tests.support import ALL_PROFILES, RU_3

SEATED = PlayerSeated(seat=Seat(0), name="Eve", key="k")
KICKED = PlayerKicked(seat=Seat(0), by=Seat(1), agreed=())
ENDED = GameEnded(by=Seat(0), agreed=())
UNDONE = Undone(back_to=2, by=Seat(0), agreed=())

PLENTY = Rate(1e9, 1e9)
SLOWLY = 0.0001  # a second: nothing comes back while a test lasts


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def events() -> EventLog:
    events = MemoryLog()
    await store_room(events)
    return events


@pytest.fixture
async def keeper(events: EventLog, clock: Clock) -> AsyncIterator[RoomKeeper]:
    async with running(events, clock=clock) as keeper:
        yield keeper


def past_in(room: Agreeing) -> Past:
    return past_of(stored(room))


def told(kind: type[AnyEvent]) -> AnyEvent:
    """A fact of that kind, from a log that has all of them."""
    return next(fact for entry in stored(played()) for fact in entry.happened if type(fact) is kind)


def paying(clock: Clock, *, stored: Rate = PLENTY, changes: Rate = PLENTY) -> Account:
    return Account(Limits(stored=stored, changes=changes), clock)


async def guest(keeper: RoomKeeper, name: str, account: Account) -> Phone:
    """A phone that sits, and pays for what it says from now on."""
    (phone,) = await seated(keeper, name)
    phone.attendee.account = account
    return phone


async def dealt_by(keeper: RoomKeeper, account: Account) -> list[Phone]:
    """Forehand, middlehand and the dealer in an auction; all of them pay from now on."""
    phones = await dealt(keeper)
    for phone in phones:
        phone.attendee.account = account
    return phones


async def said(phone: Phone, wish: Wish) -> Reason | None:
    """Why `wish` is refused; None: it was done."""
    answer = await phone.asks(wish)
    return answer.reason if isinstance(answer, Refused) else None


async def size_of(events: EventLog) -> int:
    return sum(len(one.data) for one in await kept(events, CODE))


# How long a log may become.


@pytest.mark.parametrize(
    "fact",
    [
        SEATED,
        KICKED,
        SeatHandedOver(seat=Seat(0), key="k", agreed=()),
        ProfileChosen(profile=RU_3),
        PlayersMoved(a=Seat(0), b=Seat(1)),
        PlayerLeft(seat=Seat(0)),
        ReadySet(seat=Seat(0), ready=True),
        FirstDealerChosen(dealer=None),
        TakeBackChosen(mode="free"),
        told(GameStarted),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_in_a_room_with_a_long_log_nothing_is_arranged_any_more(fact: AnyEvent):
    over = past_in(played())

    assert refusal((fact,), over, LAST_GAME - 1, None) is None
    assert refusal((fact,), over, LAST_GAME, None) is Reason.ROOM_FULL


def test_a_game_that_runs_is_played_on_though_the_log_is_long():
    for facts in ((told(TalonTaken),), (told(CardsDealt),), (UNDONE,), (KICKED,)):
        assert refusal(facts, past_in(dealt_game()), LONGEST - 1, None) is None


def test_at_the_end_of_its_log_a_room_stores_nothing_but_the_end_of_the_game():
    runs, won = past_in(dealt_game()), GameWon(winners=(Seat(0),))

    for facts in ((told(TalonTaken),), (told(CardsDealt),), (UNDONE,), (KICKED,)):
        assert refusal(facts, runs, LONGEST, None) is Reason.ROOM_FULL
    assert refusal((ENDED,), runs, LONGEST, None) is None
    assert refusal((told(DealScored), won), runs, LONGEST, None) is None


def test_a_sheet_has_so_many_deals():
    room = past_in(played())
    scored = told(DealScored)
    game = game_of(room.room) if room.room else None
    assert isinstance(scored, DealScored)
    assert room.room is not None
    assert game is not None

    def with_deals(count: int) -> Past:
        assert room.room is not None
        phase = replace(room.room.phase, game=replace(game, sheet=(scored,) * count))
        return replace(room, room=replace(room.room, phase=phase))

    assert refusal((told(CardsDealt),), with_deals(DEALS - 1), 0, None) is None
    assert refusal((told(CardsDealt),), with_deals(DEALS), 0, None) is Reason.ROOM_FULL


def test_a_sheet_has_so_many_take_backs():
    room = past_in(dealt_game())

    def after(count: int) -> Past:
        return replace(room, taken_back=(TakenBack(1, Seat(0)),) * count)

    assert refusal((UNDONE,), after(TAKE_BACKS - 1), 0, None) is None
    assert refusal((UNDONE,), after(TAKE_BACKS), 0, None) is Reason.ROOM_FULL


def test_in_one_deal_so_many_come_and_go_and_the_deal_is_played_to_its_end():
    room = past_in(dealt_game())

    def after(count: int) -> Past:
        return replace(room, entries=(room.entries[0],) * count)

    assert refusal((KICKED,), after(IN_DEAL - 1), 0, None) is None
    assert refusal((KICKED,), after(IN_DEAL), 0, None) is Reason.ROOM_FULL
    assert refusal((told(TalonTaken),), after(IN_DEAL), 0, None) is None


def test_whoever_came_and_went_after_a_game_does_not_keep_the_next_from_beginning():
    over = past_in(played())
    crowded = replace(over, entries=(over.entries or (Entry(seq=1, facts=()),)) * IN_DEAL)

    assert refusal((told(GameStarted),), crowded, 0, None) is None


async def test_the_length_of_a_log_is_known_when_it_was_read_and_after_every_entry():
    events = MemoryLog()
    await keep(events, stored(dealt_game()))
    log = RoomLog(CODE, events)
    await log.read()
    assert log.size == await size_of(events)

    assert isinstance(await log.write((KICKED,), None), Entry)
    assert log.size == await size_of(events)


async def test_a_room_whose_log_is_too_long_already_is_opened_and_takes_nobody_in():
    events = MemoryLog()
    await store_room(events)
    name = "x" * (1 << 20)  # none that anybody could bring
    for seq in range(2, 15):
        coming = PlayerSeated(seat=Seat(0), name=name, key="k")
        going = PlayerLeft(seat=Seat(0))
        await events.append(CODE, seq, encode(Entry(seq=seq, facts=(coming, going))))
    async with running(events) as keeper:
        assert await keeper.admit(Join(name="Anna", token=new_token())) is Reason.ROOM_FULL
        assert len(await events.read(CODE)) == 14


# What an address may have stored.


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_what_is_no_change_brings_a_game_further(profile: Profile):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    past, before = Past(), (0, 0, 0)
    evening = eventful(profile, seed, deals=3)
    if game_runs(evening.room):
        evening.ends("A")
    for entry in evening.log:
        past = past.after(entry)
        assert past.room is not None
        game = game_of(past.room)
        in_deal = len(past.entries) if isinstance(past.room.phase, InDeal) else 0
        now = (past.room.games, len(game.sheet) if game else 0, in_deal)
        assert is_change(entry.facts) or now > before, entry
        before = now


async def test_whoever_goes_to_and_fro_is_refused_and_may_again_after_a_while(
    keeper: RoomKeeper, clock: Clock, events: EventLog
):
    eve = await guest(keeper, "Eve", paying(clock, changes=Rate(4, 0.5)))
    answers = [await said(eve, SetReady(ready=n % 2 == 0)) for n in range(5)]
    assert answers == [None] * 4 + [Reason.TOO_MANY]
    assert len(await events.read(CODE)) == keeper.seq == 6

    again = await eve.asks(SetReady(ready=True), "ready-too-soon")
    clock.wind(2)
    later = await eve.asks(SetReady(ready=True), "ready-too-soon")

    assert isinstance(again, Refused)
    assert isinstance(later, Done)


async def test_what_one_address_wastes_is_not_missing_to_another(keeper: RoomKeeper, clock: Clock):
    eve = await guest(keeper, "Eve", paying(clock, changes=Rate(1, SLOWLY)))
    anna = await guest(keeper, "Anna", paying(clock, changes=Rate(1, SLOWLY)))

    assert await said(eve, SetReady(ready=True)) is None
    assert await said(eve, SetReady(ready=False)) is Reason.TOO_MANY
    assert await said(anna, SetReady(ready=True)) is None


@pytest.mark.parametrize(
    "wishes",
    [
        (SetReady(ready=True), SetReady(ready=False)),
        (MoveTo(Seat(1)), MoveTo(Seat(0))),
        (UseProfile(id="de-3"), UseProfile(id="ru-3")),
        (ChooseFirstDealer(Seat(0)), ChooseFirstDealer(None)),
        (ChooseTakeBack("free"), ChooseTakeBack("off")),
    ],
    ids=lambda wishes: type(wishes[0]).__name__,
)
async def test_every_way_to_and_fro_before_a_game_comes_to_an_end(
    keeper: RoomKeeper, clock: Clock, wishes: tuple[Wish, Wish]
):
    eve = await guest(keeper, "Eve", paying(clock, changes=Rate(9, 1)))
    before = keeper.seq

    answers = [await said(eve, wishes[n % 2]) for n in range(12)]

    assert answers[:10] == [None] * 9 + [Reason.TOO_MANY]
    assert keeper.seq == before + 9


async def test_coming_and_going_comes_to_an_end(keeper: RoomKeeper, clock: Clock):
    pays, reasons = paying(clock, changes=Rate(10, 1)), []
    for _ in range(6):
        token = new_token()
        reasons.append(await keeper.admit(Join(name="Eve", token=token), pays))
        if reasons[-1] is None:
            assert await said(Phone(keeper, token, account=pays), Leave()) is None

    assert reasons == [None] * 5 + [Reason.TOO_MANY]


async def test_calling_and_taking_it_back_comes_to_an_end_and_the_deal_goes_on(
    keeper: RoomKeeper, clock: Clock
):
    forehand, middlehand, _ = await dealt_by(keeper, paying(clock, changes=Rate(3, SLOWLY)))
    answers: list[Reason | None] = []
    while answers.count(None) == len(answers):
        assert await said(forehand, PlaceBid(100)) is None
        answers.append(await said(forehand, TakeBack()))

    assert answers == [None] * 3 + [Reason.TOO_MANY]
    assert await said(middlehand, Pass()) is None


async def test_a_game_is_ended_whatever_was_wasted_and_does_not_go_on(
    keeper: RoomKeeper, clock: Clock
):
    phones = await dealt_by(keeper, paying(clock, changes=Rate(0.5, SLOWLY)))
    forehand, middlehand, dealer = phones

    assert await said(forehand, EndGame()) is None
    assert isinstance(await middlehand.answers(agree=True), Done)
    assert isinstance(keeper.state.phase, Over)

    assert await said(forehand, Reopen()) is None
    await middlehand.answers(agree=True)
    answer = await dealer.answers(agree=True)
    assert answer == Refused(id=answer.id, reason=Reason.TOO_MANY)
    assert isinstance(keeper.state.phase, Over)


@pytest.mark.parametrize(("changes", "phase"), [(1, Between), (0.5, Auction)])
async def test_what_time_does_is_charged_to_who_asked_for_it(
    keeper: RoomKeeper, clock: Clock, changes: float, phase: type[Phase]
):
    account = paying(clock, changes=Rate(changes, SLOWLY))
    forehand, middlehand, _ = await dealt(keeper)
    forehand.attendee.account = account
    await passes(clock, keeper, AWAY_AFTER, forehand, middlehand)
    assert await said(forehand, VoidDeal()) is None
    await middlehand.answers(agree=True)

    await passes(clock, keeper, PROPOSAL_LIVES, forehand, middlehand)

    assert isinstance(keeper.state.phase, phase)
    assert not account.pays(change=True)
    assert forehand.last(Proposals).proposals == ()


async def test_every_byte_that_an_address_has_stored_is_charged_to_it(
    keeper: RoomKeeper, clock: Clock, events: EventLog
):
    eve = await guest(keeper, "Eve", paying(clock, stored=Rate(10_000, SLOWLY)))
    before = await size_of(events)
    answers = [await said(eve, SetReady(ready=n % 2 == 0)) for n in range(200)]

    written = await size_of(events) - before
    longest = max(len(one.data) for one in (await kept(events, CODE))[2:])
    assert 10_000 <= written < 10_000 + longest
    assert Reason.TOO_MANY in answers


async def test_what_is_refused_or_changes_nothing_costs_nothing(
    keeper: RoomKeeper, clock: Clock, events: EventLog
):
    account = paying(clock, stored=Rate(10_000, 1), changes=Rate(10, 1))
    eve = await guest(keeper, "Eve", account)
    before = await kept(events, CODE)

    assert await said(eve, SetReady(ready=False)) is None
    assert await said(eve, Pass()) is Reason.WRONG_PHASE
    assert await said(eve, UseProfile(id="none")) is Reason.UNKNOWN_PROFILE

    assert account.full
    assert await kept(events, CODE) == before


async def test_this_machine_has_no_limits(keeper: RoomKeeper):
    (robot,) = await seated(keeper, "Robot")

    answers = [await said(robot, SetReady(ready=n % 2 == 0)) for n in range(500)]

    assert set(answers) == {None}
