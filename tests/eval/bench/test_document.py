from dataclasses import replace
from pathlib import Path

import pytest

from eval.bench.document import document
from eval.bench.outcome import Outcome
from eval.bench.scoring import score
from eval.document import write_document
from eval.systems import systems_of
from tests.eval.bench.conftest import FIRST


def test_every_section_is_there_and_all_files_are_written(outcome: Outcome, tmp_path: Path) -> None:
    made = document(score(outcome), "weps benchmark --cv 2")
    assert [each.title for each in made.sections] == [
        "The systems",
        "Beside the paper",
        "Probabilities of pairs",
        "Probabilities of pages",
        "Name by name",
    ]
    assert made.signature.endswith("|cv:2|seed:3")
    written = {path.name for path in write_document(made, tmp_path)}
    assert {"index.html", "systems.csv", "differences.csv", "names.md", "hardest.csv"} <= written


@pytest.mark.parametrize("subject", ["pairs", "pages"])
def test_reliability_is_drawn_for_every_system(outcome: Outcome, subject: str) -> None:
    pytest.importorskip("matplotlib")
    figures = {each.key: each for each in document(score(outcome), "weps").figures()}
    picture = figures[f"reliability-of-{subject}"].picture
    assert picture is not None
    for system in outcome.trials:
        assert system in picture.alt


def test_a_single_system_that_stands_for_none_is_compared_with_nothing(outcome: Outcome) -> None:
    name = "paper:link=average"
    alone = replace(outcome, systems=systems_of([name]), trials={name: outcome.trials[FIRST]})
    made = document(score(alone), "weps")
    assert "Beside the paper" not in [each.title for each in made.sections]
    assert "differences" not in [each.key for each in made.tables()]
