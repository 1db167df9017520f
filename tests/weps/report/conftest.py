"""Answers to write: a plain one and one made by an enemy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weps.evidence import Evidence
from weps.people import Answer, ExplainedMerge, PageScore, Person
from weps.refinement.suggest import Refinement

DOCS = Path(__file__).parents[3] / "docs"

HOSTILE = (
    '</script><img src=x onerror="alert(1)"><!-- \' </title></style>'
    "\u202egnp.exe\u202c\x00\x1b[31m\r\n\t]]>&amp;"
)


@pytest.fixture(scope="session")
def answer() -> Answer:
    """Three people: with three pages, one of them unsure; with two pages, both unsure; with a
    single page that could not be read."""
    return Answer(
        name="Ann Example",
        people=(
            Person(
                id=1,
                terms=("logic", "trinity college"),
                confidence=0.81,
                pages=(
                    PageScore(0, "http://www.logic.example/ann", "Ann’s home", 0.99),
                    PageScore(2, "https://college.example/staff?a=1&b=2", "Staff", 0.96),
                    PageScore(7, "", "", 0.48, nearest=2),
                ),
                refinement=Refinement("Trinity College", 2 / 3, 2 / 3, 2 / 3),
            ),
            Person(
                id=2,
                terms=(),
                confidence=0.25,
                pages=(
                    PageScore(3, "", "Ann E., dealer", 0.3, nearest=3),
                    PageScore(5, "", "Antiques", 0.2, nearest=1),
                ),
            ),
            Person(
                id=3,
                terms=("old town",),
                confidence=0.4,
                pages=(
                    PageScore(
                        1, "ftp://old.example/", "Ann Example", 0.4, "not a web page but PDF", 2
                    ),
                ),
                refinement=Refinement("fauna", 1.0, 1.0, 1.0),
            ),
        ),
        merges=(
            ExplainedMerge(
                (0, 2), 0.96, (Evidence("linked", ()), Evidence("ngram(n=3)", ("· set theory",)))
            ),
            ExplainedMerge((2, 7), 0.81, (Evidence("token(local=true)", ("axiom", "proof")),)),
            ExplainedMerge((3, 5), 0.52, ()),
        ),
        model="weps-0.1.0/full sha256:1a2b3c4d",
        signature="form:full|link:average|pages:6",
        absent_features=("capitalised", "token(local=true)"),
    )


@pytest.fixture(scope="session")
def hostile() -> Answer:
    """Every string that can come from the web is an attack."""
    urls = ("javascript:alert(1)", 'http://a.example/"onmouseover="alert(1)', HOSTILE)
    pages = tuple(PageScore(rank, url, HOSTILE, 0.9, HOSTILE) for rank, url in enumerate(urls))
    alone = PageScore(9, "data:text/html,<script>alert(1)</script>", HOSTILE * 50, 0.1, nearest=1)
    merges = tuple(
        ExplainedMerge((0, rank), 0.9, (Evidence("token", (HOSTILE,)), Evidence(HOSTILE, ())))
        for rank in (1, 2)
    )
    found = Refinement(HOSTILE, 0.5, 1.0, 2 / 3)
    people = (
        Person(1, (HOSTILE, HOSTILE), 0.9, pages, found),
        Person(2, (HOSTILE,), 0.1, (alone,), found),
    )
    return Answer(HOSTILE, people, merges, HOSTILE, HOSTILE)


@pytest.fixture(scope="session")
def crowd() -> Answer:
    """The most pages that a name of the corpora has, with all the evidence there can be."""
    pages = tuple(
        PageScore(rank, f"http://site{rank}.example/some/path", "A title of usual length " * 3, 0.1)
        for rank in range(300)
    )
    evidence = tuple(
        Evidence(
            f"ngram(n={n}, local=true)", tuple(f"{n} some shared phrase {i}" for i in range(6))
        )
        for n in (2, 3, 4, 5, 6)
    )
    merges = tuple(ExplainedMerge((rank, rank + 1), 0.9, evidence) for rank in range(299))
    return Answer("Ann Example", (Person(1, ("crowd",), 0.1, pages),), merges, "m", "s")


@pytest.fixture(scope="session")
def schema() -> Any:
    """Load a JSON schema of the documentation by name."""

    def load(name: str) -> Any:
        return json.loads((DOCS / "schema" / f"{name}.schema.json").read_text("utf-8"))

    return load
