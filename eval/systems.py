"""Systems under test: configurations that answer for the same names and learn from the same.

Similarities are worked out once, for the union of the systems; each system sees its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from eval.benchmark import Trial, joined
from weps.configuration import Configuration, configuration
from weps.errors import FeatureError
from weps.feature_sets import similarities_of
from weps.forms import Form, common, offered
from weps.similarity import Similarity

__all__ = ["Columns", "Systems", "run_systems", "systems_of"]

Columns = tuple[Similarity, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    """Configurations to compare on the same pages."""

    configurations: Mapping[str, Configuration]
    """System as written → how it learns and answers."""
    wanted: Mapping[str, Columns]
    """System → the similarities that it asks for."""
    union: Columns
    """What is computed for them all: less than wanted if they keep to common features."""
    common: bool = False
    """Whether they keep to features that the pages of every name have."""

    def used(self, form: Form) -> dict[str, Columns]:
        """System → the similarities that it uses for pages of the form."""
        computed = offered(self.union, form)
        return {
            name: tuple(each for each in columns if each in computed)
            for name, columns in self.wanted.items()
        }

    def absent(self, form: Form) -> dict[str, Columns]:
        """System → what it asks for and does without for pages of the form."""
        computed = offered(self.union, form)
        return {
            name: tuple(each for each in columns if each not in computed)
            for name, columns in self.wanted.items()
        }

    def groups(self, form: Form) -> list[list[str]]:
        """The systems, those together that come to the same for pages of the form."""
        groups: dict[object, list[str]] = {}
        for name, columns in self.used(form).items():
            method = self.configurations[name].as_data() | {"features": ""}
            groups.setdefault((columns, *method.items()), []).append(name)
        return list(groups.values())


def systems_of(texts: Sequence[str], shared_by: Collection[Form] = ()) -> Systems:
    """The systems that are written so.

    Args:
        texts: see :func:`weps.configuration.configuration`.
        shared_by: use only what pages of all these forms have; none for no such limit.

    Raises:
        FeatureError: if one cannot be read; all of them are told.
    """
    configurations = _read(texts)
    wanted = {name: similarities_of(each.features) for name, each in configurations.items()}
    union = similarities_of("+".join(each.features for each in configurations.values()))
    if shared_by:
        return Systems(configurations, wanted, common(union, shared_by), common=True)
    return Systems(configurations, wanted, union)


def run_systems(
    systems: Systems, forms: Collection[Form], attempt: Callable[[str, Form, Columns], Trial]
) -> dict[str, Trial]:
    """System → its answers and what they cost; systems that are alike for a form are run once.

    Args:
        systems: what to run.
        forms: the forms of the pages that are answered for.
        attempt: what a system makes of the names whose pages have the form, from these
            similarities.
    """
    trials: dict[str, list[Trial]] = {name: [] for name in systems.wanted}
    for form in sorted(forms):
        used = systems.used(form)
        for first, *others in systems.groups(form):
            trial = attempt(first, form, used[first])
            for name in (first, *others):
                trials[name].append(trial)
    return {name: joined(of_forms) for name, of_forms in trials.items()}


def _read(texts: Sequence[str]) -> dict[str, Configuration]:
    """The configurations by what writes them, or one error that tells all faults."""
    found, faults = {}, []
    for text in texts:
        try:
            found[text] = configuration(text)
        except FeatureError as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise FeatureError("; ".join(dict.fromkeys(each.describe() for each in faults)))
    return found
