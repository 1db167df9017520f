import gzip
import math
from dataclasses import replace
from itertools import combinations
from zipfile import ZipFile

import numpy as np
import pytest
import srsly
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from docs.benchmarks.word_rarity import read_bins, write_table
from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, square
from tests.weps.clustering.cases import tied_probabilities
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import Layer, Marks
from weps.similarity.columns import (
    Pairs,
    SampledPairs,
    Similarity,
    agree,
    centred_cosine,
    condense_matrix,
    condensed_part,
    contradict,
    cosine,
    derive_similarity,
    dice,
    dice_similarity,
    general_idf,
    measures_of,
    overlap,
    pair_position,
    pair_table,
    pairs_between,
    parse_similarity,
    rarity,
    required_layers,
    square_matrix,
    vector_cosine,
)


def compare(measure, bags):
    """The measure of all pairs."""
    pages = bags.counts.shape[0] if isinstance(bags, Bags) else len(bags)
    return measure(bags, Pairs.of_all(pages))


MEASURES = [dice, cosine, overlap, rarity]
BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


@each_case(
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
    assert compare(dice, Bags.of([first, second])) == pytest.approx([expected])


@each_case(
    ("first", "second", "shared", "contradicting"),
    [("", "", 0, 0), ("a", "", 0, 0), ("ab", "bc", 1, 0), ("a", "b", 0, 1), ("aab", "baa", 2, 0)],
)
def test_bags_agree_or_contradict_or_do_not_tell(first, second, shared, contradicting):
    bags = Bags.of([first, second])
    found = [compare(measure, bags).tolist() for measure in (overlap, agree, contradict)]
    assert found == [[shared], [min(shared, 1)], [contradicting]]


# One of two documents holds b and c: idf(b) = 1 + ln(3/2); both hold a: idf(a) = 1 + ln(3/3).
RARE = 1 + math.log(3 / 2)


@each_case(
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
    assert compare(cosine, Bags.of([first, second])) == pytest.approx([expected])


# On Zipf's scale the has 7.7, tide 4.2 and kelp 2.9.
TIDE, KELP = (7.5 - 4.2) ** 2, (7.5 - 2.9) ** 2
TWICE = 1 + math.log(2)


@each_case(
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
    assert compare(rarity, Bags.of([first.split(), second.split()])) == pytest.approx([expected])


@pytest.mark.parametrize("measure", MEASURES)
@given(bags=BAGS)
def test_a_similarity_is_bounded_and_positive_exactly_where_something_is_shared(measure, bags):
    values = compare(measure, Bags.of(bags))
    most = max(map(len, bags), default=0) if measure is overlap else 1
    assert (values <= most + 1e-12).all()
    first, second = np.triu_indices(len(bags), k=1)
    shared = [bool(set(bags[i]) & set(bags[j])) for i, j in zip(first, second, strict=True)]
    assert (values > 0).tolist() == shared
    assert (values >= 0).all()


@pytest.mark.parametrize("measure", [dice, cosine, rarity])
@given(bags=BAGS.filter(len), others=BAGS)
def test_equal_bags_are_fully_similar(measure, bags, others):
    twice = Bags.of([bags[0], bags[0], *others])
    assert compare(measure, twice)[:1] == pytest.approx([1.0 if bags[0] else 0.0])


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), max_size=5))
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
        np.testing.assert_allclose(compare(measure, unit), expected, atol=1e-4)


@each_case(
    ("text", "expected"),
    [
        ("the", 0),
        ("studies", 2.1),
        ("thomas", 2.7),  # which ends like a plural and is counted as one
        ("1987", 6.5),
        ("café", 3.7),
        ("ligament", 4),
        ("averdale", 6.5),
        ("Ligaments", 4),
        ("the ligament of Averdale", 4 + 0.1 + 6.5),
        ("ligament · averdale@averdale", 4 + 6.5 + 6.5),
        ("·", 0),
        ("", 0),
    ],
)
def test_a_text_is_as_rare_as_its_words_together(text, expected):
    assert general_idf([text, text]) == pytest.approx([expected] * 2)


@given(st.lists(st.text()))
def test_the_weight_of_any_text_is_finite_and_at_least_zero(texts):
    found = general_idf(texts)
    assert found.shape == (len(texts),)
    assert ((found >= 0) & np.isfinite(found)).all()


