"""``weps evaluate CORPUS --corrections``: how few corrections make the answers of a model right."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from eval.correcting import Course, course
from eval.judge import Judge
from weps.commands.console import Console
from weps.commands.options import add_jobs, add_reading
from weps.commands.reading import add_model, model_of, reader_of
from weps.errors import SourceError
from weps.examples import examples_of
from weps.forms import form_of
from weps.model import ModelSet
from weps.parallel import over
from weps.provided import DEFAULT
from weps.reading import Reader
from weps.sources import Source

__all__ = ["Corrected", "add_corrections", "corrected_of"]


def add_corrections(parser: argparse.ArgumentParser) -> None:
    """``--corrections``, the model that answers, and how pages are read."""
    parser.add_argument(
        "--corrections",
        action="store_true",
        help="let a user who knows the key correct the answers of a model (default: the packaged "
        "one), and tell how few corrections make them right",
    )
    add_model(parser)
    add_reading(parser)
    add_jobs(parser)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A model whose answers were corrected."""

    title: str
    digest: str
    courses: tuple[Course, ...]
    """Of the names that have people in their keys."""


def corrected_of(
    options: argparse.Namespace,
    source: Source,
    names: Sequence[str],
    judge: Judge,
    console: Console,
) -> tuple[Corrected, ...]:
    """What corrections make of the answers of the model; nothing if it is not asked for.

    Raises:
        SourceError: if no key tells who is who.
        ModelError: if the model cannot be had, or knows no pages of the names' form.
    """
    if not options.corrections:
        return ()
    models = model_of(options)
    if known := _learnt_from(models).intersection(names):
        console.warn(
            f"the model has learnt from {len(known)} of these {len(names)} names; others take more "
            "corrections"
        )
    work = _Work(source, models, judge, reader_of(options, models.language))
    found = []
    for number, made in enumerate(over(work, names, options.jobs), start=1):
        console.progress(f"[{number}/{len(names)}] {names[number - 1]}: corrected")
        found += [made] if made else []
    if not found:
        what, remedy = "no key tells who is who", "give a corpus with its gold standard"
        raise SourceError(what, where=source.root, remedy=remedy)
    return (Corrected(_title(options), models.digest, tuple(found)),)


def _title(options: argparse.Namespace) -> str:
    """What the model is called among the systems."""
    return f"{options.model.stem if options.model else options.system or DEFAULT} (model)"


def _learnt_from(models: ModelSet) -> set[str]:
    """The names that the model's card says it has learnt from."""
    corpus = models.card.get("corpus")
    names = corpus.get("names") if isinstance(corpus, dict) else None
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


@dataclass(frozen=True, slots=True)
class _Work:
    """Corrects the answer for one name; None if its key knows nobody."""

    source: Source
    models: ModelSet
    judge: Judge
    reader: Reader

    def __call__(self, name: str) -> Course | None:
        model = self.models.for_form(form_of(self.source.search(name)))
        examples = examples_of(name, self.source, model.similarities, reader=self.reader)
        return next((course(each, model, self.judge) for each in examples.values()), None)
