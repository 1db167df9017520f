"""The clustering of a name's pages as an estimator of scikit-learn.

In a module of its own, as scikit-learn takes long to import.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from weps.corrections.model import Corrections
from weps.model import Model, ModelSet
from weps.results.result import Result, cluster


class PeopleClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc] # it ships no types
    """Clusters the pages found for a name by person, by the conventions of scikit-learn.

    There is no ``predict``: which pages are one person depends on all pages of the name.

    Args:
        name: the person's name; may be left out where the pages state it, see
            :func:`weps.sources.opening.read_pages`.
        models: a system such as ``"paper"``, a file of models, or models; None for the default.
        threshold: lowest probability at which clusters merge, from 0 to 1; None for the model's
            own stopping decision.
        corrections: by users; they constrain the clustering.

    Attributes:
        labels_: shape (pages,), int64: the person of each page, from 0, -1 if it is set aside.
        answer_: the :class:`~weps.results.result.Result`.

    Example:
        >>> PeopleClusterer("Ann Lee").fit_predict(["Ann Lee sails.", "Ann Lee bakes."]).shape
        (2,)
    """

    labels_: NDArray[np.int64]
    answer_: Result

    def __init__(
        self,
        name: str = "",
        *,
        models: ModelSet | Model | Path | str | None = None,
        threshold: float | None = None,
        corrections: Corrections | None = None,
    ) -> None:
        self.name = name
        self.models = models
        self.threshold = threshold
        self.corrections = corrections

    def fit(self, X: Any, y: None = None) -> PeopleClusterer:  # noqa: N803, ARG002 - conventional
        """Cluster the pages of one name.

        Args:
            X: dictionaries, a data frame, texts or a folder, as :func:`weps.cluster` takes them.
            y: not used.

        Raises:
            WepsError: if the pages cannot be read or have no name.
        """
        self.answer_ = cluster(
            X, self.models, self.threshold, name=self.name, corrections=self.corrections
        )
        self.labels_ = self.answer_.labels
        return self

    def fit_predict(self, X: Any, y: None = None) -> NDArray[np.int64]:  # noqa: N803 - as above
        """The person of each page, as :attr:`labels_`; see :meth:`fit`."""
        return self.fit(X, y).labels_

    def __sklearn_tags__(self) -> Any:
        """Pages are no arrays of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.dict = tags.input_tags.string = True
        tags.no_validation = True
        return tags
