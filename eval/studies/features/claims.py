"""The paper's conclusions, each with the rule that says whether it holds for our figures.

The rule that is about features: one ranks better than others.

What the paper reports (EMNLP 2009, section 4), told beside our own figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from eval.report.claims import (
    NOT_STUDIED,
    SEVERITY,
    Claim,
    JudgedClaim,
    Verdict,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_claims,
    judge_largest,
    judge_similar,
    worst_verdict,
)
from eval.report.document import Quote
from eval.stats.estimate import Estimate, estimate_difference
from eval.studies.features.findings import Findings
from eval.studies.features.rankings import SimilarityComparison
from weps._formatting import format_interval
from weps.features.registry import Feature, all_features

__all__ = [
    "ACCURACY",
    "BOUNDS",
    "CLAIMS",
    "ENTITIES",
    "FINE_ENTITIES",
    "MEASURES",
    "NGRAMS",
    "REDUNDANCY",
    "TABLE_1",
    "WORDS",
    "ahead_of_all",
    "assess_claims",
]


def ahead_of_all(findings: Findings, best: str, others: Iterable[str]) -> Verdict:
    """It has a higher average precision than each of the others, by more than chance.

    Does not hold if one of the others has, by more than chance. The figures are those of the one
    that decides.
    """
    wanted = [other for other in others if other != best]
    ahead = _ahead(findings, best, wanted)
    if not ahead:
        return Verdict(NOT_STUDIED)
    name, least = min(
        ahead.items(), key=lambda item: (SEVERITY[judge_above_zero(item[1]).word], item[1].value)
    )
    word = judge_above_zero(least).word
    told = f"average precision of {best} − {name}: {format_interval(least, signed=True)}"
    missing = [other for other in wanted if other not in ahead]
    return Verdict(word, told + (f"; not studied: {', '.join(missing)}" if missing else ""))


def _ahead(findings: Findings, best: str, others: Iterable[str]) -> dict[str, Estimate]:
    """How far a feature is ahead of each of the others that were studied."""
    rankings = findings.rankings
    if best not in rankings:
        return {}
    return {
        other: rankings[best].ahead_of(rankings[other]) for other in others if other in rankings
    }


_LITTLE = 0.2
"""The paper: even the most independent recogniser adds information in less than 20 % of cases."""
_HIGH = 0.7
"""A correlation that may be called high."""
_SIMILAR = 0.02
"""The paper's two classifiers differ by .01 in accuracy and are called similar."""


Studied: TypeAlias = tuple[Findings, SimilarityComparison]


def _claim(text: str, source: str, rule: str, judge: Callable[..., Verdict]) -> Claim[Studied]:
    """A conclusion of the paper (EMNLP 2009), judged by findings and by rival measures."""
    return Claim(text, source, rule, lambda studied: judge(*studied))


def _assess_single_words(findings: Findings, _: SimilarityComparison) -> Verdict:
    return ahead_of_all(
        findings, "token", _feature_names(lambda each: each.family in {"token", "lemma"})
    )


def _assess_bigrams(findings: Findings, _: SimilarityComparison) -> Verdict:
    return ahead_of_all(findings, "ngram(n=2)", ["token"])


def _assess_ngrams(findings: Findings, _: SimilarityComparison) -> Verdict:
    longer = _feature_names(lambda each: each.function == "ngram" and not each.parameters["local"])
    return ahead_of_all(findings, "ngram(n=2)", longer)


def _assess_phrases(findings: Findings, _: SimilarityComparison) -> Verdict:
    return ahead_of_all(findings, "token", ["phrase"])


def _assess_entities(findings: Findings, _: SimilarityComparison) -> Verdict:
    return ahead_of_all(findings, "token", _feature_names(_is_entity_type))


def _assess_baseline(findings: Findings, _: SimilarityComparison) -> Verdict:
    whole_page = _feature_names(lambda each: _is_entity_type(each) and not each.parameters["local"])
    return ahead_of_all(findings, "capitalised", whole_page)


