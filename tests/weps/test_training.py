"""Examples read and divided, classifiers and stopping rules fitted to them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, square
from weps import training as fitting
from weps.clustering.confidence import PageConfidence
from weps.clustering.dendrogram import (
    LINKAGES,
    STOPPING_KINDS,
    Dendrogram,
    ExpectedF,
    Threshold,
    single_linkage,
)
from weps.coreference.base import Calibration
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import SourceError, ValuesError
from weps.model import Model
from weps.reading import Origin
from weps.records import Clustering
from weps.similarity.columns import derive_similarity, pair_table, parse_similarity
from weps.systems import (
    CONFIGURATIONS,
    RULES,
    Configuration,
    divide_columns,
)
from weps.training import (
    STOPPING_LEARNERS,
    Example,
    HeldOut,
    TrainingSettings,
    answer_example,
    clustering_after,
    divide_examples,
    examples_without,
    fit_classifier,
    judged_pairs,
    learn_threshold,
    make_folds,
    select_rows,
    subsampled_copies,
    train,
)
from weps_eval.clustering.measures import bcubed_f05

COLUMNS = (parse_similarity("dice(token)"), parse_similarity("linked"))


def key_of(*groups: set[int], discarded: tuple[int, ...] = ()) -> Clustering:
    return Clustering(tuple(map(frozenset, groups)), frozenset(discarded))


def example_of(key: Clustering, *probabilities: float, name: str = "n") -> Example:
    """An example whose single column is the probability itself; ranks run from 1."""
    size = int((1 + np.sqrt(1 + 8 * len(probabilities))) / 2) if probabilities else 1
    values = np.array(probabilities, dtype=np.float32).reshape(-1, 1)
    return Example(name, tuple(range(1, size + 1)), COLUMNS[:1], values, key)


def random_example(random: np.random.Generator, size: int, people: int = 3) -> Example:
    """Pages of some people; the first of two columns tells them apart most of the time."""
    person = random.integers(0, people, size)
    first, second = np.triu_indices(size, k=1)
    same = (person[first] == person[second]).astype(np.float64)
    values = np.stack([same * 0.5 + random.random(len(same)) * 0.7, random.random(len(same))], 1)
    groups = [set((np.flatnonzero(person == p) + 1).tolist()) for p in set(person.tolist())]
    ranks = tuple(range(1, size + 1))
    return Example(f"n{size}", ranks, COLUMNS, values.astype(np.float32), key_of(*groups))


def unseen_cases(example: Example) -> tuple[Example, Dendrogram]:
    """The example, judged by its first column."""
    probability = example.values[:, 0].astype(np.float64)
    return example, single_linkage(probability, len(example.ranks))


def exact(given_answer: Clustering, key: Clustering, _ranks: object) -> float:
    """1 for the key itself, 0 for anything else."""
    return float(set(given_answer.groups) == set(key.groups))


WANTED = [parse_similarity(each) for each in ("dice(token)", "overlap(token)", "linked")]
PAGES = [document("tides rise", rank=4), document("moons", rank=9), document("tides rise", rank=2)]


@pytest.fixture
def example() -> Example:
    values = pair_table(analysis_of(*PAGES), WANTED).values
    return Example("T_B", (4, 9, 2), tuple(WANTED), values, key_of({4, 9}, {2}), Origin.LISTED)


@pytest.mark.parametrize("places", [[], [1], [2, 0], [0, 1, 2], [1, 1]])
def test_an_example_is_narrowed_to_what_is_wanted_in_that_order(example, places):
    wanted = [WANTED[place] for place in places]
    narrow = example.with_similarities(wanted)
    assert narrow.similarities == tuple(wanted)
    assert narrow.values.tolist() == example.values[:, places].tolist()
    kept = [(each.name, each.ranks, each.key, each.origin) for each in (narrow, example)]
    assert kept[0] == kept[1]


def test_pairs_are_judged_where_the_key_has_both_pages():
    key = key_of({1, 2}, {2, 3}, discarded=(4,))
    judged, coreferent = example_of(key, *[0.0] * 6).judged()
    expected = {"12": True, "13": False, "14": None, "23": True, "24": None, "34": None}
    assert judged.tolist() == [truth is not None for truth in expected.values()]
    assert coreferent.tolist() == [bool(truth) for truth in expected.values()]


@given(st.integers(0, 40), st.integers(1, 7), st.integers(0, 99))
def test_folds_partition(size, parts, seed):
    made = make_folds(size, parts, seed)
    assert sorted(index for part in made for index in part) == list(range(size))
    assert all(part == sorted(part) for part in made)
    assert len(made) == min(size, parts)
    assert max(map(len, made), default=0) - min(map(len, made), default=0) <= 1
    assert make_folds(size, parts, seed) == made
    assert make_folds(20, 5, seed) != make_folds(20, 5, seed + 1)


MOST = 8
"""More pages of one person no copy has."""
PROFILED = [
    parse_similarity(each)
    for each in (
        *("profile(profile(dice(token)))", "dice(token)", "linked"),
        *("relative(profile(dice(token)))", "profile(dice(token))", "few_pages"),
    )
]


def table_of(pages: list, ranks: list[int]) -> Example:
    ranked = [replace(page, rank=rank) for page, rank in zip(pages, ranks, strict=True)]
    values = pair_table(analysis_of(*ranked), PROFILED).values
    key = key_of(set(ranks))
    return Example("T_B", tuple(ranks), tuple(PROFILED), values, key, Origin.LISTED)


def large(seed: int, size: int = 60, people: int = 3) -> Example:
    return random_example(np.random.default_rng(seed), size, people)


@given(st.lists(documents, max_size=6), st.data())
def test_fewer_rows_are_what_a_search_of_these_pages_alone_would_be(pages, data):
    """Profiles too, though they depend on all pages; the order of columns does not matter."""
    rows = [row for row in range(len(pages)) if data.draw(st.booleans())]
    whole = table_of(pages, [row * 10 for row in range(len(pages))])
    alone = table_of([pages[row] for row in rows], [row * 10 for row in rows])
    found = select_rows(whole, np.array(rows, dtype=np.intp))
    assert found.ranks == alone.ranks
    assert found.similarities == alone.similarities
    assert found.values.dtype == np.float32
    np.testing.assert_allclose(found.values, alone.values, atol=1e-6)


@given(st.integers(0, 10**6), st.integers(10, 60), st.integers(1, 6), st.integers(0, 5))
def test_copies_have_some_pages_of_each_person(seed, size, people, copies):
    example = large(seed, size, people)
    made = subsampled_copies(example, copies, seed)
    assert len(made) <= copies
    for copy in made:
        assert copy.name == example.name
        assert (copy.key, copy.origin) == (example.key, example.origin)
        assert copy.similarities == example.similarities
        assert list(copy.ranks) == sorted(set(copy.ranks) & set(example.ranks))
        assert copy.judged()[0].sum() >= 10
        kept = [len(group & set(copy.ranks)) for group in example.key.groups]
        assert all(1 <= pages <= MOST for pages in kept)
        most = max(kept)
        whole = [len(group) for group in example.key.groups]
        assert kept == [min(pages, most) for pages in whole]
        rows = [rank - 1 for rank in copy.ranks]
        old = square(example.values[:, 0], size)[np.ix_(rows, rows)]
        np.testing.assert_array_equal(square(copy.values[:, 0], len(rows)), old)


def test_a_large_name_gets_as_many_copies_as_are_wanted_of_different_sizes():
    made = subsampled_copies(large(0, people=8), 12, seed=0)
    assert len(made) == 12
    assert len({len(copy.ranks) for copy in made}) >= 4
    assert subsampled_copies(large(0), 0, seed=0) == []


@pytest.mark.parametrize(("judged", "some"), [(9, False), (10, True)])
def test_ten_judged_pages_are_worth_thinning(judged, some):
    example = large(0, 30)
    people = [{rank} for rank in range(1, judged + 1)]
    assert bool(subsampled_copies(replace(example, key=key_of(*people)), 3, 0)) is some


@pytest.mark.parametrize("people", [1, 2])
def test_copies_of_few_pages_are_not_worth_learning_from(people):
    """1, 2 or 3 of one person's pages make fewer than ten pairs, 5 and 8 make enough.

    Nor do they become more if all are about a second person too.
    """
    example = replace(large(0, 40), key=key_of(*[set(range(1, 41))] * people))
    made = subsampled_copies(example, 30, seed=1)
    assert len(made) > 20
    assert {len(copy.ranks) for copy in made} == {5, 8}
    assert len({rank for copy in made for rank in copy.ranks}) > 30


def test_copies_depend_on_the_name_and_the_seed_alone():
    example, other = large(0), replace(large(0), name="another")
    first, again, seed, name, fewer = (
        [(copy.ranks, copy.values.tobytes()) for copy in subsampled_copies(*given)]
        for given in [
            (example, 4, 0),
            (example, 4, 0),
            (example, 4, 1),
            (other, 4, 0),
            (example, 2, 0),
        ]
    )
    assert first == again
    assert first not in (seed, name)
    assert first[:2] == fewer


def test_pages_that_nobody_judged_stay_in_proportion():
    """A copy keeps about as many of 40 judged pages of 4 people as of 40 others."""
    example = replace(
        large(3, 80), key=key_of(*[set(range(first, first + 10)) for first in (1, 11, 21, 31)])
    )
    judged, others = 0, 0
    for seed in range(30):
        for copy in subsampled_copies(example, 4, seed):
            judged += sum(rank <= 40 for rank in copy.ranks)
            others += sum(rank > 40 for rank in copy.ranks)
    assert 0.9 < others / judged < 1.1


def mixed_example(names: str, pages: int) -> Example:
    """An example of the one-letter names, mixed if they are several."""
    components = frozenset(names) if len(names) > 1 else frozenset()
    values = np.zeros((pages * (pages - 1) // 2, 0), np.float32)
    ranks = tuple(range(pages))
    return Example(names, ranks, (), values, key_of(), components=components)


@each_case("parts", [2, 3, 4])
def test_parts_share_no_page(parts):
    examples = [mixed_example(name, 3) for name in "abcdefgh"]
    examples += [mixed_example(*each) for each in (("ab", 5), ("cd", 5), ("abcd", 9), ("xa", 9))]
    divided = divide_examples(examples, parts, seed=1)
    assert len(divided) == parts
    names = [frozenset().union(*(examples[at].names for at in part)) for part in divided]
    for number, part in enumerate(names):
        assert all(part.isdisjoint(other) for other in names[number + 1 :])
        taught = examples_without(examples, divided[number])
        assert all(part.isdisjoint(each.names) for each in taught)
        assert {each.name for each in taught} >= set("abcdefgh") - part
    assert sorted(at for part in divided for at in part) == list(range(len(examples)))


def test_mixed_names_of_several_parts_are_in_none():
    examples = [mixed_example(*each) for each in (("a", 2), ("b", 2), ("c", 2), ("abc", 9))]
    assert sorted(divide_examples(examples, 3, seed=0)) == [[0], [1], [2]]
    assert sorted(divide_examples([*examples, mixed_example("ab", 4)], 3, 0, fewest=2)) == [
        [0, 1, 4],
        [2],
    ]


SIZES = (4, 6, 9, 30)
SILENT = Example("s", (1, 2), COLUMNS, np.ones((1, 2), dtype=np.float32), key_of())


def random_examples(seed: int) -> list[Example]:
    random = np.random.default_rng(seed)
    return [random_example(random, size) for size in SIZES]


@given(st.integers(0, 2**31 - 1))
def test_the_pairs_are_those_judged_and_a_name_s_weight_is_shared_among_them(seed):
    examples = random_examples(seed)
    examples[1] = replace(examples[1], name="k", key=key_of({1, 3}, {2}))
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


@pytest.mark.parametrize("copies", [1, 3])
def test_mixed_names_together_weigh_a_quarter_of_all_others(copies):
    examples = random_examples(1)
    mixed = [replace(each, components=frozenset("ab")) for each in examples[:3]]
    _, _, alone = judged_pairs(examples)
    _, _, weights = judged_pairs([*mixed * copies, *examples])
    of_mixed, others = np.split(weights, [len(weights) - len(alone)])
    assert of_mixed.sum() == pytest.approx(others.sum() / 4)
    assert others / others.sum() == pytest.approx(alone / alone.sum())
    np.testing.assert_array_equal(judged_pairs(mixed)[2], judged_pairs(examples[:3])[2])


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_classifier_is_grown_as_was_chosen(monkeypatch, kind):
    given = {}

    def watching(values, coreferent, weights, **choices):
        given.update(choices, pairs=len(values))
        assert len(values) == len(coreferent) == len(weights)

    chosen = CLASSIFIERS[kind]
    monkeypatch.setattr(chosen, "fit", watching)
    monkeypatch.setattr(fitting, "MOST_PAIRS", 7)
    examples = random_examples(2)
    fit_classifier(kind, examples, seed=11)
    columns = {part: given.pop(part, None) for part in divide_columns(COLUMNS)}
    assert (columns["size_column"] is not None) is (kind == "mean")
    pairs = 6 + 7 + 7 + 7 if kind != "tree" else sum(each.judged()[0].sum() for each in examples)
    assert given == {**chosen.choices, "seed": 11, "pairs": pairs}


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
EXPECTED_F = replace(CONFIGURATIONS["default"], stop="expected-f", by_form=())
EVERY = [
    Configuration("tokens", classifier, link, stop, copies, rules="none")
    for classifier, link, stop, copies in product(CLASSIFIERS, LINKAGES, STOPPING_KINDS, [0, 2])
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
    boosted = {"rounds": 5, "leaves": 3, "leaf": 5, "rate": 0.5, "share_of_columns": 1.0}
    quick = {"tree": {"depth": 4, "leaf": 2}, "boosted": boosted}
    quick |= {"mean": {**boosted, "penalty": 1.0}}
    for kind, choices in quick.items():
        monkeypatch.setattr(CLASSIFIERS[kind], "choices", choices)
    monkeypatch.setattr(fitting, "MOST_PAIRS", 60)


@each_case("odd", [np.nan, np.inf, -np.inf])
@each_case("kind", CLASSIFIERS)
def test_values_that_are_no_numbers_are_refused(kind, odd):
    examples = random_examples(3)
    examples[0].values[:, 1] = odd
    with pytest.raises(ValuesError, match="infinite or NaN") as caught:
        fit_classifier(kind, examples, seed=0)
    assert caught.value.where == "column 1 of the pairs to learn from"
    assert caught.value.remedy


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    random = np.random.default_rng(1)
    return [random_example(random, size) for size in (5, 8, 10, 12, 15, 20)]


def model_of(**changes: object) -> Model:
    """A model that believes the first column and puts together what is more probable than not."""
    made = Model(COLUMNS[:1], Itself(), "single", dict.fromkeys(Origin, Threshold(0.5)))
    return replace(made, **changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "configuration", EVERY[::5], ids=lambda each: "-".join(map(str, each.as_data().values()))
)
def test_configurations_learn_what_they_say(examples, configuration):
    model = train(examples, exact, configuration, COLUMNS, QUICK)
    assert model.similarities == COLUMNS
    assert model.classifier.kind == configuration.classifier
    assert model.linkage == configuration.link
    assert list(model.stopping) == list(Origin)
    kinds = {stop.kind for stop in model.stopping.values()}
    assert kinds == {configuration.stop}
    assert answer_example(examples[3], model).clustering.ranks == set(examples[3].ranks)


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
    train(examples, exact, replace(PAPER, stop=stop, copies=2), COLUMNS, QUICK)
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
def test_a_classifier_learns_from_names_and_their_subsamples(examples, monkeypatch, copies):
    calls = []
    monkeypatch.setattr(fitting, "fit_classifier", lambda *given: calls.append(given) or Itself())
    train(examples, exact, replace(PAPER, copies=copies), COLUMNS, TrainingSettings(seed=7))
    kind, given_examples, seed = calls[-1]
    assert (kind, seed) == ("tree", 7)
    made = [copy for each in examples for copy in subsampled_copies(each, copies, 7)]
    assert bool(made) is (copies > 0)
    pages = [(each.name, each.ranks) for each in [*examples, *made]]
    assert [(each.name, each.ranks) for each in given_examples] == pages


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> Configuration:
    """A configuration with a rule about links, and subsamples."""
    monkeypatch.setitem(RULES, "identity", {"linked": 3.0, "agree(phone)": 1.0})
    return replace(PAPER, copies=2, rules="identity")


def test_what_has_a_rule_is_kept_from_the_classifier_and_added_to_its_log_odds(examples, ruled):
    model = train(examples, exact, ruled, COLUMNS, QUICK)
    narrow = [each.with_similarities(COLUMNS[:1]) for each in examples]
    alone = train(narrow, exact, replace(ruled, rules="none"), COLUMNS[:1], QUICK)
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
                [each.values, derive_similarity(columns[-1], each.values[:, 1], len(each.ranks))]
            ),
        )
        for each in examples
    ]
    model = train(profiled, exact, ruled, columns, QUICK)
    assert model.classifier.seen.tolist() == [0, 2]
    assert model.classifier.ruled.tolist() == [1]


def test_probabilities_are_calibrated_on_judged_pairs_each_name_counting_once(monkeypatch):
    """Names are judged in part, and the forecast is doubtful."""
    random = np.random.default_rng(4)
    examples = []
    for number, size in enumerate(random.integers(4, 25, 90).tolist()):
        example = random_example(random, size, people=9)
        judged = set(range(1, 1 + size * 3 // 4))
        key = key_of(*filter(None, (group & judged for group in example.key.groups)))
        values = example.values[:, :1] / 2 + example.values[:, 1:] / 3
        changes = {"similarities": COLUMNS[:1], "values": values, "key": key}
        examples.append(replace(example, name=f"n{number}", **changes))
    seen: list[tuple[Example, Dendrogram]] = []
    learn = STOPPING_LEARNERS["expected-f"]
    monkeypatch.setattr(fitting, "fit_classifier", lambda *_: Itself())
    monkeypatch.setitem(STOPPING_LEARNERS, "expected-f", lambda u, o: seen.extend(u) or learn(u, o))
    model = train(examples, exact, EXPECTED_F, COLUMNS[:1], QUICK)
    assert model.calibration != Calibration()
    assert model.page_confidence.together != PageConfidence().together
    assert model.page_confidence.alone != PageConfidence().alone
    surplus = []
    for example, dendrogram in seen:
        judged, coreferent = example.judged()
        if judged.any():
            calibrated = model.calibration(dendrogram.probability)
            surplus.append((calibrated - coreferent)[judged].mean())
    assert len(seen) == 90
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
        "page_confidence": PageConfidence((0, 2, 0, 0), (np.log(1 / 2), -1)),
    }
    answer = answer_example(example, model_of(**calibrations))
    assert set(answer.clustering.groups) == {frozenset({1, 2}), frozenset({3})}
    odds = np.exp(-9) * np.array([9, 1 / 9, 1 / 9])
    assert answer.probability == pytest.approx(odds / (1 + odds))
    assert answer.page_confidence == pytest.approx([9 / 10, 9 / 10, 3 / 5])


@pytest.mark.parametrize("size", [0, 1])
def test_a_name_of_hardly_any_pages_is_answered(size):
    values = np.zeros((0, 1), dtype=np.float32)
    example = Example("n", tuple(range(1, size + 1)), COLUMNS[:1], values, key_of())
    answer = answer_example(example, model_of())
    assert answer.clustering.groups == tuple(frozenset({rank}) for rank in example.ranks)
    assert (answer.probability.shape, answer.page_confidence.shape) == ((0,), (size,))


@each_case("count", [0, 1, None])
@some
def test_too_few_names_to_learn_from_are_refused(examples, configuration, count):
    silent = [replace(each, key=key_of()) for each in examples[:3]]
    with pytest.raises(SourceError):
        train(
            examples[:count] if count is not None else silent, exact, configuration, COLUMNS, QUICK
        )


@each_case(
    ("probabilities", "key", "expected"),
    [
        ([(0.75, 0.0, 0.25)], key_of({1, 2, 3}), 0.125),
        ([(0.75, 0.0, 0.25)], key_of({1, 2}, {3}), 0.5),
        ([(0.75, 0.0, 0.25)], key_of({1}, {2}, {3}), 0.875),
        ([(0.3, 0.0, 0.2), (0.9, 0.0, 0.4)], key_of({1, 2}, {3}), 0.65),  # the widest good gap
    ],
)
def test_the_threshold_is_in_the_middle_of_the_best_gap(probabilities, key, expected):
    cases = [unseen_cases(example_of(key, *each)) for each in probabilities]
    assert learn_threshold(cases, exact) == pytest.approx(expected)


@given(st.integers(0, 2**31 - 1))
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


def held_out_names(seed: int, people: int, surplus: float, mixed: bool) -> HeldOut:
    """Names whose pairs are judged too probable by so many logits."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(8):
        example = random_example(random, 16, people)
        odds = 4 * (example.values[:, 0] - 0.6) + surplus
        example = replace(
            example,
            name=f"{people}-{number}",
            values=(1 / (1 + np.exp(-odds)))[:, np.newaxis].astype(np.float32),
            components=frozenset({f"a{number}", f"b{number}"}) if mixed else frozenset(),
        )
        found.append(unseen_cases(example))
    return found


