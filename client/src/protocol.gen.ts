// Generated from server/protocol.py. Do not edit: run `python -m server.typescript`.

export const PROTOCOL = 2

/** Bytes of a frame to the server at most. */
export const FRAME_LIMIT = 16384

/** Why the server closes a socket. The numbers are permanent. */
export const CLOSE = {
  ENDED: 1000,
  RESTARTING: 1012,
  BAD_FRAME: 4400,
  WRONG_TOKEN: 4401,
  NO_SUCH_ROOM: 4404,
  NO_HELLO: 4408,
  ELSEWHERE: 4409,
  SEAT_GONE: 4410,
  IDLE: 4412,
  TOO_SLOW: 4413,
  FULL: 4429,
  ROOM_STOPPED: 4500,
  FAILED: 4501,
  UNREADABLE: 4503,
} as const

export type Close = (typeof CLOSE)[keyof typeof CLOSE]

export type ClientMessage = Join | Resume | Claim | Watch | Ask | Ping | Face

/** Open a table. POST /api/rooms. */
export interface NewRoom {
  readonly profile: string
  readonly house_rules?: Readonly<Record<string, Setting>>
}

/** Keep a seat in the device's cookies. POST /api/rooms/{code}/seats. */
export interface KeepSeat {
  readonly token: string
}

export type Hello = Join | Resume | Claim | Watch

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
  readonly tokens?: readonly string[]
}

/**
 * Be again who joined with these tokens, and with those in the device's cookies.
 *
 * A device with several seats says with whose eyes it looks; with nobody's until then.
 */
export interface Resume {
  readonly type: 'resume'
  readonly tokens?: readonly string[]
  readonly facing?: Seat | null
  readonly seen?: Seen | null
}

/**
 * Ask the table for chair `seat` of a running game, with a token made up for it.
 *
 * On a taken chair: be that player on another device. On a free one: play on under `name`. Until
 * somebody who sits there has agreed, the device watches.
 */
export interface Claim {
  readonly type: 'claim'
  readonly seat: Seat
  readonly token: string
  readonly name?: string
  readonly tokens?: readonly string[]
}

