"""``weps meta grouge``: the conclusions of ShafieiBavani et al. (2017) on GROUGE."""

from __future__ import annotations

from weps_eval.meta.correlation import Coefficient
from weps_eval.studies.variants import Relation, Variant, variants_study

_PAIRS = (
    (Variant.of("grouge", n=1, skip="none", beta=0.5), Variant.of("rouge", n=1, part="recall")),
    (Variant.of("grouge", n=2, skip="none", beta=0.5), Variant.of("rouge", n=2, part="recall")),
    (Variant.of("grouge", n=2, skip=4, beta=0.5), Variant.of("rouge_su", skip=4, part="recall")),
)
_AHEAD = [Relation("senses", ours, [theirs], tuple(Coefficient)) for ours, theirs in _PAIRS]
HALF = Relation(
    "half",
    Variant.of("grouge", beta=0.5),
    [Variant.of("grouge", beta=beta) for beta in (0.0, 0.25, 0.75, 1.0)],
    (Coefficient.PEARSON,),
)
STUDY = variants_study(
    "GROUGE and ROUGE",
    "senses",
    (*_AHEAD, HALF),
    (
        _AHEAD[0].claim(
            "Each variant of GROUGE agrees better with people than its ROUGE.",
            "ShafieiBavani et al. 2017, section 4.2, tables 4.1 to 4.3",
            "GROUGE-1, -2 and -SU4 against ROUGE-1, -2 and -SU4 recall",
        ),
        HALF.claim(
            "Letters and senses of equal weight (β = .5) are best.",
            "ShafieiBavani et al. 2017, section 4.4, figure 4.4",
            "GROUGE with β = .5 against β = 0, .25, .75 and 1",
        ),
    ),
    "ShafieiBavani, Ebrahimi, Wong and Chen 2017, chapter 4",
)
