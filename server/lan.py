"""The address that phones in the same network can open, and its QR code.

A default route says nothing in a hut without internet, and a host name says nothing to a phone,
so the choice is made among the addresses of the interfaces themselves.
"""

import io
import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import ifaddr
import segno

# Bridges and tunnels that software makes: no phone is on the other side.
VIRTUAL = re.compile(
    r"(docker|br-|veth|virbr|vboxnet|vmnet|cni|podman|flannel|cali|lxc|lxd|incusbr"
    r"|tun|tap|wg|tailscale|zt|utun|lo$|lo\d|dummy|ifb|kube)",
    re.IGNORECASE,
)
PHYSICAL = re.compile(r"(wl|wifi|en|eth|usb|ap\d)", re.IGNORECASE)

LOOPBACK = "127.0.0.1"
ANY = ("0.0.0.0", "::")  # noqa: S104
INK = "#1b1d26"

# The commonest in homes first, so that it is preferred where a machine has several.
PRIVATE = [ipaddress.IPv4Network(net) for net in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")]

LOCAL_NAMES = (".local", ".lan", ".home", ".home.arpa", ".internal")
"""Ends of names that are given out in a home and that the world's DNS does not answer for."""

HOST_LENGTH = 80
"""Characters of a `Host` header at most; a longer one makes a code that no camera reads."""

HOST = re.compile(
    r"(?P<name>[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:(?P<port>[0-9]{1,5}))?", re.IGNORECASE
)


class Interface(NamedTuple):
    """One IPv4 address of this machine and the name of the interface that has it."""

    name: str
    address: str


def interfaces(host: str = "0.0.0.0") -> list[Interface]:  # noqa: S104  # asks, does not bind
    """The IPv4 addresses of this machine on which a server bound to `host` can be found."""
    return [
        Interface(adapter.name, ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str) and (host in ANY or host == ip.ip)
    ]


def lan_addresses(found: Iterable[Interface]) -> list[str]:
    """The addresses phones may reach, the likeliest first; empty when there is no network.

    Only private IPv4, and never loopback, link-local or a bridge made for containers.
    """
    ranked = [(*rank, one.address) for one in found if (rank := _rank(one)) is not None]
    return [address for *_, address in sorted(ranked)]


def _rank(one: Interface) -> tuple[int, int] | None:
    if VIRTUAL.match(one.name):
        return None
    net = _private_net(one.address)
    if net is None:
        return None
    return (0 if PHYSICAL.match(one.name) else 1), net


def _private_net(address: str) -> int | None:
    try:
        number = ipaddress.IPv4Address(address)
    except ValueError:
        return None
    return next((at for at, net in enumerate(PRIVATE) if number in net), None)


def join_url(
    public_url: str | None,
    host_header: str | None,
    found: Sequence[Interface],
    port: int,
    code: str = "",
) -> str:
    """The address of the room `code`, or of the start page when there is none.

    In this order: what the operator said; the address that has just worked for a device in the
    network, as its `Host` header shows; the likeliest of the interfaces' addresses, or the only
    one where the server is bound to one; loopback, which only this machine can open.
    """
    if public_url:
        return f"{public_url.rstrip('/')}/{code}"
    if host_header and (host := _lan_host(host_header)):
        return f"http://{host}/{code}"
    only = [one.address for one in found] if len(found) == 1 else []
    address = next(iter(lan_addresses(found) or only), LOOPBACK)
    return f"http://{_with_port(address, port)}/{code}"


def is_loopback(url: str) -> bool:
    """Whether nobody but this machine can open `url`: a reason to say so beside it."""
    return url.startswith(f"http://{LOOPBACK}")


def _lan_host(header: str) -> str | None:
    """The host and port of a `Host` header that a neighbouring device can use as well.

    A private number, a bare name or one under `.local`, `.lan`, `.home.arpa` and the like;
    anything else may have been sent by a page that wants its own address on our QR code.
    """
    match = HOST.fullmatch(header)
    if match is None or len(header) > HOST_LENGTH:
        return None
    name, port = match["name"].lower(), int(match["port"] or 80)
    if port not in range(1, 1 << 16):
        return None
    if re.fullmatch(r"[0-9.]+", name):
        plausible = _private_net(name) is not None
    else:
        plausible = name != "localhost" and ("." not in name or name.endswith(LOCAL_NAMES))
    return _with_port(name, port) if plausible else None


def _with_port(host: str, port: int) -> str:
    return host if port == 80 else f"{host}:{port}"  # noqa: PLR2004  # the port nobody writes


@lru_cache(maxsize=16)
def qr_svg(url: str) -> str:
    """`url` as an SVG element to put into a page.

    The dark modules are ink and the rest is transparent, so it wants light paper below it;
    the four modules of quiet zone that scanners ask for are part of the picture.
    """
    picture = io.BytesIO()
    segno.make(url, micro=False, error="m").save(
        picture,
        kind="svg",
        border=4,
        dark=INK,
        xmldecl=False,
        svgns=True,
        omitsize=True,
        svgclass="qr",
        lineclass=None,
        nl=False,
    )
    return picture.getvalue().decode()


def qr_terminal(url: str) -> str:
    """`url` as lines of half-block characters, light on the dark of most terminals."""
    picture = io.StringIO()
    segno.make(url, micro=False, error="m").terminal(picture, compact=True, border=2)
    return picture.getvalue()
