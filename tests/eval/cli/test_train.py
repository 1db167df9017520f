"""Models for feature sets, and what their cards say of features that pages lack."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import run_weps
from tests.eval.cli.conftest import NAMES
from tests.weps.language.graphs import write_encoder
from weps.cli.console import Console
from weps.errors import SourceError
from weps.key_terms.weighting import Reference
from weps.language.sentence_encoder import encoder_identity
from weps.model import ModelSet, load
from weps.people.pages import SIGNS
from weps.reading import PageForm, available_similarities
from weps.systems import CONFIGURATIONS, parse_configuration, similarities_of
from weps_eval.cli.train import ReferenceOptions, train_reference

pytestmark = pytest.mark.slow


@pytest.fixture
def train(tmp_path: Path):
    """Train on a corpus; the models."""

    def run(*words: object) -> ModelSet:
        out = tmp_path / "model.json"
        assert run_weps.main(["--quiet", "train", *map(str, words), "--out", str(out)]) == 0
        return load(out)

    return run


def columns(models: ModelSet) -> dict[PageForm, list[str]]:
    return {form: list(map(str, model.similarities)) for form, model in models.models.items()}


def test_the_default_is_the_default_system(train, saved):
    models = train(saved)
    default = CONFIGURATIONS["default"]
    wanted = {form: similarities_of(default.for_form(form).features) for form in PageForm}
    assert {form: each.similarities for form, each in models.models.items()} == {
        form: available_similarities(wanted[form], form) for form in PageForm
    }
    kinds = {form: each.classifier.kind for form, each in models.models.items()}
    assert kinds == dict.fromkeys(PageForm, "ruled")
    assert models.card["system"] == "default"
    assert models.card["configuration"] == CONFIGURATIONS["default"].as_data()
    assert models.card["command"].startswith(f"weps --quiet train {saved} --out ")
    assert set(models.card["similarities"]) == set(map(str, wanted[PageForm.RESULTS]))
    assert models.language == ""


def test_a_model_names_its_sentence_encoder_and_is_used_with_it(train, saved, tmp_path, weps):
    pytest.importorskip("onnxruntime", reason="sentence encoders need weps[embeddings]")
    mine, other = (write_encoder(tmp_path / name) for name in ("mine", "other"))
    models = train(saved, "--system", "default:features=embeddings", "--embeddings", mine)
    assert models.encoder == encoder_identity(mine)
    assert {form: len(each.similarities) for form, each in models.models.items()} == dict.fromkeys(
        PageForm, 6
    )
    words = ("cluster", saved, "--model", tmp_path / "model.json", "--out", tmp_path / "out")
    status, out, _ = weps(*words, "--embeddings", mine)
    assert status == 0
    assert "pages" in out
    made = json.loads(next((tmp_path / "out").glob("*.json")).read_text())
    assert f"|encoder:{models.encoder}|" in made["signature"]
    assert made["settings"]["embeddings"] == mine
    assert "accuracy may be lower" in weps(*words, "--embeddings", other)[2]
    status, _, err = weps(*words, "--embeddings", "none")
    assert status == 1
    assert "there is no sentence encoder; install it with `pip install" in err


@pytest.mark.parametrize(
    ("words", "system"),
    [
        (["--system", "paper:features=title,link=average"], "paper:features=title,link=average"),
        (["--features", "title"], "paper:features=title"),
    ],
)
def test_the_card_records_the_system(train, saved, words, system):
    card = train(saved, *words).card
    assert card["system"] == system
    assert card["configuration"] == parse_configuration(system).as_data()
    assert set(card["cross_validation"]) == {"pages", "tokens", "results"}


def test_which_pages_to_set_aside_is_learnt_if_asked_for(train, saved):
    system = ("--system", "paper")
    assert train(saved, *system).for_form(PageForm.PAGES).set_aside.shares == {}
    models = train(saved, *system, "--set-aside")
    assert list(models.for_form(PageForm.PAGES).set_aside.shares) == list(SIGNS)
    assert models.for_form(PageForm.RESULTS).set_aside.shares == {}


def test_several_corpora_are_learnt_from_as_one(train, halves, results, tmp_path):
    made = []
    for corpora in (halves, halves[::-1], [results]):
        card = train(*corpora, "--features", "title").card
        assert card["corpus"]["names"] == list(NAMES)
        models = json.loads((tmp_path / "model.json").read_text())["models"]
        made.append((card["corpus"], card["cross_validation"], models))
    assert made[0] == made[1] == made[2]


def test_a_model_learns_from_mixed_names(train, results, capsys):
    system = "paper:stop=expected-f-by-name,features=title"
    models = train(results, "--mixed", 8, 12, "--system", system)
    (validation,) = models.card["cross_validation"].values()
    assert set(validation["mixed"]) <= {"8", "12"}
    assert set(validation["mean"]) == set(next(iter(validation["mixed"].values())))
    assert set(NAMES) < set(models.card["corpus"]["names"])
    assert "mixed, 8 pages" in capsys.readouterr().out
    kinds = {each.kind for model in models.models.values() for each in model.stopping.values()}
    assert kinds == {"expected-f-by-name"}


def test_there_is_no_model_for_pages_with_nothing_to_compare(train, saved, capsys):
    models = train(saved, "--features", "token")
    assert columns(models) == {
        PageForm.PAGES: ["dice(token)", "dice(token(local=true))"],
        PageForm.TOKENS: ["dice(token)"],
    }
    assert models.card["absent"] == {
        "pages": [],
        "tokens": ["dice(token(local=true))"],
        "results": ["dice(token)", "dice(token(local=true))"],
    }
    assert "paper:features=token has nothing to compare results by" in capsys.readouterr().out


def test_nothing_to_learn_from_is_an_error(results, tmp_path, capsys):
    words = [results, "--out", tmp_path / "m.json", "--features", "token"]
    assert run_weps.main(["train", *map(str, words)]) == 1
    assert "nothing to compare by for paper:features=token" in capsys.readouterr().err
    assert not (tmp_path / "m.json").exists()


PAGES = {
    "Ada_Lovell": ["sea sea tide Ada Lovell", "sea gale"],
    "Bea_Lovell": ["sea tide Bea", "ada"],
    "Cleo_Lovell": ["sea gale ada Cleo"],
    "Dora_Lovell": ["tide Dora lovell"],
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name, texts in PAGES.items():
        (tmp_path / "corpus" / name).mkdir(parents=True)
        for rank, text in enumerate(texts, start=1):
            (tmp_path / "corpus" / name / f"{rank:03}.html").write_text(f"<p>{text}")
    return tmp_path / "corpus"


def made(pages: Path, **given: Any) -> Reference:
    options = ReferenceOptions(**{"corpus": pages, "out": pages.parent / "words.json", **given})
    assert train_reference(replace(options, no_cache=True), Console(quiet=True)) == 0
    return Reference.read(options.out)


def test_words_of_three_names_are_kept(pages, capsys):
    reference = made(pages)
    assert dict(reference.words) == {"sea": (5, 4), "tide": (3, 3)}
    assert (reference.size, reference.documents) == (12, 6)
    assert reference.made_from["names"] == 4
    assert "2 words that occur on pages of 3 names or more, from 6 pages" in capsys.readouterr().out


def test_names_can_be_left_out(pages):
    reference = made(pages, exclude=("Dora Lovell",))
    assert (dict(reference.words), reference.documents) == ({"sea": (5, 4)}, 5)


def test_two_names_share_nothing(pages):
    with pytest.raises(SourceError, match=r"too few names \(2\)"):
        made(pages, exclude=("Ada_Lovell", "Bea_Lovell"))
