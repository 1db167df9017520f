"""The people of a corpus as topics: what annotators have written about them is key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.attributes import Attributes, attributes_of
from eval.key_term_study.concepts import Concept, concepts_of
from eval.key_term_study.topics import Given, Read, read_topics
from weps.forms import Form
from weps.language import Layer
from weps.names import PersonName
from weps.reading import Reader
from weps.records import Clustering
from weps.sources import Source
from weps.words import words

__all__ = ["ATTRIBUTES", "LABELS", "LEFT_OUT", "Plan", "people_of"]

ATTRIBUTES, LABELS = "attributes", "labels"
"""What concepts are taken from."""
LEFT_OUT = frozenset({"dateofbirth", "email", "fax", "phone", "website"})
"""Attributes that are numbers and addresses, no words."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How pages are read, and who is a topic."""

    form: Form
    reader: Reader
    fewest: int
    """Pages of a person."""


def people_of(name: str, source: Source, plan: Plan) -> Read:
    """The pages of a name, with a topic for every person of whom enough pages are there.

    A person is a topic once for the attributes and once for the label, as far as there are any.
    Every value of an attribute on one of the person's pages is a key concept, and so is every word
    of a label. Words of the name searched for are none.
    """
    tagged = plan.form is Form.PAGES
    layers = {Layer.TAGS} if tagged else set()
    analysis = plan.reader.read(source.search(name), plan.form, layers)
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    key = source.key(name) or Clustering(())
    attributes = attributes_of(source.root, name)
    topics = _topics(name, key, attributes, row, analysis.name)
    held = [each for each in topics if len(each.rows) >= plan.fewest]
    return read_topics(analysis, held, tagged=tagged)


def _topics(
    name: str,
    key: Clustering,
    attributes: Attributes | None,
    row: Mapping[int, int],
    person: PersonName,
) -> Iterator[Given]:
    labels = key.labels or ("",) * len(key.groups)
    for number, (group, label) in enumerate(zip(key.groups, labels, strict=True), start=1):
        ranks = sorted(group & row.keys())
        rows = tuple(row[rank] for rank in ranks)
        title = f"{name.replace('_', ' ')} {number}"
        yield Given(LABELS, title, rows, concepts_of(words(label), person.tokens))
        yield Given(ATTRIBUTES, title, rows, _facts(attributes or {}, ranks, person))


def _facts(attributes: Attributes, ranks: Sequence[int], person: PersonName) -> frozenset[Concept]:
    values = (
        value
        for rank in ranks
        for attribute, found in attributes.get(rank, {}).items()
        if attribute not in LEFT_OUT
        for value in found
    )
    return concepts_of(values, person.tokens)
