from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path

import numpy as np
import pytest

from eval.report.claims import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED, Verdict
from eval.report.document import Figure
from eval.report.render import as_html, write_document
from eval.studies.features import report
from eval.studies.features.claims import CLAIMS, assess_claims
from eval.studies.features.findings import Findings
from eval.studies.features.rankings import SimilarityComparison
from eval.studies.features.report import (
    CorpusStudy,
    TableStudy,
    additions_figure,
    conclusions_table,
    corpus_document,
    correlation_figure,
    curves_figure,
    pairs_figure,
    redundancy_figure,
)
from eval.studies.features.report import table_document as document_of_of_tables
from tests.eval.studies.features.made_up import (
    BETTER,
    SAME,
    WORSE,
    bound_of,
    rivals_with,
    small_findings,
)
from weps._formatting import format_interval

FOUND = small_findings()
HEADINGS = {"m0": "words", "m1": "words", "m3": "links"}
FIGURES: list[Callable[[Findings], tuple[Figure, ...]]] = [
    lambda found: curves_figure(found, "key", "Title", ["m0", "m1"], "Note."),
    lambda found: redundancy_figure(found, "key", "Title", HEADINGS, 0.2),
    lambda found: correlation_figure(found, "key", "Title", ["all"], "Note."),
    lambda found: pairs_figure(found, "key", "Title", ["all", "lost"]),
    lambda found: additions_figure(found, "key", "Title"),
]
KINDS = ["curves", "shares", "dots", "bars", "steps"]
drawn = pytest.mark.parametrize("draw", FIGURES, ids=KINDS)


@drawn
def test_a_figure_has_a_picture_with_its_title(
    draw: Callable[[Findings], tuple[Figure, ...]],
) -> None:
    (figure,) = draw(FOUND)
    assert (figure.key, figure.title) == ("key", "Title")
    assert figure.picture is not None
    assert figure.picture.svg.startswith("<")
    assert "Title" in figure.picture.alt


@drawn
def test_nothing_is_drawn_without_matplotlib(
    draw: Callable[[Findings], tuple[Figure, ...]],
    undrawn: None,  # noqa: ARG001 - what it patches counts
) -> None:
    (figure,) = draw(FOUND)
    assert figure.picture is None


def nothing_found() -> Findings:
    """Nothing has a value above 0, no combination and no search."""
    rankings = {
        name: replace(each, curve=each.curve.above(99)) for name, each in FOUND.rankings.items()
    }
    return replace(
        FOUND,
        plan=replace(FOUND.plan, base="m0"),
        rankings=rankings,
        search=replace(FOUND.search, additions=()),
        bounds=(),
    )


@pytest.mark.parametrize("available", [True, False])
def test_there_is_no_figure_of_nothing(available: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "available", lambda: available)
    empty = nothing_found()
    assert [draw(empty) for draw in (FIGURES[0], *FIGURES[2:])] == [()] * 4
    assert redundancy_figure(FOUND, "key", "Title", {"m0": "words"}, 0.2) == ()


def test_what_trees_have_not_judged_is_not_drawn() -> None:
    """Of two instances each is judged by a tree of its own: nothing is compared."""
    unjudged = [bound_of("all", [0.5] * 2, [nan] * 2)]
    some = replace(FOUND, bounds=tuple(unjudged))
    assert correlation_figure(some, "key", "Title", []) == ()
    assert pairs_figure(some, "key", "Title", ["all"]) == ()


def test_curves_without_a_point_are_left_out(given_to) -> None:
    asked = given_to("plot_curves")
    empty = replace(FOUND.rankings["m0"], curve=FOUND.rankings["m0"].curve.above(99))
    some = replace(FOUND, rankings=FOUND.rankings | {"m0": empty})
    assert len(curves_figure(some, "key", "Title", ["m0", "m1"])) == 1
    assert [line.label for line in asked[0]] == ["m1"]


