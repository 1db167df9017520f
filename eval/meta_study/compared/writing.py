"""Similarities as a table: a row for every two texts that were compared."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from eval.meta_study.compared.records import Compared, ComparedTopic, Floats
from eval.text.testbed.tables import HUMAN
from weps.cells import guarded
from weps.placing import put_in_place

__all__ = ["COLUMNS", "Kind", "write_compared"]

COLUMNS = ("topic", "output", "reference", "kind")
"""The first columns of a table that was written."""


class Kind:
    """What is compared with what; the first is in the column ``output``."""

    PEERS = "output-reference"
    MODELS = "reference-reference"
    AMONG_PEERS = "output-output"
    ALL = (PEERS, MODELS, AMONG_PEERS)


def write_compared(compared: Compared, path: Path) -> None:
    """Write a table, whole or not at all, which :func:`read_compared` reads again.

    Human scores of outputs stand in their rows with references.

    Raises:
        OutputError: if it cannot be written.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    criteria = [f"{HUMAN}{criterion}" for criterion in compared.criteria]
    rows.writerow([*COLUMNS, *map(guarded, (*criteria, *compared.measures))])
    for topic in compared.topics:
        rows.writerows(_rows(topic, len(criteria)))
    put_in_place({path: text.getvalue().encode(errors="replace")})


def _rows(topic: ComparedTopic, criteria: int) -> Iterator[list[str | float]]:
    values, systems, references = topic.values, topic.systems, topic.references
    scores = [["" if math.isnan(each) else each for each in row] for row in topic.human.T.tolist()]
    nothing: list[list[str | float]] = [[""] * criteria] * max(len(systems), len(references))
    yield from _pairs(topic.topic, Kind.PEERS, (systems, references), scores, values.peers)
    yield from _pairs(topic.topic, Kind.MODELS, (references, references), nothing, values.models)
    if values.among_peers is not None:
        named = systems, systems
        yield from _pairs(topic.topic, Kind.AMONG_PEERS, named, nothing, values.among_peers)


def _pairs(
    topic: str,
    kind: str,
    names: tuple[Sequence[str], Sequence[str]],
    scores: Sequence[Sequence[str | float]],
    values: Floats,
) -> Iterator[list[str | float]]:
    """A row for each pair of texts, measures of shape (measures, rows, columns) side by side."""
    table = np.moveaxis(values, 0, -1).tolist()
    for row, one in enumerate(names[0]):
        for column, other in enumerate(names[1]):
            told = (topic, one, other)
            yield [*map(guarded, told), kind, *scores[row], *table[row][column]]
