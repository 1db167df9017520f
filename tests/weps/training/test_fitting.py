from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit
from sklearn.tree import DecisionTreeClassifier

from tests.weps.builders import smoothed, square, unhurried
from tests.weps.clustering.cases import distinct_probabilities, reordered
from tests.weps.training.cases import (
    COLUMNS,
    exact,
    example_of,
    key_of,
    random_example,
    unseen_cases,
)
from weps.clustering.confidence import PageConfidence, correctly_placed
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import LINKAGES
from weps.clustering.stopping import ExpectedF, Threshold
from weps.coreference.base import Calibration
from weps.coreference.rules import CLASSIFIERS
from weps.errors import SourceError
from weps.model import Model
from weps.page_forms import Origin
from weps.records import Clustering
from weps.similarity import parse_similarity, second_order_similarity
from weps.systems import CONFIGURATIONS, RULES, STOPPING_METHODS, Configuration
from weps.training import fitting
from weps.training.examples import Example, TrainingSettings, subsampled_copies
from weps.training.fitting import (
    FITTERS,
    STOPPING_LEARNERS,
    Fitter,
    HeldOut,
    answer_example,
    clustering_after,
    fit_classifier,
    judged_pairs,
    learn_threshold,
    pair_weight,
    train,
)
from weps.training.learners import fit_boosted, fit_forest, fit_tree

SIZES = (4, 6, 9, 30)
SILENT = Example("s", (1, 2), COLUMNS, np.ones((1, 2), dtype=np.float32), key_of())


def random_examples(seed: int) -> list[Example]:
    random = np.random.default_rng(seed)
    return [random_example(random, size) for size in SIZES]


def test_every_kind_grows_what_it_is_called():
    assert set(FITTERS) == set(CLASSIFIERS)
    for kind in FITTERS:
        assert type(fit_classifier(kind, random_examples(0), seed=0)) is CLASSIFIERS[kind]


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_the_pairs_are_those_judged_and_a_name_s_weight_is_shared_among_them(seed):
    random = np.random.default_rng(seed)
    examples = [random_example(random, size) for size in SIZES]
    examples[1] = Example("k", *_half_judged(examples[1]))
    values, coreferent, weights = judged_pairs(examples)
    expected = [example.values[example.judged()[0]] for example in examples]
    np.testing.assert_array_equal(values, np.concatenate(expected))
    truth = [example.judged()[1][example.judged()[0]] for example in examples]
    np.testing.assert_array_equal(coreferent, np.concatenate(truth))
    assert weights.mean() == pytest.approx(1)
    ends = np.cumsum([len(part) for part in expected])[:-1]
    for part in np.split(weights, ends):
        assert part == pytest.approx(part[0])
        assert part[0] / weights[0] == pytest.approx(np.sqrt(len(expected[0]) / len(part)))


def _half_judged(example: Example) -> tuple[object, ...]:
    return example.ranks, example.similarities, example.values, key_of({1, 3}, {2})


@pytest.mark.parametrize(("judged", "weight"), [(0, 1), (1, 1), (4, 1 / 2), (10_000, 1 / 100)])
def test_a_pair_weighs_less_the_more_there_are(judged, weight):
    assert pair_weight(judged) == pytest.approx(weight)


