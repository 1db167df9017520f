import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.weps.builders import stump
from weps import model as module
from weps.clustering.confidence import PageConfidence, PersonConfidence
from weps.clustering.dendrogram import STOPPING_KINDS, ExpectedF, Threshold
from weps.coreference.base import Calibration
from weps.coreference.classifiers import CLASSIFIERS
from weps.coreference.trees import BoostedTrees
from weps.errors import ModelError, OutputError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.model import DEFAULT_SYSTEM, FORMAT, ModelSet, load, pretrained, save_models
from weps.people.pages import SetAsideRule
from weps.reading import Origin, PageForm, available_similarities
from weps.similarity.columns import need_encoder, parse_similarity, required_layers
from weps.systems import parse_configuration, similarities_of

PAGES = tuple(map(parse_similarity, ["dice(token)", "cosine(ngram(n=2, local=true))", "linked"]))
RESULTS = tuple(map(parse_similarity, ["dice(title)", "profile(cosine(title))", "same_domain"]))
BOOSTED = BoostedTrees.from_data(
    {
        "base": 0.1 + 0.2,
        "roots": [0, 3],
        "column": [1, -1, -1, -1],
        "threshold": [0.1, 0.0, 0.0, 0.0],
        "left": [1, -1, -1, -1],
        "right": [2, -1, -1, -1],
        "value": [0.0, -1 / 3, 0.7, 0.05],
    },
    len(RESULTS),
)
MODELS = ModelSet(
    {
        PageForm.PAGES: stump(
            PAGES,
            PAGES[1],
            stopping={Origin.SEARCH: Threshold(0.1 + 0.2), Origin.LISTED: Threshold(0.75)},
            set_aside=SetAsideRule({"empty": 0.9, "absent": 1 / 3}),
        ),
        PageForm.RESULTS: stump(
            RESULTS,
            RESULTS[0],
            classifier=BOOSTED,
            linkage="average",
            stopping=dict.fromkeys(Origin, ExpectedF(2 / 3, -0.1, alpha=0.2)),
            calibration=Calibration(1.7, -0.2),
            page_confidence=PageConfidence(
                (0.1 + 0.2, 0.9, -0.7, 0.4), (-2.0, -1 / 3), (0.9, 2 / 3)
            ),
            person_confidence=PersonConfidence(Calibration(1.2, 0.1), (0.1, -1 / 3, 0.25)),
        ),
    },
    card={"corpus": "WePS-1, Zoë", "names": 34},
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@pytest.fixture
def damaged(path):
    """A function that saves the models after a change to their data, or other text instead."""

    def write(change) -> None:
        save_models(MODELS, path)
        data = json.loads(path.read_text("utf-8"))
        result = change(data)
        path.write_text(result if isinstance(result, str) else json.dumps(data), "utf-8")

    return write


DISPLAYED = ("calibration", "page_confidence", "person_confidence", "set_aside")


def test_a_model_reads_back(path, tmp_path):
    save_models(MODELS, path)
    again = load(path)
    assert again.card == MODELS.card
    assert again.digest == hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    assert list(again.models) == [PageForm.PAGES, PageForm.RESULTS]
    values = np.random.default_rng(0).random((28, 3)).astype(np.float32)
    for form, model in MODELS.models.items():
        read = again.for_form(form)
        for part in (*("similarities", "linkage", "stopping"), *DISPLAYED):
            assert getattr(read, part) == getattr(model, part)
        assert type(read.classifier) is type(model.classifier)
        found, expected = (each.classifier.predict(values) for each in (read, model))
        assert found.tolist() == expected.tolist()
    save_models(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@each_case("text", ["[1,  2]", "[\n]", "a\n[b]", '"[1,  2]"'])
@each_case("language", ["", "de_core_news_sm"])
@each_case("encoder", ["", "all-MiniLM-L6-v2 0123456789ab"])
def test_text_is_saved_as_it_is_and_a_list_of_numbers_in_one_line(path, text, language, encoder):
    card = {"command": text, text: [text, 1]}
    save_models(replace(MODELS, card=card, language=language, encoder=encoder), path)
    read = load(path)
    assert (read.card, read.language, read.encoder) == (card, language, encoder)
    assert '"column": [ 1, -1, -1, -1 ],\n' in path.read_text("utf-8")


def test_a_form_without_model_is_named():
    with pytest.raises(ModelError, match="tokens") as caught:
        MODELS.for_form(PageForm.TOKENS)
    assert "weps train" in caught.value.remedy


@each_case(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b"7", b'"weps model"', b"{}", b'{"kind": "weps model"}'),
        b'{"kind": "other", "format": 3}',
        b"[" * 100_000,
        b"\0\1\2",
        b"\xff\xfe\xfa model",
    ],
)
def test_what_is_no_model_file_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.where == path
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def set_pages(*keys_and_value):
    """A change to the model for pages: the keys that lead to a place, and what to put there."""
    *keys, last, value = keys_and_value

    def change(data) -> None:
        place = data["models"]["pages"]
        for key in keys:
            place = place[key]
        place[last] = value

    return change


