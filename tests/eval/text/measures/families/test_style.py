import pytest

from eval.text.desk import Desk
from eval.text.measures import Measure, similarities
from eval.text.synthesis.style import gramsim, sentence_length_similarity
from tests.eval.text.measures.families.made_up import topic

OUTPUTS, REFERENCES = ["The boss lost, and the job was lost."], [("Guns fired!", "It rained.")]


def value(measure: str) -> float:
    desk = Desk(topic(OUTPUTS, REFERENCES))
    return float(similarities(Measure.parse(measure), desk, OUTPUTS, REFERENCES).item())


def test_sentence_lengths_are_of_words() -> None:
    eight, twice_two = (("w",) * 8,), (("w",) * 2, ("w",) * 2)
    assert value("avls") == sentence_length_similarity(eight, twice_two) == 1 / 7


def test_tags_are_those_of_the_pipeline() -> None:
    output = "DET NOUN VERB PUNCT CCONJ DET NOUN AUX VERB PUNCT".split()
    reference = "NOUN VERB PUNCT PRON VERB PUNCT".split()
    assert value("gramsim") == pytest.approx(gramsim(output, reference))
