from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from tests.weps.builders import square, unhurried
from tests.weps.clustering.cases import distinct_probabilities, reordered
from tests.weps.training.cases import COLUMNS, exact, example_of, key_of, random_example
from weps.beliefs import Beliefs, right
from weps.calibration import Calibration
from weps.clustering import LINKS, Dendrogram
from weps.configuration import CONFIGURATIONS, STOPS, Configuration
from weps.coreference import CLASSIFIERS
from weps.errors import SourceError
from weps.forms import Origin
from weps.growing import grow_boosted, grow_forest, grow_tree
from weps.model import Model
from weps.profiles import profile
from weps.records import Clustering
from weps.rules import RULES
from weps.similarity import similarity
from weps.stopping import ExpectedF, Threshold
from weps.training import Example, Settings, answer, learning, train
from weps.training.classifiers import GROWERS, Grower, grow
from weps.training.stops import LEARNERS
from weps.training.thinning import thinned

QUICK = Settings(folds=3, repeats=2)
PAPER = CONFIGURATIONS["paper"]
EVERY = [
    Configuration("tokens", classifier, link, stop, copies, rules="none")
    for classifier, link, stop, copies in product(CLASSIFIERS, LINKS, STOPS, [0, 2])
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
    monkeypatch.setitem(GROWERS, "tree", Grower(grow_tree, {"depth": 4, "leaf": 2}))
    choices = {"rounds": 5, "leaves": 3, "leaf": 5, "rate": 0.5, "share_of_columns": 1.0}
    monkeypatch.setitem(GROWERS, "boosted", Grower(grow_boosted, choices, most_pairs=60))
    choices = {"size": 3, "leaf": 5}
    monkeypatch.setitem(GROWERS, "forest", Grower(grow_forest, choices, most_pairs=60))


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
    learnt = model.classifier.to_data(), model.calibration.to_data(), model.beliefs.to_data()
    return model.similarities, model.link, stopping, learnt


def model_of(**changes: object) -> Model:
    """A model that believes the first column and puts together what is more probable than not."""
    made = Model(COLUMNS[:1], Itself(), "single", dict.fromkeys(Origin, Threshold(0.5)))
    return replace(made, **changes)


@pytest.mark.parametrize(
    "configuration", EVERY, ids=lambda each: "-".join(map(str, each.as_data().values()))
)
def test_every_configuration_learns_what_it_says(examples, configuration):
    model = train(examples, COLUMNS, configuration, exact, QUICK)
    assert model.similarities == COLUMNS
    assert model.classifier.kind == configuration.classifier
    assert model.link == configuration.link
    assert list(model.stopping) == list(Origin)
    kinds = {type(stop) for stop in model.stopping.values()}
    assert kinds == {ExpectedF if configuration.stop == "expected-f" else Threshold}
    told = answer(examples[3], model)
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
    assert pair_agreement(answer(fresh, model).clustering, fresh.key, fresh.ranks) > together


@pytest.mark.parametrize(("stop", "divisions"), [("threshold", 2), ("expected-f", 1)])
def test_what_is_learnt_is_learnt_where_the_classifier_had_not_seen_the_name(
    examples, monkeypatch, stop, divisions
):
    seen, judged = [], []

    def watching_grow(kind: str, rest: list[Example], seed: int):
        seen.append({each.name for each in rest})
        return grow(kind, rest, seed)

    def watching_learner(unseen, objective):
        judged.extend(each.name for each, _ in unseen)
        return LEARNERS["threshold"](unseen, objective)

    monkeypatch.setattr(learning, "grow", watching_grow)
    monkeypatch.setattr(learning, "LEARNERS", {stop: watching_learner})
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
        learning, "grow", lambda kind, given, seed: told.append((kind, given, seed)) or Itself()
    )
    train(examples, COLUMNS, replace(PAPER, copies=copies), exact, Settings(seed=7))
    kind, given_examples, seed = told[-1]
    assert (kind, seed) == ("tree", 7)
    made = [copy for each in examples for copy in thinned(each, copies, 7)]
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
    narrow = [each.narrowed(COLUMNS[:1]) for each in examples]
    alone = train(narrow, COLUMNS[:1], replace(ruled, rules="none"), exact, QUICK)
    assert model.similarities == COLUMNS
    values = np.random.default_rng(2).random((40, 2)).astype(np.float32)
    found, inner = model.classifier.predict(values), alone.classifier.predict(values[:, :1])
    np.testing.assert_allclose(logit(found), logit(inner) + 3 * values[:, 1], atol=1e-6)
    assert model.calibration != alone.calibration  # learnt with the rule, too