NAN = float("nan")


@each_case(
    "change",
    [
        lambda data: data.pop("models") and None,
        lambda data: data.update(models=[1]),
        lambda data: data.update(card=["WePS-1"]),
        *(
            lambda data, name=name: data.update(language=name)
            for name in ("../en", "os", "en_core;x", "/var/en_x", 3, "en_" + 99 * "x")
        ),
        lambda data: data.update(models={"leaflets": {}}),
        lambda data: data.update(models={"pages": 7}),
        lambda data: data["models"]["pages"].clear(),
        lambda data: json.dumps(data)[:-40],
        set_pages("similarities", ["dice(tokne)", "linked", "linked"]),
        set_pages("similarities", ["dice(token)"]),
        set_pages("similarities", [7, 7]),
        set_pages("similarities", ["f(" * 100_000, "linked"]),
        set_pages("similarities", ["profile(" * 4 + "linked" + ")" * 4] * 3),
        set_pages("similarities", ["profile(" * 100_000, "linked", "linked"]),
        *(
            set_pages(part, value)
            for part in ("classifier", "link", "stopping", "calibration", "beliefs", "people")
            for value in (None, 7, [], {}, {"kind": []}, "other", NAN)
        ),
        *(set_pages("classifier", "kind", kind) for kind in ("logistic", "boosted", "ruled")),
        set_pages("classifier", "data", {}),
        set_pages("classifier", "data", "column", [3, -1, -1]),
        set_pages("link", {"single": 1}),
        set_pages("stopping", {"search": {"kind": "threshold", "data": {"level": 0.5}}}),
        set_pages("stopping", "search", 0.5),
        set_pages("stopping", "search", "kind", {}),
        set_pages("stopping", "search", "kind", "expected-f"),
        set_pages("stopping", "listed", "data", "level", 10**400),
        set_pages("beliefs", "together", []),
        set_pages("set_aside", {"empty": 2}),
    ],
)
def test_a_damaged_model_is_refused_with_file_and_remedy(damaged, path, change):
    damaged(change)
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.where == path
    assert "weps train" in caught.value.remedy
    assert len(str(caught.value)) < 1_000 or "f(f(" in str(caught.value)


@each_case(
    ("change", "message"),
    [
        (set_pages("link", "ward"), "link"),
        (set_pages("classifier", "kind", "woods"), "the unknown kind 'woods'"),
        (
            set_pages("stopping", "search", "kind", "never"),
            "unknown kind 'never', known are threshold",
        ),
        (set_pages("calibration", "slope", 0), "it is damaged .calibration."),
        (set_pages("beliefs", {}), "its page confidence cannot be read"),
        (set_pages("beliefs", "alone", [0.0] * 4), "it is damaged .page confidence."),
        (set_pages("people", "further_people", []), "it is damaged .person confidence."),
    ],
)
def test_what_is_unknown_or_damaged_is_named(damaged, path, change, message):
    damaged(change)
    with pytest.raises(ModelError, match=message):
        load(path)


