"""Text of a stored page: its bytes unpacked and decoded, and the addresses in it.

The charset is that of a byte-order mark, UTF-16 or UTF-8 where the bytes are one of these, the one
that the server or the page declares, or what a detector makes of the text around the characters
beyond ASCII; windows-1252 if it is not sure.

Addresses are those of e-mail, written plainly or obfuscated, and the absolute ones of links.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Final
from urllib.parse import urljoin

import webencodings

from weps._text import INVISIBLE

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # starts like the next one, so it comes first
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE: Final = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_WIDE_SAMPLE: Final = 4_096
"""Bytes examined for one of these; their number is even."""
_MAX_WRONG_DECODE: Final = 0.01
"""Share of a page's non-ASCII characters that a charset may leave undecodable."""


def decode_page(data: bytes, declared: str = "") -> str:
    """The text of a page in any charset, without NULs; never fails.

    ``declared`` is the charset of the HTTP header and precedes that of the page. A declaration is
    used only if the bytes agree with it; what they leave undecodable becomes U+FFFD.
    """
    return _decode_bytes(data, declared).replace("\0", "")


def _decode_bytes(data: bytes, declared: str) -> str:
    if charset := _evident_charset(data):
        return data.decode(charset, "replace")
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data)  # without half a character
    wrong = text.count("\ufffd") - data.count(b"\xef\xbf\xbd") if "\ufffd" in text else 0
    if not wrong and (data.isascii() or not text.isascii()):
        return text
    right = _count_non_ascii(text) - wrong
    charsets = (_standard_codec(declared), _declared_codec(data))
    if right and right >= wrong * (1 if "utf-8" in charsets else 2):
        return text
    for charset in charsets:
        if charset not in {"", "utf-8", "cp1252", *_WIDE}:  # editors wrote these for anything
            text = data.decode(charset, "replace")
            if text.count("\ufffd") <= _MAX_WRONG_DECODE * _count_non_ascii(text):
                return text
    return data.decode(_guess_charset(data, "cp1252" in charsets), "replace")


def _evident_charset(data: bytes) -> str:
    """The charset of a byte-order mark, or of bytes that no other has; empty for others."""
    for mark, charset in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return charset
    if b"\x1b$" in data and (b"\x1b$B" in data or b"\x1b$@" in data):
        return "iso2022_jp_ext"
    return _wide_charset(data) if b"\0" in data else ""


def _count_non_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _wide_charset(data: bytes) -> str:
    """UTF-16 or UTF-32 of text without a byte-order mark; empty for other bytes."""
    import chardet  # noqa: PLC0415 - few pages need it

    sample = data[:_WIDE_SAMPLE]
    known = [*_WIDE, "cp1252"]
    charset = chardet.detect(sample, compat_names=False, include_encodings=known)["encoding"] or ""
    with suppress(LookupError, UnicodeDecodeError):
        text = codecs.getincrementaldecoder(charset)().decode(sample)
        unknown = sum(unicodedata.category(character) in {"Cn", "Co"} for character in text)
        return charset if unknown * 50 <= len(text) else ""
    return ""


_DECLARATION = re.compile(
    rb"""<!--(?:-?>|.*?(?:--!?>|\Z))|<(?P<raw>script|style|title|textarea)\b.*?(?:</(?P=raw)|\Z)
    |<meta(?=[\s/])(?P<meta>(?:[^>=]|=\s*+(?:"[^"]*+"?|'[^']*+'?)?)*+)
    |<[a-z/!?](?:[^>=]|=\s*+(?:"[^"]*+"?|'[^']*+'?)?)*+""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""A comment, an element of mere text, the attributes of a ``meta``, or another tag."""
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_XML_ENCODING = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]{1,40})""")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';,]{1,40})""", re.IGNORECASE)


def _declared_codec(data: bytes) -> str:
    """The codec of the charset that the page itself declares; empty if it does not.

    The place is that of the HTML standard (13.2.3.2, prescan): a ``meta`` outside of comments with
    a ``charset``, or with the content of a ``Content-Type``; or the declaration of XML.
    """
    head = data[:65_536]
    if xml := _XML_ENCODING.match(head):
        return _standard_codec(xml[1].decode("ascii", "replace"))
    for found in _DECLARATION.finditer(head) if b"charset" in head.lower() else ():
        attributes = {
            name.lower(): b"".join(value)
            for name, *value in _ATTRIBUTE.findall(found["meta"] or b"")
        }
        label = attributes.get(b"charset", b"")
        if attributes.get(b"http-equiv", b"").lower() == b"content-type":
            stated = _CHARSET.search(attributes.get(b"content", b""))
            label = label or (stated[1] if stated else b"")
        if codec := _standard_codec(label.decode("ascii", "replace")):
            return codec
    return ""


def _standard_codec(label: str) -> str:
    """What Python calls the charset of a label of the Encoding Standard; empty for others."""
    encoding = webencodings.lookup(label.strip(" '\""))
    name = encoding.codec_info.name if encoding else ""
    return {"gbk": "gb18030", "replacement": "", "x-user-defined": ""}.get(name, name)


