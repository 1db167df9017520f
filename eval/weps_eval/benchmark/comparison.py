"""Scores of systems on the same names: their means and differences, as tables, figure and JSON.

It does not matter whether the answers were scored now, by a benchmark or from files, or recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from math import isnan, nan
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from weps._formatting import (
    count_of,
    cut_text,
    format_number,
    format_p_value,
    format_score,
    format_signed,
    join_items,
)
from weps.errors import SourceError, ValuesError
from weps_eval import stats
from weps_eval.clustering.measures import (
    ALL_MEASURES,
    MEASURES,
    Scores,
    mean_scores,
    scores_data,
    standard_errors,
)
from weps_eval.report import charts, document
from weps_eval.report.tables import P_VALUE, SIGNED_ESTIMATE, TEXT, Column, Kind, Table

if TYPE_CHECKING:
    from weps_eval.benchmark.runs import Run

MAIN = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
"""Measures of tables of names."""
COMPARED = "bcubed_f05"
"""The measure that systems are compared by unless others are chosen."""
Rows = list[list[str]]
"""Cells of a table; the first row is the heading."""
_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""
_WIDTH = 100
"""Characters of a fact in a message."""
_COMPARABLE = ("corpus", "list of names", "scorer")
"""Facts that two sides must have in common."""

Verdict = Literal["better", "worse", "within the noise"]


@dataclass(frozen=True, slots=True)
class Side:
    """A system to compare, made by :func:`side_of`."""

    label: str
    """Name of the system in tables."""
    runs: tuple[Run, ...]
    """Its runs in the order of their seeds."""
    scores: Scores
    """Name → measure → mean over the seeds."""

    def spread(self, measure: str = COMPARED, name: str = "") -> float:
        """Mean absolute difference of two seeds, of the mean or of one name; 0 for one seed."""
        values = [
            fmean(run.scores[each][measure] for each in ([name] if name else run.scores))
            for run in self.runs
        ]
        return fmean([abs(one - other) for one, other in combinations(values, 2)] or [0.0])

    def as_data(self) -> dict[str, Any]:
        """What it is, in JSON form; scores excepted (docs/output.md)."""
        run = self.runs[0]
        return {
            "system": run.system,
            "configuration": dict(sorted(run.configuration.items())),
            "how": run.how,
            "weps": run.weps,
            "seeds": [each.seed for each in self.runs],
            **(
                {
                    "between_seeds": {
                        "mean": self.spread(),
                        "names": {n: self.spread(name=n) for n in self.scores},
                    }
                }
                if len(self.runs) > 1
                else {}
            ),
        }


def side_of(runs: Sequence[Run], label: str) -> Side:
    """The runs of one system, at least one, as a side; scores are averaged name by name.

    Raises:
        ValuesError: if two have one seed, or they differ in more than seeds.
    """
    differing = [f"{fact} ({values})" for fact, values in _differing_facts(runs).items()]
    if differing:
        raise ValuesError(
            f"its runs differ in more than their seed: {join_items(differing)}",
            where=label,
            remedy="give one file, or a folder of runs that differ in their seed only",
        )
    ordered = sorted(runs, key=lambda run: run.seed)
    seeds = [run.seed for run in ordered]
    if len(set(seeds)) < len(seeds):
        raise ValuesError(
            f"two of its runs have one seed (seeds {join_items(seeds)})",
            where=label,
            remedy="take one of them out of the folder",
        )
    scored = next(iter(ordered[0].scores.values()))
    return Side(
        label,
        tuple(ordered),
        {
            name: {key: fmean(run.scores[name][key] for run in ordered) for key in scored}
            for name in sorted(ordered[0].scores)
        },
    )


def _differing_facts(runs: Sequence[Run]) -> dict[str, str]:
    """Facts that are not the same in all runs → their values in words, the first run's first.

    Corpora are told apart by digest, and named by title, too.
    """
    all_facts = [
        {
            "system": run.system,
            "corpus": run.corpus.digest,
            "list of names": ", ".join(sorted(run.scores)),
            "list of measures": ", ".join(sorted(next(iter(run.scores.values())))),
            "scorer": run.scorer,
            "way of learning": run.how,
            "version of weps": run.weps,
            **{f"configuration of {key}": str(value) for key, value in run.configuration.items()},
        }
        for run in runs
    ]
    values = {
        fact: list(dict.fromkeys(facts.get(fact, "none") for facts in all_facts))
        for fact in dict.fromkeys(chain(*all_facts))
    }
    corpora = {run.corpus.digest: run.corpus.title for run in runs}
    is_alike = len(set(corpora.values())) < len(corpora)
    values["corpus"] = [
        title + f" of digest {digest}" * is_alike for digest, title in corpora.items()
    ]
    return {
        fact: join_items(cut_text(value, _WIDTH) for value in several)
        for fact, several in values.items()
        if len(several) > 1
    }


def check_sides(
    sides: Mapping[str, Side],
    signature: Callable[[Sequence[str]], str] | None,
    measures: Sequence[str],
) -> None:
    """Make sure that recorded runs are of the same names, scored alike and by these measures.

    Args:
        sides: of each system.
        signature: that of some names as they are scored here; None if nothing else is scored.
        measures: those wanted.

    Raises:
        ValuesError: if they are not.
    """
    first = next(iter(sides.values()))
    for side in sides.values():
        recorded = side.runs[0].scorer
        here = signature(list(side.scores)).partition("|weps:")[0] if signature else recorded
        differing = {} if signature else _differing_facts([first.runs[0], side.runs[0]])
        what = [
            f"cannot be compared with {first.label}, the {fact} differs ({differing[fact]})"
            for fact in _COMPARABLE
            if fact in differing
        ]
        if recorded != here:
            what.append(
                f"was recorded on other data or by another scorer ({recorded}; here {here})"
            )
        if what:
            raise ValuesError(
                what[0], where=side.label, remedy="give runs on the same names of the same corpus"
            )
        if missing := sorted(set(measures).difference(*side.scores.values())):
            raise ValuesError(
                f"was recorded without {join_items(missing)}",
                where=side.label,
                remedy="leave these out of --measures",
            )


def _assess_difference(
    difference: stats.Difference, between_seeds: float = 0.0
) -> tuple[Verdict, list[str]]:
    """Better or worse only if interval, tests and seeds leave no other reading.

    The 95 % interval must exclude 0, the tests must fall below .05 in the same direction, and the
    difference must be larger than that between two seeds of one system.

    Args:
        difference: of the second system from the first, with the larger p of both tests.
        between_seeds: how far the mean of a system moves with its seed, 0 if that is not known.

    Returns:
        The verdict, and why it is no more than that, a clause each.
    """
    better, worse = difference.better, difference.worse
    interval = (difference.low > _EQUAL) - (difference.high < -_EQUAL)
    signs = (better > worse) - (better < worse) if difference.p < _LEVEL else 0
    remarks = []
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "say better", -1: "say worse", 0: "find no direction"}[signs]
        remarks.append(f"the interval {lies}, the tests {means} (p {format_p_value(difference.p)})")
    if isnan(difference.low):
        remarks.append("a single name has no interval")
    if 0 < (differing := better + worse) < _FEWEST:
        remarks.append(
            f"{count_of(differing, 'name differs', 'names differ')}, the sign test needs {_FEWEST}"
        )
    if _EQUAL < abs(difference.mean) <= between_seeds:
        remarks.append(f"no more than between two seeds ({format_number(between_seeds)})")
    if not interval or interval != signs or abs(difference.mean) <= max(between_seeds, _EQUAL):
        return "within the noise", remarks
    return "better" if interval > 0 else "worse", remarks


def _doubts(sides: Sequence[Side]) -> list[str]:
    """What else may lie behind a difference between recorded runs, a clause each."""
    doubts = []
    if len(ways := dict.fromkeys(side.runs[0].how for side in sides)) > 1:
        doubts.append(f"learnt from different names ({', '.join(ways)})")
    if len(versions := dict.fromkeys(side.runs[0].weps for side in sides)) > 1:
        doubts.append(f"different versions of weps ({', '.join(versions)})")
    if single := [side.label for side in sides if len(side.runs) == 1]:
        doubts.append(f"one seed only of {join_items(single)}")
    return doubts


@dataclass(frozen=True, slots=True)
class Comparison:
    """The second of two systems beside the first, by one measure, paired by name."""

    first: str
    second: str
    measure: str
    difference: stats.Difference
    holm: tuple[float, float]
    """P of the randomisation test and of the sign test, adjusted over all pairs of systems."""
    verdict: Verdict
    remarks: tuple[str, ...]
    """Why the verdict is no more than that, and what else may lie behind the difference."""

    def as_data(self) -> dict[str, Any]:
        """The JSON form (docs/output.md)."""
        return {
            "first": self.first,
            "second": self.second,
            **stats.difference_data(self.measure, self.difference),
            "holm": dict(zip(("randomisation", "p"), self.holm, strict=True)),
            "verdict": self.verdict,
            "remarks": list(self.remarks),
        }


def compare_systems(
    systems: Mapping[str, Scores], measures: Sequence[str], sides: Mapping[str, Side] | None = None
) -> list[Comparison]:
    """Every two systems on the same names, by each measure; see :func:`weps_eval.stats.compare`.

    Args:
        systems: system → name → measure → value.
        measures: those compared by.
        sides: the recorded runs of systems that have some.

    Raises:
        SourceError: if there is one system only.
    """
    if len(systems) < 2:
        raise SourceError(
            "two systems are needed for a comparison",
            remedy="name two folders of answers or of runs, or add --baselines",
        )
    sides, names = sides or {}, sorted(next(iter(systems.values())))
    pairs, compared = list(combinations(systems, 2)), []
    for measure in measures:
        values = [[scores[name][measure] for name in names] for scores in systems.values()]
        found = [stats.compare(*pair) for pair in combinations(values, 2)]
        tests = ([each.randomisation for each in found], [each.p for each in found])
        adjusted = zip(*(stats.adjust_by_holm(each).tolist() for each in tests), strict=True)
        for pair, each, holm in zip(pairs, found, adjusted, strict=True):
            recorded = [sides[system] for system in pair if system in sides]
            noise = max((side.spread(measure) for side in recorded), default=0.0)
            verdict, remarks = _assess_difference(replace(each, p=max(holm)), noise)
            remarks += _doubts(recorded)
            compared.append(Comparison(*pair, measure, each, holm, verdict, tuple(remarks)))
    return compared


_PAGES = "html latex markdown terminal"
"""Where a table has to fit; in CSV each figure has a column."""
_SIGNED = partial(format_signed, minus="-")
_PAIR_COLUMNS = (
    Column("difference", attrgetter("difference.mean"), Kind(_SIGNED), _PAGES),
    Column(
        "95 % interval",
        attrgetter("difference.low", "difference.high"),
        Kind(lambda ends: "–" if isnan(ends[0]) else " to ".join(map(_SIGNED, ends))),
        _PAGES,
    ),
    Column("randomisation p", attrgetter("difference.randomisation"), P_VALUE, _PAGES),
    Column("sign test p", attrgetter("difference.p"), P_VALUE, _PAGES),
    *(
        Column(each, attrgetter(f"difference.{each}"), Kind(str), _PAGES)
        for each in ("better", "worse", "equal")
    ),
    Column("Holm, randomisation", lambda each: each.holm[0], P_VALUE, _PAGES),
    Column("Holm, sign test", lambda each: each.holm[1], P_VALUE, _PAGES),
    Column(
        "difference",
        lambda each: stats.Estimate(*attrgetter("mean", "low", "high")(each.difference)),
        SIGNED_ESTIMATE,
        "csv",
    ),
    Column("p rand.", lambda each: each.holm[0], P_VALUE, "csv"),
    Column("p sign", lambda each: each.holm[1], P_VALUE, "csv"),
    Column(
        "win/tie/loss",
        lambda each: f"{each.difference.better}/{each.difference.equal}/{each.difference.worse}",
        Kind(str),
        "csv",
    ),
    Column("remarks", lambda each: "; ".join(each.remarks), Kind(str), "latex markdown"),
)
"""Columns of a :class:`Comparison` behind its systems and the verdict."""


def unanswered_note(left_out: Mapping[str, Sequence[str]], systems: Mapping[str, Scores]) -> str:
    """How many names each system has no answer for, and which; empty if there are none.

    Args:
        left_out: system → such names.
        systems: with all names.
    """
    told = [
        f"{system} {len(names)} of {len(systems[system])} ({cut_text(join_items(names), _WIDTH)})"
        for system, names in left_out.items()
        if names
    ]
    return f"Names without an answer, which count 0: {join_items(told)}." if told else ""


PAIRS_NOTE = (
    "Difference: mean of the system minus that of the one against it, paired by name, with its "
    "95 % interval, bootstrapped over names. p rand., p sign: of the two-sided randomisation and "
    "sign test, adjusted by Holm over all pairs. Win/tie/loss: on how many names it is better, "
    "equal, worse. It is called better or worse if interval and both tests (p < .05) say so, and "
    "the difference is larger than that between two seeds of recorded runs; else within the noise."
)


def comparison_sections(
    systems: Mapping[str, Scores], found: Sequence[Comparison], note: str = ""
) -> list[document.Section]:
    """A section for each measure, with tables by name and by pair, which have the note, too."""
    sections = []
    for measure in dict.fromkeys(each.measure for each in found):
        heading, key = ALL_MEASURES[measure].heading, measure.replace("_", "-")
        by_name = name_rows(systems, [measure])
        by_name[0] = [heading, *systems]
        columns = [
            Column(heading, attrgetter("second"), TEXT, _PAGES),
            Column("against", attrgetter("first"), TEXT, _PAGES),
            Column(heading, lambda each: f"{each.second} against {each.first}", TEXT, "csv"),
            Column("verdict", attrgetter("verdict"), TEXT),
            *_PAIR_COLUMNS,
        ]
        pairs = [each for each in found if each.measure == measure]
        tables = (
            Table.of_text(f"names-{key}", f"{heading} by name", by_name, note),
            Table(f"pairs-{key}", "Every two systems", columns, pairs, f"{PAIRS_NOTE}\n{note}"),
        )
        sections.append(
            document.Section(f"{heading}: {ALL_MEASURES[measure].meaning}", tables=tables)
        )
    return sections


def _system_rows(
    systems: Mapping[str, Scores],
    measures: Collection[str] = tuple(MEASURES),
    seconds: Mapping[str, tuple[float, float]] | None = None,
) -> Rows:
    """A row for each system: means of the measures, and the standard error of F0.5.

    Args:
        systems: scores of each system and baseline.
        measures: those wanted.
        seconds: of learning and answering, of those that did; they follow in two more columns.
    """
    rows = [["system", *(ALL_MEASURES[key].heading for key in measures), "±F0.5"]]
    rows[0] += ["learning s", "answering s"] if seconds else []
    for system, scores in systems.items():
        means, error = mean_scores(scores), standard_errors(scores)[COMPARED]
        row = [system, *(format_score(means[key]) for key in measures), format_score(error)]
        taken = seconds and (seconds.get(system) or (nan, nan))
        rows.append(row + [format_number(each, 1) for each in taken or ()])
    return rows


def size_rows(systems: Mapping[str, Scores], sizes: Mapping[str, int]) -> Rows:
    """A row for each system and size of mixed names, and for all other names.

    Sizes without an answer are left out: in every division their names stood on both sides.

    Args:
        systems: scores of each system.
        sizes: mixed name → its pages, by increasing size.
    """
    rows = [["names", "", "system", *(MEASURES[key].heading for key in MAIN), "±F0.5"]]
    for size in (None, *dict.fromkeys(sizes.values())):
        title = "not mixed" if size is None else f"mixed, {size:,} pages"
        for system, scores in systems.items():
            of_size = {name: scores[name] for name in scores if sizes.get(name) == size}
            if of_size:
                rows.append([title, str(len(of_size)), *_system_rows({system: of_size}, MAIN)[1]])
    return rows


def name_rows(systems: Mapping[str, Scores], measures: Sequence[str] = MAIN) -> Rows:
    """A row for each name: the first system's measures, and the last of them of the others."""
    system, *others = systems
    columns = [*((system, key) for key in measures), *((each, measures[-1]) for each in others)]
    headings = [ALL_MEASURES[key].heading for key in measures]
    headings += [f"{headings[-1]} {other}" for other in others]
    lines: dict[str, Scores] = {
        **{name: {each: systems[each][name] for each in systems} for name in systems[system]},
        "mean": {each: mean_scores(scores) for each, scores in systems.items()},
        "standard error": {each: standard_errors(scores) for each, scores in systems.items()},
    }
    rows = (
        [title, *(format_score(scores[each][key]) for each, key in columns)]
        for title, scores in lines.items()
    )
    return [[system, *headings], *rows]


