// Generated from server/protocol.py. Do not edit: run `python -m server.typescript`.

export const PROTOCOL = 1

/** Bytes of a frame to the server at most. */
export const FRAME_LIMIT = 16384

/** Why the server closes a socket. The numbers are permanent. */
export const CLOSE = {
  RESTARTING: 1012,
  BAD_FRAME: 4400,
  WRONG_TOKEN: 4401,
  NO_SUCH_ROOM: 4404,
  NO_HELLO: 4408,
  ELSEWHERE: 4409,
  SEAT_GONE: 4410,
  TOO_SLOW: 4413,
  ROOM_STOPPED: 4500,
} as const

export type Close = (typeof CLOSE)[keyof typeof CLOSE]

export type ClientMessage = Join | Resume | Watch | Ask | Ping

/** Open a table. POST /api/rooms. */
export interface NewRoom {
  readonly profile: string
  readonly house_rules?: Readonly<Record<string, Setting>>
}

export type Hello = Join | Resume | Watch

/**
 * Sit down under `name`, on chair `seat` if it is free.
 *
 * The phone makes up the token that will be its seat, from secure randomness. A join that is sent
 * again, because the welcome was lost, therefore finds its chair taken by itself.
 */
export interface Join {
  readonly type: 'join'
  readonly name: string
  readonly token: string
  readonly seat?: Seat | null
}

/** Be again who joined with this token. */
export interface Resume {
  readonly type: 'resume'
  readonly token: string
}

/** See what the table screen sees. */
export interface Watch {
  readonly type: 'watch'
}

/** Do something. Gets exactly one answer; asked again under the same id, the same answer. */
export interface Ask {
  readonly type: 'ask'
  readonly id: string
  readonly action: Wish
}

/** Answer with a pong. */
export interface Ping {
  readonly type: 'ping'
  readonly n: number
}

/** A value of a house rule. */
export type Setting = boolean | number | string

/** A place at the table, 0 to 3, numbered clockwise. */
export type Seat = number

/** What an ask may ask for: a game action, or something for which the house is needed. */
export type Wish =
  | PlaceBid
  | Pass
  | TakeTalon
  | GiveCards
  | LayAway
  | SetContract
  | Concede
  | ShowNines
  | PlayCard
  | Meld
  | MoveTo
  | SetReady
  | ChooseFirstDealer
  | Leave
  | Deal
  | Start
  | UseProfile

/** Call `points`. */
export interface PlaceBid {
  readonly type: 'place_bid'
  readonly points: number
}

/** Leave the auction. */
export interface Pass {
  readonly type: 'pass'
}

/** Turn talon number `talon`, from 0, and take it. */
export interface TakeTalon {
  readonly type: 'take_talon'
  readonly talon?: number
}

/** Give one card to each defender, all in one decision. */
export interface GiveCards {
  readonly type: 'give_cards'
  readonly gifts: readonly Gift[]
}

/** Put cards face down aside. */
export interface LayAway {
  readonly type: 'lay_away'
  readonly cards: readonly Card[]
}

/** Keep the bid, or raise it to `points`. */
export interface SetContract {
  readonly type: 'set_contract'
  readonly points: number
}

/** Give the deal up. */
export interface Concede {
  readonly type: 'concede'
}

/** Show all four nines: the deal is void. */
export interface ShowNines {
  readonly type: 'show_nines'
}

/** Lay `card` to the trick. */
export interface PlayCard {
  readonly type: 'play_card'
  readonly card: Card
}

/** Announce and lead `card`: king or queen of a marriage, or an ace of all four. */
export interface Meld {
  readonly type: 'meld'
  readonly card: Card
}

/** Sit on chair `seat`; whoever sits there changes places. */
export interface MoveTo {
  readonly type: 'move_to'
  readonly seat: Seat
}

/** Be ready for the next game, or not. */
export interface SetReady {
  readonly type: 'set_ready'
  readonly ready: boolean
}

/** Choose who deals first; null: by lot. */
export interface ChooseFirstDealer {
  readonly type: 'choose_first_dealer'
  readonly dealer: Seat | null
}

/** Free the chair. */
export interface Leave {
  readonly type: 'leave'
}

/** Shuffle and deal. */
export interface Deal {
  readonly type: 'deal'
}

/** Begin a game; also the next one on the same chairs. */
export interface Start {
  readonly type: 'start'
}

