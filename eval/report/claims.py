"""Claims of papers, rules that turn estimates into verdicts on them, and the table of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from eval.report.tables import TEXT, Column, Kind, Table
from eval.stats.estimate import Estimate
from weps._formatting import format_interval, format_percentage_interval

Findings = TypeVar("Findings")

HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
UNDECIDED = "undecided"
"""The figure or its interval leaves it open."""
NOT_STUDIED = "not studied"
"""What the claim is about was not among the features studied."""
CANNOT = "cannot be tested here"
"""The data lack what the claim is about."""

SEVERITY = {DOES_NOT_HOLD: 0, UNDECIDED: 1, HOLDS: 2, NOT_STUDIED: 3}
"""Of several parts of a claim the first of these decides."""

_FEW_GROUPS = 10


class Verdict(NamedTuple):
    """The verdict of our figures on a claim."""

    word: str
    figures: str = ""


@dataclass(frozen=True, slots=True)
class Claim(Generic[Findings]):
    """A conclusion of a paper."""

    text: str
    """In less than 80 letters."""
    source: str
    """Where the paper says so."""
    rule: str
    """When it holds here, in words."""
    judge: Callable[[Findings], Verdict]

    @classmethod
    def untestable(cls, text: str, source: str, reason: str, rule: str = "–") -> Claim[Findings]:
        """A claim that no data of the study can test, with the reason."""
        return cls(text, source, rule, lambda _: cannot_judge(reason))


JudgedClaim: TypeAlias = tuple[Claim[Any], Verdict]


def judge_claims(claims: Sequence[Claim[Findings]], findings: Findings) -> list[JudgedClaim]:
    """Every claim with its verdict on our figures."""
    return [(each, each.judge(findings)) for each in claims]


def judge_by_criterion(
    claims: Sequence[Claim[Findings]], findings: Mapping[str, Findings]
) -> list[JudgedClaim]:
    """Every claim with its verdict on what was found by each criterion of people.

    See :func:`over_criteria`.
    """
    return [
        (each, over_criteria({name: each.judge(found) for name, found in findings.items()}))
        for each in claims
    ]


def over_criteria(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The least favourable of the verdicts by criterion of people that can be tested."""
    if not verdicts:
        return cannot_judge("there are no human scores")
    known = {name: each for name, each in verdicts.items() if each.word in SEVERITY}
    if not known:
        return next(iter(verdicts.values()))
    return worst_by_name(known.items()) if len(verdicts) > 1 else next(iter(known.values()))


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """Several parts of a claim: the worst word, and the figures of all; at least one part."""
    parts = list(verdicts)
    word = min((each.word for each in parts), key=SEVERITY.__getitem__)
    return Verdict(word, "; ".join(each.figures for each in parts))


def worst_by_name(verdicts: Iterable[tuple[str, Verdict]], absent: str = "") -> Verdict:
    """The same of named parts; ``absent`` is the reason if there are none."""
    parts = [Verdict(each.word, f"{name}: {each.figures}") for name, each in verdicts]
    return worst_verdict(parts) if parts else cannot_judge(absent)


def cannot_judge(reason: str) -> Verdict:
    """The claim cannot be tested, with the reason."""
    return Verdict(CANNOT, reason)


def judge_above_zero(difference: Estimate) -> Verdict:
    """A difference is above 0: its whole interval is."""
    word = _word(holds=difference.low > 0, fails=difference.high < 0)
    return Verdict(word, format_interval(difference, signed=True))


def judge_similar(difference: Estimate, most: float) -> Verdict:
    """A difference is small either way: the figure and its whole interval.

    It does not hold if the whole interval is larger than that, and is undecided in between.
    """
    word = _word(
        holds=-most <= difference.low and difference.high <= most,
        fails=difference.low > most or difference.high < -most,
    )
    return Verdict(word, format_interval(difference, signed=True))


def judge_at_least(figure: Estimate, limit: float) -> Verdict:
    """A figure reaches a limit with its whole interval."""
    word = _word(holds=figure.low >= limit, fails=figure.high < limit)
    return Verdict(word, format_interval(figure))


def judge_at_most(figure: Estimate, limit: float) -> Verdict:
    """A figure stays below a limit with its whole interval."""
    word = _word(holds=figure.high < limit, fails=figure.low >= limit)
    return Verdict(word, format_interval(figure) if not isnan(figure.value) else "")


def judge_below(shares: dict[str, Estimate], limit: float) -> Verdict:
    """All shares are below a limit, their intervals too; it does not hold if one is above it."""
    if not shares:
        return Verdict(NOT_STUDIED)
    under = {
        name: _word(holds=each.high < limit, fails=each.low > limit)
        for name, each in shares.items()
    }
    name = min(shares, key=lambda each: (SEVERITY[under[each]], -shares[each].value))
    return Verdict(under[name], f"the most, {name}: {format_percentage_interval(shares[name])}")


def judge_largest(shares: dict[str, Estimate], name: str) -> Verdict:
    """One share is larger than all others, the intervals apart; does not hold if one is larger."""
    others = {other: each for other, each in shares.items() if other != name}
    if name not in shares or not others:
        return Verdict(NOT_STUDIED)
    own = shares[name]
    words = {
        other: _word(holds=own.low > each.high, fails=own.high < each.low)
        for other, each in others.items()
    }
    rival = min(others, key=lambda each: (SEVERITY[words[each]], -others[each].value))
    ours, theirs = map(format_percentage_interval, (own, others[rival]))
    return Verdict(words[rival], f"{name}: {ours}, {rival}: {theirs}")


def _word(*, holds: bool, fails: bool) -> str:
    if holds:
        return HOLDS
    return DOES_NOT_HOLD if fails else UNDECIDED


VERDICT = Kind(str, left=True, marks={HOLDS: "yes", DOES_NOT_HOLD: "no", UNDECIDED: "open"})

CLAIM_COLUMNS: tuple[Column[JudgedClaim], ...] = (
    Column("the paper concludes", lambda each: each[0].text, TEXT, "claim"),
    Column("", lambda each: each[0].source, TEXT, "source", only="json"),
    Column("here", lambda each: each[1].word, VERDICT, "verdict"),
    Column("our figures", lambda each: each[1].figures, TEXT, "figures"),
    Column("holds if", lambda each: each[0].rule),
    Column("where", lambda each: each[0].source),
)
"""Claim, verdict, figures, rule and source."""


def claims_table(judged: Sequence[JudgedClaim], key: str, title: str, note: str = "") -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    return Table(key, title, CLAIM_COLUMNS, judged, note)


def brief_claims_table(judged: Sequence[JudgedClaim]) -> Table:
    """Verdict and claim, for the terminal."""
    claim, _, verdict, *_ = CLAIM_COLUMNS
    return Table("conclusions", "What holds here", (verdict, claim), judged)


def rough_intervals(groups: int) -> Iterator[str]:
    """A warning, if there are too few groups for a reliable interval."""
    if 1 < groups < _FEW_GROUPS:
        yield f"Resampling {groups} groups gives rough intervals, so that verdicts are hints only."
