"""Tables declared once, by typed columns, for the terminal and for documents; claims of papers.

columns = [
    Column("measure", lambda each: each.name, name_kind(48)),
    Column("KING", lambda each: each.king, ESTIMATE),
]
Table("king", "KING of measures", columns, measures)

A claim of a paper has a rule that turns our estimates into a verdict on it; a table shows both.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from math import isfinite, isnan
from operator import itemgetter
from typing import Any, Generic, Literal, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from weps._formatting import (
    cut_columns,
    format_count,
    format_interval,
    format_number,
    format_p_value,
    format_percentage,
    format_percentage_interval,
    format_signed,
    table_width,
)
from weps.report.safe_text import clean_text
from weps_eval.stats import Estimate

Tone = Literal["yes", "no", "open"]
"""The colour of a badge; the badge's word gives its meaning."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How the values of a column are printed."""

    cell: Callable[[Any], str]
    """Value → text of its cell; never called with None, which is printed as a dash."""
    brief: Callable[[Any], str] | None = None
    """Value → text of its cell on the terminal, where it differs."""
    left: bool = False
    """Aligned left; see :attr:`Table.left`."""
    marks: Mapping[str, Tone] = field(default_factory=dict)
    """Cells that are shown as badges: the whole cell, e.g. ``holds``, and its colour."""


def _of_value(form: Callable[[float], str]) -> Callable[[Any], str]:
    """A form of numbers, for estimates without their intervals too."""
    return lambda figure: form(float(figure.value if isinstance(figure, Estimate) else figure))


def name_kind(columns: int = 36) -> Kind:
    """A name, cut to that many columns on the terminal."""
    return Kind(str, lambda name: cut_columns(clean_text(name), columns), left=True)


TEXT = Kind(str, left=True)
COUNT = Kind(_of_value(format_count))
SHARE = Kind(_of_value(format_number))
"""Three decimals; of an estimate without the interval."""
SIGNED = Kind(_of_value(format_signed))
PERCENT = Kind(_of_value(format_percentage))
TWO = Kind(_of_value(partial(format_number, decimals=2)))
SIGNED_TWO = Kind(_of_value(partial(format_signed, decimals=2)))
P_VALUE = Kind(_of_value(format_p_value))
ESTIMATE = Kind(format_interval)
"""An estimate with its interval, by as many digits as that needs."""
SIGNED_ESTIMATE = Kind(partial(format_interval, signed=True))
PERCENT_ESTIMATE = Kind(format_percentage_interval)


def or_blank(kind: Kind) -> Kind:
    """Kind of cell that is empty for an empty text."""
    return Kind(lambda value: "" if value == "" else kind.cell(value))


@dataclass(frozen=True, slots=True)
class Column:
    """What one column shows of every row."""

    header: str
    value: Callable[[Any], Any]
    """Row → text, number, estimate, or None where there is none."""
    kind: Kind = TEXT
    absent: str = ""
    """Where it is not shown: some of ``csv html latex markdown terminal``."""

    def cell(self, row: Any) -> str:
        """The printed text."""
        value = self.value(row)
        return "–" if value is None else self.kind.cell(value)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, and the columns that show them."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    columns: Sequence[Column]
    records: Sequence[Any]
    """One object for each row, which the columns' functions take."""
    note: str = ""

    @classmethod
    def of_text(
        cls, key: str, title: str, rows: Sequence[Sequence[str]], note: str = "", left: int = 1
    ) -> Self:
        """A table of cells that are text already.

        Of the rows, all of one length, the first is the heading; the first ``left`` columns are
        aligned left.
        """
        heading, *others = rows
        columns = [
            Column(header, itemgetter(number), Kind(str, left=number < left))
            for number, header in enumerate(heading)
        ]
        return cls(key, title, columns, others, note)

    @property
    def rows(self) -> list[list[str]]:
        """The cells; the first row is the heading."""
        cells = ([column.cell(record) for column in self.columns] for record in self.records)
        return [[column.header for column in self.columns], *cells]

    @property
    def left(self) -> int:
        """How many columns are aligned left: the first, and those of text that follow it."""
        return 1 + len(list(takewhile(lambda column: column.kind.left, self.columns[1:])))

    def shown(self, place: str) -> Table:
        """The table with the columns that a place shows, as it shows them."""
        columns = [each for each in self.columns if place not in each.absent.split()]
        if place == "terminal":
            kinds = (replace(each.kind, cell=each.kind.brief or each.kind.cell) for each in columns)
            columns = [replace(each, kind=kind) for each, kind in zip(columns, kinds, strict=True)]
        return replace(self, columns=columns)


def as_json(value: Any) -> Any:
    """The value in JSON form.

    An estimate becomes ``value``, ``low`` and ``high``; a number that is not finite becomes null;
    arrays become lists.
    """
    if isinstance(value, Estimate):
        return {part: as_json(each) for part, each in value._asdict().items()}
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


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


