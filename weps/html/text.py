"""Text of a stored page: its bytes unpacked and decoded, and the addresses in it.

The charset is that of a byte-order mark, UTF-8, UTF-16, the declared one, or a guess, windows-1252
at last. To guess, each candidate charset is tried on a sample; the right one makes the commonest
letters of its language common. On Western pages, the great majority, non-ASCII letters stand alone
between ASCII ones, which settles the matter without any trial.

Addresses are those of e-mail, written plainly or obfuscated, and the absolute ones of links.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import urljoin

from weps._text import INVISIBLE

_GUESS_SAMPLE: Final = 1_024
"""Number of non-ASCII bytes examined; more do not change the guess."""
_MAX_WESTERN_RUN: Final = 1.35
"""Mean length of the runs of non-ASCII bytes below which a page is Western."""
_MAX_WRONG_IN_SAMPLE: Final = 0.02
"""Share of the sample's non-ASCII characters that a charset may leave undecodable."""

_MIN_EVIDENCE: Final = 8
"""Number of non-ASCII characters below which windows-1252 is assumed."""

_NON_ASCII_TABLE: Final = bytes(32 if byte < 0x80 or byte == 0xA0 else byte for byte in range(256))
_NON_ASCII_RUN = re.compile(rb"[^\x00-\x7f](?:[\x00-\x7f]?[^\x00-\x7f])*[\x21-\x7e]?")


_SCRIPTS: Final = (
    ("éèêàâçôîïëöäüßñáíóúøåæãõ’‘“”–—…•®©™«»·°´§¡¿£½±", 0.9, "cp1252"),
    ("".join(map(chr, range(0x3041, 0x30FD))) + "、。　「」（）", 0.6, "cp932 euc_jp"),
    ("的一是不了在人有我他这中大来上个国和说们为到学年，。、　“”‘’", 0.3, "gb18030"),
    ("的一是不了在人有我他這中大來上個國和說們為到學年，。、　“”‘’", 0.3, "big5hkscs"),
    ("이다는에을의가고하를은한지사로기도있어인대나리시자", 0.5, "cp949"),
    ("оеаинтсрвл", 0.65, "cp1251 koi8-r iso8859-5"),
    ("αοιετσνηυρπκ", 0.65, "cp1253"),
    ("יוהלאתרבשמ", 0.65, "cp1255"),
    ("اليمنتورهب", 0.65, "cp1256"),
    ("านรกอเงคลวม่ี้", 0.6, "cp874"),
)
"""A language's commonest letters, the share of its text they make up, and its charsets."""


def _guess_charset(data: bytes) -> str:
    """The name of a Python codec for the bytes; ``cp1252`` by default."""
    data = data[:65_536]
    runs = data.translate(_NON_ASCII_TABLE).split()
    if sum(map(len, runs)) <= _MAX_WESTERN_RUN * len(runs):
        return "cp1252"
    sample = b" ".join(_NON_ASCII_RUN.findall(data))[:_GUESS_SAMPLE]
    text = sample.decode("utf-8", "replace")
    if text.count("\ufffd") <= 0.1 * len(_non_ascii_characters(text)):
        return "utf-8"  # well-formed multi-byte characters rarely occur by chance
    scores = {
        charset: _script_score(sample.decode(charset, "replace"), letters, share)
        for letters, share, charsets in _SCRIPTS
        for charset in charsets.split()
    }
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= 0.35 else "cp1252"


def _non_ascii_characters(text: str) -> list[str]:
    """The characters that distinguish charsets; a no-break space is the same in most."""
    return [character for character in text if character > "\xa0" or "\x7f" < character < "\xa0"]


def _script_score(text: str, letters: str, share: float) -> float:
    """Observed over expected frequency of the script's commonest letters, at most 1."""
    others = _non_ascii_characters(text)
    wrong = others.count("\ufffd")
    if len(others) < _MIN_EVIDENCE or wrong > 1 + _MAX_WRONG_IN_SAMPLE * len(others):
        return 0.0
    return min(1.0, sum(map(letters.__contains__, others)) / (share * len(others)))


