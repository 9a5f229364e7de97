"""The replay of a game: one document, the same for the screen and for the file to take home."""

from collections.abc import Sequence
from itertools import repeat

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat, sorted_hand
from engine.choices import NOTHING, choices_of
from engine.events import AnyEvent, CardsDealt, DealVoided, GameEnded, PlayerKicked, Undone
from engine.glimpses import Glimpse
from engine.state import Auction, InDeal, Playing, Room, game_of
from engine.views import GameView, Viewer, sheet_view, table_view
from server.replay.deltas import delta, whole
from server.replay.story import Moment, Story, room_at
from server.replay_messages import (
    REPLAY,
    AllHandsView,
    Patch,
    Replay,
    ReplayChapter,
    ReplayCommon,
    ReplayStep,
)
from server.shown import Scene, shown_of


class NotFinished(ValueError):  # noqa: N818  # reads as what is the case
    """The game still runs, so nobody may see all its hands."""


def replay_of(code: str, story: Story, only: Sequence[Viewer] | None = None) -> Replay:
    """The game as everybody saw it, with all hands; or as `only` some viewers saw it.

    Of what was shown, no more is in memory at a time than one step and the one before.

    Raises:
        NotFinished: a game that runs was asked for without `only`.
    """
    if only is None and not story.finished:
        raise NotFinished(f"game {story.number} of room {code} still runs")
    viewers = _everybody(story) if only is None else tuple(only)
    columns = _Columns(viewers)
    for moment in story.moments():
        columns.add(moment, with_hands=only is None)
    return Replay(
        format=REPLAY,
        code=code,
        number=story.number,
        finished=story.finished,
        viewers=viewers,
        chapters=tuple(columns.chapters),
        steps=tuple(columns.steps),
        common=tuple(columns.common),
        games=tuple(columns.games),
        glimpses=tuple(columns.glimpses),
        all_hands=tuple(columns.all_hands) if only is None else None,
    )


class _Frame(Struct, frozen=True):
    """What was shown after a moment: to everybody, and to each viewer."""

    common: ReplayCommon
    games: tuple[GameView | None, ...]
    glimpses: tuple[tuple[Glimpse, ...], ...]
    hands: AllHandsView | None


class _Columns:
    """The lists of a replay, which grow step by step."""

    def __init__(self, viewers: Sequence[Viewer]) -> None:
        self.chapters: list[ReplayChapter] = []
        self.steps: list[ReplayStep] = []
        self.common: list[Patch] = []
        self.games: list[tuple[Patch, ...]] = []
        self.glimpses: list[tuple[tuple[Glimpse, ...], ...]] = []
        self.all_hands: list[Patch] = []
        self._viewers = viewers
        self._shown: _Frame | None = None

    def add(self, moment: Moment, *, with_hands: bool) -> None:
        """The next step is `moment`, each of its documents a patch on the step before."""
        frame, before = _frame(moment, self._viewers, with_hands=with_hands), self._shown
        # Chairs and sheet only grow: whole for every deal they would outweigh all the rest.
        self.common.append(_patch(before and before.common, frame.common))
        if before is None or _deals(moment):
            self.chapters.append(_chapter(moment, len(self.steps)))
            before = None
        self._look_for_a_void_deal(moment)
        self.steps.append(_step(moment))
        views = zip(before.games if before else repeat(None), frame.games, strict=False)
        self.games.append(tuple(_patch(old, new) for old, new in views))
        self.glimpses.append(frame.glimpses)
        if with_hands:
            self.all_hands.append(_patch(before and before.hands, frame.hands))
        self._shown = frame

    def _look_for_a_void_deal(self, moment: Moment) -> None:
        voided = (fact for fact in moment.entry.facts if isinstance(fact, DealVoided))
        if self.chapters[-1].voided is None and (fact := next(voided, None)):
            self.chapters[-1] = replace(self.chapters[-1], voided=fact.reason)


def _all_hands(room: Room) -> AllHandsView:
    """Every card of `room`, in a game that is over by now."""
    phase = room.phase
    if not isinstance(phase, InDeal):
        return _NO_DEAL
    turn = phase.turn if isinstance(phase, Auction | Playing) else phase.declarer
    return AllHandsView(
        hands=tuple(map(sorted_hand, phase.hands)),
        talons=phase.deal.dealt.talons,
        gifts=phase.deal.gifts,
        laid_away=phase.deal.laid_away,
        points=phase.points if isinstance(phase, Playing) else (),
        may=NOTHING if turn is None else choices_of(phase, turn),
    )


_NO_DEAL = AllHandsView(hands=(), talons=(), gifts=(), laid_away=(), points=(), may=NOTHING)


def _everybody(story: Story) -> tuple[Viewer, ...]:
    return (None, *map(Seat, range(len(story.room.players))))


def _deals(moment: Moment) -> bool:
    return isinstance(moment.entry.facts[0], CardsDealt)


def _chapter(moment: Moment, first: int) -> ReplayChapter:
    """What begins with `moment`, which is step `first`: the game, or a deal."""
    game = game_of(room_at(moment))
    deal = len(game.sheet) + 1 if game and first else 0
    return ReplayChapter(first=first, deal=deal, voided=None)


def _step(moment: Moment) -> ReplayStep:
    fact = moment.entry.facts[0]
    return ReplayStep(
        seq=moment.entry.seq,
        kind=str(fact.__struct_config__.tag),
        seat=_decided(fact),
        trick=moment.trick,
        undone=moment.undone,
    )


def _decided(fact: AnyEvent | Undone) -> Seat | None:
    """Whose decision it was."""
    match fact:
        case CardsDealt(dealer=dealer):
            return dealer
        case PlayerKicked(by=by) | GameEnded(by=by) | Undone(by=by):
            return by
        case _:
            seat: Seat | None = getattr(fact, "seat", None)
            return seat


def _frame(moment: Moment, viewers: Sequence[Viewer], *, with_hands: bool) -> _Frame:
    room = room_at(moment)
    scene = Scene(room=room, past=moment.past)
    shown = [shown_of(scene, viewer, moment.entry.happened) for viewer in viewers]
    return _Frame(
        common=ReplayCommon(
            table=table_view(room, None), sheet=sheet_view(room, moment.past.taken_back)
        ),
        games=tuple(game for game, _ in shown),
        glimpses=tuple(glimpses for _, glimpses in shown),
        hands=_all_hands(room) if with_hands else None,
    )


def _patch(before: object, document: object) -> Patch:
    """What makes `document` of the one before; of none where it is whole."""
    patch = whole(document) if before is None else delta(before, document)
    return msgspec.Raw(msgspec.json.encode(patch))
