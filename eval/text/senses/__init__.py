"""Texts compared by the senses of their words: GROUGE.

Source: ShafieiBavani, Ebrahimi, Wong and Chen, "A Semantically Motivated Approach to Compute ROUGE
Scores", technical report UNSW-CSE-TR-201706, 2017.
"""

from eval.text.senses.grouge import (
    GROUGE_1,
    GROUGE_2,
    GROUGE_SU4,
    Grouge,
    Reader,
    Scores,
)
from eval.text.senses.words import Text, Word, part_of, words_of

__all__ = [
    "GROUGE_1",
    "GROUGE_2",
    "GROUGE_SU4",
    "Grouge",
    "Reader",
    "Scores",
    "Text",
    "Word",
    "part_of",
    "words_of",
]
