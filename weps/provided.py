"""The models provided with weps, one for each feature set that has a name of its own."""

from __future__ import annotations

from weps.errors import ModelError
from weps.feature_sets import similarities_of
from weps.forms import offered
from weps.model import ModelSet, load
from weps.resources import resource

__all__ = ["FEATURES", "check_features", "packaged"]

FEATURES = "non-linguistic"
"""The feature set that is used unless another is asked for."""
_SETS = (FEATURES, "tokens", "all")


def packaged(features: str = FEATURES) -> ModelSet:
    """The model that comes with weps for a feature set.

    Args:
        features: a set, see :func:`weps.feature_sets.similarities_of`.

    Raises:
        FeatureError: if a feature in it is unknown.
        ModelError: if no model comes with weps for these features.
    """
    wanted = similarities_of(features)
    for name in _SETS:
        if similarities_of(name) == wanted:
            return load(resource(f"models/{name}.json"))
    raise ModelError(
        f"no model comes with weps for the features {features!r}, only for {', '.join(_SETS)}",
        remedy=f"learn one (weps train CORPUS --features '{features}' --out FILE) and give it "
        "with --model FILE",
    )


def check_features(models: ModelSet, features: str, where: object = None) -> None:
    """Make sure that a model has learnt from the features that somebody asks for.

    Raises:
        FeatureError: if a feature is unknown.
        ModelError: if the model has learnt from others.
    """
    wanted = similarities_of(features)
    for form, model in models.models.items():
        if offered(wanted, form) != model.similarities:
            raise ModelError(
                f"this model has learnt from other features than {features!r}",
                where=where,
                remedy="leave --features out, or train a model with these features",
            )
