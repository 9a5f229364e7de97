from pathlib import Path

import httpx
import pytest

from server.pages import build_id
from tests.server.phones import built_client


async def test_the_pages_of_the_three_screens_are_asked_for_anew_each_time(
    http: httpx.AsyncClient,
):
    pages = {"/": "index.html", "/kvrt": "room.html", "/KVRT/table": "table.html"}
    for path, title in pages.items():
        answer = await http.get(path)
        assert title in answer.text
        assert answer.headers["cache-control"] == "no-cache"


async def test_built_files_are_kept_by_browsers_for_good(http: httpx.AsyncClient):
    answer = await http.get("/assets/page-abc123.js")

    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_nothing_beside_the_built_files_is_served(http: httpx.AsyncClient):
    for path in ("/assets/../room.html", "/assets/%2e%2e/index.html", "/assets/"):
        assert (await http.get(path)).status_code == 404


@pytest.mark.parametrize("path", ["/nothing", "/ab", "/api/nothing/at/all", "/KVRT/kitchen"])
async def test_there_is_no_such_page(http: httpx.AsyncClient, path: str):
    answer = await http.get(path)

    assert answer.status_code == 404


def test_another_client_has_another_build_id(tmp_path: Path):
    client = built_client(tmp_path)
    before = build_id(client)
    (client / "room.html").write_text("<script src='/assets/other.js'></script>")

    assert build_id(client) != before


async def test_what_is_worth_it_is_sent_compressed(http: httpx.AsyncClient):
    answer = await http.get("/api/profiles")

    assert answer.headers["content-encoding"] == "gzip"
