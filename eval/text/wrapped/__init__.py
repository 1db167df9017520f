"""Measures of machine translation, by the libraries sacrebleu and nltk.

Their arithmetic is theirs; what is added here is one shape, one scale and one rule for empty texts,
for all of them: two empty texts score 1, an empty one against another 0. A text is empty if it is
all blanks; punctuation marks count as words. Higher is better. What a library gives in percent is
divided by 100.

Measures of one output and one reference come as arrays of shape (outputs, references); see
:mod:`eval.text.references` for what to make of several references. ``…_pooled`` is the rule
that the measure itself has for several, where that is not the maximum over them.
"""

from eval.text.wrapped.bleu import bleu, bleu_pooled
from eval.text.wrapped.chrf import chrf
from eval.text.wrapped.meteor import meteor
from eval.text.wrapped.nist import nist, nist_pooled
from eval.text.wrapped.signatures import signature
from eval.text.wrapped.ter import ter, ter_pooled

__all__ = [
    "bleu",
    "bleu_pooled",
    "chrf",
    "meteor",
    "nist",
    "nist_pooled",
    "signature",
    "ter",
    "ter_pooled",
]
