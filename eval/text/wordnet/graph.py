"""WordNet as a graph of synsets.

"Edges connect senses according to the relations defined in WordNet" (ShafieiBavani et al. 2017,
section 3.1): any pointer, semantic or lexical, joins two synsets. The paper says nothing of
directions and weights; here edges have no direction, and all have weight one, however many
pointers join the two.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from eval.text.wordnet.reading import WordNet

__all__ = ["transitions"]


def transitions(wordnet: WordNet) -> sparse.csr_array:
    """The matrix W of a random walk: ``W[i, j]`` is the probability of a step from j to i.

    Returns:
        Shape (synsets, synsets), float32. Columns sum to one, those of synsets without
        neighbours to zero; a pointer from a synset to itself is no edge.
    """
    size = len(wordnet.synsets)
    start, end = wordnet.pointers[wordnet.pointers[:, 0] != wordnet.pointers[:, 1]].T
    both = (np.concatenate([start, end]), np.concatenate([end, start]))
    edges = sparse.coo_array((np.ones(len(both[0]), np.float32), both), (size, size)).tocsr()
    edges.data[:] = 1.0  # conversion has added up what joins the same two synsets
    degrees = edges.sum(axis=0)
    steps = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    return sparse.csr_array(edges @ sparse.diags_array(steps))