def _assess_redundancy(findings: Findings, _: SimilarityComparison) -> Verdict:
    return judge_below(_independent(findings), _LITTLE)


def _assess_largest(findings: Findings, _: SimilarityComparison) -> Verdict:
    return judge_largest(_independent(findings), "capitalised")


def _independent(findings: Findings) -> dict[str, Estimate]:
    """Kind of entity → share of pairs that it ranks the other way than the words do."""
    entities = (
        _feature_names(lambda each: each.family == "entity")
        if findings.plan.base == "token"
        else []
    )
    rankings = findings.rankings
    return {each: rankings[each].non_redundant for each in entities if each in rankings}


def _assess_correlation(findings: Findings, _: SimilarityComparison) -> Verdict:
    every, better = (
        judge_at_least(figure, _HIGH) for figure in (findings.pearson, findings.among_better)
    )
    return worst_verdict(
        (
            Verdict(every.word, f"all combinations: r = {every.figures}"),
            Verdict(better.word, f"those no worse than {findings.plan.base}: r = {better.figures}"),
        )
    )


def _assess_more_features(findings: Findings, _: SimilarityComparison) -> Verdict:
    return _compare_trees(findings, "non-linguistic", "tokens", judge_above_zero)


def _assess_linguistic(findings: Findings, _: SimilarityComparison) -> Verdict:
    return _compare_trees(
        findings, "all", "non-linguistic", lambda found: judge_similar(found, _SIMILAR)
    )


def _assess_dice(_: Findings, comparison: SimilarityComparison) -> Verdict:
    """Dice against the better of the other two."""
    if not comparison.features:
        return Verdict(NOT_STUDIED)
    ahead = {
        other: comparison.ahead("dice", other) for other in comparison.measures if other != "dice"
    }
    name, least = min(ahead.items(), key=lambda item: item[1].value)
    verdict = judge_above_zero(least)
    return Verdict(
        verdict.word,
        f"average precision, dice − {name}, mean over features: {verdict.figures}; "
        f"dice is better for {comparison.count_higher('dice', name)} of {len(comparison.features)}",
    )


def _compare_trees(
    findings: Findings, first: str, second: str, rule: Callable[[Estimate], Verdict]
) -> Verdict:
    """What the rule says of the AUC of trees from one combination minus that from another.

    Not of PWA, in which ties are failures: how often a tree ties depends on how many leaves it has.
    """
    ours, theirs = findings.bound_of(first), findings.bound_of(second)
    if ours is None or theirs is None:
        return Verdict(NOT_STUDIED)
    seed = findings.plan.seed
    found = rule(estimate_difference(theirs.tree_auc, ours.tree_auc, seed=seed))
    strict = format_interval(
        estimate_difference(theirs.tree_pwa, ours.tree_pwa, seed=seed), signed=True
    )
    return Verdict(found.word, f"{first} − {second}: AUC {found.figures}, PWA {strict}")


def _feature_names(choice: Callable[[Feature], bool]) -> list[str]:
    """The features that a claim is about, studied or not."""
    return [str(each) for each in all_features() if choice(each)]


def _is_entity_type(feature: Feature) -> bool:
    return feature.function in {"entity", "fine_entity"}


_AHEAD = "the better one's average precision is higher, the whole interval of the difference"

