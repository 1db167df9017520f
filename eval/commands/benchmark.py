"""``weps benchmark``: train, cluster and score on names that the model has not seen."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from eval.benchmark import baselines, cross_validate, judge_all, transfer
from eval.clustering import SCORERS
from eval.commands.loading import Corpus, add_corpus_options, load_corpus
from eval.judge import judge_for
from eval.results import Results, as_data, names_table, systems_table
from weps.commands.console import Console
from weps.commands.options import add_json, check_writable, write_json
from weps.errors import SourceError
from weps.forms import Form
from weps.records import Clustering
from weps.similarity import standard
from weps.sources import Source
from weps.training import Settings

__all__ = ["arguments", "run"]

SYSTEM = "tree"


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
    add_corpus_options(parser)
    add_json(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the one kind of benchmark or the other."""
    check_writable(options.json)
    if options.cv is not None and options.corpus and not (options.train or options.test):
        return _cross_validation(options, console)
    if options.train and options.test and not (options.corpus or options.cv):
        return _transfer(options, console)
    raise SourceError(
        "unclear what to run",
        remedy="say `benchmark --cv K CORPUS`, or `benchmark --train CORPUS --test CORPUS`",
    )


def _cross_validation(options: argparse.Namespace, console: Console) -> int:
    if options.cv < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="say --cv 5")
    corpus = load_corpus(options.corpus, options, standard(), None, console)
    richest = {name: form for name, by_form in corpus.examples.items() for form in by_form}
    if len(set(richest.values())) > 1:  # names with poor pages learn from the others, reduced
        forms = set(richest.values())
        corpus = load_corpus(options.corpus, options, standard(), forms, console)
    console.progress(f"cross-validating over {options.cv} parts")
    answers: dict[str, Clustering] = {}
    for form in sorted(set(richest.values())):
        examples = [each[form] for each in corpus.examples.values() if form in each]
        given = cross_validate(examples, standard(), options.cv, Settings(seed=options.seed))
        answers |= {name: given[name] for name in given if richest[name] is form}
    return _report(answers, corpus.source, f"cv:{options.cv}|seed:{options.seed}", options, console)


def _transfer(options: argparse.Namespace, console: Console) -> int:
    test = load_corpus(options.test, options, standard(), None, console, exclude=False)
    needed = set(_forms(test))
    training = load_corpus(options.train, options, standard(), needed, console)
    console.progress(f"training on {len(training.examples)} names for {', '.join(sorted(needed))}")
    answers = transfer(training.examples, test.examples, standard(), Settings(seed=options.seed))
    digest = training.source.digest(sorted(training.examples))[:8]
    how = f"train:sha256-{digest}|seed:{options.seed}"
    return _report(answers, test.source, how, options, console)


def _forms(corpus: Corpus) -> list[Form]:
    return sorted({form for by_form in corpus.examples.values() for form in by_form})


def _report(
    answers: Mapping[str, Clustering],
    source: Source,
    how: str,
    options: argparse.Namespace,
    console: Console,
) -> int:
    """Score the answers beside the baselines; print tables, write JSON."""
    names = sorted(answers)
    judge = judge_for(source, options.scorer)
    scores = judge_all({name: answers[name] for name in names}, source, judge)
    systems = {SYSTEM: scores, **baselines(names, source, judge)}
    results = Results(f"{judge.signature(source, names)}|{how}", systems)
    console.say("\n".join(names_table(results, SYSTEM)))
    console.say()
    console.say("\n".join(systems_table(results)))
    console.say(results.signature)
    write_json(options.json, as_data(results))
    return 0
