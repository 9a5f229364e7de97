"""Names that are ours, and pages that are."""

from pathlib import Path

import pytest

from server.config import Config
from server.hosts import Hosts

DATA = Path("data")


def asked(host: str, **others: str) -> list[tuple[bytes, bytes]]:
    named = {"host": host, **{name.replace("_", "-"): value for name, value in others.items()}}
    return [(name.encode(), value.encode("latin-1")) for name, value in named.items()]


HOME = Hosts(Config(data=DATA), machine="box")
PUBLIC = Hosts(Config(data=DATA, public_url="https://Cards.example:443/"), machine="box")


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.37:8000",
        "203.0.113.5",
        "127.0.0.1:8000",
        "[::1]:8000",
        "[fd00::1]",
        "localhost:8000",
        "raspberrypi",
        "Box.local:8000",
        "pi.lan",
        "pi.home",
        "pi.home.arpa",
        "pi.internal",
    ],
)
def test_an_address_and_a_name_of_a_home_are_ours(host: str):
    assert HOME.host(asked(host)) == host.lower()


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "192.168.1.37.evil.example",
        "box.evil.example",
        "local.example",
        "evil.notlocal",
        "localhost.evil.example",
        "pi.fritz.box",
        "127.1",
        "[::1",
        "[evil.example]",
        "evil.example/.local",
        "evil.example .local",
        "a;b",
        "user@192.168.1.37",
        "é.local",
        "",
    ],
)
def test_a_name_that_the_worlds_dns_may_answer_for_is_not(host: str):
    assert HOME.host(asked(host)) is None


def test_a_request_without_a_host_or_with_two_is_meant_for_nobody():
    assert HOME.host([]) is None
    assert HOME.host(asked("localhost") + asked("localhost")) is None


def test_the_name_of_the_machine_itself_is_ours():
    hosts = Hosts(Config(data=DATA), machine="Box.office.example")

    assert hosts.host(asked("box.office.example:8000"))
    assert hosts.host(asked("other.office.example:8000")) is None


def test_the_host_of_the_public_url_and_those_that_were_allowed_are_ours():
    allowed = Config(data=DATA, allowed_hosts=("pi.fritz.box", "Two.example"))

    assert PUBLIC.host(asked("cards.example")) == "cards.example"
    for host in ("pi.fritz.box:8000", "two.example"):
        assert Hosts(allowed, machine="box").host(asked(host)) == host
        assert PUBLIC.host(asked(host)) is None


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("192.168.1.37:8000", "http://192.168.1.37:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("pi.local", "http://pi.local"),
    ],
)
def test_a_page_read_at_the_host_may_speak_to_it(host: str, origin: str):
    assert HOME.own_page(asked(host, origin=origin), host)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://192.168.1.37",
        "http://192.168.1.37:8001",
        "https://192.168.1.37:8000",
        "http://192.168.1.37:8000.evil.example",
        "file://",
    ],
)
def test_a_page_from_elsewhere_may_not(origin: str):
    host = "192.168.1.37:8000"

    assert not HOME.own_page(asked(host, origin=origin), host)


def test_two_origins_are_none_of_ours():
    host = "pi.local"
    twice = [*asked(host, origin="http://pi.local"), (b"origin", b"http://pi.local")]

    assert not HOME.own_page(twice, host)


def test_what_is_no_page_at_all_may_speak():
    assert HOME.own_page(asked("pi.local"), "pi.local")
    assert HOME.own_page(asked("pi.local", sec_fetch_site="none"), "pi.local")


def test_a_request_that_the_browser_itself_calls_foreign_may_not():
    foreign = asked("pi.local", sec_fetch_site="cross-site")

    assert not HOME.own_page(foreign, "pi.local")


def test_behind_a_proxy_that_speaks_https_pages_have_the_public_origin():
    for host in ("cards.example", "127.0.0.1:8000"):
        assert PUBLIC.own_page(asked(host, origin="https://cards.example"), host)
    unsafe = asked("cards.example", origin="http://cards.example")
    assert not PUBLIC.own_page(unsafe, "cards.example")
