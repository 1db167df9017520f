"""B-Cubed, and membership of several clusters."""

from __future__ import annotations

import json
import math
import os
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics

from tests.cases import each_case
from weps._files import resource_path
from weps._formatting import format_score
from weps._version import VERSION
from weps.errors import FeatureError, KeyFileError, ValuesError
from weps.records import Clustering
from weps.sources.opening import open_source
from weps_eval.clustering import measures
from weps_eval.clustering.measures import (
    ALL_MEASURES,
    BASELINES,
    FURTHER_MEASURES,
    MEASURES,
    SCORING_RULES,
    Comparison,
    Neighbours,
    PairConfusion,
    _from_groups,
    _pair_confusion,
    bcubed,
    bcubed_f05,
    bcubed_score,
    f_measure,
    lea_scores,
    mean_scores,
    purity,
    scorer_for,
    standard_errors,
)

ITEMS = st.integers(1, 12)
LABELS = st.integers(-1, 4)


@st.composite
def matrices(draw, items):
    """A clustering of the items, most of them in a few groups, some in many."""
    groups = draw(st.integers(1, 7))
    row = st.lists(st.booleans(), min_size=groups, max_size=groups)
    return np.array(draw(st.lists(row, min_size=items, max_size=items)), dtype=int)


@st.composite
def pairs_of_matrices(draw):
    items = draw(ITEMS)
    answer, key = draw(matrices(items)), draw(matrices(items))
    key[0, 0] = 1  # a key without items has no score
    return answer, key


@st.composite
def pairs_of_labels(draw):
    items = draw(ITEMS)
    labels = st.lists(LABELS, min_size=items, max_size=items)
    answer, key = np.array(draw(labels)), np.array(draw(labels))
    key[0] = max(key[0], 0)
    return answer, key


def bcubed_by_definition(answer, key):
    held = [e for e in range(len(key)) if key[e].any()]
    c = {(e, f): int((answer[e] & answer[f]).sum()) for e in held for f in held}
    k = {(e, f): int((key[e] & key[f]).sum()) for e in held for f in held}

    def mean_over(shared, missing):
        of_items = []
        for e in held:
            met = [f for f in held if shared[e, f]]
            shares = [min(c[e, f], k[e, f]) / shared[e, f] for f in met]
            of_items.append(sum(shares) / len(met) if met else missing)
        return sum(of_items) / len(of_items)

    return mean_over(c, 1.0), mean_over(k, 0.0)


def matrix_score(answer, key):
    return bcubed(sparse.csr_array(answer), sparse.csr_array(key))


def of_labels(labels):
    groups = range(max(labels.max(), 0) + 1)
    return np.array([[int(label == group) for group in groups] for label in labels])


# Two items, each with its row of groups: the pair of different items counts for one half of each
# item's mean, its own pair for the other; both follow min(c, k) / c and min(c, k) / k.
@each_case(
    ("case", "answer", "key", "precision", "recall"),
    [
        ("same groups", [[1], [1]], [[1], [1]], 1, 1),
        ("joined wrongly", [[1], [1]], [[1, 0], [0, 1]], 1 / 2, 1),
        ("torn apart", [[1, 0], [0, 1]], [[1], [1]], 1, 1 / 2),
        ("two categories, one cluster", [[1], [1]], [[1, 1], [1, 1]], 1, 1 / 2),
        ("one category, two clusters", [[1, 1], [1, 1]], [[1], [1]], 1 / 2, 1),
        ("two categories, two clusters", [[1, 1], [1, 1]], [[1, 1], [1, 1]], 1, 1),
        ("one item missing", [[1], [0]], [[1], [1]], 1, 1 / 4),
        ("both missing", [[0], [0]], [[1], [1]], 1, 0),
    ],
)
def test_worked_cases(case, answer, key, precision, recall):
    assert matrix_score(answer, key) == pytest.approx((precision, recall), abs=1e-15), case


@pytest.mark.parametrize("most", [3, 10**6])
@given(pairs_of_matrices())
def test_agrees_with_the_definition(most, pair):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "_PAIRS", most)
        assert matrix_score(*pair) == pytest.approx(bcubed_by_definition(*pair), abs=1e-12)
    assert matrix_score(*pair) == pytest.approx(bcubed_by_definition(*pair), abs=1e-12)
    assert all(0 <= value <= 1 for value in matrix_score(*pair))
    assert matrix_score(pair[1], pair[1]) == (1, 1)


