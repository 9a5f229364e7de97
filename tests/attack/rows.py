"""The kinds of input that a hostile laptop can send, a row each; a new kind is a new row."""

from msgspec import Struct

from tests.attack import asks, frames, lengthened, lines, requests
from tests.attack.foe import ADDRESSES, Attack, Foe
from tests.attack.lengthened import ROOM, Lies, all_of, asked_of, long_room, sat_at
from tests.attack.requests import UPGRADE, one_by_one, pipelined


class Row(Struct, frozen=True):
    """A kind of input: what it does, and the attack, which goes on until it is stopped.

    `lies`: what is in the log before the server starts. `files`: the server can open no more.
    `seconds`: how long it takes at least to do its worst.
    """

    name: str
    does: str
    attack: Attack
    lies: Lies | None = None
    files: int | None = None
    seconds: float = 0.0


async def nothing(foe: Foe) -> None:
    """What this machine does when nobody attacks."""


ROWS: tuple[Row, ...] = (
    Row("calm", "Nobody attacks: what this machine does by itself.", nothing),
    # Requests.
    Row("pipeline-1", "One connection sends pages' requests in one go, unread.", pipelined("/")),
    Row("pipeline-6", "Six connections do.", pipelined("/", each=6)),
    Row("pipeline-60", "Sixty connections do.", pipelined("/", each=60)),
    Row("pipeline-20x20", "Twenty from each of twenty do.", pipelined("/", addresses=20, each=20)),
    Row(
        "pipeline-health",
        "Sixty ask for the health in one go, and read it.",
        pipelined("/api/health", each=60, reads=True),
    ),
    Row(
        "pipeline-archive", "Sixty ask for the archive, unread.", pipelined("/api/archive", each=60)
    ),
    Row(
        "pipeline-room",
        "Sixty ask for the players' room, and read it.",
        pipelined("/api/rooms/{table}", each=60, reads=True),
    ),
    Row(
        "pipeline-wrong",
        "Twenty ask for a room that is not there in one go, and read it.",
        pipelined("/api/rooms/XXXX", each=20, reads=True),
    ),
    Row(
        "pipeline-rooms",
        "Sixty open rooms in one go, unread.",
        pipelined("/api/rooms", each=60, method="POST"),
    ),
    Row(
        "pipeline-evening",
        "Sixty ask for an evening in one go, unread.",
        pipelined("/api/rooms/{table}/evening", each=60),
    ),
    Row("pipeline-slowly", "A request a packet, every few ms, unread.", requests.drips),
    Row("half-closed", "Many requests, and our end closed.", requests.half_closed),
    Row(
        "pipeline-sockets",
        "Sixty ask for a hundred sockets in one go.",
        pipelined("/api/rooms/{table}/socket", each=60, more=UPGRADE),
    ),
    Row(
        "pipeline-expect",
        "Sixty want to be told to go on, in one go.",
        pipelined("/api/rooms", each=60, method="POST", more="Expect: 100-continue\r\n"),
    ),
    Row("wrong-hosts", "Foreign hosts and origins in one go.", requests.wrong_hosts_and_origins),
    Row("malformed", "What is no request, behind many that are.", requests.malformed),
    Row("wrong-codes", "Codes of no room, side by side from eight.", requests.wrong_codes),
    Row(
        "half-requests",
        "Requests that never end, a letter a second.",
        requests.half_requests,
        seconds=12,
    ),
    Row("endless-heads", "Heads without an end.", requests.endless_heads),
    Row("big-bodies", "Bodies without an end.", requests.big_bodies),
    Row("ranges", "A thousand ranges in one request.", requests.ranges),
    Row("slow-readers", "Six hundred read a large file by a byte.", requests.slow_readers),
    Row("pictures", "QR codes from thirty addresses.", requests.pictures),
    Row("rule-books", "Rules and profiles from twenty addresses.", requests.rule_books),
    Row("cookies", "As many seats in cookies as fit.", requests.cookies),
    Row("archive", "The archive's pages from thirty addresses.", requests.archive),
    Row("rooms", "Rooms opened without end from a thousand addresses.", requests.rooms_without_end),
    Row("requests-13x60", "One request after the other, on 60 lines of 13.", one_by_one(13, 60)),
    Row("requests-250x3", "The same on three lines of 250.", one_by_one(250, 3)),
    # Connections.
    Row("silent", "806 connections from 13 addresses say nothing.", lines.silent, seconds=12),
    Row("storm", "Connections come and go from a thousand addresses.", lines.storm),
    Row("watchers-13x62", "62 watchers from each of 13.", lines.watchers(13, 62)),
    Row("watchers-250x4", "4 watchers from each of 250.", lines.watchers(250, 4)),
    Row(
        "watchers-files",
        "The same, and the server may open 256 files.",
        lines.watchers(250, 4),
        files=256,
    ),
    Row(
        "silent-files", "Nothing said, and the server may open 256 files.", lines.silent, None, 256
    ),
    Row(
        "watchers-table",
        "4 watchers from each of 250 look at the players' own table.",
        lines.watchers(250, 4, of_the_table=True),
    ),
    Row("sockets", "Watchers of the players' table come and go.", lines.short_sockets),
    Row("no-hello", "800 sockets without a hello.", lines.no_hello),
    Row("strangers", "A thousand addresses speak once, and again.", lines.strangers),
    # Frames.
    Row("pings", "Pings of the protocol below without end.", frames.ping_flood),
    Row("fragments", "Fragments without end.", frames.fragments),
    Row("fragments-empty", "Fragments of nothing without end.", frames.empty_fragments),
    Row("message", "One message without an end.", frames.message_without_end),
    Row("messages", "Messages without end, their answers unread.", frames.messages_without_end),
    Row("messages-read", "Messages without end, their answers read.", frames.messages_read),
    Row("messages-250x4", "The same from 250 addresses.", frames.messages_from_many),
    Row("half-frames", "Frames that never end.", frames.half_frames, seconds=12),
    Row("asks-unread", "Ready and not, and no answer read.", frames.asks_not_read),
    Row("faces", "Looking away and again in a running game, unread.", frames.faces),
    Row("nonsense", "Hellos that are none.", frames.nonsense),
    Row("tokens", "Tokens that nobody has, at the players' table.", frames.guessed_tokens),
    Row("not-read", "A game that 120 watchers do not read.", frames.not_read),
    Row(
        "proposals",
        "Proposals without end beside phones that do not read.",
        frames.proposals_not_read,
    ),
    Row("claims", "Claims without end at a table of theirs.", frames.claims(of_the_table=False)),
    Row(
        "claims-table",
        "Claims without end at the players' table.",
        frames.claims(of_the_table=True),
    ),
    # Asks.
    Row("ready", "Ready and not, without end.", asks.toggled(asks.READY)),
    Row("ready-200", "The same at two hundred tables.", asks.toggled(asks.READY, 200)),
    Row("profiles", "Long rules, this way and that, without end.", asks.toggled(asks.profiles())),
    Row("dealers", "Who deals first, this way and that.", asks.toggled(asks.DEALERS)),
    Row(
        "modes", "Whether decisions can be taken back, this way and that.", asks.toggled(asks.MODES)
    ),
    Row("chairs", "Chairs moved to and fro.", asks.toggled(asks.CHAIRS)),
    Row("refused", "What is refused, at fifty tables.", asks.toggled(asks.REFUSED, 50)),
    Row("kicked", "Players sent away and called back.", asks.kicked),
    Row("handed-over", "A seat that goes to and fro between devices.", asks.handed_over),
    Row("leave-join", "Players who sit down and leave.", asks.leave_and_join),
    Row("take-backs", "Cards played and taken back.", asks.take_backs),
    Row("voided", "Deals dealt and declared void.", asks.voided_deals),
    Row("ended", "Games begun and ended.", asks.ended_games),
    # What was made long before.
    *(
        Row(
            f"long-{kind}-{name}",
            f"{method} {path} of a room with 100,000 entries, once and by sixty ({kind}).",
            asked_of(kind, path, method),
            long_room(kind),
        )
        for kind in ("ready", "profile")
        for name, method, path in (
            ("room", "GET", ROOM),
            ("seats", "GET", "/api/rooms/{code}/seats"),
            ("evening", "GET", "/api/rooms/{code}/evening"),
            ("archive", "GET", "/api/archive?state=running"),
            ("replay", "GET", "/api/rooms/{code}/games/1/replay"),
            ("sheet", "GET", "/api/rooms/{code}/games/1/sheet"),
            ("file", "GET", "/api/rooms/{code}/games/1.html"),
            ("delete", "DELETE", "/api/rooms/{code}/games"),
        )
    ),
    Row(
        "long-ready-sit", "Its player and watchers come to it.", sat_at("ready"), long_room("ready")
    ),
    Row("long-profile-sit", "The same (profile).", sat_at("profile"), long_room("profile")),
    Row("long-game-room", "A game of 100,000 entries.", asked_of("game", ROOM), long_room("game")),
    Row("long-game-all", "All that is told of it.", all_of("game"), long_room("game")),
    Row("long-won-room", "A game, and 100,000 entries.", asked_of("won", ROOM), long_room("won")),
    Row("long-won-all", "All that is told of it.", all_of("won"), long_room("won")),
    Row(
        "woken", "Fifty rooms of 990 entries woken at once.", lengthened.woken, lengthened.sleepers
    ),
    Row(
        "evenings",
        "Evenings, replays and files of fifty rooms.",
        lengthened.evenings,
        lengthened.sleepers,
    ),
)

BY_NAME = {row.name: row for row in ROWS}


def first_of(row: Row) -> int:
    """The number of the first address of `row`; its next ones follow, of all rows' alike."""
    return ADDRESSES * ROWS.index(row)