_MAX_WRONG_DECODE: Final = 0.01
"""Share of a page's non-ASCII characters that a charset may leave undecodable."""

_DECLARED = re.compile(
    rb"(?:charset|encoding)\s*+=\s*+(?:[\"']\s*+)?([\w.:-]{2,40})", re.IGNORECASE
)

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # starts like the next one, so it comes first
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_READ_AS: Final = dict(
    pair.split("=")
    for pair in (
        "gb2312=gb18030 gbk=gb18030 shift_jis=cp932 euc_kr=cp949 big5=big5hkscs "
        "iso8859-9=cp1254 iso8859-11=cp874 tis-620=cp874 x-sjis=cp932 windows-31j=cp932 "
        "x-euc-jp=euc_jp x-gbk=gb18030 x-x-big5=big5hkscs windows-949=cp949 "
        "ks_c_5601-1987=cp949 windows-874=cp874 dos-874=cp874 iso-8859-8-i=iso8859-8 "
        "x-mac-roman=mac-roman x-mac-cyrillic=mac-cyrillic koi8-ru=koi8-u"
    ).split()
)
"""Further labels of charsets, and what the WHATWG Encoding Standard reads for a narrower one."""
# Latin-1 and its like are absent on purpose: editors use that label for anything, so the bytes
# decide, with windows-1252 as the last resort.
_TRUSTED_CHARSETS: Final = frozenset(
    "utf-8 gb18030 big5hkscs cp932 euc_jp cp949 cp866 cp874 cp1250 cp1251 cp1253 cp1254 cp1255 "
    "cp1256 cp1257 cp1258 koi8-r koi8-u mac-roman mac-cyrillic iso8859-2 iso8859-3 iso8859-4 "
    "iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 "
    "iso8859-16".split()
)


def decode_page(data: bytes, declared: str = "") -> str:
    """The text of a page in any charset, without NULs; never fails.

    ``declared`` is the charset of the HTTP header and precedes that of the page. A declaration is
    used only if the bytes agree with it.
    """
    return _decode_bytes(data, declared).replace("\0", "")


def _decode_bytes(data: bytes, declared: str) -> str:
    for mark, charset in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(charset, "replace")
    if b"\x1b" in data and (b"\x1b$B" in data or b"\x1b$@" in data):
        return data.decode("iso2022_jp_ext", "replace")
    even, odd = data[::2].count(0), data[1::2].count(0)
    if (even + odd) * 5 > len(data) and min(even, odd) * 5 <= max(even, odd):
        # UTF-16 without a mark: every other byte is mostly a NUL.
        return data.decode("utf-16-be" if even > odd else "utf-16-le", "replace")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        start = data[: error.start]
        if error.reason == "unexpected end of data" and not start.isascii():
            return start.decode()  # the last character is cut in half
    return _decode_other(data, declared)


def _decode_other(data: bytes, declared: str) -> str:
    found = _DECLARED.search(data, 0, 8_192)
    for label in (declared, found[1].decode("ascii", "replace") if found else ""):
        charset = _READ_AS.get(label.strip().lower(), label.strip().lower())
        with suppress(LookupError, ValueError):
            charset = codecs.lookup(charset).name
        charset = _READ_AS.get(charset, charset)
        if charset not in _TRUSTED_CHARSETS:
            continue
        text = data.decode(charset, "replace")
        non_ascii = len(text) - len(text.encode("ascii", "ignore"))
        if text.count("\ufffd") <= _MAX_WRONG_DECODE * non_ascii:
            return text
    guessed = _guess_charset(data)
    return data.decode(guessed, "weps.latin1" if guessed in ("cp1252", "utf-8") else "replace")


