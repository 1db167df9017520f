"""Heterogeneity based ranking: similarities combined without weights, scales or labels.

E. Amigó, J. Gonzalo, J. Giménez and F. Verdejo, "UNED: evaluating text similarity measures without
human assessments", *SEM 2012, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weps.coreference.base import Calibration, float32_array, int32_array, read_fields
from weps.errors import ModelError

_WORD_BITS = 64
_MAX_CELLS = 1 << 22
"""Pairs × rivals × samples processed at a time: 32 MB."""
_MAX_ROWS = 10_000
"""Largest number of rivals or samples in a file, which bounds the time of scoring."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class HeterogeneityRanking:
    """A pair scores by the heterogeneity of the similarities that rank it above other pairs.

    HBR(i) = Avg_j H({x: x(i) ≥ x(j)}): for every rival j the similarities that are at least as high
    for i form a set, and its heterogeneity is the share of samples, two rivals each, on which
    members of the set contradict each other. In the paper rivals are the other instances of the
    same test set; here they are pairs of other names, so that a pair's score does not depend on the
    other pairs that are scored, and scores of different names are comparable.

    Nothing is fitted to the similarities; the calibration turns scores into probabilities, and
    does not change their order.
    """

    kind: ClassVar[str] = "hbr"

    rivals: NDArray[np.float32]
    """Shape (rivals, columns)."""
    samples: NDArray[np.int32]
    """Shape (samples, 2): rows of ``rivals``."""
    calibration: Calibration = field(default_factory=Calibration)

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The calibrated score of each pair, see :class:`Classifier`."""
        return self.calibration(self.scores(values))

    def scores(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): HBR of each pair, in [0, 1]."""
        first, second = (self.rivals[each] for each in self.samples.T)
        higher, lower = _pack_bits(first > second), _pack_bits(first < second)
        means = np.empty(len(values))
        step = max(1, _MAX_CELLS // (len(self.rivals) * len(self.samples)))
        for start in range(0, len(values), step):
            sets = _pack_bits(values[start : start + step, None, :] >= self.rivals)
            contradicted = _intersects(sets, higher) & _intersects(sets, lower)
            means[start : start + step] = contradicted.mean(axis=(1, 2))
        return means

    def to_data(self) -> dict[str, Any]:
        """Rivals, samples and calibration, for JSON."""
        return {
            "rivals": self.rivals.tolist(),
            "samples": self.samples.tolist(),
            "calibration": self.calibration.to_data(),
        }

    @classmethod
    def from_data(cls, data: Any, columns: int) -> HeterogeneityRanking:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        fields = read_fields(
            data,
            "its rivals",
            rivals=float32_array,
            samples=int32_array,
            calibration=Calibration.from_data,
        )
        rivals, samples = fields["rivals"], fields["samples"]
        if rivals.ndim != 2 or rivals.shape[1] != columns or not np.isfinite(rivals).all():
            raise ModelError(f"its rivals are not numbers in {columns} columns")
        if samples.ndim != 2 or samples.shape[1] != 2 or len(samples) == 0:
            raise ModelError("its samples are not pairs of rivals")
        if not ((samples >= 0) & (samples < len(rivals))).all():
            raise ModelError("its samples refer to missing rivals")
        if max(len(rivals), len(samples)) > _MAX_ROWS:
            raise ModelError("it has too many rivals or samples")
        return cls(**fields)


def _pack_bits(truth: NDArray[np.bool_]) -> Words:
    """The truth values of the last axis packed into words, padded with 0."""
    padding = [(0, 0)] * (truth.ndim - 1) + [(0, -truth.shape[-1] % _WORD_BITS)]
    return np.packbits(np.pad(truth, padding), axis=-1, bitorder="little").view(np.uint64)


def _intersects(sets: Words, bits: Words) -> NDArray[np.bool_]:
    """Shape (pairs, rivals, samples): whether a set, (pairs, rivals, words), has a marked one."""
    common = (sets[..., word, None] & bits[:, word] for word in range(sets.shape[-1]))
    found: NDArray[np.bool_] = reduce(np.bitwise_or, common) != 0
    return found
