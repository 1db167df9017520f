import numpy as np
import pytest

from eval.meta.qarla import Triples
from eval.meta.similarities import Similarities
from eval.meta_study.orange.stability import stability
from tests.eval.meta_study.compared.made_up import compared


def ranked(topics: int = 4, models: int = 7) -> list[Similarities]:
    """Three measures by which references are ahead of fewer and fewer outputs."""
    among = np.ones((3, models, models))
    peers = np.zeros((3, 8, models))
    peers[1, :3], peers[2, :6] = 2, 2
    return [Similarities(peers, among)] * topics


def test_measures_that_differ_in_every_reference_are_ranked_by_few() -> None:
    found = stability(ranked(), Triples.DISTINCT)
    assert found is not None
    assert found.references == (4, 5, 6)
    assert found.orange[:, 0].tolist() == [1, 1, 1]


@pytest.mark.parametrize(("triples", "first"), [(Triples.DISTINCT, 4), (Triples.PAIRS, 3)])
def test_it_begins_with_the_fewest_that_king_takes(triples: Triples, first: int) -> None:
    found = stability(compared(models=6).similarities, triples)
    assert found is not None
    assert found.references == tuple(range(first, 6))
    estimate = found.estimates(found.king)[0]
    assert estimate.low <= estimate.high
    gap = found.ahead(first)
    assert gap.value == pytest.approx(found.orange[0, 0] - found.king[0, 0])


def test_the_same_seed_draws_the_same_references() -> None:
    topics = compared(models=6).similarities
    one, two, other = (stability(topics, Triples.DISTINCT, seed) for seed in (0, 0, 1))
    assert one is not None
    assert two is not None
    assert other is not None
    assert np.array_equal(one.orange, two.orange, equal_nan=True)
    assert not np.array_equal(one.orange, other.orange, equal_nan=True)


@pytest.mark.parametrize(
    "topics",
    [
        compared(models=4).similarities,
        compared(models=6, measures=("x", "y")).similarities,
        [*compared(models=6).similarities, *compared(models=5).similarities],
    ],
)
def test_nothing_is_said_of_too_little(topics: list[Similarities]) -> None:
    assert stability(topics, Triples.DISTINCT) is None
