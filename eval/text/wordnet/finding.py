"""Where WordNet is on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from eval.text.wordnet.reading import WordNet, read
from weps.errors import SourceError

__all__ = ["PLACES", "wordnet"]

PLACES: Final = (
    Path("/usr/share/wordnet"),
    Path("/usr/local/WordNet-3.0/dict"),
    Path("/usr/local/share/wordnet"),
)
"""Where packages and Princeton's own installation put the database."""
_SIGN = "data.noun"


def wordnet(folder: Path | None = None) -> WordNet:
    """WordNet from a folder, or from where it is usually installed.

    Args:
        folder: the folder of ``data.noun`` and the other files; None looks into :data:`PLACES`.

    Raises:
        SourceError: if WordNet is not there, or its files are malformed.
    """
    if folder is not None:
        return read(folder)
    for place in PLACES:
        if (place / _SIGN).is_file():
            return read(place)
    raise SourceError(
        "WordNet is not installed",
        where=PLACES[0],
        remedy="install Debian's package wordnet-base, or name the folder of its files",
    )
