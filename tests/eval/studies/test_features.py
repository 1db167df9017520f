"""The study of features: its figures on made-up instances, and its claims on made-up frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_instances import UNKNOWN, made, noisy, resamples
from weps._formatting import format_interval
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient
from weps_eval.ranking.labelled import Combination
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED, SampleSize
from weps_eval.stats import BootstrapSamples, Estimate
from weps_eval.studies.feature_claims import CLAIMS, _judge_ahead
from weps_eval.studies.features import (
    STUDY,
    FeaturesSettings,
    bound_correlation,
    find_frames,
    read_source,
)
from weps_eval.studies.frames import Frame, Frames
from weps_eval.tables import Instances

pytestmark = pytest.mark.usefixtures("any_sample_size", "undrawn")
BETTER, SAME, WORSE = (0.6, 0.58, 0.62), (0.5, 0.5, 0.5), (0.4, 0.38, 0.42)
"""A figure of the groups as they are, and of two resamples."""
ABOUT_SAME, ALONE = (0.52, 0.45, 0.6), (0.6, nan, nan)
HIGH, LOW, WIDE = Estimate(0.9, 0.85, 0.95), Estimate(0.1, 0.05, 0.15), Estimate(0.9, 0.6, 1.0)
TWO = ("here", "there")
Row = Sequence[float]


@pytest.fixture(autouse=True, scope="module")
def few_resamples() -> Iterator[None]:
    """Drawing takes longer than searching."""
    with resamples(100):
        yield


def samples(rows: Sequence[Row]) -> BootstrapSamples:
    return BootstrapSamples(np.array(rows, float).reshape(len(rows), 3))


def frames_with(
    precisions: Mapping[str, Row] | None = None,
    shares: Mapping[str, Estimate] | None = None,
    trees: Mapping[str, tuple[float, float]] | None = None,
    pearson: Estimate = UNKNOWN,
    better: Estimate = UNKNOWN,
    dice: Sequence[Mapping[str, Any]] = (),
    recognisers: tuple[str, ...] = (),
    every: tuple[str, ...] = ("token", "lemma"),
) -> Frames:
    """Frames of measures with these figures; trees have AUC and PWA."""
    ranked = {**dict.fromkeys(shares or {}, SAME), **(precisions or {})}
    areas = trees or {}
    size = SampleSize(6, 60, "names", "positive pairs")
    return Frames(
        {
            "measures": Frame(
                {
                    "measure": list(ranked),
                    "average_precision": samples(list(ranked.values())),
                }
            ),
            "independent": Frame.of_rows(
                [
                    {"measure": measure, "non_redundant": share}
                    for measure, share in (shares or {}).items()
                ]
            ),
            "combinations": Frame(
                {
                    "combination": list(areas),
                    "measures": [every for _ in areas],
                    "tree_auc": samples([[area] * 3 for area, _ in areas.values()]),
                    "tree_pwa": samples([[strict] * 3 for _, strict in areas.values()]),
                }
            ),
            "dice": Frame.of_rows([{**row, "higher": 1, "features": 2} for row in dice]),
        },
        {"": size},
        facts={
            "base": "token",
            "recognisers": recognisers,
            "pearson": pearson,
            "better": better,
            "tested": size,
            "bounds": size,
        },
    )


@each_case(
    ("studied", "word"),
    [
        ({"best": BETTER, "a": WORSE, "b": SAME}, HOLDS),
        ({"best": SAME, "a": SAME}, UNDECIDED),
        ({"best": ABOUT_SAME, "a": SAME, "b": WORSE}, UNDECIDED),
        ({"best": SAME, "a": WORSE, "b": BETTER}, DOES_NOT_HOLD),
        ({"best": SAME, "a": SAME, "b": BETTER}, DOES_NOT_HOLD),
        ({"best": ABOUT_SAME, "a": WORSE, "b": (0.55, 0.56, 0.54)}, UNDECIDED),
        ({"best": ALONE, "a": WORSE}, UNDECIDED),
        ({"best": BETTER}, NOT_STUDIED),
        ({"a": BETTER, "b": SAME}, NOT_STUDIED),
    ],
)
def test_ahead_of_all(studied, word):
    verdict = _judge_ahead("best", ["best", "a", "b", "lost"], frames_with(studied))
    assert verdict.word == word
    assert verdict.figures.endswith("; not studied: lost") == ({"best", "a", "b"} == set(studied))
    assert bool(verdict.figures) == (word != NOT_STUDIED)


@each_case(
    ("precisions", "word", "figures"),
    [
        ({"a": WORSE, "b": BETTER}, DOES_NOT_HOLD, "b: −0.100 (−0.119 to −0.081)"),
        # because of b, though a is further ahead: the interval of a holds 0
        ({"a": (0.56, 0.4, 0.7), "b": (0.54, 0.53, 0.55)}, DOES_NOT_HOLD, "b: −0.040"),
        ({"a": WORSE, "b": (0.48, 0.4, 0.6)}, UNDECIDED, "b: +0.02 "),
    ],
)
def test_the_figures_are_those_of_the_one_that_decides(precisions, word, figures):
    verdict = _judge_ahead("best", ["a", "b"], frames_with({"best": SAME, **precisions}))
    assert verdict.word == word
    assert verdict.figures.startswith(f"average precision of best − {figures}")


Case = Callable[[Row], Frames]
PERSON, BASELINE = "entity(type=person)", "capitalised"
BY_EACH = PERSON, "fine_entity(type=person)"


def features(first: str, *others: str) -> Case:
    """The first has the figures, the others are in the middle."""
    return lambda figures: frames_with({first: figures, **dict.fromkeys(others, SAME)})


def few_or_many(figures: Row) -> Frames:
    """All entities rank 30 % the other way, or 10 %."""
    share = 0.1 if figures == BETTER else 0.3
    return frames_with(
        shares=dict.fromkeys((PERSON, BASELINE), Estimate(share, share - 0.05, share + 0.05))
    )


def baseline_shares(figures: Row) -> Frames:
    """The baseline recogniser ranks more the other way than persons, or less; both about 20 %."""
    shares = (Estimate(0.19, 0.17, 0.21), Estimate(0.1, 0.05, 0.15))
    own, other = shares if figures == BETTER else shares[::-1]
    return frames_with(shares={BASELINE: own, PERSON: other})


def correlations(figures: Row) -> Frames:
    estimate = HIGH if figures == BETTER else LOW
    return frames_with(pearson=estimate, better=estimate)


def trees(first: str, second: str, alike: float = 0.1) -> Case:
    """AUC of the first is as far above that of the second, or far below it; PWA is the same."""

    def case(figures: Row) -> Frames:
        ahead = alike if figures == BETTER else -0.3
        return frames_with(trees={first: (0.5 + ahead, 0.2), second: (0.5, 0.2)})

    return case


def dice(figures: Row) -> Frames:
    ahead = Estimate.from_row(np.array(figures) - SAME)
    return frames_with(
        dice=[{"other": "cosine", "ahead": ahead}, {"other": "overlap", "ahead": HIGH}]
    )


def apart(figures: Row) -> Frames:
    """Persons rank otherwise by the second recogniser, or the same."""
    ranked = {BY_EACH[0]: figures, BY_EACH[1]: SAME if figures == BETTER else WORSE}
    return frames_with(ranked, recognisers=TWO)


def richer(figures: Row) -> Frames:
    """Trees of the second recogniser's types are better than those of the others, or worse."""
    ahead = 0.1 if figures == BETTER else -0.1
    areas = {"all capitalised": 0.6, "all entity": 0.5, "all fine_entity": 0.6 + ahead}
    ranked = dict.fromkeys(("capitalised", "entity(type=event)", "fine_entity(type=time)"), SAME)
    return frames_with(
        ranked, trees={name: (area, 0.2) for name, area in areas.items()}, recognisers=TWO
    )


