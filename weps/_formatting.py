"""Numbers, lists of words and cells of tables as text: the only module that formats them.

An unknown number (nan) is a dash; a minus is the sign ``−`` unless stated otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import floor, inf, isnan, log10
from unicodedata import category, east_asian_width

_UNKNOWN = "–"
_ELLIPSIS = "…"
_LONGEST_QUOTE = 60
_LONGEST_CELL = 32_767
"""Units of UTF-16 that spreadsheets keep of a cell."""
_FORMULA = re.compile(r"[\s\x00-\x1f\x7f-\x9f']*[=+\-@＝＋－＠]")
"""Spreadsheets evaluate cells that begin with these."""


Interval = tuple[float, float, float]
"""A value and the ends of its interval, which are nan if there is none."""


# Numbers


def format_number(value: float, decimals: int = 3) -> str:
    """``0.123``; a number that is rounded to zero has no sign."""
    return _UNKNOWN if isnan(value) else _rounded(value, f".{decimals}f", decimals)


def format_signed(value: float, decimals: int = 3, *, minus: str = "−") -> str:
    """``+0.123``; a number that is rounded to zero has a plus."""
    return _UNKNOWN if isnan(value) else _rounded(value, f"+.{decimals}f", decimals, minus)


def format_percentage(share: float, decimals: int = 1) -> str:
    """``12.3 %`` of 0.123."""
    return _UNKNOWN if isnan(share) else f"{_rounded(100 * share, f'.{decimals}f', decimals)} %"


def format_probability(probability: float) -> str:
    """``12%``; 0 and 100 are reserved for probabilities of exactly 0 and 1."""
    rounded = round(100 * probability)
    return f"{min(max(rounded, 1), 99) if 0 < probability < 1 else rounded}%"


def round_probability(probability: float) -> float:
    """Four decimals; 0 and 1 are reserved for probabilities of exactly 0 and 1."""
    rounded = round(probability, 4)
    return min(max(rounded, 0.0001), 0.9999) if 0 < probability < 1 else rounded


def format_score(score: float) -> str:
    """``0.13`` of 0.125: two decimals, halves upwards as the official WePS scorers print them."""
    return _UNKNOWN if isnan(score) else f"{floor(100 * score + 0.5) / 100:.2f}"


def format_p_value(p: float) -> str:
    """``0.012`` or ``< 0.001``."""
    if isnan(p):
        return _UNKNOWN
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def format_count(number: float) -> str:
    """``1,234``."""
    return f"{number:,.0f}"


def count_of(number: int, noun: str, plural: str = "") -> str:
    """``1 page``, ``2 pages``, ``1,234 people``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _interval_decimals(figure: Interval) -> int:
    """As many decimals as show two digits of the interval's width; three if it has none.

    More would be noise, fewer would make both ends alike. Up to three there are more if an end
    would be printed as 0 that is not, because many a question is whether the interval has 0.
    """
    _, low, high = figure
    if not 0 < high - low < inf:
        return 3
    decimals = min(max(1 - floor(log10(high - low)), 0), 6)
    while decimals < 3 and any(end and not round(end, decimals) for end in (low, high)):
        decimals += 1
    return decimals


def format_interval(figure: Interval, *, signed: bool = False, decimals: int | None = None) -> str:
    """``0.12 (0.05 to 0.23)``; without brackets if there is no interval."""
    places = _interval_decimals(figure) if decimals is None else decimals
    return _with_interval(figure, places, sign="+" if signed else "")


def format_percentage_interval(figure: Interval) -> str:
    """``12 % (4 to 23)``; without brackets if there is no interval; decimals as there."""
    return _with_interval(figure, max(_interval_decimals(figure) - 2, 0), scale=100, unit=" %")


def _with_interval(
    figure: Interval, decimals: int, sign: str = "", scale: int = 1, unit: str = ""
) -> str:
    value, low, high = (
        _UNKNOWN if isnan(number) else _rounded(scale * number, f"{sign}.{decimals}f", decimals)
        for number in figure
    )
    value += "" if isnan(figure[0]) else unit
    return value if isnan(figure[1]) else f"{value} ({low} to {high})"


def _rounded(value: float, spec: str, decimals: int, minus: str = "−") -> str:
    return f"{round(value, decimals) + 0.0:{spec}}".replace("-", minus)  # -0.0 + 0.0 is 0.0


# Words


