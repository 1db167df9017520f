import re
from dataclasses import replace

import pytest

from weps.fingerprints import FINGERPRINT, fingerprint
from weps.records import Page

PAGE = Page(1, "http://a.example", "Title", "Snippet", content=b"text")


def test_it_is_what_it_was():
    # Stored in files: it must not change between releases.
    assert fingerprint(PAGE) == "460ecda5657f"
    assert re.fullmatch(FINGERPRINT, fingerprint(PAGE))


@pytest.mark.parametrize("change", [{"rank": 2}, {"problem": "cut short"}])
def test_it_knows_nothing_of_the_rank(change):
    assert fingerprint(replace(PAGE, **change)) == fingerprint(PAGE)


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://b.example"},
        {"title": "Titel"},
        {"snippet": ""},
        {"title": "Snippet", "snippet": "Title"},
        {"content": b"texts"},
        {"content": None, "text": "text"},
        {"content": None},
    ],
)
def test_it_changes_with_what_the_page_holds(change):
    assert fingerprint(replace(PAGE, **change)) != fingerprint(PAGE)
