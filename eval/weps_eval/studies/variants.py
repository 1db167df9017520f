"""Whether measures agree better with people than their variants do, as papers on measures claim.

Two measures are compared if they differ in what a claim is about alone: all other parameters that
both have are equal. Figures are coefficients of systems' means, topics and systems resampled alike
for all measures, so that differences have intervals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np

from weps._options import cli_argument, cli_option
from weps._parallel import partial_progress
from weps.errors import ValuesError
from weps_eval.meta.correlation import (
    Coefficient,
    Level,
    Sample,
    correlate_levels,
    shared_means,
    williams_test,
)
from weps_eval.report.tables import COUNT, ESTIMATE, P_VALUE, Claim
from weps_eval.stats import BootstrapSamples, Estimate, joint_estimate
from weps_eval.studies import correlation, running
from weps_eval.studies.frames import (
    SYSTEM_INTERVALS,
    Frame,
    Frames,
    Heading,
    Part,
    Row,
    TableOf,
    add_rows,
    claimed,
)
from weps_eval.studies.measures import (
    JudgedOutputs,
    MeasureSettings,
    StudyInput,
    criteria_of,
    judged_outputs,
    measure_called,
    read_scores,
)
from weps_eval.text import declaration, testbed

Value: TypeAlias = str | bool | int | float


@dataclass(frozen=True)
class Variant:
    """Measures of a family with some values of some parameters."""

    family: str
    values: Mapping[str, tuple[Value, ...]]

    @classmethod
    def of(cls, family: str, **values: Value | tuple[Value, ...]) -> Self:
        """Measures of a family, with one value or several of each parameter that is named."""
        return cls(family, {k: v if isinstance(v, tuple) else (v,) for k, v in values.items()})

    def __contains__(self, measure: declaration.Measure | None) -> bool:
        if measure is None or measure.family.name != self.family:
            return False
        own = dict(measure.values)
        return all(own[name] in allowed for name, allowed in self.values.items())

    def __str__(self) -> str:
        values = (
            f"{name}={'|'.join(f'{v:g}' if isinstance(v, float) else str(v).lower() for v in each)}"
            for name, each in self.values.items()
        )
        return f"{self.family}({', '.join(values)})" if self.values else self.family


@dataclass(frozen=True)
class Relation:
    """What a paper says of measures and each of some variants of them: that they agree better."""

    key: str
    ahead: Variant
    behind: Sequence[Variant]
    coefficients: Sequence[Coefficient] = (Coefficient.PEARSON, Coefficient.SPEARMAN)
    """Coefficients of which the paper says so."""

    def pairs(
        self, measures: Sequence[declaration.Measure | None], behind: Variant
    ) -> list[tuple[int, int]]:
        """Places of measures that differ in what the relation is about alone."""
        named = self.ahead.values.keys() | behind.values.keys()

        def alike(one: declaration.Measure, other: declaration.Measure) -> bool:
            ours, theirs = dict(one.values), dict(other.values)
            return all(ours[name] == theirs[name] for name in ours.keys() & theirs.keys() - named)

        return [
            (first, second)
            for first, one in enumerate(measures)
            for second, other in enumerate(measures)
            if one and other and one in self.ahead and other in behind and alike(one, other)
        ]

    def claim(self, text: str, source: str, rule: str, missing: str = "") -> Claim[Frames]:
        """The claim that the measures are ahead of each of the variants, or what is missing."""
        rule = f"{rule}: the whole interval of the mean difference is above 0, by "
        return Claim(
            text,
            source,
            rule + " and by ".join(kind.title() for kind in self.coefficients),
            claimed(
                self.key,
                "above 0",
                says="{behind}, {coefficient}: {figures}",
                reason=missing,
                worst=True,
            ),
        )


def variants_study(  # noqa: PLR0913 - what papers differ in
    title: str,
    usual: str,
    relations: Sequence[Relation],
    claims: Sequence[Claim[Frames]],
    paper: str,
    *,
    with_vectors: str = "",
) -> running.Study:
    """The study of a paper's relations.

    Args:
        title: of the study.
        usual: the measures that are computed on a testbed by default, a list or a set.
        relations: that claims rest on.
        claims: of the paper.
        paper: authors, year and section, for readers.
        with_vectors: further measures, after a comma, where vectors of words are given.
    """

    @dataclass(frozen=True, kw_only=True)
    class Settings(MeasureSettings):
        """Settings of the study."""

        measures: str = cli_option(
            "comma-separated columns of a matrix (default: all), or, for a testbed, measures and "
            f"sets to compute, see `weps text measures` (default: {usual})",
            "",
            metavar="LIST",
        )

    def read_source(
        source: Path | testbed.Testbed | StudyInput, settings: MeasureSettings
    ) -> StudyInput:
        return read_scores(source, settings, usual + with_vectors * bool(settings.vectors))

    return running.Study(
        title=title,
        settings=Settings,
        source=cli_argument("a testbed or a measure matrix, with human scores"),
        read=read_source,
        find=partial(find_frames, relations=relations),
        claims=claims,
        shown=PARTS,
        data=json_fields,
        opening=(
            f"How far measures agree with people by systems, and whether they are ahead of their "
            f"variants ({paper}). Two measures are compared if all other parameters that both have "
            "are equal.",
        ),
        wide=True,
    )


def find_frames(
    scored: StudyInput, settings: MeasureSettings, relations: Sequence[Relation]
) -> Frames:
    """Coefficients of all measures by systems, and how far some are ahead of their variants.

    Frames are ``measures``, with coefficients; ``leads`` of measures over each of their variants;
    ``values`` and ``sweeps`` of parameters; ``claims``, what verdicts rest on.

    Raises:
        ValuesError: if no measure has a coefficient.
    """
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    sizes = {}
    for criterion in criteria_of(scored):
        judged = judged_outputs(scored, criterion)
        sizes[criterion] = size = judged.sample_size()
        part = partial_progress(settings.progress, f"correlating {criterion}", 0, 1)
        of_outputs = judged.human, judged.topic, judged.system
        found, _ = correlate_levels(judged.values, *of_outputs, [Level.SYSTEM], settings.seed, part)
        samples = {kind: each for (_, kind), each in found.items()}
        if not samples:
            raise ValuesError(
                f"no measure can be correlated with {criterion} by systems",
                remedy="give measures whose values differ, and topics that all systems answered",
            )
        add_rows(rows, correlation.parameter_rows(judged, found, Level.SYSTEM), criterion=criterion)
        coefficients = {kind: each.estimates for kind, each in samples.items()}
        for at, measure in enumerate(judged.measures):
            own: Row = {kind: each[at] for kind, each in coefficients.items()}
            rows["measures"].append({"criterion": criterion, "measure": measure, **own})
        parsed = list(map(measure_called, judged.measures))
        for lead, relation in _leads(relations, parsed, samples, judged):
            rows["leads"].append({"criterion": criterion, **lead})
            about = {"criterion": criterion, "behind": lead["behind"], "size": size, "reason": ""}
            rows["claims"] += (
                {**about, "claim": relation.key, "coefficient": kind, "figure": lead[kind]}
                for kind in relation.coefficients
                if kind in lead
            )
            p = lead["williams"]
            certain = Estimate(p, p, p)
            rows["claims"].append(
                {**about, "claim": f"{relation.key}, surely", "p": p, "figure": certain}
            )
    names = ("measures", "leads", "values", "sweeps", "claims")
    return Frames(
        {name: Frame.of_rows(rows[name]) for name in names},
        sizes,
        remarks=scored.remarks,
        signature={"measures": len(scored.matrix.measures)},
        resampled=Sample.BOTH,
    )


def _leads(
    relations: Sequence[Relation],
    measures: Sequence[declaration.Measure | None],
    samples: Mapping[Coefficient, BootstrapSamples],
    judged: JudgedOutputs,
) -> Iterator[tuple[Row, Relation]]:
    """The mean lead over each variant that there is, by each coefficient.

    With it the highest p of Williams' test over the pairs.
    """
    outputs = np.vstack([judged.values, judged.human]), judged.topic, judged.system
    *means, people = shared_means(*outputs)
    for relation in relations:
        for behind in relation.behind:
            if pairs := relation.pairs(measures, behind):
                first, second = map(list, zip(*pairs, strict=True))
                leads: Row = {
                    kind: joint_estimate(
                        lambda ours, theirs: (ours - theirs).mean(axis=0),
                        each.take(first),
                        each.take(second),
                    )
                    for kind, each in samples.items()
                }
                about: Row = {
                    "ahead": str(relation.ahead),
                    "behind": str(behind),
                    "pairs": len(pairs),
                    "williams": float(
                        np.max([williams_test(means[a], means[b], people) for a, b in pairs])
                    ),
                }
                yield about | leads, relation


_COEFFICIENTS: Mapping[str, Heading] = {kind: (kind, ESTIMATE) for kind in Coefficient}
PARTS = (
    Part(
        "Leads",
        TableOf(
            key="leads",
            by="criterion",
            title="How far measures are ahead of their variants: {criterion}",
            columns={
                "ahead": "measures",
                "behind": "variants",
                "pairs": ("pairs", COUNT),
                **_COEFFICIENTS,
                "williams": ("Williams p", P_VALUE),
            },
            only="report",
            note=f"Mean difference of coefficients over pairs, by systems. {SYSTEM_INTERVALS} "
            "Williams p: the highest of any pair that Pearson's r is higher by chance.",
        ),
        TableOf(
            key="measures",
            by="criterion",
            title="Agreement with people by systems: {criterion}",
            columns={"measure": "measure", **_COEFFICIENTS},
            order=Coefficient.PEARSON,
            only="report",
            note=SYSTEM_INTERVALS,
        ),
    ),
    correlation.PARAMETERS,
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Coefficients and leads, criterion by criterion."""
    return {
        "criteria": {
            criterion: {
                name: frames.of(criterion)[name].records(leave=("criterion",))
                for name in ("measures", "leads")
            }
            for criterion in frames.sizes
        }
    }
