"""``weps study refinements``: the best thing to add to a name, for every person of a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, product
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from weps import errors, reading
from weps._options import cli_argument, cli_option
from weps._parallel import report_map
from weps.language.spacy_pipeline import pipeline_version
from weps_eval.benchmark.corpus import FORM_TITLES, CorpusOptions, duplicate_keys, open_corpus
from weps_eval.key_terms.refinements import (
    AGGREGATES,
    ATTRIBUTE_LOOKUP,
    ATTRIBUTES,
    FURTHER_ATTRIBUTES,
    KINDS_BY_FORM,
    SIZES,
    SUGGESTED,
    UNREFINED_NAME,
    WORDS,
    CollectedResults,
    PeopleFigures,
    Person,
    people_of,
    unjudged_ranks,
)
from weps_eval.report.tables import (
    SIGNED_ESTIMATE,
    TWO,
    Claim,
    Kind,
    SampleSize,
    Verdict,
    as_json,
    or_blank,
    worst_verdict,
)
from weps_eval.stats import Estimate, Floats
from weps_eval.studies.frames import Frame, Frames, Heading, Part, Row, TableOf, claimed
from weps_eval.studies.running import Study, StudySettings

_ONE, _TWO, _MORE = SIZES
_IN_WORDS = {size: f"{size} page{'s' * (size != _ONE)}" for size in SIZES}
_GOOD = 0.85
"""A mean F that may be called very good; the paper calls .89 so."""
_PERFECT = 0.9
"""An F that may be called near-perfect."""
_PRECISE = 0.9
"""A mean precision that may be called very precise; the paper's are .97 and more."""
_APART = 0.2
"""How far recall must be below precision to be called low; in the paper .35 and .50."""
_ALIKE = 0.02
"""The paper's best refinement differs by .01 from the best token or n-gram at most."""
_HARDEST = 40
"""People in the table of the hardest."""
_FORM_REMARKS = {
    reading.PageForm.PAGES: (
        "whole pages; n-grams of words within a sentence, without punctuation and with stop words "
        "inside but not at the ends",
        "by the English pipeline of weps, without the name searched for and persons of one word",
    ),
    reading.PageForm.TOKENS: (
        "lists of content words as lower-case lemmas, without the name; n-grams span dropped "
        "words, and continue into title, snippet and address at the end of the lists",
        "none, since lists of words do not show them",
    ),
}
"""What is available of the pages, and how entities are found."""
_COLLECTED_REMARKS = {
    CollectedResults.ALL: "All results count; those that the key does not group are about nobody.",
    CollectedResults.JUDGED: "All results that annotators judged count; those that they discarded "
    "are about nobody.",
    CollectedResults.GROUPED: "Only results that the key groups count, none that it discards.",
}


@dataclass(frozen=True, kw_only=True)
class RefinementSettings(StudySettings, CorpusOptions):
    """Settings of the study."""

    form: reading.PageForm | None = cli_option(
        "use only this much of the pages (default: the most that any name has); names with less "
        "are left out",
        choices=tuple(KINDS_BY_FORM),
    )
    pages: CollectedResults = cli_option(
        "results that count: all of them; those that annotators judged, including discarded ones; "
        "or those that the key groups",
        CollectedResults.JUDGED,
    )


@dataclass(frozen=True, kw_only=True)
class RefinedPeople:
    """The people of names with their best refinements."""

    title: str
    """Title of the corpus."""
    digest: str
    names: Sequence[str]
    """Names searched for, which are resampled."""
    people: Sequence[Person]
    form: reading.PageForm
    """What the pages were read as."""
    remarks: Sequence[str] = ()
    signature: Mapping[str, object] = field(default_factory=dict)


