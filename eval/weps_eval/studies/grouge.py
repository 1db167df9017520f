"""``weps meta grouge``: the conclusions of ShafieiBavani et al. (2017) on GROUGE."""

from __future__ import annotations

from weps_eval.meta.correlation import Coefficient
from weps_eval.report.tables import Claim
from weps_eval.studies.frames import claimed
from weps_eval.studies.variants import Relation, Variant, variants_study

_BIGRAMS = Variant.of("grouge", n=2, skip="none", beta=0.5)
_PAIRS = (
    (Variant.of("grouge", n=1, skip="none", beta=0.5), Variant.of("rouge", n=1, part="recall")),
    (_BIGRAMS, Variant.of("rouge", n=2, part="recall")),
    (Variant.of("grouge", n=2, skip=4, beta=0.5), Variant.of("rouge_su", skip=4, part="recall")),
)
_AHEAD = [Relation("senses", ours, [theirs], tuple(Coefficient)) for ours, theirs in _PAIRS]
_OF_VECTORS = [
    Relation(
        "vectors",
        Variant.of("grouge", n=n, skip=skip, beta=0.5),
        [Variant.of("rouge_we", n=n, skip=skip, part="recall")],
        tuple(Coefficient),
    )
    for n, skip in ((1, "none"), (2, "none"), (2, 4))
]
HALF = Relation(
    "half",
    Variant.of("grouge", beta=0.5),
    [Variant.of("grouge", beta=beta) for beta in (0.0, 0.25, 0.75, 1.0)],
    (Coefficient.PEARSON,),
)
BIGRAMS = Relation(
    "bigrams",
    _BIGRAMS,
    [
        *(theirs for _, theirs in _PAIRS),
        *(ours for ours, _ in _PAIRS if ours is not _BIGRAMS),
    ],
    (Coefficient.SPEARMAN, Coefficient.KENDALL),
)
_SIGNIFICANT = 0.05
STUDY = variants_study(
    "GROUGE and ROUGE",
    "senses",
    (*_AHEAD, *_OF_VECTORS, BIGRAMS, HALF),
    (
        _AHEAD[0].claim(
            "Each variant of GROUGE agrees better with people than its ROUGE.",
            "ShafieiBavani et al. 2017, section 4.2, tables 4.1 to 4.3",
            "GROUGE-1, -2 and -SU4 against ROUGE-1, -2 and -SU4 recall",
        ),
        Claim(
            "These increases are significant (p < .05).",
            "ShafieiBavani et al. 2017, section 4.3",
            f"Williams' test by systems has p < {_SIGNIFICANT} for each of the three pairs",
            claimed(
                "senses, surely", "at most", _SIGNIFICANT, says="{behind}: p = {p:.3f}", worst=True
            ),
        ),
        BIGRAMS.claim(
            "By ranks of systems, GROUGE-2 is the best of ROUGE and GROUGE.",
            "ShafieiBavani et al. 2017, section 4.2, tables 4.1 to 4.3",
            "GROUGE-2 against GROUGE-1 and -SU4, and ROUGE-1, -2 and -SU4 recall",
        ),
        _OF_VECTORS[0].claim(
            "Each variant of GROUGE agrees better with people than its ROUGE-WE.",
            "ShafieiBavani et al. 2017, section 4.2, tables 4.1 to 4.3",
            "GROUGE-1, -2 and -SU4 against ROUGE-WE-1, -2 and -SU4 recall",
            missing="ROUGE-WE is compared where vectors of words are given (--vectors)",
        ),
        HALF.claim(
            "Letters and senses of equal weight (β = .5) are best.",
            "ShafieiBavani et al. 2017, section 4.4, figure 4.4",
            "GROUGE with β = .5 against β = 0, .25, .75 and 1",
        ),
    ),
    "ShafieiBavani, Ebrahimi, Wong and Chen 2017, chapter 4",
    with_vectors=", rouge_we(n=1|2, unknown=none, part=recall, references=together), "
    "rouge_we(n=2, skip=4, unknown=none, part=recall, references=together)",
)
