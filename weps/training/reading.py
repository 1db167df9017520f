"""From a source with keys to examples that models learn from and are tested on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from weps.page_forms import Form, form_of, offered, origin_of
from weps.reading import Reader
from weps.similarity import Similarity, layers_of, pair_table
from weps.sources.base import Source
from weps.training.examples import Example

__all__ = ["examples_of", "forms_within"]


def forms_within(form: Form) -> tuple[Form, ...]:
    """The form and all poorer ones, richest first."""
    return tuple(Form)[tuple(Form).index(form) :]


def examples_of(
    name: str,
    source: Source,
    similarities: Sequence[Similarity],
    forms: Collection[Form] | None = None,
    reader: Reader | None = None,
) -> dict[Form, Example]:
    """The examples that one name makes, one for each form.

    Args:
        name: a name of the source.
        source: where its pages and its key are.
        similarities: the columns wanted; a form has those that it offers.
        forms: the forms wanted; those richer than the pages are left out. None means the richest.
            Empty if the name has no key.
        reader: how to read the pages.
    """
    reader = reader or Reader()
    key = source.key(name)
    if key is None or not key.groups:
        return {}
    search = source.search(name)
    richest = form_of(search)
    wanted = [f for f in forms_within(richest) if f in (forms or {richest})]
    examples = {}
    for form in wanted:
        columns = offered(similarities, form)
        table = pair_table(reader.read(search, form, layers_of(columns)), columns)
        examples[form] = Example.of(name, table, key, origin_of(search))
    return examples
