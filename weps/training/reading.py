"""From a source with keys to the examples of training and tests."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from weps.page_forms import PageForm, available_similarities, page_origin, richest_form
from weps.reading import Reader
from weps.similarity import Similarity, pair_table, required_layers
from weps.sources.base import Source
from weps.training.examples import Example

__all__ = ["forms_up_to", "read_examples"]


def forms_up_to(form: PageForm) -> tuple[PageForm, ...]:
    """The form and all poorer ones, richest first."""
    return tuple(PageForm)[tuple(PageForm).index(form) :]


def read_examples(
    name: str,
    source: Source,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None = None,
    reader: Reader | None = None,
) -> dict[PageForm, Example]:
    """The examples of one name, one for each form.

    Args:
        name: a name of the source.
        source: where its pages and its key are.
        similarities: the requested columns; a form has those that it supports.
        forms: the requested forms; those richer than the pages are left out. None means the
            richest. Empty if the name has no key.
        reader: how to read the pages.
    """
    reader = reader or Reader()
    key = source.key(name)
    if key is None or not key.groups:
        return {}
    search = source.search(name)
    richest = richest_form(search)
    wanted = [f for f in forms_up_to(richest) if f in (forms or {richest})]
    examples = {}
    for form in wanted:
        columns = available_similarities(similarities, form)
        table = pair_table(reader.read(search, form, required_layers(columns)), columns)
        examples[form] = Example.of(name, table, key, page_origin(search))
    return examples
