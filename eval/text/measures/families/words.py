"""Words in common, in any order, as measures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from eval.text.desk import Desk
from eval.text.measures.families.pairs import Floats, Texts, both, each_pair, plain_words
from eval.text.measures.family import Compare, Family
from eval.text.measures.parameters import Choice, Parameter, Switch
from eval.text.overlap import Overlap
from eval.text.overlap import Text as Tokens
from eval.text.testbed import Text, whole
from eval.text.words_in_common import cosine, dice, jaccard, words_in_common
from weps.expressions import Value

__all__ = ["FAMILIES"]

_TOKENS = Choice(
    ("words", "blanks"),
    "words of all scripts in lower case without punctuation, or what stands between blanks, as it "
    "is",
)
_SHARED: dict[str, Parameter] = {
    "tokens": _TOKENS,
    "distinct": Switch("count a word once, however often it is repeated"),
}


def _comparing(share: Callable[[Overlap], float]) -> Compare:
    def compare(
        desk: Desk, outputs: Texts, references: Texts, tokens: Value, distinct: Value = True
    ) -> Floats:
        def of_pair(output: Tokens, reference: Tokens) -> float:
            return share(words_in_common(output, reference, repeated=not distinct))

        read = partial(_tokens, desk, tokens=tokens)
        return each_pair(of_pair, *both(read, outputs, references))

    return compare


def _tokens(desk: Desk, text: Text, tokens: Value) -> Tokens:
    return plain_words(desk, text) if tokens == "words" else (tuple(whole(text).split()),)


FAMILIES = (
    Family(
        name="overlap",
        group="word overlap",
        description="words in common among those of either text (lexical overlap, Jaccard)",
        formula="|A ∩ B| / |A ∪ B| of the multisets of words, or of the sets",
        source=(
            "Giménez and Màrquez 2010, Linguistic measures for automatic machine translation "
            "evaluation (O_l); Amigó, Gonzalo, Giménez and Verdejo 2011, Corroborating text "
            "evaluation results with heterogeneous measures, section 4.2"
        ),
        compare=_comparing(jaccard),
        own=_SHARED,
    ),
    Family(
        name="dice",
        group="word overlap",
        description="words in common among those of both texts together",
        formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
        source="Dice 1945, Measures of the amount of ecologic association between species",
        compare=_comparing(dice),
        own=_SHARED,
    ),
    Family(
        name="cosine",
        group="word overlap",
        description="cosine of the vectors that say which words a text has",
        formula="|A ∩ B| / √(|A| · |B|) of the sets of words",
        source=(
            "Agirre and others 2012, SemEval-2012 task 6: a pilot on semantic textual similarity: "
            "the baseline, with tokens=blanks"
        ),
        compare=_comparing(cosine),
        own={"tokens": _TOKENS},
    ),
)
