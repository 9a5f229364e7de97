import random
import typing

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import Act, AnyAction, ChooseFirstDealer, Leave, SetReady
from engine.events import AnyEvent, Call, CardsDealt, GameStarted, Passed, ReadySet, Undone
from engine.evolve import LogCorrupt, fold
from engine.history import (
    SCHEMA,
    AskId,
    Entry,
    Past,
    Standing,
    TakenBack,
    past_of,
    standing,
)
from engine.rejections import Reason
from engine.state import Gathering
from engine.take_back import TakeBack, take_back
from engine.views import game_view
from tests.engine.agreeing import Agreeing, eventful, moments
from tests.engine.undoing import assert_stands
from tests.support import ALL_PROFILES, RU_3, A, B, C, viewers


def test_an_entry_is_stored_with_its_schema_and_the_ask_it_answers():
    entry = Entry(seq=7, facts=(Passed(seat=A, next=B),), ask=AskId(key="k", id="1"))

    assert msgspec.json.decode(msgspec.json.encode(entry)) == {
        "seq": 7,
        "facts": [{"type": "passed", "seat": 0, "next": 1}],
        "ask": {"key": "k", "id": "1"},
        "schema": SCHEMA,
    }


def test_the_tags_of_stored_facts_are_permanent():
    assert {kind.__struct_config__.tag for kind in (*typing.get_args(AnyEvent), Undone)} == {
        *("room_opened", "profile_chosen", "player_seated", "players_moved", "player_left"),
        *("ready_set", "first_dealer_chosen", "game_started", "cards_dealt", "bid_placed"),
        *("passed", "auction_won", "talon_taken", "cards_given", "cards_laid_away"),
        *("contract_set", "card_played", "marriage_melded", "aces_melded", "trick_taken"),
        *("deal_voided", "deal_conceded", "discard_forgotten", "deal_scored", "game_won"),
        *("player_kicked", "seat_handed_over", "take_back_chosen", "game_ended", "undone"),
    }


def test_the_tags_of_actions_are_what_phones_send():
    assert {kind.__struct_config__.tag for kind in typing.get_args(AnyAction)} == {
        *("place_bid", "pass", "take_talon", "give_cards", "lay_away", "set_contract"),
        *("concede", "show_nines", "play_card", "meld"),
        *("move_to", "set_ready", "choose_first_dealer", "choose_take_back", "leave"),
    }


def test_an_action_has_no_field_in_which_to_claim_a_seat():
    forged = {"type": "pass", "seat": 1}

    try:
        msgspec.convert(forged, AnyAction)
    except msgspec.ValidationError as error:
        refused = str(error)

    assert "unknown field `seat`" in refused


def test_the_codes_of_refusals_are_permanent():
    assert {reason.value for reason in Reason} == {
        *("not-your-turn", "wrong-phase", "bid-too-low", "bid-off-step", "bid-needs-marriage"),
        *("bid-too-high", "must-open", "not-in-hand", "must-follow-suit", "must-trump"),
        *("must-beat", "no-marriage", "meld-not-now", "meld-must-rise", "meld-locked"),
        *("contract-too-low", "concede-not-now", "concede-on-barrel", "concede-limit"),
        *("no-four-nines", "wrong-cards"),
        *("name-empty", "name-too-long", "table-full", "no-such-chair", "game-running"),
        *("chairs-free", "not-ready", "too-many-players", "dealer-first"),
        *("chair-free", "no-game", "no-deal", "nothing-to-take-back", "take-back-off"),
        *("take-back-border", "too-late"),
        *("not-seated", "not-stored", "failed", "too-many", "room-full"),
        *("unknown-profile", "unknown-house-rule"),
        *("proposal-open", "proposal-over", "not-asked"),
    }


# What still counts.


def begun(**hands: str) -> Agreeing:
    """A dealt game in which A speaks first."""
    evening = Agreeing(RU_3)
    evening.deals(**hands)
    return evening


def decided(log: list[Entry]) -> list[int]:
    return [entry.seq for entry in standing(log)]


