"""A server on a real socket and a client for it."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from server.app import create_app
from server.config import Config
from server.log import EventLog, MemoryLog
from tests.server.phones import built_client, served


@pytest.fixture
def events() -> EventLog:
    return MemoryLog()


@pytest.fixture
async def http(events: EventLog, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as host, httpx.AsyncClient(base_url=f"http://{host}") as client:
        yield client