def test_the_table_is_made_from_the_bins_of_wordfreq(tmp_path):
    bins: list[list[str]] = [[] for _ in range(701)]
    bins[200] = ["tide", "tides", "2005"]
    bins[300], bins[645], bins[656] = ["café", "d'oh"], ["kelp"], ["rarity"]
    made = gzip.compress(srsly.msgpack_dumps([{"format": "cB", "version": 1}, *bins]))
    with ZipFile(tmp_path / "wordfreq.whl", "w") as wheel:
        wheel.writestr("wordfreq/data/large_en.msgpack.gz", made)
    write_table(tmp_path / "made.txt", read_bins(tmp_path / "wordfreq.whl"))
    lines = (tmp_path / "made.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line[0] != "#"] == ["7.3 tide", "6 café", "2.5 kelp"]


EVERY = tuple(
    Similarity(each, measure) for each in all_features() for measure in (measures_of(each) or [""])
)
PROFILES = tuple(replace(each, order=order) for order in (2, 3) for each in EVERY[::7])


def test_layers_are_those_that_features_need_profiles_or_not():
    plain = next(each for each in EVERY if Layer.LEMMAS in each.feature.needs)
    for each in (plain, replace(plain, order=3)):
        assert required_layers([each]) == each.feature.needs & set(Layer)
    without = map(parse_similarity, ["profile(dice(content(n=1)))", "linked"])
    assert required_layers(without) == set()


def test_similarities_parse_back():
    assert [each for each in EVERY + PROFILES if parse_similarity(str(each)) != each] == []


def test_spelling_does_not_matter():
    assert str(parse_similarity(" cosine( ngram(local=true, n=3) ) ")) == (
        "cosine(ngram(n=3, local=true))"
    )
    assert str(parse_similarity(" profile( dice(token(local=false)) )")) == "profile(dice(token))"


@each_case(
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


PROFILE = parse_similarity("profile(dice(token))")


@given(tied_probabilities())
def test_a_profile_is_the_cosine_of_rows(case):
    size, similarity = case
    found = derive_similarity(PROFILE, similarity, size)
    np.testing.assert_allclose(found, by_definition(similarity, size), atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    single = derive_similarity(PROFILE, similarity.astype(np.float32), size)
    np.testing.assert_allclose(single, found, atol=1e-6)


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


@pytest.mark.parametrize("beneath", ["dice(token)", "overlap(token)", "same_domain"])
@given(pages=st.lists(documents, max_size=5))
@settings(max_examples=10)
def test_a_column_of_profiles_needs_no_column_beneath(beneath, pages):
    names = [f"profile(profile({beneath}))", beneath, f"profile({beneath})"]
    names.append(f"relative({names[0]})")
    analysis = analysis_of(*pages)
    twice, plain, once, above = pair_table(analysis, list(map(parse_similarity, names))).values.T
    np.testing.assert_allclose(above, twice - (twice.mean() if len(pages) > 1 else 0), atol=1e-6)
    np.testing.assert_allclose(once, derive_similarity(PROFILE, plain, len(pages)), atol=1e-6)
    np.testing.assert_allclose(twice, derive_similarity(PROFILE, once, len(pages)), atol=1e-6)
    alone = pair_table(analysis, [parse_similarity(names[0])]).values[:, 0]
    np.testing.assert_array_equal(alone, twice)


def test_shared_strings_are_kept_of_what_was_compared():
    columns = list(map(parse_similarity, ["dice(token)", "dice(url)", "cosine(token)"]))
    pages = (document("maths at sea", title="tides"), document("maths", title="tides", rank=2))
    table = pair_table(analysis_of(*pages), columns)
    token = feature_by_name("token")
    assert [str(each) for each in table.bags] == ["token", "url"]
    assert list(table.bags[token].strings) == ["maths"]
    assert table.bags[token].counts.toarray().tolist() == [[1], [1]]


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


@given(st.integers(0, 7), st.randoms(use_true_random=False))
def test_condensed_is_the_upper_triangle(size, random):
    half = [random.choice([0, 0, 1.5, 3]) for _ in range(size * (size - 1) // 2)]
    matrix = square(half, size)
    np.fill_diagonal(matrix, 9)
    assert condense_matrix(matrix).tolist() == half


@each_case("size", [2, 3, 7])
def test_pairs_are_where_numpy_puts_them(size):
    rows, columns = np.triu_indices(size, k=1)
    positions = [pair_position(i, j, size) for i, j in zip(rows, columns, strict=True)]
    assert positions == list(range(size * (size - 1) // 2))


@given(st.permutations(range(8)), st.integers(1, 6), st.integers(7, 8))
def test_pairs_between_two_clusters(rows, first, last):
    ours, theirs = np.array(rows[:first]), np.array(rows[first:last])
    expected = [[pair_position(min(a, b), max(a, b), 8) for b in theirs] for a in ours]
    assert pairs_between(ours, theirs, 8).tolist() == expected


@given(st.integers(2, 15), st.sampled_from([0.02, 0.5]), st.randoms(use_true_random=False))
def test_listed_pairs_and_grids_have_the_values_of_all_pairs(size, share, random):
    every = Pairs.of_all(size)
    chosen = [at for at in range(len(every)) if random.random() < share]
    sample = np.array([row for row in range(size) if random.random() < 0.7], dtype=np.int64)
    listed = Pairs(size, every.first[chosen], every.second[chosen], sample)
    grid = SampledPairs.of(size, sample)
    matrix = np.array([[random.randrange(3) for _ in range(4)] for _ in range(size)], dtype=float)
    whole = matrix @ matrix.T
    for pairs in (every, listed, grid):
        expected = whole[pairs.first, pairs.second]
        assert pairs.products(sparse.csr_array(matrix)).tolist() == expected.tolist()
        assert pairs.dense_products(matrix).tolist() == expected.tolist()
        summed = matrix[pairs.first, 0] + matrix[pairs.second, 0]
        assert pairs.combine(np.add, matrix[:, 0]).tolist() == summed.tolist()
    places = listed.positions(every.first, every.second)
    assert places.tolist() == [chosen.index(at) if at in chosen else -1 for at in range(len(every))]
    assert every.positions(every.first, every.second).tolist() == list(range(len(every)))


@given(st.sets(st.integers(0, 6)))
def test_the_pairs_of_some_rows(chosen):
    rows = np.array(sorted(chosen), dtype=np.int64)
    every = Pairs.of_all(7)
    numbers = np.arange(len(every))
    expected = square_matrix(numbers, 7)[np.ix_(rows, rows)]
    assert condensed_part(numbers, rows, 7).tolist() == condense_matrix(expected).tolist()
