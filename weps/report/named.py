"""The people, organisations and places named around a person, in the HTML report."""

from __future__ import annotations

from collections.abc import Sequence

from weps.portraits import Named
from weps.report.shown import shown

__all__ = ["names_around"]

_KINDS = {"person": "People", "organisation": "Organisations", "location": "Places"}
_LONGEST = 50


def names_around(names: Sequence[Named]) -> str:
    """HTML: a list by kind; each name says on which pages it stands. Empty without names."""
    parts = (
        f"<dt>{heading}</dt><dd><ul>{''.join(map(_name, told))}</ul></dd>"
        for kind, heading in _KINDS.items()
        if (told := [each for each in names if each.kind == kind])
    )
    lists = "".join(parts)
    return f'<dl class="names">{lists}</dl>' if lists else ""


def _name(named: Named) -> str:
    several = f" <small>{len(named.ranks)}</small>" if len(named.ranks) > 1 else ""
    ranks = " ".join(map(str, named.ranks))
    return (
        f'<li data-kind="{named.kind}" data-ranks="{ranks}">'
        f"<bdi>{shown(named.text, _LONGEST)}</bdi>{several}</li>"
    )