CASES: tuple[Case, ...] = (
    features("token", "title", "lemma", "token(local=true)"),
    features("ngram(n=2)", "token"),
    features("ngram(n=2)", "ngram(n=3)", "ngram(n=5)"),
    features("token", "phrase"),
    features("token", "entity(type=person)", "fine_entity(type=time)"),
    features("capitalised", "entity(type=person)", "fine_entity(type=time)"),
    few_or_many,
    baseline_shares,
    apart,
    richer,
    correlations,
    trees("non-linguistic", "tokens"),
    trees("all", "non-linguistic", alike=0.01),
    dice,
)
"""For each conclusion, figures that bear it out if they are the better ones."""


def words(frames: Frames) -> dict[str, str]:
    return {claim.text: verdict.word for claim, verdict in STUDY.judge(frames)}


@each_case(("claim", "case"), list(zip(CLAIMS, CASES, strict=True)))
def test_a_claim_holds_or_does_not_and_leaves_the_others_open(claim, case):
    decided = words(case(BETTER))
    assert [text for text, word in decided.items() if word == HOLDS] == [claim.text]
    assert DOES_NOT_HOLD not in decided.values()
    verdict = claim.judge(case(WORSE))
    assert verdict.word == DOES_NOT_HOLD
    assert any(each.isdigit() for each in verdict.figures)
    assert len(claim.text) < 90