@pytest.mark.parametrize("other", [0, 1, 2, FORMAT + 1, str(FORMAT), None])
def test_a_model_of_another_version_is_refused(damaged, path, other):
    damaged(lambda data: data.update(format=other))
    message = f"format {other!r}, this version reads format {FORMAT}; train it again"
    with pytest.raises(ModelError, match=message):
        load(path)


def test_a_file_that_is_missing_or_a_folder_or_far_too_large_is_not_read(path, tmp_path):
    with pytest.raises(ModelError, match=r"model\.json: .*No such file"):
        load(path)
    with pytest.raises(ModelError, match="a folder, not a file"):
        load(tmp_path)
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(ModelError, match="is over 47 MB"):
        load(path)


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OutputError) as caught:
        save_models(MODELS, tmp_path / "no" / "such" / "folder.json")
    assert caught.value.where == tmp_path / "no" / "such" / "folder.json"
    assert caught.value.remedy


def test_features_that_pages_of_a_form_cannot_have_are_absent():
    absent = ("token", "ngram(n=2, local=true)", "linked")
    assert MODELS.missing_features(PageForm.RESULTS) == absent
    assert MODELS.missing_features(PageForm.PAGES) == ()


SYSTEMS = [DEFAULT_SYSTEM, "small", "paper", "paper:features=all"]


@each_case("system", SYSTEMS)
def test_a_packaged_model_is_what_its_system_says_for_every_form(system):
    models, configuration = pretrained(system), parse_configuration(system)
    columns = similarities_of(configuration.features)
    forms = {form for form in PageForm if available_similarities(columns, form)}
    assert set(models.models) == forms
    for form, model in models.models.items():
        wanted = configuration.for_form(form)
        used = similarities_of(wanted.features)
        assert model.similarities == available_similarities(used, form)
        classifier = getattr(model.classifier, "inner", model.classifier)  # without rules
        assert type(classifier) is CLASSIFIERS[wanted.classifier]
        assert model.calibration != Calibration()
        assert model.page_confidence != PageConfidence()
        assert model.person_confidence != PersonConfidence()
        assert model.linkage == wanted.link
        kinds = {type(model.stopping[origin]) for origin in Origin}
        assert kinds == {STOPPING_KINDS[wanted.stop]}
    assert models.card["configuration"] == configuration.as_data()
    assert bool(models.encoder) is need_encoder(columns)
    assert models.language == (BUILTIN_PIPELINE if required_layers(columns) else "")


@pytest.mark.parametrize("encoder", ["", "small 0123456789ab"])
def test_a_sentence_encoder_selects_the_model_that_uses_one(monkeypatch, encoder):
    monkeypatch.setattr(module, "encoder_identity", {"given": encoder, "none": ""}.__getitem__)
    chosen = pretrained(DEFAULT_SYSTEM, "given")
    assert chosen.card["system"] == (DEFAULT_SYSTEM if encoder else "small")
    without = pretrained(DEFAULT_SYSTEM, "none")
    assert bool(chosen.caution) is not bool(encoder)
    assert without.caution == ""  # nothing is missing
    for form in PageForm:
        found, expected = chosen.for_foreign_pages(form), without.for_form(form)
        assert found.similarities == expected.similarities
        assert found.set_aside == chosen.for_form(form).set_aside
    kept = chosen.keeping_all_pages().for_foreign_pages(PageForm.PAGES)
    assert not kept.set_aside.shares


@pytest.mark.parametrize("system", ["paper:features=url", "default:link=single"])
def test_a_system_that_no_packaged_model_is_of(system):
    with pytest.raises(ModelError, match=f"--system '{system}' --out FILE") as caught:
        pretrained(system)
    assert all(each in caught.value.what for each in SYSTEMS)
