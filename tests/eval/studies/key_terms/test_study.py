"""``weps study key-terms``."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.eval.cli.conftest import NAMES, mixed, results, write_weps2
from weps.errors import SourceError
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Clustering
from weps.sources.opening import open_source
from weps_eval.studies.key_terms.findings import study_topics
from weps_eval.studies.key_terms.study import articles_of, people_of, read_section, sections_of

__all__ = ["mixed", "results"]


MORE = {"bread-8": ("The bread rose. Ovens burned.", "bread\noven\n")}


@pytest.fixture
def annotated(mixed: Path) -> Path:
    (mixed / "attributes").mkdir()
    for name in NAMES:
        (mixed / "attributes" / f"{name}.txt").write_text("1\tOccupation\tbread\n2\tSchool\toven\n")
    return mixed


@pytest.mark.slow
def test_documents_and_sections_however_many_processes(weps, tmp_path):
    zipped, report = archive(tmp_path / "news.zip", TEXTS | MORE), tmp_path / "report"
    words, outputs = ("study", "key-terms", "--keyphrases", zipped), []
    for jobs, more in ((1, ("--report", report)), (2, ())):
        written = tmp_path / f"{jobs}.json"
        status, out, _ = weps(*words, "--json", written, "--jobs", jobs, *more)
        assert status == 0
        outputs.append(json.loads(written.read_text()) | {"made": ""})
        assert "+verb" in out
        assert outputs[0]["signature"] in out
    data = outputs[0]
    assert data == outputs[1]
    assert [each["title"] for each in data["collections"]] == ["news: documents", "news: sections"]
    assert [len(each["topics"]) for each in data["collections"]] == [4, 2]
    assert "ISCORPUS" in (report / "index.html").read_text()


@pytest.mark.slow
def test_people_without_tags(weps, annotated, tmp_path):
    written = tmp_path / "study.json"
    status, out, _ = weps("study", "key-terms", annotated, "--json", written)
    assert status == 0
    (found,) = json.loads(written.read_text())["collections"]
    assert found["title"] == "WePS-2: attributes"
    assert len(found["topics"]) == 2 * (len(NAMES) - 1)
    assert found["weightings"]["tf"]["recall_at_10"]["value"] == 1
    assert "tfsyntax" not in found["weightings"]
    assert f"Left out, because less is available: {NAMES[0]}." in out
    assert "not studied" in out


@pytest.mark.slow
def test_what_cannot_be_studied(weps, annotated, tmp_path, results):
    for words, message in (
        ((), "no topics to study"),
        ((annotated, "--pages", 7), "no kind of key concepts has 2 topics"),
        ((results,), "no name has the text of its pages"),
        (("--keyphrases", tmp_path / "none.zip"), "cannot be read"),
    ):
        status, _, err = weps("study", "key-terms", *words)
        assert status != 0
        assert message in err


TEXTS = {
    "sea-1": ("The harbour closed.\nShips waited.", "harbour\nships\n"),
    "sea-2": ("The harbour opened again.", "  the harbour\nnets\n\n"),
    "bread-7": ("The oven burned.", "oven\n"),
}


def archive(path, texts, broken=()):
    with zipfile.ZipFile(path, "w") as file:
        for name, (text, keys) in texts.items():
            file.writestr(f"set/docsutf8/{name}.txt", text)
            if name not in broken:
                file.writestr(f"set/keys/{name}.key", keys)
    return path


def test_documents_with_their_phrases(tmp_path):
    articles = articles_of(archive(tmp_path / "a.zip", TEXTS, broken=["bread-7"]))
    assert [each.name for each in articles] == ["sea-1", "sea-2"]
    assert articles[1].phrases == ("the harbour", "nets")


def test_sections_are_read_together_and_loose_documents_in_parts(tmp_path):
    loose = {str(number): ("A text.", "text") for number in range(205)}
    articles = articles_of(archive(tmp_path / "a.zip", TEXTS | loose))
    found = [(name, len(each)) for name, each in sections_of(articles)]
    assert found == [("bread", 1), ("sea", 2), ("", 100), ("", 100), ("", 5)]


def test_a_section_is_a_topic_whose_concepts_are_shared(tmp_path):
    articles = articles_of(archive(tmp_path / "a.zip", TEXTS))
    batch = read_section(sections_of(articles)[1], Reader())
    topics = {each.title: each for each in study_topics([batch])}
    assert sorted(topics) == ["sea", "sea-1", "sea-2"]
    sea = topics["sea"]
    assert (sea.kind, sea.documents, sea.concepts) == ("sections", 2, 1)
    assert sea.curves["tf"].recall_at(1) == 1
    assert topics["sea-1"].concepts == 2
    assert topics["sea-1"].places["-1"].hits == 2


def test_what_is_no_archive_of_key_phrases(tmp_path, monkeypatch):
    (tmp_path / "b.zip").write_text("no zip")
    for path, what in (
        (tmp_path / "b.zip", "cannot be read"),
        (tmp_path / "missing.zip", "cannot be read"),
        (archive(tmp_path / "c.zip", {}), "no document"),
    ):
        with pytest.raises(SourceError, match=what):
            articles_of(path)
    monkeypatch.setattr("weps_eval.studies.key_terms.study._MAX_BYTES", 10)
    with pytest.raises(SourceError, match="more than 10 bytes"):
        articles_of(archive(tmp_path / "a.zip", TEXTS))


@pytest.mark.parametrize(
    "compression",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
def test_a_damaged_archive(tmp_path, compression):
    """Its index is whole, with other bytes where its first file should be."""
    path, name = tmp_path / "a.zip", "docsutf8/sea-1.txt"
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr(name, "The harbour closed. Ships waited. " * 9)
        file.writestr("keys/sea-1.key", "harbour\n")
    data, begin = path.read_bytes(), 30 + len(name)
    path.write_bytes(data[:begin] + b"\xff" * 30 + data[begin + 30 :])
    with pytest.raises(SourceError, match="cannot be read"):
        articles_of(path)


@pytest.mark.parametrize(
    ("local", "central", "value"),
    [pytest.param(6, 8, 1, id="encrypted"), pytest.param(8, 10, 99, id="unknown compression")],
)
def test_an_archive_that_python_cannot_unpack(tmp_path, local, central, value):
    path = archive(tmp_path / "a.zip", TEXTS)
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        data[data.index(mark) + place] = value
    path.write_bytes(data)
    with pytest.raises(SourceError, match="cannot be read"):
        articles_of(path)


KEY = Clustering((frozenset({1, 3, 5}), frozenset({2, 4})), labels=("BAKER IN LOVELL", ""))


def read(root, fewest, monkeypatch):
    source = open_source(write_weps2(root, ("ADA_LOVELL",), ("ADA_LOVELL",)))
    (root / "attributes").mkdir()
    (root / "attributes" / "ADA_LOVELL.txt").write_text(
        "1\tOccupation\tBaker\tMaster baker\n2\tSchool\tBread School of Lovell\n"
        "3\tPhone\tcall me\n6\tWork\tElsewhere\n"
    )
    monkeypatch.setattr(type(source), "key", lambda *_: KEY)
    reading = {"form": PageForm.TOKENS, "reader": Reader(), "fewest": fewest}
    return people_of("ADA_LOVELL", source=source, **reading).topics


def test_attributes_and_labels_are_key_concepts(tmp_path, monkeypatch):
    topics = {(each.kind, each.title[-1]): each for each in read(tmp_path, 2, monkeypatch)}
    assert {key: set(map(frozenset, each.concepts)) for key, each in topics.items()} == {
        ("labels", "1"): {frozenset({"baker"})},
        ("attributes", "1"): {frozenset({"baker"}), frozenset({"master", "baker"})},
        ("attributes", "2"): {frozenset({"bread", "school"})},
    }
    assert topics["labels", "1"].rows == (0, 2, 4)


def test_who_has_too_few_pages_is_no_topic(tmp_path, monkeypatch):
    assert {each.title for each in read(tmp_path, 3, monkeypatch)} == {"ADA LOVELL 1"}