CLAIMS = (
    _claim(
        "No part of a page's words, nor their lemmas, ranks better than all its words.",
        "section 4.2.1, figure 1",
        f"{_AHEAD}, for each of these",
        _assess_single_words,
    ),
    _claim("Bigrams rank better than words.", "section 4.2.1, figure 2", _AHEAD, _assess_bigrams),
    _claim(
        "Bigrams rank better than longer n-grams.",
        "section 4.2.1, figure 2",
        f"{_AHEAD}, for n = 3, 4 and 5",
        _assess_ngrams,
    ),
    _claim(
        "Noun phrases do not rank better than words.",
        "section 4.2.1, figure 2",
        _AHEAD,
        _assess_phrases,
    ),
    _claim(
        "No single type of entity ranks better than words.",
        "section 4.2.1, figures 3 and 4",
        f"{_AHEAD}, for each type",
        _assess_entities,
    ),
    _claim(
        "The baseline recogniser, all types together, ranks better than each type by itself.",
        "section 4.2.1",
        f"{_AHEAD}, for each type on the whole page",
        _assess_baseline,
    ),
    _claim(
        "Entities add little to words: under 20 % of pairs are ranked the other way.",
        "section 4.2.2, figure 5",
        "the share is below 20 % for every type, its interval too",
        _assess_redundancy,
    ),
    _claim(
        "Of all kinds of entity the baseline recogniser adds most to words.",
        "section 4.2.2, figure 5",
        "its share of pairs ranked the other way is the largest, the intervals apart",
        _assess_largest,
    ),
    _claim(
        "MaxPWA is highly correlated with what trees make of a combination.",
        "section 4.3, figure 6",
        f"Pearson's r is at least {_HIGH}, its interval too, over all combinations and over those "
        "whose MaxPWA is not below that of words",
        _assess_correlation,
    ),
    _claim(
        "Adding features to words improves the trees.",
        "section 4.3, figure 7",
        "the trees' AUC is higher, the whole interval of the difference",
        _assess_more_features,
    ),
    _claim(
        "Without linguistic features the trees are about as good as with them.",
        "section 4.3, figure 7",
        f"the trees' AUC differs by at most {_SIMILAR}, the whole interval of the difference",
        _assess_linguistic,
    ),
    _claim(
        "Dice ranks better than cosine and overlap.",
        "section 4.1",
        f"{_AHEAD}, mean over features",
        _assess_dice,
    ),
)


def assess_claims(findings: Findings, comparison: SimilarityComparison) -> list[JudgedClaim]:
    """Every conclusion with what our figures say of it."""
    return judge_claims(CLAIMS, (findings, comparison))


TABLE_1 = (
    ("the paper's WePS-1", 61_290, 122_437, 183_727),
    ("the paper's WePS-2", 54_641, 55_546, 110_187),
    ("the paper's both", 115_931, 177_983, 293_914),
)
"""Coreferent pairs, others, all."""

ACCURACY = {"all": "0.76", "non-linguistic": "0.75"}
"""Share of the WePS-2 pairs that trees grown on WePS-1 label right (section 4.3.1)."""

WORDS = Quote(
    "Parts of the page's words and lemmas do not outperform all its words. Only the words near the "
    "name and those of the snippet do slightly better at low recall, and not beyond recall 0.3.",
    "section 4.2.1, figure 1",
)
NGRAMS = Quote(
    "Bigrams improve on words and are the best n-grams up to recall 0.7. Four-grams are slightly "
    "more precise but reach recall 0.3 only; trigrams are not more precise than bigrams. Noun "
    "phrases perform poorly.",
    "section 4.2.1, figure 2",
)
ENTITIES = Quote(
    "At best, persons and organisations match the words, at low recall only.",
    "section 4.2.1, figure 3 (Stanford recogniser)",
)
FINE_ENTITIES = Quote(
    "Below words and below the baseline recogniser, perhaps because fine-grained types are sparse. "
    "The baseline does better than any type by itself, but it holds all types together.",
    "section 4.2.1, figure 4 (OAK recogniser)",
)
MEASURES = Quote(
    "Dice gives the best results across types of features; its differences from cosine are "
    "consistent, though not especially large.",
    "section 4.1",
)
REDUNDANCY = Quote(
    "Words rank 99 % of the pairs. The baseline recogniser has the largest contribution of its "
    "own, and adds information in less than 20 % of cases.",
    "section 4.2.2, figure 5",
)
BOUNDS = (
    Quote(
        "MaxPWA turns out to be highly correlated with the PWA of trees; no coefficient is given.",
        "section 4.3, figure 6",
    ),
    Quote(
        "More features than words improve both bound and tree, but non-linguistic features do "
        "about as well as all: the trees' accuracy is .75 and .76.",
        "sections 4.3 and 4.3.1, figure 7",
    ),
)
