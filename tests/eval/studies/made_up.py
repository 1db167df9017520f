"""Small topics of numbers, and a testbed of a few words."""

from pathlib import Path

import numpy as np

from weps_eval.meta.orange import Similarities
from weps_eval.studies.pairwise import PairwiseInput, PairwiseTopic
from weps_eval.text.testbed import Output, Reference, Testbed, Topic, write_testbed

REFERENCES = (
    "The tide fell at noon.",
    "At noon the tide fell.",
    "The tide fell at midday.",
    "At noon the water fell.",
    "The tide was low at noon.",
)
OUTPUTS = {
    "one": "The tide fell at noon.",
    "two": "The tide rose.",
    "three": "Boats left at noon.",
    "four": "Nobody saw it.",
}
HUMAN = {"one": 5.0, "two": 2.0, "three": 3.0, "four": 1.0}


def compared(
    seed: int = 0,
    topics: int = 6,
    peers: int = 4,
    models: int = 5,
    measures: tuple[str, ...] = ("good", "poor", "third"),
    apart: float = 0.5,
) -> PairwiseInput:
    """Random similarities; by the first measure references are closer to one another.

    People prefer systems in the order of their numbers.
    """
    generator = np.random.default_rng(seed)
    made = []
    for number in range(topics):
        among = generator.random((len(measures), models, models))
        among[0] += apart
        values = Similarities(
            generator.random((len(measures), peers, models)),
            among,
            generator.random((len(measures), peers, peers)),
        )
        human = -np.arange(float(peers))[None] + 0.1 * generator.random((1, peers))
        names = _named("r", models), _named("s", peers)
        made.append(PairwiseTopic(f"t{number}", *names, values, human))
    return PairwiseInput("Made up", measures, ("fluency",), tuple(made), (), "table:sha256-0")


def _named(letter: str, size: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(size))


def words(topics: int = 3, references: int = 5, **outputs: str) -> Testbed:
    """The same few words on every topic, the first with other outputs."""
    return Testbed(
        "Tides",
        "en",
        "made up",
        tuple(
            Topic(
                f"t{number}",
                tuple(Reference(f"r{n}", text) for n, text in enumerate(REFERENCES[:references])),
                tuple(
                    Output(system, text, {"fluency": HUMAN[system] + number})
                    for system, text in {**OUTPUTS, **({} if number else outputs)}.items()
                ),
            )
            for number in range(topics)
        ),
    )


def written(path: Path, testbed: Testbed | None = None) -> Path:
    """A file of the testbed."""
    write_testbed(testbed or words(), path)
    return path