@given(pairs_of_labels())
def test_labels_and_matrices_agree(pair):
    answer, key = pair
    expected = matrix_score(of_labels(answer), of_labels(key))
    assert bcubed(answer, key) == pytest.approx(expected, abs=1e-12)
    assert bcubed(answer, sparse.csr_array(of_labels(key))) == expected


@each_case("groups", [3, 300, 79_000])
def test_labels_and_matrices_agree_on_many_items(groups):
    # 79,000 labels on each side no longer fit 32 bits together.
    answer, key = np.random.default_rng(1).integers(-1, groups, (2, 20_000))
    key = np.where(np.arange(20_000) % 3, answer, key)
    matrix = sparse.csr_array((key >= 0, (np.arange(20_000), np.maximum(key, 0))))
    assert bcubed(answer, key) == pytest.approx(bcubed(answer, matrix), abs=1e-12)


@given(pairs_of_labels(), st.integers(10**6, 2**40), st.randoms(use_true_random=False))
def test_names_of_labels_do_not_matter(pair, offset, random):
    answer, key = pair
    names = [offset + label for label in range(5)]
    random.shuffle(names)
    renamed = np.array([names[label] if label >= 0 else -7 for label in answer])
    assert bcubed(renamed, key) == pytest.approx(bcubed(answer, key), abs=1e-12)


def test_numbers_in_a_matrix_count_as_one_and_explicit_zeros_as_nothing():
    entries = ([2.0, 0.0, 5.0], ([0, 0, 1], [0, 1, 0]))
    weighted = sparse.coo_array(entries, shape=(2, 2))
    assert bcubed(weighted, np.array([3, 3])) == (1, 1)
    assert weighted.nnz == 3, "the caller's matrix stays as it was"


@each_case(
    ("answer", "key", "problem"),
    [
        (np.array([0, 1]), np.array([0, 1, 1]), "2 items in the answer, 3 in the key"),
        (sparse.csr_array((4, 1)), np.array([0, 1, 1]), "4 items in the answer, 3 in the key"),
        (np.array([0, 1]), np.array([-1, -1]), "no item in any group"),
        (np.array([], dtype=int), np.array([], dtype=int), "no item in any group"),
        (np.array([[0, 1]]), np.array([0, 1]), r"shape \(1, 2\)"),
        ([0, None, 1], [0, 1, 1], r"labels are missing \(None or NaN\); give -1"),
        (["a", "nan", "b"], [0.0, np.nan, 1.0], r"labels are missing"),
    ],
)
def test_what_cannot_be_scored_is_refused(answer, key, problem):
    with pytest.raises(KeyFileError, match=problem):
        bcubed(answer, key)


@each_case(
    ("name", "groups"),
    [
        ("all_in_one", ({2, 5, 9},)),
        ("one_in_one", ({2}, {5}, {9})),
        ("combined", ({2, 5, 9}, {2}, {5}, {9})),
    ],
)
def test_groups_of_each_baseline(name, groups):
    assert BASELINES[name]([9, 2, 5]).groups == groups
    assert BASELINES[name](()).groups == ()


def test_every_measure_of_a_worked_case():
    found = Comparison([{1, 2, 3}], [{1, 2}, {3}])
    expected = {
        "bcubed_precision": 5 / 9,
        "bcubed_recall": 1,
        "bcubed_f05": 2 / (9 / 5 + 1),
        "bcubed_f02": 1 / (0.2 * 9 / 5 + 0.8),
        "purity": 2 / 3,
        "inverse_purity": 1,
        "purity_f05": 0.8,
        "purity_f02": 1 / (0.2 * 3 / 2 + 0.8),
        "rand": 1 / 3,
        "jaccard": 1 / 3,
        "fowlkes_mallows": 1 / 3**0.5,
    }
    values = {name: declared.value(found) for name, declared in MEASURES.items()}
    assert list(values) == list(expected)
    assert values == pytest.approx(expected)


labelled = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=9)


