"""What a browser is told beside every answer."""

import httpx
import pytest

from server.headers import policy_at

EVERYTHING = [
    ("GET", "/", 200),
    ("GET", "/KVRT", 200),
    ("GET", "/KVRT/table", 200),
    ("GET", "/assets/page-abc123.js", 200),
    ("HEAD", "/", 200),
    ("GET", "/api/profiles", 200),
    ("GET", "/api/rooms/KVRT", 404),
    ("DELETE", "/", 405),
    ("POST", "/api/rooms", 400),
]


def policy_of(answer: httpx.Response) -> dict[str, str]:
    parts = answer.headers["content-security-policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


@pytest.mark.parametrize(("method", "path", "status"), EVERYTHING)
async def test_every_answer_forbids_to_load_from_elsewhere(
    http: httpx.AsyncClient, method: str, path: str, status: int
):
    answer = await http.request(method, path)

    assert answer.status_code == status
    assert policy_of(answer) == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": f"'self' ws://{answer.url.netloc.decode()}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in EVERYTHING])
async def test_no_answer_can_be_used_by_a_page_from_elsewhere(
    http: httpx.AsyncClient, method: str, path: str
):
    answer = await http.request(method, path, headers={"Origin": "http://evil.example"})

    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert not any(name.startswith("access-control") for name in answer.headers)


async def test_a_host_that_is_not_ours_gets_into_no_policy(http: httpx.AsyncClient):
    answer = await http.get("/", headers={"Host": "evil.example"})

    assert policy_of(answer)["connect-src"] == "'self'"


def test_a_page_read_over_https_may_speak_to_its_own_host_only_so():
    assert "connect-src 'self' wss://cards.example;" in policy_at("https://cards.example")


def test_a_policy_cannot_name_an_ipv6_address():
    assert "connect-src 'self';" in policy_at("http://[fd00::1]:8000")