def read_source(source: Path, settings: RefinementSettings) -> RefinedPeople:
    """The people of a corpus, with their best refinements of every kind.

    Raises:
        SourceError: if the pages of no name have text.
    """
    corpus = open_corpus(source, settings.exclude)
    form, pages = settings.form or corpus.richest_form, corpus.source
    names = corpus.names_with(form)
    if form not in KINDS_BY_FORM or not names:
        wanted = FORM_TITLES[form] if form in KINDS_BY_FORM else "the text of its pages"
        raise errors.SourceError(
            f"no name has {wanted}",
            where=pages.root,
            remedy="give a corpus with web_pages or tokens, or folders of saved pages with keys",
        )
    remarks = list(duplicate_keys(pages, names))
    reader = settings.reader()
    work = partial(people_of, source=pages, form=form, reader=reader, collected=settings.pages)
    people: list[Person] = []
    found = report_map(work, names, settings.jobs, settings.progress, "searching refinements")
    for name, some in zip(names, found, strict=True):
        remarks += pages.warnings(name)
        people += some
    unseen = sum(len(unjudged_ranks(pages, name)) for name in names)
    counted = _COLLECTED_REMARKS[settings.pages]
    if unseen and settings.pages is CollectedResults.JUDGED:
        counted += f" {unseen} results that annotators did not judge are left out."
    remarks += [
        counted,
        "A page about several people belongs to each of them. A page without text is returned by "
        "no refinement; if it belongs to the person, it lowers recall.",
    ]
    if left_out := ", ".join(sorted(set(corpus.names) - set(names))):
        remarks.append(f"Left out, because less than {FORM_TITLES[form]} is available: {left_out}.")
    return RefinedPeople(
        title=corpus.title,
        digest=f"corpus:sha256-{pages.digest(names)[:8]}",
        names=names,
        people=people,
        form=form,
        remarks=remarks,
        signature={
            "names": len(names),
            "form": form,
            "pages": settings.pages,
            "seed": settings.seed,
            "language": pipeline_version(reader.language)
            if form is reading.PageForm.PAGES
            else None,
        },
    )


def find_frames(data: RefinedPeople, settings: RefinementSettings) -> Frames:
    """Means of the best refinements of every kind, by the number of people's pages.

    Frames are ``means`` by size and kind; ``table-1`` to ``table-6``, with the paper's beside them;
    ``attributes``, shares of wins; ``typed``, what a user could type; ``people``, and the
    ``hardest`` of them; ``claims``, what verdicts rest on; ``data``, what differs.
    """
    people = PeopleFigures(data.names, data.people, settings.seed)
    studied = frozenset[str]().union(*(each.found for each in data.people))
    single = [kind for kind in PUBLISHED_MEANS[_ONE] if kind not in AGGREGATES]
    single += FURTHER_ATTRIBUTES
    rows = {
        (size, kind): _means_row(people, size, kind)
        for size in SIZES
        for kind in dict.fromkeys([*single, *AGGREGATES, *sorted(studied)])
    }
    facts: dict[str, Any] = {
        "names": list(data.names),
        "form": data.form,
        "corpus": data.title,
        "won": ", ".join(map(str, [(people.wins & people.of_size[size]).sum() for size in SIZES])),
    }
    tables = {}
    for number, (kinds, size) in enumerate(product((single, AGGREGATES), SIZES), start=1):
        tables[f"table-{number}"] = Frame.of_rows([rows[size, kind] for kind in kinds])
        counted, annotated = int(people.of_size[size].sum()), rows[size, "best-ae"]["studied"]
        facts[f"note-{number}"] = f"{counted} people here, {PEOPLE[size]} in the paper"
        if annotated not in {0, counted}:
            facts[f"note-{number}"] += f"; attributes were annotated for the names of {annotated}"
    shares = {
        size: [people.share(each & rows, rows * people.wins.sum(axis=0))[0] for each in people.wins]
        for size, rows in people.of_size.items()
    }
    frames = {
        "means": Frame.of_rows([rows[size, kind] for size in SIZES for kind in sorted(studied)]),
        **tables,
        "attributes": Frame.of_rows(
            [
                {"attribute": kind}
                | {size: 100 * shares[size][ATTRIBUTES.index(kind)] for size in SIZES}
                | {f"{size}, paper": of for size, of in zip(SIZES, published, strict=True)}
                for kind, published in BEST_ATTRIBUTE_SHARES.items()
                if "best-ae" in studied
            ]
        ),
        "typed": Frame.of_rows(
            [
                {
                    **rows[size, kind],
                    "kind": f"{kind}, {_IN_WORDS[size]}",
                    "ahead": ""
                    if kind == "best-all"
                    else Estimate.from_row(_ahead(people, kind, "best-all", size)),
                }
                for size in SIZES
                for kind in (UNREFINED_NAME, "best-ae", ATTRIBUTE_LOOKUP, SUGGESTED, "best-all")
                if kind in studied
            ]
        ),
        "people": Frame.of_rows(
            [
                {
                    **each._asdict(),
                    "found": {kind: best and best._asdict() for kind, best in each.found.items()},
                }
                for each in data.people
            ]
        ),
        "hardest": Frame.of_rows(_hardest_rows(data.people)),
        "claims": Frame.of_rows(list(find_claims(people, studied))),
        "data": Frame.of_rows(_data_rows(data, people)),
    }
    sample = people.sample_size(np.ones(len(data.people), bool))
    return Frames(frames, {"": sample}, data.remarks, data.signature, facts, "names")


