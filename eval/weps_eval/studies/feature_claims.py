"""Claims of the study of features: conclusions of EMNLP 2009, and the rules that judge them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from weps._formatting import format_interval
from weps.features.registry import Feature, all_features
from weps.similarity.columns import PAPER_MEASURES
from weps_eval.report.tables import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    SEVERITY,
    Claim,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_largest,
    judge_similar,
    worst_verdict,
)
from weps_eval.stats import Estimate
from weps_eval.studies.frames import Frame, Frames
from weps_eval.studies.instances import RECOGNISERS

LITTLE = 0.2
"""The paper: even the most independent recogniser adds information in less than 20 % of cases."""
_HIGH = 0.7
"""A correlation that may be called high."""
_SIMILAR = 0.02
"""The paper's two classifiers differ by .01 in accuracy and are called similar."""
_SHARED_TYPES = ("person", "location", "organisation")
"""Types of entity that both recognisers of the paper have."""


def judge_ahead(best: str, others: Iterable[str], frames: Frames) -> Verdict:
    """Whether a measure has a higher average precision than each of the others.

    The figures are those of the one that decides.
    """
    place = {name: at for at, name in enumerate(frames["measures"]["measure"])}
    precision = frames["measures"]["average_precision"]
    wanted = [other for other in others if other != best]
    ahead = {
        other: precision.difference(place[other], place[best])
        for other in wanted
        if best in place and other in place
    }
    if not ahead:
        return Verdict(NOT_STUDIED)
    verdicts = {other: judge_above_zero(lead) for other, lead in ahead.items()}
    least = min(ahead, key=lambda other: (SEVERITY[verdicts[other].word], ahead[other].value))
    figures = f"average precision of {best} − {least}: {verdicts[least].figures}"
    missing = [other for other in wanted if other not in ahead]
    remark = f"; not studied: {', '.join(missing)}" if missing else ""
    return Verdict(verdicts[least].word, figures + remark)


def _ahead(best: str, rival: Callable[[Feature], bool]) -> Callable[[Frames], Verdict]:
    return lambda frames: judge_ahead(
        best, (str(each) for each in all_features() if rival(each)), frames
    )


def _of_one_type(feature: Feature) -> bool:
    return feature.function in {"entity", "fine_entity"}


def _independent(frames: Frames) -> dict[str, Estimate]:
    """Kind of entity → share of pairs that it ranks the other way than the words do."""
    shares = {row["measure"]: row["non_redundant"] for row in frames["measures"].rows}
    entities = [str(each) for each in all_features() if each.family == "entity"]
    if frames.facts["base"] != "token":
        return {}
    return {name: shares[name] for name in entities if name in shares}


def _judge_correlation(frames: Frames) -> Verdict:
    facts = frames.facts
    every, better = (judge_at_least(facts[each], _HIGH) for each in ("pearson", "better"))
    no_worse = f"those no worse than {facts['base']}: r = {better.figures}"
    return worst_verdict(
        (
            Verdict(every.word, f"all combinations: r = {every.figures}"),
            Verdict(better.word, no_worse),
        )
    )


def _with_two(rule: Callable[[Frames], Verdict], *functions: str) -> Callable[[Frames], Verdict]:
    """The rule for studies of both recognisers' features, which two pipelines must have made."""

    def judge(frames: Frames) -> Verdict:
        studied = {measure.partition("(")[0] for measure in frames["measures"]["measure"]}
        if not studied.issuperset(functions):
            return Verdict(NOT_STUDIED)
        if len(frames.facts["recognisers"]) < 2:
            return cannot_judge(
                "entity and fine_entity use the same recogniser; choose another with --language-2"
            )
        return rule(frames)

    return judge


def _judge_recognisers(frames: Frames) -> Verdict:
    """How far each type ranks otherwise by one recogniser than by the other."""
    place = {name: at for at, name in enumerate(frames["measures"]["measure"])}
    precision, parts = frames["measures"]["average_precision"], []
    for each in _SHARED_TYPES:
        one, other = (place.get(f"{name}(type={each})") for name in RECOGNISERS[1:])
        if one is not None and other is not None:
            same = judge_similar(precision.difference(other, one), _SIMILAR)
            parts.append(Verdict(same.word, f"{each} {same.figures}"))
    if not parts:
        return Verdict(NOT_STUDIED)
    alike = worst_verdict(parts)
    word = {HOLDS: DOES_NOT_HOLD, DOES_NOT_HOLD: HOLDS}.get(alike.word, alike.word)
    pipelines = " − ".join(frames.facts["recognisers"])
    return Verdict(word, f"average precision by {pipelines}: {alike.figures}")


