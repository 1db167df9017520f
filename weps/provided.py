"""The models provided with weps, one for each of some systems."""

from __future__ import annotations

from weps.configuration import configuration
from weps.errors import ModelError
from weps.model import ModelSet, load
from weps.resources import resource

__all__ = ["DEFAULT", "packaged"]

DEFAULT = "default"
"""The system that is used unless another is asked for."""
_FILES = {DEFAULT: "default", "paper": "paper", "paper:features=all": "paper-all"}
"""System (:mod:`weps.configuration`) → file of its model, without suffix."""


def packaged(system: str = DEFAULT) -> ModelSet:
    """The model that comes with weps for a system.

    Args:
        system: see :func:`weps.configuration.configuration`.

    Raises:
        FeatureError: if there is no such system.
        ModelError: if no model comes with weps for it.
    """
    wanted = configuration(system)
    for name, file in _FILES.items():
        if configuration(name) == wanted:
            return load(resource(f"models/{file}.json"))
    raise ModelError(
        f"no model comes with weps for the system {system!r}, only for {', '.join(_FILES)}",
        remedy=f"learn one (weps train CORPUS --system '{system}' --out FILE) and give it "
        "with --model FILE",
    )