_GUESSED: Final = (
    "big5hkscs cp866 cp874 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 "
    "cp1258 euc_jis_2004 gb18030 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 "
    "iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-16 koi8-r koi8-u mac-cyrillic mac-roman"
).split()
"""The charsets of the Encoding Standard, as the detector calls them."""
_SIGNS: Final = bytes(range(0x80)) + "…‘’“”•–—™\xa0£¦§©«¬\xad®°±µ¶·»".encode("cp1252")
"""ASCII and the signs of windows-1252, which are the same in its sisters."""
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+(?:[\x00-\x7f]{1,80}[\x80-\xff]+)*")
_NOISE = re.compile(
    rb"<[^<>]*>|^[^<>\n]*>|<[^<>\n]*$|(?<![\x80-\xff])\xa0+(?![\x80-\xff])", re.MULTILINE
)
_MAX_SAMPLE: Final = 2_048
_WESTERN: Final = 1.25
"""Weight of windows-1252, the charset of most pages that declare none."""
_DECLARED_WESTERN: Final = 1.75
_MIN_LIKELIHOOD: Final = 0.1
"""Likelihood by the detector below which a page has too little of a language to tell."""
_ODDITY: Final = 0.75
"""How much less likely a charset is in which all characters stand where they hardly do."""
_LATIN_9 = re.compile(rb"[a-z]\xbd[a-z]|\xa4\s?\d|\d\s?\xa4", re.IGNORECASE)
"""The letter oe and the euro sign in ISO-8859-15, which is windows-1252 but for eight signs."""


def _guess_charset(data: bytes, declared_western: bool) -> str:
    """The name of a Python codec; ``cp1252`` unless another is likelier.

    The detector knows which letters follow each other in a language, in each of its charsets. What
    wrong charsets often make, such as signs and capitals within words, counts against them.
    """
    if not data.translate(None, _SIGNS):
        return "cp1252"
    import chardet  # noqa: PLC0415 - few pages need it

    spans = islice(_BEYOND_ASCII.finditer(data), 200)
    around = b"\n".join(data[max(0, span.start() - 80) : span.end() + 80] for span in spans)
    sample = b" ".join(_NOISE.sub(b" ", around[: 4 * _MAX_SAMPLE]).split())[:_MAX_SAMPLE]
    found = chardet.detect_all(
        sample or b" ", ignore_threshold=True, compat_names=False, include_encodings=_GUESSED
    )
    best, likelihood = "cp1252", _MIN_LIKELIHOOD
    for guess in sorted(found, key=lambda guess: guess["encoding"] != "cp1252"):
        name, weight = guess["encoding"] or "", 1.0
        if name == "cp1252":
            weight = _DECLARED_WESTERN if declared_western else _WESTERN
        elif not name or guess["confidence"] <= likelihood:
            continue
        # Less likely is one in which characters beyond ASCII stand where they hardly do.
        kinds = sample.decode(name, "replace").translate(_KINDS)
        odd = len(_ODD.findall(kinds)) / max(sum(map(kinds.count, "Bbcqstw.")), 1)
        weight *= 1 - _ODDITY * odd
        # Where two are equal, a code page of Windows is the commoner one.
        if guess["confidence"] * weight > likelihood * (1.001 if name.startswith("iso") else 1):
            best, likelihood = name, guess["confidence"] * weight
    return "iso8859-15" if best == "cp1252" and _LATIN_9.search(data) else best


class _Kinds(dict[int, str]):
    """A letter for the kind of each character: upper case for capitals, small letters for others.

    ``A`` and ``a`` are letters of ASCII, ``B`` and ``b`` Latin ones with accents, ``c`` those of
    other alphabets, ``s`` signs, ``t`` signs that end words, ``q`` quotation marks that do, and
    ``w`` what is never right.
    """

    def __missing__(self, number: int) -> str:
        character = chr(number)
        kind = " " if number <= 0xA0 else "."
        if number < 0x370 and character.isalpha():
            kind = "b" if number > 0xA0 else "a"
            kind = kind.upper() if character.isupper() else kind
        elif character.isalpha():
            kind = "c" if number < 0xE80 else "."
        elif character.isdigit() and number < 0x80:
            kind = "0"
        elif number > 0xA0 and character != "´" and unicodedata.category(character)[0] in "NS":
            kind = "s"
        self[number] = kind
        return kind


_KINDS: Final = _Kinds(
    dict.fromkeys(map(ord, "\ufffd¤"), "w")
    | dict.fromkeys(map(ord, "©®™°²³¹"), "t")
    | dict.fromkeys(map(ord, "”’"), "q")
)
_ODD = re.compile(
    r"w|(?<=[ab])B|(?<=[AB])B(?=[ab])|(?<![A-Ca-c])B(?![A-Ca-c]|\ [AB])|b(?=[AB])|[Bb](?=0)"
    r"|(?<=[Aa])c|c(?=[Aa])|(?<=[A-Ca-c])s|s(?=[A-Ca-c])|(?<=[A-Ca-c])t(?=[A-Ca-c])|(?<=\ )q(?=\ )"
)
"""A capital within a word, or alone if it is of no name (*Ó Briain*), a letter at a digit or at
another script, a sign at a word, a mark that ends quotations alone."""