def _means_row(people: PeopleFigures, size: str, kind: str) -> Row:
    """Means over the people who have a candidate of the kind, ours and the paper's."""
    ours, candidate = people.of_size[size], people.has_candidate(kind)
    return {
        "kind": kind,
        "size": size,
        "studied": int((ours & ~np.isnan(candidate)).sum()),
        "covered": int((ours & (candidate == 1)).sum()),
        **{
            part: Estimate.from_row(people.mean(people.figure(kind, part), ours))
            for part in ("f", "precision", "recall")
        },
        "coverage": Estimate.from_row(people.mean(candidate, ours)),
        **dict(zip(_PUBLISHED, PUBLISHED_MEANS[size].get(kind, ("",) * 4), strict=True)),
    }


def _ahead(people: PeopleFigures, first: str, second: str, size: str) -> Floats:
    """Mean of F with one kind minus F with another, over people who have both; resamples too."""
    return people.mean(people.figure(first) - people.figure(second), people.of_size[size])


def _hardest_rows(people: Sequence[Person]) -> list[Row]:
    """People with two pages or more, by the F of their best refinement."""
    known = [
        (best, each) for each in people if len(each.ranks) > 1 and (best := each.found["best-all"])
    ]
    known.sort(key=lambda each: (each[0].f, each[1].name, each[1].ranks))
    rows = []
    for best, person in known[:_HARDEST]:
        kinds = (person.found.get(kind) for kind in AGGREGATES["best-all"])
        row: Row = {
            "name": person.name.replace("_", " "),
            "person": person.label,
            "pages": len(person.ranks),
            **best._asdict(),
            "ties": sum(each.ties for each in kinds if each and each.f == best.f),
        }
        for kind in ("best-all", "best-ae", SUGGESTED):
            theirs = person.found.get(kind)
            row |= {
                kind: theirs.examples[0] if theirs else "",
                f"{kind} f": theirs.f if theirs else "",
            }
        rows.append(row)
    return rows


def _data_rows(data: RefinedPeople, people: PeopleFigures) -> list[Row]:
    """What is studied here, and what in the paper."""
    text, entities = _FORM_REMARKS[data.form]
    annotated = {person.name for person in data.people if "best-ae" in person.found}
    return [
        {"what": what, "here": here, "paper": theirs}
        for what, here, theirs in (
            ("names", f"{len(data.names)} ({data.title})", "30 (WePS-2)"),
            *(
                (f"people with {_IN_WORDS[size]}", str(people.of_size[size].sum()), str(theirs))
                for size, theirs in PEOPLE.items()
            ),
            ("people", str(len(data.people)), str(sum(PEOPLE.values()))),
            (
                "text",
                text,
                "pages as plain text; n-grams of two to five tokens without stop words at the ends",
            ),
            ("entities", entities, "by the Stanford recogniser"),
            (
                "attributes",
                f"annotated for {len(annotated)} of the names; values are equal if their words are",
                "annotated for all names",
            ),
        )
    ]


