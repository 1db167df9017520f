"""The spaCy pipeline: where it is, what it needs, its noun chunks."""

import json
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc

from tests.cases import each_case, install_pipeline
from weps.errors import LanguageError
from weps.language import spacy_pipeline as module
from weps.language.analysis import Layer
from weps.language.spacy_pipeline import (
    BUILTIN_PIPELINE,
    load_pipeline,
    noun_chunks,
    other_recogniser,
    pipeline_name,
    pipeline_version,
    prepare_pipeline,
    unneeded_pipes,
)

UNIVERSAL = ["nsubj", "obj", "obl"]
CLEARNLP = ["nsubj", "dobj", "pobj"]


@pytest.fixture
def copy(pipeline: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pipeline, tmp_path / "copy"))


@pytest.fixture
def package(pipeline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(install_pipeline(pipeline, tmp_path / "site"))
    return "en_small"


def change_meta(folder: Path, **fields: str) -> None:
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps(meta | fields))


def test_a_package_is_loaded_without_its_code_and_a_folder_of_equal_content_is_its_equal(
    package, pipeline, copy
):
    assert load_pipeline(package).pipe_names[-1] == "ner"
    assert load_pipeline(package) is load_pipeline(package)
    assert package not in sys.modules
    assert pipeline_version(package) == pipeline_version(pipeline) == pipeline_version(str(copy))
    release = spacy.about.__version__
    assert re.fullmatch(rf"en/small-1\.2\.3 \w{{12}} spacy-{release}", pipeline_version(package))


@pytest.mark.parametrize(
    ("changed", "other"),
    [("meta.json", False), ("config.cfg", True), ("ner/model", True), ("vocab/strings.json", True)],
)
def test_a_version_changes_with_any_file_but_the_description(pipeline, copy, changed, other):
    with (copy / changed).open("ab") as file:
        file.write(b" ")
    assert (pipeline_version(str(copy)) != pipeline_version(pipeline)) is other


def test_a_title_names_no_place_on_this_machine(pipeline, package):
    assert pipeline_name(pipeline) == "en_small"
    assert pipeline_name(package) == package
    assert pipeline_name(BUILTIN_PIPELINE) == "weps_en"


@pytest.mark.parametrize(
    ("lang", "name", "expected"),
    [
        ("de", "core-news.x", "de_core_news_x"),
        ("de", "../../x", "de__x"),
        ("de", "a\x1b[31mb\nc", "de_a_31mb_c"),
        ("../..", "Größe", "xx_Gr_e"),
        ("de", "x" * 200, "de_" + "x" * 80),
    ],
)
def test_a_model_can_name_every_pipeline(copy, lang, name, expected):
    change_meta(copy, lang=lang, name=name)
    assert pipeline_name(str(copy)) == expected


def test_another_recogniser_is_of_the_same_language_and_finds_entities(
    package, tmp_path, monkeypatch
):
    for lang, pipe in (("de", "entity_ruler"), ("en", "sentencizer")):
        nlp = spacy.blank(lang, meta={"name": "a"})
        nlp.add_pipe(pipe)
        nlp.to_disk(tmp_path / lang)
        monkeypatch.syspath_prepend(install_pipeline(tmp_path / lang, tmp_path / f"site-{lang}"))
    assert other_recogniser(BUILTIN_PIPELINE) == package
    assert other_recogniser(package) == BUILTIN_PIPELINE
    assert other_recogniser("de_a") == ""


@each_case("ask", [load_pipeline, pipeline_version])
@each_case(
    ("name", "advice"),
    [
        ("xy_core_news_sm", "python -m spacy download xy_core_news_sm"),
        ("de", "de_core_news_sm"),
        ("en", "en_core_web_sm"),
        ("json", BUILTIN_PIPELINE),
        ("__main__", BUILTIN_PIPELINE),
        ("no/such/folder", "path of a pipeline's folder"),
        ("Volapük, please", "installed spaCy pipeline"),
        ("", "installed spaCy pipeline"),
    ],
)
def test_a_missing_pipeline_is_named_with_a_way_to_get_one(ask, name, advice):
    with pytest.raises(LanguageError) as caught:
        ask(name)
    assert caught.value.where == name
    assert advice in caught.value.remedy


@pytest.mark.parametrize("meta", ["", "[]", '{"lang": "en"}', "\x00"])
def test_a_damaged_description_is_an_error(meta, tmp_path):
    (tmp_path / "meta.json").write_text(meta)
    for ask in load_pipeline, pipeline_version:
        with pytest.raises(LanguageError):
            ask(str(tmp_path))


@pytest.mark.parametrize("lost", ["config.cfg", "ner/model", "tokenizer", "a factory"])
def test_a_pipeline_without_some_file_or_factory_is_an_error(copy, lost):
    config = (copy / "config.cfg").read_text()
    if lost == "a factory":
        (copy / "config.cfg").write_text(config.replace('factory = "ner"', 'factory = "unheard"'))
    else:
        (copy / lost).unlink()
    with pytest.raises(LanguageError, match="cannot be loaded") as caught:
        load_pipeline(str(copy))
    assert caught.value.where == str(copy)


