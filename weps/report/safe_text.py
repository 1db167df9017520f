"""Text from the web for display: on one line, of bounded length, without deceptive characters.

Templates call nothing for that: the environment of :func:`load_templates` cleans and bounds
whatever an expression of a template prints, as does that of Flask after
:func:`protect_environment`; the filter ``text`` sets another bound. The character
classes follow Unicode TR 36 (security considerations) and UAX 9 (bidirectional algorithm).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any
from unicodedata import category
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from weps._cache import source_digest

if TYPE_CHECKING:
    from jinja2 import Environment

# Invisible characters that reorder, hide or split what is around them, and those that XML cannot
# have. Kept: the two joiners (U+200C, U+200D), without which Persian, Hindi and many emoji fall
# apart.
_DECEPTIVE = re.compile(
    "[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_UNUSUAL = re.compile("[^ -~\u00a1-\u00ac\u00ae-\u02ff\u2013\u2014\u2018-\u201d\u2022\u2026]")
"""No letter, sign or mark of punctuation that western pages have, and that stays as it is."""
_CONTROL_OR_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_STACKED_MARKS = re.compile(f"({_MARK}{{3}}){_MARK}+")
_SYMBOL_RUN = re.compile(r"[^\w\s!-~]{9,}")
_MAX_MARKS = 8
"""On one letter; a Burmese one may have seven."""
_BLANK = " \u200c\u200d\u2800"
_MAX_LENGTH = 120
_MAX_LINK_LENGTH = 2000
_SHOWN_BY_BROWSERS = frozenset(".html .htm .xhtml .txt .pdf .mhtml .mht".split())
"""Endings of files; what has others would be downloaded, or run."""
_KEPT_IN_LINKS = "%/:=&?~#+!$,;'@()*[]"


class CleanText(str):
    """Text that is clean and bounded already; templates only escape it."""

    __slots__ = ()


_PRINTED_AS_IS = (CleanText, Markup, int)


def bounded_text(text: str, longest: int = _MAX_LENGTH, *, keep_end: bool = False) -> CleanText:
    """Clean text of at most ``longest`` characters; an ellipsis replaces what is cut.

    Args:
        text: any text, of any length.
        longest: number of characters, the ellipsis included.
        keep_end: cut at the front, e.g. for a domain, whose end says who owns it.
    """
    line = clean_text(text)
    if len(line) > longest:
        line = "…" + line[1 - longest :] if keep_end else line[: longest - 1].rstrip() + "…"
    return CleanText(line)


def visible_texts(texts: Iterable[str], longest: int = _MAX_LENGTH) -> list[CleanText]:
    """Each text bounded; those that are empty once clean are left out."""
    return [line for text in texts if (line := bounded_text(text, longest))]


def clean_text(text: str) -> str:
    """Return the text on one line, without control, invisible and stacked characters."""
    if "  " not in text and not _UNUSUAL.search(text):  # most texts
        return text.strip()
    line = _CONTROL_OR_SPACE.sub(" ", _DECEPTIVE.sub("", text)).strip(_BLANK)
    return _SYMBOL_RUN.sub(_with_few_marks, _STACKED_MARKS.sub(r"\1", line))


def _with_few_marks(run: re.Match[str]) -> str:
    """Drop marks beyond the most on one sign: a pile of them cannot be broken into lines."""
    kept, marks = "", 0
    for sign in run[0]:
        marks = marks + 1 if sign in _BLANK or category(sign)[0] == "M" else 0
        kept += sign if marks <= _MAX_MARKS else ""
    return kept


def safe_link(url: str) -> CleanText:
    """Return the address in ASCII if it is a web address with a host, else an empty string."""
    if len(url) > _MAX_LINK_LENGTH:
        return CleanText()
    address = quote(_DECEPTIVE.sub("", url).strip(), safe=_KEPT_IN_LINKS)
    try:
        parts = urlsplit(address)
        return CleanText(address if parts.scheme in {"http", "https"} and parts.hostname else "")
    except ValueError:  # e.g. an unfinished IPv6 host
        return CleanText()


def file_link(path: str) -> CleanText:
    """Return the address of a file that browsers show, in ASCII, else an empty string.

    Args:
        path: with slashes; a relative one gives a relative address.
    """
    if PurePosixPath(path).suffix.lower() not in _SHOWN_BY_BROWSERS or len(path) > _MAX_LINK_LENGTH:
        return CleanText()
    address = quote(path, errors="surrogateescape")  # a colon too: it is no scheme
    drive = "/" if PureWindowsPath(path).drive and not path.startswith("/") else ""
    return CleanText(f"file://{drive}{address}" if drive or path.startswith("/") else address)


def load_templates(package: str, longest: int = _MAX_LENGTH) -> Environment:
    """The templates of a package; all that their expressions print is clean, bounded and escaped.

    Args:
        package: its folder ``templates`` has the files.
        longest: see :func:`protect_environment`.
    """
    import jinja2  # noqa: PLC0415 - HTML only

    class Compiled(jinja2.FileSystemBytecodeCache):
        """Templates as they were compiled before, in a temporary folder that the user alone has."""

        def dump_bytecode(self, bucket: Any) -> None:
            with suppress(OSError):  # a full disk
                super().dump_bytecode(bucket)

    compiled = None
    with suppress(OSError, RuntimeError):  # there is no such folder
        compiled = Compiled(pattern=f"weps-{source_digest(__name__, package)}-%s")
    environment = jinja2.Environment(
        bytecode_cache=compiled,
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    protect_environment(environment, longest)
    return environment


_LONGEST_KEPT = 100
"""Characters of texts that are kept as they are printed: the report of a corrected answer prints
most of those of the report before."""


@lru_cache(maxsize=1 << 14)
def _escaped(text: str) -> Markup:
    """A short text, clean and escaped."""
    return escape(clean_text(text))


def protect_environment(environment: Environment, longest: int = _MAX_LENGTH) -> None:
    """Make a Jinja environment clean and bound all text that its templates print.

    Args:
        environment: changed in place, before its first template is loaded; it escapes HTML itself.
            It gets the filter ``text(longest=120, keep_end=False)``, which is
            :func:`bounded_text`. What is marked as ``safe``, or printed by a macro, is left as it
            is.
        longest: number of characters of a text that is printed without the filter.
    """

    def printed(value: object) -> object:
        if isinstance(value, _PRINTED_AS_IS):
            return value
        text = str(value)
        if len(text) <= min(_LONGEST_KEPT, longest):
            return _escaped(text)
        line = clean_text(text)
        return line if len(line) <= longest else bounded_text(line, longest)

    environment.filters["text"] = bounded_text
    environment.finalize = printed