def _replace_by_latin1(error: UnicodeError) -> tuple[str, int]:
    """Read undecodable bytes as Latin-1: strays in UTF-8, the five empty places of windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("weps.latin1", _replace_by_latin1)

_INVISIBLE: Final[dict[int, str | None]] = {
    **dict.fromkeys((*range(0x20), 0x7F, *map(ord, INVISIBLE))),
    **{byte: bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xA0)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
"""Controls, soft hyphens, marks of direction; a C1 control is a cp1252 character by mistake."""


_find_decomposed = re.compile(
    "[\u0300-\u036f\u0653-\u0655\u1100-\u11ff\u3099\u309a\ufb00-\ufb06\uff01-\uff5e]"
).search
_COMPATIBLE: Final[dict[int, int | str]] = {
    **{number: number - 0xFEE0 for number in range(0xFF01, 0xFF5F)},
    **dict(zip(range(0xFB00, 0xFB07), "ff fi fl ffi ffl st st".split(), strict=True)),
}
"""Full-width ASCII and the ligatures of fonts → what they stand for."""
_MAX_COMPOSED: Final = 100
"""Characters of a word; signs in a row are ordered in quadratic time."""


def is_folded(text: str) -> bool:
    """Whether a text has neither invisible characters nor any that are to be composed."""
    return text.isprintable() and (text.isascii() or _find_decomposed(text) is None)


def fold_text(text: str) -> str:
    """The text on one line: single spaces, letters with their accents, no invisible characters."""
    folded = " ".join(text.split())
    if is_folded(folded):
        return folded
    words = folded.translate(_INVISIBLE).split()
    composed = (
        unicodedata.normalize("NFC", word) if len(word) <= _MAX_COMPOSED else word for word in words
    )
    return " ".join(composed).translate(_COMPATIBLE)


MAX_BYTES: Final = 2_000_000
"""Bytes read of a page; the largest of 2,585 real ones has 2.7 MB, the next 1.7."""

_INFLATE_STEP: Final = 16_384

_CONTROLS: Final = bytes({*range(1, 32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))

_HEADER_CHARSET = re.compile(rb"(?im)^content-type:[^\r\n]*?charset\s*=\s*[\"']?([\w.:-]{2,40})")
_BULK = re.compile(rb"<(script|style|svg)\b|data:[\w.+/-]{1,100}[;,][^\s\"'<>()]*", re.IGNORECASE)
"""Start of an element without text of the page; images and fonts within attributes."""
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_FOREIGN_FORMATS: Final = {
    "a PDF file": (b"%PDF",),
    "a PostScript file": (b"%!PS",),
    "a rich text file": (b"{\\rtf",),
    "an Office file": (b"\xd0\xcf\x11\xe0",),
    "an Office or zip file": (b"PK\x03\x04",),
    "an image": (b"\x89PNG", b"GIF8", b"\xff\xd8\xff"),
    "an image or a sound": (b"RIFF",),
    "a sound": (b"ID3", b"OggS"),
    "an archive": (b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ"),
    "a program": (b"\x7fELF",),
    "a font": (b"wOFF", b"wOF2"),
}
"""Kind of file → what it begins with; a gzip archive is nested deeper than servers do."""


@dataclass(frozen=True, slots=True)
class Body:
    """A page's own bytes, at most :data:`MAX_BYTES` of them."""

    data: bytes
    charset: str = ""
    """The charset that a stored HTTP header declares."""
    note: str = ""
    """Why the data are truncated or empty."""


def unpack_body(content: bytes) -> Body:
    """Strip a stored HTTP header, inflate gzip, refuse data that are not text."""
    charset = ""
    for _ in range(3):  # layers of either kind
        if end := content.startswith(b"HTTP/") and _HEADER_END.search(content, 0, 65_536):
            declared = _HEADER_CHARSET.search(content, 0, end.start())
            content = content[end.end() :]
            charset = declared[1].decode("ascii") if declared else charset
        elif content.startswith(b"\x1f\x8b"):
            content = _inflate(content)
    if kind := foreign_kind(content):
        return Body(b"", note=f"not a web page but {kind}")
    if len(content) > MAX_BYTES:
        content = _without_bulk(content)
    cut = f"only the first {MAX_BYTES:,} bytes were read"
    return Body(content[:MAX_BYTES], charset, cut if len(content) > MAX_BYTES else "")


