import dataclasses

import pytest

from weps.records import Clustering, Document, Page, Search


@pytest.mark.parametrize(
    ("groups", "expected"),
    [([], set()), ([{1, 2}, {5}], {1, 2, 5}), ([{1, 2}, {2, 3}], {1, 2, 3})],
)
def test_the_ranks_of_a_clustering_are_those_of_its_groups(groups, expected):
    clustering = Clustering(tuple(map(frozenset, groups)), discarded=frozenset({9}))
    assert clustering.ranks == expected


def test_labels_do_not_make_clusterings_differ():
    groups = (frozenset({1}),)
    assert Clustering(groups, labels=("judge",)) == Clustering(groups, labels=("painter",))


@pytest.mark.parametrize("record", [Page(1), Document(1), Search("A", ()), Clustering(())])
def test_records_stay_as_they_were_made(record):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, dataclasses.fields(record)[0].name, None)