def test_what_was_not_studied_is_not_judged():
    assert list(words(frames_with()).values()).count(NOT_STUDIED) == len(CLAIMS) - 1
    assert HOLDS in words(trees("non-linguistic", "tokens")(BETTER)).values()
    assert HOLDS not in words(frames_with(trees={"non-linguistic": (0.6, 0.2)})).values()
    local = frames_with({"capitalised": SAME, "entity(type=person, local=true)": BETTER})
    assert CLAIMS[5].judge(local).word == NOT_STUDIED
    assert HOLDS in words(few_or_many(BETTER)).values()
    both = {"all": (0.2, 0.2), "non-linguistic": (0.8, 0.8)}
    assert CLAIMS[12].judge(frames_with(trees=both)).word != NOT_STUDIED
    plain = frames_with(trees=both, every=("token", "title"))
    assert CLAIMS[12].judge(plain).word == NOT_STUDIED


@each_case(
    ("persons", "locations", "word"),
    [
        (BETTER, SAME, HOLDS),
        (WORSE, SAME, HOLDS),
        (SAME, SAME, DOES_NOT_HOLD),
        (SAME, ABOUT_SAME, UNDECIDED),
        (ALONE, SAME, UNDECIDED),
    ],
)
def test_recognisers_are_compared_type_by_type(persons, locations, word):
    places = "entity(type=location)", "fine_entity(type=location)"
    ranked = dict(zip((*BY_EACH, *places), (persons, SAME, locations, SAME), strict=True))
    verdict = CLAIMS[8].judge(frames_with(ranked, recognisers=TWO))
    assert verdict.word == word
    assert verdict.figures.startswith("average precision by here − by there: person") or (
        verdict.figures.startswith("average precision by here − there: person")
    )
    for one, number in ((apart(BETTER), 8), (richer(BETTER), 9)):
        alone = replace(one, facts={**one.facts, "recognisers": TWO[:1]})
        assert CLAIMS[number].judge(alone).word == CANNOT
        assert "--language-2" in CLAIMS[number].judge(alone).figures


