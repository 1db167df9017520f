from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document
from weps.similarity import candidates
from weps.similarity.candidates import (
    MIN_RESEMBLANCE,
    MIN_SHINGLES,
    SHINGLE_WORDS,
    Candidates,
    choose_candidates,
    near_duplicates,
    resemblance,
    shingle_sets,
)
from weps.similarity.columns import Pairs, parse_similarity, square_matrix

WORDS = "kelp reef tide dune moor fjord crater canyon prairie lagoon".split()
COLUMNS = [parse_similarity(each) for each in ("dice(content(n=1))", "agree(phone)", "dice(email)")]


def chained_pages(count):
    """Pages of which each shares a word with the next."""
    words = [f"{one}{two}" for one in WORDS for two in WORDS]
    return analysis_of(*[document(f"{words[at]} {words[at + 1]}") for at in range(count)])


def compared(found: Candidates) -> set[tuple[int, int]]:
    rows = zip(found.pairs.first.tolist(), found.pairs.second.tolist(), strict=True)
    return {pair for pair, drawn in zip(rows, found.drawn.tolist(), strict=True) if not drawn}


def test_pages_are_compared_with_those_most_like_them(monkeypatch):
    monkeypatch.setattr(candidates, "NEIGHBOURS", 2)
    monkeypatch.setattr(candidates, "_DRAWN_PAIRS", 0)
    letters = [f"{' '.join(WORDS[: at + 1])} {WORDS[at]} {WORDS[at]}" for at in range(10)]
    analysis = analysis_of(*map(document, letters))
    found = compared(choose_candidates(analysis, COLUMNS))
    assert all((row, row + 1) in found for row in range(9))
    assert len(found) <= 20


def test_pages_are_alike_by_words_near_the_name_too(monkeypatch):
    monkeypatch.setattr(candidates, "NEIGHBOURS", 1)
    monkeypatch.setattr(candidates, "_DRAWN_PAIRS", 0)
    # The first two share words near the name, far from the others; the last two are results alone.
    long = ["moor tide " * 200, "prairie lagoon " * 200]
    pages = [document(f"Ann Example, kelp reef. {'of ' * 90}{text}") for text in long]
    pages += [document(text) for text in long]
    pages += [document("", title="Ann Example dune canyon") for _ in range(2)]
    analysis = analysis_of(*pages, name="Ann Example")
    near = [*COLUMNS, parse_similarity("rarity(window(width=80))")]
    assert compared(choose_candidates(analysis, COLUMNS)) == {(0, 2), (1, 3)}
    assert {(0, 1), (4, 5)} <= compared(choose_candidates(analysis, near))


def test_a_shared_key_makes_candidates_however_unlike_the_words():
    pages = [
        document(f"{word} {word}", emails=("tb@york.com",) * (at in (2, 7)))
        for at, word in enumerate(WORDS)
    ]
    found = choose_candidates(analysis_of(*pages), COLUMNS)
    assert compared(found) == {(2, 7)}
    assert not found.band.any()


@pytest.mark.parametrize("sharing", [3, 30])
def test_a_key_on_many_pages_chains_them(sharing):
    pages = [document(f"page{at} number{at}", emails=("info@york.com",)) for at in range(sharing)]
    found = compared(choose_candidates(analysis_of(*pages), COLUMNS))
    whole = sharing <= 20
    assert len(found) == (sharing * (sharing - 1) // 2 if whole else sharing - 1)


def test_drawn_pairs_stand_for_those_that_are_not_compared():
    pairs = Pairs(4, *(np.array(each) for each in ([0, 0, 1, 2], [1, 2, 3, 3], [0])))
    drawn = np.array([False, True, True, False])
    band = np.array([3, 0, 0, 0, 31, 31], dtype=np.uint8)
    completed = Candidates(pairs, drawn, band, np.arange(4)).complete(
        np.array([0.9, 0.2, 0.6, 0.8])
    )
    # Compared are (0, 1), (0, 2), (1, 3), (2, 3); of (0, 3) and (1, 2) band 0 is known by (0, 2).
    assert completed.tolist() == pytest.approx([0.9, 0.2, 0.2, 0.2, 0.6, 0.8])
    assert completed.dtype == np.float32


def test_candidates_are_in_condensed_order_and_the_same_each_time():
    analysis = chained_pages(60)
    found, again = (choose_candidates(analysis, COLUMNS) for _ in range(2))
    every = Pairs.of_all(60)
    positions = found.positions
    assert (np.diff(positions) > 0).all()
    assert every.first[positions].tolist() == found.pairs.first.tolist()
    assert every.second[positions].tolist() == found.pairs.second.tolist()
    assert positions.tolist() == again.positions.tolist()
    assert compared(found) == {(row, row + 1) for row in range(59)}
    assert len(found.drawn) > 59


def test_a_near_duplicate_has_the_values_of_its_original(monkeypatch):
    """Five copies of one page, like a sixth; none is a neighbour, each has the original."""
    monkeypatch.setattr(candidates, "_DRAWN_PAIRS", 0)
    kelp, moor = document("kelp reef tide"), document("moor fjord")
    analysis = analysis_of(kelp, moor, *[kelp] * 4, document("kelp"), document("fjord"))
    found = choose_candidates(analysis, COLUMNS, [(0, 2, 3, 4, 5)])
    assert compared(found) == {(0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (1, 7)}
    completed = square_matrix(found.complete(np.array([0.96, 0.97, 0.98, 0.99, 0.7, 0.6])), 8)
    assert completed[2:6, 6].tolist() == pytest.approx([0.7] * 4)
    assert completed[2:6, [1, 7]].tolist() == [[0, 0]] * 4
    assert completed[np.ix_(range(2, 6), range(2, 6))][~np.eye(4, dtype=bool)].min() >= 0.95


ARTICLE_WORDS = [f"word{number}" for number in range(600)]
ARTICLE = ARTICLE_WORDS[:200]
OTHER = ARTICLE_WORDS[300:500]


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
        pytest.param(text([*ARTICLE, *ARTICLE_WORDS[200:280]]), False, id="with comments"),
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
    assert groups_of(*[text(ARTICLE_WORDS[:enough])] * 2) == ((0, 1),)
    assert groups_of(*[text(ARTICLE_WORDS[: enough - 1])] * 2) == ()


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
        words = ARTICLE_WORDS[
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