@pytest.fixture
def given_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[Sequence[object]]]:
    """What a kind of figure is asked to draw."""

    def listen(kind: str) -> list[Sequence[object]]:
        asked: list[Sequence[object]] = []
        monkeypatch.setattr(report, kind, lambda parts, *_, **__: asked.append(parts))
        return asked

    return listen


def test_curves_end_where_nothing_is_ranked(given_to) -> None:
    asked = given_to("plot_curves")
    curves_figure(FOUND, "key", "Title", ["m1", "m0"])
    (lines,) = asked
    assert [(line.label, line.reference) for line in lines] == [("m1", False), ("m0", True)]
    ranked = [value for value in set(FOUND.studied.column("m1").tolist()) if value > 0]
    assert len(lines[0].x) == len(lines[0].y) == len(ranked)
    assert 0.0 in FOUND.studied.column("m1")


def test_bars_are_of_all_but_the_base(given_to) -> None:
    asked = given_to("plot_shares")
    redundancy_figure(FOUND, "key", "Title", HEADINGS, None)
    (bars,) = asked
    assert [bar.label for bar in bars] == ["m1", "m3"]


def test_dots_are_the_combinations(given_to) -> None:
    asked = given_to("plot_scatter")
    correlation_figure(FOUND, "key", "Title", ["all"])
    (points,) = asked
    assert [point.label for point in points] == [each.combination.name for each in FOUND.bounds]
    assert [point.label for point in points if point.marked] == ["all"]
    for point, each in zip(points, FOUND.bounds, strict=True):
        assert (point.x, point.y) == (each.max_pwa.pooled, each.tree_pwa.pooled)


def test_pairs_are_of_the_combinations_that_there_are(given_to) -> None:
    asked = given_to("plot_paired_intervals")
    pairs_figure(FOUND, "key", "Title", ["lost", "all"])
    (rows,) = asked
    assert [row.label for row in rows] == ["all"]


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
        tuple(assess_claims(found, rivals)),
        ("A remark.",),
        "signature",
        "command",
    )


def keys_of(made: CorpusStudy) -> list[str]:
    found = corpus_document(made)
    return [each.key for each in (*found.figures(), *found.tables())]


def test_every_figure_and_table_is_written(tmp_path: Path) -> None:
    made = corpus_document(study())
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
    written = {path.suffix for path in write_document(corpus_document(study()), tmp_path)}
    assert written == {".html", ".md", ".csv"}
    assert all(figure.picture is None for figure in corpus_document(study()).figures())


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
    made = corpus_document(study("token"))
    assert write_document(made, tmp_path)
    assert [each.key for each in made.figures()] == ["figure-6", "greedy-search"]
    assert "Redundancy" not in [each.title for each in made.sections]


@pytest.mark.usefixtures("undrawn")
def test_flags_alone_have_no_section_of_measures() -> None:
    flags = SimilarityComparison((), ("dice", "cosine", "overlap"), np.empty((0, 3, 0)))
    made = replace(study(), comparison=flags)
    assert set(keys_of(study())) - set(keys_of(made)) == {"measures"}
    titles = [each.title for each in corpus_document(made).sections]
    assert "Dice, cosine, overlap" not in titles


@pytest.mark.usefixtures("undrawn")
def test_the_verdicts_shown_are_those_that_were_given() -> None:
    one = (CLAIMS[3], Verdict(HOLDS, "our figures of it"))
    made = replace(study(), verdicts=(one,))
    _, row = conclusions_table(made).rows
    assert row[:3] == [CLAIMS[3].text, HOLDS, "our figures of it"]
    (told,) = corpus_document(made).sections[0].paragraphs
    assert told == f"Of the paper's conclusions 1 are tested here: {HOLDS} 1."


@pytest.mark.usefixtures("undrawn")
def test_every_conclusion_has_a_row_with_its_verdict() -> None:
    made = study()
    heading, *rows = conclusions_table(made).rows
    assert [row[0] for row in rows] == [each.text for each in CLAIMS]
    assert {row[1] for row in rows} <= {HOLDS, DOES_NOT_HOLD, UNDECIDED, NOT_STUDIED}
    assert {len(row) for row in rows} == {len(heading)}
    told = corpus_document(made).sections[0].paragraphs[0]
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
    (table,) = (
        each for each in corpus_document(study(corpora=corpora)).tables() if each.key == "table-1"
    )
    assert [row[0] for row in table.rows[1:]][: len(titles)] == titles
    assert table.rows[-1][:4] == ["the paper's both", "115,931", "177,983", "293,914"]