/** Play the next game by profile `id` with these house rules. */
export interface UseProfile {
  readonly type: 'use_profile'
  readonly id: string
  readonly house_rules?: Readonly<Record<string, Setting>>
}

/** A card and the defender who is to get it. */
export interface Gift {
  readonly to: Seat
  readonly card: Card
}

/** A card. The value is suit letter and rank letter: ``HK`` is the king of hearts. */
export type Card =
  | 'SA'
  | 'ST'
  | 'SK'
  | 'SQ'
  | 'SJ'
  | 'S9'
  | 'S8'
  | 'S7'
  | 'HA'
  | 'HT'
  | 'HK'
  | 'HQ'
  | 'HJ'
  | 'H9'
  | 'H8'
  | 'H7'
  | 'DA'
  | 'DT'
  | 'DK'
  | 'DQ'
  | 'DJ'
  | 'D9'
  | 'D8'
  | 'D7'
  | 'CA'
  | 'CT'
  | 'CK'
  | 'CQ'
  | 'CJ'
  | 'C9'
  | 'C8'
  | 'C7'

export type ServerMessage =
  Welcome | Table | Sheet | Presence | Update | Done | Refused | NotSeated | Pong

/** The answer: the new room. */
export interface RoomOpened {
  readonly code: string
  readonly url: string
}

/** What anybody may know of a room. GET /api/rooms/{code}. */
export interface RoomSummary {
  readonly code: string
  readonly url: string
  readonly profile: string
  readonly players: readonly (string | null)[]
  readonly state: 'gathering' | 'playing' | 'over'
  readonly deal: number
  readonly turn: Seat | null
}

/** A profile to choose. GET /api/profiles. */
export interface ProfileSummary {
  readonly id: string
  readonly version: number
  readonly terms: string
  readonly source: string
  readonly players: number
  readonly house_rules: readonly HouseRuleView[]
  readonly step: number | null
  readonly target: number
  readonly mark: number | null
}

/** GET /api/health. */
export interface Health {
  readonly status: 'ok'
  readonly version: string
  readonly epoch: string
  readonly rooms: number
  readonly connections: number
}

/** The one shape of an HTTP error. */
export interface Problem {
  readonly error:
    | 'no-such-room'
    | 'room-stopped'
    | 'bad-request'
    | 'unknown-profile'
    | 'unknown-house-rule'
    | 'not-stored'
    | 'not-found'
}

/** The hello was understood. */
export interface Welcome {
  readonly type: 'welcome'
  readonly protocol: number
  readonly build: string
  /** Changes with every start of the server. */
  readonly epoch: string
  readonly code: string
  /** The address that this room's QR code holds. */
  readonly url: string
}

/** The chairs and the rules, whole. */
export interface Table {
  readonly type: 'table'
  readonly table: TableView
}

/** The score sheet, whole; null before the first game. */
export interface Sheet {
  readonly type: 'sheet'
  readonly sheet: SheetView | null
}

/** Which chairs have a phone connected, and how many watch. */
export interface Presence {
  readonly type: 'presence'
  readonly here: readonly boolean[]
  readonly watchers: number
}

/**
 * The game as this viewer sees it after entry `seq`, whole, and how it came about.
 *
 * Without glimpses the view is to be shown at once.
 */
export interface Update {
  readonly type: 'update'
  readonly seq: number
  readonly game: GameView | null
  readonly glimpses: readonly Glimpse[]
}

/** Ask `id` was done and stored as entry `seq`. */
export interface Done {
  readonly type: 'done'
  readonly id: string
  readonly seq: number
}

/** Ask `id` came to nothing; nothing has changed. */
export interface Refused {
  readonly type: 'refused'
  readonly id: string
  readonly reason: Reason
}

/** The join came to nothing; another hello may follow. */
export interface NotSeated {
  readonly type: 'not_seated'
  readonly reason: Reason
}

/** The answer to a ping. */
export interface Pong {
  readonly type: 'pong'
  readonly n: number
}

/** A switch of a profile, its values and the profile's own one. */
export interface HouseRuleView {
  readonly key: string
  readonly values: readonly Setting[]
  readonly default: Setting
}

/** Chairs and the next game: the same for everybody but for `me`. */
export interface TableView {
  readonly me: Seat | null
  readonly players: readonly (PlayerView | null)[]
  readonly first_dealer: Seat | null
  readonly profile: ProfileView
  readonly games: number
  /** A game has begun that nobody has won yet. */
  readonly running: boolean
  readonly may_start: boolean
}

