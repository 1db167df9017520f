import math
from dataclasses import replace
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tests.weps.builders import analysis_of, document, documents, square, unhurried
from tests.weps.clustering.cases import tied_probabilities
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import Layer, Marks
from weps.similarity import (
    Similarity,
    agree,
    centred_cosine,
    condense_matrix,
    contradict,
    cosine,
    dice,
    dice_similarity,
    measures_of,
    overlap,
    pair_table,
    parse_similarity,
    rarity,
    required_layers,
    second_order_similarity,
    tf_idf,
    vector_cosine,
)

MEASURES = [dice, cosine, overlap, rarity]
BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0),
        ("abc", "", 0),
        ("abc", "xyz", 0),
        ("abc", "abc", 1),
        ("a", "abc", 2 / 4),
        ("ab", "bc", 2 / 4),
        ("abcd", "ab", 4 / 6),
        ("aaab", "abbb", 1),
    ],
)
def test_dice(first, second, expected):
    assert dice(Bags.of([first, second])) == pytest.approx([expected])


@pytest.mark.parametrize(
    ("first", "second", "shared", "contradicting"),
    [("", "", 0, 0), ("a", "", 0, 0), ("ab", "bc", 1, 0), ("a", "b", 0, 1), ("aab", "baa", 2, 0)],
)
def test_bags_agree_or_contradict_or_do_not_tell(first, second, shared, contradicting):
    bags = Bags.of([first, second])
    found = [measure(bags).tolist() for measure in (overlap, agree, contradict)]
    assert found == [[shared], [min(shared, 1)], [contradicting]]


# One of two documents holds b and c: idf(b) = 1 + ln(3/2); both hold a: idf(a) = 1 + ln(3/3).
RARE = 1 + math.log(3 / 2)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0),
        ("ab", "", 0),
        ("ab", "cd", 0),
        ("ab", "ab", 1),
        ("aab", "aaaabb", 1),
        ("ab", "ac", 1 / (1 + RARE**2)),
        ("a", "ab", 1 / math.sqrt(1 + RARE**2)),
        ("ab", "aac", 2 / math.sqrt((1 + RARE**2) * (4 + RARE**2))),
    ],
)
def test_cosine(first, second, expected):
    assert cosine(Bags.of([first, second])) == pytest.approx([expected])


# On Zipf's scale the has 7.7, tide 4.2 and kelp 2.9.
TIDE, KELP = (7.5 - 4.2) ** 2, (7.5 - 2.9) ** 2
TWICE = 1 + math.log(2)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "tide", 0),
        ("the", "the", 0),
        ("kelp tide", "tide kelp", 1),
        ("tide", "tide kelp", math.sqrt(TIDE / (TIDE + KELP))),
        ("kelp", "tide kelp", math.sqrt(KELP / (TIDE + KELP))),
        ("tide tide", "tide kelp", math.sqrt(TIDE / (TIDE + KELP))),
        ("tide tide kelp", "tide", TWICE * math.sqrt(TIDE / (TWICE**2 * TIDE + KELP))),
    ],
)
def test_rarity(first, second, expected):
    assert rarity(Bags.of([first.split(), second.split()])) == pytest.approx([expected])


def test_tf_idf_of_three_documents():
    weights = tf_idf(Bags.of(["aab", "ac", "a"])).toarray()
    rare = 1 + math.log(4 / 2)
    assert weights == pytest.approx(np.array([[2, rare, 0], [1, 0, rare], [1, 0, 0]]))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("bags", "pairs"), [([], 0), (["a"], 0), ([""], 0), (["", "", ""], 3)])
def test_without_shared_evidence_every_similarity_is_zero(measure, bags, pairs):
    assert measure(Bags.of(bags)).tolist() == [0.0] * pairs