def test_the_prior_of_a_name_depends_on_what_is_known_of_it():
    """Pairs of few people are judged too improbable, those of many people too probable."""
    few, many = held_out_names(0, 2, -0.8, mixed=False), held_out_names(1, 9, 0.8, mixed=True)
    learnt = STOPPING_LEARNERS["expected-f-by-name"]([*few, *many], bcubed_f05)
    rule = learnt[Origin.SEARCH]
    assert learnt == dict.fromkeys(Origin, rule)
    shifts = [np.mean([rule.shift(tree) for _, tree in names]) for names in (few, many)]
    assert shifts[0] > 0.2
    assert shifts[1] < -0.2

    def mean_score(stopping, names):
        answers = (clustering_after(each, tree, stopping.merges(tree)) for each, tree in names)
        pairs = zip(names, answers, strict=True)
        return np.mean([bcubed_f05(given, each.key, each.ranks) for (each, _), given in pairs])

    for names in (few, many):
        assert mean_score(rule, names) > mean_score(ExpectedF(rule.slope, 0.0), names)


def test_mixed_names_weigh_as_much_as_all_others():
    few, many = held_out_names(0, 2, -0.8, mixed=False), held_out_names(0, 2, 0.8, mixed=True)
    once, thrice = (
        STOPPING_LEARNERS["expected-f-by-name"](names, bcubed_f05)[Origin.SEARCH].to_data()
        for names in ([*few, *many], [*few, *many * 3])
    )
    assert once == pytest.approx(thrice)
    assert once["intercept"] != 0


@pytest.mark.parametrize("names", [[], [unseen_cases(example_of(key_of({1})))]])
def test_without_evidence_the_prior_is_not_shifted(names):
    rule = STOPPING_LEARNERS["expected-f-by-name"](names, exact)[Origin.LISTED]
    assert (rule.intercept, rule.people, rule.odds) == (0, 0, 0)
