import numpy as np
import pytest

from eval.meta.drawn import Drawn
from eval.meta_study.kinds import Kind, kind_of, linguistic_ahead, of_kind
from tests.eval.meta_study.made_up_scores import LINGUISTIC, NAMES, WORDS

SHARES = np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, Kind.WORDS) for name in WORDS),
        *((name, Kind.LINGUISTIC) for name in LINGUISTIC),
        ("tvm(n=4)", Kind.WORDS),  # it looks at tags for lemmas only
        ("meteor", Kind.WORDS),
        ("ULC", Kind.COMBINED),
        ("my measure", Kind.UNKNOWN),
        ("R1_recall", Kind.WORDS),
    ],
)
def test_kinds(name, kind):
    assert kind_of(name) is kind


def test_few_measures_are_none():
    assert of_kind(NAMES, Kind.WORDS) == [0, 1, 2, 3]
    assert of_kind(NAMES[:2], Kind.WORDS) == []


def test_the_middle_ones_are_compared():
    found = linguistic_ahead(NAMES, Drawn(SHARES, np.stack([SHARES, 2 * SHARES], axis=1)))
    assert found is not None
    assert found.value == pytest.approx(0.8 - 0.25)
    assert found.high == pytest.approx(0.55 * 1.975)


def test_measures_without_the_figure_do_not_count():
    missing = np.where(SHARES == 0.7, np.nan, SHARES)
    assert linguistic_ahead(NAMES, Drawn(missing, missing[:, None])) is None


def test_a_measure_that_finds_little_does_not_decide_what_is_drawn():
    names = ("rouge(n=1)", "rouge(n=2)", "rouge_l", "dice", "esk", "gramsim")
    names = (*names, "meteor(synonyms=WordNet)")
    table = np.random.default_rng(0).random((7, 400))
    whole = linguistic_ahead(names, Drawn(np.full(7, 0.5), table))
    holes = table.copy()
    holes[3, table[0] < 0.9] = np.nan  # known in a tenth of the resamples
    found = linguistic_ahead(names, Drawn(np.full(7, 0.5), holes))
    assert whole is not None
    assert found is not None
    assert found.high > 0.8 * whole.high
