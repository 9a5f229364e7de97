"""The rules of a profile as they are read: the profile, the cards, a worked score."""

from engine.cards import Suit, points_of
from engine.profile import Profile
from engine.scoring import made_worth, written
from server.http_messages import RankPoints, RuleBook, WorkedScore, WorkedShare

SHARES = {2: (74, 46), 3: (74, 32, 14), 4: (52, 32, 22, 14)}
"""Card points of an imagined deal by the number that play it; a pack each."""

TEN = 10
"""The contract of the example is a whole ten, which every bidding step can call."""


def rule_book(profile: Profile) -> RuleBook:
    """The book of `profile`."""
    ranks = sorted({card.rank for card in profile.pack.cards()}, key=lambda rank: -rank.strength)
    return RuleBook(
        profile=profile,
        ranks=tuple(RankPoints(rank=rank, points=rank.points) for rank in ranks),
        total=points_of(profile.pack.cards()),
        example=_example(profile),
    )


def _example(profile: Profile) -> WorkedScore:
    suit = Suit.DIAMONDS
    meld, scoring, auction = profile.meld.worth(suit), profile.scoring, profile.auction
    first, *others = SHARES[profile.active]
    raw = first + meld
    contract = None if auction is None else raw // TEN * TEN
    own = (
        written(scoring, raw, took_last=False)
        if contract is None
        else made_worth(scoring, contract, raw)
    )
    shares = (
        WorkedShare(cards=first, raw=raw, written=own),
        *(
            WorkedShare(cards=points, raw=points, written=written(scoring, points, took_last=False))
            for points in others
        ),
    )
    missed = None if contract is None else contract + TEN
    return WorkedScore(suit=suit, meld=meld, contract=contract, missed=missed, shares=shares)
