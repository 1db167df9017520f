"""A topic whose outputs every family of measures can judge, and the measures of a family."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from weps._expressions import Expression, Value
from weps_eval.text.declaration import Family, Measure, Parameter
from weps_eval.text.testbed import Output, Reference, Text, Topic, whole_text

SOURCES: tuple[Text, ...] = (
    ("The officer fired the gun.", "The boss lost his job.", "It rained."),
    "Two policemen quickly finished the job. The boss lost his job. It rained.",
)
TOPIC = Topic(
    "shots",
    (
        Reference("A", ("The officer fired the gun.", "It rained.")),
        Reference("B", "Two policemen quickly finished the job. The boss lost his job."),
    ),
    (
        Output("one", ("It rained.", "The boss lost his job.")),
        Output("two", "The officer fired the gun. The boss lost his job."),
        Output("three", "It rained."),
    ),
    SOURCES,
    ("lost job", "officers", "gun"),
)


def topic(outputs: Sequence[Text], references: Sequence[Text]) -> Topic:
    """The topic with other texts, all of which are in its sources, too."""
    return replace(
        TOPIC,
        outputs=tuple(Output(f"system {number}", text) for number, text in enumerate(outputs)),
        references=tuple(Reference(f"model {n}", text) for n, text in enumerate(references)),
        sources=(*SOURCES, *(text for text in (*outputs, *references) if whole_text(text).strip())),
    )


def plain(family: Family) -> Measure:
    """The family's measure with usual values; 2 where there is no default."""
    values: dict[str, Value] = {
        name: 2 for name, each in family.parameters.items() if each.default is None
    }
    return Measure.parse(_named(family, values))


def variants(family: Family) -> Iterator[Measure]:
    """The usual measure, and those with another value for one of the parameters."""
    usual = dict(plain(family).values)
    yield plain(family)
    for name, parameter in family.parameters.items():
        for value in _others(parameter, usual[name]):
            yield Measure.parse(_named(family, {**usual, name: value}))


def _others(parameter: Parameter, usual: Value) -> Iterator[Value]:
    yield from (word for word in parameter.words if word != usual)
    if parameter.number is float:
        yield from {parameter.low, parameter.high} - {usual}
    elif parameter.number:
        yield 3 if usual in (*parameter.words, 2) else 2


def _named(family: Family, values: dict[str, Value]) -> str:
    return str(Expression(family.name, (), tuple(values.items())))