@each_case(
    ("every", "better", "word"),
    [
        (HIGH, HIGH, HOLDS),
        (HIGH, LOW, DOES_NOT_HOLD),
        (LOW, HIGH, DOES_NOT_HOLD),
        (HIGH, WIDE, UNDECIDED),
        (WIDE, HIGH, UNDECIDED),
        (HIGH, UNKNOWN, UNDECIDED),
    ],
)
def test_correlation_is_high_over_all_and_over_the_better_ones(every, better, word):
    verdict = CLAIMS[10].judge(frames_with(pearson=every, better=better))
    assert verdict.word == word
    first = f"all combinations: r = {format_interval(every)}; those no worse than token: r = "
    assert verdict.figures == first + format_interval(better)


def studied(some: Instances, *named: Combination, **settings: Any) -> Frames:
    chosen = FeaturesSettings(**{"combinations": 3, "exhaustive": 2, **settings})
    data = read_source(some, chosen)
    return find_frames(replace(data, combinations=named), chosen)


@pytest.mark.parametrize("base", ["m0", "m2"])
def test_the_base_and_all_are_among_the_combinations(base):
    some = noisy(groups=4, size=10)
    named = (Combination("mine", "set", ("m2", "m1")), Combination("lost", "set", ()))
    found = studied(some, *named, base=base)["combinations"]
    members = dict(zip(found["combination"], found["measures"], strict=True))
    assert (base,) in members.values()
    assert members["all"] == some.measures
    assert members["mine"] == ("m1", "m2")
    assert "lost" not in members
    assert found["combination"][0] == "all"
    assert found["max_pwa"].value[0] == found["max_pwa"].value.max()


@each_case(("base", "independent"), [("token", [BASELINE]), ("ngram(n=2)", [])])
def test_entities_are_compared_with_words_alone(base, independent):
    some = noisy(groups=4, size=10)
    named = replace(some, measures=("token", BASELINE, "ngram(n=2)", *some.measures[3:]))
    assert studied(named, base=base)["independent"].columns.get("measure", []) == independent


@pytest.mark.parametrize(("base", "positive"), [("m9", [1, 0]), ("m0", [0, 0]), ("m0", [1, 1])])
def test_what_cannot_be_ranked_is_refused(base, positive):
    with pytest.raises(ValuesError):
        studied(made([[1, 2]], list(map(bool, positive))), base=base)


@each_case(("exhaustive", "sizes"), [(0, []), (1, []), (2, [2]), (9, [2, 3, 4])])
def test_no_more_is_searched_than_asked_for(exhaustive, sizes):
    best = studied(noisy(groups=2, size=8), exhaustive=exhaustive, combinations=0)["best"]
    assert [len(row["measures"]) for row in best.rows] == sizes


@each_case(
    ("values", "recall"),
    [([3, 1, 0, 0], 0.5), ([3, 1, 1, 2], 1), ([-1, -3, -2, -2], 1), ([0, 0, 0, 0], 0)],
)
def test_recall_ends_before_what_has_nothing_in_common(values, recall):
    found = studied(made([values], [True, False, True, False]), combinations=0)
    assert found["measures"].rows[0]["recall"] == recall


@each_case("kind", [Coefficient.PEARSON, Coefficient.SPEARMAN])
@each_case(
    "figures",
    [
        [],
        [(0.5, 0.25), (0.75, 0.5)],
        [(0.5, 0.25), (0.5, 0.5), (0.5, 0.75)],
        [(0.25, 0.5), (0.5, 0.5), (0.75, 0.5)],
        [(0.1, 0.25), (0.1, 0.5), (0.1, 0.75)],
        [(0.7, 0.7)] * 3,
        [(0.25, 0.3), (0.5, 0.1 + 0.2), (0.75, 0.3)],  # they differ by rounding
    ],
)
def test_there_is_no_correlation_of_too_few_or_without_variation(figures, kind):
    bound, tree = (
        BootstrapSamples(np.tile([[each[at]] for each in figures] or np.empty((0, 1)), 3))
        for at in (0, 1)
    )
    assert np.isnan(bound_correlation(bound, tree, kind)).all()
