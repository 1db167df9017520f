import gzip
import math
from dataclasses import replace
from itertools import combinations
from zipfile import ZipFile

import numpy as np
import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st

from docs.benchmarks.word_rarity import read_bins, write_table
from tests.cases import each_case
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import Layer
from weps.similarity.columns import (
    Similarity,
    agree,
    centred_cosine,
    contradict,
    cosine,
    dice,
    dice_similarity,
    general_idf,
    measures_of,
    overlap,
    parse_similarity,
    rarity,
    required_layers,
    tf_idf,
    vector_cosine,
)
from weps.similarity.pairs import Pairs


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


def test_tf_idf_of_three_documents():
    weights = tf_idf(Bags.of(["aab", "ac", "a"])).toarray()
    rare = 1 + math.log(4 / 2)
    assert weights == pytest.approx(np.array([[2, rare, 0], [1, 0, rare], [1, 0, 0]]))


@each_case("measure", MEASURES)
@each_case(("bags", "pairs"), [([], 0), (["a"], 0), ([""], 0), (["", "", ""], 3)])
def test_without_shared_evidence_every_similarity_is_zero(measure, bags, pairs):
    assert compare(measure, Bags.of(bags)).tolist() == [0.0] * pairs


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


def test_bags_go_by_dice_and_flags_as_they_are():
    assert str(dice_similarity(feature_by_name("token(local=true)"))) == "dice(token(local=true))"
    assert str(dice_similarity(feature_by_name("linked"))) == "linked"
