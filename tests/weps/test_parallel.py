import gc

import pytest

from weps.errors import SourceError
from weps.parallel import over
from weps.resources import resource

NAMES = ["b", "a", "c"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_names(jobs):
    assert list(over(str.upper, NAMES, jobs)) == ["B", "A", "C"]


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_no_names_no_results(jobs):
    assert list(over(str.upper, [], jobs)) == []


def test_one_job_works_only_when_asked():
    worked = []
    results = over(worked.append, NAMES)
    next(results)
    assert worked == ["b"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_arrives_with_its_advice(jobs):
    with pytest.raises(SourceError) as caught:
        list(over(resource, ["missing", "lost"], jobs))
    assert caught.value.remedy


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_has_enough_may_stop(jobs):
    """Warnings are errors here: that some work was in vain is not worth one."""
    results = over(str.upper, NAMES * 20, jobs)
    assert next(results) == "B"
    del results
    gc.collect()