@given(labelled.filter(lambda pairs: any(true >= 0 for true, _ in pairs)))
def test_the_score_of_labels_is_that_of_their_groups(pairs):
    true, answer = zip(*pairs, strict=True)
    key, groups = (
        [{item for item, each in enumerate(labels) if each == label} for label in {*labels} - {-1}]
        for labels in (true, answer)
    )
    found = Comparison(groups, key).bcubed
    assert bcubed_score(true, answer) == pytest.approx(f_measure(*found, 0.5))
    assert bcubed_score(true, answer, alpha=0.2) == pytest.approx(f_measure(*found, 0.2))


@each_case("kind", [str, float, bytes, bool])
def test_labels_of_any_type_are_scored(kind):
    names = {str: "abc", float: (0.5, 1.5, 2.5), bytes: (b"a", b"b", b"c"), bool: (False, True)}[
        kind
    ]
    true, answer = [names[0], names[0], names[1]], [names[1], names[1], names[0]]
    assert bcubed_score(true, answer) == 1
    assert bcubed_score(np.array(true), [0, 0, 0]) == pytest.approx(2 / (9 / 5 + 1))


@each_case(
    ("words", "fault"),
    [
        (([0], [0, 1]), KeyFileError),
        (([-1], [0]), KeyFileError),
        (([[0]], [0]), KeyFileError),
        (([0], [[0], [0, 1]]), ValuesError),
    ],
)
def test_labels_that_cannot_be_scored_are_refused(words, fault):
    with pytest.raises(fault):
        bcubed_score(*words)
    with pytest.raises(ValuesError, match="alpha"):
        bcubed_score([0], [0], alpha=2)


@given(*[st.just(0.0) | st.floats(1e-6, 1)] * 3)
def test_f_lies_between_its_parts(precision, recall, alpha):
    value = f_measure(precision, recall, alpha)
    if precision and recall:
        low, high = sorted((precision, recall))
        assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9)
    else:
        assert value == 0
    assert f_measure(recall, precision, 1 - alpha) == pytest.approx(value, rel=1e-6)


UNORDERED = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=5)


def counts(answer, key):
    return _pair_confusion(Neighbours.of(*_from_groups(answer, key)))


def shares(pairs):
    return pairs.rand, pairs.jaccard, pairs.fowlkes_mallows


def one_by_one(answer, key):
    counted = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in combinations(sorted(set().union(*key)), 2):
        together = (any({*pair} <= set(group) for group in side) for side in (answer, key))
        counted[tuple(together)] += 1
    return PairConfusion(*counted.values())


@given(UNORDERED, UNORDERED.filter(bool))
def test_agrees_with_counting_one_by_one(answer, key):
    found = counts(answer, key)
    assert found == one_by_one(answer, key)
    assert all(0 <= share <= 1 for share in shares(found))
    assert shares(counts(key, key)) == (1, 1, 1)


@each_case(
    ("pairs", "expected"),
    [
        (PairConfusion(2, 1, 3, 4), (6 / 10, 2 / 6, 2 / sqrt(3 * 5))),
        (PairConfusion(0, 0, 3, 7), (7 / 10, 0, 1)),
        (PairConfusion(0, 3, 0, 7), (7 / 10, 0, 1)),
        (PairConfusion(0, 1, 1, 0), (0, 0, 0)),
        (PairConfusion(0, 0, 0, 5), (1, 1, 1)),
        (PairConfusion(0, 0, 0, 0), (1, 1, 1)),
    ],
)
def test_measures_of_counts(pairs, expected):
    assert shares(pairs) == pytest.approx(expected)


def by_definition(answer, key):
    size = sum(map(len, answer))
    best = sum(max((len(group & other) for other in key), default=0) for group in answer)
    return best / size if size else 0


@given(UNORDERED, UNORDERED)
def test_agrees_with_the_definition_and_swaps(answer, key):
    assume(any((*answer, *key)))
    found = purity(*_from_groups(answer, key))
    assert found == (by_definition(answer, key), by_definition(key, answer))
    assert purity(*_from_groups(key, answer)) == found[::-1]
    assert all(0 <= value <= 1 for value in found)


KEY = Clustering((frozenset({1, 2}), frozenset({3})), discarded=frozenset({7, 8}))
RESULTS = (1, 2, 3, 7, 8)

