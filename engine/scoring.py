"""What a deal writes: one settlement, step by step (SCORE, BOLT, BARREL, LOCK, SIT, WIN)."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Rank, Seat, pairs_in, points_of
from engine.dealing import next_dealer
from engine.events import Cause, Change, DealScored, Line, Outcome, Role, Standing
from engine.profile import Profile, Scoring
from engine.state import Conceded, Deal, Forgotten, Game, Playing


class Account(Struct, frozen=True, kw_only=True):
    """One seat in the middle of a settlement: what it took, what was written so far."""

    seat: Seat
    role: Role
    cards: int = 0
    melds: int = 0
    tricks: int = 0
    before: Standing
    now: Standing
    changes: tuple[Change, ...] = ()

    @property
    def raw(self) -> int:
        """Points before any rounding."""
        return self.cards + self.melds

    def add(self, cause: Cause, points: int) -> "Account":
        """`points` written because of `cause`; a change by 0 is written too."""
        now = replace(self.now, score=self.now.score + points)
        return replace(self, now=now, changes=(*self.changes, Change(cause, points)))

    def count(self, **counters: int | None) -> "Account":
        """The same with other bolts, barrel, concessions or falls."""
        return replace(self, now=replace(self.now, **counters))


Step = Callable[[Profile, list[Account]], list[Account]]


def score_played(state: Playing) -> DealScored:
    """The settlement of a deal played to its end: steps (a) to (f) of SCORE-1."""
    profile, contract = state.game.profile, state.contract
    accounts = [_account(state, seat) for seat in _seats(state.game)]
    made = None
    if state.declarer is not None and contract is not None:
        made = accounts[state.declarer].raw >= contract
    accounts = [_write_played(state, account, made=made) for account in accounts]
    steps: tuple[Step, ...] = (_keep_gains, _bolts, _reset, _stop_at_barrel, _count_barrel)
    done = _run(profile, accounts, steps)
    return _scored(state.game, "played", done, contract=contract, made=made)


def score_conceded(state: Conceded) -> DealScored:
    """The settlement of a concession: no bolts, no barrel deals (CONC-2 to CONC-5)."""
    profile = state.game.profile
    pay = concession_pay(profile, state.contract)
    accounts = []
    for account in _idle(state.game, state.deal, state.declarer):
        match account.role:
            case "declarer":
                accounts.append(_concede(profile, account))
            case "sitter":
                accounts.append(_income(state.game, state.deal, account))
            case _:
                accounts.append(account.add("concession_pay", pay))
    steps: tuple[Step, ...] = (_keep_gains, _reset, _stop_at_barrel)
    done = _run(profile, accounts, steps)
    return _scored(state.game, "conceded", done, contract=state.contract)


def score_forgotten(state: Forgotten) -> DealScored:
    """A declarer who forgot to lay away pays, and the others share as much (EXCH-7)."""
    exchange = state.game.profile.exchange
    cost = exchange.forgetting_costs if exchange else 0
    accounts = _idle(state.game, state.deal, state.declarer)
    share = cost // (len(accounts) - 1)
    accounts = [
        account.add("forgotten", -cost if account.role == "declarer" else share)
        for account in accounts
    ]
    return _scored(state.game, "forgotten", accounts, contract=state.bid)


def score_thrown_in(game: Game, deal: Deal) -> DealScored:
    """A deal that all passed: nothing is written, the next dealer deals (BID-7)."""
    return _scored(game, "thrown_in", _idle(game, deal, None))


def winners_of(game: Game) -> tuple[Seat, ...]:
    """Who has won after the last deal; empty: nobody yet (WIN-1 to WIN-4)."""
    scoring = game.profile.scoring
    declarer = game.sheet[-1].declarer if game.sheet else None
    there = [seat for seat in _seats(game) if game.standings[seat].score >= scoring.target]
    if declarer is not None and declarer in there and scoring.declarer_wins_first:
        return (declarer,)
    best = max((game.standings[seat].score for seat in there), default=0)
    winners = tuple(seat for seat in there if game.standings[seat].score == best)
    return () if len(winners) > 1 and scoring.ties == "play_on" else winners


def concession_cost(profile: Profile, standing: Standing) -> int:
    """What the next concession costs a player with `standing`, in points (CONC-3)."""
    concession = profile.concession
    if concession is None or concession.costly is None:
        return 0
    return concession.cost if standing.concessions + 1 == concession.costly else 0


def concession_pay(profile: Profile, contract: int) -> int:
    """What each defender gets when a contract of that many points is conceded (CONC-2, CONC-7)."""
    concession = profile.concession
    if concession is None:
        return 0
    return contract // 2 // 5 * 5 if concession.pays_half else concession.pays


def rounded(points: int, step: int) -> int:
    """`points` of 0 or more as the nearest multiple of `step`, a half upwards (SCORE-3)."""
    return (points + step // 2) // step * step


def written(scoring: Scoring, raw: int, *, took_last: bool) -> int:
    """What a player who did not declare writes for `raw` points (SCORE-3, SCORE-6, SCORE-9)."""
    if not scoring.tens:
        return rounded(raw, scoring.rounding)
    return (raw + (5 if took_last else 4)) // 10


def made_worth(scoring: Scoring, contract: int, raw: int) -> int:
    """What a declarer writes who made `contract` with `raw` points (SCORE-4, SCORE-9)."""
    return contract if scoring.declarer_writes == "contract" else raw


def _seats(game: Game) -> tuple[Seat, ...]:
    return tuple(Seat(index) for index in range(len(game.standings)))


def _role(deal: Deal, declarer: Seat | None, seat: Seat) -> Role:
    if seat == deal.dealt.sitter:
        return "sitter"
    if declarer is None:
        return "player"
    return "declarer" if seat == declarer else "defender"


def _idle(game: Game, deal: Deal, declarer: Seat | None) -> list[Account]:
    """Accounts of a deal in which no trick counts."""
    return [
        Account(seat=seat, role=_role(deal, declarer, seat), before=standing, now=standing)
        for seat, standing in zip(_seats(game), game.standings, strict=True)
    ]


def _account(state: Playing, seat: Seat) -> Account:
    """What `seat` took, with the out-of-play points that came to it (SCORE-2)."""
    standing, tricks = state.game.standings[seat], state.tricks[seat]
    melds = sum(made.points for made in state.melds if made.seat == seat)
    return Account(
        seat=seat,
        role=_role(state.deal, state.declarer, seat),
        cards=state.points[seat] + _unused_points(state, seat),
        melds=melds if tricks or not state.game.profile.meld.needs_trick else 0,
        tricks=tricks,
        before=standing,
        now=standing,
    )


def _unused_points(state: Playing, seat: Seat) -> int:
    """Card points of laid-away and left cards, if they come to `seat` (EXCH-6)."""
    exchange = state.game.profile.exchange
    if exchange is None or state.last_trick is None:
        return 0
    heir = {
        "nobody": None,
        "last_trick": state.last_trick.winner,
        "declarer": state.declarer,
    }[exchange.unused_points]
    return points_of(state.deal.laid_away + state.deal.unused) if seat == heir else 0


def _write_played(state: Playing, account: Account, *, made: bool | None) -> Account:
    """Step (a) for one seat (SCORE-3, SCORE-4, SCORE-7, SIT-1)."""
    profile, contract = state.game.profile, state.contract or 0
    match account.role:
        case "declarer" if not made:
            return account.add("contract_failed", -contract)
        case "declarer":
            return account.add("contract_made", made_worth(profile.scoring, contract, account.raw))
        case "sitter":
            return _income(state.game, state.deal, account)
        case _:
            last = state.last_trick is not None and state.last_trick.winner == account.seat
            earned = written(profile.scoring, account.raw, took_last=last)
            account = account.add("points", earned)
            virgin = profile.scoring.virgin
            return account.add("virgin", virgin) if virgin and not account.tricks else account


def _income(game: Game, deal: Deal, account: Account) -> Account:
    """What the sitter earns from the talon as it was dealt (SIT-1)."""
    income = game.profile.sitter_income
    if income is None:
        return account
    talon = tuple(card for pile in deal.dealt.talons for card in pile)
    points = income.per_ace * sum(card.rank is Rank.ACE for card in talon)
    if income.pairs:
        points += sum(game.profile.meld.worth(suit) for suit in pairs_in(talon))
    return account.add("income", points)


def _concede(profile: Profile, account: Account) -> Account:
    """The price of a concession; after a costly one the count begins again (CONC-3)."""
    cost = concession_cost(profile, account.before)
    counted = 0 if cost else account.before.concessions + 1
    return account.add("concession_cost", -cost).count(concessions=counted)


def _run(profile: Profile, accounts: list[Account], steps: tuple[Step, ...]) -> list[Account]:
    for step in steps:
        accounts = step(profile, accounts)
    return accounts


def _keep_gains(profile: Profile, accounts: list[Account]) -> list[Account]:
    """Step (b): on the barrel or locked, only a declarer gains (BARREL-3, LOCK-1)."""

    def kept(account: Account) -> Account:
        gain = account.now.score - account.before.score
        if account.role == "declarer" or gain <= 0:
            return account
        if account.before.barrel is not None:
            return account.add("barrel_keeps", -gain)
        if profile.lock and account.before.score >= profile.lock.at:
            return account.add("lock_keeps", -gain)
        return account

    return [kept(account) for account in accounts]


def _bolts(profile: Profile, accounts: list[Account]) -> list[Account]:
    """Step (c): a defender's deal without card points (BOLT-1 to BOLT-3)."""
    bolts = profile.bolts
    if bolts is None:
        return accounts

    def struck(account: Account) -> Account:
        if account.role != "defender" or account.cards or account.before.barrel is not None:
            return account
        count = account.now.bolts + 1
        if count < bolts.limit:
            return account.count(bolts=count)
        return account.add("bolts", -bolts.cost).count(bolts=0)

    return [struck(account) for account in accounts]


