import gc

import pytest

from weps._files import resource_path
from weps._parallel import parallel_map, partial_progress
from weps.errors import SourceError

NAMES = ["b", "a", "c"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_names(jobs):
    assert list(parallel_map(str.upper, NAMES, jobs)) == ["B", "A", "C"]


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_no_names_no_results(jobs):
    assert list(parallel_map(str.upper, [], jobs)) == []


def test_one_job_works_only_when_asked():
    worked = []
    results = parallel_map(worked.append, NAMES)
    next(results)
    assert worked == ["b"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_arrives_with_its_advice(jobs):
    with pytest.raises(SourceError) as caught:
        list(parallel_map(resource_path, ["missing", "lost"], jobs))
    assert caught.value.remedy


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_who_has_enough_may_stop(jobs):
    """Warnings are errors here: that some work was in vain is not worth one."""
    results = parallel_map(str.upper, NAMES * 20, jobs)
    assert next(results) == "B"
    del results
    gc.collect()


def test_a_part_is_told_as_a_part_of_the_whole() -> None:
    told = []
    progress = partial_progress(lambda *each: told.append(each), "all", 2, 4)
    progress("one", 0, 10)
    progress("one", 10, 10)
    assert told == [("all", 20, 40), ("all", 30, 40)]
