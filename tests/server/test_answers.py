import httpx
import msgspec
import pytest

from server.http_messages import Problem
from server.log import EventLog, MemoryLog, Stored


@pytest.mark.parametrize(
    ("method", "path", "status", "problem"),
    [
        ("GET", "/api/nothing/at/all", 404, "not-found"),
        ("GET", "/KVRT/kitchen", 404, "not-found"),
        ("GET", "/api/rooms/KVRT", 404, "no-such-room"),
        ("POST", "/api/profiles", 405, "bad-request"),
        ("DELETE", "/api/rooms", 405, "bad-request"),
        ("TRACE", "/", 405, "bad-request"),
        ("PROPFIND", "/KVRT", 405, "bad-request"),
        ("POST", "/assets/page-abc123.js", 405, "bad-request"),
        ("GET", "/assets/%00", 404, "not-found"),
        ("GET", "/assets/" + "a" * 5000, 404, "not-found"),
        ("GET", "/api/profiles/%ed%a0%80", 404, "unknown-profile"),
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


class TestAFault:
    @pytest.fixture
    def events(self) -> EventLog:
        class Faulty(MemoryLog):
            async def read(self, room: str, *asked: int) -> list[Stored]:
                raise ZeroDivisionError(f"/home/anna/{room}/{asked}")

        return Faulty()

    async def test_a_fault_of_the_server_tells_nothing_about_it(
        self, http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
    ):
        answer = await http.get("/api/rooms/KVRT")

        assert (answer.status_code, answer.content) == (500, b'{"error":"failed"}')
        assert "ZeroDivisionError" in caplog.text
