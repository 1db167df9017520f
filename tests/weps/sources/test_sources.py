"""The package as a whole: what it exports, what it imports, and the real corpora."""

import subprocess
import sys
from pathlib import Path

import pytest

import weps.sources
from weps.sources.opening import open_source

HEAVY = {"bs4", "lxml", "numpy", "scipy", "selectolax", "sklearn", "urllib.request", "asyncio"}


def test_importing_is_light():
    code = "import sys, weps.sources.opening; print(*sys.modules)"
    root = Path(weps.sources.__file__).parents[2]
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=root, capture_output=True, check=True)  # ours
    assert HEAVY.isdisjoint(run.stdout.decode().split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "names", "results", "saved", "gold", "discarded", "persons", "singletons"),
    [
        ("weps-1/training", 34, 2588, 2585, 1612, 973, 341, 226),
        ("weps-1/test", 15, 1483, 0, 1255, 229, 674, 478),
        ("weps-2", 15, 1693, 1572, 1286, 407, 275, 159),
    ],
)
def test_counts_of_the_real_corpora(
    *, weps_data, corpus, names, results, saved, gold, discarded, persons, singletons
):
    source = open_source(weps_data / "corpora" / corpus)
    keys = [source.key(name) for name in source.names]
    searches = [source.search(name) for name in source.names]
    pages = [page for search in searches for page in search.pages]
    assert len(source.names) == names
    assert len(pages) == results
    assert sum(page.content is not None or page.text is not None for page in pages) == saved
    assert not [page.problem for page in pages if page.problem]
    assert sum(len(key.ranks) for key in keys) == gold
    assert sum(len(key.discarded) for key in keys) == discarded
    assert sum(len(key.groups) for key in keys) == persons
    assert sum(len(group) == 1 for key in keys for group in key.groups) == singletons
    for name, search in zip(source.names, searches, strict=True):
        assert search.name.replace(" ", "_").casefold() == name.casefold()
        assert source.ranks(name) == tuple(page.rank for page in search.pages)


def test_known_faults_of_the_real_keys_are_warnings(weps_data):
    source = open_source(weps_data / "corpora/weps-1/test")
    warnings = {name: found for name in source.names if (found := source.warnings(name))}
    assert set(warnings) == {"Stephen_Clark", "Violet_Howard"}
    assert warnings["Stephen_Clark"][0].endswith(": 33")
    assert warnings["Violet_Howard"][0].endswith(": 10, 18")


def test_titles_of_results_are_those_of_the_saved_pages(weps_data):
    """Shows that WePS-1's swap is undone and that ranks lead to the right pages."""
    pages = open_source(weps_data / "corpora/weps-1/training").search("Thomas Baker").pages
    stated = [page for page in pages if page.title and b"<title>" in (page.content or b"").lower()]
    agreeing = [
        page for page in stated if page.title[:20].encode() in b" ".join(page.content.split())
    ]
    assert len(agreeing) > 0.6 * len(stated) > 30


def test_a_name_without_tokens_has_snippets(weps_data):
    pages = open_source(weps_data / "corpora/weps-2").search("Amanda Lentz").pages
    assert len(pages) == 121
    assert not any(page.text or page.content for page in pages)
    assert sum(bool(page.snippet) for page in pages) > 100


def test_the_folder_above_the_real_corpora_says_where_to_go(weps_data):
    with pytest.raises(weps.errors.SourceError, match="training"):
        open_source(weps_data / "corpora/weps-1")
