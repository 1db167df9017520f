"""The paper's conclusions (ACL-IJCNLP 2009), each with the rule that says whether it holds here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from eval.report.claims import (
    NOT_STUDIED,
    Claim,
    Verdict,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_similar,
    worst_by_name,
    worst_verdict,
)
from eval.studies.refinements.findings import Findings
from eval.studies.refinements.paper import ATTRIBUTES
from eval.studies.refinements.people import SIZES, size_in_words

__all__ = ["CLAIMS"]

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
_LENGTHS = ("tokens", "bigrams", "trigrams", "fourgrams", "fivegrams")

Judge = Callable[[Findings], Verdict]


def _where_studied(judge: Judge, *kinds: str) -> Judge:
    """Nothing is said if kinds of refinement were not studied that the claim is about."""
    return lambda findings: (
        judge(findings) if findings.kinds.issuperset(kinds) else Verdict(NOT_STUDIED)
    )


def _of_attributes(judge: Judge) -> Judge:
    return _where_studied(judge, "best-ae")


def _each_size(sizes: Sequence[str], judge: Callable[[str], Verdict]) -> Verdict:
    """A claim about people of several sizes; the worst word counts."""
    return worst_by_name((size_in_words(size), judge(size)) for size in sizes)


def _judge_ahead(first: str, second: str, *sizes: str) -> Judge:
    """One kind is better than another for people of every one of the sizes."""
    return _where_studied(
        lambda findings: _each_size(
            sizes, lambda size: judge_above_zero(findings.ahead(first, second, size))
        ),
        first,
        second,
    )


def _judge_best(findings: Findings) -> Verdict:
    return judge_at_least(findings.refinement_means("best-all", _MORE).f, _GOOD)


def _judge_most(findings: Findings) -> Verdict:
    several = {f"{_MORE} pages": findings.by_size[_MORE], "all people": findings.people}
    return worst_by_name(
        (who, judge_at_least(findings.share_above("best-all", _PERFECT, people), 0.5))
        for who, people in several.items()
    )


@_of_attributes
def _judge_always(findings: Findings) -> Verdict:
    shares = {
        size_in_words(size): findings.refinement_means("best-ae", size).coverage for size in SIZES
    }
    return judge_below(shares, 1.0)


@_of_attributes
def _judge_growing(findings: Findings) -> Verdict:
    many, few = (findings.covered("best-ae", size) for size in (_MORE, _ONE))
    return judge_above_zero(findings.difference_of_means(many, few))


@_of_attributes
def _judge_precise(findings: Findings) -> Verdict:
    return _each_size(
        SIZES,
        lambda size: judge_at_least(findings.refinement_means("best-ae", size).precision, _PRECISE),
    )


@_of_attributes
def _judge_recall(findings: Findings) -> Verdict:
    def judge(size: str) -> Verdict:
        best = ((person, person.found.get("best-ae")) for person in findings.by_size[size])
        apart = findings.mean(
            (person, each.precision - each.recall) for person, each in best if each
        )
        return judge_at_least(apart, _APART)

    return _each_size((_TWO, _MORE), judge)


@_of_attributes
def _judge_frequent(findings: Findings) -> Verdict:
    """Affiliation against each other attribute, paired by name."""
    first = "ae affiliation"
    won = findings.best_attributes(_MORE)
    ahead = {
        other: findings.mean((person, (kind == first) - (kind == other)) for person, kind in won)
        for other in ATTRIBUTES
        if other != first
    }
    rival = min(ahead, key=lambda other: ahead[other].value)
    name = f"affiliation − {rival.removeprefix('ae ')}"
    return worst_by_name([(name, judge_above_zero(ahead[rival]))])


@_of_attributes
def _judge_tail(findings: Findings) -> Verdict:
    shares = {
        kind.removeprefix("ae "): findings.best_attribute_share(kind, _MORE) for kind in ATTRIBUTES
    }
    return judge_below(shares, 0.5)


def _judge_words(findings: Findings) -> Verdict:
    good = _each_size(
        SIZES, lambda size: judge_at_least(findings.refinement_means("best-nl", size).f, _GOOD)
    )
    alike = _each_size(
        SIZES, lambda size: judge_similar(findings.ahead("best-all", "best-nl", size), _ALIKE)
    )
    return worst_verdict((good, worst_by_name([("best of all − best of these", alike)])))


def _judge_lengths(findings: Findings) -> Verdict:
    return worst_by_name(
        (f"{shorter} − {longer}", judge_above_zero(findings.ahead(shorter, longer, _MORE)))
        for shorter, longer in pairwise(_LENGTHS)
    )


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "The best refinement of all is on average very good for people with three pages or more.",
        "section 3.1, table 6",
        f"its mean F is at least {_GOOD}, its interval too",
        _judge_best,
    ),
    Claim(
        "On most occasions there is a near-perfect refinement.",
        "abstract, section 1",
        f"for at least half of the people its F is at least {_PERFECT}, the interval too; for "
        "those with three pages or more, and for all",
        _judge_most,
    ),
    Claim(
        "The best attribute does significantly worse than the best refinement of all.",
        "section 3.1, table 6",
        "for people with three pages or more its F is lower, the whole interval of the difference",
        _judge_ahead("best-all", "best-ae", _MORE),
    ),
    Claim(
        "Attributes cannot always be used.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one is below 1, its interval too, for every size",
        _judge_always,
    ),
    Claim(
        "Fewer people with few pages have an attribute.",
        "section 3.1, tables 4 to 6",
        "the share is higher for people with three pages or more than for those with one, the "
        "whole interval of the difference",
        _judge_growing,
    ),
    Claim(
        "Attributes are very precise.",
        "section 3.1, tables 4 to 6",
        f"mean precision of the best one is at least {_PRECISE}, its interval too, for every size",
        _judge_precise,
    ),
    Claim(
        "The recall of attributes is low for people with two pages or more.",
        "section 3.1, tables 5 and 6",
        f"recall of the best one is at least {_APART} below its precision, the whole interval",
        _judge_recall,
    ),
    Claim(
        "Affiliation is the attribute that is best most often.",
        "section 3.1, table 7",
        "for people with three pages or more it has more wins than each of the others, the whole "
        "interval of the difference",
        _judge_frequent,
    ),
    Claim(
        "No single attribute is the one to think of.",
        "section 3.1, table 7",
        "for people with three pages or more each has less than half of the wins, its interval too",
        _judge_tail,
    ),
    Claim(
        "Recognised entities do better than attributes.",
        "section 3.1, tables 5 and 6",
        "for people with two pages, and with more, the best one's F is higher, the whole interval "
        "of the difference",
        _judge_ahead("best-ner", "best-ae", _TWO, _MORE),
    ),
    Claim(
        "Tokens and n-grams are almost perfect, and an upper bound of all kinds.",
        "section 3.1, tables 4 to 6",
        f"for every size mean F of the best one is at least {_GOOD}, its interval too, and the "
        f"best of all kinds is at most {_ALIKE} better",
        _judge_words,
    ),
    Claim(
        "Single tokens are better than n-grams, shorter ones better than longer ones.",
        "table 3; not said in words",
        "for people with three pages or more each length is better than the next, the whole "
        "interval of the difference",
        _judge_lengths,
    ),
)
