"""Forgetting the pages of a name: the cache keeps nothing of them."""

from __future__ import annotations

from weps.errors import LanguageError
from weps.forms import form_of
from weps.language import Analysis, Layer
from weps.portraits.around import passages
from weps.reading import Reader, document_key
from weps.records import Search

__all__ = ["forget"]


def forget(search: Search, reader: Reader) -> int:
    """Remove what the reader's cache holds of the pages, cleaned or analysed.

    What another version of weps or another language pipeline has made of them is not found; it
    goes when the cache is emptied (``weps cache --clear``).

    Args:
        search: the name and its pages as they were clustered.
        reader: by which they were read.

    Returns:
        How many entries were removed.
    """
    if reader.cache is None or not search.pages:
        return 0
    known = [document_key(page) for page in search.pages]
    read = reader.read(search, form_of(search))
    for analysis in (read, passages(read)):
        known += _marks(analysis, reader.language)
    return reader.cache.forget(known)


def _marks(analysis: Analysis, language: str) -> list[str]:
    """The keys of all that the pipeline may have marked; none if it is missing."""
    from weps.language.marking import keys  # noqa: PLC0415 - only layers need it

    try:
        return keys(analysis, tuple(Layer), language)
    except LanguageError:
        return []
