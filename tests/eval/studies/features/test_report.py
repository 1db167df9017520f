import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan

import pytest

from tests.cases import each_case
from tests.eval.studies.features.made_up import (
    BETTER,
    SAME,
    WORSE,
    bound_of,
    rivals_with,
    small_findings,
)
from weps.features.registry import all_features, feature_by_name
from weps_eval.report.claims import judge_claims
from weps_eval.report.document import Document, Figure, write_document
from weps_eval.studies import base as runner
from weps_eval.studies.base import Result
from weps_eval.studies.features import figures
from weps_eval.studies.features.claims import CLAIMS, PANELS, sample_size
from weps_eval.studies.features.figures import (
    correlation_figure,
    curves_figure,
    redundancy_figure,
    sets_figure,
    steps_figure,
)
from weps_eval.studies.features.findings import Findings
from weps_eval.studies.features.report import document

FOUND = small_findings()
HEADINGS = {"m0": "words", "m1": "words", "m3": "links"}
FIGURES: dict[str, Callable[[Findings], tuple[Figure, ...]]] = {
    "plot_curves": lambda found: curves_figure(found, "key", "Title", ["m1", "m0"], "Note."),
    "plot_shares": lambda found: redundancy_figure(found, "key", HEADINGS, 0.2),
    "plot_scatter": lambda found: correlation_figure(found, "key", ["all"]),
    "plot_paired_intervals": sets_figure,
    "plot_steps": lambda found: steps_figure(found, "key"),
}
FEATURES = (
    *("capitalised", "entity(type=person)", "fine_entity(type=time)", "gazetteer(list=place)"),
    *("linked", "ngram(n=2)", "ngram(n=3)", "token", "title"),
)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Findings], Sequence]:
    """What a kind of figure is asked to draw of findings."""

    def listen(kind: str, findings: Findings) -> Sequence:
        asked: list[Sequence] = []
        module = runner if kind in {"plot_scatter", "plot_paired_intervals"} else figures
        monkeypatch.setattr(module, kind, lambda parts, *_, **__: asked.append(parts))
        assert len(FIGURES[kind](findings)) == 1
        return asked[0]

    return listen


def without_figures() -> Findings:
    """Nothing has a value above 0, no combination and no search."""
    rankings = {
        name: replace(each, curve=each.curve.above(99)) for name, each in FOUND.rankings.items()
    }
    search = replace(FOUND.search, additions=())
    return replace(FOUND, rankings=rankings, search=search, bounds=())


def test_there_is_no_figure_of_nothing():
    empty = without_figures()
    assert [draw(empty) for kind, draw in FIGURES.items() if kind != "plot_shares"] == [()] * 4
    assert redundancy_figure(FOUND, "key", {"m0": "words"}, 0.2) == ()
    # of two instances each is judged by a tree of its own: nothing is compared
    unjudged = replace(FOUND, bounds=(bound_of("all", [0.5] * 2, [nan] * 2),))
    assert correlation_figure(unjudged, "key", []) == sets_figure(unjudged) == ()


def test_curves_end_where_nothing_is_ranked(drawn):
    lines = drawn("plot_curves", FOUND)
    assert [(line.label, line.reference) for line in lines] == [("m1", False), ("m0", True)]
    values = set(FOUND.studied.column("m1").tolist())
    assert 0.0 in values
    assert len(lines[0].x) == len(lines[0].y) == len(values) - 1
    empty = replace(FOUND.rankings["m0"], curve=FOUND.rankings["m0"].curve.above(99))
    some = replace(FOUND, rankings=FOUND.rankings | {"m0": empty})
    assert [line.label for line in drawn("plot_curves", some)] == ["m1"]


def test_figures_show_what_was_found(drawn):
    assert [bar.label for bar in drawn("plot_shares", FOUND)] == ["m1", "m3"]
    points = drawn("plot_scatter", FOUND)
    assert [(each.label, each.x, each.y) for each in points] == [
        (each.combination.name, each.max_pwa.pooled, each.tree_pwa.pooled) for each in FOUND.bounds
    ]
    assert [point.label for point in points if point.marked] == ["all"]
    assert [row.label for row in drawn("plot_paired_intervals", FOUND)] == ["all"]
    steps = drawn("plot_steps", FOUND)
    assert [row.label for row in steps] == [each.measure for each in FOUND.search.additions]


def of_table(findings: Findings = FOUND) -> Document:
    return document(
        Result("scores.csv", findings, [], ["A remark."], "signature", "command", "groups")
    )


def of_corpora(*features: str, base: str = "token", **changed: object) -> Document:
    found = small_findings(features or FEATURES, base=base)
    corpora = {"corpus 0": found.studied}
    rivals = rivals_with(BETTER, SAME, WORSE)
    findings = replace(found, **{"corpora": corpora, "comparison": rivals, **changed})
    judged = judge_claims(CLAIMS, findings, sample_size)
    return document(Result("made up", findings, judged, ["A remark."], "signature", "command"))


def keys_of(made: Document) -> set[str]:
    keys = [each.key for each in (*made.figures(), *made.tables())]
    assert len(set(keys)) == len(keys)
    return set(keys)


@pytest.mark.slow
@pytest.mark.parametrize("made", [of_corpora, of_table])
def test_every_figure_and_table_is_written(made, tmp_path):
    found = made()
    written = {path.name for path in write_document(found, tmp_path)}
    pictures = {f"{each.key}.{ending}" for each in found.figures() for ending in ("svg", "png")}
    tables = {f"{each.key}.{ending}" for each in found.tables() for ending in ("csv", "md")}
    assert written == {"index.html", "index.md", *pictures, *tables}
    assert "A remark." in (tmp_path / "index.md").read_text()


@pytest.mark.usefixtures("undrawn")
@each_case(
    ("measures", "groups", "missing"),
    [
        (("m0",), 3, {"redundancy", "redundancy-bars"}),
        (("m0",), 1, {"redundancy", "redundancy-bars", "by-group"}),
        (("m0", "m1", "m2"), 1, {"by-group"}),
    ],
)
def test_little_is_a_study_too(measures, groups, missing):
    found = of_table(small_findings(measures, groups))
    assert keys_of(of_table()) - keys_of(found) == missing
    for table in found.tables():
        cells = [cell for row in table.rows[1:] for cell in row]
        assert not [cell for cell in cells if re.search(r"\bnan\b", cell)]
        assert groups > 1 or not [cell for cell in cells if " to " in cell]


SHOWN = {panel.key: {str(each) for each in all_features() if panel.holds(each)} for panel in PANELS}


@each_case(
    ("name", "keys"),
    [
        ("token(local=true)", {"figure-1"}),
        ("lemma", {"figure-1"}),
        ("ngram(n=2)", {"figure-2"}),
        ("ngram(n=2, local=true)", set()),
        ("phrase", {"figure-2"}),
        ("capitalised", {"figure-3", "figure-4"}),
        ("entity(type=person, local=true)", {"figure-3"}),
        ("fine_entity(type=time)", {"figure-4"}),
        ("fine_entity(type=time, local=true)", set()),
        ("linked", {"gazetteers-and-links"}),
    ],
)
def test_panels_of_a_feature(name, keys):
    assert {key for key, shown in SHOWN.items() if str(feature_by_name(name)) in shown} == keys
