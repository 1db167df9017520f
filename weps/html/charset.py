"""Guessing the charset of bytes that are no UTF-8 and declare nothing worth believing.

Each candidate charset is tried on a sample; the right one makes the commonest letters of its
language common. On Western pages, the great majority, non-ASCII letters stand alone between
ASCII ones, which settles the matter without any trial.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["guess"]

_SAMPLE: Final = 1_024
"""Non-ASCII bytes that are looked at; more do not change the guess."""
_MAX_WESTERN_RUN: Final = 1.35
"""Mean length of the runs of non-ASCII bytes below which a page is Western."""
_MAX_WRONG: Final = 0.02
"""Share of the sample's non-ASCII characters that a charset may leave undecodable."""

_RUN = re.compile(rb"[\x80-\x9f\xa1-\xff]+")
_STRETCH = re.compile(rb"[^\x00-\x7f](?:[\x00-\x7f]?[^\x00-\x7f])*[\x21-\x7e]?")


@dataclass(frozen=True, slots=True)
class _Script:
    """A language's commonest letters, the share of its text they make up, and its charsets."""

    letters: str
    share: float
    charsets: tuple[str, ...]


_RUSSIAN = "оеаинтсрвл"
_SCRIPTS: Final = (
    _Script("éèêàâçôîïëöäüßñáíóúøåæãõ’‘“”–—…•®©»«·°´", 0.9, ("cp1252",)),
    _Script(
        "のにたいをはしがとてでなるかられこすまアイクシスドラリルレン、。ー",
        0.55,
        ("cp932", "euc_jp"),
    ),
    _Script("的一是不了在人有我他这中大来上个国和说们为到作地于出，。、", 0.3, ("gb18030",)),
    _Script("的一是不了在人有我他這中大來上個國和說們為到作地於出，。、", 0.3, ("big5hkscs",)),
    _Script("이다는에을의가고하를은한지사로기도있어인대나리시자", 0.5, ("cp949",)),
    _Script(_RUSSIAN, 0.65, ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic")),
    _Script("αοιετσνηυρπκ", 0.65, ("cp1253",)),
    _Script("יוהלאתרבשמ", 0.65, ("cp1255",)),
    _Script("اليمنتورهب", 0.65, ("cp1256",)),
    _Script("านรกอเงคลวม่ี้", 0.6, ("cp874",)),
)


def guess(data: bytes) -> str:
    """The name of a Python codec for the bytes; ``cp1252`` where nothing speaks for another."""
    runs = _RUN.findall(data, 0, 50 * _SAMPLE)
    if sum(map(len, runs)) <= _MAX_WESTERN_RUN * len(runs):
        return "cp1252"
    sample = b" ".join(_STRETCH.findall(data, 0, 50 * _SAMPLE))[:_SAMPLE]
    scores = {
        charset: _score(sample, charset, script)
        for script in _SCRIPTS
        for charset in script.charsets
    }
    scores["utf-8"] = _utf8_score(sample)
    return max(scores, key=scores.__getitem__)


def _score(sample: bytes, charset: str, script: _Script) -> float:
    """How far the script's commonest letters are as common as they should be, about 1 if right."""
    others = [c for c in sample.decode(charset, "replace") if not c.isascii()]
    if others.count("\ufffd") > 1 + _MAX_WRONG * len(others):
        return 0.0
    common = sum(c in script.letters for c in others)
    return common / (script.share * max(len(others), 1))


def _utf8_score(sample: bytes) -> float:
    """Well-formed multi-byte characters hardly happen by chance, so nothing outweighs them."""
    text = sample.decode("utf-8", "replace")
    others = sum(not c.isascii() for c in text)
    return 2.0 if text.count("\ufffd") <= 1 + 0.1 * others else 0.0