def _without_bulk(content: bytes) -> bytes:
    """A large page without embedded images, fonts, styles and scripts, in linear time.

    A page that an extension saves as one file consists of these for the most part.
    """
    kept = bytearray()
    done = at = 0
    lower = content.lower()
    unclosed: set[bytes] = set()
    # Beyond what would be kept nothing needs to be found.
    while found := _BULK.search(content, at, done + MAX_BYTES + 1 - len(kept)):
        found = _BULK.match(content, found.start()) or found  # up to its own end
        at = found.end()
        if found[1]:
            name = found[1].lower()
            end = -1 if name in unclosed else lower.find(b"</" + name, at)
            if end < 0:  # looked for only once
                unclosed.add(name)
                continue
            at = lower.find(b">", end) + 1 or len(content)
        kept += content[done : found.start()]
        done = at
    return bytes(kept) + content[done : done + MAX_BYTES + 1]


def _inflate(content: bytes) -> bytes:
    """The readable part of a gzip stream, bounded because a few bytes may inflate to gigabytes."""
    inflater = zlib.decompressobj(wbits=31)
    inflated = bytearray()
    with suppress(zlib.error):  # damaged: keep what came before
        for start in range(0, len(content), _INFLATE_STEP):
            room = MAX_BYTES + 1 - len(inflated)
            inflated += inflater.decompress(content[start : start + _INFLATE_STEP], room)
            if len(inflated) > MAX_BYTES:
                break
    return bytes(inflated)


def foreign_kind(content: bytes) -> str:
    """Kind of a file that is no text, as in ``an image``; empty if it may be a page."""
    sample = content[:_GUESS_SAMPLE]
    for kind, magics in _FOREIGN_FORMATS.items():
        if sample.lstrip().startswith(magics):
            return kind
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ""
    # No text has more than one of these in twenty bytes; UTF-16 is full of NULs.
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return "binary data" if controls * 20 > len(sample) - sample.count(0) else ""


MAX_OBFUSCATED: Final = 1_000
"""Places per page where an obfuscated address is searched."""

MAX_AT_SIGNS: Final = 5_000
"""Number of at signs examined per page."""

_LOCAL = r"[\w.%+-]{1,64}"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOT = r"(?: ?[\[({<] ?(?:dot|\.) ?[\])}>] ?| dot |\.)"
_FLAGS = re.IGNORECASE | re.ASCII

_PLAIN: Final = (
    re.compile(rf"(?:{_LABEL}\.){{1,8}}[a-z]{{2,24}}(?![\w@-])", _FLAGS),
    re.compile(rf"(?<![\w.%+@-]){_LOCAL}$", _FLAGS),
)
"""What stands behind and before an at sign."""
_OBFUSCATED_AT = re.compile(r" ?[\[({<] ?(?:at|@) ?[\])}>] ?| at ", _FLAGS)
_OBFUSCATED: Final = (
    re.compile(rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,6}}(?![\w@-])", _FLAGS),
    re.compile(rf"(?<![\w.%+@-]){_LOCAL}(?:{_DOT}[\w%+-]{{1,64}}){{0,3}}$", _FLAGS),
)
"""What stands behind and before an obfuscated one."""
_DOTS = re.compile(_DOT, _FLAGS)

_FILE_TYPES: Final = frozenset("css gif htm html jpeg jpg js pdf php png svg webp".split())
_COMMON_DOMAINS: Final = frozenset("biz com edu gov info int mil name net org".split())
_WORDS_LIKE_DOMAINS: Final = frozenset("am as at be by do id in is it la me my no so to us".split())
"""Country codes that are also words: 'look at the dot in the middle' holds no address."""


