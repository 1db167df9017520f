"""Recorded runs, one system on one corpus with one seed each, and systems compared by them.

Each run is a JSON file that no other run replaces; it is checked when read, since it may be written
by other programs. Differences of systems are stated by measure and by name, with the uncertainty
over names and seeds. Imports pydantic, so commands import this module when they read or record
runs.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from itertools import chain, combinations, count
from math import isnan, nan
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Annotated, Any, Literal
from unicodedata import category

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from weps._files import atomic_write, make_folder, read_bytes
from weps._formatting import (
    count_of,
    cut_text,
    error_reason,
    format_number,
    format_p_value,
    format_signed,
    join_items,
)
from weps._schema import JsonModel, parse_json, validate_data
from weps._version import VERSION
from weps.cli.console import Console
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import SourceError, ValuesError
from weps.similarity.columns import need_encoder, required_layers
from weps.sources.base import Source
from weps_eval import stats
from weps_eval.benchmark.scoring import Benchmark, name_rows
from weps_eval.clustering.measures import (
    ALL_MEASURES,
    MEASURES,
    Scorer,
    Scores,
    mean_scores,
    scores_data,
    standard_errors,
)
from weps_eval.report.document import Section
from weps_eval.report.tables import Column, Table

_KIND = "weps run"
_LONGEST_TEXT = 10_000
"""Characters; command lines can be long."""


def _printable(text: str) -> str:
    if any(category(character) == "Cc" for character in text):
        raise ValueError("has characters that cannot be printed")
    return text


Text = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT), AfterValidator(_printable)]
"""A text on one line."""
Plain = (
    Annotated[str, Field(max_length=_LONGEST_TEXT), AfterValidator(_printable)] | bool | int | float
)
Score = Annotated[float, Field(ge=0, le=1, description="1 is best.")]


class RunCorpus(JsonModel):
    """Whose names were answered for."""

    title: Text
    layout: Text
    digest: Annotated[str, Field(pattern="^[0-9a-f]{8,64}$")]
    """Digest of names, ranks and keys; runs are compared if it is the same."""
    names: Annotated[int, Field(ge=1)]
    """Number of names; as many as in scores."""


class Run(JsonModel):
    """One system on one corpus with one seed: what it scored, and how it came about."""

    model_config = ConfigDict(title=_KIND)

    kind: Literal["weps run"]
    format: Literal[1]
    """A reader refuses every other."""
    system: Text
    """Name of the system in tables."""
    configuration: dict[Text, Plain]
    """Choices about the system, the seed excepted."""
    corpus: RunCorpus
    how: Text
    """Names that the system learnt from, e.g. cv:5, or train:sha256- and the digits of a corpus."""
    seed: Annotated[int, Field(ge=0)]
    signature: Text
    """Way in which scores were computed: key:value pairs joined by |."""
    weps: Text
    """The version of weps."""
    made: Text
    """The command line."""
    date: Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
    machine: dict[Text, Plain]
    """Machine that it ran on: Python, libraries, cores."""
    seconds: dict[Text, Annotated[float, Field(ge=0)]]
    """Seconds that each part of the work took."""
    scores: Annotated[
        dict[Text, Annotated[dict[Text, Score], Field(min_length=1)]], Field(min_length=1)
    ]
    """Name searched for, measure, score; every name has the same measures."""

    @field_validator("scores")
    @classmethod
    def _check_scores(cls, scores: Any, info: ValidationInfo) -> Any:
        measures = next(iter(scores.values())).keys()
        if others := [name for name, of_name in scores.items() if of_name.keys() != measures]:
            raise ValueError(f"{others[0]!r} is not scored by the measures of the other names")
        if "corpus" in info.data and info.data["corpus"].names != len(scores):
            raise ValueError("the corpus has another number of names than the scores")
        return scores

    @property
    def scorer(self) -> str:
        """Way from answers to scores: the signature without version and way of learning."""
        return self.signature.partition("|weps:")[0]


_LIBRARIES = ("numpy", "scipy", "scikit-learn")
_LARGEST = 10 << 20
_LONGEST_NAME = 40
"""Characters of each part of a file name."""
_REMEDY = "take it out of the folder, or record the run again"


def record_runs(benchmark: Benchmark, folder: Path, made: str) -> list[Path]:
    """Record a run of every system of a benchmark, those of each in a folder of its own.

    Args:
        benchmark: what the systems did.
        folder: where these folders are, or are made.
        made: the command line.

    Raises:
        OutputError: if a run cannot be written.
        ValuesError: if the name of a system or the command line is no text of a run.
    """
    corpus, paths = benchmark.corpus, []
    for system, trial in benchmark.trials.items():
        scores = benchmark.scores[system]
        run = {
            "kind": _KIND,
            "format": 1,
            "system": system,
            "configuration": _configuration(benchmark, system),
            "corpus": {
                "title": corpus.title,
                "layout": corpus.source.layout,
                "digest": corpus.source.digest(corpus.names),
                "names": len(corpus.names),
            },
            "how": benchmark.how,
            "seed": benchmark.settings.seed,
            "signature": benchmark.signature,
            "weps": VERSION,
            "made": made,
            "date": datetime.now(tz=UTC).date().isoformat(),
            "machine": {
                "python": platform.python_version(),
                **{each: version(each) for each in _LIBRARIES},
                "system": platform.system(),
                "processor": platform.machine(),
                "cores": os.cpu_count() or 1,
            },
            "seconds": {
                "learning": round(trial.learning, 2),
                "answering": round(trial.answering, 2),
            },
            "scores": {name: dict(sorted(scores[name].items())) for name in sorted(scores)},
        }
        # A name that had to be cut is told apart by its digest.
        short = _file_name(system)
        if len(system) > len(short):
            short += f"-{sha256(system.encode()).hexdigest()[:8]}"
        paths.append(_write_run(validate_data(Run, run, ValuesError), folder / short))
    return paths


def _configuration(benchmark: Benchmark, system: str) -> dict[str, Any]:
    """The choices about a system, the seed excepted, in alphabetical order."""
    configuration = benchmark.systems.configurations[system]
    choices = {
        **asdict(benchmark.settings),
        **CLASSIFIERS[configuration.classifier].choices,
        **configuration.as_data(),
    }
    for key, value in configuration.by_form:
        form, _, part = key.partition(".")
        if part == "classifier":
            for choice, number in CLASSIFIERS[str(value)].choices.items():
                choices[f"{form}.{choice}"] = number
    wanted = benchmark.systems.wanted[system]
    unused = {"seed"}
    if not required_layers(wanted):
        unused.add("language")
    if not need_encoder(wanted):
        unused.add("encoder")
    choices |= benchmark.tools
    return {choice: choices[choice] for choice in sorted(choices.keys() - unused)}


def _file_name(text: str) -> str:
    """A name of at most 40 letters, digits and hyphens, which every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-") or "x"


