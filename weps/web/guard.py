"""Which addresses a download may connect to: public ones, checked when a connection is made.

Results of a search are written by strangers. An address there, or a redirect from it, must not
reach the machine itself or its network. A check of the name would not do: names may resolve to
anything, and to something else a moment later.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PORTS: Final = frozenset({80, 443, 8080, 8443})
"""The ports of web servers; others may be those of services that misread a request."""


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(map(ipaddress.ip_network, texts))


_NOT_PUBLIC = _networks(
    "192.0.0.0/24",  # protocol assignments
    "64:ff9b::/96",  # these embed IPv4 addresses: NAT64,
    "64:ff9b:1::/48",
    "2002::/16",  # 6to4,
    "2001::/32",  # Teredo,
    "::/96",  # IPv4-compatible
    "fec0::/10",  # site-local, of old
)
"""Not public, whatever Python says of them (``is_global`` of 3.11 is True for most)."""
_PRIVATE = _networks(
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7",
    "::1/128",
)  # fmt: skip
"""Not those of one link: cloud providers give credentials to who asks 169.254.169.254."""


class ForbiddenAddressError(OSError):
    """A connection was refused before it was made."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public Internet, and of one machine."""
    ip = _parse(address)
    return (
        ip.is_global
        and not (ip.is_multicast or ip.is_unspecified or ip.is_reserved)
        and not _is_in(ip, _NOT_PUBLIC)
    )


def is_public_or_private(address: str) -> bool:
    """Whether an IP address is public, of a private network, or of this machine itself."""
    return is_public(address) or _is_in(_parse(address), _PRIVATE)


def _parse(address: str) -> Address:
    ip = ipaddress.ip_address(address.partition("%")[0])
    return getattr(ip, "ipv4_mapped", None) or ip


def _is_in(ip: Address, networks: tuple[Network, ...]) -> bool:
    return any(ip.version == network.version and ip in network for network in networks)


def guarded_sockets(
    allowed: Callable[[str], bool],
) -> Callable[[tuple[Any, ...]], socket.socket]:
    """A maker of sockets that refuses to make one for an address that is not allowed.

    It is given the address that will be connected to, after names were resolved.
    """

    def make(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, (host, *_) = info
        if not allowed(host):
            raise ForbiddenAddressError("the address is not one of the public Internet")
        return socket.socket(family, kind, protocol)

    return make
