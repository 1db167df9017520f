"""What a benchmark has found, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval.bench.corpus import Corpus, counted
from eval.benchmark import Trial
from eval.systems import Systems
from weps.forms import Form
from weps.training import Example, Settings

__all__ = ["Outcome", "judged_pairs"]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The answers of several systems for the names of a corpus."""

    systems: Systems
    trials: Mapping[str, Trial]
    """System → its answers and what they cost."""
    corpus: Corpus
    examples: Mapping[str, Example]
    """Name → its pages in the form that they have, and its key."""
    how: str
    """What the systems learnt from, the seed excepted, for signatures: ``cv:5``."""
    learnt_on: str
    """The same in words."""
    settings: Settings
    language: str = ""
    """Version of the language pipeline, empty if no system needs one."""

    @property
    def forms(self) -> dict[Form, int]:
        """Form → how many names have pages of it, richest first."""
        return counted(self.corpus.forms.values())


def judged_pairs(examples: Iterable[Example]) -> int:
    """Pairs of pages that both stand in the key, over all names."""
    return sum(int(each.judged()[0].sum()) for each in examples)
