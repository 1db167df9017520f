"""The paper's conclusions (EMNLP 2009, section 4): what it reports, and when each holds here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from weps._formatting import format_interval
from weps.features.registry import Feature, all_features
from weps_eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    SEVERITY,
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_largest,
    judge_similar,
    worst_verdict,
)
from weps_eval.report.document import Quote
from weps_eval.stats.estimate import Estimate, estimate_difference
from weps_eval.studies.features.findings import Findings
from weps_eval.studies.features.trees import RECOGNISERS
from weps_eval.tables.instances import Instances


class Panel(NamedTuple):
    """One figure of curves, and the section that it stands in."""

    key: str
    section: str
    title: str
    holds: Callable[[Feature], bool]
    """Whether it shows the curve of the feature."""
    quote: Quote | None = None
    note: str = ""


LITTLE = 0.2
"""The paper: even the most independent recogniser adds information in less than 20 % of cases."""
_HIGH = 0.7
"""A correlation that may be called high."""
_SIMILAR = 0.02
"""The paper's two classifiers differ by .01 in accuracy and are called similar."""
_SHARED_TYPES = ("person", "location", "organisation")
"""The types of entity that both recognisers of the paper have."""
_ONE = "entity and fine_entity use the same recogniser; choose another with --language-2"


def sample_size(findings: Findings) -> SampleSize:
    """Names, and pairs of pages of the rarer kind."""
    return _size_of(findings.studied, findings.unit)


def _tested_size(findings: Findings) -> SampleSize:
    return _size_of(findings.tested, findings.unit)


def _size_of(instances: Instances, unit: str) -> SampleSize:
    of_kind = {
        f"{kind} pairs": getattr(instances.counts, kind) for kind in ("positive", "negative")
    }
    rarer = min(of_kind, key=of_kind.__getitem__)
    return SampleSize(len(instances.groups), of_kind[rarer], f"{unit}s", rarer)


def _bounds_size(findings: Findings) -> SampleSize:
    """Of what is found over combinations of features."""
    return _tested_size(findings)._replace(cases=len(findings.bounds), case="combinations")


def ahead_of_all(findings: Findings, best: str, others: Iterable[str]) -> Verdict:
    """Whether it has a higher average precision than each of the others, by more than chance.

    The figures are those of the one that decides.
    """
    rankings = findings.rankings
    wanted = [other for other in others if other != best]
    ahead = {
        other: rankings[best].ahead_of(rankings[other])
        for other in wanted
        if best in rankings and other in rankings
    }
    if not ahead:
        return Verdict(NOT_STUDIED)
    verdicts = {other: judge_above_zero(lead) for other, lead in ahead.items()}
    least = min(ahead, key=lambda other: (SEVERITY[verdicts[other].word], ahead[other].value))
    figures = f"average precision of {best} − {least}: {verdicts[least].figures}"
    missing = [other for other in wanted if other not in ahead]
    remark = f"; not studied: {', '.join(missing)}" if missing else ""
    return Verdict(verdicts[least].word, figures + remark)


def _ahead(best: str, rival: Callable[[Feature], bool]) -> Callable[[Findings], Verdict]:
    return lambda findings: ahead_of_all(
        findings, best, (str(each) for each in all_features() if rival(each))
    )


def _of_one_type(feature: Feature) -> bool:
    return feature.function in {"entity", "fine_entity"}


def _independent(findings: Findings) -> dict[str, Estimate]:
    """Kind of entity → share of pairs that it ranks the other way than the words do."""
    if findings.plan.base != "token":
        return {}
    entities = (str(each) for each in all_features() if each.family == "entity")
    rankings = findings.rankings
    return {each: rankings[each].non_redundant for each in entities if each in rankings}


def _judge_correlation(findings: Findings) -> Verdict:
    every, better = (
        judge_at_least(figure, _HIGH) for figure in (findings.pearson, findings.among_better)
    )
    return worst_verdict(
        (
            Verdict(every.word, f"all combinations: r = {every.figures}"),
            Verdict(better.word, f"those no worse than {findings.plan.base}: r = {better.figures}"),
        )
    )


def _with_two(
    rule: Callable[[Findings], Verdict], *functions: str
) -> Callable[[Findings], Verdict]:
    """The rule for studies of both recognisers' features, which two pipelines must have made."""

    def judge(findings: Findings) -> Verdict:
        studied = {measure.partition("(")[0] for measure in findings.rankings}
        if not studied.issuperset(functions):
            return Verdict(NOT_STUDIED)
        return cannot_judge(_ONE) if len(findings.recognisers) < 2 else rule(findings)

    return judge


