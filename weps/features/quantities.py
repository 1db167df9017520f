"""One spelling for equal quantities: ``3 May 1998`` and ``May 3, 1998``."""

from __future__ import annotations

import re
from collections.abc import Callable

from weps._text import singular_form
from weps.language.quantities import CARDINALS, MONTHS

_MONTH = {month[:3].lower(): number for number, month in enumerate(MONTHS, start=1)}
_LINKING_WORDS = frozenset("to until till through and of us per sterling".split())
_SYNONYMS = (
    "$=dollar usd=dollar £=pound gbp=pound €=euro eur=euro ¥=yen jpy=yen %=percent cent=percent"
    " k=thousand m=million mn=million bn=billion kilometre=km kilometer=km meter=metre feet=foot"
    " ft=foot now=present today=present date=present current=present sept=sep"
    " thirty=30 forty=40 fifty=50 sixty=60"
)
_NORMAL_WORDS = (
    {word: str(number) for number, word in enumerate(CARDINALS, start=1)}
    | {month.lower(): month[:3].lower() for month in MONTHS}
    | dict(pair.split("=") for pair in _SYNONYMS.split())
)
"""Word in the singular → the one word or figure for it."""
_TENS_AND_UNITS = re.compile(
    rf"\b(twenty|thirty|forty|fifty|sixty)[ -]({'|'.join(CARDINALS[:9])})(?:st|nd|rd|th)?\b"
)
_NATIONAL_DIGITS = 10
"""Last digits of a telephone number that are alike with and without country code, trunk zero."""
_PARTS = re.compile(r"[a-z]+|[0-9]+(?:[.,][0-9]+)*(?:st|nd|rd|th|s)?|[^\w\s,.:/–—-]")
_FIGURES = re.compile(r"[0-9]+")
_WORDS = re.compile(r"[a-z]+")
_HOURS = {"noon": "12:00", "midnight": "00:00"}


def quantity_form(text: str, kind: str) -> str:
    """The normal form of a quantity.

    Args:
        text: as written.
        kind: its fine-grained kind, see :func:`weps.language.quantities.find_quantities`.

    Returns:
        Dates as ISO 8601 where they are unambiguous (``1998-05-03``, ``1998-05``, ``--05-03``),
        clock times as ``15:30``, telephone numbers as their last ten digits, sums as number and
        currency, anything else as its numbers and words, in figures and the singular.
    """
    return _NORMALISERS.get(kind, _plain_form)(text.lower())


def _normal_parts(text: str) -> list[str]:
    """Words in the singular and numbers in figures, without linking words."""
    in_figures = _TENS_AND_UNITS.sub(  # twenty-two → 22
        lambda match: f"{_NORMAL_WORDS[match[1]][0]}{_NORMAL_WORDS[match[2]]}", text
    )
    parts = (part for part in _PARTS.findall(in_figures) if part not in _LINKING_WORDS)
    return [_NORMAL_WORDS.get(part, part) for part in map(_singular_part, parts)]


def _singular_part(part: str) -> str:
    if part[0].isdigit():
        return part.replace(",", "").removesuffix(".00")
    return singular_form(part) if len(part) != len("yrs") else part.removesuffix("s")


def _plain_form(text: str) -> str:
    return " ".join(_normal_parts(text))


def _money_form(text: str) -> str:
    """Number and currency, in this order."""
    return " ".join(sorted(_normal_parts(text), key=lambda part: (not part[0].isdigit(), part)))


def _age_form(text: str) -> str:
    """``aged 42``, ``42 years old`` and ``42-year-old`` are one age."""
    parts = _normal_parts(text)
    number = next((part for part in parts if part[0].isdigit()), parts[0])
    unit = next((part for part in parts if part in {"month", "week"}), "year")
    return f"age {number} {unit}"


def _years_form(text: str) -> str:
    """``1981-82`` and ``1981-1982`` are the same years."""
    first, *rest = _normal_parts(text)
    return " ".join([first, *(f"{first[:2]}{part}" if len(part) == 2 else part for part in rest)])


def _clock_form(text: str) -> str:
    if text in _HOURS:
        return _HOURS[text]
    hour, *rest = _FIGURES.findall(text)
    half = text.replace(".", "")[-2:]
    if half not in {"am", "pm"}:
        return text
    hour = f"{int(hour) % 12 + 12 * (half == 'pm'):02}"
    return ":".join([hour, *(rest or ["00"])])


def _date_form(text: str) -> str:
    figures = _FIGURES.findall(text)
    months = [_MONTH[word[:3]] for word in _WORDS.findall(text) if word[:3] in _MONTH]
    if not months:
        return _numeric_date(figures) or text
    year = next((each for each in figures if len(each) == 4), "")
    others = [each for each in figures if each != year]
    if len(others) == 2:  # two figures of a year stay two
        year = others.pop()
    return "-".join([year or "-", f"{months[0]:02}", *(f"{int(day):02}" for day in others)])


def _numeric_date(figures: list[str]) -> str:
    """A date in figures; empty if day and month, or the century, are ambiguous."""
    first, second, year = figures
    if len(first) == 4:
        return "-".join(figures)
    month, day = sorted((int(first), int(second)))
    if len(year) < 4 or month > 12 or (day <= 12 and day != month):
        return ""
    return f"{year}-{month:02}-{day:02}"


_NORMALISERS: dict[str, Callable[[str], str]] = {
    "age": _age_form,
    "clock": _clock_form,
    "date": _date_form,
    "decade": lambda text: _plain_form(text.replace("'", "").replace("’", "")),
    "measure": lambda text: _plain_form(text).replace("pound", "lb"),
    "money": _money_form,
    "phone": lambda text: "".join(_FIGURES.findall(text.replace("(0)", "")))[-_NATIONAL_DIGITS:],
    "postal_code": str.upper,
    "years": _years_form,
}