def find_emails(text: str) -> tuple[str, ...]:
    """The addresses in a folded text, in lower case and order of appearance, without repeats."""
    signs = [*islice(re.finditer("@", text), MAX_AT_SIGNS)]
    lower = text.lower()
    brackets = [bracket for bracket in "([{<" if bracket in lower]
    if " dot " in lower or any(
        bracket + sign in lower for bracket in brackets for sign in ("at", " at", "@")
    ):  # a fast test, which the great majority does not pass
        signs += islice(_OBFUSCATED_AT.finditer(text), MAX_OBFUSCATED)
    places: list[tuple[int, str]] = []
    for sign in signs:
        after, before = _PLAIN if sign[0] == "@" else _OBFUSCATED
        host = after.match(text, sign.end())
        local = host and before.search(text, max(0, sign.start() - 80), sign.start())
        if host and local and (sign[0] != " at " or _is_spelt_host(host[0])):
            address = _valid_address(_DOTS.sub(".", local[0]), _DOTS.sub(".", host[0]))
            places.append((sign.start(), address))
    return tuple(dict.fromkeys(address for _, address in sorted(places) if address))


def _is_spelt_host(host: str) -> bool:
    """Whether the words after a mere 'at' can only be a host: 'uni dot edu', not 'the dot in'."""
    *labels, domain = _DOTS.sub(".", host).lower().split(".")
    if "dot" not in host.lower():
        return False
    if len(domain) > 2 or len(labels) == 1:
        return domain in _COMMON_DOMAINS or (len(domain) == 2 and domain not in _WORDS_LIKE_DOMAINS)
    return True


def _valid_address(local: str, host: str) -> str:
    """The address in lower case; empty if it is none."""
    local, host = local.lower().strip(".-+%"), host.lower()
    domain = host.rpartition(".")[2]
    valid = local and ".." not in local and domain.isalpha() and domain not in _FILE_TYPES
    return f"{local}@{host}" if valid else ""


MAX_LINKS: Final = 10_000
MAX_LENGTH: Final = 2_048
"""Longer addresses are useless as evidence; many browsers and servers refuse them as well."""

_ADDRESS = re.compile(r"(https?://[^\s/?#\[\]]+)([/?][^\s#]*)?", re.IGNORECASE)
_PATH = re.compile(r"/?[\w%~][\w%~,=&.-]*(?:/[\w%~][\w%~,=&.-]*)*/?(?:\?[\w%~,=&.+-]+)?", re.ASCII)
"""A path with nothing in it to resolve or escape: the common case, done fast."""
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def web_address(url: str) -> str:
    """An absolute http or https address in one spelling, without fragment; empty for others.

    Scheme and host are in lower case and the path is never empty.
    """
    found = _ADDRESS.match(url.strip())
    if not found or len(url) > MAX_LENGTH or not url.isprintable():
        return ""
    host, path = found.groups("/")
    return host.lower() + (path if path[0] == "/" else "/" + path)


def outgoing_links(hrefs: Iterable[str], url: str, base: str = "") -> tuple[str, ...]:
    """The addresses that the page leads to, in order, without repeats and without itself.

    ``url`` is the page's own address and ``base`` its ``<base href>``; where both are missing,
    relative links cannot be resolved and are left out.
    """
    own = web_address(url)
    start = web_address(_join_url(own, base)) or own
    origin = "/".join(start.split("/", 3)[:3])
    folder = start.partition("?")[0].rpartition("/")[0] + "/"
    links: dict[str, None] = {}
    for written in islice(dict.fromkeys(hrefs), MAX_LINKS):
        href = written.partition("#")[0].strip()
        if start and len(href) < MAX_LENGTH and _PATH.fullmatch(href):
            links[(origin if href[0] == "/" else folder) + href] = None
            continue
        address = href.replace(" ", "%20")
        if address[:4].lower() == "http" and _ADDRESS.match(address):
            links[web_address(address)] = None
        elif address and len(address) <= MAX_LENGTH and not _OTHER_SCHEME.match(address):
            links[web_address(_join_url(start, address))] = None
    return tuple(link for link in links if link and link != own)


def _join_url(start: str, href: str) -> str:
    try:
        return urljoin(start, href)
    except ValueError:  # e.g. an unclosed bracket in the host
        return ""
