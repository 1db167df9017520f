"""Measures of machine translation by other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eval.stats.arrays import Floats
from eval.text.declarations.base import (
    Choice,
    Compare,
    Family,
    Need,
    Number,
    Switch,
    Texts,
    Whole,
    error_about,
    read_both,
)
from eval.text.measures.topic import TopicTexts
from eval.text.measures.translation import (
    Score,
    bleu_score,
    chrf_score,
    meteor_score,
    nist_score,
    score_every_pair,
    score_pooled,
    ter_score,
)
from eval.text.testbed import whole_text
from weps._expressions import Value

_LOWERCASE = Switch("ignore case")


def _compare_by(make_score: Callable[..., Score], combine: Callable[..., Floats]) -> Compare:
    def compare(
        topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        longest = max((*outputs, *references), key=lambda text: len(whole_text(text).split()))
        with error_about(topic_texts.name(longest)):  # nothing else is refused
            return combine(*read_both(whole_text, outputs, references), make_score(**values))

    return compare


def _meteor(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, synonyms: Value, **values: Value
) -> Floats:
    wordnet = topic_texts.tools.words() if synonyms == "WordNet" else None
    score = meteor_score(wordnet, **{name: float(value) for name, value in values.items()})
    return score_every_pair(*read_both(whole_text, outputs, references), score)


def _family(name: str, compare: Compare, description: str, formula: str, **fields: Any) -> Family:
    return Family(
        name=name,
        group="translation",
        description=description,
        formula=formula,
        compare=compare,
        **fields,
    )


TRANSLATION_FAMILIES = (
    _family(
        "bleu",
        _compare_by(bleu_score, score_every_pair),
        "precision of n-grams up to an order, with a penalty for brevity",
        "brevity penalty · geometric mean of the precisions of all orders that the output is long "
        "enough for, by sacrebleu: tokens of mteval-v13a, smoothing exp",
        source="Papineni, Roukos, Ward and Zhu 2002; Post 2018 (sacrebleu)",
        together=_compare_by(bleu_score, score_pooled),
        joined="as published: an n-gram matches as often as the reference that has it most often",
        usually="together",
        own={"order": Whole(4, 1, 10, "words of the longest n-grams"), "lowercase": _LOWERCASE},
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "nist",
        _compare_by(nist_score, score_every_pair),
        "n-grams in common by how much they tell, with a penalty for brevity",
        "penalty · Σ over orders of what the matched n-grams tell / n-grams of the output, "
        "by nltk: words and punctuation marks in lower case; no upper bound, and 0 for one word",
        source="Doddington 2002; nltk, which counts information in the references of the topic",
        together=_compare_by(nist_score, score_pooled),
        joined="as nltk has it: n-grams are counted in all references, the best one matches",
        usually="together",
        own={"n": Whole(5, 1, 10, "words of the longest n-grams")},
        needs=frozenset({Need.NLTK}),
    ),
    _family(
        "ter",
        _compare_by(ter_score, score_every_pair),
        "edits that make a reference of the output, fewer being better",
        "1 − (words inserted, deleted, replaced, and blocks shifted) / words of the reference, by "
        "sacrebleu; may be below 0; takes a fifth of a second for two texts of 60 words, and "
        "refuses those of more than 1,000",
        source="Snover, Dorr, Schwartz, Micciulla and Makhoul 2006; Post 2018 (sacrebleu)",
        together=_compare_by(ter_score, score_pooled),
        joined="as published: the fewest edits over the mean length of the references",
        usually="together",
        own={"normalized": Switch("punctuation marks are words of their own")},
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "chrf",
        _compare_by(chrf_score, score_every_pair),
        "n-grams of characters, and of words, in common",
        "F₂ of the mean precision and recall of n-grams of 1 to 6 characters without blanks, and "
        "of 1 to so many words, by sacrebleu",
        source="Popović 2015 (chrF); Popović 2017 (chrF++ is words=2); Post 2018 (sacrebleu)",
        usually="maximum",
        own={
            "words": Whole(0, 0, 10, "words of the longest n-grams of words"),
            "lowercase": _LOWERCASE,
        },
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "meteor",
        _meteor,
        "words, stems and synonyms in common, in few chunks",
        "(1 − γ · (chunks / matches)^β) · precision · recall / (α · precision + (1 − α) · recall), "
        "by nltk, which differs from the published one in details "
        "(eval/text/measures/translation.py); 1 − γ / nᵝ for the same n words",
        source="Banerjee and Lavie 2005; Lavie and Agarwal 2007; nltk",
        usually="maximum",
        own={
            "synonyms": Choice(("none", "WordNet"), "where synonyms come from"),
            "alpha": Number(0.9, 0, 1, "how much recall counts"),
            "beta": Number(3.0, 0, 100, "how the penalty grows with the number of chunks"),
            "gamma": Number(0.5, 0, 1, "the largest penalty"),
        },
        needs=frozenset({Need.NLTK}),
        needs_when={("synonyms", "WordNet"): Need.WORDNET},
    ),
)
