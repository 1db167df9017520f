from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, square
from tests.weps.clustering.cases import tied_probabilities
from weps.errors import FeatureError
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import Layer, Marks
from weps.similarity.columns import (
    Similarity,
    dice_similarity,
    measures_of,
    parse_similarity,
)
from weps.similarity.pairs import Pairs
from weps.similarity.table import pair_table, second_order_similarity


def by_definition(similarity: np.ndarray, size: int) -> list[float]:
    rows = square(similarity, size)
    for row in range(size):
        rows[row, row] = rows[row].max()
    found = []
    for first in range(size):
        for second in range(first + 1, size):
            norms = np.linalg.norm(rows[first]) * np.linalg.norm(rows[second])
            found.append(rows[first] @ rows[second] / norms if norms else 0.0)
    return found


@each_case(
    ("size", "similarity", "expected"),
    [
        (0, [], []),
        (1, [], []),
        (2, [0.3], [1]),
        (3, [0.7] * 3, [1] * 3),
        (3, [70] * 3, [1] * 3),
        (2, [0.0], [0]),
        (3, [0.5, 0.0, 0.5], [2 / sqrt(6), 1 / 2, 2 / sqrt(6)]),
        (3, [0.5, 0.0, 0.0], [1, 0, 0]),
        # 0 and 3 share nothing, but both resemble 1 and 2.
        (4, [1, 1, 0, 0, 1, 1], [2 / 3] * 6),
    ],
)
def test_profile(size, similarity, expected):
    found = second_order_similarity(np.array(similarity), size)
    assert found == pytest.approx(expected)
    assert (found <= 1).all()  # cosines of equal rows may be 1 + 2⁻⁵² before they are bounded