def find_claims(people: PeopleFigures, studied: frozenset[str]) -> Iterator[Row]:
    """The estimates that claims are about, with their samples; none of kinds not studied."""
    one, two, more = people.of_size.values()
    best = people.figure("best-all")
    yield _estimate("good", people.mean(best, more), people.sample_size(more, "best-all"))
    perfect = np.where(np.isnan(best), nan, best >= _PERFECT)
    for who, some in ((f"{_MORE} pages", more), ("all people", one | two | more)):
        sample = people.sample_size(some, "best-all")
        yield _estimate("perfect", people.mean(perfect, some), sample, who)
    for size, some in people.of_size.items():
        sample = people.sample_size(some, "best-nl")
        yield _estimate("words", people.mean(people.figure("best-nl"), some), sample, size)
        yield _lead("alike", people, "best-all", "best-nl", size)
    sample = people.sample_size(more, *WORDS)
    for shorter, longer in pairwise(WORDS):
        yield _estimate(
            "lengths", _ahead(people, shorter, longer, _MORE), sample, f"{shorter} − {longer}"
        )
    if "best-ae" not in studied:
        return

    candidate = people.has_candidate("best-ae")
    precision, recall = (people.figure("best-ae", part) for part in ("precision", "recall"))
    annotated = {}
    for size, some in people.of_size.items():
        annotated[size] = people.sample_size(some & ~np.isnan(candidate))
        sample = people.sample_size(some, "best-ae")
        yield _estimate("always", people.mean(candidate, some), annotated[size], size)
        yield _estimate("precise", people.mean(precision, some), sample, size)
        if size != _ONE:
            yield _estimate("recall", people.mean(precision - recall, some), sample, size)
    fewer = people.mean(candidate, more) - people.mean(candidate, one)
    yield _estimate("fewer", fewer, min(annotated[_MORE], annotated[_ONE]))
    wins = people.wins & more
    total = wins.sum(axis=0)
    names = [kind.removeprefix("ae ") for kind in ATTRIBUTES]
    for name, won in zip(names, wins, strict=True):
        yield _estimate("single", people.share(won, total), sample, name)
    # The first, affiliation, against the other attribute that comes closest, paired by name.
    leads = [people.share(wins[0].astype(int) - other, total) for other in wins[1:]]
    closest = int(np.argmin([each[0] for each in leads]))
    yield _estimate("affiliation", leads[closest], sample, f"{names[0]} − {names[1 + closest]}")
    yield _lead("attributes", people, "best-all", "best-ae", _MORE)
    if "best-ner" in studied:
        for size in (_TWO, _MORE):
            yield _lead("entities", people, "best-ner", "best-ae", size)


def _estimate(claim: str, figure: Floats, size: SampleSize, who: str = "") -> Row:
    figures = {"figure": Estimate.from_row(figure), "size": size}
    return {"claim": claim, "who": _IN_WORDS.get(who, who), **figures}


def _lead(claim: str, people: PeopleFigures, first: str, second: str, size: str) -> Row:
    sample = people.sample_size(people.of_size[size], first, second)
    return _estimate(claim, _ahead(people, first, second, size), sample, size)


_related = partial(claimed, says="{who}: {figures}")


_most = partial(claimed, says="the most, {who}: {figures}", worst=True, percent=True)


def _judge_words(frames: Frames) -> Verdict:
    alike = _related("alike", "similar", _ALIKE)(frames)
    alike = alike._replace(figures=f"best of all − best of these: {alike.figures}")
    return worst_verdict([_related("words", "at least", _GOOD)(frames), alike])