def test_back_7_what_was_taken_back_stays_in_the_log_and_no_longer_counts():
    evening = begun()
    evening.does("A bid 100", "B bid 105")
    evening.takes_back("B")

    assert [entry.seq for entry in evening.log] == [1, 2, 3, 4, 5]
    assert evening.log[4].undone == Undone(back_to=3, by=B, agreed=(A, C))
    assert evening.log[4].happened == ()
    assert decided(evening.log) == [1, 2, 3]


def test_back_7_an_undo_after_an_undo_counts_from_what_was_left():
    evening = begun()
    evening.does("A bid 100", "B bid 105")
    evening.takes_back("B")
    evening.takes_back("A")
    evening.does("A bid 110")

    assert decided(evening.log) == [1, 2, 7]
    assert evening.shows("B").highest == Call(A, 110)


def test_back_6_chairs_and_names_stay_as_they_are_when_decisions_are_taken_back():
    evening = begun()
    evening.does("A bid 100")
    evening.hands_over("A", "new phone")
    evening.does("B pass")
    evening.kicks("C")
    evening.lets_in("C", "Nora", "n")
    seated = evening.room.players
    evening.takes_back("A")

    assert evening.room.players == seated
    assert [player and player.name for player in seated] == ["Player 0", "Player 1", "Nora"]
    assert evening.view("A").turn == A
    assert decided(evening.log) == [1, 2, 4, 6, 7]


def test_back_6_a_chair_that_was_freed_meanwhile_stays_free():
    evening = begun()
    evening.does("A bid 100")
    evening.kicks("C")
    evening.takes_back("A")

    assert evening.room.players[C] is None
    assert evening.view("A").turn == A


def test_the_undos_of_a_game_are_known_with_their_deal_until_the_next_begins():
    evening = begun()
    evening.does("A bid 100")
    evening.takes_back("A")
    evening.does("A bid 100", "B pass", "C pass", "A take", "A concede")
    evening.deals()
    evening.does("B bid 100")
    evening.takes_back("B")

    known = [evening.past.taken_back]
    evening.ends("A")
    evening.reopens("C")
    evening.ends("A")
    known.append(evening.past.taken_back)
    evening.starts()
    known.append(evening.past.taken_back)

    both = (TakenBack(1, A), TakenBack(2, B))
    assert known == [both, (*both, TakenBack(2, C)), ()]


def test_the_past_says_where_the_deal_began_and_which_decision_was_the_last():
    evening = begun()
    assert (evening.past.begun, evening.past.place) == (2, 2)
    evening.does("A bid 100")
    evening.kicks("C")
    assert (evening.past.begun, evening.past.place) == (2, 3)
    assert (Past().begun, Past().place) == (0, 0)


def test_the_past_says_what_would_be_undone():
    evening = begun()
    evening.does("A bid 100", "B pass")
    evening.kicks("C")

    assert evening.past.since(3) == (Passed(seat=B, next=C),)
    assert evening.past.since(4) == ()


@pytest.mark.parametrize("back_to", [-1, 0, 1, 4, 5, 6, 99])
def test_an_undo_that_goes_behind_the_dealing_or_takes_nothing_back_is_a_corrupt_log(back_to):
    evening = begun()
    evening.does("A bid 100", "B pass")
    evening.kicks("C")

    with pytest.raises(LogCorrupt, match="Undone cannot follow Auction"):
        evening.goes_back(back_to, by="A")


def test_an_undo_before_anything_has_happened_is_a_corrupt_log():
    undone = Undone(back_to=0, by=A, agreed=())

    with pytest.raises(LogCorrupt, match="Undone cannot follow NoneType"):
        past_of([Entry(seq=1, facts=(undone,))])


def test_nothing_is_kept_of_the_past_before_the_first_game_nor_once_the_next_is_arranged():
    evening = begun()
    facts = [fact for fact in evening.log[0].facts if not isinstance(fact, GameStarted)]
    gathering = past_of(Entry(seq=seq, facts=(fact,)) for seq, fact in enumerate(facts, 1))
    assert gathering.room is not None
    assert isinstance(gathering.room.phase, Gathering)
    assert gathering.entries == ()

    evening.ends("A")
    evening.obeys(Act(A, SetReady(ready=True)))
    kept = evening.past.entries
    evening.obeys(Act(A, ChooseFirstDealer(B)))

    assert [entry.seq for entry in kept] == [2, 3]
    assert evening.past.entries == ()
    evening.kicks("B")
    assert (evening.past.begun, evening.past.place) == (0, 0)
    with pytest.raises(LogCorrupt):
        evening.goes_back(2, by="A")


