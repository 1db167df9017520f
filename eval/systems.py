"""Systems under test: one decision tree per feature set, all on the same names and folds.

Similarities are worked out once, for the union of the feature sets; each system sees its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from weps.feature_sets import similarities_of
from weps.forms import Form, common, offered
from weps.records import Clustering
from weps.similarity import Similarity
from weps.training import Example

__all__ = ["Answers", "Columns", "Systems", "narrowed", "run_systems", "systems_of"]

Answers = dict[str, Clustering]
Columns = tuple[Similarity, ...]


@dataclass(frozen=True, slots=True)
class Systems:
    """Feature sets to compare on the same pages."""

    wanted: Mapping[str, Columns]
    """Feature set as written → the similarities that it asks for."""
    union: Columns
    """What is computed for them all: less than wanted if they keep to common features."""

    def used(self, form: Form) -> dict[str, Columns]:
        """Feature set → the similarities that it uses for pages of the form."""
        computed = offered(self.union, form)
        return {
            name: tuple(each for each in columns if each in computed)
            for name, columns in self.wanted.items()
        }

    def absent(self, form: Form) -> dict[str, Columns]:
        """Feature set → what it asks for and does without for pages of the form."""
        computed = offered(self.union, form)
        return {
            name: tuple(each for each in columns if each not in computed)
            for name, columns in self.wanted.items()
        }

    def alike(self, form: Form) -> list[list[str]]:
        """Feature sets that come to the same for pages of the form, in groups."""
        groups: dict[Columns, list[str]] = {}
        for name, columns in self.used(form).items():
            groups.setdefault(columns, []).append(name)
        return [group for columns, group in groups.items() if columns and len(group) > 1]


def systems_of(sets: Sequence[str], shared_by: Collection[Form] = ()) -> Systems:
    """The systems that compare pages by these feature sets.

    Args:
        sets: see :func:`weps.feature_sets.similarities_of`.
        shared_by: use only what pages of all these forms have; none for no such limit.

    Raises:
        FeatureError: if an item of a set is unknown; all such items are told.
    """
    union = similarities_of("+".join(sets))
    wanted = {name: similarities_of(name) for name in sets}
    return Systems(wanted, common(union, shared_by) if shared_by else union)


def run_systems(
    systems: Systems, forms: Collection[Form], answer: Callable[[Form, Columns], Answers]
) -> dict[str, Answers]:
    """System → name → answer; systems that are alike for a form are run once.

    Args:
        systems: what to run.
        forms: the forms of the pages that are answered for.
        answer: answers for the names whose pages have the form, from these similarities.
    """
    answers: dict[str, Answers] = {name: {} for name in systems.wanted}
    for form in sorted(forms):
        answer_once = cache(partial(answer, form))
        for name, columns in systems.used(form).items():
            answers[name] |= answer_once(columns)
    return answers


def narrowed(examples: Sequence[Example], held: Columns, wanted: Columns) -> list[Example]:
    """The examples with the wanted ones of the columns that they hold."""
    places = [held.index(each) for each in wanted]
    return [replace(each, values=each.values[:, places]) for each in examples]
