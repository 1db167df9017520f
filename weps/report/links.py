"""Where the local app takes requests from a report that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weps.report.shown import shown

__all__ = ["AppLinks", "app_bar", "app_meta"]

_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class AppLinks:
    """Addresses within the app, as paths."""

    corrections_url: str
    """Takes corrections, as JSON by POST."""
    home_url: str
    """All results."""
    exports: Mapping[str, str] = field(default_factory=dict)
    """What can be fetched, e.g. ``CSV``, and where."""
    delete_url: str = ""
    """Asks whether everything about the name is to be deleted; empty where that is not offered."""


def app_meta(app: AppLinks | None) -> str:
    """HTML for the head: where the script sends corrections."""
    if app is None:
        return ""
    return f'<meta name="weps-corrections" content="{_address(app.corrections_url)}">'


def app_bar(app: AppLinks | None) -> str:
    """HTML: the way back, what can be fetched, and the way to delete all of it."""
    if app is None:
        return ""
    exports = " ".join(
        f'<a href="{_address(url)}" download>{shown(kind)}</a>' for kind, url in app.exports.items()
    )
    fetched = f"<span>Save as {exports}</span>" if exports else ""
    delete = f'<a href="{_address(app.delete_url)}">Delete</a>' if app.delete_url else ""
    return (
        '<nav class="app" aria-label="App">'
        f'<a href="{_address(app.home_url)}">All results</a>{fetched}{delete}</nav>'
    )


def _address(url: str) -> str:
    return shown(url, _LONGEST)