@pytest.mark.parametrize("most", [1, 5, 15, 10_000])
def test_a_name_of_more_pairs_than_are_taken_keeps_its_weight(most):
    examples = random_examples(1)
    every, _, weights = judged_pairs(examples)
    some, _, taken = judged_pairs(examples, most, seed=3)
    pairs = [size * (size - 1) // 2 for size in SIZES]
    kept = [min(count, most) for count in pairs]
    assert len(some) == sum(kept)
    whole = np.array([part.sum() for part in np.split(weights, np.cumsum(pairs)[:-1])])
    thin = np.array([part.sum() for part in np.split(taken, np.cumsum(kept)[:-1])])
    assert thin / thin.sum() == pytest.approx(whole / whole.sum())
    assert {*map(tuple, some.tolist())} <= {*map(tuple, every.tolist())}
    assert len({*map(tuple, some.tolist())}) == len(some)


def test_the_values_taken_keep_their_truth():
    """Column 0 is 1 for coreferent pairs and 0 for others."""
    examples = []
    for example in random_examples(1):
        values = example.values.copy()
        values[:, 0] = example.judged()[1]
        examples.append(Example("n", example.ranks, COLUMNS, values, example.key))
    values, coreferent, _ = judged_pairs(examples, 12, seed=0)
    np.testing.assert_array_equal(values[:, 0] > 0, coreferent)


def test_which_pairs_are_taken_depends_on_the_seed_alone():
    first, again, other = (judged_pairs(random_examples(1), 9, seed)[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_a_tree_is_what_scikit_learn_grows_on_these_pairs(seed):
    examples = random_examples(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FITTERS, "tree", Fitter(fit_tree, {"depth": 4, "leaf": 2}))
        tree = fit_classifier("tree", examples, seed=5)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=2, random_state=5)
    reference.fit(*judged_pairs(examples))
    pairs = np.random.default_rng(seed).random((50, 2)).astype(np.float32)
    np.testing.assert_allclose(tree.predict(pairs), smoothed(reference, pairs), atol=1e-12)


@pytest.mark.parametrize("kind", FITTERS)
def test_a_classifier_is_grown_as_was_chosen(monkeypatch, kind):
    told = {}

    def watching(values, coreferent, weights, **choices):
        told.update(choices, pairs=len(values))
        assert len(values) == len(coreferent) == len(weights)

    chosen = FITTERS[kind]
    monkeypatch.setitem(FITTERS, kind, Fitter(watching, chosen.choices, most_pairs=7))
    fit_classifier(kind, random_examples(2), seed=11)
    assert told == {**chosen.choices, "seed": 11, "pairs": 6 + 7 + 7 + 7}


@pytest.mark.parametrize(
    ("key", "coreferent"), [(key_of({1, 2, 3}), True), (key_of({1}, {2}, {3}), False)]
)
@pytest.mark.parametrize(("kind", "most"), [("tree", 1 / 5), ("boosted", 1 / 5), ("forest", 1 / 3)])
def test_three_pairs_of_one_kind_leave_some_doubt(kind, most, key, coreferent):
    """As if one more of either kind had been seen; trees of a forest have seen one to three."""
    classifier = fit_classifier(kind, [example_of(key, 0.1, 0.5, 0.9)], seed=0)
    (found,) = classifier.predict(np.zeros((1, 1), dtype=np.float32))
    doubt = 1 - found if coreferent else found
    assert 1 / 5 - 1e-6 < doubt < most + 1e-6


@pytest.mark.parametrize("kind", FITTERS)
def test_the_same_pairs_grow_the_same_classifier_and_silent_names_change_nothing(kind):
    known = random_examples(0)
    data = [
        fit_classifier(kind, each, seed=0).to_data() for each in (known, known, [*known, SILENT])
    ]
    assert data[0] == data[1] == data[2]


@pytest.mark.parametrize("examples", [[], [SILENT], [SILENT, SILENT]])
@pytest.mark.parametrize(
    "learn", [judged_pairs, partial(fit_classifier, "tree", seed=0)], ids=["pairs", "tree"]
)
def test_without_judged_pairs_there_is_nothing_to_learn_from(learn, examples):
    with pytest.raises(SourceError, match="there are no training pairs") as caught:
        learn(examples)
    assert caught.value.remedy


QUICK = TrainingSettings(folds=3, repeats=2)
PAPER = CONFIGURATIONS["paper"]
EVERY = [
    Configuration("tokens", classifier, link, stop, copies, rules="none")
    for classifier, link, stop, copies in product(CLASSIFIERS, LINKAGES, STOPPING_METHODS, [0, 2])
]
some = pytest.mark.parametrize(
    "configuration", [PAPER, replace(PAPER, copies=2), EVERY[-1]], ids=["paper", "copies", "last"]
)


class Itself:
    """A classifier whose judgement is the first column."""

    kind = "itself"

    def predict(self, values: np.ndarray) -> np.ndarray:
        return values[:, 0].astype(np.float64)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classifiers that are grown in no time and learn from few pairs."""
    monkeypatch.setitem(FITTERS, "tree", Fitter(fit_tree, {"depth": 4, "leaf": 2}))
    choices = {"rounds": 5, "leaves": 3, "leaf": 5, "rate": 0.5, "share_of_columns": 1.0}
    monkeypatch.setitem(FITTERS, "boosted", Fitter(fit_boosted, choices, most_pairs=60))
    choices = {"size": 3, "leaf": 5}
    monkeypatch.setitem(FITTERS, "forest", Fitter(fit_forest, choices, most_pairs=60))


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    random = np.random.default_rng(1)
    return [random_example(random, size) for size in (5, 8, 10, 12, 15, 20)]


def pair_agreement(given_answer: Clustering, key: Clustering, ranks: tuple[int, ...]) -> float:
    """Share of pairs on which answer and key agree (Rand)."""

    def matrix(clustering: Clustering) -> np.ndarray:
        return np.array(
            [[any({a, b} <= g for g in clustering.groups) for a in ranks] for b in ranks]
        )

    return float((matrix(given_answer) == matrix(key)).mean())


def in_data(model: Model) -> tuple[object, ...]:
    stopping = {origin: (stop.kind, stop.to_data()) for origin, stop in model.stopping.items()}
    learnt = (
        model.classifier.to_data(),
        model.calibration.to_data(),
        model.page_confidence.to_data(),
    )
    return model.similarities, model.linkage, stopping, learnt


def model_of(**changes: object) -> Model:
    """A model that believes the first column and puts together what is more probable than not."""
    made = Model(COLUMNS[:1], Itself(), "single", dict.fromkeys(Origin, Threshold(0.5)))
    return replace(made, **changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "configuration", EVERY, ids=lambda each: "-".join(map(str, each.as_data().values()))
)
def test_every_configuration_learns_what_it_says(examples, configuration):
    model = train(examples, COLUMNS, configuration, exact, QUICK)
    assert model.similarities == COLUMNS
    assert model.classifier.kind == configuration.classifier
    assert model.linkage == configuration.link
    assert list(model.stopping) == list(Origin)
    kinds = {type(stop) for stop in model.stopping.values()}
    assert kinds == {ExpectedF if configuration.stop == "expected-f" else Threshold}
    told = answer_example(examples[3], model)
    assert told.clustering.ranks == set(examples[3].ranks)


@some
def test_the_same_examples_train_the_same_model(examples, configuration):
    first, second = (train(examples, COLUMNS, configuration, exact, QUICK) for _ in range(2))
    assert in_data(first) == in_data(second)


@some
def test_training_tells_people_apart(examples, configuration):
    model = train(examples, COLUMNS, configuration, pair_agreement, QUICK)
    fresh = random_example(np.random.default_rng(9), 15)
    together = pair_agreement(key_of(set(fresh.ranks)), fresh.key, fresh.ranks)
    assert (
        pair_agreement(answer_example(fresh, model).clustering, fresh.key, fresh.ranks) > together
    )


@pytest.mark.parametrize(("stop", "divisions"), [("threshold", 2), ("expected-f", 1)])
def test_what_is_learnt_is_learnt_where_the_classifier_had_not_seen_the_name(
    examples, monkeypatch, stop, divisions
):
    seen, judged = [], []

    def watching_grow(kind: str, rest: list[Example], seed: int):
        seen.append({each.name for each in rest})
        return fit_classifier(kind, rest, seed)

    def watching_learner(unseen, objective):
        judged.extend(each.name for each, _ in unseen)
        return STOPPING_LEARNERS["threshold"](unseen, objective)

    monkeypatch.setattr(fitting, "fit_classifier", watching_grow)
    monkeypatch.setattr(fitting, "STOPPING_LEARNERS", {stop: watching_learner})
    train(examples, COLUMNS, replace(PAPER, stop=stop, copies=2), exact, QUICK)
    names = {each.name for each in examples}
    *rest, final = seen
    assert final == names
    assert len(rest) == 3 * divisions
    held_out = [sorted(names - each) for each in rest]
    assert sorted(name for part in held_out for name in part) == sorted([*names] * divisions)
    assert sorted(judged) == sorted([*names] * divisions)
    if divisions > 1:
        assert held_out[:3] != held_out[3:]


@pytest.mark.parametrize("copies", [0, 3])
def test_a_classifier_learns_from_names_and_their_thinned_copies(examples, monkeypatch, copies):
    told = []
    monkeypatch.setattr(
        fitting,
        "fit_classifier",
        lambda kind, given, seed: told.append((kind, given, seed)) or Itself(),
    )
    train(examples, COLUMNS, replace(PAPER, copies=copies), exact, TrainingSettings(seed=7))
    kind, given_examples, seed = told[-1]
    assert (kind, seed) == ("tree", 7)
    made = [copy for each in examples for copy in subsampled_copies(each, copies, 7)]
    assert bool(made) is (copies > 0)
    pages = [(each.name, each.ranks) for each in [*examples, *made]]
    assert [(each.name, each.ranks) for each in given_examples] == pages


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> Configuration:
    """A configuration with a rule about links, and thinned copies."""
    monkeypatch.setitem(RULES, "identity", {"linked": 3.0, "agree(phone)": 1.0})
    return replace(PAPER, copies=2, rules="identity")


def test_what_has_a_rule_is_kept_from_the_classifier_and_added_to_its_log_odds(examples, ruled):
    model = train(examples, COLUMNS, ruled, exact, QUICK)
    narrow = [each.with_similarities(COLUMNS[:1]) for each in examples]
    alone = train(narrow, COLUMNS[:1], replace(ruled, rules="none"), exact, QUICK)
    assert model.similarities == COLUMNS
    values = np.random.default_rng(2).random((40, 2)).astype(np.float32)
    found, inner = model.classifier.predict(values), alone.classifier.predict(values[:, :1])
    np.testing.assert_allclose(logit(found), logit(inner) + 3 * values[:, 1], atol=1e-6)
    assert model.calibration != alone.calibration  # learnt with the rule, too


def test_profiles_of_what_has_a_rule_stay_with_the_classifier(examples, ruled):
    columns = (*COLUMNS, parse_similarity("profile(linked)"))
    profiled = [
        replace(
            each,
            similarities=columns,
            values=np.column_stack(
                [each.values, second_order_similarity(each.values[:, 1], len(each.ranks))]
            ),
        )
        for each in examples
    ]
    model = train(profiled, columns, ruled, exact, QUICK)
    assert model.classifier.inner_columns.tolist() == [0, 2]
    assert model.classifier.rule_columns.tolist() == [1]


def test_the_seed_decides_the_divisions(examples, monkeypatch):
    divisions = {}

    for seed in (0, 1):
        seen = divisions[seed] = []
        monkeypatch.setattr(
            fitting,
            "fit_classifier",
            lambda _, rest, __, seen=seen: seen.append([each.name for each in rest]) or Itself(),
        )
        train(examples, COLUMNS, PAPER, exact, TrainingSettings(seed=seed))
    assert len(divisions[0]) == len(divisions[1]) == 5 * 3 + 1
    parts = [{tuple(part) for part in divisions[seed][:-1]} for seed in (0, 1)]
    assert not parts[0] <= parts[1]


def forecaster(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Example], list]:
    """Names that nobody judged whole, with a doubtful forecast, and what a learner gets to see."""
    random = np.random.default_rng(4)
    told = []
    for number, size in enumerate(random.integers(4, 25, 90).tolist()):
        example = random_example(random, size, people=9)
        judged = set(range(1, 1 + size * 3 // 4))
        key = key_of(*filter(None, (group & judged for group in example.key.groups)))
        values = example.values[:, :1] / 2 + example.values[:, 1:] / 3
        changes = {"similarities": COLUMNS[:1], "values": values, "key": key}
        told.append(replace(example, name=f"n{number}", **changes))
    seen: list[tuple[Example, Dendrogram]] = []
    learn = STOPPING_LEARNERS["expected-f"]
    monkeypatch.setattr(fitting, "fit_classifier", lambda *_: Itself())
    monkeypatch.setitem(STOPPING_LEARNERS, "expected-f", lambda u, o: seen.extend(u) or learn(u, o))
    return told, seen


def test_probabilities_are_calibrated_on_judged_pairs_each_name_counting_once(monkeypatch):
    told, seen = forecaster(monkeypatch)
    model = train(told, COLUMNS[:1], CONFIGURATIONS["default"], exact, QUICK)
    assert model.calibration != Calibration()
    surplus = []
    for example, dendrogram in seen:
        judged, coreferent = example.judged()
        if judged.any():
            calibrated = model.calibration(dendrogram.probability)
            surplus.append((calibrated - coreferent)[judged].mean())
    assert len(seen) == 90
    assert np.mean(surplus) == pytest.approx(0, abs=1e-3)


def test_beliefs_are_learnt_from_the_answers_each_name_counting_once(monkeypatch):
    told, seen = forecaster(monkeypatch)
    configuration = replace(CONFIGURATIONS["default"], link="average", copies=0)
    model = train(told, COLUMNS[:1], configuration, exact, QUICK)
    assert model.page_confidence.together != PageConfidence().together
    assert model.page_confidence.alone != PageConfidence().alone
    surplus = []
    for example, _ in seen:
        said = answer_example(example, model)
        clusters = [
            [example.ranks.index(rank) for rank in group] for group in said.clustering.groups
        ]
        member = example.members().astype(int)
        judged = member.any(axis=1)
        if judged.any():
            outcome = correctly_placed(clusters, member @ member.T > 0, judged)
            surplus.append((said.page_confidence - outcome)[judged].mean())
    assert np.mean(surplus) == pytest.approx(0, abs=1e-3)


def test_an_answer_gives_ranks_and_stops_as_the_origin_does():
    example = replace(example_of(key_of(), 0.1, 0.9, 0.1), ranks=(4, 7, 9))
    model = model_of(stopping={Origin.SEARCH: Threshold(0.5), Origin.LISTED: Threshold(1.1)})
    assert set(answer_example(example, model).clustering.groups) == {
        frozenset({4, 9}),
        frozenset({7}),
    }
    listed = answer_example(replace(example, origin=Origin.LISTED), model)
    assert set(listed.clustering.groups) == {frozenset({4}), frozenset({7}), frozenset({9})}


def test_an_answer_shows_calibrated_numbers_but_stops_by_the_classifier_s():
    """Odds are squared, so that 3 to 1 is shown as 9 to 1; for pages alone they are halved."""
    example = example_of(key_of(), 3 / 4, 0.25, 0.25)
    calibrations = {
        "calibration": Calibration(2, -9),
        "page_confidence": PageConfidence((0, 2, 0, 0, 0), (np.log(1 / 2), 0, -1, 0, 0)),
    }
    told = answer_example(example, model_of(**calibrations))
    assert set(told.clustering.groups) == {frozenset({1, 2}), frozenset({3})}
    odds = np.exp(-9) * np.array([9, 1 / 9, 1 / 9])
    assert told.probability == pytest.approx(odds / (1 + odds))
    assert told.page_confidence == pytest.approx([9 / 10, 9 / 10, 3 / 5])


@given(distinct_probabilities(least=1), st.randoms(use_true_random=False))
@unhurried
def test_answers_move_with_the_pages(case, random):
    size, probability = case
    order = random.sample(range(size), size)
    beliefs = PageConfidence((1, 2, -1, 0.5, 3), (-1, 0, -2, 0, 1))
    model = model_of(linkage="average", calibration=Calibration(2, 1), page_confidence=beliefs)
    ranks = tuple(range(10, 10 + size))

    def asked(pairs: np.ndarray, ranks: tuple[int, ...]):
        values = pairs[:, np.newaxis].astype(np.float32)
        return answer_example(Example("n", ranks, COLUMNS[:1], values, key_of()), model)

    before = asked(probability, ranks)
    after = asked(reordered(probability, order), tuple(ranks[row] for row in order))
    assert set(before.clustering.groups) == set(after.clustering.groups)
    np.testing.assert_allclose(after.page_confidence, before.page_confidence[order], atol=1e-12)
    expected = square(before.probability, size)[np.ix_(order, order)]
    np.testing.assert_allclose(square(after.probability, size), expected, atol=1e-12)


@pytest.mark.parametrize("size", [0, 1])
def test_a_name_of_hardly_any_pages_is_answered(size):
    values = np.zeros((0, 1), dtype=np.float32)
    example = Example("n", tuple(range(1, size + 1)), COLUMNS[:1], values, key_of())
    told = answer_example(example, model_of())
    assert told.clustering.groups == tuple(frozenset({rank}) for rank in example.ranks)
    assert (told.probability.shape, told.page_confidence.shape) == ((0,), (size,))


@pytest.mark.parametrize("count", [0, 1])
@some
def test_too_few_names_to_learn_from_is_said(examples, configuration, count):
    with pytest.raises(SourceError):
        train(examples[:count], COLUMNS, configuration, exact, QUICK)


@some
def test_names_without_judged_pairs_are_too_few_to_learn_from(configuration):
    silent = [example_of(key_of(), 0.5, 0.5, 0.5, name=name) for name in "abc"]
    with pytest.raises(SourceError):
        train(silent, COLUMNS[:1], configuration, exact, QUICK)


ALL = np.inf


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        (key_of({1, 2, 3}), 0.0, 0.3),
        (key_of({1, 2}, {3}), 0.3, 0.9),
        (key_of({1}, {2}, {3}), 0.9, ALL),
    ],
)
def test_the_threshold_lies_in_the_gap_that_gives_the_best_answer(key, low, high):
    example = example_of(key, 0.9, 0.1, 0.3)
    assert low < learn_threshold([unseen_cases(example)], exact) < high


def test_the_threshold_stands_in_the_middle_of_its_gap():
    example = example_of(key_of({1, 2}, {3}), 0.75, 0.0, 0.25)
    assert learn_threshold([unseen_cases(example)], exact) == pytest.approx(0.5)


def test_the_widest_of_equally_good_gaps_is_preferred():
    narrow = example_of(key_of({1, 2}, {3}), 0.3, 0.0, 0.2)
    wide = example_of(key_of({1, 2}, {3}), 0.9, 0.0, 0.4)
    assert learn_threshold([unseen_cases(narrow), unseen_cases(wide)], exact) == pytest.approx(0.65)


def test_each_name_counts_once_in_the_threshold():
    many = [unseen_cases(example_of(key_of({1, 2}), 0.4)) for _ in range(2)]
    large = unseen_cases(example_of(key_of(*[{rank} for rank in range(1, 7)]), *[0.6] * 15))
    assert learn_threshold([*many, large], exact) < 0.4


def test_every_threshold_is_as_good_where_nothing_merges():
    assert 0 < learn_threshold([], exact) <= 1
    assert 0 < learn_threshold([unseen_cases(example_of(key_of({1})))], exact) <= 1


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_no_other_threshold_is_better(seed):
    random = np.random.default_rng(seed)
    examples = [unseen_cases(random_example(random, size)) for size in (3, 4, 5)]

    def total(level: float) -> float:
        return sum(
            exact(clustering_after(each, tree, Threshold(level).merges(tree)), each.key, each.ranks)
            for each, tree in examples
        )

    every = {merge.probability for _, tree in examples for merge in tree.merges} | {2.0}
    assert total(learn_threshold(examples, exact)) == max(map(total, every))


def test_the_objective_is_asked_about_answer_key_and_pages():
    asked = []
    example, tree = unseen_cases(example_of(key_of({1, 2}, {3}), 0.75, 0.0, 0.25))
    learn_threshold([(example, tree)], lambda *each: asked.append(each) or 0.0)
    answers = [
        {*given.groups} for given, key, ranks in asked if (key, ranks) == (example.key, (1, 2, 3))
    ]
    whole, two, three = (
        {*map(frozenset, groups)} for groups in ([{1, 2, 3}], [{1, 2}, {3}], [{1}, {2}, {3}])
    )
    assert sorted(map(len, answers)) == [1, 2, 3]
    assert all(each in answers for each in (whole, two, three))


@pytest.mark.parametrize(
    ("merges", "groups"), [(0, [{4}, {7}, {9}]), (1, [{4, 9}, {7}]), (2, [{4, 7, 9}])]
)
def test_an_answer_is_made_of_ranks(merges, groups):
    example, tree = unseen_cases(example_of(key_of(), 0.1, 0.9, 0.2))
    given_answer = clustering_after(replace(example, ranks=(4, 7, 9)), tree, merges)
    assert set(given_answer.groups) == set(map(frozenset, groups))


def names_of(searched: int, listed: int) -> HeldOut:
    """Names found by search, best told apart at 0.3, and listed ones, best at 0.6."""
    wide = [example_of(key_of({1, 2}, {3}), 0.4, 0.0, 0.2, name=f"s{i}") for i in range(searched)]
    narrow = [example_of(key_of({1, 2}, {3}), 0.7, 0.0, 0.5, name=f"l{i}") for i in range(listed)]
    return [
        *map(unseen_cases, wide),
        *(unseen_cases(replace(each, origin=Origin.LISTED)) for each in narrow),
    ]


@pytest.mark.parametrize(
    ("searched", "listed", "expected"),
    [
        (9, 5, {Origin.SEARCH: 0.3, Origin.LISTED: 0.6}),
        (9, 4, {Origin.SEARCH: 0.3, Origin.LISTED: 0.3}),
        (4, 9, {Origin.SEARCH: 0.6, Origin.LISTED: 0.6}),
        (5, 9, {Origin.SEARCH: 0.3, Origin.LISTED: 0.6}),
        (9, 0, {Origin.SEARCH: 0.3, Origin.LISTED: 0.3}),
    ],
)
def test_five_names_of_an_origin_teach_its_threshold_else_all_do(searched, listed, expected):
    learnt = STOPPING_LEARNERS["threshold-by-origin"](names_of(searched, listed), exact)
    assert {origin: stop.level for origin, stop in learnt.items()} == pytest.approx(expected)


def test_one_name_judged_again_and_again_is_one_name():
    (once,) = names_of(0, 1)
    learnt = STOPPING_LEARNERS["threshold-by-origin"]([*names_of(20, 0), *[once] * 9], exact)
    assert learnt[Origin.LISTED].level == pytest.approx(0.3)


@pytest.mark.parametrize(("searched", "listed", "level"), [(9, 5, 0.3), (5, 9, 0.6)])
def test_one_threshold_is_learnt_from_all_names(searched, listed, level):
    learnt = STOPPING_LEARNERS["threshold"](names_of(searched, listed), exact)
    assert [stop.level for stop in learnt.values()] == pytest.approx([level] * len(Origin))


def test_expected_f_learns_nothing():
    learn = STOPPING_LEARNERS["expected-f"]
    assert learn([], exact) == learn(names_of(6, 6), exact)
    (stop,) = set(learn([], exact).values())
    assert isinstance(stop, ExpectedF)
    assert stop.slope > 1
    assert (stop.shift, stop.alpha) == (0, 0.5)


@pytest.mark.parametrize("name", STOPPING_LEARNERS)
def test_every_origin_has_a_stopping_decision(name):
    assert list(STOPPING_LEARNERS[name](names_of(6, 0), exact)) == list(Origin)
