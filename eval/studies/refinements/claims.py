"""The paper's conclusions, each with the rule that says whether it holds for our figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from eval.report.claims import (
    NOT_STUDIED,
    Claim,
    JudgedClaim,
    Verdict,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_similar,
    worst_verdict,
)
from eval.stats.estimate import Estimate
from eval.studies.refinements.findings import (
    Findings,
    best_attribute_share,
    difference_of_means,
    mean_over_people,
)
from eval.studies.refinements.paper import ATTRIBUTES
from eval.studies.refinements.people import SIZES, size_in_words

__all__ = ["CLAIMS", "Conclusion", "assess_claims"]

_ONE, _TWO, _MORE = SIZES
_GOOD = 0.85
"""A mean F that may be called very good; the paper calls .89 so."""
_PERFECT = 0.9
"""An F that may be called near-perfect."""
_PRECISE = 0.9
"""A mean precision that may be called very precise; the paper's are .97 and more."""
_APART = 0.2
"""How far recall must be below precision to be called low; in the paper .35 and .50."""
_ALIKE = 0.02
"""The paper's best refinement differs by .01 from the best token or n-gram at most."""
_NOTHING = Verdict(NOT_STUDIED)
_LENGTHS = ("tokens", "bigrams", "trigrams", "fourgrams", "fivegrams")


@dataclass(frozen=True, slots=True)
class Conclusion(Claim[Findings]):
    """A conclusion of the paper (ACL-IJCNLP 2009)."""

    about: tuple[str, ...] = ()
    """The kinds of refinement without which nothing can be said."""


def _assess_best(findings: Findings) -> Verdict:
    return judge_at_least(findings.refinement_means("best-all", _MORE).f, _GOOD)


def _assess_most(findings: Findings) -> Verdict:
    several = {f"{_MORE} pages": findings.by_size[_MORE], "all people": findings.people}
    return _all(
        _titled(who, judge_at_least(findings.share_above("best-all", _PERFECT, people), 0.5))
        for who, people in several.items()
    )


def _assess_attributes(findings: Findings) -> Verdict:
    return _ahead(findings, "best-all", "best-ae", [_MORE])


def _assess_always(findings: Findings) -> Verdict:
    shares = {size: findings.refinement_means("best-ae", size).coverage for size in SIZES}
    return judge_below({size_in_words(size): each for size, each in shares.items()}, 1.0)


def _assess_growing(findings: Findings) -> Verdict:
    many, few = (findings.covered("best-ae", size) for size in (_MORE, _ONE))
    return judge_above_zero(difference_of_means(many, few, findings.names, findings.seed))


def _assess_precise(findings: Findings) -> Verdict:
    return _each_size(
        SIZES,
        lambda size: judge_at_least(findings.refinement_means("best-ae", size).precision, _PRECISE),
    )


def _assess_recall(findings: Findings) -> Verdict:
    return _each_size(
        (_TWO, _MORE), lambda size: judge_at_least(_precision_above_recall(findings, size), _APART)
    )


def _precision_above_recall(findings: Findings, size: str) -> Estimate:
    known = ((person, person.found.get("best-ae")) for person in findings.by_size[size])
    values = [(person, best.precision - best.recall) for person, best in known if best]
    return mean_over_people(values, findings.names, findings.seed)


def _assess_frequent(findings: Findings) -> Verdict:
    """Affiliation against each other attribute, paired by name."""
    won = findings.best_attributes(_MORE)
    ahead = {
        other: mean_over_people(
            [(person, (kind == "ae affiliation") - (kind == other)) for person, kind in won],
            findings.names,
            findings.seed,
        )
        for other in ATTRIBUTES
        if other != "ae affiliation"
    }
    rival = min(ahead, key=lambda other: ahead[other].value)
    return _titled(f"affiliation − {rival.removeprefix('ae ')}", judge_above_zero(ahead[rival]))


def _assess_tail(findings: Findings) -> Verdict:
    won = findings.best_attributes(_MORE)
    shares = {
        kind: best_attribute_share(won, [kind], findings.names, findings.seed)
        for kind in ATTRIBUTES
    }
    return judge_below({kind.removeprefix("ae "): share for kind, share in shares.items()}, 0.5)


def _assess_entities(findings: Findings) -> Verdict:
    return _ahead(findings, "best-ner", "best-ae", [_TWO, _MORE])


