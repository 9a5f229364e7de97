"""What one viewer is shown beside the game: options, clocks, and what waits."""

from msgspec.structs import replace

from engine.commands import Act, ChooseTakeBack
from engine.state import Gathering
from engine.views import Viewer
from server.consent import TakingOver
from server.proposing import claimed, proposed
from server.protocol import Claim, EndGame, KickedView, Options
from server.shown import NO_OPTIONS, Kicked, Scene, proposals_of, update_of
from tests.engine.agreeing import Agreeing
from tests.support import RU_3, A, B, C

TOKEN = "T" * 22


def auction() -> Agreeing:
    """A has opened the auction."""
    table = Agreeing(RU_3, dealer="C")
    table.deals()
    table.does("A bid 100")
    return table


def scene(table: Agreeing) -> Scene:
    return Scene(room=table.room, past=table.past, now=100.0)


def test_back_2_and_back_3_how_the_last_decision_can_go_back():
    table = auction()
    first = update_of(scene(table), A).options
    table.does("B pass")
    told = [update_of(scene(table), seat).options.take_back for seat in (A, B, C)]

    assert first == Options(take_back="at_once", void_deal=True, end_game=True)
    assert told == ["by_consent", "at_once", None]


def test_a_watcher_may_propose_nothing():
    assert update_of(scene(auction()), None).options == NO_OPTIONS


def test_between_deals_there_is_no_deal_to_void_and_before_a_game_nothing_to_end():
    table = Agreeing(RU_3, dealer="C")
    between = update_of(scene(table), A).options
    before = replace(scene(table), room=replace(table.room, phase=Gathering()))

    assert between == Options(end_game=True)
    assert update_of(before, A).options == NO_OPTIONS


def test_back_1_where_nothing_is_taken_back_it_is_no_option():
    table = Agreeing(RU_3, dealer="C")
    table.ends("A")
    table.obeys(Act(A, ChooseTakeBack(mode="off")))
    table.starts()
    table.deals()
    table.does("B bid 100")

    assert update_of(scene(table), A).options.take_back is None
    assert update_of(scene(table), B).options.take_back is None


def test_back_5_a_game_that_is_over_goes_on_only_for_a_while():
    table = auction()
    table.ends("A")
    over = scene(table)

    assert update_of(over, A).options == NO_OPTIONS
    assert update_of(replace(over, reopenable=True), A).options == Options(reopen=True)


def test_moments_are_told_as_milliseconds_from_now():
    shown = replace(
        scene(auction()),
        clock=100.5,
        kicked=(Kicked(seat=C, name="Nora", key="n", until=99.0),),
    )

    assert update_of(shown, A).clock == 500
    assert proposals_of(shown, A).kicked == (KickedView(seat=C, name="Nora", left=0),)


def test_each_sees_what_is_its_own_and_what_it_is_asked():
    table = auction()
    end = proposed(EndGame(), A, table.past, table.room, 100.0)
    claim = claimed(Claim(seat=C, token=TOKEN), table.past, table.room, 100.0)
    assert isinstance(claim, TakingOver)
    waiting = replace(scene(table), proposals=(end, claim))

    def told(viewer: Viewer, claiming: str | None = None) -> list[tuple[bool, bool]]:
        shown = proposals_of(waiting, viewer, claiming).proposals
        return [(one.mine, one.may_answer) for one in shown]

    assert told(A) == [(True, False), (False, True)]
    assert told(B) == [(False, True), (False, True)]
    assert told(C) == [(False, True), (False, True)]
    assert told(None) == [(False, False), (False, False)]
    assert told(None, claim.key) == [(False, False), (True, False)]


def test_what_time_alone_changes_is_not_still():
    table = auction()
    still = scene(table)
    table.ends("A")

    assert still.is_still
    assert not replace(still, anybody_deals=True).is_still
    assert not replace(still, clock=130.0).is_still
    assert not scene(table).is_still