JudgedClaim: TypeAlias = tuple[Claim[Any], Verdict]


def judge_claims(
    claims: Sequence[Claim[Findings]], findings: Findings, size: SampleSize
) -> list[JudgedClaim]:
    """Every claim with its verdict on our figures.

    ``size`` is that of the sample where neither verdict nor claim has its own.
    """
    return [
        (each, each.judge(findings).resting_on(each.size(findings) if each.size else size))
        for each in claims
    ]


def worst_by_criterion(judged: Mapping[str, Sequence[JudgedClaim]]) -> list[JudgedClaim]:
    """Every claim with the least favourable of its verdicts by criterion that can be tested."""
    found = []
    for each in zip(*judged.values(), strict=True):
        claim, verdict = each[0]
        known = [
            (name, own) for name, (_, own) in zip(judged, each, strict=True) if own.word in SEVERITY
        ]
        found.append((claim, worst_by_name(known) if known and len(judged) > 1 else verdict))
    return found


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """Several parts of a claim, one at least: the worst word, and the figures of all.

    The size is that of the smallest sample with this word.
    """
    parts = list(verdicts)
    word = min((each.word for each in parts), key=SEVERITY.__getitem__)
    sizes = [each.size for each in parts if each.word == word and each.size]
    return Verdict(word, "; ".join(each.figures for each in parts), min(sizes, default=None))


def worst_by_name(verdicts: Iterable[tuple[str, Verdict]], absent: str = "") -> Verdict:
    """Worst verdict of named parts; ``absent`` is the reason if there are none."""
    parts = [each._replace(figures=f"{name}: {each.figures}") for name, each in verdicts]
    return worst_verdict(parts) if parts else cannot_judge(absent)


def cannot_judge(reason: str) -> Verdict:
    """The claim cannot be tested, with the reason."""
    return Verdict(CANNOT, reason)


def judge_above_zero(difference: Estimate) -> Verdict:
    """A difference is above 0: its whole interval is."""
    return _judged(difference, holds=difference.low > 0, fails=difference.high < 0, signed=True)


def judge_similar(difference: Estimate, most: float) -> Verdict:
    """A difference is small either way: the figure and its whole interval.

    It does not hold if the whole interval is larger than that, and is undecided in between.
    """
    return _judged(
        difference,
        holds=-most <= difference.low and difference.high <= most,
        fails=difference.low > most or difference.high < -most,
        signed=True,
    )


def judge_at_least(figure: Estimate, limit: float) -> Verdict:
    """A figure reaches a limit with its whole interval."""
    return _judged(figure, holds=figure.low >= limit, fails=figure.high < limit)


def judge_at_most(figure: Estimate, limit: float) -> Verdict:
    """A figure stays below a limit with its whole interval."""
    verdict = _judged(figure, holds=figure.high < limit, fails=figure.low >= limit)
    return verdict._replace(figures="") if isnan(figure.value) else verdict


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


def _judged(figure: Estimate, *, holds: bool, fails: bool, signed: bool = False) -> Verdict:
    return Verdict(_word(holds=holds, fails=fails), format_interval(figure, signed=signed))


def _word(*, holds: bool, fails: bool) -> str:
    if holds:
        return HOLDS
    return DOES_NOT_HOLD if fails else UNDECIDED


VERDICT = Kind(str, left=True, marks={HOLDS: "yes", DOES_NOT_HOLD: "no", UNDECIDED: "open"})

CLAIM_COLUMNS = (
    Column("the paper concludes", lambda each: each[0].text),
    Column("here", lambda each: each[1].word, VERDICT),
    Column("n", lambda each: each[1].size),
    Column("our figures", lambda each: each[1].figures),
    Column("holds if", lambda each: each[0].rule),
    Column("where", lambda each: each[0].source),
)
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
    "n: independent groups (over measures: families of them) and cases that the verdict is based "
    "on; with fewer than "
    f"{FEWEST_GROUPS} groups or {FEWEST_CASES} cases there is no verdict."
)
"""What a note says of the sizes of samples."""


def brief_claims_table(judged: Sequence[JudgedClaim]) -> Table:
    """Verdict, size of the sample and claim, which is wrapped to fit on a terminal."""
    claim, verdict, size, *_ = CLAIM_COLUMNS
    cells = [(verdict.cell(each), size.cell(each)) for each in judged]
    room = max(_TERMINAL - table_width([*cells, ("", "")]) - 2, _NARROW)
    rows = [(verdict.header, size.header, claim.header)]
    for row, (each, found) in zip(cells, judged, strict=True):
        reason = f" ({found.figures})" * (found.word == CANNOT)
        first, *others = textwrap.wrap(f"{each.text}{reason}", room)
        rows += [(*row, first), *(("", "", other) for other in others)]
    return Table.of_text("conclusions", "What holds here", rows, SIZES, 3)