/** See what the table screen sees. */
export interface Watch {
  readonly type: 'watch'
  readonly seen?: Seen | null
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

/**
 * Look with the eyes of one of the device's own seats from now on; null: with nobody's.
 *
 * Asks come from the seat that is faced. Answered by the whole view.
 */
export interface Face {
  readonly type: 'face'
  readonly seat: Seat | null
}

/** A value of a house rule. */
export type Setting = boolean | number | string

/** A place at the table, 0 to 3, numbered clockwise. */
export type Seat = number

/** What a phone that comes back has on its screen: whose eyes, which entry, which server. */
export interface Seen {
  readonly epoch: string
  readonly seq: number
  readonly me: Seat | null
}

/** What an ask may ask for: an action, something of the house, or something of the others. */
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
  | ChooseTakeBack
  | Leave
  | Deal
  | Start
  | UseProfile
  | TakeBack
  | VoidDeal
  | EndGame
  | Reopen
  | Kick
  | CallBack
  | Answer
  | Withdraw

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

/** Choose whether decisions may be taken back at this table. */
export interface ChooseTakeBack {
  readonly type: 'choose_take_back'
  readonly mode: TakeBackMode
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

/**
 * Take the own last decision back: at once, or if the others consent.
 *
 * `seq`: the entry that the phone shows. If another has come since, nothing happens, so that two
 * taps never take two decisions back. null: whatever the last one is.
 */
export interface TakeBack {
  readonly type: 'take_back'
  readonly seq?: number | null
}

/** Propose that the running deal does not count. */
export interface VoidDeal {
  readonly type: 'void_deal'
}

/** Propose to end the game with the standings as they are. */
export interface EndGame {
  readonly type: 'end_game'
}

/** Propose to go on before the last decision of the game that just ended. */
export interface Reopen {
  readonly type: 'reopen'
}

/** Propose to free the chair `seat`. */
export interface Kick {
  readonly type: 'kick'
  readonly seat: Seat
}

/** Give the player who was just kicked off the chair `seat` that chair again. */
export interface CallBack {
  readonly type: 'call_back'
  readonly seat: Seat
}

/** Agree to a proposal, or refuse it. */
export interface Answer {
  readonly type: 'answer'
  readonly proposal: string
  readonly agree: boolean
}

/** Take back one's own proposal. */
export interface Withdraw {
  readonly type: 'withdraw'
  readonly proposal: string
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

/** May decisions be taken back: never, with the others' consent, or one's own last one at once. */
export type TakeBackMode = 'off' | 'ask' | 'free'

export type ServerMessage =
  | Welcome
  | Table
  | Sheet
  | Presence
  | Proposals
  | Update
  | Settled
  | Done
  | Refused
  | NotSeated
  | Pong

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

/** All that is played by. GET /api/rooms/{code}/rules and GET /api/profiles/{id}. */
export interface RuleBook {
  readonly profile: Profile
  /** The ranks in the pack, from high to low. */
  readonly ranks: readonly RankPoints[]
  /** Card points of the whole pack. */
  readonly total: number
  readonly example: WorkedScore
}

/** The seats that the device's cookies bring back. GET /api/rooms/{code}/seats. */
export interface KeptSeats {
  readonly seats: readonly Seat[]
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
    | 'no-such-game'
    | 'game-running'
    | 'room-stopped'
    | 'bad-request'
    | 'unknown-profile'
    | 'unknown-house-rule'
    | 'not-stored'
    | 'unreadable'
    | 'full'
    | 'too-long'
    | 'not-found'
    | 'wrong-host'
    | 'wrong-origin'
    | 'too-many'
    | 'failed'
}

/**
 * A game as it was shown. GET /api/rooms/{code}/games/{number}/replay.
 *
 * The lists of patches have one for every step, for the document after the step before.
 */
export interface Replay {
  readonly format: number
  readonly code: string
  /** Which game of the room, from 1. */
  readonly number: number
  readonly finished: boolean
  /** Whose views these are; null: the table screen's. */
  readonly viewers: readonly (Seat | null)[]
  readonly chapters: readonly ReplayChapter[]
  readonly steps: readonly ReplayStep[]
  /** For a ReplayCommon; whole at the first step only. */
  readonly common: readonly unknown[]
  /** By step, then by viewer, for a GameView; whole at the first step of a chapter. */
  readonly games: readonly (readonly unknown[])[]
  /** By step, then by viewer: what was seen to happen. */
  readonly glimpses: readonly (readonly (readonly Glimpse[])[])[]
  /** For an AllHandsView; whole at the first step of a chapter. Null: they are not to be seen. */
  readonly all_hands: readonly unknown[] | null
}

/** What everybody saw alike: the chairs, as the table screen has them, and the sheet. */
export interface ReplayCommon {
  readonly table: TableView
  readonly sheet: SheetView | null
}

/** Every card of the deal, beside what the table screen showed. Only of a game that is over. */
export interface AllHandsView {
  /** By seat; empty where no deal runs. */
  readonly hands: readonly (readonly Card[])[]
  /** As they were dealt, by number. */
  readonly talons: readonly (readonly Card[])[]
  readonly gifts: readonly Gift[]
  readonly laid_away: readonly Card[]
  /** Card points taken, by seat; empty where no cards fall. */
  readonly points: readonly number[]
  /** What the seat on turn could do. */
  readonly may: Choices
}

/** Games kept on this box, the newest first. GET /api/archive. */
export interface ArchivePage {
  readonly games: readonly GameSummary[]
  readonly page: number
  readonly pages: number
  /** False: some rooms are still being read, and their games are missing. Ask again. */
  readonly complete: boolean
}

/** A finished game on paper. GET /api/rooms/{code}/games/{number}/sheet. */
export interface GameSheet {
  readonly game: GameSummary
  readonly sheet: SheetView
}

/** All games of a room together. GET /api/rooms/{code}/evening. */
export interface Evening {
  /** In the order in which they were played. */
  readonly games: readonly GameSummary[]
  /** In the order in which they first played. */
  readonly players: readonly EveningPlayer[]
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
  /** The entry at which the room goes on after its log was damaged; null once it has. */
  readonly restored: number | null
}

/** The chairs and the rules, whole. `table.me` is the seat that is faced. */
export interface Table {
  readonly type: 'table'
  readonly table: TableView
  /** The seats of this device. */
  readonly mine: readonly Seat[]
}

/** The score sheet, whole; null before the first game. */
export interface Sheet {
  readonly type: 'sheet'
  readonly sheet: SheetView | null
}

/** Whose device is heard, null for a free chair, and how many watch. */
export interface Presence {
  readonly type: 'presence'
  readonly players: readonly (Nearness | null)[]
  readonly watchers: number
}

/** Everything that waits for somebody's consent, and who can be called back. */
export interface Proposals {
  readonly type: 'proposals'
  readonly proposals: readonly ProposalView[]
  readonly kicked: readonly KickedView[]
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
  readonly options: Options
  /** Milliseconds the declarer has left to lay away; null: no clock runs. */
  readonly clock: number | null
}

/** What became of a proposal. `who` refused it. */
export interface Settled {
  readonly type: 'settled'
  readonly kind: ProposalKind
  readonly by: Seat | null
  readonly seat: Seat | null
  readonly name: string
  readonly outcome: 'agreed' | 'refused' | 'lapsed' | 'withdrawn' | 'overtaken'
  readonly who: Seat | null
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

/** One complete set of house rules. A room's log holds a full copy. */
export interface Profile {
  readonly id: string
  readonly version: number
  readonly source: string
  /** Whose words the screens use for talon, bolt, concession; decides no rule. */
  readonly terms: 'ru' | 'pl' | 'de' | 'no' | '1001'
  /** Keys of the house rules that may be set on this profile. */
  readonly house_rules: readonly string[]
  /** House rules that were set, by key; empty in a file. */
  readonly chosen: Readonly<Record<string, Setting>>
  readonly table: TableRules
  readonly pack: PackRules
  readonly dealing: DealingRules
  readonly auction: AuctionRules | null
  readonly exchange: ExchangeRules | null
  readonly concession: ConcessionRules | null
  readonly redeal: RedealRules | null
  readonly play: PlayRules
  readonly meld: MeldRules
  readonly scoring: ScoringRules
  readonly bolts: BoltsRules | null
  readonly barrel: BarrelRules | null
  readonly lock: LockRules | null
  readonly sitter_income: SitterIncomeRules | null
}

/** A rank and the card points of each of its cards. */
export interface RankPoints {
  readonly rank: Rank
  readonly points: number
}

/** A deal that might have been, settled by the rules of the book. */
export interface WorkedScore {
  readonly suit: Suit
  readonly meld: number
  readonly contract: number | null
  /** A contract that the same deal would have failed. */
  readonly missed: number | null
  /** Of everybody who plays the deal; the first has the meld and, if anybody, the contract. */
  readonly shares: readonly WorkedShare[]
}

/**
 * A deal: the steps from number `first`, counted from 0, up to the next chapter.
 *
 * The first chapter is the beginning of the game, before anything was dealt.
 */
export interface ReplayChapter {
  readonly first: number
  /** Counted from 1 as on the sheet; a void deal and the one after it have the same number. */
  readonly deal: number
  readonly voided: 'four_nines' | 'weak_talon' | 'agreed' | null
}

/** An entry of the game. */
export interface ReplayStep {
  readonly seq: number
  /** The type of the first of its facts; `undone`: decisions were taken back here. */
  readonly kind: string
  /** Who decided; null: nobody, or the house. */
  readonly seat: Seat | null
  /** Of a card: the number of its trick, from 1. */
  readonly trick: number | null
  /** It was taken back later, or happened while something stood that was. */
  readonly undone: boolean
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
  | GameEnded
  | PlayerSeen

/** Chairs and the next game: the same for everybody but for `me`. */
export interface TableView {
  readonly me: Seat | null
  readonly players: readonly (PlayerView | null)[]
  readonly first_dealer: Seat | null
  readonly take_back: TakeBackMode
  readonly profile: ProfileView
  readonly games: number
  /** A game has begun that nobody has won yet. */
  readonly running: boolean
  readonly may_start: boolean
}

/** Every written deal of the game, the oldest first. */
export interface SheetView {
  readonly game: number
  /** The rules of this game, whatever the next one is played by. */
  readonly profile: ProfileView
  /** When the game began, in seconds since 1970; null: not known. */
  readonly at: number | null
  readonly deals: readonly DealScored[]
  /** Where decisions were taken back. */
  readonly taken_back: readonly TakenBack[]
}

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

/** A game in the archive. All lists go by seat. */
export interface GameSummary {
  readonly code: string
  readonly number: number
  /** When it began, in seconds since 1970; null: not known. */
  readonly at: number | null
  readonly profile: string
  readonly version: number
  /** `ended`: by the table, with nobody as winner. */
  readonly state: 'won' | 'ended' | 'running'
  readonly names: readonly string[]
  readonly totals: readonly number[]
  readonly winners: readonly Seat[]
  /** Written deals. */
  readonly deals: number
}

/** What a player did in all games of a room, whichever the chair. */
export interface EveningPlayer {
  readonly name: string
  readonly games: number
  readonly won: number
  /** Added to the totals by all deals. */
  readonly points: number
  /** Contracts. */
  readonly made: number
  readonly failed: number
  readonly conceded: number
  readonly melds: number
  readonly bolts: number
}

/** When a player's device was heard last: in the last 10 seconds, in the last 30, or before. */
export type Nearness = 'here' | 'quiet' | 'away'

/** Something that somebody wants and others have to agree to. */
export interface ProposalView {
  readonly id: string
  readonly kind: ProposalKind
  /** Who proposes it; null: a device that has no seat yet. */
  readonly by: Seat | null
  /** The chair that it is about, if it is about one. */
  readonly seat: Seat | null
  /** Who would sit there. */
  readonly name: string
  /** Two digits that a device without a seat shows too, so that one sees which it is. */
  readonly sign: string
  readonly asked: readonly Seat[]
  readonly agreed: readonly Seat[]
  /** How many of those who are asked have to agree. */
  readonly enough: 'one' | 'all'
  /** Milliseconds until it lapses. */
  readonly left: number
  /**
   * Milliseconds until the word of those who agreed gives a device the chair, unless somebody
   * refuses; null: their word does not count now, or more than it is needed.
   */
  readonly counts: number | null
  readonly may_answer: boolean
  readonly mine: boolean
  /** What a take-back would undo, the oldest first. */
  readonly returns: readonly Glimpse[]
  /** The game as this viewer would see it after a take-back. */
  readonly after: GameView | null
}

/** A player who was just kicked and can be called back. */
export interface KickedView {
  readonly seat: Seat
  readonly name: string
  /** Milliseconds for which that is possible. */
  readonly left: number
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

/** What this viewer may propose to the others now. */
export interface Options {
  readonly take_back: 'at_once' | 'by_consent' | null
  readonly void_deal: boolean
  readonly end_game: boolean
  readonly reopen: boolean
}

export type ProposalKind =
  'take_back' | 'void_deal' | 'end_game' | 'reopen' | 'kick' | 'take_over' | 'sit_in'

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
  | 'chair-free'
  | 'no-game'
  | 'no-deal'
  | 'nothing-to-take-back'
  | 'take-back-off'
  | 'take-back-border'
  | 'too-late'
  | 'not-seated'
  | 'not-stored'
  | 'failed'
  | 'too-many'
  | 'room-full'
  | 'unknown-profile'
  | 'unknown-house-rule'
  | 'proposal-open'
  | 'proposal-over'
  | 'not-asked'

/** Who sits where and which way round things go (TABLE). */
export interface TableRules {
  readonly players: number
  readonly direction: 'clockwise' | 'counterclockwise'
  /** Who sits a deal out: the dealer, the player right of the dealer, or the one opposite. */
  readonly sitter: 'dealer' | 'right' | 'opposite' | null
}

/** The cards used: every rank from the ace down to `lowest`, but for those left out (PACK). */
export interface PackRules {
  readonly lowest: Rank
  readonly without: readonly Card[]
}

/** How the cards are laid out (DEAL). */
export interface DealingRules {
  /** Cards given to each player in each round, starting with forehand. */
  readonly packets: readonly number[]
  /** Talon cards laid after each round, the first round first. */
  readonly talon_after: readonly number[]
  /** With two talons their cards are laid in turn. */
  readonly talons: 1 | 2
}

/** The bidding (BID). */
export interface AuctionRules {
  /** The least first call, in points. */
  readonly opening: number
  /** Forehand's first call cannot be a pass; without it a deal that all pass is thrown in. */
  readonly must_open: boolean
  readonly step: 5 | 10
  readonly ceiling: number
  /** A call above this needs a pair in the hand; absent: no call needs one. */
  readonly free_up_to: number | null
  /** The ceiling is `free_up_to` and the value of the pairs held. */
  readonly ceiling_by_pairs: boolean
}

/** What the declarer does with the talon (EXCH). */
export interface ExchangeRules {
  /** Turned for everybody; otherwise the declarer alone sees it. */
  readonly talon_shown: boolean
  /** A talon won at the opening call is for the declarer alone. */
  readonly hidden_at_opening: boolean
  /** One card to each defender, or as many laid away as were taken. */
  readonly then: 'give' | 'lay_away'
  /** After the exchange the declarer keeps or raises the bid. */
  readonly raise_contract: boolean
  /** Who gets the card points of what is laid away or left in a talon. */
  readonly unused_points: 'last_trick' | 'nobody' | 'declarer'
  /** Seconds to lay away before the deal is lost; 0: the server waits for ever. */
  readonly discard_seconds: number
  /** What a declarer pays who runs out of those seconds; the others share as much. */
  readonly forgetting_costs: number
}

/** The declarer gives the deal up unplayed (CONC). */
export interface ConcessionRules {
  /** Points for each defender. */
  readonly pays: number
  /** Each defender gets half the bid instead, rounded down to a five. */
  readonly pays_half: boolean
  /** Concessions a player has in one game; absent: no limit. */
  readonly limit: number | null
  /** Every so many-th concession costs; absent: none ever does. */
  readonly costly: number | null
  readonly cost: number
}

/** Reasons for which the same dealer deals again and nothing is written (VOID). */
export interface RedealRules {
  readonly four_nines: boolean
  /** A talon with fewer card points is shown and the deal void; 0: never. */
  readonly weak_talon_below: number
}

/** What may be laid to a trick (PLAY). */
export interface PlayRules {
  readonly must_trump: boolean
  readonly must_beat: boolean
}

/** Marriages and the four aces (MELD). */
export interface MeldRules {
  readonly spades: number
  readonly hearts: number
  readonly diamonds: number
  readonly clubs: number
  /** Whoever leads to the first trick may meld on it. */
  readonly first_lead: boolean
  /** What the four aces bring when led from; 0: nothing, they cannot be melded. */
  readonly four_aces: number
  /** A later meld must be worth more than every earlier one of the deal. */
  readonly must_rise: boolean
  /** Above this total at the start of the deal a player may not meld. */
  readonly locked_above: number | null
  /** Melded points count only for a player who took a trick by the end of the deal. */
  readonly needs_trick: boolean
}

/** What is written after a deal (SCORE). */
export interface ScoringRules {
  readonly target: number
  /** Defenders write their points rounded to the nearest multiple; an exact half goes up. */
  readonly rounding: 1 | 5 | 10
  /** What a declarer writes who reached the contract. */
  readonly declarer_writes: 'contract' | 'raw'
  /** Each writes the nearest tenth; an exact five goes up only with the last trick. */
  readonly tens: boolean
  /** Written more by a player without a trick. */
  readonly virgin: number
  /** A total of exactly this becomes 0. */
  readonly reset_at: number | null
  /** Everybody sees everybody's taken points during the deal. */
  readonly running_points: boolean
  /** At the target the declarer wins before a higher total. */
  readonly declarer_wins_first: boolean
  readonly ties: 'share' | 'play_on'
}

/** A defender's deal without card points (BOLT). */
export interface BoltsRules {
  readonly limit: number
  readonly cost: number
}

/** The forced stop below the target (BARREL). */
export interface BarrelRules {
  readonly at: number
  readonly deals: number
  /** Points below the mark after a fall. */
  readonly fall: number
  /** Who sat there falls when another arrives. */
  readonly one_at_a_time: boolean
  /** That many falls bring the total to 0; absent: falls are not counted. */
  readonly zero_after_falls: number | null
}

/** From this total at the start of a deal only a declarer writes (LOCK). */
export interface LockRules {
  readonly at: number
}

/** What the player who sits out earns from the talon (SIT). */
export interface SitterIncomeRules {
  readonly per_ace: number
  /** The value of pairs in the talon too. */
  readonly pairs: boolean
}

/** A rank from high to low; the value is its letter. The ten stands above the king. */
export type Rank = 'A' | 'T' | 'K' | 'Q' | 'J' | '9' | '8' | '7'

/** One of the four suits; the value is its letter in records and messages. */
export type Suit = 'S' | 'H' | 'D' | 'C'

/** One player's part of a worked score: card points, with the meld, and what is written. */
export interface WorkedShare {
  readonly cards: number
  readonly raw: number
  readonly written: number
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
 * `cards` were shown: the nines of `seat`, or the talon. By agreement: `seat` asked for it.
 */
export interface DealVoided {
  readonly type: 'deal_voided'
  readonly reason: 'four_nines' | 'weak_talon' | 'agreed'
  readonly seat: Seat | null
  readonly cards: readonly Card[]
  readonly agreed: readonly Seat[]
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

/**
 * The table ended the game with the standings as they are; nobody has won.
 *
 * `by` asked for it and `agreed` consented.
 */
export interface GameEnded {
  readonly type: 'game_ended'
  readonly by: Seat
  readonly agreed: readonly Seat[]
}

/** Somebody took a chair. */
export interface PlayerSeen {
  readonly type: 'player_seated'
  readonly seat: Seat
  readonly name: string
}

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

/** In deal number `deal` of the game `seat` took something back. */
export interface TakenBack {
  readonly deal: number
  readonly seat: Seat
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

/** A card that was given; null: this viewer does not know which. */
export interface GiftView {
  readonly to: Seat
  readonly card: Card | null
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

/** The game is won; or, without winners, ended by the table. */
export interface OverView {
  readonly type: 'over'
  readonly winners: readonly Seat[]
  readonly last_trick: Trick | null
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
