"""What texts are about: their content words, and the key concepts of their topic."""

from __future__ import annotations

from eval.instances.wording import quoted
from eval.text.desk import Desk
from eval.text.desk.key_terms import terms_of
from eval.text.measures.families.pairs import Texts, plain_words, tagged_words
from eval.text.measures.parameters import Choice
from eval.text.overlap import words_of
from eval.text.synthesis.concepts import Concept
from eval.text.testbed import Text
from weps.errors import ValuesError
from weps.resources import word_list
from weps.words import singular, words

__all__ = ["UNIT", "concepts_of", "content_words", "singulars", "sources_of"]

UNIT = Choice(("lemma", "word"), "what is counted: lemmas, or words in lower case")


def content_words(desk: Desk, text: Text, unit: object) -> tuple[str, ...]:
    """The lemmas or words of a text in order, without English stop words."""
    return desk.once(("content words", unit, text), lambda: _content_words(desk, text, unit))


def _content_words(desk: Desk, text: Text, unit: object) -> tuple[str, ...]:
    if unit == "word":
        return words_of(plain_words(desk, text, stop=True))
    stop = word_list("stopwords/english.txt")
    return tuple(
        word.lemma
        for sentence in tagged_words(desk, text)
        for word in sentence
        if stop.isdisjoint((word.lemma, word.form.lower()))
    )


def singulars(desk: Desk, text: Text) -> tuple[str, ...]:
    """All words of a text in lower case, plurals undone: the form in which concepts are found."""

    def read() -> tuple[str, ...]:
        return tuple(word for sentence in desk.sentences(text) for word in _concept(sentence))

    return desk.once(("singulars", text), read)


def concepts_of(desk: Desk, where: object, most: int) -> tuple[Concept, ...]:
    """The key concepts of the topic as they are given, or the key terms of some of its texts.

    Raises:
        ValuesError: if there are none.
    """
    return desk.once(("concepts", where, most), lambda: _concepts_of(desk, where, most))


def _concepts_of(desk: Desk, where: object, most: int) -> tuple[Concept, ...]:
    found = desk.topic.concepts if where == "given" else terms_of(_read(desk, where), most)
    concepts = tuple(filter(None, map(_concept, found)))
    if not concepts:
        what = "the topic has no key concepts" if where == "given" else f"no key terms in {where}"
        raise ValuesError(what, where=_topic(desk), remedy="give the topic concepts")
    return concepts


def sources_of(desk: Desk) -> Texts:
    """The source documents of the topic.

    Raises:
        ValuesError: if there are none.
    """
    if not desk.topic.sources:
        what = "the topic has no source documents"
        raise ValuesError(what, where=_topic(desk), remedy="choose measures that need none")
    return desk.topic.sources


def _concept(phrase: str) -> Concept:
    return tuple(map(singular, words(phrase)))


def _read(desk: Desk, where: object) -> list[tuple[str, ...]]:
    references = [each.text for each in desk.topic.references]
    texts = references if where == "references" else sources_of(desk)
    return [desk.sentences(text) for text in texts]


def _topic(desk: Desk) -> str:
    return f"topic {quoted(desk.topic.topic)}"
