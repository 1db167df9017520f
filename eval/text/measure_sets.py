"""Sets of measures: those of the papers, and the most common ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from types import MappingProxyType

from eval.text.registry import MEASURE_FAMILIES, Measure
from weps._expressions import split_items
from weps._formatting import quote_text
from weps.errors import FeatureError

__all__ = ["MEASURE_SETS", "MeasureSet", "measures_of"]

_ROUGE = ("rouge(n=1)", "rouge(n=2)", "rouge(n=3)", "rouge(n=4)", "rouge_l", "rouge_w")
_SKIPPING = ("rouge_s", "rouge_su")
_PARTS = ("recall", "precision", "f")
_OPTIONS = ((), ("stop=true",), ("stop=true", "stem=true"))
"""The options a, b and c of the DUC 2004 paper."""
_ROUGE_SIM = "rouge(n=1, part=recall, stop=true, stem=true)"
_TERMS = (1, 4, 8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class MeasureSet:
    """Measures under one name."""

    name: str
    description: str
    measures: tuple[Measure, ...]

    @classmethod
    def of(cls, name: str, description: str, *measures: str) -> MeasureSet:
        """A set of measures given by their names."""
        return cls(name, description, tuple(map(Measure.parse, measures)))


def measures_of(text: str) -> tuple[Measure, ...]:
    """The measures of a comma-separated list of measures and names of sets, each once.

    Raises:
        FeatureError: if there is none, or no measure or set of a name.
    """
    named = (measure for item in split_items(text) for measure in _named_measures(item))
    measures = tuple(dict.fromkeys(named))
    if not measures:
        remedy = f"name measures, or a set: {', '.join(MEASURE_SETS)}"
        raise FeatureError("no measure is named", remedy=remedy)
    return measures


def _named_measures(item: str) -> Iterable[Measure]:
    if item in MEASURE_SETS:
        return MEASURE_SETS[item].measures
    name, parenthesis, _ = item.partition("(")
    if name in MEASURE_SETS and name not in MEASURE_FAMILIES:
        raise FeatureError(f"the set {name} has no parameters", remedy=f"write {name} alone")
    if not parenthesis and name not in MEASURE_FAMILIES:
        near = dict.fromkeys(
            get_close_matches(name.lower(), [*MEASURE_SETS, *MEASURE_FAMILIES], n=4, cutoff=0.4)
        )
        hint = (
            f"did you mean {' or '.join(near)}?" if near else f"sets are: {', '.join(MEASURE_SETS)}"
        )
        raise FeatureError(f"there is neither a measure nor a set {quote_text(name)}", remedy=hint)
    return [Measure.parse(item)]


def _with_parameters(measure: str, *parameters: str) -> str:
    """The measure with further parameters."""
    name, _, inside = measure.removesuffix(")").partition("(")
    arguments = ", ".join([*filter(None, [inside]), *parameters])
    return f"{name}({arguments})" if arguments else name


def _duc2004() -> Iterator[str]:
    for measure, options in product((*_ROUGE, *_SKIPPING), _OPTIONS):
        yield _with_parameters(measure, "part=recall", *options)
    for measure, options in product((*_ROUGE, *_SKIPPING), _OPTIONS):
        turned = "inverted=true, part=recall" if measure == "rouge_l" else "part=precision"
        yield _with_parameters(measure, turned, *options)
    yield from (f"tvm(n={terms})" for terms in _TERMS)
    yield from ("avls", "gramsim")


_SETS = (
    MeasureSet.of(
        "usual",
        "what needs nothing but weps and two texts in Latin letters",
        *("rouge(n=1)", "rouge(n=2)", "rouge_l", "rouge_su(skip=4)", "wsk", "overlap"),
    ),
    MeasureSet.of(
        "rouge",
        "ROUGE-1 to -4, -L, -W, -S and -SU with skips of 4, 9 and any number",
        *_ROUGE,
        *(f"{each}(skip={skip})" for each in _SKIPPING for skip in ("4", "9", "any")),
    ),
    MeasureSet.of(
        "iscorpus",
        "the metrics of An empirical study of information synthesis tasks (2004), section 3.2",
        *("docsim", "sentencesim(part=recall)", "sentencesim(part=precision)", "perplexity"),
        *(_ROUGE_SIM, "nicos"),
    ),
    MeasureSet.of(
        "qarla",
        "the metrics of QARLA (ACL 2005), section 4, that need neither sources nor key concepts",
        *(_ROUGE_SIM, "sentencesim(part=recall)", "sentencesim(part=precision)", "vectmodel"),
        *(f"tvm(n={terms})" for terms in (1, 8, 64, 512)),
    ),
    MeasureSet.of(
        "duc2004",
        "the 59 metrics of Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1, "
        "but with terms of the reference in tvm, as few testbeds have the documents",
        *_duc2004(),
    ),
    MeasureSet.of(
        "kernels",
        "ESK and its rivals (Hirao, Okumura and Isozaki 2005, section 4)",
        *("wsk", "esk", "rouge(n=1)", "rouge(n=2)", "rouge_l", "rouge_s", "rouge_su"),
    ),
    MeasureSet.of(
        "summaries",
        "the 21 measures of Corroborating text evaluation results (2011), section 4.2",
        *(
            _with_parameters(each, f"part={part}")
            for part in _PARTS
            for each in (*_ROUGE, "rouge_su")
        ),
    ),
    MeasureSet.of(
        "senses",
        "GROUGE and the ROUGE that it extends (ShafieiBavani et al. 2017)",
        *("grouge(n=1)", "grouge(n=2)", "grouge(n=2, skip=4)", "rouge(n=1, part=recall)"),
        *("rouge(n=2, part=recall)", "rouge_su(skip=4, part=recall)"),
    ),
    MeasureSet.of(
        "translation",
        "measures of machine translation, most of them by sacrebleu and nltk; ter takes .2 s for "
        "two texts of 60 words",
        *("bleu", "nist", "ter", "chrf", "chrf(words=2)", "meteor", "overlap", "rouge_l"),
    ),
)
MEASURE_SETS: Mapping[str, MeasureSet] = MappingProxyType({each.name: each for each in _SETS})
"""By name, in the order in which they are listed."""
