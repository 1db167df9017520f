"""``weps study key-terms``: where key concepts stand, and which weightings find them."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from eval.benchmark.corpus import FORM_TITLES, open_corpus
from eval.benchmark.options import add_corpus_options, warn_of_duplicates
from eval.report.claims import judge_claims, rough_intervals
from eval.report.render import write_table
from eval.report.tables import Table
from eval.studies.base import Result, Study
from eval.studies.key_terms.claims import CLAIMS
from eval.studies.key_terms.findings import Findings, ReadDocuments, study_topics
from eval.studies.key_terms.report import Collection, data, document, tables
from eval.studies.key_terms.sources import (
    LEFT_OUT,
    articles_of,
    people_of,
    read_section,
    sections_of,
)
from eval.studies.options import add_number
from weps._parallel import parallel_map
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import add_json, reader_from_options
from weps.errors import SourceError
from weps.language.spacy_pipeline import pipeline_version
from weps.page_forms import PageForm

__all__ = ["STUDY", "add_arguments", "run_command"]

_FEWEST = 2
"""Topics without which there are no intervals."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="?",
        help="names with pages and keys; people are topics, what annotators wrote of them is key: "
        "attributes, labels in the key, or both",
    )
    parser.add_argument(
        "--keyphrases",
        type=Path,
        nargs="+",
        default=[],
        metavar="ZIP",
        help="documents with key phrases (docsutf8/NAME.txt, keys/NAME.key); each is a topic, and "
        "so are those whose names share what stands before -NUMBER",
    )
    add_number(parser, "--pages", "a person with fewer pages is no topic (default: 3)", 3)
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument("--report", type=Path, metavar="DIR", help="also write all as a document")


@dataclass(frozen=True, slots=True, eq=False)
class _Documents:
    """Documents that have been read, with their topics."""

    title: str
    root: Path
    batches: Sequence[ReadDocuments]
    tagged: bool
    """Whether parts of speech are known."""
    signature: str
    remarks: Sequence[str]


def _find(options: argparse.Namespace, console: Console) -> Result[Sequence[Collection]]:
    sources = list(_read_sources(options, console))
    found: list[Findings] = []
    for each in sources:
        topics = list(study_topics(each.batches, console.write_status))
        for kind in dict.fromkeys(topic.kind for topic in topics):
            chosen = tuple(topic for topic in topics if topic.kind == kind)
            if len(chosen) >= _FEWEST:
                found.append(Findings(f"{each.title}: {kind}", kind, chosen, options.seed))
    if not found:
        raise SourceError(
            f"no kind of key concepts has {_FEWEST} topics",
            where=" and ".join(str(each.root) for each in sources),
            remedy="give a corpus with attributes or labels and people of several pages, or "
            "--keyphrases ZIP",
        )
    signature = [each.signature for each in sources]
    signature += [f"pages:{options.pages}"] if options.corpus else []
    signature += [f"seed:{options.seed}"]
    if any(each.tagged for each in sources):
        signature.append(f"language:{pipeline_version(reader_from_options(options).language)}")
    return Result(
        " and ".join(each.title for each in sources),
        [(each, judge_claims(CLAIMS, each)) for each in found],
        [],
        [*(remark for each in sources for remark in each.remarks), *_remarks(found)],
        "|".join([*signature, f"weps:{VERSION}"]),
        options.line,
    )


def _remarks(found: Sequence[Findings]) -> Iterator[str]:
    yield (
        "A term and a word of a concept are the same if they are, in lower case and plurals undone "
        "by their ending; stop words and numbers are part of no concept. The reference collection "
        "is all other documents of the same data."
    )
    for few in sorted({len(each.topics) for each in found}):
        yield from rough_intervals(few)


def _read_sources(options: argparse.Namespace, console: Console) -> Iterator[_Documents]:
    """Everything that is to be studied.

    Raises:
        SourceError: if nothing is given, or it cannot be read.
    """
    if options.corpus is None and not options.keyphrases:
        raise SourceError("no topics to study", remedy="give CORPUS or --keyphrases ZIP")
    if options.corpus is not None:
        yield _read_corpus(options, console)
    for path in options.keyphrases:
        yield _read_archive(path, options, console)


def _read_corpus(options: argparse.Namespace, console: Console) -> _Documents:
    """The pages of every name; people are topics.

    Raises:
        SourceError: if no name has the text of its pages.
    """
    corpus = open_corpus(options.corpus, options.exclude)
    form = min(corpus.forms.values(), key=list(PageForm).index)
    if form is PageForm.RESULTS:
        raise SourceError(
            "no name has the text of its pages",
            where=corpus.source.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    names = [name for name in corpus.names if corpus.forms[name] is form]
    warn_of_duplicates(corpus.source, names, console)
    work = partial(
        people_of,
        source=corpus.source,
        form=form,
        reader=reader_from_options(options),
        fewest=options.pages,
    )
    batches = []
    for name, each in zip(names, parallel_map(work, names, options.jobs), strict=True):
        batches.append(each)
        console.write_status(f"[{len(batches)}/{len(names)}] {name}: read")
    remarks = [
        f"{corpus.title}: people with {options.pages} pages or more of {len(names)} names are "
        "topics. Every value of an attribute that annotators found on their pages is a key "
        f"concept, but for {', '.join(sorted(LEFT_OUT))}; so is every word of a label in the key. "
        "Words of the name are not."
    ]
    if form is not PageForm.PAGES:
        remarks.append(
            f"{corpus.title}: {FORM_TITLES[form]} are at hand, so that nothing is known of "
            "sentences and only weightings that need no parts of speech are studied."
        )
    if left_out := sorted(set(corpus.names) - set(names)):
        remarks.append(f"Left out, because less is at hand: {', '.join(left_out)}.")
    return _Documents(
        corpus.title,
        corpus.source.root,
        batches,
        form is PageForm.PAGES,
        f"corpus:sha256-{corpus.source.digest(names)[:8]}|form:{form}",
        remarks,
    )


def _read_archive(path: Path, options: argparse.Namespace, console: Console) -> _Documents:
    """Documents with key phrases; each is a topic, and so is each of their sections.

    Raises:
        SourceError: see :func:`~eval.studies.key_terms.sources.articles_of`.
    """
    articles = articles_of(path)
    sections = sections_of(articles)
    work = partial(read_section, reader=reader_from_options(options))
    batches = []
    read = parallel_map(work, sections, options.jobs)
    for (section, members), each in zip(sections, read, strict=True):
        batches.append(each)
        progress = f"[{len(batches)}/{len(sections)}]"
        console.write_status(f"{progress} {len(members)} documents {section}: read")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    remark = f"{path.stem}: {len(articles):,} documents with key phrases are topics."
    if any(section for section, _ in sections):
        remark += (
            " So are its sections, whose key concepts are those named for two documents or more; "
            "a section is a field, no story, and its documents have less in common "
            "than the paper's."
        )
    return _Documents(path.stem, path, batches, True, f"keyphrases:sha256-{digest}", [remark])


def _show(result: Result[Any], shown: Iterable[Table], console: Console) -> None:
    """Print remarks, tables without notes, and the signature."""
    console.write("\n".join(result.remarks))
    for table in shown:
        console.write()
        write_table(replace(table, note=""), console)
    console.write(result.signature)


STUDY = Study(_add_options, _find, tables, document, data, show=_show)
add_arguments, run_command = STUDY.add_options, STUDY.run