_CONTINUING = "\x80-\xbf" + re.escape(
    bytes({*range(0x80, 0xA0)} - {0x81, 0x8D, 0x8F, 0x90, 0x9D}).decode("cp1252")
)
_ENCODED_TWICE = re.compile(
    rf"(?!(?<=[A-ZÀ-Þ])Ã\xa0)"  # AMANHÃ is a word
    rf"(?:[Â-ß][{_CONTINUING}]|[à-ï][{_CONTINUING}]{{2}}|ð[{_CONTINUING}]{{3}})[^ \t\r\n<>]{{0,60}}"
)
"""The bytes of a character beyond ASCII as those of windows-1252, and the rest of the word."""
_MAYBE_TWICE = re.compile(rb"\xc3[\x82-\xb0](?:\xc2|[\xc5-\xcb]|\xe2[\x80-\x84])")
"""What begins such a word in UTF-8, which is much faster to find."""
_MAX_REPAIRS: Final = 20_000
ENCODED_TWICE: Final = "text that was encoded in UTF-8 twice was repaired"


def repair_encoding(text: str) -> str:
    """The text without what was encoded in UTF-8 twice, such as ``Ã©``, where that is certain."""
    if text.isascii() or not _MAYBE_TWICE.search(text.encode("utf-8", "replace")):
        return text
    import ftfy  # noqa: PLC0415 - few pages need it

    return _ENCODED_TWICE.sub(lambda found: ftfy.fix_encoding(found[0]), text, _MAX_REPAIRS)


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


def unpack_body(content: bytes) -> tuple[bytes, str, str]:
    """Strip a stored HTTP header, inflate gzip, refuse data that are not text.

    Returns:
        The page's own bytes, at most :data:`MAX_BYTES`; the charset that the header declares, and
        why the data are truncated or empty, both empty for most.
    """
    charset = ""
    for _ in range(3):  # layers of either kind
        if end := content.startswith(b"HTTP/") and _HEADER_END.search(content, 0, 65_536):
            declared = _HEADER_CHARSET.search(content, 0, end.start())
            content = content[end.end() :]
            charset = declared[1].decode("ascii") if declared else charset
        elif content.startswith(b"\x1f\x8b"):
            content = inflate_readable(zlib.decompressobj(31).decompress, content, MAX_BYTES + 1)
    if kind := foreign_kind(content):
        return b"", "", f"not a web page but {kind}"
    if len(content) > MAX_BYTES:
        content = _without_bulk(content)
    cut = f"only the first {MAX_BYTES:,} bytes were read"
    return content[:MAX_BYTES], charset, cut if len(content) > MAX_BYTES else ""


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


def inflate_readable(decode: Callable[[bytes, int], bytes], packed: bytes, most: int) -> bytes:
    """The readable part of packed bytes, bounded because a few may inflate to gigabytes.

    Args:
        decode: decodes a part of them, up to a number of bytes.
        packed: the bytes.
        most: bytes that are inflated.
    """
    inflated = bytearray()
    with suppress(Exception):  # damaged: what came before is kept
        for start in range(0, len(packed), _INFLATE_STEP):
            if len(inflated) < most:
                inflated += decode(packed[start : start + _INFLATE_STEP], most - len(inflated))
    return bytes(inflated)


def foreign_kind(content: bytes) -> str:
    """Kind of a file that is no text, as in ``an image``; empty if it may be a page."""
    sample = content[:1_024]
    for kind, magics in _FOREIGN_FORMATS.items():
        if sample.lstrip().startswith(magics):
            return kind
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ""
    # No text has more than one of these in twenty bytes, except of UTF-16, which is full of NULs.
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls * 20 <= len(sample) - sample.count(0) or (0 in sample and _wide_charset(sample)):
        return ""
    return "binary data"


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
            name = _DOTS.sub(".", local[0]).lower().strip(".-+%")
            domain = _DOTS.sub(".", host[0]).lower()
            ending = domain.rpartition(".")[2]
            if name and ".." not in name and ending.isalpha() and ending not in _FILE_TYPES:
                places.append((sign.start(), f"{name}@{domain}"))
    return tuple(dict.fromkeys(address for _, address in sorted(places)))


def _is_spelt_host(host: str) -> bool:
    """Whether the words after a mere 'at' can only be a host: 'uni dot edu', not 'the dot in'."""
    *labels, domain = _DOTS.sub(".", host).lower().split(".")
    if "dot" not in host.lower():
        return False
    if len(domain) > 2 or len(labels) == 1:
        return domain in _COMMON_DOMAINS or (len(domain) == 2 and domain not in _WORDS_LIKE_DOMAINS)
    return True


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
