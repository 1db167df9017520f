"""Options that studies of measures have in common, and the sources that they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from weps._expressions import split_items
from weps._options import cli_option
from weps.cli.options import CacheOptions, JobsOption
from weps.errors import ValuesError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.stats.arrays import Floats
from weps_eval.studies.measures import (
    StudyInput,
    check_known,
    holds_instances,
    is_testbed,
    load_testbed,
)
from weps_eval.studies.running import StudySettings
from weps_eval.tables import file_digest
from weps_eval.text.matrix import HUMAN, MeasureMatrix, read_matrix
from weps_eval.text.scoring import digest_of, score_testbed
from weps_eval.text.testbed import Testbed
from weps_eval.text.topic import TextTools


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
    equal: frozenset[tuple[str, str]] | None = None
    texts: dict[tuple[str, str], int] | None = None
    remarks: tuple[str, ...] = ()
    if isinstance(source, Testbed) or is_testbed(source):
        testbed, chosen = load_testbed(source, settings.measures, settings.tools)
        matrix = score_testbed(
            testbed, chosen, settings.tools, jobs=settings.jobs, progress=settings.progress
        )
        equal, texts = frozenset(testbed.equal_outputs), testbed.output_texts
        title, digest = testbed.name, f"testbed:sha256-{digest_of(testbed)[:8]}"
        if empty := len(testbed.empty_outputs):
            remarks = (f"{empty:,} outputs are empty; every measure gives them 0.",)
    else:
        if holds_instances(source):
            what = "labelled instances are not outputs of systems"
            remedy = "give them to `weps meta hbr` or `weps meta heterogeneity`"
            raise ValuesError(what, where=source, remedy=remedy)
        read = read_matrix(source, [each for each in settings.criteria if each], settings.progress)
        matrix, title, digest = read.matrix, source.name, f"matrix:{file_digest(source)}"
        if read.left_out:
            listed = ", ".join(read.left_out)
            remarks = (f"Left out, because they hold no numbers: {listed}.",)
        if settings.measures:
            names = tuple(split_items(settings.measures))
            if not names:
                what, remedy = "no measure is named", "name one or more"
                raise ValuesError(what, where="--measures", remedy=remedy)
            values = _columns_of(matrix, names, matrix.measures, "measure")
            matrix = replace(matrix, measures=names, values=values)
    if criteria := settings.criteria:
        scores = _columns_of(matrix, criteria, matrix.criteria, "criterion")
        matrix = replace(matrix, criteria=criteria, human=scores)
    return StudyInput(title, matrix, remarks, digest, equal, texts)


def _columns_of(
    matrix: MeasureMatrix, names: Sequence[str], known: Sequence[str], what: str
) -> Floats:
    for name in names:
        check_known(name, known, what)
    return np.array([matrix.column(name) for name in names])
