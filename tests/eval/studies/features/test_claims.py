from collections.abc import Callable
from dataclasses import replace
from math import nan

import numpy as np
import pytest

from eval.report.claims import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED, Claim
from eval.stats.estimate import Estimate
from eval.studies.features.claims import CLAIMS, TABLE_1, Studied, ahead_of_all, assess_claims
from eval.studies.features.findings import Findings
from eval.studies.features.rankings import SimilarityComparison
from tests.eval.studies.features.made_up import (
    BETTER,
    SAME,
    UNKNOWN,
    WORSE,
    bound_of,
    findings_with,
    ranking,
    rivals_with,
)
from weps._formatting import format_interval

ABOUT_SAME = (0.52, 0.45, 0.6)
ALONE = (0.6, nan, nan)
"""One group: nothing to draw anew."""


@pytest.mark.parametrize(
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
def test_ahead_of_all(studied: dict[str, tuple[float, ...]], word: str) -> None:
    found = ahead_of_all(findings_with(precisions=studied), "best", ["best", "a", "b", "lost"])
    assert found.word == word


def test_verdicts_tell_the_figure_that_matters_most() -> None:
    some = findings_with(precisions={"best": SAME, "a": WORSE, "b": BETTER})
    told = ahead_of_all(some, "best", ["a", "b"]).figures
    assert told == "average precision of best − b: −0.100 (−0.119 to −0.081)"


def test_the_figures_are_those_of_the_one_that_decides() -> None:
    """It does not hold because of b, though a is further ahead: the interval of a holds 0."""
    precisions = {"best": SAME, "a": (0.56, 0.4, 0.7), "b": (0.54, 0.53, 0.55)}
    verdict = ahead_of_all(findings_with(precisions=precisions), "best", ["a", "b"])
    assert verdict.word == DOES_NOT_HOLD
    assert "of best − b: −0.040" in verdict.figures
    close = {"best": SAME, "a": WORSE, "b": (0.48, 0.4, 0.6)}
    verdict = ahead_of_all(findings_with(precisions=close), "best", ["a", "b"])
    assert verdict.word == UNDECIDED
    assert "of best − b: +0.020" in verdict.figures


def test_what_was_not_studied_is_told_beside_the_verdict() -> None:
    some = findings_with(precisions={"best": BETTER, "a": WORSE})
    told = ahead_of_all(some, "best", ["lost", "best", "a", "gone"]).figures
    assert told.endswith("; not studied: lost, gone")
    assert "not studied" not in ahead_of_all(some, "best", ["best", "a"]).figures


def test_verdicts_of_what_is_not_studied_tell_no_figure() -> None:
    assert ahead_of_all(findings_with(precisions={}), "best", ["a"]).figures == ""


Figures = tuple[float, ...]
Case = Callable[[Figures], tuple[Findings, SimilarityComparison]]
NO_RIVALS = rivals_with(SAME, SAME, SAME)
HIGH, LOW, WIDE = Estimate(0.9, 0.85, 0.95), Estimate(0.1, 0.05, 0.15), Estimate(0.9, 0.6, 1.0)


def features(first: str, *others: str) -> Case:
    """The first has the figures, the others are in the middle."""
    return lambda figures: (
        findings_with(precisions={first: figures, **dict.fromkeys(others, SAME)}),
        NO_RIVALS,
    )


def shares(figures: Figures) -> tuple[Findings, SimilarityComparison]:
    """Entities that rank 30 % the other way, or 10 %."""
    share = 0.1 if figures == BETTER else 0.3
    found = Estimate(share, share - 0.05, share + 0.05)
    rankings = {
        each: ranking(each, *SAME, non_redundant=found)
        for each in ("entity(type=person)", "capitalised")
    }
    return replace(findings_with(), rankings=rankings), NO_RIVALS


def baseline_shares(figures: Figures) -> tuple[Findings, SimilarityComparison]:
    """The baseline recogniser ranks more the other way than persons, or less; both about 20 %."""
    more, less = Estimate(0.19, 0.17, 0.21), Estimate(0.1, 0.05, 0.15)
    own, other = (more, less) if figures == BETTER else (less, more)
    rankings = {
        "capitalised": ranking("capitalised", *SAME, non_redundant=own),
        "entity(type=person)": ranking("entity(type=person)", *SAME, non_redundant=other),
    }
    return replace(findings_with(), rankings=rankings), NO_RIVALS


def correlations(figures: Figures) -> tuple[Findings, SimilarityComparison]:
    return correlated(*([HIGH] * 2 if figures == BETTER else [LOW] * 2)), NO_RIVALS


def correlated(every: Estimate, better: Estimate) -> Findings:
    return findings_with(pearson=every, among_better=better)


def trees(first: str, second: str, alike: float = 0.1) -> Case:
    """AUC of the first is as far above that of the second, or far below it; PWA is the same."""

    def case(figures: Figures) -> tuple[Findings, SimilarityComparison]:
        ahead = alike if figures == BETTER else -0.3
        areas = {first: [0.5 + ahead] * 3, second: [0.5] * 3}
        bounds = [bound_of(name, [0.9] * 3, [0.2] * 3, areas[name]) for name in areas]
        return findings_with(bounds), NO_RIVALS

    return case


def dice(figures: Figures) -> tuple[Findings, SimilarityComparison]:
    return findings_with(), rivals_with(figures, SAME, WORSE)


CASES: tuple[Case, ...] = (
    features("token", "title", "lemma", "token(local=true)"),
    features("ngram(n=2)", "token"),
    features("ngram(n=2)", "ngram(n=3)", "ngram(n=5)"),
    features("token", "phrase"),
    features("token", "entity(type=person)", "fine_entity(type=time)"),
    features("capitalised", "entity(type=person)", "fine_entity(type=time)"),
    shares,
    baseline_shares,
    correlations,
    trees("non-linguistic", "tokens"),
    trees("all", "non-linguistic", alike=0.01),
    dice,
)
"""For each conclusion, figures that bear it out if they are the better ones."""
both_ways = pytest.mark.parametrize(
    ("conclusion", "case"), list(zip(CLAIMS, CASES, strict=True)), ids=range(len(CASES))
)


@both_ways
def test_a_conclusion_holds_or_does_not(conclusion: Claim[Studied], case: Case) -> None:
    assert conclusion.judge(case(BETTER)).word == HOLDS
    verdict = conclusion.judge(case(WORSE))
    assert verdict.word == DOES_NOT_HOLD
    assert any(each.isdigit() for each in verdict.figures)


@both_ways
def test_the_figures_of_one_conclusion_leave_the_others_open(
    conclusion: Claim[Studied], case: Case
) -> None:
    decided = [
        each.text
        for each, verdict in assess_claims(*case(BETTER))
        if verdict.word in (HOLDS, DOES_NOT_HOLD)
    ]
    assert decided == [conclusion.text]


def test_what_was_not_studied_is_not_judged() -> None:
    words = {each.text: verdict.word for each, verdict in assess_claims(findings_with(), NO_RIVALS)}
    unstudied = [claim for claim, word in words.items() if word == NOT_STUDIED]
    assert len(unstudied) == len(CLAIMS) - 2
    assert set(words.values()) == {NOT_STUDIED, UNDECIDED}


@pytest.mark.parametrize("missing", ["non-linguistic", "tokens"])
def test_trees_of_one_set_alone_are_not_compared(missing: str) -> None:
    found, rivals = trees("non-linguistic", "tokens")(BETTER)
    left = [each for each in found.bounds if each.combination.name != missing]
    words = [
        verdict.word for _, verdict in assess_claims(replace(found, bounds=tuple(left)), rivals)
    ]
    assert HOLDS not in words


def test_redundancy_is_judged_with_words_only() -> None:
    found, rivals = shares(BETTER)
    other = replace(found, plan=replace(found.plan, base="ngram(n=2)"))
    assert HOLDS in [verdict.word for _, verdict in assess_claims(found, rivals)]
    assert HOLDS not in [verdict.word for _, verdict in assess_claims(other, rivals)]


def test_the_baseline_is_compared_with_types_on_the_whole_page_only() -> None:
    found = findings_with(
        precisions={"capitalised": SAME, "entity(type=person, local=true)": BETTER}
    )
    assert CLAIMS[5].judge((found, NO_RIVALS)).word == NOT_STUDIED


@pytest.mark.parametrize(
    ("rivals", "word", "told"),
    [
        (rivals_with(BETTER, WORSE, SAME), HOLDS, "dice − overlap"),
        (rivals_with(SAME, WORSE, SAME), UNDECIDED, "dice − overlap"),
        (rivals_with(SAME, BETTER, WORSE), DOES_NOT_HOLD, "dice − cosine"),
    ],
)
def test_dice_is_held_against_the_better_of_the_others(
    rivals: SimilarityComparison, word: str, told: str
) -> None:
    verdict = CLAIMS[-1].judge((findings_with(), rivals))
    assert verdict.word == word
    assert told in verdict.figures


def test_dice_is_not_judged_where_nothing_is_compared_by_it() -> None:
    nothing = SimilarityComparison((), ("dice", "cosine", "overlap"), np.empty((0, 3, 0)))
    assert CLAIMS[-1].judge((findings_with(), nothing)).word == NOT_STUDIED


@pytest.mark.parametrize(
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
def test_correlation_is_high_over_all_and_over_the_better_ones(
    every: Estimate, better: Estimate, word: str
) -> None:
    verdict = CLAIMS[8].judge((correlated(every, better), NO_RIVALS))
    assert verdict.word == word
    told = f"all combinations: r = {format_interval(every)}; those no worse than token: r = "
    assert verdict.figures == told + format_interval(better)


def test_trees_are_judged_by_auc_and_their_pwa_is_told() -> None:
    """In PWA the order is the other way round."""
    sets = [("non-linguistic", 0.1, 0.8), ("tokens", 0.4, 0.6)]
    found = findings_with([bound_of(name, [0.9] * 3, [p] * 3, [a] * 3) for name, p, a in sets])
    verdict = CLAIMS[9].judge((found, NO_RIVALS))
    assert verdict.word == HOLDS
    assert verdict.figures == (
        "non-linguistic − tokens: AUC +0.200 (+0.200 to +0.200), PWA −0.300 (−0.300 to −0.300)"
    )


def test_claims_are_told_apart_and_say_where_they_stand() -> None:
    assert len({each.text for each in CLAIMS}) == len(CLAIMS)
    assert all(each.source.startswith("section 4.") for each in CLAIMS)
    assert all(each.rule for each in CLAIMS)


@pytest.mark.parametrize(("title", "coreferent", "others", "pairs"), TABLE_1)
def test_pairs_are_the_coreferent_ones_and_the_others(
    title: str, coreferent: int, others: int, pairs: int
) -> None:
    assert coreferent + others == pairs, title


def test_both_are_the_sum_of_the_two() -> None:
    first, second, both = (counts for _, *counts in TABLE_1)
    assert both == [one + other for one, other in zip(first, second, strict=True)]
    assert both[-1] == 293_914
