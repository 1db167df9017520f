"""``weps study key-terms``: where key concepts stand, and which weightings find them.

What the key-term study is made of: a corpus of names, archives of documents.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eval.benchmark.corpus import FORM_TITLES, Corpus, duplicate_keys, open_corpus
from eval.cli.options import add_corpus_options
from eval.report.claims import rough_intervals
from eval.report.render import write_report
from eval.report.tables import Table
from eval.studies.key_terms.claims import assess_claims
from eval.studies.key_terms.findings import Findings
from eval.studies.key_terms.report import (
    Study,
    build_document,
    data_table,
    distance_table,
    overview_table,
    pairs_table,
    recall_table,
    study_data,
)
from eval.studies.key_terms.sources import (
    LEFT_OUT,
    Article,
    Plan,
    articles_of,
    people_of,
    read_section,
    sections_of,
)
from eval.studies.key_terms.topics import ReadDocuments, Topic, study_topics
from weps._files import make_folder
from weps._formatting import align_table
from weps._parallel import parallel_map
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import (
    add_json,
    check_writable,
    parse_whole_number,
    reader_from_options,
    write_json,
)
from weps.errors import SourceError
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps.page_forms import PageForm
from weps.reading import Reader

__all__ = ["CollectedDocuments", "arguments", "collect_archive", "collect_corpus", "run"]


@dataclass(frozen=True, slots=True, eq=False)
class CollectedDocuments:
    """Documents that have been read, with their topics."""

    title: str
    root: Path
    batches: Sequence[ReadDocuments]
    tagged: bool
    """Whether parts of speech are known."""
    signature: str
    remarks: Sequence[str] = ()


def collect_corpus(options: argparse.Namespace, console: Console) -> CollectedDocuments:
    """Read the pages of every name; people are topics.

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
    _warn_of_duplicates(corpus, names, console)
    work = partial(
        people_of,
        source=corpus.source,
        plan=Plan(form, reader_from_options(options), options.pages),
    )
    batches = []
    for name, each in zip(names, parallel_map(work, names, options.jobs), strict=True):
        batches.append(each)
        console.write_status(f"[{len(batches)}/{len(names)}] {name}: read")
    return CollectedDocuments(
        corpus.title,
        corpus.source.root,
        batches,
        form is PageForm.PAGES,
        f"corpus:sha256-{corpus.source.digest(names)[:8]}|form:{form}",
        _corpus_remarks(corpus, names, options.pages, form),
    )


def _warn_of_duplicates(corpus: Corpus, names: Sequence[str], console: Console) -> None:
    keys = {name: key for name in names if (key := corpus.source.key(name))}
    for first, second in duplicate_keys(keys):
        console.warn(
            f"the keys of {first} and {second} are nearly the same: one of them is in the wrong "
            "file; leave that name out with --exclude"
        )


def _corpus_remarks(corpus: Corpus, names: Sequence[str], pages: int, form: PageForm) -> list[str]:
    told = [
        f"{corpus.title}: people with {pages} pages or more of {len(names)} names are topics. "
        "Every value of an attribute that annotators found on their pages is a key concept, but "
        f"for {', '.join(sorted(LEFT_OUT))}; so is every word of a label in the key. Words of the "
        "name are not."
    ]
    if form is not PageForm.PAGES:
        told.append(
            f"{corpus.title}: {FORM_TITLES[form]} are at hand, so that nothing is known of "
            "sentences and "
            "only weightings that need no parts of speech are studied."
        )
    if left_out := sorted(set(corpus.names) - set(names)):
        told.append(f"Left out, because less is at hand: {', '.join(left_out)}.")
    return told


def collect_archive(path: Path, reader: Reader, jobs: int, console: Console) -> CollectedDocuments:
    """Read documents with key phrases; each is a topic, and so is each of their sections.

    Raises:
        SourceError: see :func:`~eval.studies.key_terms.sources.articles_of`.
    """
    articles = articles_of(path)
    sections = sections_of(articles)
    work = partial(_read_section, sections=sections, reader=reader)
    batches = []
    for number, each in enumerate(parallel_map(work, range(len(sections)), jobs)):
        batches.append(each)
        name, held = sections[number]
        console.write_status(f"[{len(batches)}/{len(sections)}] {len(held)} documents {name}: read")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    told = f"{path.stem}: {len(articles):,} documents with key phrases are topics."
    if any(name for name, _ in sections):
        told += (
            " So are its sections, whose key concepts are those named for two documents or more; "
            "a section is a field, no story, and its documents have less in common "
            "than the paper's."
        )
    return CollectedDocuments(path.stem, path, batches, True, f"keyphrases:sha256-{digest}", [told])


