"""``weps meta kernels``: the conclusions of Hirao, Okumura and Isozaki (2005) on ESK."""

from __future__ import annotations

from weps_eval.studies.variants import Relation, Variant, variants_study

_BETA = {"beta": (2.0, 3.0)}
SHORT = Relation(
    "short", Variant.of("esk", length=2), [Variant.of("esk", length=n) for n in (3, 4)]
)
RECALL = Relation("recall", Variant("esk", _BETA), [Variant.of("esk", beta=1.0)])
DECAY = Relation(
    "decay",
    Variant.of("esk", decay=(0.1, 0.3, 0.5, 0.7, 0.9)),
    [Variant.of("esk", decay=1.0)],
)
SENSES = Relation("senses", Variant.of("esk"), [Variant.of("wsk")])
ROUGE = Relation(
    "rouge",
    Variant.of("esk", length=2, decay=0.5, stop=False, **_BETA),
    [
        *(Variant.of("rouge", n=n, beta=1.0, stop=(True, False)) for n in (1, 2, 3, 4)),
        *(
            Variant.of(family, beta=1.0, stop=(True, False))
            for family in ("rouge_l", "rouge_s", "rouge_su")
        ),
    ],
)
SHORTER = Relation(
    "shorter",
    Variant.of("rouge", n=1, stop=True),
    [Variant.of("rouge", n=n, stop=True) for n in (2, 3, 4)],
)
STUDY = variants_study(
    "ESK and its variants",
    "kernels",
    (SHORT, RECALL, DECAY, SENSES, ROUGE, SHORTER),
    (
        SENSES.claim(
            "ESK, which knows word senses, agrees better with people than WSK.",
            "Hirao et al. 2005, section 4.5, tables 4 and 5",
            "ESK against WSK of the same parameters",
        ),
        ROUGE.claim(
            "With several references, ESK agrees better with people than ROUGE.",
            "Hirao et al. 2005, section 4.5, tables 4 and 5",
            "ESK with d = 2, λ = .5 and β = 2 or 3 against each kind of ROUGE, with and without "
            "stop words",
        ),
        SHORT.claim(
            "Subsequences of up to two words (d = 2) are best.",
            "Hirao et al. 2005, sections 4.5 and 4.6, table 6",
            "ESK with d = 2 against d = 3 and d = 4",
        ),
        RECALL.claim(
            "Recall that counts more (β = 2 or 3) is better than β = 1.",
            "Hirao et al. 2005, section 4.6, figure 1",
            "ESK with β = 2 or 3 against β = 1",
        ),
        DECAY.claim(
            "No decay (λ = 1) is worst.",
            "Hirao et al. 2005, section 4.6, figure 1",
            "ESK with λ of .1 to .9 against λ = 1",
        ),
        SHORTER.claim(
            "Without stop words, ROUGE-1 agrees better than ROUGE of longer n-grams.",
            "Hirao et al. 2005, section 4.5",
            "ROUGE-1 against ROUGE-2, -3 and -4, stop words left out",
        ),
    ),
    "Hirao, Okumura and Isozaki 2005, sections 4.5 and 4.6",
)
