"""``weps benchmark``: train, cluster and score on names that the model has not seen."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.benchmark import cross_validate, transfer
from eval.clustering import SCORERS
from eval.commands.loading import add_corpus_options, load_corpus, open_corpus
from eval.commands.outcome import Outcome, judged_pairs, report, title
from eval.systems import Answers, Columns, Systems, narrowed, run_systems, systems_of
from weps.commands.console import Console
from weps.commands.options import add_json, check_writable
from weps.errors import SourceError
from weps.forms import Form, offered
from weps.training import Settings

__all__ = ["arguments", "run"]

_SETS = ("non-linguistic", "all")
"""What the paper compares (EMNLP 2009, table 2)."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "corpus", metavar="CORPUS", type=Path, nargs="?", help="corpus to cross-validate on"
    )
    parser.add_argument("--cv", type=int, metavar="K", help="cross-validate over K parts of names")
    parser.add_argument("--train", type=Path, metavar="CORPUS", help="learn on these names")
    parser.add_argument("--test", type=Path, metavar="CORPUS", help="answer for these names")
    parser.add_argument(
        "--scorer", choices=sorted(SCORERS), help="default: the official one of the corpus"
    )
    parser.add_argument(
        "--features",
        action="append",
        metavar="SET",
        help="a system that compares pages by these features, see `weps features` (repeat for "
        f"several, which are compared with the first; default: {' and '.join(_SETS)})",
    )
    parser.add_argument(
        "--common-features",
        action="store_true",
        help="only features that the pages of every name have, those learnt on included",
    )
    add_corpus_options(parser)
    add_json(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the one kind of benchmark or the other."""
    check_writable(options.json)
    if options.cv is not None and options.corpus and not (options.train or options.test):
        return report(_cross_validation(options, console), options, console)
    if options.train and options.test and not (options.corpus or options.cv):
        return report(_transfer(options, console), options, console)
    raise SourceError(
        "unclear what to run",
        remedy="say `benchmark --cv K CORPUS`, or `benchmark --train CORPUS --test CORPUS`",
    )


def _systems(options: argparse.Namespace, forms: set[Form]) -> Systems:
    return systems_of(options.features or _SETS, forms if options.common_features else ())


def _cross_validation(options: argparse.Namespace, console: Console) -> Outcome:
    if options.cv < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="say --cv 5")
    corpus = open_corpus(options.corpus, options.exclude)
    forms = set(corpus.forms.values())
    systems = _systems(options, forms)
    # Names with poor pages learn from the others, reduced.
    examples = load_corpus(corpus, systems.union, forms, options, console)
    console.progress(f"cross-validating over {options.cv} parts")

    def answer(form: Form, columns: Columns) -> Answers:
        held = [each[form] for each in examples.values() if form in each]
        seen = narrowed(held, offered(systems.union, form), columns)
        given = cross_validate(seen, columns, options.cv, Settings(seed=options.seed))
        return {name: given[name] for name in given if corpus.forms[name] is form}

    return Outcome(
        systems,
        run_systems(systems, forms, answer),
        corpus,
        pairs=judged_pairs(examples),
        how=f"cv:{options.cv}|seed:{options.seed}",
        learnt_on=f"the other names, {options.cv} parts",
    )


def _transfer(options: argparse.Namespace, console: Console) -> Outcome:
    test = open_corpus(options.test)
    training = open_corpus(options.train, options.exclude)
    forms = set(test.forms.values())
    systems = _systems(options, forms | set(training.forms.values()))
    tested = load_corpus(test, systems.union, None, options, console)
    learnt = load_corpus(training, systems.union, forms, options, console)
    console.progress(f"training on {len(learnt)} names for {', '.join(sorted(forms))}")

    def answer(form: Form, columns: Columns) -> Answers:
        held = offered(systems.union, form)
        seen, unseen = (
            narrowed([each[form] for each in examples.values() if form in each], held, columns)
            for examples in (learnt, tested)
        )
        return transfer(seen, unseen, columns, Settings(seed=options.seed))

    digest = training.source.digest(sorted(training.forms))[:8]
    return Outcome(
        systems,
        run_systems(systems, forms, answer),
        test,
        pairs=judged_pairs(tested),
        how=f"train:sha256-{digest}|seed:{options.seed}",
        learnt_on=f"{title(training)}, {judged_pairs(learnt):,} pairs",
    )
