"""The bytes of a stored page without their wrapping, or why they are no page."""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass
from typing import Final

__all__ = ["MAX_BYTES", "Body", "unpack"]

MAX_BYTES: Final = 2_000_000
"""What is read of a page; the largest of 2,585 real ones has 2.7 MB, the next 1.7."""

_MAX_HEADER: Final = 65_536
_MAX_LAYERS: Final = 3
_STEP: Final = 16_384
_SAMPLE: Final = 1_024
_CONTROLS: Final = bytes({*range(1, 32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))

_CHARSET = re.compile(rb"(?im)^content-type:[^\r\n]*?charset\s*=\s*[\"']?([\w.:-]{2,40})")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_FOREIGN: Final = (
    (b"%PDF", "a PDF file"),
    (b"%!PS", "a PostScript file"),
    (b"{\\rtf", "a rich text file"),
    (b"\xd0\xcf\x11\xe0", "an Office file"),
    (b"PK\x03\x04", "an Office or zip file"),
    (b"\x89PNG", "an image"),
    (b"GIF8", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"RIFF", "an image or a sound"),
    (b"ID3", "a sound"),
    (b"OggS", "a sound"),
    (b"\x1f\x8b", "an archive"),  # nested deeper than honest servers do
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"BZh", "an archive"),
    (b"\xfd7zXZ", "an archive"),
    (b"\x7fELF", "a program"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
_MAGICS: Final = tuple(magic for magic, _ in _FOREIGN)


@dataclass(frozen=True, slots=True)
class Body:
    """A page's own bytes, at most :data:`MAX_BYTES` of them."""

    data: bytes
    charset: str = ""
    """The charset that a stored HTTP header declares."""
    note: str = ""
    """Why the data are cut short or empty."""


def unpack(content: bytes) -> Body:
    """Strip a stored HTTP header, inflate gzip, refuse what is no text."""
    charset = ""
    for _ in range(_MAX_LAYERS):
        if content.startswith(b"HTTP/"):
            header, content = _split_header(content)
            declared = _CHARSET.search(header)
            charset = declared[1].decode("ascii") if declared else charset
        elif content.startswith(b"\x1f\x8b"):
            content = _inflate(content)
        else:
            break
    return _bounded(content, charset)


def _bounded(content: bytes, charset: str) -> Body:
    kind = _foreign_kind(content)
    if kind:
        return Body(b"", note=f"not a web page but {kind}")
    note = f"only the first {MAX_BYTES:,} bytes were read" if len(content) > MAX_BYTES else ""
    return Body(content[:MAX_BYTES], charset, note)


def _split_header(content: bytes) -> tuple[bytes, bytes]:
    end = _HEADER_END.search(content, 0, _MAX_HEADER)
    return (content[: end.start()], content[end.end() :]) if end else (b"", content)


def _inflate(content: bytes) -> bytes:
    """What can be had of a gzip stream, of which a few bytes may inflate to gigabytes."""
    inflater = zlib.decompressobj(wbits=31)
    inflated = bytearray()
    try:
        for start in range(0, len(content), _STEP):
            room = MAX_BYTES + 1 - len(inflated)
            inflated += inflater.decompress(content[start : start + _STEP], room)
            if len(inflated) > MAX_BYTES:
                break
    except zlib.error:  # damaged: keep what came before
        pass
    return bytes(inflated)


def _foreign_kind(content: bytes) -> str:
    start = content[:_SAMPLE].lstrip()
    if start.startswith(_MAGICS):
        return next(kind for magic, kind in _FOREIGN if start.startswith(magic))
    return "binary data" if _is_binary(content[:_SAMPLE]) else ""


def _is_binary(sample: bytes) -> bool:
    """Whether more than one byte in twenty is a control character that no text has.

    NULs are not counted, since UTF-16 is full of them.
    """
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls * 20 > len(sample) - sample.count(0)