def _assess_words(findings: Findings) -> Verdict:
    good = _each_size(
        SIZES, lambda size: judge_at_least(findings.refinement_means("best-nl", size).f, _GOOD)
    )
    alike = _each_size(
        SIZES, lambda size: judge_similar(findings.ahead("best-all", "best-nl", size), _ALIKE)
    )
    return worst_verdict((good, _titled("best of all − best of these", alike)))


def _assess_lengths(findings: Findings) -> Verdict:
    return _all(
        _titled(f"{shorter} − {longer}", judge_above_zero(findings.ahead(shorter, longer, _MORE)))
        for shorter, longer in pairwise(_LENGTHS)
    )


def _ahead(findings: Findings, first: str, second: str, sizes: Iterable[str]) -> Verdict:
    """One kind is better than another for people of every one of the sizes."""
    return _each_size(sizes, lambda size: judge_above_zero(findings.ahead(first, second, size)))


def _each_size(sizes: Iterable[str], assess: Callable[[str], Verdict]) -> Verdict:
    return _all(_titled(size_in_words(size), assess(size)) for size in sizes)


def _all(verdicts: Iterable[Verdict]) -> Verdict:
    """Parts of a claim; the worst word counts."""
    return worst_verdict(verdicts)


def _titled(what: str, verdict: Verdict) -> Verdict:
    return Verdict(verdict.word, f"{what}: {verdict.figures}")


_ATTRIBUTES = ("best-ae",)

CLAIMS = (
    Conclusion(
        "The best refinement of all is on average very good for people with three pages or more.",
        "section 3.1, table 6",
        f"its mean F is at least {_GOOD}, its interval too",
        _assess_best,
    ),
    Conclusion(
        "On most occasions there is a near-perfect refinement.",
        "abstract, section 1",
        f"for at least half of the people its F is at least {_PERFECT}, the interval too; for "
        "those with three pages or more, and for all",
        _assess_most,
    ),
    Conclusion(
        "The best attribute does significantly worse than the best refinement of all.",
        "section 3.1, table 6",
        "for people with three pages or more its F is lower, the whole interval of the difference",
        _assess_attributes,
        _ATTRIBUTES,
    ),
    Conclusion(
        "Attributes cannot always be used.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one is below 1, its interval too, for every size",
        _assess_always,
        _ATTRIBUTES,
    ),
    Conclusion(
        "Fewer people with few pages have an attribute.",
        "section 3.1, tables 4 to 6",
        "the share is higher for people with three pages or more than for those with one, the "
        "whole interval of the difference",
        _assess_growing,
        _ATTRIBUTES,
    ),
    Conclusion(
        "Attributes are very precise.",
        "section 3.1, tables 4 to 6",
        f"mean precision of the best one is at least {_PRECISE}, its interval too, for every size",
        _assess_precise,
        _ATTRIBUTES,
    ),
    Conclusion(
        "The recall of attributes is low for people with two pages or more.",
        "section 3.1, tables 5 and 6",
        f"recall of the best one is at least {_APART} below its precision, the whole interval",
        _assess_recall,
        _ATTRIBUTES,
    ),
    Conclusion(
        "Affiliation is the attribute that is best most often.",
        "section 3.1, table 7",
        "for people with three pages or more it has more wins than each of the others, the whole "
        "interval of the difference",
        _assess_frequent,
        _ATTRIBUTES,
    ),
    Conclusion(
        "No single attribute is the one to think of.",
        "section 3.1, table 7",
        "for people with three pages or more each has less than half of the wins, its interval too",
        _assess_tail,
        _ATTRIBUTES,
    ),
    Conclusion(
        "Recognised entities do better than attributes.",
        "section 3.1, tables 5 and 6",
        "for people with two pages, and with more, the best one's F is higher, the whole interval "
        "of the difference",
        _assess_entities,
        ("best-ner", "best-ae"),
    ),
    Conclusion(
        "Tokens and n-grams are almost perfect, and an upper bound of all kinds.",
        "section 3.1, tables 4 to 6",
        f"for every size mean F of the best one is at least {_GOOD}, its interval too, and the "
        f"best of all kinds is at most {_ALIKE} better",
        _assess_words,
    ),
    Conclusion(
        "Single tokens are better than n-grams, shorter ones better than longer ones.",
        "table 3; not said in words",
        "for people with three pages or more each length is better than the next, the whole "
        "interval of the difference",
        _assess_lengths,
    ),
)


def assess_claims(findings: Findings) -> list[JudgedClaim]:
    """Every conclusion with what our figures say of it."""
    return [
        (each, each.judge(findings) if findings.kinds.issuperset(each.about) else _NOTHING)
        for each in CLAIMS
    ]
