"""What families of measures have in common: texts as words, and a value for each pair of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from eval.text.desk import Desk
from eval.text.desk.reading import Word
from eval.text.overlap import Text as Tokens
from eval.text.rouge.preprocessing import Preprocessing
from eval.text.testbed import Text
from weps.errors import ValuesError

__all__ = ["Floats", "Texts", "about", "both", "each_pair", "plain_words", "tagged_words"]

Floats: TypeAlias = NDArray[np.float64]
Texts: TypeAlias = Sequence[Text]
Made = TypeVar("Made")


def both(
    read: Callable[[Text], Made], outputs: Texts, references: Texts
) -> tuple[list[Made], list[Made]]:
    """Outputs and references, read alike."""
    return list(map(read, outputs)), list(map(read, references))


def each_pair(
    compare: Callable[[Made, Made], float],
    outputs: Sequence[Made],
    references: Sequence[Made],
    *,
    inverted: bool = False,
) -> Floats:
    """Every output with every reference, which change places if inverted.

    Returns:
        Shape (outputs, references).
    """
    if inverted:
        return np.transpose(each_pair(compare, references, outputs))
    return np.array([[compare(one, other) for other in references] for one in outputs], np.float64)


def plain_words(desk: Desk, text: Text, *, stop: bool = False) -> Tokens:
    """The words of each sentence in lower case, those of all scripts."""
    return desk.tokens(text, Preprocessing(stop=stop, unicode=True))


def tagged_words(desk: Desk, text: Text) -> tuple[tuple[Word, ...], ...]:
    """The words of each sentence with tags and lemmas, without punctuation."""
    return tuple(tuple(word for word in each if word.lemma) for each in desk.words(text))


@contextmanager
def about(whose: str) -> Iterator[None]:
    """Say of an error whose text it is about."""
    try:
        yield
    except ValuesError as error:
        raise ValuesError(error.what, where=whose, remedy=error.remedy) from None