def _judge_recognisers(findings: Findings) -> Verdict:
    """How far each type ranks otherwise by one recogniser than by the other."""
    parts = []
    for each in _SHARED_TYPES:
        one, other = (findings.rankings.get(f"{name}(type={each})") for name in RECOGNISERS[1:])
        if one and other:
            same = judge_similar(one.ahead_of(other), _SIMILAR)
            parts.append(Verdict(same.word, f"{each} {same.figures}"))
    if not parts:
        return Verdict(NOT_STUDIED)
    alike = worst_verdict(parts)
    word = {HOLDS: DOES_NOT_HOLD, DOES_NOT_HOLD: HOLDS}.get(alike.word, alike.word)
    figures = f"average precision by {' − by '.join(findings.recognisers)}: {alike.figures}"
    return Verdict(word, figures)


def _judge_richer(findings: Findings) -> Verdict:
    *others, richer = (f"all {each}" for each in RECOGNISERS)
    return worst_verdict(
        _compare_trees(findings, richer, other, judge_above_zero) for other in others
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
    difference = partial(estimate_difference, seed=findings.plan.seed)
    verdict = rule(difference(theirs.tree_auc, ours.tree_auc))
    strict = format_interval(difference(theirs.tree_pwa, ours.tree_pwa), signed=True)
    return Verdict(verdict.word, f"{first} − {second}: AUC {verdict.figures}, PWA {strict}")


def _judge_without_linguistic(findings: Findings) -> Verdict:
    """Of studies in which linguistic features are among all."""
    every = findings.bound_of("all")
    linguistic = {str(each) for each in all_features() if each.linguistic}
    if every is None or linguistic.isdisjoint(every.combination.measures):
        return Verdict(NOT_STUDIED)
    rule = partial(judge_similar, most=_SIMILAR)
    return _compare_trees(findings, "all", "non-linguistic", rule)


def _judge_dice(findings: Findings) -> Verdict:
    comparison = findings.comparison
    if comparison is None or not comparison.features:
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


_HIGHER = "the whole interval of the difference in average precision is above 0"

CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Neither parts of a page's words nor its lemmas rank better than all words.",
        "section 4.2.1, figure 1",
        f"{_HIGHER}, for each of these",
        _ahead("token", lambda each: each.family in {"token", "lemma"}),
    ),
    Claim(
        "Bigrams rank better than words.",
        "section 4.2.1, figure 2",
        _HIGHER,
        _ahead("ngram(n=2)", lambda each: str(each) == "token"),
    ),
    Claim(
        "Bigrams rank better than longer n-grams.",
        "section 4.2.1, figure 2",
        f"{_HIGHER}, for n = 3, 4 and 5",
        _ahead(
            "ngram(n=2)", lambda each: each.function == "ngram" and not each.parameters["local"]
        ),
    ),
    Claim(
        "Noun phrases do not rank better than words.",
        "section 4.2.1, figure 2",
        _HIGHER,
        _ahead("token", lambda each: str(each) == "phrase"),
    ),
    Claim(
        "No single type of entity ranks better than words.",
        "section 4.2.1, figures 3 and 4",
        f"{_HIGHER}, for each type",
        _ahead("token", _of_one_type),
    ),
    Claim(
        "The baseline recogniser, all types together, ranks better than each type by itself.",
        "section 4.2.1",
        f"{_HIGHER}, for each type on the whole page",
        _ahead("capitalised", lambda each: _of_one_type(each) and not each.parameters["local"]),
    ),
    Claim(
        "Entities add little to words: under 20 % of pairs are ranked the other way.",
        "section 4.2.2, figure 5",
        "the share is below 20 % for every type, with its whole interval",
        lambda findings: judge_below(_independent(findings), LITTLE),
    ),
    Claim(
        "Of all kinds of entities, those of the baseline recogniser add most to words.",
        "section 4.2.2, figure 5",
        "its share of pairs ranked the other way is the largest, and its interval does not "
        "overlap the others",
        lambda findings: judge_largest(_independent(findings), "capitalised"),
    ),
    Claim(
        "Results depend on the recogniser: those of another rank pairs differently.",
        "sections 4.2.1 and 5",
        "the average precision of persons, locations or organisations differs between two "
        f"recognisers by more than {_SIMILAR}, with the whole interval; it does not hold if all "
        "three differ by less",
        _with_two(_judge_recognisers, *RECOGNISERS[1:]),
    ),
    Claim(
        "The many types of one recogniser train better trees than the few of another.",
        "section 5",
        "the AUC of trees from all fine_entity features minus that from all entity features, and "
        "minus that from the baseline's, is above 0, with the whole interval",
        _with_two(_judge_richer, *RECOGNISERS),
        _tested_size,
    ),
    Claim(
        "MaxPWA of a combination is highly correlated with the quality of its trees.",
        "section 4.3, figure 6",
        f"Pearson's r is at least {_HIGH}, with its whole interval, both over all combinations and "
        "over those whose MaxPWA is not below that of words",
        _judge_correlation,
        _bounds_size,
    ),
    Claim(
        "Adding features to words improves the trees.",
        "section 4.3, figure 7",
        "the whole interval of the difference in the trees' AUC is above 0",
        lambda findings: _compare_trees(findings, "non-linguistic", "tokens", judge_above_zero),
        _tested_size,
    ),
    Claim(
        "Without linguistic features the trees are about as good as with them.",
        "section 4.3, figure 7",
        f"the trees' AUC differs by at most {_SIMILAR}, with the whole interval",
        _judge_without_linguistic,
        _tested_size,
    ),
    Claim(
        "Dice ranks better than cosine and overlap.",
        "section 4.1",
        f"{_HIGHER}, as a mean over features",
        _judge_dice,
    ),
)

