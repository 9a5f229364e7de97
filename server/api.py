"""What the server answers over HTTP, and where its sockets begin."""

import asyncio
import secrets
from typing import Literal

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from engine.house_rules import HOUSE_RULES, UnknownHouseRule, with_house_rules
from engine.profile import Profile, Setting
from engine.state import Gathering, Over, Room
from engine.views import game_view, profile_view
from server import lan, socket, version
from server.answers import FRESH, Refusal, body_of, json
from server.config import Config
from server.http_messages import (
    Health,
    HouseRuleView,
    KeepSeat,
    KeptSeats,
    NewRoom,
    Problem,
    ProfileSummary,
    RoomOpened,
    RoomSummary,
)
from server.identity import read_code
from server.limits import account_in
from server.log import EventLog, LogFailed
from server.profiles import load_profiles
from server.protocol import PROTOCOL, Welcome
from server.room import RoomKeeper
from server.room_log import RoomFailed, RoomStopped
from server.rooms import NoCodeLeft, Rooms
from server.rule_book import rule_book
from server.seat_cookies import forget, keep, tokens_in
from server.waking import Clock

COME_AGAIN = 600
"""Seconds after which there may be a code for a new room: somebody has to delete an evening."""


class Api:
    """The endpoints, and the rooms they lead to."""

    def __init__(self, events: EventLog, config: Config, build: str, clock: Clock) -> None:
        self._config = config
        self._profiles = load_profiles()
        self._epoch = secrets.token_hex(4)
        self._build = build
        self.rooms = Rooms(events, self._profiles, clock=clock, epoch=self._epoch)
        self._drawing = asyncio.Lock()

    async def open_room(self, request: Request) -> Response:
        """POST /api/rooms: a new room."""
        try:
            wanted = msgspec.json.decode(await body_of(request), type=NewRoom)
        except msgspec.MsgspecError as error:
            raise Refusal(400, Problem(error="bad-request")) from error
        if wanted.profile not in self._profiles:
            raise Refusal(422, Problem(error="unknown-profile"))
        try:
            profile = with_house_rules(self._profiles[wanted.profile], wanted.house_rules)
        except UnknownHouseRule as error:
            raise Refusal(422, Problem(error="unknown-house-rule")) from error
        try:
            code = await self.rooms.open(profile, account_in(request.scope))
        except LogFailed as error:
            raise Refusal(503, Problem(error="not-stored")) from error
        except NoCodeLeft as error:
            raise Refusal(503, Problem(error="full"), retry_after=COME_AGAIN) from error
        return json(RoomOpened(code=code, url=self._url(request, code)), 201)

    async def profiles(self, _request: Request) -> Response:
        """GET /api/profiles: what can be played."""
        return json([_profile_summary(profile) for profile in self._profiles.values()])

    async def profile(self, request: Request) -> Response:
        """GET /api/profiles/{id}: the rules of a profile, with the house rules of the query."""
        profile = self._profiles.get(request.path_params["id"])
        if profile is None:
            raise Refusal(404, Problem(error="unknown-profile"))
        chosen = request.query_params.get("house_rules", "{}")
        try:
            house_rules = msgspec.json.decode(chosen, type=dict[str, Setting])
            return json(rule_book(with_house_rules(profile, house_rules)))
        except UnknownHouseRule as error:
            raise Refusal(422, Problem(error="unknown-house-rule")) from error
        except (msgspec.MsgspecError, ValueError) as error:
            raise Refusal(400, Problem(error="bad-request")) from error

    async def rules(self, request: Request) -> Response:
        """GET /api/rooms/{code}/rules: what the table plays by."""
        keeper = await self._keeper(request)
        return json(rule_book(keeper.state.profile))

    async def room(self, request: Request) -> Response:
        """GET /api/rooms/{code}: what anybody may know of a room."""
        keeper = await self._keeper(request)
        game = game_view(keeper.state, None)
        return json(
            RoomSummary(
                code=keeper.code,
                url=self._url(request, keeper.code),
                profile=keeper.state.profile.id,
                players=tuple(player.name if player else None for player in keeper.state.players),
                state=_stage(keeper.state),
                deal=game.deal if game else 0,
                turn=game.turn if game else None,
            )
        )

    async def qr(self, request: Request) -> Response:
        """GET /api/rooms/{code}/qr.svg: the room's address as a picture.

        Drawn beside the event loop, one at a time: it takes long enough for a table to notice.
        """
        keeper = await self._keeper(request)
        async with self._drawing:
            picture = await asyncio.to_thread(lan.qr_svg, self._url(request, keeper.code))
        return Response(picture, media_type="image/svg+xml", headers=FRESH)

    async def kept_seats(self, request: Request) -> Response:
        """GET /api/rooms/{code}/seats: where this device's cookies let it sit."""
        keeper = await self._keeper(request)
        seats = {keeper.seat_of(token) for token in tokens_in(request.cookies)}
        return json(KeptSeats(seats=tuple(sorted(seat for seat in seats if seat is not None))))

    async def keep_seat(self, request: Request) -> Response:
        """POST /api/rooms/{code}/seats: the device's cookies hold one token more.

        Those of seats that are gone go.
        """
        keeper = await self._keeper(request)
        try:
            wanted = msgspec.json.decode(await body_of(request), type=KeepSeat)
        except msgspec.MsgspecError as error:
            raise Refusal(400, Problem(error="bad-request")) from error
        answer = Response(status_code=204, headers=FRESH)
        stale = [one for one in tokens_in(request.cookies) if keeper.seat_of(one) is None]
        forget(answer, keeper.code, stale)
        if keeper.seat_of(wanted.token) is not None:
            secure = request.url.scheme == "https"
            keep(answer, keeper.code, wanted.token, secure=secure)
        return answer

    async def forget_seats(self, request: Request) -> Response:
        """DELETE /api/rooms/{code}/seats: the device's cookies hold no seat of the room."""
        keeper = await self._keeper(request)
        answer = Response(status_code=204, headers=FRESH)
        forget(answer, keeper.code, tokens_in(request.cookies))
        return answer

    async def health(self, _request: Request) -> Response:
        """GET /api/health."""
        return json(
            Health(
                status="ok",
                version=version(),
                epoch=self._epoch,
                rooms=len(self.rooms),
                connections=self.rooms.connections,
            )
        )

    async def play(self, websocket: WebSocket) -> None:
        """/api/rooms/{code}/socket: a phone, a table screen or a watcher."""
        code = read_code(websocket.path_params["code"])
        greeting = Welcome(
            protocol=PROTOCOL,
            build=self._build,
            epoch=self._epoch,
            code=code or "",
            url=self._url(websocket, code or ""),
        )
        tokens = tokens_in(websocket.cookies)
        await socket.serve(websocket, self.rooms, code, greeting, tokens)

    async def _keeper(self, request: Request) -> RoomKeeper:
        code = read_code(request.path_params["code"])
        try:
            keeper = await self.rooms.find(code) if code else None
        except RoomFailed as error:
            raise Refusal(500, Problem(error="failed")) from error
        except RoomStopped as error:
            raise Refusal(500, Problem(error="room-stopped")) from error
        except LogFailed as error:
            raise Refusal(503, Problem(error="unreadable")) from error
        if keeper is None:
            raise Refusal(404, Problem(error="no-such-room"))
        return keeper

    def _url(self, connection: HTTPConnection, code: str) -> str:
        """The room's address as the device at the other end can open and show it."""
        return lan.join_url(
            self._config.public_url,
            connection.headers.get("host"),
            lan.interfaces(self._config.host),
            self._config.port,
            code,
        )


def _stage(room: Room) -> Literal["gathering", "playing", "over"]:
    match room.phase:
        case Gathering():
            return "gathering"
        case Over():
            return "over"
        case _:
            return "playing"


def _profile_summary(profile: Profile) -> ProfileSummary:
    view = profile_view(profile)
    return ProfileSummary(
        id=view.id,
        version=view.version,
        terms=view.terms,
        source=profile.source,
        players=view.players,
        house_rules=tuple(
            HouseRuleView(
                key=key, values=HOUSE_RULES[key].values, default=HOUSE_RULES[key].read(profile)
            )
            for key in profile.house_rules
        ),
        step=view.step,
        target=view.target,
        mark=view.mark,
    )
