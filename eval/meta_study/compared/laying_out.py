"""From rows of pairs of texts to the arrays of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from eval.instances.wording import quoted
from eval.meta.similarities import Similarities
from eval.meta_study.compared.records import ComparedTopic, Floats
from eval.meta_study.compared.writing import Kind
from weps.errors import ValuesError

__all__ = ["Pairs", "laid_out"]

Pair = tuple[str, str]


@dataclass(slots=True)
class Pairs:
    """The rows of a topic so far."""

    topic: str
    values: dict[str, dict[Pair, Floats]] = field(
        default_factory=lambda: {kind: {} for kind in Kind.ALL}
    )
    """Kind → pair of texts → values of the measures."""
    scores: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """System → what people thought of its output."""

    def add(
        self, kind: str, pair: Pair, told: tuple[Sequence[float], Sequence[float]], where: str
    ) -> None:
        """Add a row with its human scores and its values.

        Raises:
            ValuesError: if there is one of these texts already, or its scores contradict another.
        """
        scores, values = told
        if pair in self.values[kind]:
            what = f"{' and '.join(map(quoted, pair))} are compared twice"
            raise ValuesError(what, where=where, remedy="keep one of the rows")
        self.values[kind][pair] = np.array(values, np.float64)
        if kind == Kind.PEERS:
            before = self.scores.setdefault(pair[0], tuple(scores))
            if not np.array_equal(before, scores, equal_nan=True):
                what = f"the output of {quoted(pair[0])} has other human scores than before"
                raise ValuesError(what, where=where, remedy="give the same in all its rows")


def laid_out(pairs: Pairs, criteria: int, path: Path) -> ComparedTopic:
    """The topic.

    Raises:
        ValuesError: if a row is missing.
    """
    where = f"{path}, topic {quoted(pairs.topic)}"
    peers, models, among = (pairs.values[kind] for kind in Kind.ALL)
    systems = tuple(dict.fromkeys(one for one, _ in peers))
    references = tuple(dict.fromkeys(other for _, other in (*peers, *models)))
    if not systems:
        what = f"there is no row {Kind.PEERS!r}"
        raise ValuesError(what, where=where, remedy="compare outputs with references")
    for kind, known in ((Kind.MODELS, references), (Kind.AMONG_PEERS, systems)):
        _check_known(pairs.values[kind], known, kind, where)
    values = Similarities(
        _table(peers, systems, references, where),
        _table(models, references, references, where),
        _table(among, systems, systems, where) if among else None,
    )
    human = np.array([pairs.scores[each] for each in systems], np.float64)
    return ComparedTopic(
        pairs.topic, references, systems, values, human.reshape(len(systems), criteria).T
    )


def _table(
    rows: dict[Pair, Floats], ones: Sequence[str], others: Sequence[str], where: str
) -> Floats:
    """Shape (measures, ones, others); a text is by default like itself as nothing else is."""
    size = len(next(iter(rows.values()))) if rows else 0
    table = np.empty((size, len(ones), len(others)))
    for row, one in enumerate(ones):
        for column, other in enumerate(others):
            values = rows.get((one, other))
            if values is None and (one != other or ones is not others):
                what = f"{quoted(one)} is not compared with {quoted(other)}"
                raise ValuesError(what, where=where, remedy="add the row, or leave out the text")
            table[:, row, column] = np.inf if values is None else values
    return table


def _check_known(rows: dict[Pair, Floats], known: Sequence[str], kind: str, where: str) -> None:
    for name in (name for pair in rows for name in pair if name not in known):
        what = f"{quoted(name)} of a row {kind!r} is in no row {Kind.PEERS!r}"
        raise ValuesError(what, where=where, remedy="mend the name, or add its rows")
