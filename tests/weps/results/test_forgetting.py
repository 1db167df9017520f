"""Pages are removed from the cache."""

from __future__ import annotations

import pytest

from weps._cache import Cache
from weps.language.analysis import Layer
from weps.people.context import find_context_entities
from weps.reading import PageForm, Reader
from weps.records import HtmlReader, Page, Search
from weps.results.files import forget_mentions, forget_pages


def search(*texts: str) -> Search:
    pages = (Page(rank, content=f"<p>{text}".encode()) for rank, text in enumerate(texts, start=1))
    return Search("Ann Lee", tuple(pages))


MINE = search("Ann Lee met Tom Fox in Oslo.", "Ann Lee sings.", "Nobody.")
OTHERS = search("Ann Lee of Bergen.", "Ann Lee sings loudly.")


def read(pages: Search, cache: Cache) -> None:
    """Everything that is ever kept of pages."""
    Reader(cache=cache, html=HtmlReader.BEAUTIFULSOUP).read(pages, PageForm.PAGES)
    analysis = Reader(cache=cache).read(pages, PageForm.PAGES, tuple(Layer))
    find_context_entities(analysis, Reader().language, cache)


def test_pages_are_forgotten_at_any_rank_but_not_what_others_need(tmp_path):
    cache = Cache(tmp_path / "cache")
    read(OTHERS, cache)
    others = cache.usage().entries
    read(MINE, cache)
    mine = cache.usage().entries - others
    assert mine > len(MINE.pages) * len(Layer)
    moved = [Page(page.rank + 7, content=page.content) for page in reversed(MINE.pages)]
    assert forget_pages(Search(MINE.name, tuple(moved)), Reader(cache=cache)) == mine
    assert cache.usage().entries == others
    assert forget_pages(MINE, Reader(cache=cache)) == 3  # read once more, to know what to forget
    assert cache.usage().entries == others


@pytest.mark.parametrize("pages", [MINE, Search("Ann Lee", ())])
def test_without_cache_or_pages_there_is_nothing_to_forget(pages):
    assert forget_pages(pages, Reader()) == 0


def test_a_missing_pipeline_costs_only_what_it_made(tmp_path):
    cache = Cache(tmp_path / "cache")
    Reader(cache=cache).read(MINE, PageForm.PAGES)
    assert forget_pages(MINE, Reader("no_such_pipeline", cache)) == 3


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Ann Lee", 0),
        ("ÉMILE Noël", 1),
        ("田中 太郎", 1),
        ("An Lee", 2),
        ("Ann", 0),
        ("", 2),
        (".", 2),
    ],
)
def test_what_mentions_a_name_is_forgotten_in_any_case(tmp_path, name, left):
    cache = Cache(tmp_path / "cache")
    texts = search("ANN LEE knew émile noël.", "Ann Lee and 田中太郎さん.")
    reader = Reader(cache=cache)
    reader.read(texts, PageForm.PAGES)
    assert forget_mentions(name, reader) == 2 - left
    assert cache.usage().entries == left
    assert forget_mentions(name, Reader()) == 0
