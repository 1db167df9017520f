import pickle
from dataclasses import replace

from weps.records import Clustering
from weps.sources import open_source
from weps.sources.base import beyond_results


def test_the_digest_identifies_names_ranks_and_key(weps1):
    whole = open_source(weps1).digest()
    assert len(whole) == 12
    assert open_source(weps1).digest(["bob case", "Ann_Example"]) == whole
    assert open_source(weps1).digest(["Bob_Case"]) != whole


def test_the_digest_ignores_pages_and_the_order_of_entities(plant, weps1):
    before = open_source(weps1).digest()
    plant(
        {
            "web_pages/Ann_Example/raw/000/index.html": "another page",
            "truth_files/Ann_Example.clust.xml": '<clustering><entity><doc rank="1"/></entity>'
            '<entity><doc rank="0"/></entity><discarded><doc rank="2"/></discarded></clustering>',
        }
    )
    assert open_source(weps1).digest() == before


KEYS = [
    "<clustering/>",
    '<clustering><entity><doc rank="1"/></entity></clustering>',
    '<clustering><discarded><doc rank="1"/></discarded></clustering>',
]


def test_the_digest_changes_with_the_key_and_with_the_results(plant, weps1):
    digests = {open_source(weps1).digest()}
    plant({"description_files/Bob_Case.xml": '<corpus><doc rank="1"/></corpus>'})
    digests.add(open_source(weps1).digest())
    for key in KEYS:
        plant({"truth_files/Bob_Case.clust.xml": key})
        digests.add(open_source(weps1).digest())
    assert len(digests) == 2 + len(KEYS)


def test_a_source_travels_to_other_processes(weps1, weps2):
    for root in (weps1, weps2):
        source = open_source(root)
        assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301  # joblib's own way


def test_sources_are_values(weps1):
    source = open_source(weps1)
    assert source == open_source(weps1)
    assert replace(source, annotation="annotation_1") != source


def test_ranks_beyond_the_results():
    key = Clustering((frozenset({3, 1}), frozenset({9})), frozenset({7}))
    assert beyond_results(key, [1, 3]) == (7, 9)
    assert beyond_results(key, range(10)) == ()