GROUPS = st.lists(st.frozensets(st.integers(0, 12), min_size=1), max_size=5)
CLUSTERINGS = st.builds(
    Clustering, GROUPS.map(tuple), st.frozensets(st.integers(0, 12), max_size=4)
)


def clustering(*groups):
    return Clustering(tuple(map(frozenset, groups)))


@each_case(
    ("rule", "answer", "name", "weps1", "weps2"),
    [
        ("perfect", [{1, 2}, {3}], "bcubed_f05", 1, 1),
        ("missing alone", [{1, 2}], "bcubed_precision", 1, 1),
        ("missing alone is found by 1.2", [{1, 2}], "bcubed_recall", 2 / 3, 1),
        ("missing together", [{3}], "bcubed_recall", 1 / 3, 1),
        ("missing together, wrongly", [{1}], "bcubed_precision", 1, 2 / 3),
        ("missing together, wrongly: recall", [{1}], "bcubed_recall", 1 / 6, 2 / 3),
        ("nothing grouped", [], "bcubed_precision", 1, 5 / 9),
        ("nothing grouped: recall", [], "bcubed_recall", 0, 1),
        ("discarded in the answer", [{1, 2, 7, 8}, {3}], "bcubed_precision", 1, 1),
        ("discarded lowers purity in 1.1", [{1, 2, 7, 8}, {3}], "purity", 3 / 5, 1),
        ("missing vanishes from purity in 1.1", [{1, 2}], "purity", 1, 1),
        ("missing lowers inverse purity in 1.1", [{1, 2}], "inverse_purity", 2 / 3, 1),
        ("unknown documents lower purity in 1.1", [{1, 2}, {3, 55}], "purity", 3 / 4, 1),
        ("pairs are those of the key", [{1, 2, 7}, {3, 8, 55}], "rand", 1, 1),
    ],
)
def test_rules(rule, answer, name, weps1, weps2):
    found = [
        SCORING_RULES[which].scores(clustering(*answer), KEY, RESULTS)[name]
        for which in ("weps1", "weps2")
    ]
    assert found == pytest.approx([weps1, weps2]), rule


def test_weps2_treats_what_the_answer_discards_as_missing():
    answer = Clustering((frozenset({1, 2}),), discarded=frozenset({3}))
    expected = SCORING_RULES["weps2"].scores(clustering({1, 2}, {3}), KEY, RESULTS)
    assert SCORING_RULES["weps2"].scores(answer, KEY, RESULTS) == expected


def test_weps2_keeps_corpus_documents_only_and_makes_one_person_of_forgotten_ones():
    key = clustering({1, 2, 30}, {31}, {3})
    assert SCORING_RULES["weps1"].documents(KEY, ()) == {1, 2, 3}  # whatever the corpus holds
    assert SCORING_RULES["weps2"].documents(key, (1, 2, 3, 4, 5)) == {1, 2, 3, 4, 5}
    scores = SCORING_RULES["weps2"].scores(clustering({1, 2}, {3}, {4, 5}), key, (1, 2, 3, 4, 5))
    assert set(scores.values()) == {1.0}


@pytest.mark.parametrize("which", SCORING_RULES)
def test_no_answer_scores_zero_and_a_key_without_documents_cannot_score(which):
    assert SCORING_RULES[which].scores(None, KEY, RESULTS) == dict.fromkeys(MEASURES, 0.0)
    with pytest.raises(KeyFileError, match="no document to score"):
        SCORING_RULES[which].scores(clustering({1}), Clustering((), frozenset({1, 2})), (1, 2))


@pytest.mark.parametrize("which", SCORING_RULES)
@given(key=CLUSTERINGS, results=st.frozensets(st.integers(0, 12)))
def test_the_key_scores_one_by_its_own_rules(which, key, results):
    persons = SCORING_RULES[which].persons(key, results)
    if persons:
        scores = SCORING_RULES[which].scores(Clustering(tuple(persons)), key, results)
        assert scores == dict.fromkeys(MEASURES, 1.0)


@pytest.mark.parametrize("which", SCORING_RULES)
@given(answer=CLUSTERINGS, order=st.randoms(use_true_random=False))
def test_order_of_groups_and_shift_of_ranks_change_nothing(which, answer, order):
    shuffled = order.sample(answer.groups, len(answer.groups))
    moved = [frozenset(rank + 100 for rank in group) for group in shuffled]
    key = clustering({101, 102}, {103})
    expected = SCORING_RULES[which].scores(answer, clustering({1, 2}, {3}), range(13))
    found = SCORING_RULES[which].scores(Clustering(tuple(moved)), key, range(100, 113))
    assert found == pytest.approx(expected, abs=1e-12)


