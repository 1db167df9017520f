"""What the key-term study is made of: a corpus of names, archives of documents."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eval.bench.corpus import PAGES, Corpus, open_corpus
from eval.bench.doubles import doubled_keys
from eval.key_term_study.keyphrases import Article, articles_of, read_section, sections_of
from eval.key_term_study.people import LEFT_OUT, Plan, people_of
from eval.key_term_study.topics import Read
from weps.commands.console import Console
from weps.commands.reading import reader_of
from weps.errors import SourceError
from weps.forms import Form
from weps.parallel import over
from weps.reading import Reader

__all__ = ["Collected", "collected_archive", "collected_corpus"]


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Documents that have been read, with their topics."""

    title: str
    root: Path
    batches: Sequence[Read]
    tagged: bool
    """Whether parts of speech are known."""
    signature: str
    remarks: Sequence[str] = ()


def collected_corpus(options: argparse.Namespace, console: Console) -> Collected:
    """Read the pages of every name; people are topics.

    Raises:
        SourceError: if no name has the text of its pages.
    """
    corpus = open_corpus(options.corpus, options.exclude)
    form = min(corpus.forms.values(), key=list(Form).index)
    if form is Form.RESULTS:
        raise SourceError(
            "no name has the text of its pages",
            where=corpus.source.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    names = [name for name in corpus.names if corpus.forms[name] is form]
    _warn_of_doubles(corpus, names, console)
    work = partial(
        people_of, source=corpus.source, plan=Plan(form, reader_of(options), options.pages)
    )
    batches = []
    for name, each in zip(names, over(work, names, options.jobs), strict=True):
        batches.append(each)
        console.progress(f"[{len(batches)}/{len(names)}] {name}: read")
    return Collected(
        corpus.title,
        corpus.source.root,
        batches,
        form is Form.PAGES,
        f"corpus:sha256-{corpus.source.digest(names)[:8]}|form:{form}",
        _remarks(corpus, names, options.pages, form),
    )


def _warn_of_doubles(corpus: Corpus, names: Sequence[str], console: Console) -> None:
    keys = {name: key for name in names if (key := corpus.source.key(name))}
    for first, second in doubled_keys(keys):
        console.warn(
            f"the keys of {first} and {second} are nearly the same: one of them is in the wrong "
            "file; leave that name out with --exclude"
        )


def _remarks(corpus: Corpus, names: Sequence[str], pages: int, form: Form) -> list[str]:
    told = [
        f"{corpus.title}: people with {pages} pages or more of {len(names)} names are topics. "
        "Every value of an attribute that annotators found on their pages is a key concept, but "
        f"for {', '.join(sorted(LEFT_OUT))}; so is every word of a label in the key. Words of the "
        "name are not."
    ]
    if form is not Form.PAGES:
        told.append(
            f"{corpus.title}: {PAGES[form]} are at hand, so that nothing is known of sentences and "
            "only weightings that need no parts of speech are studied."
        )
    if left_out := sorted(set(corpus.names) - set(names)):
        told.append(f"Left out, because less is at hand: {', '.join(left_out)}.")
    return told


def collected_archive(path: Path, reader: Reader, jobs: int, console: Console) -> Collected:
    """Read documents with key phrases; each is a topic, and so is each of their sections.

    Raises:
        SourceError: see :func:`~eval.key_term_study.keyphrases.articles_of`.
    """
    articles = articles_of(path)
    sections = sections_of(articles)
    work = partial(_read_section, sections=sections, reader=reader)
    batches = []
    for number, each in enumerate(over(work, range(len(sections)), jobs)):
        batches.append(each)
        name, held = sections[number]
        console.progress(f"[{len(batches)}/{len(sections)}] {len(held)} documents {name}: read")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    told = f"{path.stem}: {len(articles):,} documents with key phrases are topics."
    if any(name for name, _ in sections):
        told += (
            " So are its sections, whose key concepts are those named for two documents or more; "
            "a section is a field, no story, and its documents have less in common "
            "than the paper's."
        )
    return Collected(path.stem, path, batches, True, f"keyphrases:sha256-{digest}", [told])


def _read_section(
    number: int, sections: Sequence[tuple[str, Sequence[Article]]], reader: Reader
) -> Read:
    return read_section(*sections[number], reader)
