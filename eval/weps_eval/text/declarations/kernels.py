"""The string kernels ESK and WSK, and GROUGE, as measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain

import numpy as np

from weps._expressions import Value
from weps._files import word_list
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import safe_divide
from weps_eval.text.declarations.base import (
    PART_CHOICE,
    Choice,
    Compare,
    Family,
    Need,
    Number,
    Parameter,
    Switch,
    Texts,
    Whole,
    plain_words,
    read_both,
    tagged_words,
)
from weps_eval.text.measures.grouge import (
    Alignment,
    Grouge,
    SenseReader,
    Word,
    Words,
    part_of_speech,
    sense_words,
)
from weps_eval.text.measures.kernels import (
    BestMatches,
    Kernel,
    TextNodes,
    best_matches,
    sense_nodes,
    word_nodes,
)
from weps_eval.text.measures.overlap import mean_over_references
from weps_eval.text.measures.preprocessing import official_stem
from weps_eval.text.measures.topic import TopicTexts
from weps_eval.text.testbed import Text
from weps_eval.text.wordnet import senses_of

_SHARED: dict[str, Parameter] = {
    "length": Whole(2, 1, 100, "maximum number of words of a subsequence"),
    "decay": Number(0.5, 0, 1, "factor for each word skipped between two others"),
    "part": PART_CHOICE,
    "beta": Number(3.0, 0, 100, "weight of recall relative to precision in f"),
    "stop": Switch("leave out English stop words"),
}


def _compare_by(nodes: Callable[..., TextNodes]) -> Compare:
    """Compare texts by the nodes of their sentences."""

    def compare(
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        *,
        part: Value,
        beta: Value,
        **values: Value,
    ) -> Floats:
        kernel = Kernel(int(values.pop("length")), float(values.pop("decay")))

        def match() -> BestMatches:
            texts = read_both(partial(nodes, topic_texts, **values), outputs, references)
            return best_matches(*texts, kernel)

        key = (nodes, kernel, *values.items(), tuple(outputs), tuple(references))
        matches = topic_texts.cached(key, match)
        return matches.f(float(beta)) if part == "f" else getattr(matches, str(part))

    return compare


def _word_nodes(topic_texts: TopicTexts, text: Text, *, stop: bool) -> TextNodes:
    return [word_nodes(sentence) for sentence in plain_words(topic_texts, text, stop=stop)]


def _sense_nodes(topic_texts: TopicTexts, text: Text, *, senses: str, stop: bool) -> TextNodes:
    wordnet = topic_texts.tools.words()
    dropped = word_list("stopwords/english.txt") if stop else frozenset()
    most = 1 if senses == "first" else None
    nodes = []
    for sentence in tagged_words(topic_texts, text):
        words = [Word(word.form.lower(), part_of_speech(word.tag)) for word in sentence]
        kept = [word for word in words if word.form not in dropped]
        found = (senses_of(word.form, wordnet, word.part) if word.open else () for word in kept)
        nodes.append(sense_nodes([word.form for word in kept], [each[:most] for each in found]))
    return nodes


def _family(  # a row of the table below
    name: str,
    nodes: Callable[..., TextNodes],
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
            "similarity of two sentences = ESK(t, u) / √(ESK(t, t) · ESK(u, u)); ESK is the sum "
            "of decay to the power of the words skipped in t and in u, over all common "
            f"subsequences of 1 to length words; {attributes}; recall is the mean over the "
            "reference's sentences of the highest similarity with a sentence of the output, "
            "precision the same with the texts swapped; "
            "f = (1 + β²) · recall · precision / (recall + β² · precision)"
        ),
        source=(
            "Hirao, Okumura and Isozaki 2005, Kernel-based approach for automatic evaluation of "
            "natural language generation technologies, sections 3.1 to 3.3 (equations 1 to 9) and "
            "4.3"
        ),
        compare=_compare_by(nodes),
        own={**_SHARED, **own},
        needs=needs,
    )


KERNEL_FAMILIES = (
    _family(
        "wsk",
        _word_nodes,
        "subsequences of words in common, best sentence by sentence",
        "words match by their lower-case form",
    ),
    _family(
        "esk",
        _sense_nodes,
        "subsequences of words and word senses in common, best sentence by sentence",
        "words match by their lower-case form or by a sense; nouns, verbs, adjectives, adverbs, "
        "numerals and foreign words have the senses that WordNet lists for their form and part of "
        "speech (the paper does not state whether it disambiguates senses)",
        senses=Choice(("all", "first"), "all senses of a word, or the most frequent one"),
        needs=frozenset({Need.TAGS, Need.WORDNET}),
    ),
)

_SKIP = "for n=2: maximum number of words between the two; adds single words; 4 is GROUGE-SU4"
_DIMENSIONS = "number of the largest dimensions of a PageRank that are kept; all in the paper"


def _each(topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value) -> Floats:
    if values["inverted"]:
        matches, totals = _counts(topic_texts, references, outputs, values)
        return np.transpose(safe_divide(matches, totals, 0))
    matches, totals = _counts(topic_texts, outputs, references, values)
    return safe_divide(matches, totals, 0)


def _together(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
) -> Floats:
    if values["inverted"]:  # the denominator is the same text each time
        return mean_over_references(_each(topic_texts, outputs, references, **values))
    matches, totals = _counts(topic_texts, outputs, references, values).sum(axis=2)
    return safe_divide(matches, totals, 0)


def _counts(
    topic_texts: TopicTexts, peers: Texts, models: Texts, values: Mapping[str, Value]
) -> Floats:
    """Numerators and denominators of GROUGE, shape (2, peers, models).

    Matches by letters and by senses are counted apart, so that other weights count nothing again.
    """
    skip = None if values["skip"] == "none" else int(values["skip"])
    dimensions = None if values["dimensions"] == "all" else int(values["dimensions"])
    n, beta = int(values["n"]), float(values["beta"])
    stem = official_stem if values["stem"] else str.lower
    read = partial(_sense_words, topic_texts, stem=stem)
    texts = tuple(dict.fromkeys((*topic_texts.texts, *peers, *models)))

    def make_reader() -> SenseReader:
        return SenseReader(Alignment.of(map(read, texts), topic_texts.tools.ranks(dimensions)))

    def count(measure: Grouge) -> Floats:
        reader = topic_texts.cached((SenseReader, stem, dimensions, texts), make_reader)
        return reader.counts(measure, *read_both(read, peers, models))

    table = np.zeros((2, len(peers), len(models)))
    for measure, share in ((Grouge(n, skip, 1.0), beta), (Grouge(n, skip, 0.0), 1 - beta)):
        if share:
            key = (measure, stem, dimensions, tuple(peers), tuple(models))
            table += share * topic_texts.cached(key, partial(count, measure))
    return table


def _sense_words(topic_texts: TopicTexts, text: Text, stem: Callable[[str], str]) -> Words:
    words = chain.from_iterable(tagged_words(topic_texts, text))
    return sense_words(((word.form, word.tag) for word in words), stem)


SENSE_FAMILIES = (
    Family(
        name="grouge",
        group="word senses",
        description="ROUGE that also compares word senses",
        formula=(
            "recall = Σ over n-grams of the reference of β · (matched by form, as in rouge and "
            "rouge_su) + (1 − β) · (weighted overlap of the personalised PageRanks over WordNet of "
            "the n-gram's senses and of the output's senses, once for each different n-gram) "
            "/ n-grams of the reference; each word has the sense most similar to any sense of the "
            "other text; words are those of the language pipeline without punctuation; less than "
            "1 for the same text, because an n-gram is compared with the whole text; forms are "
            "compared by stems, and stop words are kept, as in the NIST setting of section 4.1"
        ),
        source=(
            "ShafieiBavani, Ebrahimi, Wong and Chen 2017, A semantically motivated approach to "
            "compute ROUGE scores (UNSW-CSE-TR-201706), section 3, equations 3.1 to 3.4"
        ),
        compare=_each,
        together=_together,
        joined=(
            "all matches divided by all n-grams of the references (equation 3.3); if inverted, the "
            "mean over references, because the n-grams are always those of the output"
        ),
        usually="together",
        own={
            "n": Whole(None, 1, 100, "length of the n-grams"),
            "skip": Whole("none", 0, 1000, _SKIP, "none"),
            "beta": Number(0.5, 0, 1, "weight of forms; the weight of senses is 1 − beta"),
            "inverted": Switch("precision: swap output and reference"),
            "stem": Switch("compare forms by the stems of ROUGE-1.5.5", default=True),
            "dimensions": Whole("all", 1, 1_000_000, _DIMENSIONS, "all"),
        },
        needs=frozenset({Need.TAGS, Need.WORDNET}),
    ),
)