def test_a_pipeline_for_another_release_is_loaded_with_one_warning(copy):
    change_meta(copy, spacy_version=">=3.0.0,<3.1.0")
    with pytest.warns(UserWarning, match="was made for spaCy") as caught:
        load_pipeline(str(copy))
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("language", "labels", "ours"),
    [
        ("en", UNIVERSAL, True),
        ("en", CLEARNLP, False),
        ("en", [], False),
        ("cs", UNIVERSAL, True),
        ("cs", ["Sb", "Obj"], False),
        ("nb", UNIVERSAL, False),
        ("de", ["sb", "oa"], False),
    ],
)
def test_noun_chunks_fit_the_labels(language, labels, ours, tmp_path):
    nlp = spacy.blank(language)
    parser = nlp.add_pipe("parser")
    for label in ["dep", *labels]:
        parser.add_label(label)
    nlp.initialize()
    nlp.to_disk(tmp_path)
    chosen = load_pipeline(str(tmp_path)).vocab.get_noun_chunks
    assert (chosen is noun_chunks) is ours
    assert spacy.blank(language).vocab.get_noun_chunks is not noun_chunks


def pipes_that_run(nlp: Language, *layers: Layer) -> list[str]:
    idle = unneeded_pipes(nlp, layers)
    return [name for name in nlp.pipe_names if name not in idle]


def blank(*factories: str) -> Language:
    nlp = spacy.blank("en")
    for factory in factories:
        nlp.add_pipe(factory)
    return nlp


def test_what_a_row_becomes_depends_on_no_other_row():
    nodes = [node for _, pipe in module.load_pipeline().pipeline for node in pipe.model.walk()]
    weights = {node.get_param("W").shape: node for node in nodes if node.has_param("W")}
    products = 0
    for node in weights.values():
        matrix = node.get_param("W")
        matrix = matrix.reshape(-1, matrix.shape[-1])
        rows = np.random.default_rng(0).normal(size=(1000, matrix.shape[1])).astype(np.float32)
        whole = node.ops.gemm(rows, matrix, trans2=True)
        for size in (1, 2, 3, 7, 16, 50, 255, 256, 257, 999):
            np.testing.assert_array_equal(
                node.ops.gemm(rows[-size:], matrix, trans2=True), whole[-size:]
            )
            products += 1
    assert products > 30


@each_case(
    ("layers", "expected"),
    [
        ([Layer.LEMMAS], "tok2vec morphologizer trainable_lemmatizer"),
        ([Layer.PHRASES], "tok2vec morphologizer parser"),
        ([Layer.ENTITIES], "ner"),
        ([Layer.TAGS], "tok2vec morphologizer"),
        ([Layer.LEMMAS, Layer.ENTITIES], "tok2vec morphologizer trainable_lemmatizer ner"),
    ],
)
def test_only_what_the_layers_need_runs(pipeline, layers, expected):
    assert pipes_that_run(load_pipeline(pipeline), *layers) == expected.split()


@each_case(
    ("factories", "layer", "expected"),
    [
        ("tagger ner lemmatizer", Layer.ENTITIES, "ner"),
        ("tagger attribute_ruler parser", Layer.TAGS, "tagger attribute_ruler"),
        ("tagger parser lemmatizer ner", Layer.LEMMAS, "tagger parser lemmatizer"),
        ("tagger parser attribute_ruler", Layer.PHRASES, "tagger parser attribute_ruler"),
        ("tagger trainable_lemmatizer parser", Layer.LEMMAS, "tagger trainable_lemmatizer"),
        ("tagger entity_ruler parser", Layer.ENTITIES, "tagger entity_ruler"),
        ("senter sentencizer parser span_ruler", Layer.ENTITIES, "parser span_ruler"),
        ("ner merge_entities", Layer.ENTITIES, "ner"),
    ],
)
def test_rules_run_after_all_that_they_may_read(factories, layer, expected):
    assert pipes_that_run(blank(*factories.split()), layer) == expected.split()


@pytest.mark.parametrize(
    ("factories", "layer", "message"),
    [
        ("ner", Layer.LEMMAS, "lemmas"),
        ("ner tagger", Layer.PHRASES, "phrases"),
        ("tagger parser", Layer.PHRASES, "phrases"),
        ("tagger parser", Layer.ENTITIES, "entities"),
        ("tagger parser", Layer.TAGS, "tags"),
        ("", Layer.ENTITIES, "entities"),
        ("ner", Layer.ENTITIES, "fails"),
    ],
)
def test_a_pipeline_must_run_and_give_what_a_layer_needs(monkeypatch, factories, layer, message):
    nlp = blank(*factories.split())  # never initialised
    nlp.vocab.get_noun_chunks = None
    monkeypatch.setattr(module, "load_pipeline", lambda *_: nlp)
    with pytest.raises(LanguageError, match=message) as caught:
        prepare_pipeline("some_pipeline", frozenset([layer]))
    assert caught.value.where == "some_pipeline"


VOCABULARY = spacy.blank("en").vocab


