"""A testbed of four small topics."""

from collections.abc import Mapping
from typing import Any

from weps_eval.text.declaration import Measure
from weps_eval.text.testbed import Output, Reference, Testbed, Topic

MEASURES = ("rouge(n=1)", "rouge_l")
JAPANESE = "潮が満ちた"

WORDS = {
    "ebb": {"one": "The tide fell.", "two": "The tide fell at noon.", "three": "Boats."},
    "flood": {"one": "It rose.", "two": "", "three": "The tide rose."},
    "noon": {"one": "Boats left at noon.", "three": "Boats left."},
    "night": {"one": "Nobody saw it.", "two": "It was dark.", "three": "Dark."},
}
HUMAN = {"one": 1.0, "two": 3.0, "three": 2.5}


def topic(name: str, outputs: Mapping[str, str], **more: Any) -> Topic:
    references = (Reference("A", "The tide fell at noon."), Reference("B", "It was dark."))
    judged = ({"fluency": HUMAN[system]} if system in HUMAN else {} for system in outputs)
    judged_outputs = (
        Output(system, text, human)
        for (system, text), human in zip(outputs.items(), judged, strict=True)
    )
    return Topic(name, references, tuple(judged_outputs), **more)


def tides(**changed: Mapping[str, str]) -> Testbed:
    """The testbed, some topics with other outputs."""
    words = {**WORDS, **changed}
    return Testbed("Tides", "en", "made up", tuple(topic(*each) for each in words.items()))


def parsed(*names: str) -> list[Measure]:
    return list(map(Measure.parse, names or MEASURES))
