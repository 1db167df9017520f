"""The style sheet, the script and the frame of the HTML report, and the policy that names them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

__all__ = ["frame", "policy", "script", "style"]

_STYLES = ("base", "people", "pages", "pictures", "correcting", "print")
_SCRIPTS = (
    "data",
    "cuts",
    "beliefs",
    "ties",
    "people",
    "pages",
    "tree",
    "slider",
    "finding",
    "network",
    "sentences",
    "backends",
    "correcting",
    "start",
)
"""In the order in which they build on each other."""


def frame() -> str:
    """The page with places to fill in, as a :class:`string.Template`."""
    return _read("report.html")


@cache
def style() -> str:
    """The whole style sheet."""
    return "".join(_read(f"{name}.css") for name in _STYLES)


@cache
def script() -> str:
    """The whole script, a module: what it declares is nobody else's."""
    return "".join(_read(f"{name}.js") for name in _SCRIPTS)


@cache
def _read(name: str) -> str:
    return files("weps.report").joinpath("page", name).read_text("utf-8")


def policy(*, connected: bool) -> str:
    """The content security policy: the one style, the one script, nothing from any network.

    Args:
        connected: whether the page may talk to the app that shows it.
    """
    rules = [
        "default-src 'none'",
        f"style-src '{_hash(style())}'",
        f"script-src '{_hash(script())}'",
        "base-uri 'none'",
        f"form-action '{'self' if connected else 'none'}'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if connected else rules)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
