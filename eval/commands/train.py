"""``weps train CORPUS --out FILE``: learn a model, and say what it will do on unseen names."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import shlex
import sys
from pathlib import Path
from typing import Any

from eval.benchmark import cross_validate, judge_all, train_forms
from eval.clustering import mean, standard_error
from eval.commands.loading import Corpus, add_corpus_options, load_corpus
from eval.judge import judge_for
from eval.results import Results, names_table
from weps.commands.console import Console
from weps.commands.options import check_writable
from weps.forms import Form, offered
from weps.model import ModelSet, save
from weps.similarity import Similarity, standard
from weps.training import Settings
from weps.version import VERSION

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="names with pages and keys")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model file")
    add_corpus_options(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Cross-validate, train on all names, save."""
    check_writable(options.out)
    settings = Settings(seed=options.seed)
    similarities = standard()
    corpus = load_corpus(options.corpus, options, similarities, set(Form), console)
    forms = sorted({form for each in corpus.examples.values() for form in each})
    validation = {
        str(form): _validate(corpus, form, similarities, settings, console) for form in forms
    }
    console.progress("training on all names")
    models = train_forms(corpus.examples, similarities, forms, settings)
    card = _card(corpus, validation, similarities, settings)
    save(ModelSet(models, card), options.out)
    console.say(f"model: {options.out}")
    return 0


def _validate(
    corpus: Corpus,
    form: Form,
    similarities: tuple[Similarity, ...],
    settings: Settings,
    console: Console,
) -> dict[str, Any]:
    """What the model for a form does on names that it has not seen."""
    console.progress(f"cross-validating on {form}")
    examples = [each[form] for each in corpus.examples.values() if form in each]
    judge = judge_for(corpus.source)
    answers = cross_validate(examples, offered(similarities, form), settings.folds, settings)
    scores = judge_all(answers, corpus.source, judge)
    signature = f"{judge.signature(corpus.source, sorted(answers))}|cv:{settings.folds}|form:{form}"
    results = Results(signature, {"tree": dict(sorted(scores.items()))})
    console.say(f"on unseen names, from {form}:")
    console.say("\n".join(names_table(results, "tree")))
    console.say(f"{signature}\n")
    shown = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")
    means, errors = mean(scores), standard_error(scores)
    return {
        "signature": signature,
        "mean": {key: round(means[key], 4) for key in shown},
        "standard_error": {key: round(errors[key], 4) for key in shown},
    }


def _card(
    corpus: Corpus,
    validation: dict[str, Any],
    similarities: tuple[Similarity, ...],
    settings: Settings,
) -> dict[str, Any]:
    """The model's card: where it comes from and what to expect of it."""
    names = sorted(corpus.examples)
    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "weps": VERSION,
        "command": shlex.join(["weps", *sys.argv[1:]]),
        "corpus": {
            "layout": corpus.source.layout,
            "names": names,
            "digest": corpus.source.digest(names),
        },
        "similarities": [str(each) for each in similarities],
        "settings": dataclasses.asdict(settings),
        "cross_validation": validation,
    }
