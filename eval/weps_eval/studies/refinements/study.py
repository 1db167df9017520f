"""``weps study refinements``: the best thing to add to a name, for every person of a corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from weps._parallel import parallel_map
from weps.cli.console import Console
from weps.cli.options import add_json, choice_parser, reader_from_options
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.language.spacy_pipeline import pipeline_version
from weps.page_forms import PageForm
from weps_eval.benchmark.corpus import FORM_TITLES, Corpus, open_corpus
from weps_eval.benchmark.options import add_corpus_options, warn_of_duplicates
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import Result, Study, show_plainly
from weps_eval.studies.options import add_choice
from weps_eval.studies.refinements.claims import CLAIMS, sample_size
from weps_eval.studies.refinements.findings import (
    CollectedResults,
    Findings,
    Person,
    Plan,
    people_of,
    unjudged_ranks,
)
from weps_eval.studies.refinements.report import data, document, tables
from weps_eval.studies.refinements.search import kinds_for_form, layers_of_kinds

_FORMS = tuple(form for form in PageForm if kinds_for_form(form))
_COLLECTED_REMARKS = {
    CollectedResults.ALL: "All results count; those that the key does not group are about nobody.",
    CollectedResults.JUDGED: "All results that annotators judged count; those that they discarded "
    "are about nobody.",
    CollectedResults.GROUPED: "Only results that the key groups count, none that it discards.",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="names with pages and keys")
    parser.add_argument(
        "--form",
        type=choice_parser(_FORMS),
        choices=list(_FORMS),
        help="use only this much of the pages (default: the most that any name has); names with "
        "less are left out",
    )
    add_choice(
        parser,
        "--pages",
        CollectedResults.JUDGED,
        "results that count: all of them; those that annotators judged, including discarded ones; "
        "or those that the key groups",
    )
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="also write a document with all tables and figures",
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    corpus = open_corpus(options.corpus, options.exclude)
    form = options.form or corpus.richest_form
    names = _names(corpus, form)
    plan = Plan(form, reader_from_options(options), options.pages)
    people = tuple(_people(corpus, names, plan, options.jobs, console))
    findings = Findings(tuple(names), people, options.seed, corpus.title, form)
    language = None
    if layers_of_kinds(plan.kinds):
        language = pipeline_version(plan.reader.language)
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        list(_remarks(corpus, names, plan)),
        title=corpus.title,
        digest=f"corpus:sha256-{corpus.source.digest(names)[:8]}",
        sample="names",
        language=language,
        names=len(names),
        form=form,
        pages=plan.collected,
    )


def _names(corpus: Corpus, form: PageForm) -> list[str]:
    """The names of whose pages enough is available."""
    known = corpus.names_with(form)
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
    corpus: Corpus, names: Sequence[str], plan: Plan, jobs: int, console: Console
) -> Iterator[Person]:
    source = corpus.source
    warn_of_duplicates(source, names, console.warn)
    work = partial(people_of, source=source, plan=plan)
    progress = TimedProgress(console, jobs)
    for number, people in enumerate(parallel_map(work, names, jobs), start=1):
        progress("searching refinements", number, len(names))
        for warning in source.warnings(names[number - 1]):
            console.warn(warning)
        yield from people


def _remarks(corpus: Corpus, names: Sequence[str], plan: Plan) -> Iterator[str]:
    unseen = sum(len(unjudged_ranks(corpus.source, name)) for name in names)
    more = f" {unseen} results that annotators did not judge are left out." if unseen else ""
    yield _COLLECTED_REMARKS[plan.collected] + more * (plan.collected is CollectedResults.JUDGED)
    yield (
        "A page about several people belongs to each of them. A page without text is returned by "
        "no refinement; if it belongs to the person, it lowers recall."
    )
    if left_out := sorted(set(corpus.names) - set(names)):
        less = f"less than {FORM_TITLES[plan.form]} is available"
        yield f"Left out, because {less}: {', '.join(left_out)}."


STUDY = Study(_add_options, _find, tables, document, data, show=show_plainly)
add_arguments, run_command = STUDY.add_options, STUDY.run
