import typing

import msgspec

from engine.commands import AnyAction
from engine.events import AnyEvent, Passed
from engine.history import SCHEMA, AskId, Entry
from engine.rejections import Reason
from tests.support import A, B


def test_an_entry_is_stored_with_its_schema_and_the_ask_it_answers():
    entry = Entry(seq=7, facts=(Passed(seat=A, next=B),), ask=AskId(key="k", id="1"))

    assert msgspec.json.decode(msgspec.json.encode(entry)) == {
        "seq": 7,
        "facts": [{"type": "passed", "seat": 0, "next": 1}],
        "ask": {"key": "k", "id": "1"},
        "schema": SCHEMA,
    }


def test_the_tags_of_stored_facts_are_permanent():
    assert {kind.__struct_config__.tag for kind in typing.get_args(AnyEvent)} == {
        *("room_opened", "profile_chosen", "player_seated", "players_moved", "player_left"),
        *("ready_set", "first_dealer_chosen", "game_started", "cards_dealt", "bid_placed"),
        *("passed", "auction_won", "talon_taken", "cards_given", "cards_laid_away"),
        *("contract_set", "card_played", "marriage_melded", "aces_melded", "trick_taken"),
        *("deal_voided", "deal_conceded", "discard_forgotten", "deal_scored", "game_won"),
    }


def test_the_tags_of_actions_are_what_phones_send():
    assert {kind.__struct_config__.tag for kind in typing.get_args(AnyAction)} == {
        *("place_bid", "pass", "take_talon", "give_cards", "lay_away", "set_contract"),
        *("concede", "show_nines", "play_card", "meld"),
        *("move_to", "set_ready", "choose_first_dealer", "leave"),
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
        *("not-seated", "not-stored", "unknown-profile", "unknown-house-rule"),
    }
