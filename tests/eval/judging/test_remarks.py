import pytest

from eval.judging.remarks import rough_intervals


@pytest.mark.parametrize(("groups", "told"), [(1, 0), (2, 1), (9, 1), (10, 0), (49, 0)])
def test_intervals_over_few_groups_are_called_rough(groups: int, told: int) -> None:
    remarks = list(rough_intervals(groups))
    assert len(remarks) == told
    assert all(str(groups) in each for each in remarks)
