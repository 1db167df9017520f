"""``weps study key-terms``: where key concepts stand, and which weightings find them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.commands.loading import add_corpus_options
from eval.commands.study_key_terms_data import Collected, collected_archive, collected_corpus
from eval.document import Table, write_document
from eval.figures import available
from eval.judging.remarks import rough_intervals
from eval.key_term_study.conclusions import judged
from eval.key_term_study.data import study_data
from eval.key_term_study.document import Study, document
from eval.key_term_study.findings import Findings
from eval.key_term_study.tables import (
    data_table,
    distance_table,
    overview_table,
    pairs_table,
    recall_table,
)
from eval.key_term_study.topics import Topic, studied
from weps.commands.console import Console
from weps.commands.options import (
    add_json,
    check_writable,
    whole_number,
    write_json,
)
from weps.commands.reading import reader_of
from weps.errors import SourceError
from weps.language.pipeline import version as language_version
from weps.placing import make_folder
from weps.tables import aligned
from weps.version import VERSION

__all__ = ["arguments", "run"]

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
        type=whole_number,
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
    console.say("\n\n".join(_blocks(study)))
    write_json(options.json, study_data(study))
    if options.report:
        _write_report(study, options.report, console)
    return 0


def _study(options: argparse.Namespace, console: Console) -> Study:
    everything = list(_collected(options, console))
    found: list[Findings] = []
    for each in everything:
        topics = list(studied(each.batches, console.progress))
        found += _findings(each, topics, options.seed)
    if not found:
        raise SourceError(
            f"no kind of key concepts has {_FEWEST} topics",
            where=" and ".join(str(each.root) for each in everything),
            remedy="give a corpus with attributes or labels and people of several pages, or "
            "--keyphrases ZIP",
        )
    return Study(
        [(each, judged(each)) for each in found],
        [*(remark for each in everything for remark in each.remarks), *_remarks(found)],
        _signature(everything, options),
        options.line,
    )


def _collected(options: argparse.Namespace, console: Console) -> Iterator[Collected]:
    """Everything that is to be studied, read.

    Raises:
        SourceError: if nothing is given.
    """
    if options.corpus is None and not options.keyphrases:
        raise SourceError("there is nothing to study", remedy="give CORPUS or --keyphrases ZIP")
    if options.corpus is not None:
        yield collected_corpus(options, console)
    for path in options.keyphrases:
        yield collected_archive(path, reader_of(options), options.jobs, console)


def _findings(collected: Collected, topics: Sequence[Topic], seed: int) -> Iterator[Findings]:
    """Those of each kind of topics, if there are enough of them."""
    for kind in dict.fromkeys(topic.kind for topic in topics):
        chosen = tuple(topic for topic in topics if topic.kind == kind)
        if len(chosen) >= _FEWEST:
            yield Findings(f"{collected.title}: {kind}", kind, chosen, seed)


def _remarks(found: Sequence[Findings]) -> Iterator[str]:
    yield (
        "A term and a word of a concept are the same if they are, in lower case and plurals undone "
        "by their ending; stop words and numbers are part of no concept. The reference collection "
        "is all other documents of the same data."
    )
    for few in sorted({len(each.topics) for each in found}):
        yield from rough_intervals(few)


def _signature(everything: Sequence[Collected], options: argparse.Namespace) -> str:
    """All that decides the figures, in one line."""
    parts = [each.signature for each in everything]
    parts += [f"pages:{options.pages}"] if options.corpus else []
    parts += [f"seed:{options.seed}"]
    if any(each.tagged for each in everything):
        parts.append(f"language:{language_version(reader_of(options).language)}")
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
    return "\n".join([table.title, *map(str.rstrip, aligned(table.rows, table.left))])


def _write_report(study: Study, folder: Path, console: Console) -> None:
    if not available():
        console.warn("figures are left out: they need matplotlib; pip install 'weps[plots]'")
    *others, index = write_document(document(study), folder)
    console.say(f"report: {index}, with {len(others)} files beside it")
