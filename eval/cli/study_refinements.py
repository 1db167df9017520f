"""``weps study refinements``: the best thing to add to a name, for every person of a corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from eval.benchmark.corpus import FORM_TITLES, Corpus, duplicate_keys, open_corpus
from eval.benchmark.options import add_corpus_options
from eval.report.claims import rough_intervals
from eval.report.render import write_report
from eval.studies.refinements.claims import assess_claims
from eval.studies.refinements.findings import Findings
from eval.studies.refinements.people import (
    CollectedResults,
    Person,
    Plan,
    people_of,
    unjudged_ranks,
)
from eval.studies.refinements.report import (
    Study,
    best_attributes_table,
    build_document,
    conclusions_table,
    kinds_tables,
    study_data,
    together_tables,
    typed_table,
)
from weps._files import make_folder
from weps._formatting import align_table
from weps._parallel import parallel_map
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import (
    add_json,
    check_writable,
    choice_parser,
    reader_from_options,
    write_json,
)
from weps.errors import SourceError
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps.page_forms import PageForm
from weps.refinement.search import kinds_for_form, layers_of_kinds

__all__ = ["arguments", "run"]

_FORMS = tuple(form for form in PageForm if kinds_for_form(form))
_COLLECTED_REMARKS = {
    CollectedResults.ALL: "Every result counts; those that the key does not group are about "
    "nobody.",
    CollectedResults.JUDGED: "Every result counts that annotators looked at; those that they "
    "discarded "
    "are about nobody.",
    CollectedResults.GROUPED: "Only results count that the key groups, none that it discards.",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="names with pages and keys")
    parser.add_argument(
        "--form",
        type=choice_parser(_FORMS),
        choices=list(_FORMS),
        help="study the pages as if only that were at hand (default: the most that any name has); "
        "names with less are left out",
    )
    parser.add_argument(
        "--pages",
        type=choice_parser(CollectedResults),
        choices=list(CollectedResults),
        default=CollectedResults.JUDGED,
        help="results that count: all of them; those that annotators looked at, discarded ones "
        "among them; or those that the key groups (default: judged)",
    )
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument("--report", type=Path, metavar="DIR", help="also write all as a document")


def run(options: argparse.Namespace, console: Console) -> int:
    """Search the best refinements of all people, print the tables, write what is asked for."""
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
    corpus = open_corpus(options.corpus, options.exclude)
    form = options.form or min(corpus.forms.values(), key=list(PageForm).index)
    names = _names(corpus, form)
    plan = Plan(form, reader_from_options(options), options.pages)
    findings = Findings(
        tuple(names), tuple(_people(corpus, names, plan, options, console)), options.seed
    )
    return Study(
        corpus.title,
        form,
        findings,
        assess_claims(findings),
        list(_remarks(corpus, names, plan)),
        _signature(corpus, names, plan, options.seed),
        options.line,
    )


def _names(corpus: Corpus, form: PageForm) -> list[str]:
    """The names of whose pages enough is at hand.

    Raises:
        SourceError: if there are none.
    """
    richest_first = list(PageForm)
    known = [
        name
        for name in corpus.names
        if richest_first.index(corpus.forms[name]) <= richest_first.index(form)
    ]
    if form not in _FORMS or not known:
        raise SourceError(
            "no name has the text of its pages"
            if form not in _FORMS
            else f"no name has {FORM_TITLES[form]}",
            where=corpus.source.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    return known


def _people(
    corpus: Corpus, names: Sequence[str], plan: Plan, options: argparse.Namespace, console: Console
) -> Iterator[Person]:
    source = corpus.source
    for first, second in duplicate_keys({name: key for name in names if (key := source.key(name))}):
        console.warn(
            f"the keys of {first} and {second} are nearly the same: one of them is in the wrong "
            "file; leave that name out with --exclude"
        )
    work = partial(people_of, source=source, plan=plan)
    for number, people in enumerate(parallel_map(work, names, options.jobs), start=1):
        name = names[number - 1]
        console.write_status(f"[{number}/{len(names)}] {name}: {len(people)} people")
        for warning in source.warnings(name):
            console.warn(warning)
        yield from people


def _remarks(corpus: Corpus, names: Sequence[str], plan: Plan) -> Iterator[str]:
    """Remarks on how the study was made."""
    unseen = sum(len(unjudged_ranks(corpus.source, name)) for name in names)
    more = f" {unseen} results that nobody looked at are left out." if unseen else ""
    yield _COLLECTED_REMARKS[plan.collected] + more * (plan.collected is CollectedResults.JUDGED)
    yield (
        "A page about several people is each one's. A page without text is returned by no "
        "refinement, and is missed where it is the person's."
    )
    if left_out := sorted(set(corpus.names) - set(names)):
        told = ", ".join(left_out)
        yield f"Left out, because less than {FORM_TITLES[plan.form]} is at hand: {told}."
    yield from rough_intervals(len(names))


def _signature(corpus: Corpus, names: Sequence[str], plan: Plan, seed: int) -> str:
    """The settings that determine the figures, in one line."""
    parts = [
        f"corpus:sha256-{corpus.source.digest(names)[:8]}",
        f"names:{len(names)}",
        f"form:{plan.form}",
        f"pages:{plan.collected}",
        f"seed:{seed}",
    ]
    if layers_of_kinds(plan.kinds):
        parts.append(f"language:{language_version(plan.reader.language)}")
    return "|".join([*parts, f"weps:{VERSION}"])


def _blocks(study: Study) -> Iterator[str]:
    """Tables for the terminal."""
    findings = study.findings
    yield "\n".join(study.remarks)
    tables = [*kinds_tables(findings), *together_tables(findings)]
    if "best-ae" in findings.kinds:
        tables.append(best_attributes_table(findings))
    for table in [*tables, typed_table(findings)]:
        yield "\n".join([table.title, *map(str.rstrip, align_table(table.rows)), table.note])
    verdicts = [row[:3] for row in conclusions_table(study).rows]
    yield "\n".join([*map(str.rstrip, align_table(verdicts, left=3)), study.signature])