@pytest.mark.usefixtures("undrawn")
def test_measures_are_compared_feature_by_feature() -> None:
    (table,) = (each for each in corpus_document(study()).tables() if each.key == "measures")
    assert table.rows[0] == ["", "dice", "cosine", "overlap"]
    assert [row[0] for row in table.rows[1:]] == ["token"]


@pytest.mark.usefixtures("undrawn")
def test_the_same_study_makes_the_same_document() -> None:
    first, second = study(), replace(study())
    assert as_html(corpus_document(first)) == as_html(corpus_document(second))


MANY = tuple(f"m{number}" for number in range(12))


def study_of_tables(found: Findings) -> TableStudy:
    return TableStudy("scores.csv", found, ("A remark.",), "signature", "command")


def test_every_figure_and_table_is_written_of_tables(tmp_path: Path) -> None:
    made = document_of_of_tables(study_of_tables(small_findings()))
    written = {path.name for path in write_document(made, tmp_path)}
    keys = [each.key for each in (*made.figures(), *made.tables())]
    assert len(set(keys)) == len(keys)
    assert {name.partition(".")[0] for name in written} == {"index", *keys}
    assert sum(name.endswith(".svg") for name in written) == len(list(made.figures()))
    text = (tmp_path / "index.md").read_text()
    assert "scores.csv" in text
    assert "A remark." in text


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("measures", "groups", "missing"),
    [
        (("m0",), 3, {"redundancy", "redundancy-bars"}),
        (("m0",), 1, {"redundancy", "redundancy-bars", "by-group"}),
        (("m0", "m1", "m2"), 1, {"by-group"}),
    ],
)
def test_little_is_a_study_too(
    tmp_path: Path, measures: tuple[str, ...], groups: int, missing: set[str]
) -> None:
    found, full = (
        document_of_of_tables(study_of_tables(small_findings(*each)))
        for each in [(measures, groups), ()]
    )
    assert write_document(found, tmp_path)
    keys = [{each.key for each in (*made.figures(), *made.tables())} for made in (found, full)]
    assert keys[1] - keys[0] == missing


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[[Findings], list[str]]:
    """The measures whose curves stand in the figure."""
    monkeypatch.setattr(report, "available", lambda: False)

    def curves_of(found: Findings) -> list[str]:
        asked: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(report, "curves_figure", lambda *given: asked.extend(given[3]) or ())
            document_of_of_tables(study_of_tables(found))
        return asked

    return curves_of


def test_the_figure_of_curves_has_the_base_and_the_best(shown) -> None:
    found = small_findings(MANY, 3, "m11")
    base, *others = shown(found)
    assert base == "m11"
    assert len(others) == 8
    figures = {name: each.average_precision.value for name, each in found.rankings.items()}
    left_out = set(MANY) - {base, *others}
    assert min(figures[name] for name in others) >= max(figures[name] for name in left_out)


def test_the_base_is_not_shown_twice(shown) -> None:
    measures = shown(small_findings())
    assert measures[0] == "m0"
    assert sorted(measures) == ["m0", "m1", "m2", "m3"]


@pytest.mark.usefixtures("undrawn")
def test_the_correlation_over_all_and_over_the_better_ones_is_told() -> None:
    found = small_findings()
    (section,) = (
        each
        for each in document_of_of_tables(study_of_tables(found)).sections
        if "together" in each.title
    )
    (told,) = section.paragraphs
    assert f"r = {format_interval(found.pearson)}, " in told
    assert f"ρ = {format_interval(found.spearman)}; " in told
    assert told.endswith(f"not below that of m0, with r = {format_interval(found.among_better)}.")
