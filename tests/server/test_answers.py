import httpx
import msgspec
import pytest

from server.protocol import Problem


@pytest.mark.parametrize(
    ("method", "path", "status", "problem"),
    [
        ("GET", "/api/nothing/at/all", 404, "not-found"),
        ("GET", "/KVRT/kitchen", 404, "not-found"),
        ("GET", "/api/rooms/KVRT", 404, "no-such-room"),
        ("POST", "/api/profiles", 405, "bad-request"),
        ("DELETE", "/api/rooms", 405, "bad-request"),
        ("POST", "/api/rooms", 400, "bad-request"),
    ],
)
async def test_everything_that_fails_has_one_shape(
    http: httpx.AsyncClient, method: str, path: str, status: int, problem: str
):
    answer = await http.request(method, path)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert msgspec.json.decode(answer.content, type=Problem).error == problem
