import pytest

from eval.correcting import STEPS, summary
from eval.correcting.summary import after, needed, saved
from tests.eval.correcting.cases import made_up

QUICK = made_up("A", 1.0, [0.5, 0.96, 1.0], [0.5, 0.6, 0.7, 0.96, 1.0])
POOR = made_up("B", 0.9, [0.7, 0.9], [0.7, 0.8, 0.9])
DONE = made_up("C", 1.0, [1.0], [1.0])


@pytest.mark.parametrize(
    ("course", "corrections", "anew", "alone"),
    [(QUICK, 0, 0.5, 0.5), (QUICK, 1, 0.96, 0.6), (QUICK, 9, 1.0, 1.0), (DONE, 3, 1.0, 1.0)],
)
def test_after_so_many_corrections(course, corrections, anew, alone):
    assert after(course, "anew", corrections) == anew
    assert after(course, "alone", corrections) == alone


@pytest.mark.parametrize(
    ("course", "level", "anew", "alone"),
    [
        (QUICK, 0.95, 1, 3),
        (QUICK, 1.0, 2, 4),
        (QUICK, 0.7 + 1e-12, 1, 2),
        (POOR, 0.95, None, None),
        (POOR, 0.9, 1, 2),
        (DONE, 0.95, 0, 0),
    ],
)
def test_corrections_to_a_level(course, level, anew, alone):
    assert (needed(course, "anew", level), needed(course, "alone", level)) == (anew, alone)


def test_means_over_names():
    found = summary([QUICK, POOR, DONE], "alone")
    assert found.after[:4] == pytest.approx((2.2 / 3, 2.4 / 3, 2.6 / 3, 2.86 / 3))
    assert len(found.after) == len(STEPS)
    assert (found.to_good, found.to_best) == (1.5, 2.0)


def test_where_no_name_can_be_good():
    assert summary([POOR], "anew").to_good is None


def test_what_clustering_anew_saves():
    found = saved([QUICK, POOR, DONE])
    assert (found.mean, found.better, found.worse, found.equal) == (1.0, 2, 0, 1)
