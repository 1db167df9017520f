from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.document import write_document
from eval.feature_study.conclusions import CONCLUSIONS, judged
from eval.feature_study.of_corpora import CorpusStudy, conclusions_table, document
from eval.feature_study.rivals import Rivals
from eval.judging.rules import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED, Verdict
from tests.eval.feature_study.made_up import BETTER, SAME, WORSE, rivals_with, small_findings

FEATURES = (
    *("capitalised", "entity(type=person)", "fine_entity(type=time)", "gazetteer(list=place)"),
    *("linked", "ngram(n=2)", "ngram(n=3)", "token", "title"),
)


def study(*features: str, corpora: int = 1, base: str = "token") -> CorpusStudy:
    found = small_findings(features or FEATURES, base=base)
    rivals = rivals_with(BETTER, SAME, WORSE)
    return CorpusStudy(
        {f"corpus {number}": found.studied for number in range(corpora)},
        found,
        rivals,
        tuple(judged(found, rivals)),
        ("A remark.",),
        "signature",
        "command",
    )


def keys_of(made: CorpusStudy) -> list[str]:
    found = document(made)
    return [each.key for each in (*found.figures(), *found.tables())]


def test_every_figure_and_table_is_written(tmp_path: Path) -> None:
    made = document(study())
    written = {path.name for path in write_document(made, tmp_path / "out")}
    pictures = {f"{each.key}.{ending}" for each in made.figures() for ending in ("svg", "png")}
    tables = {f"{each.key}.{ending}" for each in made.tables() for ending in ("csv", "md")}
    assert written == {"index.html", "index.md", *pictures, *tables}
    assert {f"figure-{number}.svg" for number in range(1, 8)} <= pictures
    text = (tmp_path / "out" / "index.html").read_text()
    assert text.count("<img") == len(list(made.figures()))
    assert "A remark." in text


@pytest.mark.usefixtures("undrawn")
def test_without_matplotlib_tables_alone_are_written(tmp_path: Path) -> None:
    written = {path.suffix for path in write_document(document(study()), tmp_path)}
    assert written == {".html", ".md", ".csv"}
    assert all(figure.picture is None for figure in document(study()).figures())


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("features", "base", "left_out"),
    [
        (FEATURES, "token", set()),
        (("token", "title"), "token", {"figure-2", "figure-3", "figure-4", "gazetteers-and-links"}),
        (
            ("ngram(n=2)", "ngram(n=3)"),
            "ngram(n=2)",
            {"figure-1", "figure-3", "figure-4", "gazetteers-and-links"},
        ),
    ],
)
def test_figures_of_what_was_not_studied_are_left_out(
    features: tuple[str, ...], base: str, left_out: set[str]
) -> None:
    keys = keys_of(study(*features, base=base))
    assert len(set(keys)) == len(keys)
    assert set(keys_of(study())) - set(keys) == left_out


@pytest.mark.usefixtures("undrawn")
def test_a_single_feature_is_a_study_too(tmp_path: Path) -> None:
    made = document(study("token"))
    assert write_document(made, tmp_path)
    assert [each.key for each in made.figures()] == ["figure-6", "greedy-search"]
    assert "Redundancy" not in [each.title for each in made.sections]


@pytest.mark.usefixtures("undrawn")
def test_flags_alone_have_no_section_of_measures() -> None:
    flags = Rivals((), ("dice", "cosine", "overlap"), np.empty((0, 3, 0)))
    made = replace(study(), rivals=flags)
    assert set(keys_of(study())) - set(keys_of(made)) == {"measures"}
    titles = [each.title for each in document(made).sections]
    assert "Dice, cosine, overlap" not in titles


@pytest.mark.usefixtures("undrawn")
def test_the_verdicts_shown_are_those_that_were_given() -> None:
    one = (CONCLUSIONS[3], Verdict(HOLDS, "our figures of it"))
    made = replace(study(), verdicts=(one,))
    _, row = conclusions_table(made).rows
    assert row[:3] == [CONCLUSIONS[3].claim, HOLDS, "our figures of it"]
    (told,) = document(made).sections[0].paragraphs
    assert told == f"Of the paper's conclusions 1 are tested here: {HOLDS} 1."


@pytest.mark.usefixtures("undrawn")
def test_every_conclusion_has_a_row_with_its_verdict() -> None:
    made = study()
    heading, *rows = conclusions_table(made).rows
    assert [row[0] for row in rows] == [each.claim for each in CONCLUSIONS]
    assert {row[1] for row in rows} <= {HOLDS, DOES_NOT_HOLD, UNDECIDED, NOT_STUDIED}
    assert {len(row) for row in rows} == {len(heading)}
    told = document(made).sections[0].paragraphs[0]
    for word in {row[1] for row in rows}:
        assert word in told


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("corpora", "titles"),
    [(1, ["corpus 0"]), (2, ["corpus 0", "corpus 1", "all"])],
)
def test_pairs_are_counted_for_each_corpus_beside_the_paper_s(
    corpora: int, titles: list[str]
) -> None:
    (table,) = (each for each in document(study(corpora=corpora)).tables() if each.key == "table-1")
    assert [row[0] for row in table.rows[1:]][: len(titles)] == titles
    assert table.rows[-1][:4] == ["the paper's both", "115,931", "177,983", "293,914"]


@pytest.mark.usefixtures("undrawn")
def test_measures_are_compared_feature_by_feature() -> None:
    (table,) = (each for each in document(study()).tables() if each.key == "measures")
    assert table.rows[0] == ["", "dice", "cosine", "overlap"]
    assert [row[0] for row in table.rows[1:]] == ["token"]


@pytest.mark.usefixtures("undrawn")
def test_the_same_study_makes_the_same_document() -> None:
    first, second = study(), replace(study())
    assert document(first) == document(second)
