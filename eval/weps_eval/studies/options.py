"""Options that studies of measures have in common, and the sources that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weps._expressions import split_items
from weps._formatting import count_of
from weps._options import cli_option
from weps.cli.options import CacheOptions, JobsOption
from weps.errors import ValuesError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.studies.measures import StudyInput, load_study_input
from weps_eval.studies.pairwise import (
    PairwiseInput,
    PairwiseRequest,
    load_pairwise_input,
    write_pairwise,
)
from weps_eval.studies.running import StudySettings
from weps_eval.text.matrix import HUMAN
from weps_eval.text.testbed import Testbed
from weps_eval.text.topic import TextTools

COMPARED = (
    "a testbed (.jsonl, .jsonl.gz) with several references per topic, or a table of similarities "
    "between its texts, written by --keep"
)


@dataclass(frozen=True, kw_only=True)
class MeasureSettings(StudySettings, CacheOptions, JobsOption):
    """Settings of studies of measures between texts."""

    measures: str = cli_option(
        "comma-separated columns of a matrix (default: all), or, for a testbed, measures and "
        "sets to compute, see `weps text measures` (default: usual); wsk(length=1|2) means two",
        "",
        metavar="LIST",
    )
    wordnet: Path | None = cli_option("folder of another WordNet, for a testbed", metavar="DIR")
    language: str = cli_option(
        "spaCy pipeline for measures that need one (default: the one that comes with weps)",
        BUILTIN_PIPELINE,
        metavar="NAME",
    )
    human: str = cli_option(
        "comma-separated criteria by which people judged (default: all)", "", metavar="LIST"
    )

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria asked for, each once and without ``human:``; none stand for all."""
        names = split_items(self.human)
        return tuple(dict.fromkeys(name.removeprefix(HUMAN) for name in names))

    def check_single_criterion(self) -> None:
        """See that one criterion at most is asked for.

        Raises:
            ValuesError: if there are several.
        """
        if len(self.criteria) > 1:
            what = f"{len(self.criteria)} criteria are too many"
            raise ValuesError(what, where="--human", remedy="give one, and run it for each")

    @property
    def tools(self) -> TextTools:
        """What measures need besides texts."""
        return TextTools(self.language, self.wordnet, self.selected_cache())


def read_scores(source: Path | Testbed | StudyInput, settings: MeasureSettings) -> StudyInput:
    """The values of measures that a table holds, or that are computed on a testbed.

    Raises:
        WepsError: if the source cannot be read, is faulty, or has no such measure or criterion.
    """
    if isinstance(source, StudyInput):
        return source
    return load_study_input(
        source,
        settings.measures,
        settings.criteria,
        tools=settings.tools,
        jobs=settings.jobs,
        progress=settings.progress,
    )


@dataclass(frozen=True, kw_only=True)
class SimilaritySettings(MeasureSettings):
    """Settings of studies of similarities."""

    keep: Path | None = cli_option(
        "write the similarities as a table (.csv), which can be used as SOURCE"
    )


def read_similarities(
    source: Path | Testbed | PairwiseInput, settings: SimilaritySettings, request: PairwiseRequest
) -> PairwiseInput:
    """The similarities of a testbed's texts, or those of a table, kept if asked for.

    Raises:
        WepsError: if the source cannot be read or compared, or the table cannot be written.
    """
    if isinstance(source, PairwiseInput):
        return source
    found = load_pairwise_input(
        source,
        replace(request, measures=settings.measures, criteria=settings.criteria),
        settings.tools,
        jobs=settings.jobs,
        progress=settings.progress,
    )
    if settings.keep:
        write_pairwise(found, settings.keep)
    return found


def input_remarks(found: PairwiseInput) -> Iterator[str]:
    """What the reader must know of the source."""
    peers = [len(each.systems) for each in found.topics]
    models = [len(each.references) for each in found.topics]
    yield (
        f"{found.title}: {count_of(len(found.topics), 'topic')} with {_range(models)} references "
        f"and {_range(peers)} outputs each, {count_of(len(found.measures), 'measure')}."
    )
    yield from found.remarks


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    return str(low) if low == high else f"{low} to {high}"
