"""Answers to write: a plain one and one made by an enemy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup

from weps.clustering.confidence import PageConfidence
from weps.coreference.base import Calibration
from weps.coreference.classifiers import Effect
from weps.corrections.model import Correction, Corrections
from weps.key_terms.labels import Refinement
from weps.people.answer import (
    Alternatives,
    Answer,
    ContextEntity,
    ExplainedMerge,
    PageScore,
    Person,
    PersonDescription,
    RelatedPage,
    SetAsidePage,
)
from weps.people.evidence import Evidence, ExplainedPair
from weps.people.facts import Fact, FactSource
from weps.people.pages import Pile
from weps.records import UnreadInput
from weps.report.html import as_html
from weps.report.view import Report

DOCS = Path(__file__).parents[3] / "docs"

HOSTILE = (
    '</script><img src=x onerror="alert(1)"><!-- \' </title></style>'
    "\u202egnp.exe\u202c\x00\x1b[31m\r\n\t]]>&amp;"
)


@pytest.fixture(scope="session")
def answer() -> Answer:
    """Three people: with three pages, one of them unsure; with two pages, both unsure; with a
    single page that could not be read."""
    names = (
        ContextEntity("Trinity College", "organisation", (0, 2)),
        ContextEntity("Bo Sample", "person", (2,)),
        ContextEntity("Cambridge", "location", (0,)),
    )
    added = Refinement("Trinity College", 2 / 3, 2 / 3, 2 / 3)
    logic = PersonDescription(
        ("logic", "trinity college"), ("axiom", "proof"), names, added, 0.35, 1.8
    )
    town = PersonDescription(terms=("old town",), refinement=Refinement("fauna", 1.0, 1.0, 1.0))
    home = PageScore(
        0,
        "http://www.logic.example/ann",
        "Ann’s home",
        0.99,
        excerpt="Ann Example is a reader in logic.",
        closest=RelatedPage(2, 0.96),
        rival=RelatedPage(3, 0.2),
        fingerprint="0123456789ab",
        file="../Ann/page: 1.html",
        fetched="2026-11-23T10:00:00Z",
    )
    near = {"closest": RelatedPage(0, 0.96), "rival": RelatedPage(3, 0.1)}
    college = "https://college.example/staff?a=1&b=2"
    staff = PageScore(2, college, "Staff", 1.0, confirmed=True, **near)
    untitled = PageScore(
        7, "", "", 0.48, nearest=2, closest=RelatedPage(2, 0.81), rival=RelatedPage(3, 0.4)
    )
    dealer = PageScore(3, "", "Ann E., dealer", 0.3, nearest=3)
    antiques = PageScore(5, "", "Antiques", 0.2, nearest=1)
    old = PageScore(
        1, "ftp://old.example/", "Ann Example", 0.4, nearest=2, note="not a web page but PDF"
    )
    people = (
        Person(1, 0.81, (home, staff, untitled), logic, assigned_name="Ann the logician"),
        Person(
            2, 0.25, (dealer, antiques), PersonDescription(one_person=0.88, expected_people=1.12)
        ),
        Person(3, 0.4, (old,), town),
    )
    linked, phrase = Evidence("linked", ()), Evidence("ngram(n=3)", ("· set theory",), (2,))
    words = Evidence("token(local=true)", ("axiom", "proof"), (2, 3))
    effects = (Effect("profile", 3.1), Effect("linked", 0.6))
    pairs = (
        ExplainedPair((0, 2), 0.96, (linked, phrase), 0.0, effects),
        ExplainedPair((2, 7), 0.81, (words,)),
        ExplainedPair((3, 5), 0.52),
        ExplainedPair((0, 3), 0.0, said="different"),
    )
    corrections = (
        Correction("confirm", ((2,), (0, 7))),
        Correction("different", ((0,), (3,))),
        Correction("called", ((0,),), "Ann the logician"),
    )
    return Answer(
        name="Ann Example",
        people=people,
        merges=(
            *(ExplainedMerge(pair.pages, pair.probability) for pair in pairs[:3]),
            ExplainedMerge((1, 3), 0.12, held=False),
            ExplainedMerge((0, 3), 0.0, held=False),
        ),
        model="weps-0.1.0/full sha256:1a2b3c4d",
        signature="form:full|link:average|pages:6",
        missing_features=("capitalised", "token(local=true)"),
        pairs={pair.pages: pair for pair in pairs},
        corrections=Corrections(corrections),
    )


@pytest.fixture(scope="session")
def hostile() -> Answer:
    """Every string that can come from the web is an attack."""
    said = {"note": HOSTILE, "excerpt": HOSTILE, "file": "javascript:alert(1).html"}
    said |= {"text": HOSTILE, "dated": HOSTILE}
    urls = ("javascript:alert(1)", 'http://a.example/"onmouseover="alert(1)', HOSTILE)
    pages = tuple(
        PageScore(rank, url, HOSTILE, 0.9, fetched=HOSTILE, **said) for rank, url in enumerate(urls)
    )
    alone = PageScore(9, "data:text/html,<script>alert(1)</script>", HOSTILE * 50, 0.1, nearest=1)
    evidence = (Evidence("token", (HOSTILE,), (2,)), Evidence(HOSTILE, ()))
    effects = (Effect(HOSTILE, 1.0),)
    pairs = [ExplainedPair((0, rank), 0.9, evidence, effects=effects) for rank in (1, 2)]
    portrait = PersonDescription(
        (HOSTILE, HOSTILE),
        (HOSTILE,),
        tuple(
            ContextEntity(HOSTILE, kind, (0, 1)) for kind in ("person", "organisation", "location")
        ),
        Refinement(HOSTILE, 0.5, 1.0, 2 / 3),
        facts=(Fact("location", HOSTILE, 0.9, (FactSource(0, HOSTILE),), (0,), HOSTILE),),
    )
    aside = SetAsidePage(20, HOSTILE, HOSTILE, Pile.CANNOT_TELL, HOSTILE, **said)
    return Answer(
        HOSTILE,
        (
            Person(1, 0.9, pages, portrait, assigned_name=HOSTILE),
            Person(2, 0.1, (alone,), portrait),
        ),
        (ExplainedMerge((0, 1), 0.9), ExplainedMerge((0, 2), 0.9)),
        HOSTILE,
        HOSTILE,
        pairs={pair.pages: pair for pair in pairs},
        corrections=Corrections((Correction("called", ((0,),), HOSTILE),)),
        set_aside=(aside,),
        unread=(UnreadInput(HOSTILE, HOSTILE), UnreadInput("javascript:alert(1)", HOSTILE)),
    )


@pytest.fixture(scope="session")
def cuttable() -> Answer:
    """Five pages, of which the answer makes three people and other thresholds one to five."""
    ranks = (1, 2, 4, 7, 9)
    pages = {rank: PageScore(rank, f"http://{rank}.example", f"Page {rank}", 0.9) for rank in ranks}
    groups = ((1,), (2,), (4,), (7,), (9,), (1, 2), (4, 7), (1, 2, 4, 7), ranks)
    portraits = tuple(PersonDescription((f"from {group[0]} to {group[-1]}",)) for group in groups)
    people = tuple(
        Person(number, 0.9, tuple(map(pages.get, groups[node])), portraits[node])
        for number, node in enumerate((5, 6, 4), start=1)
    )
    levels = (0.9, 0.8, 0.4, 0.1)
    shown = ((1, 2), (4, 7), (2, 4), (7, 9))
    return Answer(
        "Ann Example",
        people,
        tuple(
            ExplainedMerge(pair, level, held)
            for pair, level, held in zip(shown, levels, (True, True, False, False), strict=True)
        ),
        "m",
        "s",
        pairs={(1, 2): ExplainedPair((1, 2), 0.9)},
        alternatives=Alternatives(
            ranks=ranks,
            nodes=((0, 1), (2, 3), (5, 6), (7, 4)),
            levels=levels,
            kept_merges=2,
            min_merges=0,
            max_merges=4,
            descriptions=dict(enumerate(portraits)),
            probability=np.array([0.9, 0.4, 0.3, 0.0, 0.5, 0.2, 0.1, 0.8, 0.1, 1.0]),
            calibration=Calibration(1.5, 0.25),
            page_confidence=PageConfidence(),
        ),
    )


@pytest.fixture(scope="session")
def crowd() -> Answer:
    """The most pages that a name of the corpora has, with all the evidence there can be."""
    pages = tuple(
        PageScore(rank, f"http://site{rank}.example/some/path", "A title of usual length " * 3, 0.1)
        for rank in range(300)
    )
    shared = {n: tuple(f"{n} some shared phrase {i}" for i in range(6)) for n in range(2, 7)}
    evidence = tuple(Evidence(f"ngram(n={n}, local=true)", shared[n], (2,) * 6) for n in shared)
    merges = tuple(ExplainedMerge((rank, rank + 1), 0.9) for rank in range(299))
    pairs = {merge.pages: ExplainedPair(merge.pages, 0.9, evidence) for merge in merges}
    person = Person(1, 0.1, pages, PersonDescription(("crowd",)))
    return Answer("Ann Example", (person,), merges, "m", "s", pairs=pairs)


@pytest.fixture(scope="session")
def schema() -> Any:
    """Load a JSON schema of the documentation by name."""

    def load(name: str) -> Any:
        return json.loads((DOCS / "schema" / f"{name}.schema.json").read_text("utf-8"))

    return load


@pytest.fixture(scope="session")
def page_of() -> Callable[..., BeautifulSoup]:
    """The page of an answer, read by a parser."""

    def read(answer: Answer, **extras: Any) -> BeautifulSoup:
        return BeautifulSoup(as_html(Report(answer, **extras)), "lxml")

    return read
