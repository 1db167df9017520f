"""Limits of downloads: the addresses they connect to, how much they read, and how fast.

Addresses are public ones, checked when a connection is made. Results of a search are written by
strangers: an address there, or a redirect from it, must not reach the machine itself or its
network. A check of the name would not do: names may resolve to anything, and to something else a
moment later.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

PORTS: Final = frozenset({80, 443, 8080, 8443})
"""The ports of web servers; others may be those of services that misread a request."""
_NOT_PUBLIC = (
    "192.0.0.0/24",  # protocol assignments
    "64:ff9b::/96",  # these embed IPv4 addresses: NAT64,
    "64:ff9b:1::/48",
    "2002::/16",  # 6to4,
    "2001::/32",  # Teredo,
    "::/96",  # IPv4-compatible
    "fec0::/10",  # site-local, of old
)
"""Not public, whatever Python says of them (``is_global`` of 3.11 is True for most)."""
_PRIVATE = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7",
    "::1/128",
)  # fmt: skip
"""Not those of one link: cloud providers give credentials to who asks 169.254.169.254."""
SUFFIXES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/xml": ".html",
    "text/xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
"""Media types of pages, and how the files are called."""
UNSTATED_TYPES: Final = frozenset(("", "application/octet-stream", "binary/octet-stream"))
"""Media types that servers state for want of a better one."""


def is_public(address: str, *, or_private: bool = False) -> bool:
    """Whether an IP address is one of the public Internet, and of one machine.

    Args:
        address: may name an interface, ``fe80::1%eth0``.
        or_private: whether those of private networks and of this machine itself will do, too.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip

    def is_in(networks: tuple[str, ...]) -> bool:
        return any(ip in ipaddress.ip_network(network) for network in networks)

    if or_private and is_in(_PRIVATE):
        return True
    several = ip.is_multicast or ip.is_unspecified or ip.is_reserved
    return ip.is_global and not several and not is_in(_NOT_PUBLIC)


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """Options of a download; the defaults are polite and safe."""

    refresh: bool = False
    """Whether pages that are there are asked for again; unchanged ones are not sent again."""
    keep_results: bool = True
    """Whether addresses, titles and snippets of results are written; terms of search engines may
    forbid it. Without them, the folder holds what was fetched from the sites alone."""
    allow_private: bool = False
    """Whether addresses of private networks and of this machine may be asked, at any port."""
    delay: float = 1.0
    """Seconds between two requests to a host, if its ``robots.txt`` does not ask for more."""
    hosts_at_once: int = 16
    total: float = 30.0
    """Seconds of one request, from asking to the last byte."""
    connect: float = 10.0
    read: float = 10.0
    """Seconds between two bytes."""
    page_bytes: int = 8 * 1024 * 1024
    """Length of a page, on the wire as well as inflated; longer ones are cut."""
    pdf_bytes: int = 32 * 1024 * 1024
    allowed: Callable[[str], bool] | None = None
    """Test of IP addresses that may be connected to; None for :func:`is_public`."""
    resolver: AbstractResolver | None = None
    """Resolver of names; None for that of the system."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def allows(self, address: str) -> bool:
        """Whether an IP address may be connected to."""
        if self.allowed:
            return self.allowed(address)
        return is_public(address, or_private=self.allow_private)

    def bytes_of(self, media_type: str) -> int:
        """Bytes read of an answer of this type: none of what is no page."""
        if media_type == "application/pdf":
            return self.pdf_bytes
        return self.page_bytes if media_type in SUFFIXES.keys() | UNSTATED_TYPES else 0
