"""Which senses words have, given another text: "alignment-based disambiguation", section 3.1.

A word takes that of its senses which is most like any sense of any word of the other text; among
equals the more frequent one, thus always the most frequent one for a word that both texts have in
the same part of speech.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.text.senses.all_pairs import all_pairs
from eval.text.senses.words import Text, Word
from eval.text.wordnet.lemmas import senses_of
from eval.text.wordnet.ranks import Ranks, Vector
from weps.errors import ValuesError

__all__ = ["Alignment", "Readings"]

_MOST_SENSES = 20_000
"""Their similarities take 1.6 GB."""

Readings = dict[Word, int | None]
"""The sense of each open word of a text, None if WordNet does not have the word."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Texts whose words are read in the light of one another."""

    candidates: dict[Word, tuple[int, ...]]
    """The synsets that an open word may stand for, as numbers of this alignment."""
    vectors: tuple[Vector, ...]
    """One per sense."""
    similarities: NDArray[np.float32]
    """Shape (senses, senses), symmetric, equation 3.2."""

    @classmethod
    def of(cls, texts: Iterable[Text], ranks: Ranks) -> Alignment:
        """Look up the words of all texts and compare all their senses.

        Raises:
            ValuesError: if they have more than 20,000 senses together.
        """
        words = sorted({word for text in texts for word in text if word.open})
        found = {word: senses_of(word.form, ranks.wordnet, word.part) for word in words}
        synsets = sorted({synset for senses in found.values() for synset in senses})
        if len(synsets) > _MOST_SENSES:
            raise ValuesError(
                f"these texts have {len(synsets):,} senses, more than the {_MOST_SENSES:,} that "
                "can be compared with one another",
                remedy="compare shorter texts, or fewer at once",
            )
        numbers = {synset: number for number, synset in enumerate(synsets)}
        candidates = {
            word: tuple(numbers[synset] for synset in senses) for word, senses in found.items()
        }
        vectors = ranks.vectors(synsets)
        return cls(candidates, tuple(vectors), all_pairs(vectors))

    def read(self, text: Text, other: Text) -> Readings:
        """The sense of every open word of a text, given another text."""
        against = sorted({sense for word in other for sense in self.candidates.get(word, ())})
        best = self.similarities[:, against].max(axis=1, initial=0.0)
        return {
            word: max(self.candidates[word], key=best.__getitem__, default=None)
            for word in dict.fromkeys(text)
            if word.open
        }
