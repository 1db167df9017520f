from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document
from weps.similarity.near_duplicates import (
    MIN_RESEMBLANCE,
    MIN_SHINGLES,
    SHINGLE_WORDS,
    near_duplicates,
    resemblance,
    shingle_sets,
)

WORDS = [f"word{number}" for number in range(600)]
ARTICLE = WORDS[:200]
OTHER = WORDS[300:500]


def groups_of(*texts, eligible=None):
    return near_duplicates(analysis_of(*map(document, texts)).tokens, len(texts), eligible)


def text(words):
    return " ".join(words)


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        pytest.param(text(ARTICLE), True, id="the same page"),
        pytest.param(text(ARTICLE).upper().replace(" ", ", "), True, id="case and punctuation"),
        pytest.param(text(["home", "news", *ARTICLE, "imprint"]), True, id="another frame"),
        pytest.param(text([*ARTICLE[:100], "today", *ARTICLE[100:]]), True, id="a word put in"),
        pytest.param(text(ARTICLE[:188]), True, id="cut off"),
        pytest.param(text(ARTICLE[:150]), False, id="an excerpt"),
        pytest.param(text([*ARTICLE, *WORDS[200:280]]), False, id="with comments"),
        pytest.param(text(sorted(ARTICLE)), False, id="the same words in another order"),
        pytest.param(text(OTHER), False, id="another page"),
        pytest.param("", False, id="no text"),
    ],
)
def test_copies_are_recognised(other, alike):
    assert groups_of(text(OTHER), text(ARTICLE), other)[:1] == (
        ((1, 2),) if alike else ((0, 2),) if other == text(OTHER) else ()
    )


def test_short_pages_are_no_evidence():
    enough = MIN_SHINGLES + SHINGLE_WORDS - 1
    assert groups_of(*[text(WORDS[:enough])] * 2) == ((0, 1),)
    assert groups_of(*[text(WORDS[: enough - 1])] * 2) == ()


def test_pages_that_are_not_eligible_are_in_no_group():
    pages = [text(ARTICLE)] * 4 + [text(OTHER)] * 2
    assert groups_of(*pages) == ((0, 1, 2, 3), (4, 5))
    assert groups_of(*pages, eligible={1, 3, 4}) == ((1, 3),)


@st.composite
def edited_pages(draw):
    """Pages each of which is one of three articles with some of its words replaced or cut off."""
    random = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    pages = []
    for _ in range(draw(st.integers(2, 12))):
        words = WORDS[
            (start := 150 * int(random.integers(3))) : start + int(random.integers(100, 200))
        ]
        for place in random.integers(0, len(words), random.integers(0, 5)):
            words[place] = f"new{random.integers(4)}"
        pages.append(text(words))
    return pages


@given(edited_pages(), st.randoms(use_true_random=False))
def test_groups_resemble_their_original_and_no_other(pages, random):
    """Against all pairs; in another order the groups are the same."""
    sets = list(shingle_sets(analysis_of(*map(document, pages)).tokens, len(pages)))
    alike = {
        frozenset((one, two)): len(set(sets[one].tolist()) & set(sets[two].tolist()))
        / max(len(set(sets[one].tolist()) | set(sets[two].tolist())), 1)
        for one, two in combinations(range(len(pages)), 2)
    }
    assert all(
        resemblance(*(sets[row] for row in pair)) == pytest.approx(value)
        for pair, value in alike.items()
    )
    groups = groups_of(*pages)
    for group in groups:
        of_group = {
            row: [alike[frozenset((row, each))] for each in group if each != row] for row in group
        }
        assert max(map(min, of_group.values())) >= MIN_RESEMBLANCE
        assert min(map(min, of_group.values())) >= 2 * MIN_RESEMBLANCE - 1
    # A page that is in no group resembles no other such page.
    grouped = {row for group in groups for row in group}
    single = [
        row for row in range(len(pages)) if row not in grouped and len(sets[row]) >= MIN_SHINGLES
    ]
    assert all(alike[frozenset(pair)] < MIN_RESEMBLANCE for pair in combinations(single, 2))
    order = list(range(len(pages)))
    random.shuffle(order)
    permuted = groups_of(*(pages[row] for row in order))
    assert {frozenset(order[row] for row in group) for group in permuted} == set(
        map(frozenset, groups)
    )
