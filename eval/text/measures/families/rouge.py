"""ROUGE as measures; :mod:`eval.text.rouge` says where published scorers differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.desk import Desk
from eval.text.measures.families.shares import BETA, PART, Overlaps, part_of, pooled
from eval.text.measures.family import Family, Need
from eval.text.measures.parameters import Choice, Number, Parameter, Switch, Whole
from eval.text.overlap import Overlap
from eval.text.overlap import Text as Tokens
from eval.text.rouge.ngrams import rouge_n
from eval.text.rouge.preprocessing import Preprocessing
from eval.text.rouge.skips import rouge_s, rouge_su
from eval.text.rouge.subsequences import rouge_l, rouge_l_summary
from eval.text.rouge.weighted import rouge_w
from eval.text.testbed import Text
from weps.expressions import Value

__all__ = ["FAMILIES"]

Floats: TypeAlias = NDArray[np.float64]
Texts: TypeAlias = Sequence[Text]
_LIN = "Lin 2004, ROUGE: a package for automatic evaluation of summaries, section"
_SHARED: dict[str, Parameter] = {
    "part": PART,
    "beta": BETA,
    "stop": Switch("leave out English stop words"),
    "stem": Switch("Porter's stems of words longer than three letters"),
    "unicode": Switch("letters and digits of all scripts, not only a to z"),
}


@dataclass(frozen=True, slots=True)
class _Rouge:
    """One way of counting what two texts share; recall, precision and F are drawn from it."""

    compare: Callable[..., Overlap]

    def each(self, desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
        """Shape (outputs, references)."""
        part, beta = values.pop("part"), float(values.pop("beta"))
        return part_of(self._overlaps(desk, outputs, references, values), part, beta)

    def together(self, desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
        """Shape (outputs,)."""
        part, beta = values.pop("part"), float(values.pop("beta"))
        return pooled(self._overlaps(desk, outputs, references, values), part, beta)

    def _overlaps(
        self, desk: Desk, outputs: Texts, references: Texts, values: dict[str, Value]
    ) -> Overlaps:
        chosen = [bool(values.pop(each)) for each in ("stop", "stem", "unicode")]
        prepared = Preprocessing(*chosen)

        def count() -> Overlaps:
            ours, theirs = (
                [desk.tokens(text, prepared) for text in texts] for texts in (outputs, references)
            )
            return [[self.compare(one, other, **values) for other in theirs] for one in ours]

        asked = (self.compare, prepared, *values.items(), tuple(outputs), tuple(references))
        return desk.once(asked, count)


def _lcs(output: Tokens, reference: Tokens, level: str, inverted: bool) -> Overlap:
    compare = rouge_l if level == "text" else rouge_l_summary
    if inverted:
        turned = compare(reference, output)
        return Overlap(turned.matches, turned.reference, turned.output)
    return compare(output, reference)


def _skipping(compare: Callable[..., Overlap]) -> Callable[..., Overlap]:
    def skipping(output: Tokens, reference: Tokens, skip: Value) -> Overlap:
        return compare(output, reference, None if skip == "any" else skip)

    return skipping


_SKIP = Whole("any", 0, 1000, "most tokens that stand between the two", "any")


def _family(  # a row of the table below
    name: str,
    compare: Callable[..., Overlap],
    description: str,
    formula: str,
    section: str,
    **own: Parameter,
) -> Family:
    counted = _Rouge(compare)
    return Family(
        name=name,
        group="ROUGE",
        description=description,
        formula=f"{formula}; recall is matches / reference, precision matches / output",
        source=f"{_LIN} {section}",
        compare=counted.each,
        together=counted.together,
        joined="all matches over all totals, as ROUGE-1.5.5 does unless told otherwise",
        own={**own, **_SHARED},
        needs_when={("stem", True): Need.NLTK},
    )


FAMILIES = (
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
        weight=Number(1.2, 1.0, 10.0, "power of the length of a run; 1 is rouge_l(level=text)"),
    ),
    _family(
        "rouge_s",
        _skipping(rouge_s),
        "pairs of words in common, in their order, with words between them",
        "matches = Σ over skip-bigrams of min(count in output, count in reference)",
        "5",
        skip=_SKIP,
    ),
    _family(
        "rouge_su",
        _skipping(rouge_su),
        "pairs of words, and single words, in common",
        "as rouge_s, single words added to the skip-bigrams",
        "5.1",
        skip=_SKIP,
    ),
)
