import numpy as np

from tests.weps.corrections.cases import corrections_of
from weps.clustering import average_link
from weps.corrections.obeying import obeying

PAIRS = np.array([0.9, 0.5, 0.5, 0.5, 0.2, 0.8])
RANKS = [10, 20, 30, 40]


def test_what_was_said_is_obeyed_and_learnt_from():
    said = corrections_of("different 10 / 20", "same 10 40").said
    tree = obeying(said, average_link, PAIRS, RANKS)
    assert [tree.clusters(merges) for merges in (tree.least, tree.most)] == [
        [[0, 3], [1], [2]],
        [[0, 2, 3], [1]],
    ]
    assert tree.probability[[0, 2]].tolist() == [0, 1]
    assert 0 < tree.probability[5] < 0.8


def test_nothing_said():
    tree = obeying((), average_link, PAIRS, RANKS)
    assert tree.merges == average_link(PAIRS, 4).merges
    assert tree.probability is PAIRS
