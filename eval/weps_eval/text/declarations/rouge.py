"""ROUGE as measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from weps._expressions import Value
from weps_eval.stats.arrays import Floats
from weps_eval.text.declarations.base import (
    BETA_NUMBER,
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
    overlap_parts,
    read_both,
)
from weps_eval.text.measures.overlap import Overlap, Tokens, pooled_overlap, words_of
from weps_eval.text.measures.preprocessing import Preprocessing
from weps_eval.text.measures.rouge import (
    rouge_l,
    rouge_l_summary,
    rouge_n,
    rouge_s,
    rouge_su,
    rouge_w,
    rouge_w_official,
)
from weps_eval.text.measures.topic import TopicTexts

_LIN = "Lin 2004, ROUGE: a package for automatic evaluation of summaries, section"
_POOLED = "the sum of matches divided by the sum of totals, as in ROUGE-1.5.5 by default"
_SHARED: dict[str, Parameter] = {
    "part": PART_CHOICE,
    "beta": BETA_NUMBER,
    "stop": Switch("leave out English stop words: the list of weps, or SMART's with official=true"),
    "stem": Switch(
        "Porter stems of words longer than three letters: by nltk, as in rouge-score; with "
        "official=true as in ROUGE-1.5.5, after WordNet's irregular forms and without nltk"
    ),
    "unicode": Switch("letters and digits of all scripts, not only a to z"),
    "official": Switch("compute as the Perl package ROUGE-1.5.5, to the last digit that it prints"),
}
_READ = ("stop", "stem", "unicode", "official")


class _Count(NamedTuple):
    """A way of counting what two texts share."""

    plain: Callable[..., Overlap]
    official: Callable[..., Overlap] | None = None
    """As ROUGE-1.5.5 counts, where that differs."""
    least: int = 1
    """Tokens of a unit; n where there is such a parameter."""


def _compare_by(count: _Count, *, pooled: bool = False) -> Compare:
    """Recall, precision and F of one way of counting."""
    plain, official, least = count

    def compare(
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        *,
        part: Value,
        beta: Value,
        **values: Value,
    ) -> Floats:
        tokens = Preprocessing(*(bool(values.pop(each)) for each in _READ))
        fewest = int(values.get("n", least))

        def overlap(output: Tokens, reference: Tokens) -> Overlap:
            if not tokens.official:
                return plain(output, reference, **values)
            if max(map(len, map(words_of, (output, reference)))) < fewest:
                return Overlap(0.0, 1.0, 1.0)
            return (official or plain)(output, reference, **values)

        def count_all() -> Sequence[Sequence[Overlap]]:
            read = partial(topic_texts.tokens, preprocessing=tokens)
            ours, theirs = read_both(read, outputs, references)
            return [[overlap(one, other) for other in theirs] for one in ours]

        key = (count, tokens, *values.items(), tuple(outputs), tuple(references))
        overlaps = topic_texts.cached(key, count_all)
        if pooled:  # ROUGE-1.5.5 adds up weights
            power = float(values.get("weight", 1)) if tokens.official else 1.0
            united = [[pooled_overlap(row, power)] for row in overlaps]
            return overlap_parts(united, part, beta)[:, 0]
        return overlap_parts(overlaps, part, beta)

    return compare


def _lcs(output: Tokens, reference: Tokens, level: str) -> Overlap:
    return (rouge_l if level == "text" else rouge_l_summary)(output, reference)


def _invertible(count: Callable[..., Overlap]) -> Callable[..., Overlap]:
    def counted(output: Tokens, reference: Tokens, inverted: bool, **values: Value) -> Overlap:
        if not inverted:
            return count(output, reference, **values)
        turned = count(reference, output, **values)
        return Overlap(turned.matches, turned.reference, turned.output)

    return counted


def _with_skips(count: Callable[..., Overlap]) -> Callable[..., Overlap]:
    def counted(output: Tokens, reference: Tokens, skip: Value) -> Overlap:
        return count(output, reference, None if skip == "any" else skip)

    return counted


_INVERTED = Switch(
    "take the unions over the output's sentences instead of the reference's: precision is then "
    "the recall of the swapped texts"
)
_SKIP = Whole("any", 0, 1000, "maximum number of tokens between the two", "any")


def _family(  # a row of the table below
    name: str,
    count: _Count,
    description: str,
    formula: str,
    section: str,
    **own: Parameter,
) -> Family:
    return Family(
        name=name,
        group="ROUGE",
        description=description,
        formula=f"{formula}; recall is matches / reference, precision matches / output",
        source=f"{_LIN} {section}",
        compare=_compare_by(count),
        together=_compare_by(count, pooled=True),
        joined=_POOLED
        if "weight" not in own
        else f"{_POOLED} with official=true; matches and totals are weights",
        own={**own, **_SHARED},
        needs_when={("stem", True): Need.NLTK},
    )


ROUGE_FAMILIES = (
    _family(
        "rouge",
        _Count(rouge_n),
        "n-grams in common, each as often as both texts have it",
        "matches = Σ over n-grams of min(count in output, count in reference)",
        "2",
        n=Whole(None, 1, 100, "length of the n-grams"),
    ),
    _family(
        "rouge_l",
        _Count(_invertible(_lcs)),
        "words in common in the same order",
        "matches = length of the longest common subsequence of the texts, or of its union over the "
        "sentences of the output, for each sentence of the reference",
        "3",
        level=Choice(("summary", "text"), "sentence by sentence, or each text as one sentence"),
        inverted=_INVERTED,
    ),
    _family(
        "rouge_w",
        _Count(_invertible(rouge_w), _invertible(rouge_w_official)),
        "words in common in the same order; consecutive words count more",
        "matches = f⁻¹(weighted length of the common subsequence of the texts as one sentence "
        "each), f(k) = k to the power of weight. This is the paper's formula; ROUGE-1.5.5 has "
        "another, official=true: matches = f⁻¹(Σ over runs of k tokens in the union of the "
        "subsequences with the output's sentences, for each sentence of the reference, of f(k)), "
        "with Σ f(tokens of a sentence) for reference, so a text compared with itself has less "
        "than 1",
        "4",
        weight=Number(1.2, 1, 10, "power of the length of a run; 1 is rouge_l(level=text)"),
        inverted=_INVERTED,
    ),
    _family(
        "rouge_s",
        _Count(_with_skips(rouge_s), least=2),
        "pairs of words in common, in their order, with words between them",
        "matches = Σ over skip-bigrams of min(count in output, count in reference)",
        "5",
        skip=_SKIP,
    ),
    _family(
        "rouge_su",
        _Count(_with_skips(rouge_su), _with_skips(partial(rouge_su, official=True)), 2),
        "pairs of words, and single words, in common",
        "as rouge_s, with single words added to the skip-bigrams, including the last word of the "
        "text, which ROUGE-1.5.5 (official=true) leaves out",
        "5.1",
        skip=_SKIP,
    ),
)
