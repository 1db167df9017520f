from functools import partial

import numpy as np
import pytest

from eval.stats.arrays import Floats
from eval.text.declarations.base import Need
from eval.text.measures.nltk_measures import meteor, nist, nist_pooled
from eval.text.measures.sacrebleu_measures import bleu, bleu_pooled, chrf, ter, ter_pooled
from eval.text.measures.topic import TextTools, TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_scores, measure_similarities
from tests.eval.text.declarations.made_up import topic
from weps.errors import ValuesError

pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")

OUTPUTS = ["The boss lost the job at the gun shop.", "It rained\non the boss."]
REFERENCES = ["The boss lost his job in the gun shop.", "On the Boss, it rained!"]


@pytest.mark.parametrize(
    ("measure", "wrapped"),
    [
        ("bleu", bleu),
        ("bleu(order=2, lowercase=true)", partial(bleu, order=2, lowercase=True)),
        ("nist(n=2)", partial(nist, n=2)),
        ("ter(normalized=true)", partial(ter, normalized=True)),
        ("chrf", chrf),
        ("chrf(words=2)", partial(chrf, words=2)),
        ("meteor(alpha=0.5, gamma=0.2)", partial(meteor, alpha=0.5, gamma=0.2)),
    ],
)
def test_values_are_those_of_the_libraries(measure: str, wrapped: partial[Floats]) -> None:
    desk = TopicTexts(topic([tuple(OUTPUTS[1].split("\n")), OUTPUTS[0]], REFERENCES))
    texts = [each.text for each in desk.topic.outputs]
    found = measure_similarities(Measure.parse(measure), desk, texts, REFERENCES)
    assert found[::-1].tolist() == wrapped(OUTPUTS, REFERENCES).tolist()


@pytest.mark.parametrize(
    ("measure", "wrapped"), [("bleu", bleu_pooled), ("nist", nist_pooled), ("ter", ter_pooled)]
)
def test_several_references_are_as_published(measure: str, wrapped: partial[Floats]) -> None:
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    assert measure_scores(Measure.parse(measure), desk).tolist() == (
        wrapped(OUTPUTS, REFERENCES).tolist()
    )
    alone = Measure.parse(f"{measure}(references=maximum)")
    assert not np.array_equal(
        measure_scores(alone, desk), measure_scores(Measure.parse(measure), desk)
    )


def test_synonyms_are_those_of_wordnet(tools: TextTools) -> None:
    measure = Measure.parse("meteor(synonyms=WordNet)")
    desk = TopicTexts(topic(["fire"], ["dismiss"]), tools)
    texts = ["they fire her"], ["they dismiss her"]
    direct = meteor(*texts, tools.words())
    assert measure_similarities(measure, desk, *texts).tolist() == direct.tolist()
    assert direct.item() > measure_similarities(Measure.parse("meteor"), desk, *texts).item()
    assert measure.needs == {Need.NLTK, Need.WORDNET}


@pytest.mark.parametrize(
    ("outputs", "references", "whose"),
    [
        (["gun", "gun " * 1001], ["job"], "the output of 'system 1'"),
        (["gun"], ["job", "gun " * 1001], "the reference 'model 1'"),
    ],
)
def test_whose_text_is_too_long_is_told(
    outputs: list[str], references: list[str], whose: str
) -> None:
    with pytest.raises(ValuesError, match=f"{whose}: TER of a text of 1,001 words"):
        measure_scores(Measure.parse("ter"), TopicTexts(topic(outputs, references)))