TABLE_1 = (
    ("the paper's WePS-1", 61_290, 122_437, 183_727),
    ("the paper's WePS-2", 54_641, 55_546, 110_187),
    ("the paper's both", 115_931, 177_983, 293_914),
)
"""Coreferent pairs, others, all."""

ACCURACY = {"all": "0.76", "non-linguistic": "0.75"}
"""Share of the WePS-2 pairs that trees fitted on WePS-1 label right (section 4.3.1)."""

PANELS = (
    Panel(
        "figure-1",
        "Words",
        "Words: page, near the name, title, snippet, address",
        lambda each: each.family in {"token", "lemma"},
        Quote(
            "Parts of the page's words and lemmas do not outperform all its words. Only the "
            "words near the name and those of the snippet do slightly better, and only below "
            "recall 0.3.",
            "section 4.2.1, figure 1",
        ),
    ),
    Panel(
        "figure-2",
        "N-grams and noun phrases",
        "Word n-grams and noun phrases",
        lambda each: each.function in {"ngram", "phrase"} and not each.parameters["local"],
        Quote(
            "Bigrams improve on words and are the best n-grams up to recall 0.7. Four-grams "
            "are slightly more precise but reach recall 0.3 only; trigrams are not more "
            "precise than bigrams. Noun phrases perform poorly.",
            "section 4.2.1, figure 2",
        ),
    ),
    Panel(
        "figure-3",
        "Named entities",
        "Named entities of three types, and capitalised runs",
        lambda each: each.function in {"entity", "capitalised"},
        Quote(
            "At best, persons and organisations match the words, at low recall only.",
            "section 4.2.1, figure 3 (Stanford recogniser)",
        ),
    ),
    Panel(
        "figure-4",
        "Fine-grained entities",
        "Fine-grained entities and capitalised runs, whole page",
        lambda each: (
            each.function in {"fine_entity", "capitalised"} and not each.parameters["local"]
        ),
        Quote(
            "Worse than words and than the baseline recogniser, perhaps because fine-grained types "
            "are sparse. The baseline does better than any single type, but it contains all "
            "types together.",
            "section 4.2.1, figure 4 (OAK recogniser)",
        ),
    ),
    Panel(
        "gazetteers-and-links",
        "Gazetteers and links",
        "Gazetteers, addresses and links",
        lambda each: each.family in {"gazetteer", "link"} and not each.parameters.get("local"),
        note="Not in the paper, which gives them no analysis of their own.",
    ),
)
"""Which curves stand together: figures 1 to 4 of the paper, and what it leaves out."""

MEASURES = Quote(
    "Dice gives the best results across types of features; its differences from cosine are "
    "consistent, though not especially large.",
    "section 4.1",
)
REDUNDANCY = Quote(
    "Words rank 99 % of the pairs. The baseline recogniser contributes most that words do not, "
    "and adds information in less than 20 % of cases.",
    "section 4.2.2, figure 5",
)
BOUNDS = (
    Quote(
        "MaxPWA turns out to be highly correlated with the PWA of trees; no coefficient is given.",
        "section 4.3, figure 6",
    ),
    Quote(
        "Further features improve both bound and trees over words alone, but non-linguistic "
        "features do about as well as all: the trees' accuracy is .75 and .76.",
        "sections 4.3 and 4.3.1, figure 7",
    ),
)
