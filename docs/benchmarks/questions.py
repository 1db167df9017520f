"""What answers to questions are worth: ``python -m docs.benchmarks.questions``.

The WePS-1 training names (WEPS_DATA) are divided into five parts; the answers for each part are
those of a model that has learnt from the other four, without a sentence encoder. Printed is the
mean B-Cubed F0.5 after so many answers to questions, and after as many corrections.
"""

from __future__ import annotations

import os
from pathlib import Path

from weps._cache import Cache, default_folder
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.sources.opening import open_source
from weps.systems import parse_configuration, similarities_of
from weps.training.examples import (
    Example,
    TrainingSettings,
    divide_examples,
    examples_without,
    read_examples,
)
from weps.training.fitting import train
from weps_eval.benchmark.simulation import question_table, simulate_user, simulation_data
from weps_eval.clustering.scorers import SCORING_RULES, bcubed_f05

CORPUS = "corpora/weps-1/training"
LEFT_OUT = "George_Clinton"
"""Its pages are not all there."""
FOLDS, SEED = 5, 0


def main() -> None:
    """Read the names, train five models, and simulate."""
    source = open_source(Path(os.environ["WEPS_DATA"]) / CORPUS)
    configuration = parse_configuration("default").for_form(PageForm.PAGES)
    wanted = similarities_of(configuration.features)
    reader = Reader(embeddings="none", cache=Cache(default_folder()))
    examples: list[Example] = []
    for name in source.names:
        if name != LEFT_OUT:
            examples += read_examples(name, source, wanted, reader=reader).values()
    scorer = SCORING_RULES["weps1"]
    courses = []
    for part in divide_examples(examples, FOLDS, SEED):
        rest = examples_without(examples, part)
        similarities = rest[0].similarities
        model = train(rest, similarities, configuration, bcubed_f05, TrainingSettings())
        courses += [simulate_user(examples[at], model, scorer) for at in part]
    rows, gain = question_table(simulation_data(courses))
    for row in rows:
        print("  ".join(row))
    print(gain)


if __name__ == "__main__":
    main()