def _reset(profile: Profile, accounts: list[Account]) -> list[Account]:
    """Step (d): a total of exactly so much becomes 0 (SCORE-5)."""
    at = profile.scoring.reset_at
    return [
        account.add("reset", -account.now.score) if account.now.score == at else account
        for account in accounts
    ]


def _stop_at_barrel(profile: Profile, accounts: list[Account]) -> list[Account]:
    """Step (e): totals from the mark to below the target become the mark (BARREL-1, BARREL-5)."""
    barrel = profile.barrel
    if barrel is None:
        return accounts

    def stopped(account: Account) -> Account:
        if barrel.at <= account.now.score < profile.scoring.target:
            over = account.now.score - barrel.at
            account = account.add("barrel_stop", -over) if over else account
            return account if account.before.barrel is not None else account.count(barrel=0)
        return account.count(barrel=None)

    return [stopped(account) for account in accounts]


def _count_barrel(profile: Profile, accounts: list[Account]) -> list[Account]:
    """Step (f): the deal counts for those who played on the barrel; falls (BARREL-2, BARREL-9)."""
    barrel = profile.barrel
    if barrel is None:
        return accounts
    arrived = any(
        account.before.barrel is None and account.now.barrel is not None for account in accounts
    )

    def counted(account: Account) -> Account:
        before = account.before.barrel
        if before is None or account.now.barrel is None:
            return account
        count = before + (account.role != "sitter")
        if count >= barrel.deals:
            return _fall(profile, account, "barrel_fall")
        if barrel.one_at_a_time and arrived:
            return _fall(profile, account, "sent_off")
        return account.count(barrel=count)

    return [counted(account) for account in accounts]