CLAIMS: tuple[Claim[Frames], ...] = (
    Claim(
        "The best refinement of all is on average very good for people with three pages or more.",
        "section 3.1, table 6",
        f"its mean F is at least {_GOOD}, with its whole interval",
        _related("good", "at least", _GOOD, says="{figures}"),
    ),
    Claim(
        "On most occasions there is a near-perfect refinement.",
        "abstract, section 1",
        f"its F is at least {_PERFECT} for at least half of the people, with the whole interval of "
        "the share; both for people with three pages or more and for all people",
        _related("perfect", "at least", 0.5),
    ),
    Claim(
        "The best attribute does significantly worse than the best refinement of all.",
        "section 3.1, table 6",
        "for people with three pages or more, F of the best refinement minus F of the best "
        "attribute is above 0, with its whole interval",
        _related("attributes", "above 0"),
    ),
    Claim(
        "Attributes cannot always be used.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one is below 1, with its whole interval, for every number of "
        "pages (1, 2, 3 or more)",
        _most("always", "at most", 1.0),
    ),
    Claim(
        "Fewer people with few pages have an attribute.",
        "section 3.1, tables 4 to 6",
        "the share of people who have one, for people with three pages or more minus those with "
        "one page, is above 0, with its whole interval",
        _related("fewer", "above 0", says="{figures}"),
    ),
    Claim(
        "Attributes are very precise.",
        "section 3.1, tables 4 to 6",
        f"mean precision of the best one is at least {_PRECISE}, with its whole interval, for "
        "every number of pages",
        _related("precise", "at least", _PRECISE),
    ),
    Claim(
        "The recall of attributes is low for people with two pages or more.",
        "section 3.1, tables 5 and 6",
        f"precision of the best one minus its recall is at least {_APART}, with the whole interval",
        _related("recall", "at least", _APART),
    ),
    Claim(
        "Affiliation is the attribute that is best most often.",
        "section 3.1, table 7",
        "for people with three pages or more, how often it is best minus how often each other "
        "attribute is best is above 0, with its whole interval",
        _related("affiliation", "above 0"),
    ),
    Claim(
        "No single attribute is best for most people.",
        "section 3.1, table 7",
        "for people with three pages or more, each attribute is best in less than half of the "
        "cases, with the whole interval",
        _most("single", "at most", 0.5),
    ),
    Claim(
        "Recognised entities do better than attributes.",
        "section 3.1, tables 5 and 6",
        "for people with two pages, and for those with more, F of the best entity minus F of the "
        "best attribute is above 0, with its whole interval",
        _related("entities", "above 0"),
    ),
    Claim(
        "Tokens and n-grams are almost perfect, and an upper bound for all kinds.",
        "section 3.1, tables 4 to 6",
        f"for every number of pages, mean F of the best one is at least {_GOOD}, with its whole "
        f"interval, and the best of all kinds is at most {_ALIKE} better",
        _judge_words,
    ),
    Claim(
        "Single tokens are better than n-grams, and shorter n-grams than longer ones.",
        "table 3; not stated in the text",
        "for people with three pages or more, F of each length minus that of the next is above 0, "
        "with its whole interval",
        _related("lengths", "above 0"),
    ),
)


def _rows(table: str) -> dict[str, list[float]]:
    """Name → numbers, of lines that give both with two blanks between."""
    cells = (re.split(" {2,}", line, maxsplit=1) for line in table.strip().splitlines())
    return {name: [*map(float, numbers.split())] for name, numbers in cells}


PEOPLE = {"1": 335, "2": 92, "≥3": 125}
"""People by the number of their pages (section 3)."""