def parsed(sentence: str) -> Doc:
    words, pos, deps, heads = zip(*(part.rsplit("/", 3) for part in sentence.split()), strict=True)
    positions = [int(head) - 1 if head != "0" else at for at, head in enumerate(heads)]
    return Doc(VOCABULARY, words, pos=list(pos), deps=list(deps), heads=positions)


PHRASES = (
    "[The/DET/det/3 old/ADJ/amod/3 mill/NOUN/nsubj/4] burned/VERB/root/0 ././PUNCT/punct/4",
    "[She/PRON/nsubj/2] lives/VERB/root/0 in/ADP/case/5 [a/DET/det/5 barn/NOUN/obl/2]",
    "[Thomas/PROPN/nsubj/4 J./PROPN/flat/1 Baker/PROPN/flat:name/1] sings/VERB/root/0",
    "[Efrem/PROPN/root/0 Jones/PROPN/flat/1 ,/PUNCT/punct/4 Jr./PROPN/nmod:desc/1] "
    ",/PUNCT/punct/6 [mayor/NOUN/appos/1]",
    "[Professor/NOUN/nmod:desc/2 Vale/PROPN/nsubj/3] taught/VERB/root/0 [Greek/PROPN/obj/3]",
    "[the/DET/det/2 man/NOUN/nmod:poss/5 's/PART/case/2 big/ADJ/amod/5 house/NOUN/root/0]",
    "[John/PROPN/nmod:poss/5 of/ADP/case/3 Gaunt/PROPN/nmod/1 's/PART/case/1 house/NOUN/root/0]",
    "[cats/NOUN/nsubj/6] ,/PUNCT/punct/3 [mice/NOUN/conj/1] and/CCONJ/cc/5 [dogs/NOUN/conj/1] "
    "sleep/VERB/root/0",
    "[black/ADJ/amod/4 and/CCONJ/cc/3 white/ADJ/conj/1 photographs/NOUN/root/0]",
    "Is/AUX/cop/5 [the/DET/det/3 woman/NOUN/nsubj/5] [a/DET/det/5 doctor/NOUN/root/0]",
    "not/ADV/advmod/4 [the/DET/det/4 then/ADV/advmod/4 president/NOUN/root/0]",
    "[a/DET/det/5 bold/ADJ/amod/5 ,/PUNCT/punct/4 new/ADJ/conj/2 plan/NOUN/root/0] "
    "to/PART/mark/7 win/VERB/acl/5",
    "both/CCONJ/cc:preconj/2 [Rome/PROPN/root/0] and/CCONJ/cc/4 [Athens/PROPN/conj/2]",
    "[web/NOUN/compound/3 site/NOUN/goeswith/1 design/NOUN/root/0] ,/PUNCT/punct/5 "
    "[Room/NOUN/appos/3 12/NUM/nummod/5]",
    '"/PUNCT/punct/2 [Dusty/ADJ/amod/3 roads/NOUN/root/0] "/PUNCT/punct/3',
    "run/VERB/root/0 fast/ADV/advmod/1",
)
"""Words, part of speech, label and number of the head of each; brackets mark the phrases."""


@each_case("marked", PHRASES)
def test_phrases(marked):
    doc = parsed(marked.replace("[", "").replace("]", ""))
    starts = [at for at, word in enumerate(marked.split()) if word.startswith("[")]
    ends = [at for at, word in enumerate(marked.split(), start=1) if word.endswith("]")]
    assert [bounds[:2] for bounds in noun_chunks(doc)] == list(zip(starts, ends, strict=True))


def test_serves_as_syntax_iterator_of_a_document_or_part_that_is_parsed():
    doc = parsed("She/PRON/nsubj/2 saw/VERB/root/0 a/DET/det/4 mill/NOUN/obj/2")
    doc.noun_chunks_iterator = noun_chunks
    assert [(span.text, span.label_) for span in doc.noun_chunks] == [
        ("She", "NP"),
        ("a mill", "NP"),
    ]
    assert [(begin, end) for begin, end, _ in noun_chunks(doc[2:4])] == [(2, 4)]
    with pytest.raises(ValueError, match="parsed"):
        list(noun_chunks(Doc(VOCABULARY, ["word"])))


LABELS = "det amod nummod compound flat nmod:poss case cc punct conj nsubj obl acl appos".split()


@st.composite
def trees(draw: st.DrawFn) -> Doc:
    """Any tree at all, as a bad parser would leave."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for at, word in enumerate(order):
        heads[word] = order[draw(st.integers(0, at - 1))] if at else word
    pos = draw(st.lists(st.sampled_from(["NOUN", "PRON", "VERB", "DET"]), min_size=size))
    deps = draw(st.lists(st.sampled_from(LABELS), min_size=size))
    return Doc(VOCABULARY, ["w"] * size, pos=pos[:size], deps=deps[:size], heads=heads)


@given(trees())
def test_phrases_are_in_order_and_never_overlap(doc):
    found = [(begin, end) for begin, end, _ in noun_chunks(doc)]
    assert all(0 <= begin < end <= len(doc) for begin, end in found)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(found))
