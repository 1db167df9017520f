from math import sqrt

import pytest

from eval.text.desk import Desk
from eval.text.measures import Measure, similarities
from tests.eval.text.measures.families.made_up import topic

OUTPUT, REFERENCE = "The job, the boss and the gun.", "The boss? The gun."


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("overlap", 4 / 7),
        ("overlap(distinct=true)", 3 / 5),
        ("overlap(tokens=blanks)", 2 / 9),
        ("dice", 8 / 11),
        ("dice(distinct=true)", 6 / 8),
        ("cosine", 3 / sqrt(15)),
        ("cosine(tokens=blanks)", 2 / sqrt(6 * 3)),
    ],
)
def test_words_in_common(measure: str, wanted: float) -> None:
    desk = Desk(topic([OUTPUT], [REFERENCE]))
    [[found]] = similarities(Measure.parse(measure), desk, [OUTPUT], [REFERENCE])
    assert found == pytest.approx(wanted)