def test_profiles_of_what_has_a_rule_stay_with_the_classifier(examples, ruled):
    columns = (*COLUMNS, similarity("profile(linked)"))
    profiled = [
        replace(
            each,
            similarities=columns,
            values=np.column_stack([each.values, profile(each.values[:, 1], len(each.ranks))]),
        )
        for each in examples
    ]
    model = train(profiled, columns, ruled, exact, QUICK)
    assert model.classifier.seen.tolist() == [0, 2]
    assert model.classifier.ruled.tolist() == [1]


def test_the_seed_decides_the_divisions(examples, monkeypatch):
    divisions = {}

    for seed in (0, 1):
        seen = divisions[seed] = []
        monkeypatch.setattr(
            learning,
            "grow",
            lambda _, rest, __, seen=seen: seen.append([each.name for each in rest]) or Itself(),
        )
        train(examples, COLUMNS, PAPER, exact, Settings(seed=seed))
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
    learn = LEARNERS["expected-f"]
    monkeypatch.setattr(learning, "grow", lambda *_: Itself())
    monkeypatch.setitem(LEARNERS, "expected-f", lambda u, o: seen.extend(u) or learn(u, o))
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
    assert model.beliefs.together != Beliefs().together
    assert model.beliefs.alone != Beliefs().alone
    surplus = []
    for example, _ in seen:
        said = answer(example, model)
        clusters = [
            [example.ranks.index(rank) for rank in group] for group in said.clustering.groups
        ]
        member = example.members().astype(int)
        judged = member.any(axis=1)
        if judged.any():
            outcome = right(clusters, member @ member.T > 0, judged)
            surplus.append((said.belief - outcome)[judged].mean())
    assert np.mean(surplus) == pytest.approx(0, abs=1e-3)


def test_an_answer_gives_ranks_and_stops_as_the_origin_does():
    example = replace(example_of(key_of(), 0.1, 0.9, 0.1), ranks=(4, 7, 9))
    model = model_of(stopping={Origin.SEARCH: Threshold(0.5), Origin.LISTED: Threshold(1.1)})
    assert set(answer(example, model).clustering.groups) == {frozenset({4, 9}), frozenset({7})}
    listed = answer(replace(example, origin=Origin.LISTED), model)
    assert set(listed.clustering.groups) == {frozenset({4}), frozenset({7}), frozenset({9})}


def test_an_answer_shows_calibrated_numbers_but_stops_by_the_classifier_s():
    """Odds are squared, so that 3 to 1 is shown as 9 to 1; for pages alone they are halved."""
    example = example_of(key_of(), 3 / 4, 0.25, 0.25)
    calibrations = {
        "calibration": Calibration(2, -9),
        "beliefs": Beliefs((0, 2, 0, 0, 0), (np.log(1 / 2), 0, -1, 0, 0)),
    }
    told = answer(example, model_of(**calibrations))
    assert set(told.clustering.groups) == {frozenset({1, 2}), frozenset({3})}
    odds = np.exp(-9) * np.array([9, 1 / 9, 1 / 9])
    assert told.probability == pytest.approx(odds / (1 + odds))
    assert told.belief == pytest.approx([9 / 10, 9 / 10, 3 / 5])


@given(distinct_probabilities(least=1), st.randoms(use_true_random=False))
@unhurried
def test_answers_move_with_the_pages(case, random):
    size, probability = case
    order = random.sample(range(size), size)
    beliefs = Beliefs((1, 2, -1, 0.5, 3), (-1, 0, -2, 0, 1))
    model = model_of(link="average", calibration=Calibration(2, 1), beliefs=beliefs)
    ranks = tuple(range(10, 10 + size))

    def asked(pairs: np.ndarray, ranks: tuple[int, ...]):
        values = pairs[:, np.newaxis].astype(np.float32)
        return answer(Example("n", ranks, COLUMNS[:1], values, key_of()), model)

    before = asked(probability, ranks)
    after = asked(reordered(probability, order), tuple(ranks[row] for row in order))
    assert set(before.clustering.groups) == set(after.clustering.groups)
    np.testing.assert_allclose(after.belief, before.belief[order], atol=1e-12)
    expected = square(before.probability, size)[np.ix_(order, order)]
    np.testing.assert_allclose(square(after.probability, size), expected, atol=1e-12)


@pytest.mark.parametrize("size", [0, 1])
def test_a_name_of_hardly_any_pages_is_answered(size):
    values = np.zeros((0, 1), dtype=np.float32)
    example = Example("n", tuple(range(1, size + 1)), COLUMNS[:1], values, key_of())
    told = answer(example, model_of())
    assert told.clustering.groups == tuple(frozenset({rank}) for rank in example.ranks)
    assert (told.probability.shape, told.belief.shape) == ((0,), (size,))


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