@given(st.integers(0, 7), st.randoms(use_true_random=False))
@unhurried
def test_condensed_is_the_upper_triangle(size, random):
    half = [random.choice([0, 0, 1.5, 3]) for _ in range(size * (size - 1) // 2)]
    matrix = square(half, size)
    np.fill_diagonal(matrix, 9)
    assert condense_matrix(sparse.csr_array(matrix)).tolist() == half


@pytest.mark.parametrize("measure", MEASURES)
@given(bags=BAGS)
@unhurried
def test_a_similarity_is_bounded_and_positive_exactly_where_something_is_shared(measure, bags):
    values = measure(Bags.of(bags))
    most = max(map(len, bags), default=0) if measure is overlap else 1
    assert (values <= most + 1e-12).all()
    first, second = np.triu_indices(len(bags), k=1)
    shared = [bool(set(bags[i]) & set(bags[j])) for i, j in zip(first, second, strict=True)]
    assert (values > 0).tolist() == shared
    assert (values >= 0).all()


@pytest.mark.parametrize("measure", [dice, cosine, rarity])
@given(bags=BAGS.filter(len), others=BAGS)
@unhurried
def test_equal_bags_are_fully_similar(measure, bags, others):
    twice = Bags.of([bags[0], bags[0], *others])
    assert measure(twice)[:1] == pytest.approx([1.0 if bags[0] else 0.0])


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


@pytest.mark.parametrize(
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
@unhurried
def test_a_profile_is_the_cosine_of_rows(case):
    size, similarity = case
    found = second_order_similarity(similarity, size)
    np.testing.assert_allclose(found, by_definition(similarity, size), atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    single = second_order_similarity(similarity.astype(np.float32), size)
    np.testing.assert_allclose(single, found, atol=1e-6)


@given(tied_probabilities(least=1), st.floats(1, 3))
@unhurried
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
PROFILES = tuple(replace(each, order=order) for order in (2, 3) for each in EVERY[::7])
COLUMNS = (
    *(dice_similarity(each) for each in all_features() if not each.linguistic),
    parse_similarity("cosine(token)"),
    parse_similarity("overlap(ngram(n=2))"),
    parse_similarity("profile(dice(content(n=1)))"),
    parse_similarity("profile(profile(same_domain))"),
)


@pytest.mark.parametrize("column", COLUMNS, ids=str)
@given(pages=st.lists(documents, min_size=2, max_size=4), data=st.data())
@settings(unhurried, max_examples=10)
def test_similarities_move_with_the_pages(column, pages, data):
    order = data.draw(st.permutations(range(len(pages))))
    before = pair_table(analysis_of(*pages), [column]).values[:, 0]
    after = pair_table(analysis_of(*[pages[row] for row in order]), [column]).values[:, 0]
    expected = square(before, len(pages))[np.ix_(order, order)]
    np.testing.assert_allclose(square(after, len(pages)), expected, rtol=1e-6)


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), max_size=5))
@settings(unhurried, max_examples=50)
def test_vectors_are_compared_by_their_angles_about_the_origin_or_their_mean(rows):
    points = np.array(rows, dtype=np.float32).reshape(-1, 2)
    lengths = np.linalg.norm(points, axis=1)
    unit = points / np.where(lengths > 0, lengths, 1)[:, np.newaxis]
    some = unit[lengths > 0]

    def cosine_of(first, second):
        below = np.linalg.norm(first) * np.linalg.norm(second)
        return first @ second / below if below > 1e-6 else 0.0

    mean = some.sum(axis=0) / max(len(some), 1)
    for measure, centre in ((vector_cosine, 0), (centred_cosine, mean)):
        moved = np.where(lengths[:, np.newaxis] > 0, unit - centre, 0)
        expected = [cosine_of(*pair) for pair in combinations(moved, 2)]
        np.testing.assert_allclose(measure(unit), expected, atol=1e-4)


@pytest.mark.parametrize("count", [0, 1, 4])
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
@settings(unhurried, max_examples=10)
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


def test_layers_are_those_that_features_need_profiles_or_not():
    plain = next(each for each in EVERY if Layer.LEMMAS in each.feature.needs)
    for each in (plain, replace(plain, order=3)):
        assert required_layers([each]) == each.feature.needs & set(Layer)
    without = map(parse_similarity, ["profile(dice(content(n=1)))", "linked"])
    assert required_layers(without) == set()


def test_bags_are_made_once_for_all_measures_and_kept():
    columns = list(map(parse_similarity, ["dice(token)", "cosine(token)"]))
    table = pair_table(analysis_of(document("maths", title="tides")), columns)
    token, title, linked = map(feature_by_name, ["token", "title", "linked"])
    assert list(table.bags) == [token]
    assert table.bags_of(token) is table.bags[token]
    assert list(table.bags_of(title).strings) == ["tides"]
    with pytest.raises(FeatureError, match="linked extracts flags"):
        table.bags_of(linked)


@pytest.mark.parametrize("each", [*EVERY, *PROFILES], ids=str)
def test_a_similarity_parses_back(each):
    assert parse_similarity(str(each)) == each


def test_spelling_does_not_matter():
    assert str(parse_similarity(" cosine( ngram(local=true, n=3) ) ")) == (
        "cosine(ngram(n=3, local=true))"
    )
    assert str(parse_similarity(" profile( dice(token(local=false)) )")) == "profile(dice(token))"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("token", "dice(token)"),
        ("dice", "dice(token)"),
        ("dice(token, title)", "dice(token)"),
        ("dice(token, local=true)", "dice(token)"),
        ("dice(linked)", "linked alone"),
        ("embedding", "cosine(embedding), centred_cosine(embedding)"),
        ("dice(embedding)", "cosine, centred_cosine"),
        ("centred_cosine(token)", "dice, cosine"),
        ("dice(tokne)", "token"),
        ("dice(", "write it like"),
        ("profile", "profile(dice(token))"),
        ("profile(token)", "dice(token)"),
        ("profile(dice(tokne))", "token"),
        ("profile(dice(token), linked)", "profile(dice(token))"),
        ("profile(dice(token), n=2)", "profile(dice(token))"),
        ("profile(profile(profile(linked)))", "nest 2 at most"),
        ("dice(profile(token))", "did you mean 'token"),
        ("linked(token)", "choose from dice, cosine"),
        ("jaccard(token)", ", profile"),
    ],
)
def test_what_is_no_similarity_is_refused_with_a_hint(text, hint):
    with pytest.raises(FeatureError) as caught:
        parse_similarity(text)
    assert hint in caught.value.remedy


def test_bags_go_by_dice_and_flags_as_they_are():
    assert str(dice_similarity(feature_by_name("token(local=true)"))) == "dice(token(local=true))"
    assert str(dice_similarity(feature_by_name("linked"))) == "linked"