SCORES = {
    "A": {"purity": 0.2, "rand": 1.0},
    "B": {"purity": 0.4, "rand": 1.0},
    "C": {"purity": 0.9, "rand": 1.0},
}


def test_means_over_names_with_their_standard_errors():
    deviation = math.sqrt((0.3**2 + 0.1**2 + 0.4**2) / 2)
    assert mean_scores(SCORES) == pytest.approx({"purity": 0.5, "rand": 1.0})
    assert standard_errors(SCORES) == pytest.approx({"purity": deviation / math.sqrt(3), "rand": 0})
    assert all(math.isnan(value) for value in standard_errors({"A": SCORES["A"]}).values())
    assert mean_scores({}) == standard_errors({}) == {}


DEMO = open_source(resource_path("demo"))


@pytest.mark.parametrize(
    ("which", "missing"), [("weps1", "precision-1-recall-0"), ("weps2", "one-cluster")]
)
def test_a_signature_states_how_a_score_was_made(which, missing):
    assert scorer_for(DEMO, which).signature(DEMO, DEMO.names) == (
        f"bcubed:extended|scorer:{which}|missing:{missing}|mean:names|names:1"
        f"|corpus:sha256-{DEMO.digest(DEMO.names)[:8]}|weps:{VERSION}"
    )


def test_a_corpus_is_scored_by_its_own_scorer_unless_another_is_named(tmp_path):
    for folder in ("description_files", "truth_files"):  # the least that is a WePS-1 corpus
        (tmp_path / folder).mkdir()
    text = '<corpus search_string="Ada Lovell"><doc rank="0" url="http://a.example/"/></corpus>'
    (tmp_path / "description_files" / "Ada_Lovell.xml").write_text(text)
    weps1 = open_source(tmp_path)
    found = [scorer_for(DEMO), scorer_for(weps1), scorer_for(weps1, "weps2")]
    assert [each.name for each in found] == ["weps2", "weps1", "weps2"]
    with pytest.raises(FeatureError, match="weps9: unknown scorer; choose from weps1, weps2"):
        scorer_for(weps1, "weps9")


def test_the_objective_ignores_what_the_key_discards():
    key = Clustering((frozenset({1, 2}), frozenset({3})), discarded=frozenset({4}))
    assert bcubed_f05(clustering({1, 2}, {3, 4}), key, [1, 2, 3, 4]) == pytest.approx(1.0)


CORPORA = {"weps1": "weps-1/test", "weps2": "weps-2"}
OFFICIAL = {
    "BEP": "bcubed_precision",
    "BER": "bcubed_recall",
    "FMeasure_0.5_BEP-BER": "bcubed_f05",
    "FMeasure_0.2_BEP-BER": "bcubed_f02",
    "P": "purity",
    "IP": "inverse_purity",
    "FMeasure_0.5_P-IP": "purity_f05",
    "FMeasure_0.2_P-IP": "purity_f02",
    "PR": "rand",
    "PJ": "jaccard",
    "PM": "fowlkes_mallows",
}
AVERAGE = "Average"


def golden_files():
    """What stands under WEPS_DATA, asked for before any test runs so that each case is a test."""
    folder = Path(os.environ.get("WEPS_DATA") or "-").resolve() / "golden"
    files = {which: folder / f"{which}_scorer.json" for which in CORPORA}
    return {
        which: json.loads(file.read_text(encoding="utf-8"))["cases"]
        for which, file in files.items()
        if file.is_file()
    }


GOLDEN = golden_files()
CASES = [(which, system) for which, systems in GOLDEN.items() for system in systems]
source = cache(open_source)


@cache
def score(corpora, which, system, name):
    """Our scores of one golden answer; a baseline's answer is ours to make."""
    scorer, corpus = SCORING_RULES[which], source(corpora / CORPORA[which])
    key, results = corpus.key(name), corpus.ranks(name)
    clusters = GOLDEN[which][system][name].get("clusters")
    if clusters is None:
        baseline = BASELINES[system.lower().removesuffix("_baseline")]
        answer = baseline(scorer.documents(key, results))
    else:
        answer = Clustering(tuple(map(frozenset, clusters)))
    return scorer.scores(answer, key, results)


