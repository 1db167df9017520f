"""What a benchmark has found: scored, printed, and written as JSON."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from eval.benchmark import Examples, baselines, judge_all
from eval.commands.loading import Corpus
from eval.judge import judge_for
from eval.published import COUNTERPARTS, Setting, differing, table_2
from eval.results import (
    Results,
    as_data,
    differences,
    differences_data,
    differences_table,
    names_table,
    systems_table,
)
from eval.systems import Answers, Columns, Systems
from weps.commands.console import Console
from weps.commands.options import write_json
from weps.commands.reading import reader_of
from weps.features import features
from weps.forms import Form, offered
from weps.similarity import layers_of

__all__ = ["PAGES", "Outcome", "absent_lines", "counted", "judged_pairs", "report", "title"]

_TITLES = {"weps-1": "WePS-1", "weps-2": "WePS-2", "folder": "saved pages"}
PAGES = {
    Form.PAGES: "whole pages",
    Form.TOKENS: "content words without case",
    Form.RESULTS: "search results only",
}
"""What is at hand of pages of a form, in words."""
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers of several systems for the names of a corpus."""

    systems: Systems
    answers: Mapping[str, Answers]
    """System → name → answer."""
    corpus: Corpus
    pairs: int
    """Judged pairs of pages of these names."""
    how: str
    """How the systems came about, for the signature."""
    learnt_on: str
    """The same in words."""

    @property
    def forms(self) -> dict[Form, int]:
        """Form → how many names have pages of it, richest first."""
        return counted(self.corpus.forms.values())


def counted(forms: Iterable[Form]) -> dict[Form, int]:
    """Form → how often it occurs, richest first."""
    counts = Counter(forms)
    return {form: counts[form] for form in Form if form in counts}


def title(corpus: Corpus) -> str:
    """What the corpus is called in print."""
    return _TITLES[corpus.source.layout]


def judged_pairs(examples: Examples) -> int:
    """Pairs of pages that both stand in the key, over all names."""
    one_each = (next(iter(by_form.values())) for by_form in examples.values() if by_form)
    return sum(int(each.judged()[0].sum()) for each in one_each)


def report(outcome: Outcome, options: argparse.Namespace, console: Console) -> int:
    """Score the answers beside the baselines; print tables, write JSON."""
    results = _scored(outcome, options)
    first, *others = outcome.systems.wanted
    found = differences(results, [first, *others])
    blocks = [
        names_table(results, first),
        [*systems_table(results), results.signature],
        differences_table(found, first) if found else [],
        list(absent_lines(outcome.systems, outcome.forms)),
        *([table_2(results), differing(_setting(outcome))] if _stands_for(outcome) else []),
    ]
    console.say("\n\n".join("\n".join(block) for block in blocks if block))
    write_json(options.json, _data(outcome, results, differences_data(found, first)))
    return 0


def absent_lines(systems: Systems, forms: Mapping[Form, int]) -> Iterator[str]:
    """For each form, which features its pages do without, and which systems that makes equal."""
    for form, names in forms.items():
        if absent := _features(systems.absent(form)):
            yield from _wrapped(f"not used for {form} ({_names(names)}):", absent)
        used = systems.used(form)
        yield from (f"  {name} has nothing to compare {form} by" for name in used if not used[name])
        for group in systems.alike(form):
            yield f"  {' = '.join(group)} for {form}: the same {len(used[group[0]])} similarities"


def _wrapped(heading: str, features: list[str]) -> list[str]:
    """Heading and features in lines of bearable length, no feature broken."""
    unbroken = ", ".join(each.replace(" ", "\0") for each in features)
    lines = wrap(f"{heading} {unbroken}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _names(number: int) -> str:
    return f"{number} name{'s' * (number != 1)}"


def _features(columns: Mapping[str, Columns]) -> list[str]:
    """The features behind the similarities of all systems, in the order of the registry."""
    found = {each.feature for of_one in columns.values() for each in of_one}
    return [str(each) for each in features() if each in found]


def _stands_for(outcome: Outcome) -> dict[str, str]:
    """Feature sets that ran → the systems of the paper that they stand for."""
    ran = outcome.systems.wanted
    return {ours: theirs for ours, theirs in COUNTERPARTS.items() if ours in ran}


def _scored(outcome: Outcome, options: argparse.Namespace) -> Results:
    source, names = outcome.corpus.source, sorted(outcome.corpus.forms)
    judge = judge_for(source, options.scorer)
    systems = {
        system: judge_all({name: answers[name] for name in names}, source, judge)
        for system, answers in outcome.answers.items()
    }
    parts = [judge.signature(source, names), outcome.how, *_reading(outcome, options)]
    return Results("|".join(parts), {**systems, **baselines(names, source, judge)})


def _reading(outcome: Outcome, options: argparse.Namespace) -> Iterator[str]:
    """What the signature says of features and language."""
    if options.common_features:
        yield "features:common"
    used = (offered(outcome.systems.union, form) for form in outcome.forms)
    if any(map(layers_of, used)):
        from weps.language.pipeline import version  # noqa: PLC0415 - only layers need it

        yield f"language:{version(reader_of(options).language)}"


def _setting(outcome: Outcome) -> Setting:
    """The circumstances in the words of the paper's."""
    systems, forms = outcome.systems, outcome.forms
    every = sum(forms.values())
    return Setting(
        answered_for=f"{_names(every)} of {title(outcome.corpus)}, {outcome.pairs:,} pairs",
        learnt_on=outcome.learnt_on,
        pages=", ".join(
            PAGES[form] + (f" ({_names(names)})" if len(forms) > 1 else "")
            for form, names in forms.items()
        ),
        similarities=", ".join(
            f"{len(systems.wanted[ours])} in {theirs}"
            for ours, theirs in _stands_for(outcome).items()
        ),
        not_used=", ".join(_lacks(systems, forms)) or "none",
    )


def _lacks(systems: Systems, forms: Iterable[Form]) -> Iterator[str]:
    """For each form that lacks something, how much of everything that is wanted."""
    for form in forms:
        wanted = {each for columns in systems.wanted.values() for each in columns}
        if lacking := {each for columns in systems.absent(form).values() for each in columns}:
            yield f"{len(lacking)} of {len(wanted)} similarities for {form}"


def _data(outcome: Outcome, results: Results, comparisons: list[dict[str, Any]]) -> dict[str, Any]:
    """The results as JSON holds them, with what each system used (docs/output.md)."""
    data = as_data(results)
    for key, held in (
        ("similarities", outcome.systems.used),
        ("absent", outcome.systems.absent),
    ):
        for form in outcome.forms:
            for system, columns in held(form).items():
                data["systems"][system].setdefault(key, {})[str(form)] = list(map(str, columns))
    forms = {name: str(form) for name, form in sorted(outcome.corpus.forms.items())}
    return {**data, "forms": forms, "comparisons": comparisons}
