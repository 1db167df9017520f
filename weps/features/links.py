"""E-mails, links, and the flags *linked* and *same domain* (EMNLP 2009, section 3.2)."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
from scipy import sparse

from weps.features.bags import Bags
from weps.features.registry import FeatureKind, Flags, register_feature
from weps.language.analysis import Analysis, cached_for_features

_SECOND_LEVEL = frozenset(
    "ac co com edu gob gov gouv go ltd me mil ne net nhs nom or org plc".split()
)
_COUNTRY_CODE = 2
_USUAL_PORTS = ("", "80", "443")
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\s@]*@)?(\[[0-9a-f:.]+\]|[^/?#:\s\[\]@]+)(?::(\d*))?"
    r"(?=[/?#]|$)([^?#]*)(\?[^#]*)?",
    re.IGNORECASE,
)
"""Host, port, path and query; ten times as fast as ``urlsplit`` on the thousands of a name."""


@register_feature(
    "link",
    "e-mail addresses on the page",
    wording="e-mail addresses",
    paper="section 3.2",
    identifying=True,
    needs=["markup"],
)
def email(analysis: Analysis) -> Bags:
    """E-mail addresses."""
    return Bags.of(document.emails for document in analysis.documents)


@register_feature(
    "link",
    "outgoing links",
    wording="links to the same page",
    paper="section 3.2",
    needs=["markup"],
)
def link(analysis: Analysis) -> Bags:
    """Addresses that the page links to."""
    return Bags.of(filter(None, targets) for targets in _targets(analysis))


@register_feature(
    "link",
    "one page links to the other",
    wording="one links to the other",
    paper="section 3.2",
    needs=["markup"],
    kind=FeatureKind.FLAGS,
)
def linked(analysis: Analysis) -> Flags:
    """Whether either of two pages links to the other."""
    rows = defaultdict(list)
    for row, document in enumerate(analysis.documents):
        rows[normalise_address(document.url)].append(row)
    rows.pop("", None)
    pairs = [
        (row, other)
        for row, targets in enumerate(_targets(analysis))
        for target in targets
        for other in rows.get(target, ())
        if other != row
    ]
    size = len(analysis.documents)
    source, linked_row = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    ones = np.ones(len(source), dtype=bool)
    matrix = sparse.coo_array((ones, (source, linked_row)), shape=(size, size)).tocsr()
    return Flags(np.arange(size), sparse.csr_array(matrix + matrix.T).astype(bool))


@register_feature(
    "link",
    "both pages belong to one domain",
    wording="same web site",
    paper="section 3.2",
    kind=FeatureKind.FLAGS,
)
def same_domain(analysis: Analysis) -> Flags:
    """Whether two pages belong to the same registered domain."""
    domains = [registered_domain(document.url) for document in analysis.documents]
    number = {domain: at for at, domain in enumerate(dict.fromkeys(["", *domains]))}
    same = sparse.eye_array(len(number), dtype=bool, format="lil")
    same[0, 0] = False
    return Flags(np.array([number[each] for each in domains], np.int64), same.tocsr())


@cached_for_features
def _targets(analysis: Analysis) -> tuple[tuple[str, ...], ...]:
    """For each document its links in one spelling, empty where they have none."""
    return tuple(tuple(map(normalise_address, each.links)) for each in analysis.documents)


def normalise_address(address: str) -> str:
    """One spelling for addresses of one page: no scheme, ``www.``, fragment or last slash."""
    found = _ADDRESS.match(address.strip())
    if not found:
        return ""
    host, port, path, query = found.groups("")
    shown_port = f":{port}" if port not in _USUAL_PORTS else ""
    return f"{_bare_host(host)}{shown_port}{path.rstrip('/')}{query if len(query) > 1 else ''}"


def registered_domain(address: str) -> str:
    """The registered domain of the host: ``cs.york.ac.uk`` → ``york.ac.uk``."""
    found = _ADDRESS.match(address.strip())
    host = _bare_host(found[1]) if found else ""
    labels = host.split(".")
    if labels[-1].isdigit() or ":" in host:  # an IP address
        return host
    second_level = len(labels[-1]) == _COUNTRY_CODE and _SECOND_LEVEL.issuperset(labels[-2:-1])
    return ".".join(labels[-3:] if second_level else labels[-2:])


def _bare_host(host: str) -> str:
    return host.lower().rstrip(".").removeprefix("www.")
