"""The paper's conclusions (COLING 2004), each with the rule that says whether it holds here."""

from __future__ import annotations

from collections.abc import Callable

from weps._formatting import format_interval, format_number, format_signed
from weps_eval.report.claims import (
    NOT_STUDIED,
    Claim,
    SampleSize,
    Verdict,
    judge_above_zero,
    judge_similar,
    worst_by_name,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.key_terms.findings import DISTANCES, LENGTH, PLACE_PAIRS, Findings, place_at

_CONSIDERED, _NEARLY = 0.1, 0.05
"""Share of the vocabulary that TFSYNTAX considers (section 5.2), give or take."""
_LITTLE = 0.02
"""A recall that is higher by no more is not called better."""
_BEFORE, _AFTER, _ANYWHERE = place_at(-1), place_at(1), "any distance"

Judge = Callable[[Findings], Verdict]


def sample_size(findings: Findings) -> SampleSize:
    """Topics and their key concepts."""
    return SampleSize(
        len(findings.topics), sum(each.concepts for each in findings.topics), case="concepts"
    )


def _words_size(*places: str) -> Callable[[Findings], SampleSize]:
    """Topics with words at all places, and words at that with the fewest."""

    def size(findings: Findings) -> SampleSize:
        found = [
            [each.places[place].total for place in places]
            for each in findings.topics
            if each.places
        ]
        known = [each for each in found if all(each)]
        words = min(map(sum, zip(*known, strict=True)), default=0)
        return SampleSize(len(known), words, case="words")

    return size


def _where_tagged(judge: Judge) -> Judge:
    return lambda findings: judge(findings) if findings.tagged else Verdict(NOT_STUDIED)


def _judge_ahead(first: str, second: str) -> Judge:
    return _where_tagged(lambda findings: judge_above_zero(findings.ahead(first, second)))


@_where_tagged
def _judge_before(findings: Findings) -> Verdict:
    before, anywhere = (findings.probability(each).value for each in (_BEFORE, _ANYWHERE))
    verdict = judge_above_zero(findings.ahead(_BEFORE, _ANYWHERE))
    more = f"{format_signed(100 * (before / anywhere - 1), 0)} %" if anywhere else ""
    values = f"{format_number(before)} − {format_number(anywhere)}"
    return Verdict(verdict.word, f"{values}: {verdict.figures}, {more}")


@_where_tagged
def _judge_peak(findings: Findings) -> Verdict:
    """The distance that decides is the one where the claim is worst off."""
    others = [place_at(distance) for distance in DISTANCES if distance != -1]
    ahead = {place: findings.ahead(_BEFORE, place) for place in others}
    lost = [place for place in others if ahead[place].high < 0]
    rival = lost[0] if lost else min(others, key=lambda each: (ahead[each].low, ahead[each].value))
    name = f"−1 against {rival}".replace("-", "−")
    return worst_by_name([(name, judge_above_zero(ahead[rival]))])


def _judge_pair(which: str) -> Judge:
    first, second = PLACE_PAIRS[which]

    def judge(findings: Findings) -> Verdict:
        values = (format_number(findings.probability(each).value) for each in (first, second))
        verdict = judge_above_zero(findings.ahead(first, second))
        higher = f"higher in {findings.count_higher(first, second)} topics"
        return Verdict(verdict.word, f"{' − '.join(values)}: {verdict.figures}; {higher}")

    return _where_tagged(judge)


def _judge_tfsyntax(length: int | None) -> Judge:
    return _where_tagged(
        lambda findings: worst_by_name(
            (f"− {each}", judge_above_zero(findings.recall_ahead("tfsyntax", each, length)))
            for each in ("tf", "likelihood_ratio", "okapi")
        )
    )


def judge_not_better(difference: Estimate, most: float) -> Verdict:
    """A difference is at most so much: its whole interval is; it does not hold if none of it is."""
    word = judge_above_zero(Estimate(*(most - difference[at] for at in (0, 2, 1)))).word
    return Verdict(word, format_interval(difference, signed=True))


@_where_tagged
def _judge_vocabulary(findings: Findings) -> Verdict:
    considered = findings.considered("tfsyntax")
    apart = Estimate(*(end - _CONSIDERED for end in considered))
    value, low, high = map(format_number, considered)
    return Verdict(judge_similar(apart, _NEARLY).word, f"{value} ({low} to {high})")


_WHOLE = "the whole interval is above 0"

CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "A word immediately before a verb belongs to a key concept more often than words do on "
        "average.",
        "section 4.1, figure 1 (0.39 − 0.25, +56 %, topic tracking)",
        f"probability there minus that at any distance: {_WHOLE}",
        _judge_before,
        _words_size(_BEFORE, _ANYWHERE),
    ),
    Claim(
        "The probability is highest immediately before the verb.",
        "section 4.1, figure 1",
        f"probability there minus that at each other distance up to {max(DISTANCES)}: {_WHOLE}",
        _judge_peak,
        _words_size(*map(place_at, DISTANCES)),
    ),
    Claim(
        "It falls after the verb.",
        "section 4.1, figure 1",
        f"probability immediately before minus that immediately after: {_WHOLE}",
        _judge_ahead(_BEFORE, _AFTER),
        _words_size(_BEFORE, _AFTER),
    ),
    Claim(
        "Immediately after the verb it is below the average.",
        "section 4.1, figure 1",
        f"probability at any distance minus that immediately after: {_WHOLE}",
        _judge_ahead(_ANYWHERE, _AFTER),
        _words_size(_ANYWHERE, _AFTER),
    ),
    Claim(
        "Key concepts stand in subjects rather than in other noun phrases.",
        "section 4.2, figure 2",
        f"probability in subjects minus that in other phrases: {_WHOLE}",
        _judge_pair("subjects"),
        _words_size(*PLACE_PAIRS["subjects"]),
    ),
    Claim(
        "They stand in the modifiers of subjects rather than in the heads ([Mod]* versus [N]).",
        "section 4.3, figure 3",
        f"probability in modifiers minus that in heads: {_WHOLE}",
        _judge_pair("heads"),
        _words_size(*PLACE_PAIRS["heads"]),
    ),
    Claim(
        "They stand in the modifiers of subjects rather than in the heads, if nouns and adjectives "
        "before an English noun count as modifiers too.",
        "section 4.3, read for English",
        f"probability in modifiers minus that in last nouns and names: {_WHOLE}",
        _judge_pair("noun heads"),
        _words_size(*PLACE_PAIRS["noun heads"]),
    ),
    Claim(
        f"With {LENGTH} terms TFSYNTAX finds more concepts than TF, likelihood ratio and Okapi.",
        "section 5.2, figure 5",
        f"difference of recall at {LENGTH} terms: {_WHOLE}, for each of the three",
        _judge_tfsyntax(LENGTH),
    ),
    Claim(
        "TFSYNTAX finds more concepts with as many terms as it selects.",
        "not in the paper, where all lists are long",
        f"difference of recall at the length of its list, at most {LENGTH} terms: {_WHOLE}, for "
        "each of the three",
        _judge_tfsyntax(None),
    ),
    Claim(
        "Likelihood ratio and Okapi are no better than TF.",
        "section 5.2",
        f"recall at {LENGTH} terms is at most {_LITTLE} higher, with the whole interval, for both",
        lambda findings: worst_by_name(
            (f"{each} − tf", judge_not_better(findings.recall_ahead(each, "tf"), _LITTLE))
            for each in ("likelihood_ratio", "okapi")
        ),
    ),
    Claim(
        "TFSYNTAX considers a tenth of the vocabulary.",
        "section 5.2",
        f"share of a topic's distinct content words: {_CONSIDERED} ± {_NEARLY}, with its interval",
        _judge_vocabulary,
    ),
)