/** Every written deal of the game, the oldest first. */
export interface SheetView {
  readonly game: number
  readonly deals: readonly DealScored[]
}

/**
 * What one viewer sees of the game.
 *
 * `deal` counts from 1; between deals it is the next one's.
 */
export interface GameView {
  readonly number: number
  readonly deal: number
  readonly dealer: Seat
  readonly sitter: Seat | null
  /** Who plays, forehand first; empty between deals. */
  readonly order: readonly Seat[]
  /** Who is to act; between deals the dealer. */
  readonly turn: Seat | null
  readonly seats: readonly SeatView[]
  readonly phase: PhaseView
  readonly hand: readonly Card[]
  /** Suits of which the hand holds king and queen. */
  readonly pairs: readonly Suit[]
  /** What this viewer laid away. */
  readonly laid_away: readonly Card[]
  readonly may: Choices
}

export type Glimpse =
  | GameSeen
  | DealSeen
  | BidPlaced
  | Passed
  | AuctionWon
  | TalonSeen
  | GiftsSeen
  | LaidAwaySeen
  | ContractSet
  | CardPlayed
  | MarriageMelded
  | AcesMelded
  | TrickTaken
  | DealVoided
  | DealConceded
  | DiscardForgotten
  | ScoreSeen
  | GameWon
  | PlayerSeen

/**
 * A stable code.
 *
 * The first block is shared with the text record of a game, the second is the table's; with the
 * third the house answers what no rule can judge.
 */
export type Reason =
  | 'not-your-turn'
  | 'wrong-phase'
  | 'bid-too-low'
  | 'bid-off-step'
  | 'bid-needs-marriage'
  | 'bid-too-high'
  | 'must-open'
  | 'not-in-hand'
  | 'must-follow-suit'
  | 'must-trump'
  | 'must-beat'
  | 'no-marriage'
  | 'meld-not-now'
  | 'meld-must-rise'
  | 'meld-locked'
  | 'contract-too-low'
  | 'concede-not-now'
  | 'concede-on-barrel'
  | 'concede-limit'
  | 'no-four-nines'
  | 'wrong-cards'
  | 'name-empty'
  | 'name-too-long'
  | 'table-full'
  | 'no-such-chair'
  | 'game-running'
  | 'chairs-free'
  | 'not-ready'
  | 'too-many-players'
  | 'dealer-first'
  | 'not-seated'
  | 'not-stored'
  | 'unknown-profile'
  | 'unknown-house-rule'

/** Who sits on a chair. */
export interface PlayerView {
  readonly name: string
  readonly ready: boolean
}

/** The rules of the table in the few numbers that screens show. */
export interface ProfileView {
  readonly id: string
  readonly version: number
  readonly terms: string
  readonly players: number
  readonly clockwise: boolean
  readonly step: number | null
  readonly target: number
  /** The total of the barrel or the lock, in points. */
  readonly mark: number | null
  /** Deals a player may sit on the barrel; null: there is no barrel. */
  readonly barrel_deals: number | null
  /** Bolts that cost a penalty; null: there are none. */
  readonly bolts: number | null
  /** Points by suit letter. */
  readonly marriages: Readonly<Record<string, number>>
  readonly chosen: Readonly<Record<string, Setting>>
}

/** What the deal wrote, a line for each seat, and who deals next. */
export interface DealScored {
  readonly type: 'deal_scored'
  readonly number: number
  readonly outcome: Outcome
  readonly dealer: Seat
  readonly declarer: Seat | null
  readonly contract: number | null
  readonly made: boolean | null
  readonly lines: readonly Line[]
  readonly next_dealer: Seat
}

/** What stands by a seat in the running deal and on the sheet. */
export interface SeatView {
  readonly score: number
  readonly bolts: number
  readonly barrel: number | null
  readonly concessions: number
  readonly falls: number
  /** Cards in the hand. */
  readonly cards: number
  readonly tricks: number
  /** Card points taken, where this viewer may know them. */
  readonly points: number | null
  readonly passed: boolean
}

export type PhaseView =
  BetweenView | AuctionView | TalonView | ExchangeView | ContractView | PlayView | OverView

/** One of the four suits; the value is its letter in records and messages. */
export type Suit = 'S' | 'H' | 'D' | 'C'

