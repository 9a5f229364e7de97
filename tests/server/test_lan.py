"""Which address is printed, and that a camera can read it."""

import re

import pytest
import zxingcpp
from PIL import Image

from server.lan import (
    Interface,
    interfaces,
    is_loopback,
    join_url,
    lan_addresses,
    qr_svg,
    qr_terminal,
)

LO = Interface("lo", "127.0.0.1")
WIFI = Interface("wlan0", "192.168.1.37")
CABLE = Interface("enp3s0", "10.0.0.5")
DOCKER = Interface("docker0", "172.17.0.1")
HOME = [LO, DOCKER, WIFI]


@pytest.mark.parametrize(
    "useless",
    [
        LO,
        DOCKER,
        Interface("br-1f2e3d4c5b6a", "172.18.0.1"),
        Interface("veth12ab", "192.168.9.1"),
        Interface("virbr0", "192.168.122.1"),
        Interface("cni0", "10.42.0.1"),
        Interface("cni-podman0", "10.88.0.1"),
        Interface("podman1", "10.89.0.1"),
        Interface("lxdbr0", "10.1.1.1"),
        Interface("wg0", "10.8.0.2"),
        Interface("tailscale0", "100.101.102.103"),
        Interface("eth0", "169.254.7.7"),
        Interface("eth0", "127.0.1.1"),
        Interface("eth0", "8.8.8.8"),
        Interface("eth0", "not an address"),
    ],
    ids=lambda one: f"{one.name} {one.address}",
)
def test_an_address_no_phone_can_reach_is_never_offered(useless: Interface):
    assert lan_addresses([useless]) == []
    assert lan_addresses([useless, WIFI]) == [WIFI.address]


def test_a_real_adapter_goes_before_an_unknown_one():
    unknown = Interface("x7", "192.168.3.3")

    assert lan_addresses([unknown, CABLE]) == [CABLE.address, unknown.address]


def test_a_home_network_goes_before_a_larger_one():
    assert lan_addresses([CABLE, WIFI]) == [WIFI.address, CABLE.address]


def test_the_choice_does_not_depend_on_the_order_of_the_interfaces():
    several = [WIFI, CABLE, Interface("eth0", "192.168.1.9"), DOCKER, LO]

    assert lan_addresses(several) == lan_addresses(several[::-1])


def test_this_machine_can_be_asked():
    assert any(one.address == "127.0.0.1" for one in interfaces())


def test_a_server_bound_to_one_address_is_found_there_only():
    assert [one.address for one in interfaces("127.0.0.1")] == ["127.0.0.1"]
    assert interfaces("192.0.2.255") == []


def test_a_server_bound_to_one_address_has_no_other_to_show():
    public = Interface("eth0", "198.51.100.7")

    assert join_url(None, None, [public], 8000) == "http://198.51.100.7:8000/"
    assert join_url(None, None, [LO, public], 8000) == "http://127.0.0.1:8000/"


def test_the_room_is_the_path():
    assert join_url(None, None, HOME, 8000, "KVRT") == "http://192.168.1.37:8000/KVRT"


def test_without_a_room_it_is_the_start_page():
    assert join_url(None, None, HOME, 8000) == "http://192.168.1.37:8000/"


def test_port_80_is_not_written():
    assert join_url(None, None, HOME, 80, "KVRT") == "http://192.168.1.37/KVRT"


@pytest.mark.parametrize("public", ["https://cards.example/t", "https://cards.example/t/"])
def test_what_the_operator_said_goes_before_everything(public: str):
    url = join_url(public, "192.168.1.9:8000", HOME, 8000, "KVRT")

    assert url == "https://cards.example/t/KVRT"


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        ("10.0.0.5:8000", "10.0.0.5:8000"),
        ("172.16.4.4:8000", "172.16.4.4:8000"),
        ("192.168.1.99", "192.168.1.99"),
        ("raspberrypi:8000", "raspberrypi:8000"),
        ("Cards.local:8000", "cards.local:8000"),
        ("pi.home.arpa", "pi.home.arpa"),
    ],
)
def test_the_address_that_worked_for_a_device_in_the_network_is_shown_to_it(header, shown):
    assert join_url(None, header, HOME, 8000, "KVRT") == f"http://{shown}/KVRT"


@pytest.mark.parametrize(
    "header",
    [
        "localhost:8000",
        "127.0.0.1:8000",
        "127.0.0.2",
        "[::1]:8000",
        "0.0.0.0:8000",
        "169.254.1.1:8000",
        "evil.example",
        "8.8.8.8:8000",
        "192.168.1.999:8000",
        "192.168.1.9:99999",
        "192.168.1.9:0",
        "192.168.1.9:8000/x",
        "a" * 81,
        '"><script>',
        "a b",
        "",
    ],
)
def test_a_host_header_that_helps_no_other_device_is_not_used(header: str):
    assert join_url(None, header, HOME, 8000, "KVRT") == "http://192.168.1.37:8000/KVRT"


def test_without_a_network_it_is_loopback_and_known_to_be():
    alone = join_url(None, None, [LO, DOCKER], 8000, "KVRT")

    assert alone == "http://127.0.0.1:8000/KVRT"
    assert is_loopback(alone)
    assert not is_loopback(join_url(None, None, HOME, 8000, "KVRT"))


def test_the_svg_is_read_by_a_camera():
    url = "http://192.168.1.37:8000/KVRT"

    assert _scan(_modules_of_svg(qr_svg(url))) == url


def test_the_svg_stands_alone_and_brings_no_background():
    svg = qr_svg("http://192.168.1.37:8000/KVRT")

    assert svg.startswith("<svg ")
    assert "href" not in svg
    assert "url(" not in svg
    assert "fill" not in svg
    assert svg.count("#") == 1


def test_the_terminal_code_is_read_by_a_camera():
    url = "http://192.168.1.37:8000/"

    assert _scan(_modules_of_terminal(qr_terminal(url))) == url


def _modules_of_svg(svg: str) -> set[tuple[int, int]]:
    """The dark modules, from a path made of moves and horizontal lines."""
    path = re.search(r' d="([^"]+)"', svg)
    assert path
    dark, x, y = set(), 0, 0.0
    for step, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path[1]):
        first, *rest = map(float, numbers.split())
        if step == "h":
            dark |= {(x + i, int(y)) for i in range(int(first))}
            x += int(first)
        else:
            x, y = (int(first), rest[0]) if step == "M" else (x + int(first), y + rest[0])
    return dark


def _modules_of_terminal(text: str) -> set[tuple[int, int]]:
    """The dark modules: where nothing is drawn, two rows to a line."""
    light = {" ": (), "▀": (0,), "▄": (1,), "█": (0, 1)}
    return {
        (x, 2 * line + half)
        for line, row in enumerate(text.splitlines())
        for x, char in enumerate(row)
        for half in (0, 1)
        if half not in light[char] and not (set(row) == {"▀"} and half == 1)
    }


def _scan(dark: set[tuple[int, int]]) -> str:
    size = 8 + max(max(x, y) for x, y in dark)
    image = Image.new("L", (size, size), 255)
    for x, y in dark:
        image.putpixel((x, y), 0)
    (found,) = zxingcpp.read_barcodes(image.resize((8 * size, 8 * size), Image.Resampling.NEAREST))
    return str(found.text)
