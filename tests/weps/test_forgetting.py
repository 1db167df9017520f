"""The cache keeps nothing of pages that are to be forgotten, and everything of others."""

import pytest

from weps.cache import Cache
from weps.forgetting import forget
from weps.forms import Form
from weps.language import Layer
from weps.portraits.around import around
from weps.reading import Reader
from weps.records import Page, Search


def search(*texts: str) -> Search:
    pages = (Page(rank, content=f"<p>{text}".encode()) for rank, text in enumerate(texts, start=1))
    return Search("Ann Lee", tuple(pages))


MINE = search("Ann Lee met Tom Fox in Oslo.", "Ann Lee sings.", "Nobody.")
OTHERS = search("Ann Lee of Bergen.", "Ann Lee sings loudly.")


def read(pages: Search, cache: Cache) -> None:
    """Everything that is ever kept of pages."""
    analysis = Reader(cache=cache).read(pages, Form.PAGES, tuple(Layer))
    around(analysis, Reader().language, cache)


def test_everything_is_forgotten_but_what_others_need(tmp_path):
    cache = Cache(tmp_path / "cache")
    read(OTHERS, cache)
    others = cache.usage().entries
    read(MINE, cache)
    mine = cache.usage().entries - others
    assert mine > len(MINE.pages) * len(Layer)
    assert forget(MINE, Reader(cache=cache)) == mine
    assert cache.usage().entries == others
    assert forget(MINE, Reader(cache=cache)) == 3  # read once more, to know what to forget
    assert cache.usage().entries == others


def test_ranks_and_order_do_not_matter(tmp_path):
    cache = Cache(tmp_path / "cache")
    read(MINE, cache)
    moved = [Page(page.rank + 7, content=page.content) for page in reversed(MINE.pages)]
    forget(Search(MINE.name, tuple(moved)), Reader(cache=cache))
    assert cache.usage().entries == 0


@pytest.mark.parametrize("pages", [MINE, Search("Ann Lee", ())])
def test_without_cache_or_pages_there_is_nothing_to_forget(pages):
    assert forget(pages, Reader()) == 0


def test_a_missing_pipeline_costs_only_what_it_made(tmp_path):
    cache = Cache(tmp_path / "cache")
    Reader(cache=cache).read(MINE, Form.PAGES)
    assert forget(MINE, Reader("no_such_pipeline", cache)) == 3
