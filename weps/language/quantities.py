"""Periods, times and numbers in English sentences, by rule.

The fine-grained kinds follow the numerical and time expressions of Sekine's extended hierarchy
(EMNLP 2009, section 3.2, footnote 7: the OAK system). One regular expression reads a sentence from
left to right; at each position the first kind of the table that matches is taken, so longer
constructions come first. Every part is of bounded length: the time is linear in the text.
"""

from __future__ import annotations

import re
from functools import cache

MONTHS = (
    "January February March April May June July August September October November December".split()
)
CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty".split()
)


def find_quantities(sentence: str) -> list[tuple[str, str]]:
    """The quantities of a sentence in reading order, none inside another.

    Args:
        sentence: text as written, white space folded.

    Returns:
        Text as written, and fine-grained kind: ``years``, ``dates``, ``duration`` (periods);
        ``date``, ``year``, ``decade``, ``century``, ``weekday``, ``clock`` (times); ``phone``,
        ``postal_code``, ``money``, ``percent``, ``age``, ``measure``, ``ordinal``, ``count``
        (numbers).
    """
    return [
        (found[0], found.lastgroup) for found in _pattern().finditer(sentence) if found.lastgroup
    ]


def _month_pattern() -> str:
    """Months as proper names are written: ``May``, ``MAY``, ``Sept.``; never ``may``."""
    short = [*(month[:3] for month in MONTHS), "Sept"]
    forms = [*MONTHS, *map(str.upper, MONTHS)]
    points = [form for month in short for form in (month, month.upper())]
    return rf"(?:{'|'.join(forms)}|(?:{'|'.join(points)})\.?)(?![A-Za-z])"


_MONTH = _month_pattern()
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9A-Za-z])"
_YEAR = r"(?:1[5-9]|20)[0-9]{2}(?![0-9A-Za-z]|[.,][0-9])"
_WEEKDAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:MON|TUES|WEDNES|THURS|FRI|SATUR|SUN)DAY)"
)
_SPAN = r"(?:\ ?[-–—]\ ?|\ (?i:to|until|till|through)\ )"
_NUMBER = r"[0-9]{1,12}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,4})?(?![0-9])"
_CARDINAL = rf"(?i:{'|'.join(CARDINALS[1:])}|thirty|forty|fifty|sixty|hundred)"
_AMOUNT = rf"(?:{_NUMBER}|(?i:one)\b|{_CARDINAL}\b)"
_CENTURY = "(?i:sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-first)"
_SCALE = r"(?i:\ (?:hundred|thousand|million|billion|trillion|mn|bn)|[kmb]|bn|mn)(?![A-Za-z])"

_DAY_OR_MONTH = "(?:3[01]|[12][0-9]|0?[1-9])"
_DATE = rf"""(?:
    (?:{_WEEKDAY},?\ )?(?:
        {_DAY}\ (?:of\ )?{_MONTH}(?:,?\ {_YEAR})?
      | {_MONTH}\ (?:the\ )?{_DAY}(?:,?\ {_YEAR})?
      | [0-9]{{1,2}}[-/]{_MONTH}[-/](?:{_YEAR}|[0-9]{{2}}(?![0-9])))
  | {_MONTH}(?:,|\ of)?\ {_YEAR}
  | (?:1[5-9]|20)[0-9]{{2}}-(?:1[0-2]|0[1-9])-(?:3[01]|[12][0-9]|0[1-9])(?![0-9])
  | {_DAY_OR_MONTH}(?:
        -{_DAY_OR_MONTH}-{_YEAR}
      | \.{_DAY_OR_MONTH}\.{_YEAR}
      | /{_DAY_OR_MONTH}/(?:{_YEAR}|[0-9]{{2}}(?![0-9/]))))"""
_AFTER = "in since by until till from before after during of circa around for and".split()
_YEAR_AFTER = "|".join(rf"(?<=\b(?i:{word})\ )" for word in _AFTER)
_UNITS = (
    r"k(?:ilo)?m(?:et(?:er|re)s?)?|km/h|(?:centi|milli)?met(?:er|re)s?|[cm]m|miles?|mph|feet|foot|ft"
    r"|inch(?:es)?|yards?|acres?|hectares?|(?:square|sq\.?)\ (?:feet|foot|ft|met(?:er|re)s?|miles?)"
    r"|kg|(?:kilo|milli)?grams?|mg|lbs?|pounds?|ounces?|oz|tons?|tonnes?|lit(?:er|re)s?|ml|gallons?"
    r"|[kMG]?Hz|[kKMGT]B|[kMG]W|volts?|watts?|°\ ?[CF]?|degrees|pixels"
)
_NO_THINGS = (
    "as|is|was|has|does|its|plus|times|versus|bytes|comments|customers|guests|hits|items|links"
    "|matches|messages|posts|ratings|replies|results|reviews|stars|users|views|visitors|votes"
)
"""Words that follow a figure without being counted, or that Web pages count of themselves."""