/** Everything this seat may do now; a table screen may do nothing. */
export interface Choices {
  readonly deal: boolean
  readonly bid: BidRange | null
  readonly may_pass: boolean
  /** Talons that can be turned, by number from 0. */
  readonly take: readonly number[]
  readonly give_to: readonly Seat[]
  /** Cards to lay away. */
  readonly lay_away: number
  readonly contract: BidRange | null
  readonly concede: ConcessionOpen | null
  readonly nines: boolean
  readonly play: readonly Card[]
  readonly barred: readonly BarredCard[]
  readonly melds: readonly MeldOpen[]
  /** Cards that break a held pair for good when led without melding. */
  readonly spoils: readonly Card[]
}

/** A game began; `by_lot`: the lot chose the dealer. */
export interface GameSeen {
  readonly type: 'game_started'
  readonly dealer: Seat
  readonly by_lot: boolean
}

/** Cards went out to `order`, forehand first. */
export interface DealSeen {
  readonly type: 'cards_dealt'
  readonly dealer: Seat
  readonly order: readonly Seat[]
}

/** A call. `next` speaks then; null: the auction is over. */
export interface BidPlaced {
  readonly type: 'bid_placed'
  readonly seat: Seat
  readonly points: number
  readonly next: Seat | null
}

/** A final pass. `next` speaks then; null: the auction is over. */
export interface Passed {
  readonly type: 'passed'
  readonly seat: Seat
  readonly next: Seat | null
}

/** The last one left is declarer at what was said. */
export interface AuctionWon {
  readonly type: 'auction_won'
  readonly declarer: Seat
  readonly points: number
}

/** A talon was turned; `cards` is empty for those who may not see them. */
export interface TalonSeen {
  readonly type: 'talon_taken'
  readonly seat: Seat
  readonly talon: number
  readonly cards: readonly Card[]
}

/** Cards went to the defenders. */
export interface GiftsSeen {
  readonly type: 'cards_given'
  readonly seat: Seat
  readonly gifts: readonly GiftView[]
}

/** So many cards were put aside. */
export interface LaidAwaySeen {
  readonly type: 'cards_laid_away'
  readonly seat: Seat
  readonly count: number
}

/** The declarer undertakes `points` and leads to the first trick. */
export interface ContractSet {
  readonly type: 'contract_set'
  readonly seat: Seat
  readonly points: number
}

/** A card laid to the trick. `next` plays then; null: the trick is full. */
export interface CardPlayed {
  readonly type: 'card_played'
  readonly seat: Seat
  readonly card: Card
  readonly next: Seat | null
}

/** A marriage was announced; its suit is trump at once. */
export interface MarriageMelded {
  readonly type: 'marriage_melded'
  readonly seat: Seat
  readonly suit: Suit
  readonly points: number
}

/** The four aces were announced; trump stays as it is. */
export interface AcesMelded {
  readonly type: 'aces_melded'
  readonly seat: Seat
  readonly points: number
}

/** The trick went to `seat`, with `points` in its cards. The winner leads. */
export interface TrickTaken {
  readonly type: 'trick_taken'
  readonly seat: Seat
  readonly points: number
}

/**
 * Nothing is written; the same dealer deals again.
 *
 * `cards` were shown: the nines of `seat`, or the talon.
 */
export interface DealVoided {
  readonly type: 'deal_voided'
  readonly reason: 'four_nines' | 'weak_talon'
  readonly seat: Seat | null
  readonly cards: readonly Card[]
}

/** The declarer gave the deal up at a contract of `points`. */
export interface DealConceded {
  readonly type: 'deal_conceded'
  readonly seat: Seat
  readonly points: number
}

/** The declarer's time to lay away ran out. */
export interface DiscardForgotten {
  readonly type: 'discard_forgotten'
  readonly seat: Seat
}

/** A deal was written on the sheet. */
export interface ScoreSeen {
  readonly type: 'deal_scored'
  readonly outcome: Outcome
}

/** The game is over; more than one winner share it. */
export interface GameWon {
  readonly type: 'game_won'
  readonly winners: readonly Seat[]
}

/** Somebody took a chair. */
export interface PlayerSeen {
  readonly type: 'player_seated'
  readonly seat: Seat
  readonly name: string
}

export type Outcome = 'played' | 'conceded' | 'thrown_in' | 'forgotten'

/** What one deal wrote for one seat. The changes lead from `before` to `after`. */
export interface Line {
  readonly seat: Seat
  readonly role: Role
  /** Card points, with laid-away and out-of-play cards that came to this seat. */
  readonly cards: number
  /** Points of melds that count. */
  readonly melds: number
  readonly tricks: number
  readonly changes: readonly Change[]
  readonly before: Standing
  readonly after: Standing
}

