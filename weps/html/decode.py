"""Bytes to text: byte-order mark, UTF-8, UTF-16, the declared charset, a guess, windows-1252."""

from __future__ import annotations

import codecs
import re
from typing import Final

from weps.html.charset import guess

__all__ = ["decode"]

_MAX_WRONG: Final = 0.01
"""Share of a page's non-ASCII characters that a charset may leave undecodable."""

_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_DECLARED_WITHIN: Final = 8_192

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # starts like the next one, so it comes first
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# The WHATWG Encoding Standard reads these labels as their supersets.
_SUPERSETS: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
_FURTHER_LABELS: Final = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gb18030",
    "x-x-big5": "big5hkscs",
    "windows-949": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "koi8-ru": "koi8-u",
}
# Latin-1 and its like are absent on purpose: editors write that label on anything, so the bytes
# decide, with windows-1252 as the last word.
_TRUSTED: Final = frozenset(
    "utf-8 gb18030 big5hkscs cp932 euc_jp cp949 cp866 cp874 cp1250 cp1251 cp1253 cp1254 cp1255 "
    "cp1256 cp1257 cp1258 koi8-r koi8-u mac-roman mac-cyrillic iso8859-2 iso8859-3 iso8859-4 "
    "iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 "
    "iso8859-16".split()
)
_WITH_STRAYS: Final = frozenset(("cp1252", "utf-8"))


def decode(data: bytes, declared: str = "") -> str:
    """The text of a page in any charset, without NULs; never fails.

    ``declared`` is what the HTTP header says and goes before what the page says. A declaration
    counts only where the bytes agree with it.
    """
    return _decode(data, declared).replace("\0", "")


def _decode(data: bytes, declared: str) -> str:
    for mark, charset in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(charset, "replace")
    if b"\x1b" in data and (b"\x1b$B" in data or b"\x1b$@" in data):
        return data.decode("iso2022_jp_ext", "replace")
    utf16 = _utf16_order(data)
    if utf16:
        return data.decode(utf16, "replace")
    text = _utf8(data)
    return text if text is not None else _other_charset(data, declared)


def _utf16_order(data: bytes) -> str:
    """The byte order of UTF-16 without a mark: every other byte is mostly a NUL."""
    if data.count(0) * 5 <= len(data):
        return ""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if min(even, odd) * 5 > max(even, odd):  # zeros all over
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _utf8(data: bytes) -> str | None:
    """The text if it is UTF-8, but for a last character cut in half."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        start = data[: error.start]
        is_cut = error.reason == "unexpected end of data" and not start.isascii()
        return start.decode() if is_cut else None


def _other_charset(data: bytes, declared: str) -> str:
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    labels = (declared, found[1].decode("ascii", "replace") if found else "")
    for charset in filter(None, map(_charset, labels)):
        text = data.decode(charset, "replace")
        if _is_plausible(text):
            return text
    guessed = guess(data)
    return data.decode(guessed, "weps.latin1" if guessed in _WITH_STRAYS else "replace")


def _charset(label: str) -> str:
    """The codec for a label that is worth believing, else the empty string."""
    label = label.strip().lower()
    try:
        name = _FURTHER_LABELS.get(label) or codecs.lookup(label).name
    except (LookupError, ValueError):
        return ""
    name = _SUPERSETS.get(name, name)
    return name if name in _TRUSTED else ""


def _is_plausible(text: str) -> bool:
    wrong = text.count("\ufffd")
    if not wrong:
        return True
    return wrong <= _MAX_WRONG * (len(text) - len(text.encode("ascii", "ignore")))


def _as_latin1(error: UnicodeError) -> tuple[str, int]:
    """Read undecodable bytes as Latin-1: strays in UTF-8, the five empty places of windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("weps.latin1", _as_latin1)
