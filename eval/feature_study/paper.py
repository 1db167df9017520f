"""What the paper reports (EMNLP 2009, section 4), told beside our own figures."""

from __future__ import annotations

from eval.document import Quote

__all__ = [
    "ACCURACY",
    "BOUNDS",
    "ENTITIES",
    "FINE_ENTITIES",
    "MEASURES",
    "NGRAMS",
    "REDUNDANCY",
    "TABLE_1",
    "WORDS",
]

TABLE_1 = (
    ("the paper's WePS-1", 61_290, 122_437, 183_727),
    ("the paper's WePS-2", 54_641, 55_546, 110_187),
    ("the paper's both", 115_931, 177_983, 293_914),
)
"""Coreferent pairs, others, all."""

ACCURACY = {"all": "0.76", "non-linguistic": "0.75"}
"""Share of the WePS-2 pairs that trees grown on WePS-1 label right (section 4.3.1)."""

WORDS = Quote(
    "Parts of the page's words and lemmas do not outperform all its words. Only the words near the "
    "name and those of the snippet do slightly better at low recall, and not beyond recall 0.3.",
    "section 4.2.1, figure 1",
)
NGRAMS = Quote(
    "Bigrams improve on words and are the best n-grams up to recall 0.7. Four-grams are slightly "
    "more precise but reach recall 0.3 only; trigrams are not more precise than bigrams. Noun "
    "phrases perform poorly.",
    "section 4.2.1, figure 2",
)
ENTITIES = Quote(
    "At best, persons and organisations match the words, at low recall only.",
    "section 4.2.1, figure 3 (Stanford recogniser)",
)
FINE_ENTITIES = Quote(
    "Below words and below the baseline recogniser, perhaps because fine-grained types are sparse. "
    "The baseline does better than any type by itself, but it holds all types together.",
    "section 4.2.1, figure 4 (OAK recogniser)",
)
MEASURES = Quote(
    "Dice gives the best results across types of features; its differences from cosine are "
    "consistent, though not especially large.",
    "section 4.1",
)
REDUNDANCY = Quote(
    "Words rank 99 % of the pairs. The baseline recogniser has the largest contribution of its "
    "own, and adds information in less than 20 % of cases.",
    "section 4.2.2, figure 5",
)
BOUNDS = (
    Quote(
        "MaxPWA turns out to be highly correlated with the PWA of trees; no coefficient is given.",
        "section 4.3, figure 6",
    ),
    Quote(
        "More features than words improve both bound and tree, but non-linguistic features do "
        "about as well as all: the trees' accuracy is .75 and .76.",
        "sections 4.3 and 4.3.1, figure 7",
    ),
)
