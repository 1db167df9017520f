"""Claims of papers, rules that turn estimates into verdicts on them, and the table of both."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from weps._formatting import format_interval, format_percentage_interval, table_width
from weps_eval.report.tables import Column, Kind, Table
from weps_eval.stats import Estimate

Findings = TypeVar("Findings")

HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
UNDECIDED = "undecided"
"""The figure or its interval leaves it open."""
TOO_FEW = "too few to say"
"""The sample is small, see :class:`SampleSize`."""
NOT_STUDIED = "not studied"
"""What the claim is about was not among the features studied."""
CANNOT = "cannot be tested here"
"""The data lack what the claim is about."""

SEVERITY = {DOES_NOT_HOLD: 0, UNDECIDED: 1, TOO_FEW: 2, HOLDS: 3, NOT_STUDIED: 4}
"""Verdicts by severity: of several parts of a claim the first of these decides."""

FEWEST_GROUPS, FEWEST_CASES = 10, 30
"""Minimum sample of a verdict."""


class SampleSize(NamedTuple):
    """How much a verdict rests on."""

    groups: int
    """What is independent, and resampled."""
    cases: int
    """What the figure is a share, a mean or a coefficient of."""
    group: str = "topics"
    """What groups are called."""
    case: str = "outputs"

    @classmethod
    def of_fewer(cls, groups: Mapping[str, int], cases: int, case: str = "outputs") -> SampleSize:
        """Size by the kind of groups that there are fewest of."""
        fewest = min(groups, key=groups.__getitem__)
        return cls(groups[fewest], cases, fewest, case)

    def __str__(self) -> str:
        return f"{self.group}: {self.groups:,}; {self.case}: {self.cases:,}"


class Verdict(NamedTuple):
    """The verdict of our figures on a claim."""

    word: str
    figures: str = ""
    size: SampleSize | None = None
    """None where nothing was judged, or if the claim knows it, see :func:`judge_claims`."""

    def resting_on(self, size: SampleSize) -> Verdict:
        """The verdict with the size of its sample, unless it has one; too few to say if small."""
        if self.word in {CANNOT, NOT_STUDIED}:
            return self
        size = self.size or size
        is_small = size.groups < FEWEST_GROUPS or size.cases < FEWEST_CASES
        return Verdict(TOO_FEW if is_small else self.word, self.figures, size)


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
    size: Callable[[Findings], SampleSize] | None = None
    """Sample that the verdict rests on, if it is not that of other claims of the study."""

    @classmethod
    def untestable(cls, text: str, source: str, reason: str, rule: str = "–") -> Claim[Findings]:
        """A claim that no data of the study can test, with the reason."""
        return cls(text, source, rule, lambda _: cannot_judge(reason))


JudgedClaim: TypeAlias = tuple[Claim[Any], Verdict]


def judge_claims(
    claims: Sequence[Claim[Findings]],
    findings: Findings,
    size: Callable[[Findings], SampleSize],
) -> list[JudgedClaim]:
    """Every claim with its verdict on our figures.

    ``size`` is that of the sample where neither verdict nor claim has its own.
    """
    return [
        (each, each.judge(findings).resting_on((each.size or size)(findings))) for each in claims
    ]


def judge_by_criterion(
    claims: Sequence[Claim[Findings]],
    findings: Mapping[str, Findings],
    size: Callable[[Findings], SampleSize],
) -> list[JudgedClaim]:
    """Every claim with the least favourable of its verdicts by criterion that can be tested."""
    found = {name: judge_claims(claims, each, size) for name, each in findings.items()}
    judged = []
    for at, claim in enumerate(claims):
        verdicts = {name: each[at][1] for name, each in found.items()}
        verdict = next(iter(verdicts.values()))
        known = [(name, each) for name, each in verdicts.items() if each.word in SEVERITY]
        if known and len(verdicts) > 1:
            verdict = worst_by_name(known)
        judged.append((claim, verdict))
    return judged


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """Several parts of a claim, one at least: the worst word, and the figures of all.

    The size is that of the smallest sample with this word.
    """
    parts = list(verdicts)
    word = min((each.word for each in parts), key=SEVERITY.__getitem__)
    sizes = [each.size for each in parts if each.word == word and each.size]
    figures = "; ".join(each.figures for each in parts)
    return Verdict(word, figures, min(sizes, default=None))


def worst_by_name(verdicts: Iterable[tuple[str, Verdict]], absent: str = "") -> Verdict:
    """Worst verdict of named parts; ``absent`` is the reason if there are none."""
    parts = [each._replace(figures=f"{name}: {each.figures}") for name, each in verdicts]
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

_CLAIM = Column("the paper concludes", lambda each: each[0].text)
_VERDICT = Column("here", lambda each: each[1].word, VERDICT)
_SIZE = Column("n", lambda each: each[1].size)
_FIGURES = Column("our figures", lambda each: each[1].figures)
_RULE = Column("holds if", lambda each: each[0].rule)
_SOURCE = Column("where", lambda each: each[0].source)
CLAIM_COLUMNS = (_CLAIM, _VERDICT, _SIZE, _FIGURES, _RULE, _SOURCE)
"""Claim, verdict, size of the sample, figures, rule and source; a wide terminal has four."""


def claim_records(judged: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Claims with their sources, verdicts, sizes of samples, and figures, in JSON form."""
    return [
        {
            "claim": claim.text,
            "source": claim.source,
            "verdict": verdict.word,
            "n": verdict.size and verdict.size._asdict(),
            "figures": verdict.figures,
        }
        for claim, verdict in judged
    ]


_TERMINAL, _NARROW = 100, 30
"""Columns of a terminal, and of the claims on it at least."""
SIZES = (
    "n: independent groups and cases that the verdict is based on; with fewer than "
    f"{FEWEST_GROUPS} groups or {FEWEST_CASES} cases there is no verdict."
)
"""What a note says of the sizes of samples."""


def brief_claims_table(judged: Sequence[JudgedClaim]) -> Table:
    """Verdict, size of the sample and claim, which is wrapped to fit on a terminal."""
    cells = [(_VERDICT.cell(each), _SIZE.cell(each)) for each in judged]
    room = _TERMINAL - table_width([*cells, ("", "")]) - 2
    rows = [(_VERDICT.header, _SIZE.header, _CLAIM.header)]
    for row, (each, _) in zip(cells, judged, strict=True):
        first, *others = textwrap.wrap(each.text, max(room, _NARROW))
        rows += [(*row, first), *(("", "", other) for other in others)]
    return Table.of_text("conclusions", "What holds here", rows, SIZES, 3)
