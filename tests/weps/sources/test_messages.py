import pytest

from weps.sources.messages import listed, reason


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), ([1], "1"), (range(5), "0, 1, 2, 3, 4"), (range(7), "0, 1, 2, 3, 4 and 2 more")],
)
def test_lists_are_cut_short(items, text):
    assert listed(items) == text


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
        (OSError("odd"), "odd"),
    ],
)
def test_reasons_leave_out_the_path(problem, text):
    assert reason(problem) == text
