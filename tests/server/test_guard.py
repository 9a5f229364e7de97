"""A browser led here by somebody else's page, over real sockets."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from server.app import create_app
from server.config import Config
from server.log import EventLog
from tests.server.phones import CODE, built_client, served, store_room

ELSEWHERE = "http://evil.example"


@pytest.fixture
async def host(events: EventLog, tmp_path: Path) -> AsyncIterator[str]:
    await store_room(events)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as address:
        yield address


async def watched(host: str, name: str = "127.0.0.1", origin: str | None = None) -> str:
    """The type of the first message to a watcher who knows the host by `name`."""
    address, port = host.split(":")
    async with connect(
        f"ws://{name}:{port}/api/rooms/{CODE}/socket",
        host=address,
        compression=None,
        origin=None if origin is None else Origin(origin),
    ) as socket:
        await socket.send('{"type":"watch"}')
        return str(json.loads(await socket.recv())[0]["type"])


@pytest.mark.parametrize("path", ["/", "/KVRT", "/api/health", "/api/rooms/KVRT", "/assets/x"])
async def test_a_name_led_here_from_outside_reads_nothing(http: httpx.AsyncClient, path: str):
    answer = await http.get(path, headers={"Host": "evil.example:8000"})

    assert (answer.status_code, answer.json()) == (421, {"error": "wrong-host"})


async def test_a_name_led_here_from_outside_opens_no_socket(host: str):
    with pytest.raises(InvalidStatus) as refused:
        await watched(host, "evil.example")

    assert refused.value.response.status_code == 403


async def test_a_page_from_elsewhere_opens_no_socket(host: str):
    for origin in (ELSEWHERE, "null", f"https://{host}", "http://127.0.0.1"):
        with pytest.raises(InvalidStatus) as refused:
            await watched(host, origin=origin)
        assert refused.value.response.status_code == 403


async def test_our_page_and_a_robot_open_one(host: str):
    assert await watched(host, origin=f"http://{host}") == "welcome"
    assert await watched(host) == "welcome"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_a_page_from_elsewhere_changes_nothing(http: httpx.AsyncClient, method: str):
    answer = await http.request(
        method, "/api/rooms", content=b'{"profile":"ru-3"}', headers={"Origin": ELSEWHERE}
    )

    assert (answer.status_code, answer.json()) == (403, {"error": "wrong-origin"})


async def test_a_form_on_a_page_without_an_origin_changes_nothing(http: httpx.AsyncClient):
    for sent in ({"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = await http.post("/api/rooms", json={"profile": "ru-3"}, headers=sent)
        assert answer.status_code == 403


async def test_our_page_and_a_robot_open_a_room(http: httpx.AsyncClient):
    ours = {"Origin": str(http.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    for sent in (ours, {}):
        answer = await http.post("/api/rooms", json={"profile": "ru-3"}, headers=sent)
        assert answer.status_code == 201


async def test_a_link_from_elsewhere_still_leads_here(http: httpx.AsyncClient):
    answer = await http.get("/KVRT", headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 200
