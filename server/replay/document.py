"""The replay of a game: one document, the same for the screen and for the file to take home."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

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
from server.shown import Scene, update_of


class NotFinished(ValueError):  # noqa: N818  # reads as what is the case
    """The game still runs, so nobody may see all its hands."""


def replay_of(code: str, story: Story, only: Sequence[Viewer] | None = None) -> Replay:
    """The game as everybody saw it, with all hands; or as `only` some viewers saw it.

    Raises:
        NotFinished: a game that runs was asked for without `only`.
    """
    if only is None and not story.finished:
        raise NotFinished(f"game {story.number} of room {code} still runs")
    viewers = _everybody(story) if only is None else tuple(only)
    begins = _beginnings(story)
    frames = [_frame(moment, viewers) for moment in story.moments]
    games = [_patches(views, begins) for views in zip(*(one.games for one in frames), strict=True)]
    hands = [_all_hands(room_at(moment)) for moment in story.moments] if only is None else None
    return Replay(
        format=REPLAY,
        code=code,
        number=story.number,
        finished=story.finished,
        viewers=viewers,
        chapters=tuple(_chapters(story, begins)),
        steps=tuple(map(_step, story.moments)),
        # Chairs and sheet only grow: whole for every deal they would outweigh all the rest.
        common=tuple(_patches([one.common for one in frames], begins[:1])),
        games=tuple(zip(*games, strict=True)),
        glimpses=tuple(one.glimpses for one in frames),
        all_hands=None if hands is None else tuple(_patches(hands, begins)),
    )


class _Frame(Struct, frozen=True):
    """What was shown after a moment: to everybody, and to each viewer."""

    common: ReplayCommon
    games: tuple[GameView | None, ...]
    glimpses: tuple[tuple[Glimpse, ...], ...]


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
    return (None, *map(Seat, range(len(room_at(story.moments[0]).players))))


def _beginnings(story: Story) -> list[int]:
    """The first steps of the chapters."""
    return [at for at, moment in enumerate(story.moments) if at == 0 or _deals(moment)]


def _deals(moment: Moment) -> bool:
    return isinstance(moment.entry.facts[0], CardsDealt)


def _chapters(story: Story, begins: Sequence[int]) -> Iterator[ReplayChapter]:
    """The beginning of the game, then every deal."""
    for first, end in zip(begins, [*begins[1:], len(story.moments)], strict=True):
        game = game_of(room_at(story.moments[first]))
        facts = (fact for moment in story.moments[first:end] for fact in moment.entry.facts)
        yield ReplayChapter(
            first=first,
            deal=len(game.sheet) + 1 if game and first else 0,
            voided=next((fact.reason for fact in facts if isinstance(fact, DealVoided)), None),
        )


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


def _frame(moment: Moment, viewers: Sequence[Viewer]) -> _Frame:
    room = room_at(moment)
    scene = Scene(room=room, past=moment.past)
    updates = [update_of(scene, viewer, moment.entry.happened) for viewer in viewers]
    return _Frame(
        common=ReplayCommon(
            table=table_view(room, None), sheet=sheet_view(room, moment.past.taken_back)
        ),
        games=tuple(update.game for update in updates),
        glimpses=tuple(update.glimpses for update in updates),
    )


def _patches(documents: Sequence[object], begins: Sequence[int]) -> Iterator[Patch]:
    """A patch for each of `documents`, whole ones where a chapter begins."""
    for at, document in enumerate(documents):
        patch = whole(document) if at in begins else delta(documents[at - 1], document)
        yield msgspec.Raw(msgspec.json.encode(patch))