def _write_run(run: Run, folder: Path) -> Path:
    """Write a run to a file of its own; recorded before, it replaces its earlier recording.

    Runs are the same if they differ in command, date, machine and seconds at most. A file that
    holds another run, or none, is left alone: a number is added to the name.

    Returns:
        The file, named after system, corpus, way of learning, and seed.
    """
    make_folder(folder)
    name = "_".join(map(_file_name, (run.system, run.corpus.title, run.how, f"seed{run.seed}")))
    circumstances = run.model_dump(include={"date", "machine", "made", "seconds"})
    for number in chain([""], map("_{}".format, count(2))):
        path = folder / f"{name}{number}.json"
        if not path.exists():
            break
        with suppress(SourceError):
            if _read(path).model_copy(update=circumstances) == run:
                break
    content = json.dumps(run.model_dump(), ensure_ascii=False, indent=1)
    atomic_write({path: f"{content}\n".encode()})
    return path


def read_runs(path: Path) -> list[Run]:
    """The run of a file, or the runs of all JSON files of a folder, by file name.

    Raises:
        SourceError: if there is none, or one of the files is damaged, foreign or of another
            format.
    """
    try:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    except OSError as error:
        raise SourceError(f"cannot be read ({error_reason(error)})", where=path) from None
    if not files:
        raise SourceError(
            "no recorded runs found", where=path, remedy="give a file of a run, or their folder"
        )
    return list(map(_read, files))


def _read(path: Path) -> Run:
    return parse_json(
        Run,
        read_bytes(path, _LARGEST, SourceError),
        lambda faults: SourceError(faults, where=path, remedy=_REMEDY),
    )


