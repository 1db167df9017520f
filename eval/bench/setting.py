"""The circumstances of a benchmark, in the words of the paper's."""

from __future__ import annotations

from eval.bench.absent import lacks, number_of_names
from eval.bench.corpus import PAGES
from eval.bench.outcome import Outcome, judged_pairs
from eval.published import Setting, standing_for

__all__ = ["setting_of"]


def setting_of(outcome: Outcome) -> Setting:
    """Whose names, learnt from what, compared by what."""
    systems, forms = outcome.systems, outcome.forms
    names, pairs = number_of_names(sum(forms.values())), judged_pairs(outcome.examples.values())
    return Setting(
        answered_for=f"{names} of {outcome.corpus.title}, {pairs:,} pairs",
        learnt_on=outcome.learnt_on,
        pages=", ".join(
            PAGES[form] + (f" ({number_of_names(names)})" if len(forms) > 1 else "")
            for form, names in forms.items()
        ),
        similarities=", ".join(
            f"{len(systems.wanted[ours])} in {theirs}"
            for theirs, ours in standing_for(systems.configurations).items()
        ),
        not_used=", ".join(lacks(systems, forms)) or "none",
    )
