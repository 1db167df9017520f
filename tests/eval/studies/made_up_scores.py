"""Made-up outputs, with scores of people and of measures of several kinds."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import numpy as np

import run_weps
from weps_eval.stats import BootstrapSamples
from weps_eval.studies.measures import JudgedOutputs, StudyInput
from weps_eval.text.testbed import MeasureMatrix, write_matrix

_SCHEMATA = Path(__file__).resolve().parents[3] / "docs" / "schema"

WORDS = ("rouge(n=1)", "rouge(n=2)", "cosine", "dice")
LINGUISTIC = ("hwcm", "gramsim", "dp_o")
NAMES = (*WORDS, *LINGUISTIC)


def matrix(
    names: tuple[str, ...] = NAMES,
    topics: int = 8,
    systems: int = 7,
    *,
    noise: float = 0.5,
    seed: int = 0,
) -> MeasureMatrix:
    """Systems of rising quality; each measure is people's score with more noise than the last."""
    generator = np.random.default_rng(seed)
    topic, system = np.divmod(np.arange(topics * systems), systems)
    human = np.clip(
        np.round(1 + 4 * system / (systems - 1) + generator.normal(size=len(topic))), 1, 5
    )
    spread = noise * (1 + np.arange(len(names)))[:, None]
    values = human + spread * generator.normal(size=(len(names), len(topic)))
    return MeasureMatrix(
        tuple(f"t{each}" for each in topic),
        tuple(f"s{each}" for each in system),
        names,
        values,
        ("quality",),
        human[None],
    )


def scored(found: MeasureMatrix | None = None) -> StudyInput:
    return StudyInput("made up", found or matrix(), (), "matrix:none")


def judged(
    names: tuple[str, ...] = NAMES, topics: int = 8, systems: int = 7, **more: float
) -> JudgedOutputs:
    found = matrix(names, topics, systems, **more)  # type: ignore[arg-type]
    topic, system = np.divmod(np.arange(topics * systems), systems)
    return JudgedOutputs(
        "quality",
        names,
        found.values,
        found.human[0],
        tuple(f"t{each}" for each in range(topics)),
        topic,
        tuple(f"s{each}" for each in range(systems)),
        system,
    )


def by_system(names: tuple[str, ...] = NAMES) -> JudgedOutputs:
    """Where people judged whole systems."""
    found = judged(names)
    return replace(found, human=found.system.astype(np.float64))


def certain(*values: float) -> BootstrapSamples:
    """Figures without doubt: every resample has the same."""
    return BootstrapSamples(np.repeat(np.array(values)[:, None], 6, axis=1))


def write(path: Path, found: MeasureMatrix | None = None) -> Path:
    write_matrix(found or matrix(), path)
    return path


class StudyRun(NamedTuple):
    """What a study has printed and written."""

    out: str
    data: dict[str, Any]
    report: Path


def run_study(
    folder: Path, study: str, source: Path, *options: object, report: bool = True
) -> StudyRun:
    """Run ``weps meta STUDY SOURCE``; the JSON is valid by its schema, nothing goes wrong.

    The figures of a report take longer than most studies.
    """
    json_file, written = folder / "study.json", folder / "report"
    words = ("meta", study, source, *options, "--json", json_file)
    if report:
        words += ("--report", written, "--files")
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = run_weps.main([str(word) for word in words])
    assert (status, err.getvalue()) == (0, "")
    data = json.loads(json_file.read_text())
    jsonschema.validate(data, json.loads((_SCHEMATA / f"meta-{study}.schema.json").read_text()))
    return StudyRun(out.getvalue(), data, written)
