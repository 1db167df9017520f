from collections.abc import Callable
from dataclasses import replace
from math import nan

import numpy as np
import pytest

from tests.cases import each_case
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
from weps_eval.report.claims import (
    CANNOT,
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    UNDECIDED,
    Verdict,
    judge_claims,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.features.claims import CLAIMS, TABLE_1, ahead_of_all, sample_size
from weps_eval.studies.features.findings import Findings, SimilarityComparison

pytestmark = pytest.mark.usefixtures("any_sample_size")

ABOUT_SAME = (0.52, 0.45, 0.6)
ALONE = (0.6, nan, nan)
"""One group: nothing to resample."""


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
    found = ahead_of_all(findings_with(precisions=studied), "best", ["best", "a", "b", "lost"])
    assert found.word == word
    assert found.figures.endswith("; not studied: lost") == ({"best", "a", "b"} == set(studied))
    assert bool(found.figures) == (word != NOT_STUDIED)


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
    found = findings_with(precisions={"best": SAME, **precisions})
    verdict = ahead_of_all(found, "best", ["a", "b"])
    assert verdict.word == word
    assert verdict.figures.startswith(f"average precision of best − {figures}")


Case = Callable[[tuple[float, ...]], Findings]
HIGH, LOW, WIDE = Estimate(0.9, 0.85, 0.95), Estimate(0.1, 0.05, 0.15), Estimate(0.9, 0.6, 1.0)


def features(first: str, *others: str) -> Case:
    """The first has the figures, the others are in the middle."""
    return lambda figures: findings_with(precisions={first: figures, **dict.fromkeys(others, SAME)})


def shares(**found: Estimate) -> Findings:
    """Entities that rank these shares of pairs the other way."""
    names = {"baseline": "capitalised", "person": "entity(type=person)"}
    rankings = {
        names[key]: ranking(names[key], *SAME, non_redundant=share) for key, share in found.items()
    }
    return replace(findings_with(), rankings=rankings)


def few_or_many(figures: tuple[float, ...]) -> Findings:
    """All entities rank 30 % the other way, or 10 %."""
    share = 0.1 if figures == BETTER else 0.3
    estimate = Estimate(share, share - 0.05, share + 0.05)
    return shares(person=estimate, baseline=estimate)


def baseline_shares(figures: tuple[float, ...]) -> Findings:
    """The baseline recogniser ranks more the other way than persons, or less; both about 20 %."""
    more, less = Estimate(0.19, 0.17, 0.21), Estimate(0.1, 0.05, 0.15)
    own, other = (more, less) if figures == BETTER else (less, more)
    return shares(baseline=own, person=other)


def correlations(figures: tuple[float, ...]) -> Findings:
    found = HIGH if figures == BETTER else LOW
    return findings_with(pearson=found, among_better=found)


def trees(first: str, second: str, alike: float = 0.1) -> Case:
    """AUC of the first is as far above that of the second, or far below it; PWA is the same."""

    def case(figures: tuple[float, ...]) -> Findings:
        ahead = alike if figures == BETTER else -0.3
        areas = {first: [0.5 + ahead] * 3, second: [0.5] * 3}
        return findings_with([bound_of(name, [0.9] * 3, [0.2] * 3, areas[name]) for name in areas])

    return case


def dice(figures: tuple[float, ...]) -> Findings:
    return findings_with(comparison=rivals_with(figures, SAME, WORSE))


TWO = ("here", "there")
BY_EACH = "entity(type=person)", "fine_entity(type=person)"


def apart(figures: tuple[float, ...]) -> Findings:
    """Persons rank otherwise by the second recogniser, or the same."""
    ranked = {BY_EACH[0]: figures, BY_EACH[1]: SAME if figures == BETTER else WORSE}
    return findings_with(precisions=ranked, recognisers=TWO)


def richer(figures: tuple[float, ...]) -> Findings:
    """Trees of the second recogniser's types are better than those of the others, or worse."""
    ahead = 0.1 if figures == BETTER else -0.1
    areas = {"all capitalised": 0.6, "all entity": 0.5, "all fine_entity": 0.6 + ahead}
    bounds = [bound_of(name, [0.9] * 3, [0.2] * 3, [area] * 3) for name, area in areas.items()]
    ranked = dict.fromkeys(("capitalised", "entity(type=event)", "fine_entity(type=time)"), SAME)
    return findings_with(bounds, precisions=ranked, recognisers=TWO)


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


@each_case(("claim", "case"), list(zip(CLAIMS, CASES, strict=True)))
def test_a_claim_holds_or_does_not_and_leaves_the_others_open(claim, case):
    judged = judge_claims(CLAIMS, case(BETTER), sample_size)
    decided = {each.text: verdict.word for each, verdict in judged}
    assert [text for text, word in decided.items() if word == HOLDS] == [claim.text]
    assert DOES_NOT_HOLD not in decided.values()
    verdict = claim.judge(case(WORSE))
    assert verdict.word == DOES_NOT_HOLD
    assert any(each.isdigit() for each in verdict.figures)


def words(findings: Findings) -> list[str]:
    return [verdict.word for _, verdict in judge_claims(CLAIMS, findings, sample_size)]


def test_what_was_not_studied_is_not_judged():
    assert words(findings_with()).count(NOT_STUDIED) == len(CLAIMS) - 1
    nothing = SimilarityComparison((), ("dice", "cosine", "overlap"), np.empty((0, 3, 0)))
    assert words(findings_with(comparison=nothing))[-1] == NOT_STUDIED
    found = trees("non-linguistic", "tokens")(BETTER)
    assert HOLDS in words(found)
    assert HOLDS not in words(replace(found, bounds=found.bounds[:1]))
    local = {"capitalised": SAME, "entity(type=person, local=true)": BETTER}
    assert words(findings_with(precisions=local))[5] == NOT_STUDIED


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
    found = findings_with(precisions=ranked, recognisers=TWO)
    assert CLAIMS[8].judge(found).word == word
    assert CLAIMS[8].judge(found).figures.startswith("average precision by here − by there: person")
    for one, each in ((apart(BETTER), 8), (richer(BETTER), 9)):
        verdict = CLAIMS[each].judge(replace(one, recognisers=TWO[:1]))
        assert verdict.word == CANNOT
        assert "--language-2" in verdict.figures


def test_redundancy_is_judged_with_words_only():
    found = few_or_many(BETTER)
    assert HOLDS in words(found)
    assert HOLDS not in words(replace(found, plan=replace(found.plan, base="ngram(n=2)")))


@each_case(
    ("rivals", "word", "pair"),
    [
        (rivals_with(BETTER, WORSE, SAME), HOLDS, "dice − overlap"),
        (rivals_with(SAME, WORSE, SAME), UNDECIDED, "dice − overlap"),
        (rivals_with(SAME, BETTER, WORSE), DOES_NOT_HOLD, "dice − cosine"),
    ],
)
def test_dice_is_compared_with_the_better_of_the_others(rivals, word, pair):
    verdict = CLAIMS[-1].judge(findings_with(comparison=rivals))
    assert verdict.word == word
    assert pair in verdict.figures


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
    verdict = CLAIMS[10].judge(findings_with(pearson=every, among_better=better))
    assert verdict.word == word
    first = f"all combinations: r = {format_interval(every)}; those no worse than token: r = "
    assert verdict.figures == first + format_interval(better)


def test_trees_are_judged_by_auc_beside_which_their_pwa_stands():
    """In PWA the order is the other way round."""
    sets = [("non-linguistic", 0.1, 0.8), ("tokens", 0.4, 0.6)]
    found = findings_with([bound_of(name, [0.9] * 3, [p] * 3, [a] * 3) for name, p, a in sets])
    assert CLAIMS[11].judge(found)[:2] == (
        HOLDS,
        "non-linguistic − tokens: AUC +0.200 (+0.200 to +0.200), PWA −0.300 (−0.300 to −0.300)",
    )


def test_the_paper_s_counts_of_pairs_add_up():
    first, second, both = (counts for _, *counts in TABLE_1)
    assert both == [one + other for one, other in zip(first, second, strict=True)]
    assert all(coreferent + others == pairs for _, coreferent, others, pairs in TABLE_1)


def test_without_linguistic_features_nothing_is_said_of_them():
    (claim,) = (each for each in CLAIMS if each.text.startswith("Without linguistic"))
    plain, other = bound_of("all", [0.9], [0.2]), bound_of("non-linguistic", [0.9], [0.8])
    assert claim.judge(findings_with([plain, other])).word != NOT_STUDIED
    words_only = replace(plain, combination=replace(plain.combination, measures=("token", "title")))
    assert claim.judge(findings_with([words_only, other])) == Verdict(NOT_STUDIED)
