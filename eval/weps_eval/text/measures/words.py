"""Words in common in any order.

Lexical overlap is the O_l of Giménez and Màrquez (Linguistic measures for automatic machine
translation evaluation, 2010; the toolkit Asiya), as used in Corroborating text evaluation results
with heterogeneous measures (2011), section 4.2: "the lexical overlap without considering word
ordering". The cosine of binary vectors is the baseline of the semantic textual similarity task of
SemEval 2012, over the distinct words between blanks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import sqrt

from weps_eval.text.declaration import Choice, Overlap, Switch, clipped_matches, measure
from weps_eval.text.testbed import Text, whole_text
from weps_eval.text.topic import Tokens, TopicTexts, words_of

_GROUP = "word overlap"
_TOKENS = Choice(
    ("words", "blanks"),
    "lower-case words of all scripts without punctuation, or unchanged strings between blanks",
)
_DISTINCT = Switch("count each word once, even if it is repeated")


def _read(topic_texts: TopicTexts, text: Text, *, tokens: str) -> Tokens:
    if tokens == "words":
        return topic_texts.plain_words(text)
    return (tuple(whole_text(text).split()),)


@measure(
    _GROUP,
    "words in common relative to those in either text (lexical overlap, Jaccard)",
    formula="|A ∩ B| / |A ∪ B| of the multisets of words, or of the sets",
    source="Giménez and Màrquez 2010, Linguistic measures for automatic machine translation "
    "evaluation (O_l); Amigó, Gonzalo, Giménez and Verdejo 2011, Corroborating text evaluation "
    "results with heterogeneous measures, section 4.2",
    name="overlap",
    read=_read,
    aliases={"O_l": "", "Jaccard": "", "lexical overlap": ""},
    tokens=_TOKENS,
    distinct=_DISTINCT,
)
def lexical_overlap(output: Tokens, reference: Tokens, *, distinct: bool = False) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1], of multisets of words, or of sets if ``distinct``."""
    return words_in_common(output, reference, distinct=distinct).jaccard


@measure(
    _GROUP,
    "words in common relative to the total words of both texts",
    formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
    source="Dice 1945, Measures of the amount of ecologic association between species",
    name="dice",
    read=_read,
    tokens=_TOKENS,
    distinct=_DISTINCT,
)
def words_in_common(output: Tokens, reference: Tokens, *, distinct: bool = False) -> Overlap:
    """The words that two texts share, repeated ones as often as both have them, or once."""
    ours, theirs = (
        Counter[Hashable](set(words) if distinct else words)
        for words in (words_of(output), words_of(reference))
    )
    return clipped_matches(ours, theirs)


@measure(
    _GROUP,
    "cosine of the binary vectors of the words of the texts",
    formula="|A ∩ B| / √(|A| · |B|) of the sets of words",
    source="Agirre and others 2012, SemEval-2012 task 6: a pilot on semantic textual similarity: "
    "the baseline, with tokens=blanks",
    name="cosine",
    read=_read,
    tokens=_TOKENS,
)
def cosine_similarity(output: Tokens, reference: Tokens) -> float:
    """|A ∩ B| / √(|A| |B|), in [0, 1], of sets of words: the cosine of their binary vectors."""
    shared = words_in_common(output, reference, distinct=True)
    return sqrt(shared.precision * shared.recall)
