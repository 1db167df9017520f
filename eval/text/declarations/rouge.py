"""ROUGE as measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from eval.stats.arrays import Floats
from eval.text.declarations.base import (
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
from eval.text.measures.overlap import Overlap, Tokens, pooled_overlap
from eval.text.measures.rouge import (
    Preprocessing,
    rouge_l,
    rouge_l_summary,
    rouge_n,
    rouge_s,
    rouge_su,
    rouge_w,
)
from eval.text.measures.topic import TopicTexts
from weps._expressions import Value

_LIN = "Lin 2004, ROUGE: a package for automatic evaluation of summaries, section"
_SHARED: dict[str, Parameter] = {
    "part": PART_CHOICE,
    "beta": BETA_NUMBER,
    "stop": Switch("leave out English stop words"),
    "stem": Switch("Porter's stems of words longer than three letters"),
    "unicode": Switch("letters and digits of all scripts, not only a to z"),
}


def _compare_by(count: Callable[..., Overlap], *, pooled: bool = False) -> Compare:
    """Recall, precision and F of one way of counting what two texts share."""

    def compare(
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        *,
        part: Value,
        beta: Value,
        **values: Value,
    ) -> Floats:
        tokens = Preprocessing(*(bool(values.pop(each)) for each in ("stop", "stem", "unicode")))

        def count_all() -> Sequence[Sequence[Overlap]]:
            read = partial(topic_texts.tokens, preprocessing=tokens)
            ours, theirs = read_both(read, outputs, references)
            return [[count(one, other, **values) for other in theirs] for one in ours]

        key = (count, tokens, *values.items(), tuple(outputs), tuple(references))
        overlaps = topic_texts.cached(key, count_all)
        if pooled:
            return overlap_parts([[pooled_overlap(row)] for row in overlaps], part, beta)[:, 0]
        return overlap_parts(overlaps, part, beta)

    return compare


def _lcs(output: Tokens, reference: Tokens, level: str, inverted: bool) -> Overlap:
    count = rouge_l if level == "text" else rouge_l_summary
    if inverted:
        turned = count(reference, output)
        return Overlap(turned.matches, turned.reference, turned.output)
    return count(output, reference)


def _with_skips(count: Callable[..., Overlap]) -> Callable[..., Overlap]:
    return lambda output, reference, skip: count(output, reference, None if skip == "any" else skip)


_SKIP = Whole("any", 0, 1000, "most tokens that stand between the two", "any")


def _family(  # a row of the table below
    name: str,
    count: Callable[..., Overlap],
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
        joined="all matches over all totals, as ROUGE-1.5.5 does by default",
        own={**own, **_SHARED},
        needs_when={("stem", True): Need.NLTK},
    )


ROUGE_FAMILIES = (
    _family(
        "rouge",
        rouge_n,
        "n-grams in common, each as often as both texts have it",
        "matches = Σ over n-grams of min(count in output, count in reference)",
        "2",
        n=Whole(None, 1, 100, "tokens of an n-gram"),
    ),
    _family(
        "rouge_l",
        _lcs,
        "words in common in the same order",
        "matches = length of the longest common subsequence of the texts, or of its union over the "
        "sentences of the output, for each sentence of the reference",
        "3",
        level=Choice(("summary", "text"), "sentence by sentence, or each text as one sentence"),
        inverted=Switch("the unions are of the output's sentences instead of the reference's"),
    ),
    _family(
        "rouge_w",
        rouge_w,
        "words in common in the same order, consecutive ones counting more",
        "matches = f⁻¹(weighted length of the common subsequence), f(k) = k to the power of weight",
        "4",
        weight=Number(1.2, 1, 10, "power of the length of a run; 1 is rouge_l(level=text)"),
    ),
    _family(
        "rouge_s",
        _with_skips(rouge_s),
        "pairs of words in common, in their order, with words between them",
        "matches = Σ over skip-bigrams of min(count in output, count in reference)",
        "5",
        skip=_SKIP,
    ),
    _family(
        "rouge_su",
        _with_skips(rouge_su),
        "pairs of words, and single words, in common",
        "as rouge_s, single words added to the skip-bigrams",
        "5.1",
        skip=_SKIP,
    ),
)
