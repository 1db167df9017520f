"""What is known of the language of a name's pages: all that features are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weps.errors import FeatureError
from weps.language.layers import Layer, Marks
from weps.language.table import TokenTable, tabulate
from weps.names import PersonName
from weps.records import Document

__all__ = ["Analysis", "analyse"]


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The name, its documents, their tokens, and the layers that were asked for."""

    name: PersonName
    documents: tuple[Document, ...]
    tokens: TokenTable
    marks: Mapping[Layer, Marks] = field(default_factory=dict)
    """Layer → what it marks; sentences are those of ``tokens``."""

    def layer(self, wanted: Layer) -> Marks:
        """The marks of a layer.

        Raises:
            FeatureError: if the pages were read without it.
        """
        if wanted not in self.marks:
            raise FeatureError(
                f"the pages were read without {wanted}",
                remedy="read them with the layers that the features need (weps.reading.Reader)",
            )
        return self.marks[wanted]


def analyse(
    name: str, documents: Sequence[Document], marks: Mapping[Layer, Marks] | None = None
) -> Analysis:
    """Split the documents' blocks into sentences and tokens; mark the mentions of ``name``."""
    person = PersonName.parse(name)
    return Analysis(person, tuple(documents), tabulate(documents, person), marks or {})