def _fall(profile: Profile, account: Account, cause: Cause) -> Account:
    """Off the barrel; the last of the falls that are counted brings 0 (BARREL-6, BARREL-10)."""
    barrel = profile.barrel
    if barrel is None:
        return account
    account = account.add(cause, -barrel.fall).count(barrel=None)
    if barrel.zero_after_falls is None:
        return account
    if account.now.falls + 1 < barrel.zero_after_falls:
        return account.count(falls=account.now.falls + 1)
    return account.add("falls_to_zero", -account.now.score).count(falls=0)


def _scored(
    game: Game,
    outcome: Outcome,
    accounts: list[Account],
    *,
    contract: int | None = None,
    made: bool | None = None,
) -> DealScored:
    """The fact that `accounts` were written, with the dealer moving on (TABLE-3)."""
    return DealScored(
        number=len(game.sheet) + 1,
        outcome=outcome,
        dealer=game.dealer,
        declarer=next((account.seat for account in accounts if account.role == "declarer"), None),
        contract=contract,
        made=made,
        lines=tuple(
            Line(
                seat=account.seat,
                role=account.role,
                cards=account.cards,
                melds=account.melds,
                tricks=account.tricks,
                changes=account.changes,
                before=account.before,
                after=account.now,
            )
            for account in accounts
        ),
        next_dealer=next_dealer(game.profile, game.dealer),
    )
