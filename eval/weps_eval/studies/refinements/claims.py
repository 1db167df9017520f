"""The paper's conclusions (ACL-IJCNLP 2009), each with the rule that says whether it holds here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from weps_eval.report.claims import (
    NOT_STUDIED,
    Claim,
    SampleSize,
    Verdict,
    judge_above_zero,
    judge_at_least,
    judge_below,
    judge_similar,
    worst_by_name,
    worst_verdict,
)
from weps_eval.studies.refinements.findings import (
    ATTRIBUTES,
    SIZES,
    Findings,
    Person,
    size_in_words,
)

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
    return lambda findings: (
        judge(findings) if findings.kinds.issuperset(kinds) else Verdict(NOT_STUDIED)
    )


def _of_attributes(judge: Judge) -> Judge:
    return _where_studied(judge, "best-ae")


def sample_size(findings: Findings) -> SampleSize:
    """Names and their people."""
    return _size_of(findings.people)


def _size_of(people: Sequence[Person], *kinds: str) -> SampleSize:
    """Names and people who have refinements of all of the kinds."""
    having = [each for each in people if all(each.found.get(kind) for kind in kinds)]
    return SampleSize(len({each.name for each in having}), len(having), "names", "people")


def _winners_size(findings: Findings) -> SampleSize:
    return _size_of(findings.by_size[_MORE], "best-ae")


def _studied_size(findings: Findings, *sizes: str) -> SampleSize:
    """Of the fewest people of one of the sizes for whose names attributes were studied."""
    return min(
        _size_of([person for person, _ in findings.covered("best-ae", size)]) for size in sizes
    )


def _each_size(
    findings: Findings, sizes: Sequence[str], judge: Callable[[str], Verdict], *kinds: str
) -> Verdict:
    """By the pages of people who have refinements of all of the kinds."""
    return worst_by_name(
        (
            size_in_words(size),
            judge(size).resting_on(_size_of(findings.by_size[size], *kinds)),
        )
        for size in sizes
    )


def _judge_ahead(first: str, second: str, *sizes: str) -> Judge:
    return _where_studied(
        lambda findings: _each_size(
            findings,
            sizes,
            lambda size: judge_above_zero(findings.ahead(first, second, size)),
            first,
            second,
        ),
        first,
        second,
    )


def _judge_most(findings: Findings) -> Verdict:
    several = {f"{_MORE} pages": findings.by_size[_MORE], "all people": findings.people}
    return worst_by_name(
        (
            who,
            judge_at_least(findings.share_above("best-all", _PERFECT, people), 0.5).resting_on(
                _size_of(people, "best-all")
            ),
        )
        for who, people in several.items()
    )


@_of_attributes
def _judge_recall(findings: Findings) -> Verdict:
    def judge(size: str) -> Verdict:
        best = ((person, person.found.get("best-ae")) for person in findings.by_size[size])
        apart = findings.mean(
            (person, each.precision - each.recall) for person, each in best if each
        )
        return judge_at_least(apart, _APART)

    return _each_size(findings, (_TWO, _MORE), judge, "best-ae")


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


def _judge_words(findings: Findings) -> Verdict:
    good = _each_size(
        findings,
        SIZES,
        lambda size: judge_at_least(findings.refinement_means("best-nl", size).f, _GOOD),
        "best-nl",
    )
    alike = _each_size(
        findings,
        SIZES,
        lambda size: judge_similar(findings.ahead("best-all", "best-nl", size), _ALIKE),
        "best-all",
        "best-nl",
    )
    return worst_verdict((good, worst_by_name([("best of all − best of these", alike)])))


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "The best refinement of all is on average very good for people with three pages or more.",
        "section 3.1, table 6",
        f"its mean F is at least {_GOOD}, with its whole interval",
        lambda findings: judge_at_least(findings.refinement_means("best-all", _MORE).f, _GOOD),
        lambda findings: _size_of(findings.by_size[_MORE], "best-all"),
    ),
    Claim(
        "On most occasions there is a near-perfect refinement.",
        "abstract, section 1",
        f"its F is at least {_PERFECT} for at least half of the people, with the whole interval of "
        "the share; both for people with three pages or more and for all people",
        _judge_most,
    ),
    Claim(
        "The best attribute does significantly worse than the best refinement of all.",
        "section 3.1, table 6",
        "for people with three pages or more, F of the best refinement minus F of the best "
        "attribute is above 0, with its whole interval",
        _judge_ahead("best-all", "best-ae", _MORE),
    ),
    Claim(
        "Attributes cannot always be used.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one is below 1, with its whole interval, for every number of "
        "pages (1, 2, 3 or more)",
        _of_attributes(
            lambda findings: judge_below(
                {
                    size_in_words(size): findings.refinement_means("best-ae", size).coverage
                    for size in SIZES
                },
                1.0,
            )
        ),
        lambda findings: _studied_size(findings, *SIZES),
    ),
    Claim(
        "Fewer people with few pages have an attribute.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one, for people with three pages or more minus those with "
        "one page, is above 0, with its whole interval",
        _of_attributes(
            lambda findings: judge_above_zero(
                findings.difference_of_means(
                    *(findings.covered("best-ae", size) for size in (_MORE, _ONE))
                )
            )
        ),
        lambda findings: _studied_size(findings, _MORE, _ONE),
    ),
    Claim(
        "Attributes are very precise.",
        "section 3.1, tables 4 to 6",
        f"mean precision of the best one is at least {_PRECISE}, with its whole interval, for "
        "every number of pages",
        _of_attributes(
            lambda findings: _each_size(
                findings,
                SIZES,
                lambda size: judge_at_least(
                    findings.refinement_means("best-ae", size).precision, _PRECISE
                ),
                "best-ae",
            )
        ),
    ),
    Claim(
        "The recall of attributes is low for people with two pages or more.",
        "section 3.1, tables 5 and 6",
        f"precision of the best one minus its recall is at least {_APART}, with the whole interval",
        _judge_recall,
    ),
    Claim(
        "Affiliation is the attribute that is best most often.",
        "section 3.1, table 7",
        "for people with three pages or more, how often it is best minus how often each other "
        "attribute is best is above 0, with its whole interval",
        _judge_frequent,
        _winners_size,
    ),
    Claim(
        "No single attribute is best for most people.",
        "section 3.1, table 7",
        "for people with three pages or more, each attribute is best in less than half of the "
        "cases, with the whole interval",
        _of_attributes(
            lambda findings: judge_below(
                {
                    kind.removeprefix("ae "): findings.best_attribute_share(kind, _MORE)
                    for kind in ATTRIBUTES
                },
                0.5,
            )
        ),
        _winners_size,
    ),
    Claim(
        "Recognised entities do better than attributes.",
        "section 3.1, tables 5 and 6",
        "for people with two pages, and for those with more, F of the best entity minus F of the "
        "best attribute is above 0, with its whole interval",
        _judge_ahead("best-ner", "best-ae", _TWO, _MORE),
    ),
    Claim(
        "Tokens and n-grams are almost perfect, and an upper bound for all kinds.",
        "section 3.1, tables 4 to 6",
        f"for every number of pages, mean F of the best one is at least {_GOOD}, with its whole "
        f"interval, and the best of all kinds is at most {_ALIKE} better",
        _judge_words,
    ),
    Claim(
        "Single tokens are better than n-grams, and shorter n-grams than longer ones.",
        "table 3; not stated in the text",
        "for people with three pages or more, F of each length minus that of the next is above 0, "
        "with its whole interval",
        lambda findings: worst_by_name(
            (f"{shorter} − {longer}", judge_above_zero(findings.ahead(shorter, longer, _MORE)))
            for shorter, longer in pairwise(_LENGTHS)
        ),
        lambda findings: _size_of(findings.by_size[_MORE], *_LENGTHS),
    ),
)


class PublishedMeans(NamedTuple):
    """A row of Tables 1 to 6: means over the people who have a candidate of the kind."""

    f: float
    precision: float
    recall: float
    coverage: float
    """Share of the people who have one."""


def _rows(table: str) -> dict[str, list[float]]:
    """Name → numbers, of lines that give both with two blanks between."""
    cells = (re.split(" {2,}", line, maxsplit=1) for line in table.strip().splitlines())
    return {name: [*map(float, numbers.split())] for name, numbers in cells}


PEOPLE = {"1": 335, "2": 92, "≥3": 125}
"""People by the number of their pages (section 3)."""

_MEANS = _rows("""
ae affiliation    0.99 0.98 1.00 0.46  0.76 0.99 0.65 0.40  0.51 0.96 0.39 0.81
ae award          1.00 1.00 1.00 0.04  0.67 1.00 0.50 0.02  0.26 1.00 0.16 0.20
ae birthplace     1.00 1.00 1.00 0.09  0.67 1.00 0.50 0.10  0.33 0.99 0.24 0.28
ae degree         0.85 0.80 1.00 0.10  0.63 0.87 0.54 0.15  0.37 0.90 0.26 0.36
ae email          1.00 1.00 1.00 0.11  0.74 1.00 0.60 0.16  0.35 0.96 0.23 0.33
ae fax            1.00 1.00 1.00 0.06  0.67 1.00 0.50 0.09  0.30 1.00 0.19 0.15
ae location       0.99 0.99 1.00 0.27  0.77 1.00 0.66 0.32  0.34 0.96 0.23 0.64
ae major          1.00 1.00 1.00 0.07  0.71 1.00 0.56 0.09  0.30 0.97 0.20 0.22
ae mentor         1.00 1.00 1.00 0.03  0.75 1.00 0.63 0.04  0.23 0.95 0.15 0.22
ae nationality    1.00 1.00 1.00 0.01  0.67 1.00 0.50 0.01  0.36 0.88 0.26 0.16
ae occupation     0.95 0.93 1.00 0.48  0.76 0.98 0.65 0.52  0.52 0.93 0.40 0.80
ae phone          0.99 0.99 1.00 0.13  0.75 1.00 0.63 0.13  0.34 0.96 0.23 0.33
ae relatives      0.99 0.98 1.00 0.15  0.78 0.96 0.68 0.15  0.32 0.95 0.22 0.16
ae school         0.99 0.99 1.00 0.15  0.68 0.96 0.56 0.17  0.40 0.95 0.29 0.43
ae work           0.96 0.95 1.00 0.07  0.81 1.00 0.72 0.17  0.45 0.94 0.34 0.38
ner location      0.96 0.95 1.00 0.93  0.83 0.97 0.77 0.98  0.62 0.87 0.53 1.00
ner organisation  1.00 1.00 1.00 0.98  0.89 1.00 0.83 1.00  0.67 0.96 0.56 1.00
ner person        0.98 0.97 1.00 0.82  0.83 0.99 0.74 0.98  0.59 0.95 0.47 1.00
tokens            1.00 1.00 1.00 1.00  0.96 0.99 0.94 1.00  0.87 0.90 0.86 1.00
bigrams           1.00 1.00 1.00 0.98  0.95 1.00 0.92 1.00  0.79 0.95 0.70 1.00
trigrams          1.00 1.00 1.00 1.00  0.94 1.00 0.92 1.00  0.75 0.96 0.65 1.00
fourgrams         1.00 1.00 1.00 0.98  0.91 1.00 0.86 0.99  0.67 0.97 0.55 1.00
fivegrams         1.00 1.00 1.00 0.98  0.89 1.00 0.84 0.99  0.62 0.96 0.50 1.00
best-ae           1.00 0.99 1.00 0.74  0.77 1.00 0.65 0.79  0.60 0.97 0.47 0.92
best-all          1.00 1.00 1.00 1.00  0.95 1.00 0.93 1.00  0.89 0.96 0.85 1.00
best-ner          1.00 1.00 1.00 0.99  0.92 0.99 0.88 1.00  0.74 0.95 0.63 1.00
best-nl           1.00 1.00 1.00 1.00  0.96 1.00 0.94 1.00  0.89 0.95 0.85 1.00
""")
"""F, precision, recall and coverage for people with one page, two, and three or more."""
PUBLISHED_MEANS = {
    size: {kind: PublishedMeans(*row[at : at + 4]) for kind, row in _MEANS.items()}
    for size, at in zip(PEOPLE, (0, 4, 8), strict=True)
}
"""Pages of a person → kind of refinement → figures (Tables 1 to 3, and 4 to 6)."""

BEST_ATTRIBUTE_SHARES = _rows("""
ae affiliation  20.96 17.88 29.41
ae occupation   20.25 21.79 24.60
ae work          3.23  8.38  8.56
ae location     12.66 12.29  8.02
ae school        7.03  6.70  6.42
ae degree        3.23  3.91  5.35
ae email         5.34  6.15  4.28
ae phone         6.19  5.03  3.21
ae nationality   0.28  0.00  3.21
ae relatives     7.03  5.03  2.67
ae birthplace    4.22  5.03  1.60
ae fax           2.95  1.68  1.60
ae major         3.52  3.91  1.07
ae mentor        1.41  2.23  0.00
ae award         1.69  0.00  0.00
""")
"""Attribute → of all wins of an attribute the per cent that are its own, for people with one page,
two, and three or more (Table 7).

Taken together they are whole numbers of :data:`BEST_ATTRIBUTE_COUNTS` alone.
"""

BEST_ATTRIBUTE_COUNTS = {"1": 711, "2": 179, "≥3": 187}
"""More than the people who have an attribute (.74 · 335, .79 · 92, .92 · 125): where attributes
tie, each of them wins. The paper does not say so; it follows from the percentages."""
