"""The string kernels ESK and WSK as measures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from eval.text.desk import Desk
from eval.text.kernels.esk import Kernel
from eval.text.kernels.sequences import with_senses, words
from eval.text.kernels.texts import BestMatches, TextNodes, best_matches
from eval.text.measures.families.pairs import Floats, Texts, both, plain_words, tagged_words
from eval.text.measures.families.shares import PART
from eval.text.measures.family import Compare, Family, Need
from eval.text.measures.parameters import Choice, Number, Parameter, Switch, Whole
from eval.text.senses.words import Word, part_of
from eval.text.testbed import Text
from eval.text.wordnet import WordNet
from eval.text.wordnet.lemmas import senses_of
from weps.expressions import Value
from weps.resources import word_list

__all__ = ["FAMILIES"]

Nodes: TypeAlias = Callable[..., TextNodes]
"""The sentences of a text as sequences of nodes."""

_SHARED: dict[str, Parameter] = {
    "length": Whole(2, 1, 100, "most words of a subsequence"),
    "decay": Number(0.5, 0.0, 1.0, "what a word that is left out between two others costs"),
    "part": PART,
    "beta": Number(3.0, 0.0, 100.0, "how many times more recall counts than precision in f"),
    "stop": Switch("leave out English stop words"),
}
_PARTS: dict[Value, Callable[[BestMatches, float], Floats]] = {
    "f": BestMatches.f,
    "recall": lambda matches, _: matches.recall,
    "precision": lambda matches, _: matches.precision,
}


def _comparing(nodes: Nodes) -> Compare:
    def compare(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
        part, beta = values.pop("part"), float(values.pop("beta"))
        kernel = Kernel(int(values.pop("length")), float(values.pop("decay")))

        def match() -> BestMatches:
            texts = both(partial(nodes, desk, **values), outputs, references)
            return best_matches(*texts, kernel)

        asked = (nodes, kernel, *values.items(), tuple(outputs), tuple(references))
        return _PARTS[part](desk.once(asked, match), beta)

    return compare


def _words(desk: Desk, text: Text, *, stop: bool) -> TextNodes:
    return [words(sentence) for sentence in plain_words(desk, text, stop=stop)]


def _words_and_senses(desk: Desk, text: Text, *, senses: str, stop: bool) -> TextNodes:
    dropped = word_list("stopwords/english.txt") if stop else frozenset()
    most = 1 if senses == "first" else None
    sentences = [
        [Word(word.form.lower(), part_of(word.tag)) for word in sentence]
        for sentence in tagged_words(desk, text)
    ]
    kept = [[word for word in each if word.form not in dropped] for each in sentences]
    return [
        with_senses(
            [word.form for word in sentence],
            [_senses(word, desk.tools.words())[:most] for word in sentence],
        )
        for sentence in kept
    ]


def _senses(word: Word, wordnet: WordNet) -> tuple[int, ...]:
    return senses_of(word.form, wordnet, word.part) if word.open else ()


def _family(  # a row of the table below
    name: str,
    nodes: Nodes,
    description: str,
    attributes: str,
    needs: frozenset[Need] = frozenset(),
    **own: Parameter,
) -> Family:
    return Family(
        name=name,
        group="kernel",
        description=description,
        formula=(
            "similarity of two sentences = ESK(t, u) / √(ESK(t, t) · ESK(u, u)); ESK adds up decay "
            "to the power of the words left out between others in t and in u, over all "
            f"subsequences of 1 to length words that both have; {attributes}; recall is the mean "
            "over the reference's sentences of the highest similarity with a sentence of the "
            "output, precision the same with the texts swapped; "
            "f = (1 + β²) · recall · precision / (recall + β² · precision)"
        ),
        source=(
            "Hirao, Okumura and Isozaki 2005, Kernel-based approach for automatic evaluation of "
            "natural language generation technologies, sections 3.1 to 3.3 (equations 1 to 9) and "
            "4.3"
        ),
        compare=_comparing(nodes),
        own={**_SHARED, **own},
        needs=needs,
    )


FAMILIES = (
    _family(
        "wsk",
        _words,
        "subsequences of words in common, best sentence by sentence",
        "words have their form in lower case in common",
    ),
    _family(
        "esk",
        _words_and_senses,
        "subsequences of words and word senses in common, best sentence by sentence",
        "words have their form in lower case in common, and senses: the paper does not say whether "
        "it tells senses apart, here nouns, verbs, adjectives, adverbs, numerals and foreign words "
        "have those that WordNet lists for their form and part of speech",
        senses=Choice(("all", "first"), "those that a word may have, or the most frequent one"),
        needs=frozenset({Need.TAGS, Need.WORDNET}),
    ),
)
