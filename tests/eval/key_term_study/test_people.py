from eval.key_term_study.people import Plan, people_of
from tests.eval.commands.conftest import write_weps2
from weps.forms import Form
from weps.reading import Reader
from weps.records import Clustering
from weps.sources import open_source

KEY = Clustering((frozenset({1, 3, 5}), frozenset({2, 4})), labels=("BAKER IN LOVELL", ""))


def read(root, fewest, monkeypatch, form=Form.TOKENS):
    source = open_source(write_weps2(root, ("ADA_LOVELL",), ("ADA_LOVELL",)))
    (root / "attributes").mkdir()
    (root / "attributes" / "ADA_LOVELL.txt").write_text(
        "1\tOccupation\tBaker\tMaster baker\n2\tSchool\tBread School of Lovell\n"
        "3\tPhone\tcall me\n6\tWork\tElsewhere\n"
    )
    monkeypatch.setattr(type(source), "key", lambda *_: KEY)
    return people_of("ADA_LOVELL", source, Plan(form, Reader(), fewest)).topics


def test_attributes_and_labels_are_key_concepts(tmp_path, monkeypatch):
    topics = {(each.kind, each.title): each for each in read(tmp_path, 2, monkeypatch)}
    assert set(topics) == {
        ("labels", "ADA LOVELL 1"),
        ("attributes", "ADA LOVELL 1"),
        ("attributes", "ADA LOVELL 2"),
    }
    facts = topics["attributes", "ADA LOVELL 1"].concepts
    assert facts == {frozenset({"baker"}), frozenset({"master", "baker"})}
    assert topics["attributes", "ADA LOVELL 2"].concepts == {frozenset({"bread", "school"})}
    assert topics["labels", "ADA LOVELL 1"].concepts == {frozenset({"baker"})}
    assert topics["labels", "ADA LOVELL 1"].rows == (0, 2, 4)


def test_who_has_too_few_pages_is_no_topic(tmp_path, monkeypatch):
    assert {each.title for each in read(tmp_path, 3, monkeypatch)} == {"ADA LOVELL 1"}
