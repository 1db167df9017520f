"""METEOR: words, stems and synonyms in common, in few chunks, by nltk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.text.optional import optional
from eval.text.wordnet import WordNet
from eval.text.wrapped.pairs import Floats, every_pair
from eval.text.wrapped.synonyms import Synonyms
from eval.text.wrapped.tokens import lower_tokens
from weps.errors import ValuesError

__all__ = ["meteor"]


def meteor(  # noqa: PLR0913 - the parameters of the measure
    outputs: Sequence[str],
    references: Sequence[str],
    wordnet: WordNet | None = None,
    *,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> Floats:
    """METEOR with each reference alone; its own rule for several is the maximum over them.

    (1 − γ (chunks / matches)^β) · PR / (αP + (1 − α)R), where P and R are the shares of the
    output's and the reference's tokens that match (Lavie and Agarwal 2007). With α = .9, β = 3 and
    γ = .5 it is that of Banerjee and Lavie 2005. Tokens are words and punctuation marks in lower
    case; those that are equal match first, then those with the same stem by Porter, then synonyms.

    Of the same text of n tokens it is 1 − γ / n^β: 0.5 for one word, 0.9995 for ten.

    Where it differs from the published METEOR:

    - Of several equal words the last ones match, where that has the fewest crossing lines or the
      fewest chunks, so that here there may be more chunks.
    - A word of the reference is a synonym if it is a lemma of a synset of the output's word; there,
      if the two have a synset in common.
    - nltk looks up not the words but their stems, and compares stems with lemmas, so that only
      lemmas that are their own stems are found: auto for car, but not automobile (automobil).
    - Later versions (1.3, 1.5) have paraphrases, function words and other parameters.

    Args:
        outputs: texts.
        references: texts.
        wordnet: where synonyms are; None for none.
        alpha: how much recall counts, from 0 to 1.
        beta: how the penalty grows with the number of chunks, at least 0.
        gamma: the largest penalty, from 0 to 1.

    Returns:
        Shape (outputs, references), in [0, 1].

    Raises:
        ValuesError: if a parameter is out of its range.
        LanguageError: if nltk is not installed.
    """
    if not (0 <= alpha <= 1 and beta >= 0 and 0 <= gamma <= 1):
        raise ValuesError(
            f"METEOR with alpha={alpha}, beta={beta}, gamma={gamma}",
            remedy="alpha and gamma are from 0 to 1, beta is at least 0",
        )
    synonyms = Synonyms(wordnet)
    settings: dict[str, Any] = {"alpha": alpha, "beta": beta, "gamma": gamma, "wordnet": synonyms}
    meteor_score = optional("nltk.translate.meteor_score").meteor_score

    def score(output: str, references: Sequence[str]) -> float:
        others = [lower_tokens(reference) for reference in references]
        return float(meteor_score(others, lower_tokens(output), **settings))

    return every_pair(outputs, references, score)