def results_data(signature: str, systems: Mapping[str, Scores]) -> dict[str, Any]:
    """Scores of systems in JSON form (docs/output.md)."""
    return {
        "signature": signature,
        "systems": {system: scores_data(scores) for system, scores in systems.items()},
    }


def score_legend(tables: Iterable[Sequence[Sequence[str]]]) -> str:
    """The meaning of the headings of tables, in one sentence."""
    meanings = {
        **{each.heading: each.meaning for each in ALL_MEASURES.values()},
        "±F0.5": "standard error of its mean over names",
        "learning s": "seconds of processor time to learn, all threads together",
        "answering s": "the same to answer, similarities not included",
    }
    headings = {heading for heading, *_ in tables for heading in heading}
    return "; ".join(f"{each}: {meanings[each]}" for each in meanings if each in headings)


def names_section(systems: Mapping[str, Scores]) -> document.Section:
    """A table by name for each system."""
    tables = [
        Table.of_text(f"names-{number}", system, name_rows({system: scores}))
        for number, (system, scores) in enumerate(systems.items(), start=1)
    ]
    return document.Section("Name by name", tables=tables)


def systems_section(
    systems: Mapping[str, Scores],
    measures: Sequence[str],
    seconds: Mapping[str, tuple[float, float]] | None = None,
    note: str = "",
    *,
    drawn: bool,
) -> document.Section:
    """Means of systems; if drawn, precision against recall, too, with lines of equal F."""
    rows = _system_rows(systems, measures, seconds)
    legend = f"{score_legend([rows])}.\n{note}"
    table = Table.of_text("systems", "Means over names", rows, legend)
    means = {system: mean_scores(scores) for system, scores in systems.items()}
    figure = charts.draw_scatter(
        "precision-recall",
        "Precision and recall",
        [
            charts.Point(system, each["bcubed_recall"], each["bcubed_precision"], marked=True)
            for system, each in (means if drawn else {}).items()
        ],
        ("B-Cubed recall", "B-Cubed precision"),
        "Means over names. Lines: equal F of the two means, which is not the mean F of the table.",
        equal_f=True,
    )
    return document.Section("The systems", figures=[figure][:drawn], tables=[table])
