"""Options of commands that train, and the examples of every name of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from weps._options import cli_option
from weps._parallel import Progress, parallel_map
from weps.cli.options import JobsOption, JsonOption, ReadingOptions
from weps.language.sentence_encoder import require_encoder
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.similarity.columns import Similarity, need_encoder
from weps.sources.base import Source
from weps.systems import CONFIGURATIONS
from weps.training.examples import Example, TrainingSettings, read_examples
from weps_eval.benchmark.corpus import Corpus, duplicate_keys

SYSTEMS_MEANING = (
    f"{', '.join(CONFIGURATIONS)}, or a variant of one, such as paper:features=all,link=average "
    "with any of features, classifier, link, stop, copies and rules"
)
FEATURES_MEANING = (
    "short for --system paper:features=SET; a set may begin with the name of another system: "
    "default+mine.py:FUNCTION adds a feature of your own (docs/extending.md); see `weps features`"
)


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(ReadingOptions, JobsOption):
    """Names of a corpus, and how their pages are read."""

    exclude: tuple[str, ...] = cli_option(
        "names to leave out (with --test: of training)", (), metavar="NAME"
    )
    seed: int = cli_option("seed of folds and trees", 0, least=0)


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(CorpusOptions, JsonOption):
    """Names that systems learn from."""

    mixed: tuple[int, ...] = cli_option(
        "also train on mixed names: N pages of several names each; mixed test names share no page "
        "with them (docs/benchmarks.md)",
        (),
        least=2,
        most=1_000,
        metavar="N",
    )
    learn_unmixed: bool = cli_option("test on mixed names without training on any", False)
    line: str = ""
    """The command line, for what says how it was made."""

    def settings(self) -> TrainingSettings:
        """The settings of training."""
        return TrainingSettings(seed=self.seed, learn_mixed=not self.learn_unmixed)

    def encoder(self, similarities: Sequence[Similarity]) -> str:
        """The identity of the sentence encoder, empty if no similarity needs one.

        Raises:
            LanguageError: if it is missing or damaged.
        """
        return require_encoder(self.embeddings) if need_encoder(similarities) else ""


def system_with_features(text: str) -> str:
    """The system of a feature set, which may begin with the name of another system."""
    first = text.split("+", maxsplit=1)[0].strip()
    return f"{first if first in CONFIGURATIONS else 'paper'}:features={text}"


def load_corpus(  # noqa: PLR0913, PLR0917 - what is read, how, and who is told
    corpus: Corpus,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None,
    reader: Reader,
    jobs: int,
    progress: Progress,
    warn: Callable[[str], None],
) -> dict[str, dict[PageForm, Example]]:
    """Read, clean and compare the pages of every name: name → form → example.

    Args:
        corpus: where the names are.
        similarities: the columns wanted; a form has those that it offers.
        forms: the forms wanted; None for the richest that a name has.
        reader: of pages.
        jobs: number of processes.
        progress: called with the number of names read.
        warn: called with each warning.

    Raises:
        LanguageError: if a similarity needs a language pipeline that is not there.
    """
    names, source = corpus.names, corpus.source
    if reader.cache and reader.cache.problem:
        warn(reader.cache.problem)
    warn_of_duplicates(source, names, warn)
    work = partial(
        read_examples, source=source, similarities=similarities, forms=forms, reader=reader
    )
    loaded = zip(names, parallel_map(work, names, jobs), strict=True)
    examples = {}
    for number, (name, by_form) in enumerate(loaded, start=1):
        progress("reading and comparing pages", number, len(names))
        for warning in source.warnings(name):
            warn(warning)
        examples[name] = by_form
    return examples


def warn_of_duplicates(source: Source, names: Iterable[str], warn: Callable[[str], None]) -> None:
    """Warn of keys that are nearly the same, of which one is in the wrong file."""
    for first, second in duplicate_keys({name: key for name in names if (key := source.key(name))}):
        warn(
            f"the keys of {first} and {second} are nearly the same: one of them is in the wrong "
            "file; leave that name out with --exclude"
        )