_MEANS = _rows("""
ae affiliation    0.99 0.98 1.00 0.46  0.76 0.99 0.65 0.40  0.51 0.96 0.39 0.81
ae award          1.00 1.00 1.00 0.04  0.67 1.00 0.50 0.02  0.26 1.00 0.16 0.20
ae birthplace     1.00 1.00 1.00 0.09  0.67 1.00 0.50 0.10  0.33 0.99 0.24 0.28
ae degree         0.85 0.80 1.00 0.10  0.63 0.87 0.54 0.15  0.37 0.90 0.26 0.36
ae email          1.00 1.00 1.00 0.11  0.74 1.00 0.60 0.16  0.35 0.96 0.23 0.33
ae fax            1.00 1.00 1.00 0.06  0.67 1.00 0.50 0.09  0.30 1.00 0.19 0.15
ae location       0.99 0.99 1.00 0.27  0.77 1.00 0.66 0.32  0.34 0.96 0.23 0.64
ae major          1.00 1.00 1.00 0.07  0.71 1.00 0.56 0.09  0.30 0.97 0.20 0.22
ae mentor         1.00 1.00 1.00 0.03  0.75 1.00 0.63 0.04  0.23 0.95 0.15 0.22
ae nationality    1.00 1.00 1.00 0.01  0.67 1.00 0.50 0.01  0.36 0.88 0.26 0.16
ae occupation     0.95 0.93 1.00 0.48  0.76 0.98 0.65 0.52  0.52 0.93 0.40 0.80
ae phone          0.99 0.99 1.00 0.13  0.75 1.00 0.63 0.13  0.34 0.96 0.23 0.33
ae relatives      0.99 0.98 1.00 0.15  0.78 0.96 0.68 0.15  0.32 0.95 0.22 0.16
ae school         0.99 0.99 1.00 0.15  0.68 0.96 0.56 0.17  0.40 0.95 0.29 0.43
ae work           0.96 0.95 1.00 0.07  0.81 1.00 0.72 0.17  0.45 0.94 0.34 0.38
ner location      0.96 0.95 1.00 0.93  0.83 0.97 0.77 0.98  0.62 0.87 0.53 1.00
ner organisation  1.00 1.00 1.00 0.98  0.89 1.00 0.83 1.00  0.67 0.96 0.56 1.00
ner person        0.98 0.97 1.00 0.82  0.83 0.99 0.74 0.98  0.59 0.95 0.47 1.00
tokens            1.00 1.00 1.00 1.00  0.96 0.99 0.94 1.00  0.87 0.90 0.86 1.00
bigrams           1.00 1.00 1.00 0.98  0.95 1.00 0.92 1.00  0.79 0.95 0.70 1.00
trigrams          1.00 1.00 1.00 1.00  0.94 1.00 0.92 1.00  0.75 0.96 0.65 1.00
fourgrams         1.00 1.00 1.00 0.98  0.91 1.00 0.86 0.99  0.67 0.97 0.55 1.00
fivegrams         1.00 1.00 1.00 0.98  0.89 1.00 0.84 0.99  0.62 0.96 0.50 1.00
best-ae           1.00 0.99 1.00 0.74  0.77 1.00 0.65 0.79  0.60 0.97 0.47 0.92
best-all          1.00 1.00 1.00 1.00  0.95 1.00 0.93 1.00  0.89 0.96 0.85 1.00
best-ner          1.00 1.00 1.00 0.99  0.92 0.99 0.88 1.00  0.74 0.95 0.63 1.00
best-nl           1.00 1.00 1.00 1.00  0.96 1.00 0.94 1.00  0.89 0.95 0.85 1.00
""")
"""F, precision, recall and coverage for people with one page, two, and three or more."""
PUBLISHED_MEANS = {
    size: {kind: row[at : at + 4] for kind, row in _MEANS.items()}
    for size, at in zip(PEOPLE, (0, 4, 8), strict=True)
}
"""Pages of a person → kind of refinement → figures (Tables 1 to 3, and 4 to 6): means over the
people who have a candidate of the kind, and the share of people who have one."""

BEST_ATTRIBUTE_SHARES = _rows("""
ae affiliation  20.96 17.88 29.41
ae occupation   20.25 21.79 24.60
ae work          3.23  8.38  8.56
ae location     12.66 12.29  8.02
ae school        7.03  6.70  6.42
ae degree        3.23  3.91  5.35
ae email         5.34  6.15  4.28
ae phone         6.19  5.03  3.21
ae nationality   0.28  0.00  3.21
ae relatives     7.03  5.03  2.67
ae birthplace    4.22  5.03  1.60
ae fax           2.95  1.68  1.60
ae major         3.52  3.91  1.07
ae mentor        1.41  2.23  0.00
ae award         1.69  0.00  0.00
""")
"""Attribute → of all wins of an attribute the per cent that are its own, for people with one page,
two, and three or more (Table 7).

Taken together they are whole numbers of :data:`BEST_ATTRIBUTE_COUNTS` alone.
"""

BEST_ATTRIBUTE_COUNTS = {"1": 711, "2": 179, "≥3": 187}
"""More than the people who have an attribute (.74 · 335, .79 · 92, .92 · 125): where attributes
tie, each of them wins. The paper does not say so; it follows from the percentages."""


