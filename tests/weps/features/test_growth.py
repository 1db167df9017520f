"""Every feature takes memory and work in proportion to the pages, their links and their words.

Work is the lines of weps that are run: no time is measured. Each page
is hostile to what compares pages: all have one address, link to it in many spellings, and write
the name in different forms.
"""

import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from tests.weps.builders import analysis_of, document
from weps.features.registry import all_features
from weps.language.analysis import Layer, Marks, drop_feature_caches

SMALL = 30
SLACK = 1_000, 20_000
"""Lines, and bytes: tables of strings grow by doubling."""
WAYS = ("pages", "links", "words")


def pages_of(way, size):
    """An analysis with so many pages, links of each page, or words of each page."""
    pages, links, words = (size if each == way else 4 for each in WAYS)
    analysis = analysis_of(
        *(
            document(
                f"Thomas {spelled(page)} Baker, born 1950, wrote: "
                + " ".join(f"{spelled(page * words + at)} of Leeds" for at in range(words)),
                url="http://baker.example/",
                title=f"{spelled(page)} Thomas Baker",
                links=tuple(f"http://{at}@baker.example" for at in range(links)),
                emails=tuple(f"baker{at}@a.example" for at in range(links)),
            )
            for page in range(pages)
        )
    )
    sentences = range(len(analysis.tokens.document))
    found = [(at, f"{spelled(at)} {at}", "person") for at in sentences for _ in range(words)]
    return replace(analysis, marks={layer: Marks.of(found) for layer in Layer})


def spelled(number):
    """A capitalised word for each number."""
    return "Ka" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def cost(feature, analysis):
    """Lines of weps that are run for the feature, and bytes held at most.

    A flag is asked for as many pairs as there are pages.
    """
    rows, lines = np.arange(len(analysis.documents)), 0

    def trace(frame, event, _):
        nonlocal lines
        lines += event == "line"  # also of each round of a loop
        return trace if frame.f_globals.get("__name__", "").startswith("weps.") else None

    before = sys.gettrace()
    tracemalloc.start()
    sys.settrace(trace)
    try:
        made = feature.extract(analysis)
        if feature.flag:
            made(rows, rows[::-1])
    finally:
        sys.settrace(before)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        drop_feature_caches()
    return np.array([lines, most])


@pytest.mark.parametrize("way", WAYS)
def test_features_grow_no_faster_than_what_they_are_of(way):
    costs = []
    for size in (1, SMALL, 2 * SMALL, 4 * SMALL):  # at first, word lists are read
        analysis = pages_of(way, size)
        costs.append([cost(feature, analysis) for feature in all_features()])
    for feature, _, one, two, four in zip(all_features(), *costs, strict=True):
        # Twice as much more in proportion to the size, four times in proportion to its square.
        assert (four - two <= 3 * (two - one) + SLACK).all(), (str(feature), one, two, four)
