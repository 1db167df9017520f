"""GROUGE as a measure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from eval.text.desk import Desk
from eval.text.measures.families.pairs import Floats, Texts, both, tagged_words
from eval.text.measures.family import Family, Need
from eval.text.measures.parameters import Number, Switch, Whole
from eval.text.references import mean
from eval.text.rouge.preprocessing import stemmed
from eval.text.senses import Grouge, Reader, Scores, words_of
from eval.text.senses import Text as Words
from eval.text.testbed import Text
from weps.expressions import Value

__all__ = ["FAMILIES"]

_NONE = "none"
_SKIP = "most words between the two of n=2, to which single words are added: 4 is GROUGE-SU4"


def _each(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    if values["inverted"]:
        return np.transpose(_scores(desk, references, outputs, values).each())
    return _scores(desk, outputs, references, values).each()


def _together(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    if values["inverted"]:  # the denominator is the same text each time
        return mean(_each(desk, outputs, references, **values))
    return _scores(desk, outputs, references, values).over_all()


def _scores(desk: Desk, peers: Texts, models: Texts, values: Mapping[str, Value]) -> Scores:
    skip, stem = values["skip"], bool(values["stem"])
    measure = Grouge(int(values["n"]), None if skip == _NONE else int(skip), float(values["beta"]))

    def compare() -> Scores:
        reader = _reader(desk, (*peers, *models), stem)
        return reader.scores(measure, *both(partial(_words, desk, stem=stem), peers, models))

    return desk.once((measure, stem, tuple(peers), tuple(models)), compare)


def _reader(desk: Desk, further: Texts, stem: bool) -> Reader:
    """One for all texts of the topic, whichever of them are asked about."""
    texts = tuple(dict.fromkeys((*desk.texts, *further)))

    def read() -> Reader:
        return Reader.of([_words(desk, text, stem) for text in texts], desk.tools.ranks())

    return desk.once((Reader, stem, texts), read)


def _words(desk: Desk, text: Text, stem: bool) -> Words:
    sentences = tagged_words(desk, text)
    return words_of(
        [[word.form for word in sentence] for sentence in sentences],
        [[word.tag for word in sentence] for sentence in sentences],
        stemmed if stem else str.lower,
    )


FAMILIES = (
    Family(
        name="grouge",
        group="word senses",
        description="ROUGE with the likeness of word senses beside that of letters",
        formula=(
            "recall = Σ over n-grams of the reference of β · (matched by letters, as in rouge and "
            "rouge_su) + (1 − β) · (weighted overlap of the personalised PageRanks over WordNet of "
            "the n-gram's senses and of the output's senses, once for each different n-gram) "
            "/ n-grams of the reference; each word has the sense that is most like any sense of "
            "the other text; words are those of the language pipeline without punctuation; less "
            "than 1 for the same text, as an n-gram is compared with the whole of it"
        ),
        source=(
            "ShafieiBavani, Ebrahimi, Wong and Chen 2017, A semantically motivated approach to "
            "compute ROUGE scores (UNSW-CSE-TR-201706), section 3, equations 3.1 to 3.4"
        ),
        compare=_each,
        together=_together,
        joined=(
            "all matches over all n-grams of the references, equation 3.3; the mean if inverted, "
            "where the n-grams are the output's each time"
        ),
        usually="together",
        own={
            "n": Whole(None, 1, 100, "words of an n-gram"),
            "skip": Whole(_NONE, 0, 1000, _SKIP, _NONE),
            "beta": Number(0.5, 0.0, 1.0, "weight of letters; that of senses is the rest"),
            "inverted": Switch("precision: output and reference change places"),
            "stem": Switch("compare letters by Porter's stems of words longer than three letters"),
        },
        needs=frozenset({Need.TAGS, Need.WORDNET}),
        needs_when={("stem", True): Need.NLTK},
    ),
)
