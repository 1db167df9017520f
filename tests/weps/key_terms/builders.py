"""Words of documents, and tagged documents, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.weps.builders import document
from weps.features.bags import Bags
from weps.language.analysis import Analysis, Layer, Marks, analyse_documents

texts = st.lists(st.sampled_from("abcd"), max_size=8)
documents = st.lists(texts.map(" ".join), min_size=1, max_size=5)


def counted(*documents: str) -> Bags:
    """The words of documents, sorted."""
    bags = Bags.of(text.split() for text in documents)
    order = sorted(range(len(bags.strings)), key=bags.strings.__getitem__)
    return Bags(bags.counts[:, order], [bags.strings[column] for column in order])


def tagged(*documents: Sequence[str], name: str = "Thomas Baker") -> Analysis:
    """Documents of sentences, words with tags between blanks: ``the/DET president/NOUN``."""
    split = [[[word.split("/") for word in each.split()] for each in d] for d in documents]
    blocks = [[" ".join(word for word, _ in sentence) for sentence in d] for d in split]
    marks = [
        (number, word, tag)
        for number, sentence in enumerate(sentence for d in split for sentence in d)
        for word, tag in sentence
    ]
    return analyse_documents(
        name, [document(*each) for each in blocks], {Layer.TAGS: Marks.of(marks)}
    )
