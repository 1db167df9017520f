"""The paper's conclusions, each with the rule that says whether it holds for our figures.

What the paper reports (COLING 2004, sections 4 and 5), told beside our own figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eval.report.claims import (
    NOT_STUDIED,
    Claim,
    JudgedClaim,
    Verdict,
    judge_above_zero,
    judge_similar,
    worst_verdict,
)
from eval.report.document import Quote
from eval.stats.estimate import Estimate
from eval.studies.key_terms.findings import LENGTH, Findings
from eval.studies.key_terms.topics import DISTANCES, PLACE_PAIRS, place_at
from weps._formatting import format_interval, format_number, format_signed

__all__ = [
    "CLAIMS",
    "CONSIDERED",
    "CURVES",
    "HEADS",
    "MISSING",
    "PAPER_WEIGHTINGS",
    "SUBJECTS",
    "TOPICS",
    "VERBS",
    "Conclusion",
    "assess_claims",
    "not_better",
]

PAPER_WEIGHTINGS = ("tf", "likelihood_ratio", "okapi", "tfsyntax")
"""Those that the paper compares."""
CONSIDERED = 0.1
"""Share of the vocabulary that TFSYNTAX considers (section 5.2)."""

MISSING = (
    "The paper's own corpus (ISCORPUS: eight topics of Spanish news with 100 documents each, key "
    "concepts by nine people after they had summarised the topic) is not available. All texts "
    "here are English, and no topic is like its topics: see the table of the data."
)
VERBS = Quote(
    "The probability rises toward the verb, falls abruptly after it and then grows again. For "
    "topic tracking it is 56 % above the average immediately before the verb (0.39 against 0.25), "
    "in each of the six topics; in the other two topics the tendency is the same.",
    "section 4.1, figure 1",
)
SUBJECTS = Quote("Always higher in subjects of sentences.", "section 4.2, figure 2")
HEADS = Quote(
    "Always higher in modifiers than in heads, but for one topic of eight in which they are equal.",
    "section 4.3, figure 3",
)
CURVES = Quote(
    "All give similar results but TFSYNTAX, which does better for topic tracking, although it "
    "considers 10 % of the vocabulary only.",
    "section 5.2, figure 4",
)
TOPICS = Quote(
    "With 50 terms TFSYNTAX is better for all topics but one of the two that are no topic "
    "tracking; likelihood ratio and Okapi are not better than frequency.",
    "section 5.2, figure 5",
)

_RIVALS = ("tf", "likelihood_ratio", "okapi")
_LITTLE = 0.02
"""A recall that is higher by no more is not called better."""
_NEARLY = 0.05
"""A tenth of the vocabulary, give or take."""


@dataclass(frozen=True, slots=True)
class Conclusion(Claim[Findings]):
    """A conclusion of the paper (COLING 2004)."""

    needs_tags: bool = True
    """Whether nothing can be said of documents whose parts of speech are not known."""


def not_better(difference: Estimate, most: float) -> Verdict:
    """A difference is at most so much: its whole interval is; it does not hold if none of it is."""
    word = judge_above_zero(Estimate(*(most - difference[at] for at in (0, 2, 1)))).word
    return Verdict(word, format_interval(difference, signed=True))


def _assess_before(findings: Findings) -> Verdict:
    before, anywhere = (findings.probability(each).value for each in (place_at(-1), "any distance"))
    found = judge_above_zero(findings.ahead(place_at(-1), "any distance"))
    more = f"{format_signed(100 * (before / anywhere - 1), 0)} %" if anywhere else ""
    told = f"{format_number(before)} − {format_number(anywhere)}: {found.figures}, {more}"
    return Verdict(found.word, told)


def _assess_peak(findings: Findings) -> Verdict:
    """The distance that decides is the one where the claim is worst off."""
    others = [distance for distance in DISTANCES if distance != -1]
    ahead = {distance: findings.ahead(place_at(-1), place_at(distance)) for distance in others}
    rival = min(ahead, key=lambda distance: (ahead[distance].low, ahead[distance].value))
    lost = [distance for distance in others if ahead[distance].high < 0]
    chosen = lost[0] if lost else rival
    return _titled(
        f"−1 against {place_at(chosen)}".replace("-", "−"), judge_above_zero(ahead[chosen])
    )


def _assess_fall(findings: Findings) -> Verdict:
    return judge_above_zero(findings.ahead(place_at(-1), place_at(1)))


def _assess_below(findings: Findings) -> Verdict:
    return judge_above_zero(findings.ahead("any distance", place_at(1)))


def _assess_subjects(findings: Findings) -> Verdict:
    return _pair(findings, "subjects")


def _assess_heads(findings: Findings) -> Verdict:
    return _pair(findings, "heads")


def _assess_noun_heads(findings: Findings) -> Verdict:
    return _pair(findings, "noun heads")


def _assess_tfsyntax(findings: Findings) -> Verdict:
    return _tfsyntax(findings, LENGTH)


def _assess_equal_length(findings: Findings) -> Verdict:
    return _tfsyntax(findings, None)


def _assess_others(findings: Findings) -> Verdict:
    return _all(
        _titled(f"{each} − tf", not_better(findings.recall_ahead(each, "tf"), _LITTLE))
        for each in ("likelihood_ratio", "okapi")
    )


def _assess_vocabulary(findings: Findings) -> Verdict:
    considered = findings.considered("tfsyntax")
    apart = Estimate(*(end - CONSIDERED for end in considered))
    value, low, high = map(format_number, considered)
    return Verdict(judge_similar(apart, _NEARLY).word, f"{value} ({low} to {high})")


def _pair(findings: Findings, which: str) -> Verdict:
    first, second = PLACE_PAIRS[which]
    values = " − ".join(format_number(findings.probability(each).value) for each in (first, second))
    found = judge_above_zero(findings.ahead(first, second))
    return Verdict(
        found.word,
        f"{values}: {found.figures}; higher in {findings.count_higher(first, second)} topics",
    )


def _tfsyntax(findings: Findings, length: int | None) -> Verdict:
    return _all(
        _titled(f"− {each}", judge_above_zero(findings.recall_ahead("tfsyntax", each, length)))
        for each in _RIVALS
    )


def _all(verdicts: Iterable[Verdict]) -> Verdict:
    """Parts of a claim; the worst word counts."""
    return worst_verdict(verdicts)


def _titled(what: str, verdict: Verdict) -> Verdict:
    return Verdict(verdict.word, f"{what}: {verdict.figures}")


_WHOLE = "the whole interval of the difference is above 0"

CLAIMS = (
    Conclusion(
        "A word immediately before a verb is more often one of a key concept than words are on "
        "average.",
        "section 4.1, figure 1 (0.39 − 0.25, +56 %, topic tracking)",
        f"probability there − at any distance; {_WHOLE}",
        _assess_before,
    ),
    Conclusion(
        "The probability is highest immediately before the verb.",
        "section 4.1, figure 1",
        f"probability there − at each other distance up to {max(DISTANCES)}; {_WHOLE}, for each",
        _assess_peak,
    ),
    Conclusion(
        "It falls after the verb.",
        "section 4.1, figure 1",
        f"probability immediately before − immediately after; {_WHOLE}",
        _assess_fall,
    ),
    Conclusion(
        "Immediately after the verb it is below the average.",
        "section 4.1, figure 1",
        f"probability at any distance − immediately after; {_WHOLE}",
        _assess_below,
    ),
    Conclusion(
        "Key concepts stand in subjects rather than in other noun phrases.",
        "section 4.2, figure 2",
        f"probability in subjects − in other phrases; {_WHOLE}",
        _assess_subjects,
    ),
    Conclusion(
        "They stand in the modifiers of subjects rather than in the heads ([Mod]* against [N]).",
        "section 4.3, figure 3",
        f"probability in modifiers − in heads; {_WHOLE}",
        _assess_heads,
    ),
    Conclusion(
        "They stand in the modifiers of subjects rather than in the heads, if nouns and adjectives "
        "before an English noun are taken for modifiers too.",
        "section 4.3, read for English",
        f"probability in modifiers − in last nouns and names; {_WHOLE}",
        _assess_noun_heads,
    ),
    Conclusion(
        f"With {LENGTH} terms TFSYNTAX reaches more concepts than TF, likelihood ratio and Okapi.",
        "section 5.2, figure 5",
        f"recall at {LENGTH} terms; {_WHOLE}, for each of the three",
        _assess_tfsyntax,
    ),
    Conclusion(
        "TFSYNTAX reaches more concepts with as many terms as it offers.",
        "not in the paper, where all lists are long",
        f"recall at the length of its list, at most {LENGTH} terms; {_WHOLE}, for each of "
        "the three",
        _assess_equal_length,
    ),
    Conclusion(
        "Likelihood ratio and Okapi are no better than TF.",
        "section 5.2",
        f"recall at {LENGTH} terms is at most {_LITTLE} higher, the whole interval, for both",
        _assess_others,
        needs_tags=False,
    ),
    Conclusion(
        "TFSYNTAX considers a tenth of the vocabulary.",
        "section 5.2",
        f"share of a topic's distinct content words, {CONSIDERED} ± {_NEARLY}, its interval too",
        _assess_vocabulary,
    ),
)


def assess_claims(findings: Findings) -> list[JudgedClaim]:
    """Every conclusion with what our figures say of it."""
    return [
        (
            each,
            Verdict(NOT_STUDIED)
            if each.needs_tags and not findings.tagged
            else each.judge(findings),
        )
        for each in CLAIMS
    ]
