from collections import Counter

import pytest

from tests.weps.builders import extract
from tests.weps.features.annotated import one_page


@pytest.mark.parametrize(
    ("written", "counted"),
    [
        ("the Marine Ecologist", "marine ecologist"),
        ("his three sons", "three sons"),
        ("all the world's tides", "world tides"),
        ("tides", "tides"),
        ("The Times", "times"),
        ("St. John's   College,", "st john college"),
        ("a state-of-the-art lab", "state of the art lab"),
        ("the tide of the century", "tide of the century"),
        ("Thomas Baker's tides", "thomas baker tides"),
        ("Dr. Thomas Baker", "dr thomas baker"),
        ("Thomas Baker", ""),
        ("the Baker", ""),
        ("it", ""),
        ("all of this", ""),
        ("# @ !", ""),
        ("x", ""),
        ("the", ""),
        ("", ""),
    ],
)
def test_noun_phrases(written, counted):
    assert extract("phrase", one_page((written, ""))) == [Counter([counted] if counted else [])]