def _judge_trees(
    first: str, second: str, rule: Callable[[Estimate], Verdict], frames: Frames
) -> Verdict:
    """The rule's verdict on the AUC of trees from one combination minus that from another.

    Not of PWA, in which ties are failures: how often a tree ties depends on how many leaves it has.
    """
    combinations = frames["combinations"]
    place = {name: at for at, name in enumerate(combinations["combination"])}
    if first not in place or second not in place:
        return Verdict(NOT_STUDIED)
    at = place[second], place[first]
    verdict = rule(combinations["tree_auc"].difference(*at))
    strict = format_interval(combinations["tree_pwa"].difference(*at), signed=True)
    return Verdict(verdict.word, f"{first} − {second}: AUC {verdict.figures}, PWA {strict}")


def _judge_richer(frames: Frames) -> Verdict:
    *others, richer = (f"all {each}" for each in RECOGNISERS)
    return worst_verdict(_judge_trees(richer, other, judge_above_zero, frames) for other in others)


def _judge_without_linguistic(frames: Frames) -> Verdict:
    """The rule for studies in which linguistic features are among all."""
    linguistic = {str(each) for each in all_features() if each.linguistic}
    every = frames["combinations"].where(combination="all").rows
    if not every or linguistic.isdisjoint(every[0]["measures"]):
        return Verdict(NOT_STUDIED)
    return _judge_trees("all", "non-linguistic", partial(judge_similar, most=_SIMILAR), frames)


def _judge_dice(frames: Frames) -> Verdict:
    found = frames["similarity"]
    if not len(found):
        return Verdict(NOT_STUDIED)
    ahead = {other: mean_ahead(found, other) for other in PAPER_MEASURES[1:]}
    name, least = min(ahead.items(), key=lambda item: item[1].value)
    verdict = judge_above_zero(least)
    higher = int((found["dice"].value > found[name].value).sum())
    return Verdict(
        verdict.word,
        f"average precision, dice − {name}, mean over features: {verdict.figures}; "
        f"dice is better for {higher} of {len(found)}",
    )


def mean_ahead(similarity: Frame, other: str) -> Estimate:
    """Average precision under Dice minus that under another measure, mean over features."""
    return Estimate.from_row((similarity["dice"].rows - similarity[other].rows).mean(axis=0))


_HIGHER = "the whole interval of the difference in average precision is above 0"

CLAIMS: tuple[Claim[Frames], ...] = (
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
        lambda frames: judge_below(_independent(frames), LITTLE),
    ),
    Claim(
        "Of all kinds of entities, those of the baseline recogniser add most to words.",
        "section 4.2.2, figure 5",
        "its share of pairs ranked the other way is the largest, and its interval does not "
        "overlap the others",
        lambda frames: judge_largest(_independent(frames), "capitalised"),
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
        lambda frames: frames.facts["tested"],
    ),
    Claim(
        "MaxPWA of a combination is highly correlated with the quality of its trees.",
        "section 4.3, figure 6",
        f"Pearson's r is at least {_HIGH}, with its whole interval, both over all combinations and "
        "over those whose MaxPWA is not below that of words",
        _judge_correlation,
        lambda frames: frames.facts["bounds"],
    ),
    Claim(
        "Adding features to words improves the trees.",
        "section 4.3, figure 7",
        "the whole interval of the difference in the trees' AUC is above 0",
        partial(_judge_trees, "non-linguistic", "tokens", judge_above_zero),
        lambda frames: frames.facts["tested"],
    ),
    Claim(
        "Without linguistic features the trees are about as good as with them.",
        "section 4.3, figure 7",
        f"the trees' AUC differs by at most {_SIMILAR}, with the whole interval",
        _judge_without_linguistic,
        lambda frames: frames.facts["tested"],
    ),
    Claim(
        "Dice ranks better than cosine and overlap.",
        "section 4.1",
        f"{_HIGHER}, as a mean over features",
        _judge_dice,
    ),
)
