"""How much of what was seen is left to what was not: Good–Turing discounting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

__all__ = ["as_rare_as_singletons", "good_turing"]


def good_turing(counts: Iterable[int], cutoff: int = 7) -> tuple[float, ...]:
    """The ratios d_1 … d_k by which the counts 1 … k are to be multiplied, each in (0, 1].

    Katz, Estimation of probabilities from sparse data for the language model component of a speech
    recognizer (1987): with n_r n-grams counted r times, r* = (r + 1) n_{r+1} / n_r and
    A = (k + 1) n_{k+1} / n_1, d_r = (r* / r − A) / (1 − A). The counts so lose n_1 in all. Larger
    counts are reliable and keep their size.

    Of short texts the formula often makes no sense. As in the CMU-Cambridge toolkit, whose cut-off
    this is, k is then lowered until A < 1 and all ratios are in (0, 1]; the toolkit also takes
    ratios of 0, by which what was seen would be impossible.

    Returns:
        k ratios, none if there is no such k.
    """
    times = Counter(counts)
    return next(filter(None, (_ratios(times, k) for k in range(cutoff, 0, -1))), ())


def as_rare_as_singletons(counts: Iterable[int], unseen: int) -> tuple[float, ...]:
    """The ratio for words seen once by which each unseen word becomes as probable as they.

    n_1 / (n_1 + n_0) with n_0 unseen words, which gives them n_0 / (n_1 + n_0) of the n_1. The
    CMU-Cambridge toolkit so discounts single words by default, where Katz's formula needs k > 1.

    Returns:
        One ratio, in (0, 1), or none if no word is seen once.
    """
    once = sum(count == 1 for count in counts)
    return (once / (once + unseen),) if once else ()


def _ratios(times: Mapping[int, int], k: int) -> tuple[float, ...]:
    """The ratios, or none where one makes no sense; both parts of the fraction times r n_1 n_r."""
    taken = (k + 1) * times[k + 1]
    kept = times[1] - taken
    if kept <= 0 or not all(times[r] for r in range(1, k + 1)):
        return ()
    ratios = tuple(
        (times[1] * (r + 1) * times[r + 1] - taken * r * times[r]) / (r * times[r] * kept)
        for r in range(1, k + 1)
    )
    return ratios if all(0 < ratio <= 1 for ratio in ratios) else ()