_TWO_OR_BLANK = or_blank(TWO)
_PUBLISHED = ("f, paper", "precision, paper", "recall, paper", "coverage, paper")
_OURS: dict[str, Heading] = {
    "kind": "",
    "f": ("F", TWO),
    "precision": ("precision", TWO),
    "recall": ("recall", TWO),
    "coverage": ("cover", TWO),
}


def _means_table(number: int, size: str) -> TableOf:
    return TableOf(
        key=f"table-{number}",
        title=f"Table {number}: people with {_IN_WORDS[size]}",
        columns={
            **_OURS,
            "f, paper": ("F, paper", _TWO_OR_BLANK),
            "precision, paper": ("precision, paper", _TWO_OR_BLANK),
            "recall, paper": ("recall, paper", _TWO_OR_BLANK),
            "coverage, paper": ("cover, paper", _TWO_OR_BLANK),
        },
        note=f"{{note-{number}}}.",
    )


PARTS = (
    Part(
        "The data",
        TableOf(
            key="data",
            title="What differs",
            columns={"what": "", "here": "here", "paper": "in the paper"},
            only="report",
        ),
    ),
    Part("Every single kind", *(_means_table(at, size) for at, size in enumerate(SIZES, start=1))),
    Part(
        "The best of several kinds",
        *(_means_table(at, size) for at, size in enumerate(SIZES, start=4)),
    ),
    Part(
        "Which attribute is best",
        TableOf(
            key="table-7",
            frame="attributes",
            title="Table 7: how often each attribute is the best one, per cent of wins",
            columns={
                "attribute": "",
                **{size: (size, TWO) for size in SIZES},
                **{f"{size}, paper": (f"{size}, paper", TWO) for size in SIZES},
            },
            note="Attributes that tie all win: {won} wins here, "
            f"{', '.join(map(str, BEST_ATTRIBUTE_COUNTS.values()))} in the paper, inferred from "
            "its percentages.",
        ),
    ),
    Part(
        "What a user could type",
        TableOf(
            key="typed",
            title="What a user could type",
            columns={**_OURS, "ahead": ("F − best-all", or_blank(SIGNED_ESTIMATE))},
            note=f"{UNREFINED_NAME}: no refinement, all pages are returned. {ATTRIBUTE_LOOKUP}: "
            "the values of the attributes annotated on the person's pages, on all pages whose text "
            f"has them. {SUGGESTED}: the word or name that weps shows for the person, on all pages "
            "that have it in text, title or snippet; nothing is shown where it would do no better "
            "than the name. The last column compares people who have both; in brackets its 95 % "
            "interval, bootstrapped over names.",
        ),
    ),
    Part(
        "Person by person",
        TableOf(
            key="hardest",
            title="People with two pages or more, the hardest first",
            columns={
                "name": "name",
                "person": "person",
                "pages": "pages",
                "f": ("F", TWO),
                "precision": ("precision", TWO),
                "recall": ("recall", TWO),
                "ties": "ties",
                "best-all": ("best refinement", Kind(str)),
                "best-ae": ("best attribute", Kind(str)),
                "best-ae f": ("its F", _TWO_OR_BLANK),
                SUGGESTED: ("suggested", Kind(str)),
                f"{SUGGESTED} f": ("its F", _TWO_OR_BLANK),
            },
            note="If several are equally good, one is shown.",
            only="report",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures by size and kind, and every person, in JSON form."""
    return {
        **{name: as_json(frames.facts[name]) for name in ("corpus", "form", "names")},
        "figures": frames["means"].nested("size", "kind", leave=_PUBLISHED),
        "people": frames["people"].records(),
    }


STUDY = Study(
    title="Query refinements",
    settings=RefinementSettings,
    source=cli_argument("names with pages and keys", metavar="CORPUS"),
    read=read_source,
    data_type=RefinedPeople,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    other_data=False,
    wide=True,
    opening=(
        "Artiles, Gonzalo and Amigó, The impact of query refinement in the Web People Search task "
        "(ACL-IJCNLP 2009), on the available pages: for each person of the key, the best "
        "refinement of every kind. A candidate is on at least one of the person's pages; its "
        "result is the pages that contain it. The best one has the highest F0.5 or, if several "
        "have it, the highest recall. Figures are means over people.",
    ),
)
