"""What one viewer is shown of a room: the game, the chairs, the sheet, and what waits."""

from collections.abc import Iterable

from msgspec import Struct

from engine.cards import Seat
from engine.events import AnyEvent
from engine.glimpses import Glimpse, glimpse
from engine.history import Past
from engine.lobby import game_runs
from engine.rejections import Rejected
from engine.state import InDeal, Over, Room
from engine.take_back import reopening, take_back
from engine.views import GameView, Viewer, game_view, sheet_view, table_view
from server.consent import Proposal
from server.protocol import (
    KickedView,
    Options,
    Proposals,
    ProposalView,
    Sheet,
    Table,
    Update,
)


class Kicked(Struct, frozen=True, kw_only=True):
    """A player who lost the chair `seat` and may be called back."""

    seat: Seat
    name: str
    key: str
    until: float
    """By the room's clock."""


class Scene(Struct, frozen=True, kw_only=True):
    """A room at one moment, as far as anybody can be shown it."""

    room: Room
    past: Past
    """How the room came there."""
    now: float = 0.0
    """By the room's clock, as are all moments here."""
    anybody_deals: bool = False
    reopenable: bool = False
    """The game ended so short a time ago that it may go on."""
    clock: float | None = None
    """When the declarer has forgotten to lay away; None: never."""
    proposals: tuple[Proposal, ...] = ()
    kicked: tuple[Kicked, ...] = ()

    @property
    def is_still(self) -> bool:
        """Whether everybody is shown the same as right after the last entry, whenever that was."""
        over = isinstance(self.room.phase, Over)
        return not (self.anybody_deals or self.clock is not None or over)


def table_of(scene: Scene, viewer: Viewer, mine: tuple[Seat, ...]) -> Table:
    """The chairs, for a device that holds `mine` and looks with the eyes of `viewer`."""
    return Table(table=table_view(scene.room, viewer), mine=mine)


def sheet_of(scene: Scene) -> Sheet:
    """The score sheet, the same for everybody."""
    return Sheet(sheet=sheet_view(scene.room, scene.past.taken_back))


def shown_of(
    scene: Scene, viewer: Viewer, facts: Iterable[AnyEvent] = ()
) -> tuple[GameView | None, tuple[Glimpse, ...]]:
    """The game for `viewer`, and how it came about by `facts`: what is shown again in a replay."""
    game = game_view(scene.room, viewer, anybody_deals=scene.anybody_deals)
    return game, _seen(facts, viewer)


def update_of(scene: Scene, viewer: Viewer, facts: Iterable[AnyEvent] = ()) -> Update:
    """The game for `viewer`, how it came about by `facts`, and what can be put to the others."""
    game, glimpses = shown_of(scene, viewer, facts)
    return Update(
        seq=scene.past.seq,
        game=game,
        glimpses=glimpses,
        options=NO_OPTIONS if viewer is None else _options(scene, viewer),
        clock=None if scene.clock is None else _left(scene, scene.clock),
    )


def proposals_of(scene: Scene, viewer: Viewer, claiming: str | None = None) -> Proposals:
    """What waits for consent, for `viewer`, or for a device that claims a chair."""
    return Proposals(
        proposals=tuple(_proposal(scene, one, viewer, claiming) for one in scene.proposals),
        kicked=tuple(
            KickedView(seat=one.seat, name=one.name, left=_left(scene, one.until))
            for one in scene.kicked
        ),
    )


def is_covered(past: Past) -> bool:
    """Whether a game that is over would, reopened, go on with cards that not everybody knows.

    With one card in every hand there is nothing left to decide.
    """
    again = reopening(past)
    before = None if isinstance(again, Rejected) else past.before(again.back_to)
    phase = before.phase if before else None
    return isinstance(phase, InDeal) and any(len(hand) > 1 for hand in phase.hands)


NO_OPTIONS = Options()


def _options(scene: Scene, seat: Seat) -> Options:
    phase = scene.room.phase
    if isinstance(phase, Over):
        again = scene.reopenable and not isinstance(reopening(scene.past), Rejected)
        return Options(reopen=again) if again else NO_OPTIONS
    if not game_runs(scene.room):
        return NO_OPTIONS
    back = take_back(scene.past, seat)
    return Options(
        take_back=None
        if isinstance(back, Rejected)
        else "by_consent"
        if back.consent
        else "at_once",
        void_deal=isinstance(phase, InDeal),
        end_game=True,
    )


def _proposal(
    scene: Scene, proposal: Proposal, viewer: Viewer, claiming: str | None
) -> ProposalView:
    back_to, counts = proposal.back_to, proposal.counts_from
    before = None if back_to is None else scene.past.before(back_to)
    return ProposalView(
        id=proposal.id,
        kind=proposal.kind,
        by=proposal.by,
        seat=proposal.seat,
        name=proposal.name,
        sign=proposal.sign,
        asked=proposal.asked,
        agreed=proposal.agreed,
        enough=proposal.enough,
        left=_left(scene, proposal.until),
        counts=None if counts is None else _left(scene, counts),
        may_answer=viewer in proposal.asked and viewer not in proposal.agreed,
        mine=proposal.is_from(viewer, claiming),
        returns=() if back_to is None else _seen(scene.past.since(back_to), viewer),
        after=None if before is None else game_view(before, viewer),
    )


def _seen(facts: Iterable[AnyEvent], viewer: Viewer) -> tuple[Glimpse, ...]:
    seen = (glimpse(fact, viewer) for fact in facts)
    return tuple(one for one in seen if one is not None)


def _left(scene: Scene, until: float) -> int:
    return max(0, round((until - scene.now) * 1000))
