import pytest

from eval.meta.qarla.triples import Triples
from weps.errors import ValuesError


@pytest.mark.parametrize(
    ("triples", "counts"),
    [
        (Triples.DISTINCT, {3: 6, 4: 24, 11: 990}),
        (Triples.PAIRS, {2: 4, 3: 18, 4: 48}),
        (Triples.ALL, {1: 1, 2: 8, 4: 64}),
    ],
)
def test_how_many_there_are(triples: Triples, counts: dict[int, int]) -> None:
    for models, count in counts.items():
        found = triples.of(models)
        assert len({tuple(each) for each in found.T.tolist()}) == found.shape[1] == count
    assert triples.fewest == min(counts)


def test_which_models_may_be_the_same() -> None:
    assert (0, 0, 0) in {tuple(each) for each in Triples.ALL.of(2).T.tolist()}
    assert set(map(tuple, Triples.PAIRS.of(2).T.tolist())) == {
        (0, 0, 1),
        (0, 1, 0),
        (1, 0, 1),
        (1, 1, 0),
    }


@pytest.mark.parametrize(
    ("triples", "models", "remedy"),
    [
        (Triples.DISTINCT, 2, "give 3 at least, or choose the triples 'pairs'"),
        (Triples.DISTINCT, 1, "give 3 at least, or choose the triples 'all'"),
        (Triples.ALL, 0, "give 1 at least$"),
    ],
)
def test_too_few_models(triples: Triples, models: int, remedy: str) -> None:
    with pytest.raises(ValuesError, match=remedy):
        triples.of(models)
