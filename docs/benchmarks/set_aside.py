r"""Which pages are set aside, and what that does to the scores, in cross-validation over names.

From the root of the project::

    python -m docs.benchmarks.set_aside "$WEPS_DATA/corpora/weps-1/training" \
        --exclude George_Clinton

For each sign the pages that the keys discard and group; then, learnt on four fifths of the names,
precision and recall of the pages set aside, and the scores of the system by both official scorers.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from weps.model import Model
from weps.page_forms import PageForm
from weps.people.set_aside import ORDINARY, SIGNS, fit_set_aside
from weps.records import Clustering
from weps.similarity.pairs import pair_position
from weps.sources.opening import open_source
from weps.systems import parse_configuration, similarities_of
from weps.training.examples import Example, TrainingSettings, make_folds, read_examples, read_signs
from weps.training.fitting import answer_example, train
from weps_eval.clustering.scorers import SCORING_RULES, bcubed_f05
from weps_eval.stats.significance import compare


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("corpus")
    parser.add_argument("--exclude", action="append", default=[])
    parser.add_argument("--system", default="default")
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args()
    source = open_source(options.corpus)
    configuration = parse_configuration(options.system)
    columns = similarities_of(configuration.features)
    examples, signs = [], {}
    for name in source.names:
        found = {} if name in options.exclude else read_examples(name, source, columns)
        if PageForm.PAGES in found:
            examples.append(found[PageForm.PAGES])
            signs[name] = read_signs(name, source)
    for sign in (*SIGNS, ORDINARY):
        pages = [
            (rank in each.key.ranks, rank in each.key.discarded - each.key.ranks)
            for each in examples
            for rank, found_sign in signs[each.name].items()
            if found_sign == sign
        ]
        grouped, discarded = np.array(pages, dtype=int).reshape(-1, 2).sum(axis=0)
        print(f"{sign or 'no sign':10} discarded {discarded:5} grouped {grouped:5}")
    before: dict[str, list[float]] = {scorer: [] for scorer in SCORING_RULES}
    after: dict[str, list[float]] = {scorer: [] for scorer in SCORING_RULES}
    for seed in range(options.seeds):
        right = wrong = missed = 0
        for part in make_folds(len(examples), 5, seed):
            rest = [each for at, each in enumerate(examples) if at not in part]
            # The classifier does not depend on the folds, which calibrate what is displayed.
            settings = TrainingSettings(folds=2, seed=seed)
            model = train(rest, rest[0].similarities, configuration, bcubed_f05, settings)
            rule = fit_set_aside((signs[each.name], each.key) for each in rest)
            for each in (examples[at] for at in part):
                selected = rule.select([signs[each.name][rank] for rank in each.ranks])
                aside = {rank for rank, sign in zip(each.ranks, selected, strict=True) if sign}
                discarded = each.key.discarded - each.key.ranks
                right += len(aside & discarded)
                wrong += len(aside & each.key.ranks)
                missed += len(discarded - aside)
                answers = (answer_example(each, model).clustering, _answer(each, model, aside))
                for scorer, rule_of in SCORING_RULES.items():
                    for scores, answer in zip((before, after), answers, strict=True):
                        found = rule_of.scores(answer, each.key, each.ranks, ["bcubed_f05"])
                        scores[scorer].append(found["bcubed_f05"])
        precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
        print(f"seed {seed}: set aside {right + wrong}, P {precision:.3f} R {recall:.3f}")
    for scorer in SCORING_RULES:
        difference = compare(before[scorer], after[scorer])
        print(
            f"{scorer}: F0.5 {np.mean(before[scorer]):.4f} → {np.mean(after[scorer]):.4f} "
            f"({difference.low:+.4f} to {difference.high:+.4f})"
        )


def _answer(example: Example, model: Model, aside: set[int]) -> Clustering:
    """The answer for the pages that are not set aside."""
    rows = np.flatnonzero([rank not in aside for rank in example.ranks])
    first, second = np.triu_indices(len(rows), k=1)
    values = example.values[pair_position(rows[first], rows[second], len(example.ranks))]
    ranks = tuple(example.ranks[row] for row in rows)
    rest = replace(example, ranks=ranks, values=values)
    return replace(answer_example(rest, model).clustering, discarded=frozenset(aside))


if __name__ == "__main__":
    main()
