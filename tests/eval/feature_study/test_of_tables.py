from collections.abc import Callable
from pathlib import Path

import pytest

from eval.document import write_document
from eval.feature_study import drawings
from eval.feature_study.findings import Findings
from eval.feature_study.of_tables import TableStudy, document
from eval.judging.numerals import share_between
from tests.eval.feature_study.made_up import small_findings

MANY = tuple(f"m{number}" for number in range(12))


def study(found: Findings) -> TableStudy:
    return TableStudy("scores.csv", found, ("A remark.",), "signature", "command")


def test_every_figure_and_table_is_written(tmp_path: Path) -> None:
    made = document(study(small_findings()))
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
    found, full = (document(study(small_findings(*each))) for each in [(measures, groups), ()])
    assert write_document(found, tmp_path)
    keys = [{each.key for each in (*made.figures(), *made.tables())} for made in (found, full)]
    assert keys[1] - keys[0] == missing


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[[Findings], list[str]]:
    """The measures whose curves stand in the figure."""
    monkeypatch.setattr(drawings, "available", lambda: False)

    def curves_of(found: Findings) -> list[str]:
        asked: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(drawings, "curves_figure", lambda *given: asked.extend(given[3]) or ())
            document(study(found))
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
    (section,) = (each for each in document(study(found)).sections if "together" in each.title)
    (told,) = section.paragraphs
    assert f"r = {share_between(found.pearson)}, " in told
    assert f"ρ = {share_between(found.spearman)}; " in told
    assert told.endswith(f"not below that of m0, with r = {share_between(found.among_better)}.")