COMPARED_MEASURES = ("bcubed_f05", "bcubed_f02", "bcubed_precision", "bcubed_recall", "purity_f05")
"""The measures compared, the main one first."""
_MAIN = COMPARED_MEASURES[0]
_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""
_VISIBLE = 5e-4
"""Smaller differences are zero in three decimals."""
_LARGEST_DIFFERENCES = 10
"""Names in the table of differences by name."""
_WIDTH = 100
"""Characters of a fact in a message, columns of a remark."""
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
    spread: float
    """Mean absolute difference between the means of two seeds on the main measure; NaN for one."""
    name_spreads: Mapping[str, float]
    """Name → the same of its scores."""


def side_of(runs: Sequence[Run], label: str) -> Side:
    """The runs of one system, at least one, as a side; scores are averaged name by name.

    Raises:
        ValuesError: if two have one seed, they differ in more than seeds, or lack a measure.
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
    if missing := [each for each in COMPARED_MEASURES if each not in scored]:
        raise ValuesError(
            f"its runs are not scored by {join_items(missing)}",
            where=label,
            remedy="record them again with this weps",
        )

    def spread(values: Sequence[float]) -> float:
        distances = [abs(one - other) for one, other in combinations(values, 2)]
        return fmean(distances) if distances else nan

    names = sorted(ordered[0].scores)
    return Side(
        label,
        tuple(ordered),
        {
            name: {key: fmean(run.scores[name][key] for run in ordered) for key in scored}
            for name in names
        },
        spread([fmean(each[_MAIN] for each in run.scores.values()) for run in ordered]),
        {name: spread([run.scores[name][_MAIN] for run in ordered]) for name in names},
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


def _assess_difference(
    difference: stats.Difference, between_seeds: float = 0.0
) -> tuple[Verdict, list[str]]:
    """Better or worse only if interval, sign test and seeds leave no other reading.

    The 95 % interval must exclude 0, the sign test must fall below .05 in the same direction, and
    the difference must be larger than that between two seeds of one system.

    Args:
        difference: of the second system from the first.
        between_seeds: how far the mean of a system moves with its seed, 0 if that is not known.

    Returns:
        The verdict, and why it is no more than that, one sentence each.
    """
    better, worse = difference.better, difference.worse
    interval = (difference.low > _EQUAL) - (difference.high < -_EQUAL)
    signs = (better > worse) - (better < worse) if difference.p < _LEVEL else 0
    remarks = []
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "says better", -1: "says worse", 0: "finds no direction"}[signs]
        remarks.append(
            f"Interval and sign test disagree: the interval {lies}, the sign test {means} (p "
            f"{format_p_value(difference.p)}; {better} names better, {worse} worse)."
        )
    if isnan(difference.low):
        remarks.append("A single name has no interval.")
    if 0 < (differing := better + worse) < _FEWEST:
        remarks.append(
            f"{count_of(differing, 'name differs', 'names differ')}; the sign test needs {_FEWEST} "
            "to show anything."
        )
    if _EQUAL < abs(difference.mean) <= between_seeds:
        remarks.append(
            f"The difference ({format_signed(difference.mean, minus='-')}) is no larger than that "
            f"between two seeds of one system ({format_number(between_seeds)})."
        )
    if not interval or interval != signs or abs(difference.mean) <= max(between_seeds, _EQUAL):
        return "within the noise", remarks
    return "better" if interval > 0 else "worse", remarks


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """The differences of the second of two sides from the first, the baseline."""

    first: Side
    second: Side
    differences: Mapping[str, stats.Difference]
    """One of :data:`COMPARED_MEASURES` → difference."""
    names: Mapping[str, float]
    """Name → difference on the main measure, from worst to best."""
    verdict: Verdict
    """The verdict on the main measure."""
    remarks: tuple[str, ...]
    """Doubts about the verdict, and what else may lie behind the difference, one sentence each."""


def compare_sides(first: Side, second: Side) -> SystemComparison:
    """Compare two systems, paired by name.

    The names are the sample, see :func:`weps_eval.stats.compare`; seeds are averaged
    beforehand, and how far they are apart is compared with the difference.

    Args:
        first: the baseline.
        second: what is compared with it.

    Raises:
        ValuesError: if the sides answer for other names, or were scored differently.
    """
    before, after = first.runs[0], second.runs[0]
    differing = _differing_facts([before, after])
    for fact in filter(differing.__contains__, _COMPARABLE):
        raise ValuesError(
            f"{first.label} and {second.label} cannot be compared, the {fact} differs "
            f"({differing[fact]})",
            remedy="run both on the same names of the same corpus",
        )
    differences = {
        measure: stats.compare(
            [first.scores[name][measure] for name in first.scores],
            [second.scores[name][measure] for name in first.scores],
        )
        for measure in COMPARED_MEASURES
    }
    moved = {name: second.scores[name][_MAIN] - first.scores[name][_MAIN] for name in first.scores}
    noise = max(0.0 if isnan(side.spread) else side.spread for side in (first, second))
    verdict, remarks = _assess_difference(differences[_MAIN], noise)
    if before.how != after.how:
        remarks.append(
            f"The systems learnt from different names ({before.how}, {after.how}): the difference "
            "is also one of what there was to learn."
        )
    if before.weps != after.weps:
        remarks.append(f"The runs are of different versions of weps ({before.weps}, {after.weps}).")
    if single := [side.label for side in (first, second) if len(side.runs) == 1]:
        remarks.append(
            f"One seed only of {' and '.join(single)}: how far another would move the scores is "
            "not known."
        )
    return SystemComparison(
        first,
        second,
        differences,
        dict(sorted(moved.items(), key=lambda item: (item[1], item[0]))),
        verdict,
        tuple(remarks),
    )


def recorded_scores(place: Path, source: Source, scorer: Scorer, measures: Sequence[str]) -> Scores:
    """Scores of the runs of one system, averaged over seeds.

    Raises:
        ValuesError: if they were recorded on other pages or keys, by another scorer, or without
            one of the measures.
    """
    side = side_of(read_runs(place), str(place))
    scores, recorded = side.scores, side.runs[0].scorer
    if recorded != (here := scorer.signature(source, sorted(scores)).partition("|weps:")[0]):
        raise ValuesError(
            f"was recorded on other data or by another scorer ({recorded}; here {here})",
            where=place,
            remedy="give the corpus that it was recorded on",
        )
    if missing := [each for each in measures if each not in next(iter(scores.values()))]:
        raise ValuesError(
            f"was recorded without {join_items(missing)}",
            where=place,
            remedy="leave these out of --measures",
        )
    return scores


PAIRS_NOTE = (
    "Difference: mean of the system minus that of the one against it, paired by name, with its "
    "95 % interval, bootstrapped over names. p of the two-sided randomisation and sign test; "
    "Holm: the same, adjusted over all pairs. Better, worse, equal: on how many names. The verdict "
    "is better or worse if interval and both adjusted tests (p < .05) say so."
)


def compare_systems(
    systems: Mapping[str, Scores], measures: Sequence[str]
) -> tuple[list[Section], list[dict[str, Any]]]:
    """Every two systems on the same names, by each measure.

    P of the randomisation test and of the sign test are adjusted by Holm over all pairs.

    Returns:
        A section for each measure, with tables by name and by pair, and the pairs in JSON form.

    Raises:
        SourceError: if there is one system only.
    """
    if len(systems) < 2:
        raise SourceError(
            "two systems are needed for a comparison",
            remedy="name two folders of answers, or add --baselines",
        )
    sections, data, names = [], [], sorted(next(iter(systems.values())))
    for measure in measures:
        heading, key = ALL_MEASURES[measure].heading, measure.replace("_", "-")
        by_name = name_rows(systems, [measure])
        by_name[0] = [heading, *systems]
        rows = [[heading, "against", "verdict", "difference"]]
        rows[0] += [*stats.DIFFERENCE_HEADINGS, "Holm, randomisation", "Holm, sign test"]
        pairs = list(combinations(systems, 2))
        values = [[scores[name][measure] for name in names] for scores in systems.values()]
        found = [stats.compare(*pair) for pair in combinations(values, 2)]
        tests = ([each.randomisation for each in found], [each.p for each in found])
        adjusted = zip(*(stats.adjust_by_holm(each).tolist() for each in tests), strict=True)
        for (first, second), each, p_values in zip(pairs, found, adjusted, strict=True):
            verdict, _ = _assess_difference(replace(each, p=max(p_values)))
            cells = [*stats.difference_cells(each), *map(format_p_value, p_values)]
            rows.append([second, first, verdict, *cells])
            holm = dict(zip(("randomisation", "p"), p_values, strict=True))
            facts = {"first": first, "second": second, **stats.difference_data(measure, each)}
            data.append(facts | {"holm": holm, "verdict": verdict})
        by_pair = Table.of_text(f"pairs-{key}", "Every two systems", rows, PAIRS_NOTE, left=3)
        # The terminal repeats one column where it has no room for all.
        one = Column(heading, lambda row: f"{row[0]} against {row[1]}", only="terminal")
        two = [replace(each, only="report") for each in by_pair.columns[:2]]
        by_pair = replace(by_pair, columns=[one, *two, *by_pair.columns[2:]])
        tables = Table.of_text(f"names-{key}", f"{heading} by name", by_name), by_pair
        sections.append(Section(f"{heading}: {ALL_MEASURES[measure].meaning}", tables=tables))
    return sections, data


def comparisons_data(sides: Sequence[Side], comparisons: Sequence[SystemComparison]) -> Any:
    """The JSON form of the sides, the first of which is the baseline, and their differences."""
    first = sides[0].runs[0]
    return {
        "signature": first.scorer,
        "corpus": first.corpus.model_dump(),
        "measure": _MAIN,
        "systems": {
            side.label: {
                "system": (run := side.runs[0]).system,
                "configuration": dict(sorted(run.configuration.items())),
                "how": run.how,
                "weps": run.weps,
                "seeds": [run.seed for run in side.runs],
                **scores_data(side.scores),
                "between_seeds": None
                if isnan(side.spread)
                else {"mean": side.spread, "names": side.name_spreads},
            }
            for side in sides
        },
        "comparisons": [
            {
                "first": each.first.label,
                "second": each.second.label,
                "verdict": each.verdict,
                "remarks": list(each.remarks),
                "differences": [stats.difference_data(*item) for item in each.differences.items()],
                "names": dict(each.names),
            }
            for each in comparisons
        ],
    }


def show_comparisons(
    sides: Sequence[Side], comparisons: Sequence[SystemComparison], console: Console
) -> None:
    """Print tables of sides and of their differences, each with its verdict and remarks.

    Of each system: seeds, mean ± standard error, spread over seeds. Differences by measure, and of
    the names with the largest ones, from worst to best. By name, precision and recall show whether
    pages of several people were put together or those of one kept apart; the last column, how far
    seeds move the name.
    """
    headings = [MEASURES[measure].heading for measure in COMPARED_MEASURES]
    systems = [["mean ± standard error", "seeds", *headings, "between seeds"]]
    for side in sides:
        means, errors = mean_scores(side.scores), standard_errors(side.scores)
        scores = [
            f"{format_number(means[key])} ±{format_number(errors[key])}"
            for key in COMPARED_MEASURES
        ]
        systems.append([side.label, str(len(side.runs)), *scores, format_number(side.spread)])
    console.write_table(systems)
    for compared in comparisons:
        both = (compared.first, compared.second)
        first, second = (side.label for side in both)
        title = f"{second} against {first}"
        measures = [[title, "difference", *stats.DIFFERENCE_HEADINGS]]
        for measure, each in compared.differences.items():
            measures.append([MEASURES[measure].heading, *stats.difference_cells(each)])
        names = [["F0.5", first, second, "ΔF0.5", "ΔBEP", "ΔBER", "between seeds"]]
        visible = [name for name, moved in compared.names.items() if abs(moved) >= _VISIBLE]
        by_size = sorted(visible, key=lambda name: -abs(compared.names[name]))
        for name in filter(by_size[:_LARGEST_DIFFERENCES].__contains__, visible):
            before, after = (side.scores[name] for side in both)
            changes = (
                format_signed(after[measure] - before[measure], minus="-")
                for measure in (_MAIN, "bcubed_precision", "bcubed_recall")
            )
            spreads = (side.name_spreads[name] for side in both)
            spread = max((each for each in spreads if not isnan(each)), default=nan)
            scores = [format_number(each[_MAIN]) for each in (before, after)]
            names.append([name, *scores, *changes, format_number(spread)])
        for rows in (measures, names):
            if len(rows) > 1:
                console.write()
                console.write_table(rows)
        main = compared.differences[_MAIN]
        console.write(
            f"\n{title}: {compared.verdict} (F0.5 {format_signed(main.mean, minus='-')}, 95 % "
            f"interval {stats.difference_interval(main)}, sign test p {format_p_value(main.p)})"
        )
        for remark in compared.remarks:
            console.write(fill(f"- {remark}", _WIDTH, subsequent_indent="  "))
