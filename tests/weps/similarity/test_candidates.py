import numpy as np
import pytest

from tests.weps.builders import analysis_of, document
from weps.similarity import candidates
from weps.similarity.candidates import Candidates, choose_candidates
from weps.similarity.columns import parse_similarity
from weps.similarity.pairs import AllPairs, ListedPairs, square_matrix

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
    pairs = ListedPairs(4, *(np.array(each) for each in ([0, 0, 1, 2], [1, 2, 3, 3], [0])))
    drawn = np.array([False, True, True, False])
    band = np.array([3, 0, 0, 0, 31, 31], dtype=np.uint8)
    completed = Candidates(pairs, drawn, band, np.arange(4)).complete(
        np.array([0.9, 0.2, 0.6, 0.8])
    )
    # Compared are (0, 1), (0, 2), (1, 3), (2, 3); of (0, 3) and (1, 2) band 0 is known by (0, 2).
    assert completed.tolist() == pytest.approx([0.9, 0.2, 0.2, 0.2, 0.6, 0.8])
    assert completed.dtype == np.float32


def test_without_drawn_pairs_others_have_no_value():
    pairs = ListedPairs(3, *(np.array(each) for each in ([0], [1], [0])))
    band = np.zeros(3, dtype=np.uint8)
    completed = Candidates(pairs, np.array([False]), band, np.arange(3)).complete(np.array([0.7]))
    assert completed.tolist() == pytest.approx([0.7, 0.0, 0.0])


def test_candidates_are_in_condensed_order_and_the_same_each_time():
    analysis = chained_pages(60)
    found, again = (choose_candidates(analysis, COLUMNS) for _ in range(2))
    every = AllPairs.of(60)
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
