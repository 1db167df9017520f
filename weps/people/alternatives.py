"""What the answer for a name would be at other thresholds: every node of its dendrogram."""

from __future__ import annotations

from collections.abc import Sequence

from weps.calibration import calibrated
from weps.clustering import Dendrogram
from weps.model import Model
from weps.people.answer import Alternatives
from weps.people.describing import DIGITS, Rows
from weps.portraits.portraits import Portrait

__all__ = ["alternatives", "rows_of_nodes"]


def rows_of_nodes(dendrogram: Dendrogram) -> list[Rows]:
    """The rows of all 2n - 1 nodes, ascending: of the n pages, then of what each merge makes."""
    unions = (tuple(sorted(ours + theirs)) for ours, theirs in dendrogram.unions())
    return [*((row,) for row in range(dendrogram.size)), *unions]


def alternatives(
    dendrogram: Dendrogram,
    held: int,
    ranks: Sequence[int],
    portraits: Sequence[Portrait],
    model: Model,
) -> Alternatives:
    """What the answer would be at every other threshold.

    Args:
        dendrogram: the clusterings that the pages were linked to.
        held: how many merges are held.
        ranks: of the rows.
        portraits: of the nodes.
        model: what judged and linked.
    """
    shown = calibrated(dendrogram, model.calibration)
    return Alternatives(
        ranks=tuple(ranks),
        nodes=tuple(_parts_of_nodes(dendrogram)),
        levels=tuple(round(merge.probability, DIGITS) for merge in shown.merges),
        held=held,
        least=dendrogram.allowed(0),
        most=dendrogram.allowed(len(dendrogram.merges)),
        portraits=tuple(portraits),
        probability=dendrogram.probability,
        calibration=model.calibration,
        beliefs=model.beliefs,
    )


def _parts_of_nodes(dendrogram: Dendrogram) -> list[tuple[int, int]]:
    """The two nodes that each merge makes one."""
    node_of = list(range(dendrogram.size))
    parts = []
    for number, (ours, theirs) in enumerate(dendrogram.unions()):
        parts.append((node_of[ours[0]], node_of[theirs[0]]))
        for row in (*ours, *theirs):
            node_of[row] = dendrogram.size + number
    return parts