_KIND_PATTERNS = {
    # Figures that place a text, not a person: they are read over.
    "": r"""(?i:isbn(?:-1[03])?|issn|doi|pp?\.|pages?|chapter|ch\.|section|sec\.|figure|fig\.|table
        |version|ver\.|v\.|vol\.|volume|no\.|nr\.|issue|line|lines|verse|step|room)
        [:\ ]{0,2}[0-9][0-9A-Za-z.:/–-]{0,30}
      | [0-9]{1,5}(?:\.[0-9]{1,5}){2,5}(?![0-9])(?<!\.[0-9]{4})
      | (?:97[89]-)?[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,7}-[0-9X](?![0-9])""",
    "phone": r"""
        (?i:(?:tele)?phone|tel|fax|mobile|cell|call)[.:]{0,2}\ ?
        \+?[(0-9][0-9 ().-]{5,18}[0-9](?![0-9])
      | \+(?=(?:[ ().-]{0,2}[0-9]){8,15})[0-9](?:[ ().-]{0,2}[0-9]){7,14}(?![0-9])
      | (?:1[ .-])?(?:\([0-9]{3}\)\ ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}(?![0-9-])
      | \(?0[0-9]{2,4}\)?[ -][0-9]{3,4}[ -]?[0-9]{3,4}(?![0-9-])""",
    "dates": rf"""{_DATE}{_SPAN}(?:{_DATE}|(?i:present|now|today|date)\b)
      | {_DAY}\ ?[-–—]\ ?{_DAY}\ {_MONTH}(?:,?\ {_YEAR})?
      | {_MONTH}\ {_DAY}\ ?[-–—]\ ?{_DAY}(?:,?\ {_YEAR})?
      | {_MONTH}{_SPAN}{_MONTH}(?:,?\ {_YEAR})?""",
    "date": _DATE,
    "years": rf"""{_YEAR}(?:{_SPAN}{_YEAR}|[-–/][0-9]{{2}}(?![0-9-])
        |{_SPAN}(?i:present|now|today|date|current)\b)
      | (?<=\b(?i:between)\ ){_YEAR}\ and\ {_YEAR}""",
    "decade": r"(?:1[5-9]|20)?[0-9]0['’]?s(?![A-Za-z])",
    "century": rf"(?:[0-9]{{1,2}}(?:st|nd|rd|th)|{_CENTURY})[ -](?i:centur(?:y|ies))\b",
    "year": rf"""(?:(?i:spring|summer|autumn|fall|winter)\ (?:of\ )?{_YEAR}
      | (?:{_YEAR_AFTER}){_YEAR}(?!\ [a-z]+s\b)
      | (?<=\(){_YEAR}(?=[),;]) | (?<=,\ ){_YEAR}(?=[.,;)]|$) | ^{_YEAR}(?=$|:))""",
    "postal_code": r"""[A-Z]{1,2}[0-9][0-9A-Z]?\ [0-9][A-Z]{2}(?![0-9A-Za-z])
      | [A-Z][0-9][A-Z]\ [0-9][A-Z][0-9](?![0-9A-Za-z])
      | (?<=\b[A-Z]{2}\ )[0-9]{5}(?:-[0-9]{4})?(?![0-9-])
      | [0-9]{5}-[0-9]{4}(?![0-9-])""",
    "weekday": rf"{_WEEKDAY}s?(?![A-Za-z])",
    "clock": r"""
        (?:1[0-2]|0?[1-9])(?:[:.][0-5][0-9]){0,2}\ ?(?i:[ap]m|[ap]\.m\.)(?![A-Za-z])
      | (?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?![0-9:])
      | (?:(?<=\bat\ )|(?<=\bfrom\ )|(?<=\buntil\ ))[0-9]:[0-5][0-9](?![0-9:])
      | (?i:noon|midnight)(?![A-Za-z])""",
    "money": rf"""(?:US|AU|CA|NZ|HK|[AC])?[$£€¥]\ ?{_NUMBER}(?:{_SCALE})?
      | (?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\ ?{_NUMBER}(?:{_SCALE})?
      | {_AMOUNT}(?:{_SCALE})?
        \ (?:(?i:dollars?|euros?|cents?|pounds\ sterling)|USD|EUR|GBP|CHF)\b""",
    "percent": rf"{_AMOUNT}(?:\ ?%|\ (?i:per\ ?cent)\b)",
    "age": rf"""(?i:aged?)[: ]{{1,2}}[0-9]{{1,3}}(?![0-9A-Za-z/]|[-.,][0-9])
      | {_AMOUNT}[ -](?i:years?|months?|weeks?)[ -](?i:olds?|of\ age)\b""",
    "duration": rf"""{_AMOUNT}(?:{_SPAN}{_AMOUNT})?[ -]
        (?i:seconds?|minutes?|mins|hours?|hrs|days?|nights?|weeks?|months?|years?|yrs|decades?
        |centur(?:y|ies))(?![A-Za-z])""",
    "measure": rf"{_AMOUNT}(?:{_SPAN}{_AMOUNT})?[ -]?(?:{_UNITS})(?![0-9A-Za-z/])",
    "ordinal": r"[0-9]{0,3}(?:1st|2nd|3rd|[0-9]th)(?![A-Za-z-]|\ [A-Z])",
    "count": rf"""(?!{_YEAR})(?:{_NUMBER}|{_CARDINAL})
        (?:\ (?i:hundred|thousand|million|billion))?\ (?!(?:{_NO_THINGS})\b)
        (?:[a-z]{{2,20}}(?<![su])s|men|women|people|children)(?![A-Za-z])""",
}
_BEGIN = r"(?<![\w.,:/$£€¥+@#=-])(?=[0-9A-Za-z$£€¥(+])"
"""Where a quantity may begin: never inside a word, a number, an address or a formula."""
_ALTERNATIVES = "|".join(
    f"(?P<{kind}>{pattern})" if kind else f"(?:{pattern})"
    for kind, pattern in _KIND_PATTERNS.items()
)


@cache  # compiled with the first sentence: few names need it
def _pattern() -> re.Pattern[str]:
    return re.compile(f"{_BEGIN}(?:{_ALTERNATIVES})", re.VERBOSE | re.ASCII)
