"""Measures of machine translation, most of them by other libraries."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from weps._expressions import Value
from weps_eval.stats.arrays import Floats
from weps_eval.tables.columns import locate_errors
from weps_eval.text.declarations.base import (
    BETA_NUMBER,
    PART_CHOICE,
    Choice,
    Compare,
    Family,
    Need,
    Number,
    Switch,
    Texts,
    Whole,
    overlap_parts,
    read_both,
)
from weps_eval.text.measures.topic import TopicTexts
from weps_eval.text.measures.translation import (
    Score,
    bleu_score,
    chrf_score,
    edit_distance,
    edit_score,
    edits_without_order,
    folded_characters,
    lower_tokens,
    match_overlap,
    meteor_score,
    nist_score,
    score_every_pair,
    score_pooled,
    ter_score,
)
from weps_eval.text.testbed import whole_text

_LOWERCASE = Switch("ignore case")


def _compare_by(make_score: Callable[..., Score], combine: Callable[..., Floats]) -> Compare:
    def compare(
        topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        with _error_about_longest(topic_texts, (*outputs, *references)):
            return combine(*read_both(whole_text, outputs, references), make_score(**values))

    return compare


def _error_about_longest(topic_texts: TopicTexts, texts: Texts) -> AbstractContextManager[None]:
    """Texts are refused for nothing but their length."""
    longest = max(texts, key=lambda text: len(whole_text(text).split()))
    return locate_errors(topic_texts.name(longest))


def _word_errors(*, unit: Value, length: Value) -> Score:
    units = lower_tokens if unit == "word" else folded_characters
    return edit_score(edit_distance, units, closest=length == "closest")


def _errors_without_order(*, length: Value) -> Score:
    return edit_score(edits_without_order, closest=length == "closest")


def _matched_runs(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, exponent: Value, **values: Value
) -> Floats:
    ours, theirs = read_both(lambda text: lower_tokens(whole_text(text)), outputs, references)
    match = partial(match_overlap, exponent=float(exponent))
    with _error_about_longest(topic_texts, (*outputs, *references)):
        overlaps = [[match(one, other) for other in theirs] for one in ours]
    return overlap_parts(overlaps, values["part"], values["beta"])


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


_LENGTH = Choice(
    ("mean", "closest"),
    "with references=together, the length that edits are divided by: the mean length of the "
    "references, or the length of the one with the fewest edits",
)
_FEWEST_EDITS = "the fewest edits to any reference, divided by the length chosen"
TRANSLATION_FAMILIES = (
    _family(
        "bleu",
        _compare_by(bleu_score, score_every_pair),
        "precision of n-grams up to a given length, with a penalty for brevity",
        "brevity penalty · geometric mean of the precisions for all lengths of n-grams for which "
        "the output is long enough, by sacrebleu: tokens of mteval-v13a, smoothing exp",
        source="Papineni, Roukos, Ward and Zhu 2002; Post 2018 (sacrebleu)",
        together=_compare_by(bleu_score, score_pooled),
        joined="as published: an n-gram matches as often as the reference that has it most often",
        usually="together",
        own={"order": Whole(4, 1, 10, "length of the longest n-grams"), "lowercase": _LOWERCASE},
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "nist",
        _compare_by(nist_score, score_every_pair),
        "n-grams in common weighted by their information, with a penalty for brevity",
        "penalty · Σ over lengths of the information of the matched n-grams / n-grams of the "
        "output, by nltk: words and punctuation marks in lower case; no upper bound, and 0 for one "
        "word",
        source="Doddington 2002; nltk, which counts information in the references of the topic",
        together=_compare_by(nist_score, score_pooled),
        joined="as in nltk: n-grams are counted in all references, and the best reference matches",
        usually="together",
        own={"n": Whole(5, 1, 10, "length of the longest n-grams")},
        needs=frozenset({Need.NLTK}),
    ),
    _family(
        "ter",
        _compare_by(ter_score, score_every_pair),
        "edits that turn the output into a reference (1 − TER)",
        "1 − (words inserted, deleted, replaced, and blocks shifted) / words of the reference, by "
        "sacrebleu; may be below 0; takes a fifth of a second for two texts of 60 words, and "
        "rejects those of more than 1,000",
        source="Snover, Dorr, Schwartz, Micciulla and Makhoul 2006; Post 2018 (sacrebleu)",
        together=_compare_by(ter_score, score_pooled),
        joined="as published: the fewest edits divided by the mean length of the references",
        usually="together",
        own={"normalized": Switch("treat punctuation marks as separate words")},
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "wer",
        _compare_by(_word_errors, score_every_pair),
        "edits without shifts that turn the output into a reference (1 − WER)",
        "1 − (words inserted, deleted and replaced) / words of the reference, that is the edit "
        "distance; words and punctuation marks in lower case; may be below 0",
        source="Nießen, Och, Leusch and Ney 2000, An evaluation tool for machine translation; "
        "Leusch, Ueffing, Vilar and Ney 2005 (several references)",
        together=_compare_by(_word_errors, score_pooled),
        joined=_FEWEST_EDITS,
        usually="together",
        own={
            "unit": Choice(
                ("word", "character"), "the unit of edits; characters are compared as they are"
            ),
            "length": _LENGTH,
        },
    ),
    _family(
        "per",
        _compare_by(_errors_without_order, score_every_pair),
        "edits that turn the output into a reference, ignoring word order (1 − PER)",
        "1 − (words of the longer text − words in common, each as often as both have it) / words "
        "of the reference; words and punctuation marks in lower case; may be below 0",
        source="Tillmann, Vogel, Ney, Zubiaga and Sawaf 1997, Accelerated DP based search for "
        "statistical translation; Leusch, Ueffing, Vilar and Ney 2005 (several references)",
        together=_compare_by(_errors_without_order, score_pooled),
        joined=_FEWEST_EDITS,
        usually="together",
        own={"length": _LENGTH},
    ),
    _family(
        "gtm",
        _matched_runs,
        "runs of words in common; longer runs count more (general text matcher)",
        "size = (Σ over matched runs of (words of the run)ᵉ)^(1/e); no word is in two runs, and "
        "the longest run is matched first; recall is size / reference, precision size / output; "
        "words and punctuation marks in lower case; words in common in any order if e is 1",
        source="Melamed, Green and Turian 2003, Precision and recall of machine translation; "
        "Turian, Shen and Melamed 2003, Evaluation of machine translation and its evaluation",
        usually="maximum",
        own={
            "exponent": Number(2.0, 1, 10, "e, the weight of long runs"),
            "part": PART_CHOICE,
            "beta": BETA_NUMBER,
        },
    ),
    _family(
        "chrf",
        _compare_by(chrf_score, score_every_pair),
        "n-grams of characters, and of words, in common",
        "F₂ of the mean precision and recall of n-grams of 1 to 6 characters without blanks, and "
        "of n-grams of words up to the length given by words, by sacrebleu",
        source="Popović 2015 (chrF); Popović 2017 (chrF++ is words=2); Post 2018 (sacrebleu)",
        usually="maximum",
        own={
            "words": Whole(0, 0, 10, "length of the longest n-grams of words; 0: none"),
            "lowercase": _LOWERCASE,
        },
        needs=frozenset({Need.SACREBLEU}),
    ),
    _family(
        "meteor",
        _meteor,
        "words, stems and synonyms in common, in few chunks",
        "(1 − γ · (chunks / matches)^β) · precision · recall / (α · precision + (1 − α) · recall), "
        "by nltk, which differs from the published measure in details "
        "(eval/weps_eval/text/measures/translation.py); 1 − γ / nᵝ for the same n words",
        source="Banerjee and Lavie 2005; Lavie and Agarwal 2007; nltk",
        usually="maximum",
        own={
            "synonyms": Choice(("none", "WordNet"), "source of synonyms"),
            "alpha": Number(0.9, 0, 1, "weight of recall"),
            "beta": Number(3.0, 0, 100, "how the penalty grows with the number of chunks"),
            "gamma": Number(0.5, 0, 1, "the largest penalty"),
        },
        needs=frozenset({Need.NLTK}),
        needs_when={("synonyms", "WordNet"): Need.WORDNET},
    ),
)
