import pytest
import spacy
from spacy.language import Language

from weps.errors import LanguageError
from weps.language import pipes as module
from weps.language.layers import Layer
from weps.language.pipeline import load
from weps.language.pipes import prepared, unneeded


def pipes_that_run(nlp: Language, *layers: Layer) -> list[str]:
    idle = unneeded(nlp, layers)
    return [name for name in nlp.pipe_names if name not in idle]


def blank(*factories: str) -> Language:
    nlp = spacy.blank("en")
    for factory in factories:
        nlp.add_pipe(factory)
    return nlp


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([Layer.LEMMAS], "tok2vec morphologizer trainable_lemmatizer"),
        ([Layer.PHRASES], "tok2vec morphologizer parser"),
        ([Layer.ENTITIES], "ner"),
        ([Layer.TAGS], "tok2vec morphologizer"),
        ([Layer.LEMMAS, Layer.ENTITIES], "tok2vec morphologizer trainable_lemmatizer ner"),
        (
            [Layer.LEMMAS, Layer.PHRASES, Layer.ENTITIES, Layer.TAGS],
            "tok2vec morphologizer parser trainable_lemmatizer ner",
        ),
    ],
)
def test_only_what_the_layers_need_runs(pipeline, layers, expected):
    assert pipes_that_run(load(pipeline), *layers) == expected.split()


@pytest.mark.parametrize(
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
    ("factories", "layer"),
    [
        ("ner", Layer.LEMMAS),
        ("ner tagger", Layer.PHRASES),
        ("tagger parser", Layer.ENTITIES),
        ("tagger parser", Layer.TAGS),
        ("", Layer.ENTITIES),
    ],
)
def test_a_pipeline_that_lacks_what_a_layer_needs_is_an_error(monkeypatch, factories, layer):
    monkeypatch.setattr(module, "load", lambda _: blank(*factories.split()))
    with pytest.raises(LanguageError, match=layer) as caught:
        prepared.__wrapped__("some_pipeline", frozenset([layer]))
    assert caught.value.where == "some_pipeline"


def test_phrases_need_a_function_for_the_language(monkeypatch):
    nlp = blank("tagger", "parser")
    nlp.vocab.get_noun_chunks = None
    monkeypatch.setattr(module, "load", lambda _: nlp)
    with pytest.raises(LanguageError, match="phrases"):
        prepared.__wrapped__("some_pipeline", frozenset([Layer.PHRASES]))


def test_a_pipeline_that_fails_on_any_text_is_an_error(monkeypatch):
    monkeypatch.setattr(module, "load", lambda _: blank("ner"))  # never initialised
    with pytest.raises(LanguageError, match="fails"):
        prepared.__wrapped__("some_pipeline", frozenset([Layer.ENTITIES]))
