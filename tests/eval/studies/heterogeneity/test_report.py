from collections.abc import Iterator
from dataclasses import replace

import pytest

from eval.studies.base import Result
from eval.studies.heterogeneity import findings
from eval.studies.heterogeneity.findings import Findings, Settings, compute_findings
from eval.studies.heterogeneity.report import document, tables
from tests.eval.studies.made_up_groups import grouped


@pytest.fixture(scope="module")
def of_two() -> Iterator[Findings]:
    """By two criteria."""
    source = grouped()
    both = replace(source, quality=dict.fromkeys(("one", "two"), source.quality["quality"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "_GAIN_RESAMPLES", 10)
        yield compute_findings(both, Settings(each=5, samples=200))


def test_sizes_have_columns_of_every_criterion(
    of_two: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.studies.base.has_matplotlib", lambda: False)
    made = document(Result("made up", of_two, [], (), "signature", "weps"))
    (sizes,) = (each for each in made.tables() if each.key == "sizes")
    heading, *rows = sizes.rows
    assert heading[:6] == ["size", "sets", "H", "R one", "S one", "gain one"]
    assert heading[6:] == ["R two", "S two", "gain two"]
    assert [row[0] for row in rows] == ["2", "3", "5"]
    assert "sizes" not in {each.key for each in tables(of_two)}


def test_pairs_are_listed_from_both_ends(of_two: Findings) -> None:
    (pairs,) = (each for each in tables(of_two) if each.key == "pairs")
    values = [float(row[2]) for row in pairs.rows[1:]]
    assert values == sorted(values, reverse=True)
    assert len(values) == 10
    assert values[0] == pytest.approx(of_two.pairs.max(), abs=5e-4)
    assert values[-1] == pytest.approx(of_two.pairs.min(), abs=5e-4)