def _read_section(
    number: int, sections: Sequence[tuple[str, Sequence[Article]]], reader: Reader
) -> ReadDocuments:
    return read_section(*sections[number], reader)


_PAGES = 3
_FEWEST = 2
"""Topics without which there are no intervals."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
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
    parser.add_argument(
        "--pages",
        type=parse_whole_number,
        default=_PAGES,
        metavar="N",
        help=f"a person with fewer pages is no topic (default: {_PAGES})",
    )
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument("--report", type=Path, metavar="DIR", help="also write all as a document")


def run(options: argparse.Namespace, console: Console) -> int:
    """Study the topics, print the tables, write what is asked for."""
    check_writable(options.json)
    if options.report:
        make_folder(options.report)
    study = _study(options, console)
    console.write("\n\n".join(_blocks(study)))
    write_json(options.json, study_data(study))
    if options.report:
        write_report(build_document(study), options.report, console)
    return 0


def _study(options: argparse.Namespace, console: Console) -> Study:
    everything = list(_collect_sources(options, console))
    found: list[Findings] = []
    for each in everything:
        topics = list(study_topics(each.batches, console.write_status))
        found += _findings(each, topics, options.seed)
    if not found:
        raise SourceError(
            f"no kind of key concepts has {_FEWEST} topics",
            where=" and ".join(str(each.root) for each in everything),
            remedy="give a corpus with attributes or labels and people of several pages, or "
            "--keyphrases ZIP",
        )
    return Study(
        [(each, assess_claims(each)) for each in found],
        [
            *(remark for each in everything for remark in each.remarks),
            *_remarks_study_key_terms(found),
        ],
        _signature(everything, options),
        options.line,
    )


def _collect_sources(options: argparse.Namespace, console: Console) -> Iterator[CollectedDocuments]:
    """Everything that is to be studied, read.

    Raises:
        SourceError: if nothing is given.
    """
    if options.corpus is None and not options.keyphrases:
        raise SourceError("no topics to study", remedy="give CORPUS or --keyphrases ZIP")
    if options.corpus is not None:
        yield collect_corpus(options, console)
    for path in options.keyphrases:
        yield collect_archive(path, reader_from_options(options), options.jobs, console)


def _findings(
    collected: CollectedDocuments, topics: Sequence[Topic], seed: int
) -> Iterator[Findings]:
    """Those of each kind of topics, if there are enough of them."""
    for kind in dict.fromkeys(topic.kind for topic in topics):
        chosen = tuple(topic for topic in topics if topic.kind == kind)
        if len(chosen) >= _FEWEST:
            yield Findings(f"{collected.title}: {kind}", kind, chosen, seed)


def _remarks_study_key_terms(found: Sequence[Findings]) -> Iterator[str]:
    yield (
        "A term and a word of a concept are the same if they are, in lower case and plurals undone "
        "by their ending; stop words and numbers are part of no concept. The reference collection "
        "is all other documents of the same data."
    )
    for few in sorted({len(each.topics) for each in found}):
        yield from rough_intervals(few)


def _signature(everything: Sequence[CollectedDocuments], options: argparse.Namespace) -> str:
    """The settings that determine the figures, in one line."""
    parts = [each.signature for each in everything]
    parts += [f"pages:{options.pages}"] if options.corpus else []
    parts += [f"seed:{options.seed}"]
    if any(each.tagged for each in everything):
        parts.append(f"language:{language_version(reader_from_options(options).language)}")
    return "|".join([*parts, f"weps:{VERSION}"])


def _blocks(study: Study) -> Iterator[str]:
    """Tables for the terminal."""
    several = [findings for findings, _ in study.collections]
    yield "\n".join(study.remarks)
    yield _block(data_table(several))
    for findings in several:
        tables = [distance_table(findings, ""), pairs_table(findings, "")] * findings.tagged
        for table in [*tables, recall_table(findings, "")]:
            yield f"{findings.title}\n{_block(table)}"
    verdicts = overview_table([(each.title, found) for each, found in study.collections])
    yield f"{_block(verdicts)}\n{study.signature}"


def _block(table: Table) -> str:
    return "\n".join([table.title, *map(str.rstrip, align_table(table.rows, table.left))])
