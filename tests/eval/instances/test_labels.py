import pytest

from eval.instances.labels import is_positive


@pytest.mark.parametrize(
    "pair",
    "true/false yes/no 1/0 1.0/0.0 positive/negative +/- "
    "coreferent/other TRUE/False Yes/NO".split(),
)
def test_labels_come_in_pairs(pair: str) -> None:
    assert [is_positive(f" {label}") for label in pair.split("/")] == [True, False]


@pytest.mark.parametrize("label", ["", "2", "maybe", "10", "nan", "tru", "-1"])
def test_other_words_are_no_labels(label: str) -> None:
    assert is_positive(label) is None
