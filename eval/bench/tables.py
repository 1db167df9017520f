"""Tables that the terminal and the document of a benchmark share: heading, then rows of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from eval.bench.scoring import Scored
from eval.benchmark import Trial
from eval.clustering import two_decimals
from eval.results import system_rows
from weps.configuration import Configuration

__all__ = ["hardest_rows", "measured_rows", "name_rows", "what_rows", "with_cost"]

_HARDEST = 10
"""Names in the table of the hardest ones."""
Rows = list[list[str]]


def with_cost(rows: Rows, trials: Mapping[str, Trial]) -> Rows:
    """Rows of systems with the seconds that these took; baselines take none."""
    heading, *others = rows
    return [
        [*heading, "learning s", "answering s"],
        *([*row, *_cost(trials.get(row[0]))] for row in others),
    ]


def measured_rows(scored: Scored) -> Rows:
    """Each system and baseline with the main measures and its cost."""
    measures = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02", "purity_f05")
    return with_cost(system_rows(scored.results, measures), scored.outcome.trials)


def what_rows(scored: Scored) -> Rows:
    """What each system is."""
    systems = scored.outcome.systems
    rows = [
        [system, *map(str, each.as_data().values()), str(len(systems.wanted[system]))]
        for system, each in systems.configurations.items()
    ]
    choices = [each.name for each in fields(Configuration)]
    return [["system", *choices, "similarities"], *rows]


def name_rows(scored: Scored) -> Rows:
    """The F0.5 of every system on each name."""
    systems, examples = scored.results.systems, scored.outcome.examples
    rows = [
        [
            name,
            str(len(examples[name].ranks)),
            *(two_decimals(scores[name]["bcubed_f05"]) for scores in systems.values()),
        ]
        for name in scored.outcome.corpus.names
    ]
    return [["name", "pages", *systems], *rows]


def hardest_rows(scored: Scored, system: str) -> Rows:
    """The names with the lowest F0.5 of a system, the hardest first."""
    scores, examples = scored.results.systems[system], scored.outcome.examples
    answers = scored.outcome.trials[system].answers
    measures = ("bcubed_f05", "bcubed_precision", "bcubed_recall")
    hardest = sorted(scores, key=lambda name: (scores[name]["bcubed_f05"], name))[:_HARDEST]
    rows = [
        [
            name,
            str(len(examples[name].ranks)),
            str(len(examples[name].key.groups)),
            str(len(answers[name].clustering.groups)),
            *(two_decimals(scores[name][measure]) for measure in measures),
        ]
        for name in hardest
    ]
    heading = ["name", "pages", "people in the key", "people in the answer", "F0.5", "BEP", "BER"]
    return [heading, *rows]


def _cost(trial: Trial | None) -> list[str]:
    return [f"{trial.learning:.1f}", f"{trial.answering:.1f}"] if trial else ["–", "–"]
