from collections.abc import Sequence

import pytest

from eval.text.wrapped.pairs import every_pair, pooled
from weps.errors import ValuesError


def lengths(output: str, references: Sequence[str]) -> float:
    """A number of its own for every output and every list of references."""
    return float(100 * len(output) + len("".join(references)))


def test_every_output_meets_every_reference() -> None:
    scores = every_pair(["a", "", "bbb"], ["cc", " \n"], lengths)
    assert scores.tolist() == [[102, 0], [0, 1], [302, 0]]


@pytest.mark.parametrize(("outputs", "references"), [([], ["a"]), (["a"], []), ([], [])])
def test_nothing_to_compare(outputs: list[str], references: list[str]) -> None:
    scores = every_pair(outputs, references, lengths)
    assert scores.shape == (len(outputs), len(references))
    assert scores.dtype == float


@pytest.mark.parametrize(
    ("references", "expected"),
    [(["c", "dd"], [103, 0]), (["c", " ", ""], [101, 0]), (["", "\t"], [0, 1])],
)
def test_empty_references_count_only_among_themselves(
    references: list[str], expected: list[float]
) -> None:
    assert pooled(["a", "  "], references, lengths).tolist() == expected


def test_no_references_to_pool() -> None:
    with pytest.raises(ValuesError, match="no reference to compare with"):
        pooled(["a"], [], lengths)