def test_a_chair_that_was_left_after_the_game_ends_its_past():
    evening = begun()
    evening.ends("A")
    evening.obeys(Act(A, Leave()))

    assert evening.past.entries == ()


def test_back_5_words_about_the_next_game_are_kept_once_until_it_is_arranged():
    evening = begun()
    evening.ends("A")
    for _ in range(50):
        for ready in (True, False):
            evening.obeys(Act(A, SetReady(ready=ready)))
            evening.obeys(Act(B, SetReady(ready=not ready)))
    found = Standing()
    certain = [one for entry in evening.log for one in found.certain(entry)]

    assert [entry.seq for entry in certain] == [1]
    assert [entry.seq for entry in found.uncertain] == [
        2,
        3,
        *(len(evening.log) - 1, len(evening.log)),
    ]
    assert fold(fact for one in standing(evening.log) for fact in one.happened) == evening.room


def test_what_was_dealt_long_ago_is_not_kept():
    evening = eventful(RU_3, 7, deals=6)
    found = Standing()
    for entry in evening.log:
        found.certain(entry)
        dealt = [one for one in found.uncertain if isinstance(one.facts[0], CardsDealt)]
        assert len(dealt) <= 1
        assert not dealt or found.uncertain[0] is dealt[0]


@pytest.mark.parametrize("back_to", [-1, 0, 1])
def test_an_undo_that_goes_behind_the_dealing_undoes_nothing_that_counts(back_to):
    undone = Entry(seq=4, facts=(Undone(back_to=back_to, by=A, agreed=()),))

    with pytest.raises(LogCorrupt):
        list(standing([*begun().log, undone]))
    with pytest.raises(LogCorrupt):
        list(standing([undone]))


# Whatever happens.


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_same_counts_as_when_all_entries_are_in_memory(profile, seed):
    log = eventful(profile, seed, deals=3).log
    for length in (len(log) // 3, len(log) - 1, len(log)):
        assert_stands(log[:length])


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_past_is_the_fold_of_what_still_counts(profile, seed):
    log = eventful(profile, seed, deals=2).log
    for moment in moments(log):
        counts = list(standing(log[: moment.past.seq]))
        assert fold(fact for entry in counts for fact in entry.happened) == moment.past.room
        assert_bounded(moment.past, counts)


def assert_bounded(past: Past, counts: list[Entry]) -> None:
    """It holds the entries of the deal, or of the game before its first, and no others."""
    starts = [
        at
        for at, entry in enumerate(counts)
        if any(isinstance(fact, CardsDealt | GameStarted) for fact in entry.facts)
    ]
    deal = counts[starts[-1] :]
    assert list(past.entries) == [
        entry for entry in deal if not isinstance(entry.facts[0], ReadySet)
    ]


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_after_an_undo_everybody_sees_what_they_saw_at_that_place_before(profile, seed):
    log = eventful(profile, seed, deals=2).log
    seen = {}
    for moment in moments(log):
        views = [game_view(moment.room, viewer) for viewer in viewers(moment.room)]
        seen[moment.past.seq] = views
        if undone := log[moment.past.seq - 1].undone:
            assert views == seen[undone.back_to]


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_was_taken_back_and_is_done_again_is_the_same(profile, seed):
    for moment in moments(eventful(profile, seed, deals=2).log):
        past = moment.past
        by = Seat(random.Random(past.seq).randrange(len(moment.room.players)))
        back = take_back(past, by)
        if not isinstance(back, TakeBack):
            continue
        again = past.after(
            Entry(seq=past.seq + 1, facts=(Undone(back_to=back.back_to, by=by, agreed=()),))
        )
        assert again.room == past.before(back.back_to)
        for entry in past.entries:
            if entry.seq > back.back_to and set(entry.happened) & set(past.since(back.back_to)):
                again = again.after(replace(entry, seq=again.seq + 1))
        assert again.room == past.room
