"""A small pipeline with every pipe that the embedded one has, taught four sentences."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed

TREEBANK = [
    "The/the/DET/det/2/O old/old/ADJ/amod/1/O mill/mill/NOUN/nsubj/1/O burned/burn/VERB/ROOT/0/O",
    "Mary/Mary/PROPN/nsubj/2/B-PERSON Vale/Vale/PROPN/flat/-1/I-PERSON saw/see/VERB/ROOT/0/O"
    " mills/mill/NOUN/obj/-1/O in/in/ADP/case/1/O Rome/Rome/PROPN/obl/-3/B-LOCATION",
    "Mary/Mary/PROPN/nsubj/1/B-PERSON saw/see/VERB/ROOT/0/O the/the/DET/det/2/O"
    " old/old/ADJ/amod/1/O mill/mill/NOUN/obj/-3/O",
    "Rome/Rome/PROPN/nsubj/1/B-LOCATION burned/burn/VERB/ROOT/0/O",
]
"""Word, lemma, part of speech, label, distance of the head, entity tag."""
VECTORS = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 32,
    "depth": 2,
    "embed_size": 200,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": True,
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32, "upstream": "tok2vec"}
SETTINGS = {
    "tagger": {},
    "morphologizer": {},
    "parser": {"min_action_freq": 1},
    "trainable_lemmatizer": {"min_tree_freq": 1},
}


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of the small pipeline."""
    fix_random_seed(0)
    nlp = spacy.blank("en", meta={"name": "small", "version": "1.2.3"})
    nlp.add_pipe("tok2vec", config={"model": VECTORS})
    for name, settings in SETTINGS.items():
        nlp.add_pipe(name, config={"model": {"tok2vec": LISTENER}, **settings})
    nlp.add_pipe("ner")
    taught = [annotated(line, nlp) for line in TREEBANK]
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in taught]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    folder = tmp_path_factory.mktemp("pipeline") / "small"
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a pipeline that finds entities by rule, labelled as other pipelines do."""
    nlp = spacy.blank("en")
    labels = ["PER", "GPE", "FAC", "ORG", "WORK_OF_ART", "EVT", "NORP", "DATE", "MISC"]
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": label, "pattern": f"a {label}"} for label in labels])
    folder: Path = tmp_path_factory.mktemp("pipeline") / "rules"
    nlp.to_disk(folder)
    return str(folder)


def annotated(line: str, nlp: Language) -> Doc:
    words, lemmas, pos, deps, distances, entities = (
        list(column) for column in zip(*(word.split("/") for word in line.split()), strict=True)
    )
    return Doc(
        nlp.vocab,
        words=words,
        lemmas=lemmas,
        pos=pos,
        tags=pos,
        morphs=[f"POS={each}" for each in pos],
        deps=deps,
        heads=[at + int(distance) for at, distance in enumerate(distances)],
        ents=entities,
    )