/** The dealer is to deal. */
export interface BetweenView {
  readonly type: 'between'
  readonly last_trick: Trick | null
  readonly voided: DealVoided | null
}

/** Seats call in turn. */
export interface AuctionView {
  readonly type: 'auction'
  readonly calls: readonly Call[]
  readonly highest: Call | null
}

/** The declarer is to turn a talon; `talons` counts the cards of each. */
export interface TalonView {
  readonly type: 'talon'
  readonly declarer: Seat
  readonly bid: number
  readonly calls: readonly Call[]
  readonly talons: readonly number[]
}

/** The declarer is to give or lay away cards. An empty talon: this viewer may not see it. */
export interface ExchangeView {
  readonly type: 'exchange'
  readonly declarer: Seat
  readonly bid: number
  readonly calls: readonly Call[]
  readonly talon: readonly Card[]
}

/** The declarer is to keep or raise. */
export interface ContractView {
  readonly type: 'contract'
  readonly declarer: Seat
  readonly bid: number
  readonly calls: readonly Call[]
  readonly talon: readonly Card[]
  readonly gifts: readonly GiftView[]
}

/** Cards fall. `trick_number` counts the running trick from 1. */
export interface PlayView {
  readonly type: 'play'
  readonly declarer: Seat | null
  readonly contract: number | null
  readonly talon: readonly Card[]
  readonly gifts: readonly GiftView[]
  readonly trump: Suit | null
  readonly trick: readonly PlayedCard[]
  readonly last_trick: Trick | null
  readonly melds: readonly MeldMade[]
  readonly trick_number: number
  readonly trick_count: number
}

/** The game is won. */
export interface OverView {
  readonly type: 'over'
  readonly winners: readonly Seat[]
  readonly last_trick: Trick | null
}

/** Open calls: every multiple of `step` from `least` to `greatest`, in points. */
export interface BidRange {
  readonly least: number
  readonly greatest: number
  readonly step: number
  /** What stands in the way of more than `greatest`. */
  readonly limit: Reason
}

/** Conceding is possible: what it costs the declarer and pays each defender, in points. */
export interface ConcessionOpen {
  readonly cost: number
  readonly pays: number
  /** Concessions that count so far. */
  readonly used: number
  /** Every so many-th one costs. */
  readonly costly: number | null
  readonly limit: number | null
}

/** A card that may not be laid now, and why. */
export interface BarredCard {
  readonly card: Card
  readonly reason: Reason
}

/** A meld that may be made now by leading one of `cards`; no suit: the four aces. */
export interface MeldOpen {
  readonly suit: Suit | null
  readonly points: number
  readonly cards: readonly Card[]
}

/** A card that was given; null: this viewer does not know which. */
export interface GiftView {
  readonly to: Seat
  readonly card: Card | null
}

/** What a seat was in a deal; `player` where nobody declares. */
export type Role = 'declarer' | 'defender' | 'sitter' | 'player'

/** One step of a settlement: `points` were added to the total because of `cause`. */
export interface Change {
  readonly cause: Cause
  readonly points: number
}

/** What stands on the sheet for one seat, in points and counts. */
export interface Standing {
  readonly score: number
  readonly bolts: number
  /** Counted deals on the barrel; null: not on it. */
  readonly barrel: number | null
  readonly concessions: number
  readonly falls: number
}

/** A finished trick. */
export interface Trick {
  readonly cards: readonly PlayedCard[]
  readonly winner: Seat
}

/** What a seat said in the auction: points, or null for a pass. */
export interface Call {
  readonly seat: Seat
  readonly points: number | null
}

/** A card in a trick and who laid it. */
export interface PlayedCard {
  readonly seat: Seat
  readonly card: Card
}

/** A meld of this deal; no suit: the four aces. */
export interface MeldMade {
  readonly seat: Seat
  readonly suit: Suit | null
  readonly points: number
}

/** Why a total changed. */
export type Cause =
  | 'contract_made'
  | 'contract_failed'
  | 'points'
  | 'virgin'
  | 'income'
  | 'concession_pay'
  | 'concession_cost'
  | 'forgotten'
  | 'barrel_keeps'
  | 'lock_keeps'
  | 'bolts'
  | 'reset'
  | 'barrel_stop'
  | 'barrel_fall'
  | 'sent_off'
  | 'falls_to_zero'
