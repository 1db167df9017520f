import numpy as np
import pytest

from eval.meta.shares import share


def test_a_share_of_nothing_is_unknown() -> None:
    assert share([1, 0], [4, 0]).tolist() == pytest.approx([0.25, np.nan], nan_ok=True)
    assert share(1, 2) == 0.5
    assert share([[1, 2], [3, 4]], [4, 0]).tolist() == pytest.approx(
        np.array([[0.25, np.nan], [0.75, np.nan]]), nan_ok=True
    )
