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

_LOOKED_AT: Final = 65_536
_SAMPLE: Final = 1_024
"""Non-ASCII bytes that are looked at; more do not change the guess."""
_MAX_WESTERN_RUN: Final = 1.35
"""Mean length of the runs of non-ASCII bytes below which a page is Western."""
_MAX_WRONG: Final = 0.02
"""Share of the sample's non-ASCII characters that a charset may leave undecodable."""

_LEAST_SCORE: Final = 0.35
_LEAST_EVIDENCE: Final = 8
"""Non-ASCII characters below which nothing but windows-1252 is worth a guess."""

_SPOTS: Final = bytes(32 if byte < 0x80 or byte == 0xA0 else byte for byte in range(256))
_STRETCH = re.compile(rb"[^\x00-\x7f](?:[\x00-\x7f]?[^\x00-\x7f])*[\x21-\x7e]?")


@dataclass(frozen=True, slots=True)
class _Script:
    """A language's commonest letters, the share of its text they make up, and its charsets."""

    letters: str
    share: float
    charsets: tuple[str, ...]


_KANA = "".join(map(chr, range(0x3041, 0x30FD)))
_SCRIPTS: Final = (
    _Script("éèêàâçôîïëöäüßñáíóúøåæãõ’‘“”–—…•®©™«»·°´§¡¿£½±", 0.9, ("cp1252",)),
    _Script(_KANA + "、。　「」（）", 0.6, ("cp932", "euc_jp")),
    _Script("的一是不了在人有我他这中大来上个国和说们为到学年，。、　“”‘’", 0.3, ("gb18030",)),
    _Script("的一是不了在人有我他這中大來上個國和說們為到學年，。、　“”‘’", 0.3, ("big5hkscs",)),
    _Script("이다는에을의가고하를은한지사로기도있어인대나리시자", 0.5, ("cp949",)),
    _Script("оеаинтсрвл", 0.65, ("cp1251", "koi8-r", "iso8859-5")),
    _Script("αοιετσνηυρπκ", 0.65, ("cp1253",)),
    _Script("יוהלאתרבשמ", 0.65, ("cp1255",)),
    _Script("اليمنتورهب", 0.65, ("cp1256",)),
    _Script("านรกอเงคลวม่ี้", 0.6, ("cp874",)),
)


def guess(data: bytes) -> str:
    """The name of a Python codec for the bytes; ``cp1252`` where nothing speaks for another."""
    data = data[:_LOOKED_AT]
    runs = data.translate(_SPOTS).split()
    if sum(map(len, runs)) <= _MAX_WESTERN_RUN * len(runs):
        return "cp1252"
    sample = b" ".join(_STRETCH.findall(data))[:_SAMPLE]
    scores = {
        charset: _score(sample, charset, script)
        for script in _SCRIPTS
        for charset in script.charsets
    }
    scores["utf-8"] = _utf8_score(sample)
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _LEAST_SCORE else "cp1252"


def _others(text: str) -> list[str]:
    """The characters that tell charsets apart; a no-break space is the same in most."""
    return [character for character in text if character > "\xa0" or "\x7f" < character < "\xa0"]


def _score(sample: bytes, charset: str, script: _Script) -> float:
    """How nearly the script's commonest letters are as common as they should be, at most 1."""
    others = _others(sample.decode(charset, "replace"))
    if len(others) < _LEAST_EVIDENCE or others.count("\ufffd") > 1 + _MAX_WRONG * len(others):
        return 0.0
    common = sum(character in script.letters for character in others)
    return min(1.0, common / (script.share * len(others)))


def _utf8_score(sample: bytes) -> float:
    """Well-formed multi-byte characters hardly happen by chance, so nothing outweighs them."""
    text = sample.decode("utf-8", "replace")
    return 4.0 if text.count("\ufffd") <= 0.1 * len(_others(text)) else 0.0