@given(tied_probabilities())
def test_a_profile_is_the_cosine_of_rows(case):
    size, similarity = case
    found = second_order_similarity(similarity, size)
    np.testing.assert_allclose(found, by_definition(similarity, size), atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    single = second_order_similarity(similarity.astype(np.float32), size)
    np.testing.assert_allclose(single, found, atol=1e-6)


@given(tied_probabilities(least=1), st.floats(1, 3))
def test_pages_that_resemble_the_same_pages_and_each_other_are_fully_alike(case, closeness):
    """A twin of page 0, as close to it as its nearest neighbour or closer."""
    size, similarity = case
    rows = square(similarity, size)
    grown = np.zeros((size + 1, size + 1))
    grown[:size, :size] = rows
    grown[size, :size] = grown[:size, size] = rows[0]
    grown[0, size] = grown[size, 0] = closeness * rows[0].max()
    found = second_order_similarity(grown[np.triu_indices(size + 1, k=1)], size + 1)
    assert found[size - 1] == pytest.approx(1.0 if rows[0].any() else 0.0)


EVERY = tuple(
    Similarity(each, measure) for each in all_features() for measure in (measures_of(each) or [""])
)

COLUMNS = (
    *(dice_similarity(each) for each in all_features() if not each.linguistic),
    parse_similarity("cosine(token)"),
    parse_similarity("overlap(ngram(n=2))"),
    parse_similarity("profile(dice(content(n=1)))"),
    parse_similarity("profile(profile(same_domain))"),
)


@given(pages=st.lists(documents, min_size=2, max_size=4), data=st.data())
def test_similarities_move_with_the_pages(pages, data):
    order = data.draw(st.permutations(range(len(pages))))
    before = pair_table(analysis_of(*pages), COLUMNS).values
    after = pair_table(analysis_of(*[pages[row] for row in order]), COLUMNS).values
    for column, one, other in zip(COLUMNS, before.T, after.T, strict=True):
        expected = square(one, len(pages))[np.ix_(order, order)]
        moved = square(other, len(pages))
        np.testing.assert_allclose(moved, expected, rtol=1e-6, err_msg=str(column))


@each_case("count", [0, 1, 4])
def test_a_pair_table_has_a_row_for_each_pair_and_a_column_for_each_similarity(count):
    plain = analysis_of(*["Thomas Baker sings"] * count)
    table = pair_table(replace(plain, marks={layer: Marks.of([]) for layer in Layer}), EVERY)
    assert table.values.shape == (count * (count - 1) // 2, len(EVERY))
    assert table.values.dtype == np.float32
    assert table.similarities == EVERY


def test_a_pair_table_of_real_pages():
    one = document("Thomas Baker teaches maths", url="http://a.york.com", emails=("tb@york.com",))
    two = document("Maths and tides", url="http://b.york.com", emails=("tb@york.com",))
    columns = ["dice(token)", "overlap(email)", "same_domain", "linked"]
    table = pair_table(analysis_of(one, two), list(map(parse_similarity, columns)))
    assert table.values.tolist() == [[0.5, 1, 1, 0]]


@pytest.mark.parametrize("beneath", ["dice(token)", "overlap(token)", "same_domain"])
@given(pages=st.lists(documents, max_size=5))
@settings(max_examples=10)
def test_a_column_of_profiles_needs_no_column_beneath(beneath, pages):
    names = [f"profile(profile({beneath}))", beneath, f"profile({beneath})"]
    names.append(f"relative({names[0]})")
    analysis = analysis_of(*pages)
    twice, plain, once, above = pair_table(analysis, list(map(parse_similarity, names))).values.T
    np.testing.assert_allclose(above, twice - (twice.mean() if len(pages) > 1 else 0), atol=1e-6)
    np.testing.assert_allclose(once, second_order_similarity(plain, len(pages)), atol=1e-6)
    np.testing.assert_allclose(twice, second_order_similarity(once, len(pages)), atol=1e-6)
    alone = pair_table(analysis, [parse_similarity(names[0])]).values[:, 0]
    np.testing.assert_array_equal(alone, twice)


def test_shared_strings_are_kept_of_what_was_compared():
    columns = list(map(parse_similarity, ["dice(token)", "dice(url)", "cosine(token)"]))
    pages = (document("maths at sea", title="tides"), document("maths", title="tides", rank=2))
    table = pair_table(analysis_of(*pages), columns)
    token, title, linked = map(feature_by_name, ["token", "title", "linked"])
    assert [str(each) for each in table.bags] == ["token", "url"]
    assert table.shared_strings(token) is table.bags[token]
    assert list(table.shared_strings(token).strings) == ["maths"]
    assert table.shared_strings(token).counts.toarray().tolist() == [[1], [1]]
    assert list(table.shared_strings(title).strings) == ["tides"]
    with pytest.raises(FeatureError, match="linked extracts flags"):
        table.shared_strings(linked)


@given(pages=st.lists(documents, min_size=3, max_size=5), chosen=st.sets(st.integers(0, 2)))
@settings(max_examples=5)
def test_some_pairs_have_the_values_that_they_have_among_all(pages, chosen):
    """As long as the sample for second-order similarity is all pages."""
    plain = analysis_of(*pages)
    analysis = replace(plain, marks={layer: Marks.of([]) for layer in Layer})
    derived = ["profile(profile(dice(token)))", "relative(profile(cosine(title)))"]
    columns = [*EVERY, *map(parse_similarity, derived)]
    every = pair_table(analysis, columns)
    places = sorted(chosen)
    rows = (every.pairs.first[places], every.pairs.second[places])
    listed = Pairs(len(pages), *rows, np.arange(len(pages)))
    some = pair_table(analysis, columns, listed)
    np.testing.assert_allclose(some.values, every.values[places], atol=1e-5)


def test_flags_and_second_order_similarity_of_no_pages():
    listed = Pairs(0, *(np.zeros(0, dtype=np.int64),) * 3)
    table = pair_table(analysis_of(), COLUMNS, listed)
    assert table.values.shape == (0, len(COLUMNS))