def join_labels(labels: Iterable[str]) -> str:
    """``a, b and c`` of one label or more, each as :func:`tidy_label` has it."""
    *front, last = map(tidy_label, labels)
    return f"{', '.join(front)} and {last}" if front else last


def join_items(items: Iterable[object], most: int = 5) -> str:
    """``1, 2, 3``, cut short with the number of those left out: ``1, 2 and 3 more``."""
    words = [str(item) for item in items]
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if words[most:] else "")


def quote_text(text: str) -> str:
    """The text in quotation marks, shortened, with invisible characters removed."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + _ELLIPSIS)


def short_repr(thing: object, subject: str, *parts: str) -> str:
    """Short description on one bounded line: ``<Answer 'Ann Lee': 3 people, 30 pages>``."""
    about = f" {quote_text(subject)}" if subject else ""
    shown = join_items((cut_text(part, _LONGEST_QUOTE) for part in parts if part), most=6)
    return f"<{type(thing).__name__}{about}{shown and f': {shown}'}>"


def suggest_names(name: str, known: Sequence[str]) -> str:
    """Suggestions for an unknown name: similar names, or all."""
    near = suggest_similar([name], known, 0.5)
    return near or f"there are: {join_items(map(quote_text, known), most=20)}"


def suggest_similar(names: Iterable[str], known: Sequence[str], least: float = 0.7) -> str:
    """Such as ``did you mean 'a' or 'b'?`` for unknown names, in any case; empty if none is."""
    from difflib import get_close_matches  # noqa: PLC0415 - only error messages need it

    folded = {each.casefold(): each for each in reversed(known)}  # of two, the first
    near = [
        folded[each]
        for name in names
        for each in get_close_matches(name.casefold(), folded, 3, least)
    ]
    return f"did you mean {' or '.join(map(quote_text, dict.fromkeys(near)))}?" if near else ""


def error_reason(problem: OSError) -> str:
    """The reason of a system error, without the path, which the message states already."""
    return problem.strerror or str(problem)


# Widths


def cut_text(text: str, longest: int) -> str:
    """The text, truncated with ``…`` if it is too long."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + _ELLIPSIS


def cut_words(text: str, longest: int) -> str:
    """The text, truncated behind a word with ``…`` if it is too long and has several."""
    cut = cut_text(text, longest)
    return cut if cut == text or " " not in cut else cut.rpartition(" ")[0] + _ELLIPSIS


def cut_middle(text: str, longest: int) -> str:
    """The text, shortened in the middle if it is too long, because both ends identify it."""
    if len(text) <= longest:
        return text
    front = longest // 2
    return text[:front] + _ELLIPSIS + text[len(text) - (longest - front - 1) :]


def tidy_label(text: str, longest: int = 60) -> str:
    """One line of printable characters, shortened in the middle."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return cut_middle(" ".join(printable.split()), longest)


def text_width(text: str) -> int:
    """Columns of a terminal that a printable text takes: wide characters two, combining none.

    Wide are those that Unicode Standard Annex 11 calls wide or full-width.
    """
    return len(text) if text.isascii() else sum(map(_character_width, text))


@lru_cache(maxsize=1 << 12)  # the titles of pages, for every correction the same
def cut_columns(text: str, columns: int) -> str:
    """As :func:`cut_text`, to columns of a terminal."""
    if text_width(text) <= columns:
        return text
    ends = accumulate(map(_character_width, text))
    fitting = sum(end <= columns - text_width(_ELLIPSIS) for end in ends)
    return text[:fitting].rstrip(" ,") + _ELLIPSIS


def _character_width(character: str) -> int:
    if category(character) in {"Mn", "Me"}:  # combining
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


# Tables


def table_width(rows: Sequence[Sequence[str]]) -> int:
    """Columns of a terminal that rows of cells take, with two blanks between columns."""
    return sum(2 + max(map(text_width, column)) for column in zip(*rows, strict=True)) - 2


def markdown_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table; the first row is its heading."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


def guard_cell(text: str) -> str:
    """The text as a spreadsheet cell; formulas are escaped by an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def spreadsheet_cell(text: str) -> str:
    """As :func:`guard_cell`, cut and marked with ``…`` where spreadsheets would cut it."""
    cell = guard_cell(text)
    units = cell.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * _LONGEST_CELL:
        return cell
    return units[: 2 * (_LONGEST_CELL - 1)].decode("utf-16-le", "surrogatepass") + _ELLIPSIS


def unguard_cell(cell: str) -> str:
    """The original text of an escaped cell."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
