"""Which triples of models QUEEN is a probability over."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps.errors import ValuesError

__all__ = ["Triples"]

Ints: TypeAlias = NDArray[np.int64]


class Triples(StrEnum):
    """Whether a model may stand twice in a triple (m, m', m'') of x(a, m) ≥ x(m', m'').

    The papers write M × M × M (ACL 2005, section 3.2) and speak of "a model" and "the other two"
    (section 3.1), of "two models" and "a third model" (section 3.3): three models, then. With
    three references and one of them left out, as in translation (2006), there are no three.

    (m', m'') and (m'', m') are two triples throughout: of a symmetric measure they say the same
    and leave the probability as it is; of another one, to take either of them would let the
    result depend on the order in which the models are given.
    """

    DISTINCT = "distinct"
    """Three models, n(n-1)(n-2) triples; the default, as the papers explain themselves."""
    PAIRS = "pairs"
    """m' and m'' are two models, and m is any: n²(n-1) triples."""
    ALL = "all"
    """M × M × M to the letter, n³ triples: a model is compared with itself, too."""

    @property
    def fewest(self) -> int:
        """How many models there must be for a triple."""
        return {Triples.DISTINCT: 3, Triples.PAIRS: 2, Triples.ALL: 1}[self]

    def of(self, models: int) -> Ints:
        """All triples of so many models: shape (3, triples), in the order of m, m', m''.

        Raises:
            ValuesError: if there are none.
        """
        if models < self.fewest:
            self._refuse(models)
        triples = np.indices((models,) * 3).reshape(3, -1)
        model, first, second = triples
        if self is Triples.ALL:
            return triples
        kept = first != second
        if self is Triples.DISTINCT:
            kept &= (model != first) & (model != second)
        return np.asarray(triples[:, kept])

    def _refuse(self, models: int) -> None:
        """Say that there are too few models."""
        looser = next((each for each in Triples if each.fewest <= models), None)
        advice = f", or choose the triples {looser.value!r}" if looser else ""
        raise ValuesError(
            f"of {models} models there is no triple {self.value!r}",
            where="models",
            remedy=f"give {self.fewest} at least{advice}",
        )