def scores_of(corpora, which, system, name):
    if name != AVERAGE:
        return score(corpora, which, system, name)
    names = [each for each in GOLDEN[which][system] if each != AVERAGE]
    return mean_scores({each: score(corpora, which, system, each) for each in names})


@pytest.mark.parametrize(("which", "system"), CASES or [pytest.param("", "", id="no golden files")])
def test_prints_what_the_official_scorer_prints(weps_data, which, system):
    assert CASES, f"no golden files under {weps_data}"
    for name, case in GOLDEN[which][system].items():
        ours = scores_of(weps_data / "corpora", which, system, name)
        printed = {measure: format_score(ours[OFFICIAL[measure]]) for measure in case["scores"]}
        official = {measure: f"{value:.2f}" for measure, value in case["scores"].items()}
        assert printed == official, name


@pytest.mark.parametrize("which", CORPORA)
def test_every_name_and_every_measure_is_tried(weps_data, which):
    names = {*source(weps_data / "corpora" / CORPORA[which]).names, AVERAGE}
    assert GOLDEN[which], "systems"
    for system, cases in GOLDEN[which].items():
        assert set(cases) == names, system
        assert all(set(case["scores"]) <= set(OFFICIAL) for case in cases.values())
    assert set(OFFICIAL.values()) == set(MEASURES)


TWELVE = ("12345", "67", "89abc")


@each_case(
    ("answer", "values"),
    [
        # Luo (2005), table 1: MUC, B-Cubed, CEAF by entities.
        (("12345", "6789abc"), (0.947, 0.865, 0.733)),
        (("1234589abc", "67"), (0.947, 0.737, 0.667)),
        (("123456789abc",), (0.900, 0.545, 0.294)),
        (tuple("123456789abc"), (0.0, 0.400, 0.178)),
    ],
)
def test_measures_of_coreference_are_as_published(answer, values):
    found = Comparison(*([set(map(ord, group)) for group in side] for side in (answer, TWELVE)))
    names = ("muc", "bcubed_f05", "ceaf_e", "conll")
    expected = [*values, np.mean(values)]
    assert [ALL_MEASURES[name].value(found) for name in names] == pytest.approx(expected, abs=5e-4)


@each_case(
    ("answer", "key", "precision", "recall"),
    [
        # Moosavi and Strube (2016), section 3; e, which the answer lacks, is by itself.
        ("ab cd fg", "abc defg", (2 + 0 + 2) / 7, (3 * 1 / 3 + 4 * 1 / 6) / 7),
        ("ab cd fghi", "abc defghi", (2 + 0 + 4) / 9, (3 * 1 / 3 + 6 * 6 / 15) / 9),
        ("a b", "a b", 1, 1),
        ("a b", "ab", 0, 0),
        ("ab", "a b", 0, 0),
    ],
)
def test_lea_counts_links_that_are_resolved(answer, key, precision, recall):
    sides = ([set(map(ord, group)) for group in side.split()] for side in (answer, key))
    assert lea_scores(Comparison(*sides).table) == pytest.approx((precision, recall))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_further_measures_are_those_of_scikit_learn(pairs):
    answer, key = zip(*pairs, strict=True)
    groups = [
        [{i for i, at in enumerate(side) if at == label} for label in set(side)]
        for side in (answer, key)
    ]
    found = Comparison(*groups)
    theirs = {
        "ari": metrics.adjusted_rand_score,
        "homogeneity": metrics.homogeneity_score,
        "completeness": metrics.completeness_score,
        "v_measure": metrics.normalized_mutual_info_score,
    }
    for name, function in theirs.items():
        assert ALL_MEASURES[name].value(found) == pytest.approx(function(key, answer), abs=1e-9)


@given(UNORDERED, UNORDERED.filter(bool))
@example([{0}] * 4 + [{0, 1}], [set(range(9))])
def test_further_measures_keep_their_bounds(answer, key):
    for name, measure in FURTHER_MEASURES.items():
        assert -1e-9 - (name == "ari") <= measure.value(Comparison(answer, key)) <= 1 + 1e-9
