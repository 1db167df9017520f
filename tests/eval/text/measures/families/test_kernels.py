import pytest

from eval.text.desk import Desk, Tools
from eval.text.kernels.esk import Kernel
from eval.text.kernels.sequences import with_senses, words
from eval.text.kernels.texts import best_matches
from eval.text.measures import Measure, scores, similarities
from eval.text.measures.families import kernels
from tests.eval.text.measures.families.made_up import topic
from tests.eval.text.wordnet.database import numbered

OUTPUTS = ["The officer fired. It rained!", "The boss lost the job"]
REFERENCES = ["It rained, and the officer lost his job."]


def found(measure: str, desk: Desk) -> list[float]:
    values = similarities(Measure.parse(measure), desk, OUTPUTS, REFERENCES)
    return [round(float(each), 12) for each in values[:, 0]]


@pytest.mark.parametrize(
    ("told", "kernel", "beta"),
    [("", Kernel(2, 0.5), 3), ("length=3, decay=0.25, beta=1", Kernel(3, 0.25), 1)],
)
def test_wsk_is_the_kernel_of_words_in_lower_case(told: str, kernel: Kernel, beta: float) -> None:
    split = (
        [["the officer fired", "it rained"], ["the boss lost the job"]],
        [["it rained and the officer lost his job"]],
    )
    texts = [[[words(each.split()) for each in text] for text in side] for side in split]
    matches = best_matches(texts[0], texts[1], kernel)
    desk = Desk(topic(OUTPUTS, REFERENCES))
    comma = ", " if told else ""
    for part, values in (
        ("f", matches.f(beta)),
        ("recall", matches.recall),
        ("precision", matches.precision),
    ):
        wanted = values[:, 0].round(12).tolist()
        assert found(f"wsk(part={part}{comma}{told})", desk) == pytest.approx(wanted)


def test_several_references_are_equation_9() -> None:
    desk = Desk(topic(OUTPUTS, [*REFERENCES, "It rained."]))
    measure = Measure.parse("wsk")
    texts = [each.text for each in desk.topic.references]
    assert scores(measure, desk).tolist() == (
        similarities(measure, desk, OUTPUTS, texts).mean(axis=1).tolist()
    )


def test_stop_words_are_left_out_if_told() -> None:
    desk = Desk(topic(OUTPUTS, REFERENCES))
    assert found("wsk(stop=true)", desk) != found("wsk", desk)
    [[same]] = similarities(Measure.parse("wsk(stop=true)"), desk, ["The job"], ["His job"])
    assert same == 1


def test_esk_adds_the_senses_of_open_words(tools: Tools) -> None:
    said, other = "The officer fired.", "The policeman fired."
    number = numbered(tools.words(), "n3 n4 v1 v2")
    policeman, soldier, shoot, dismiss = ((each,) for each in number)
    fired = [*shoot, *dismiss]
    nodes = [
        with_senses(form.split(), [[], senses, fired])
        for form, senses in (
            ("the officer fired", [*soldier, *policeman]),
            ("the policeman fired", policeman),
        )
    ]
    matches = best_matches([nodes[:1]], [nodes[1:]], Kernel())
    desk = Desk(topic([said], [other]), tools)
    [[value]] = similarities(Measure.parse("esk"), desk, [said], [other])
    assert value == pytest.approx(matches.f(3).item())


def test_the_most_frequent_sense_alone_may_be_another(tools: Tools) -> None:
    desk = Desk(topic(["An officer."], ["The policeman."]), tools)
    texts = ["An officer."], ["The policeman."]
    values = [
        similarities(Measure.parse(f"esk(senses={senses})"), desk, *texts).item()
        for senses in ("all", "first")
    ]
    assert values[0] > values[1] == 0


@pytest.mark.parametrize(
    ("measure", "output", "wanted"),
    [
        ("esk(length=1)", "The jobs.", 2 / 3),
        ("esk(length=1)", "Her job.", 2 / 3),
        ("esk(length=1, stop=true)", "Her job.", 1.0),
    ],
)
def test_nodes_of_esk_are_forms_with_senses(
    tools: Tools, measure: str, output: str, wanted: float
) -> None:
    desk = Desk(topic([output], ["The job."]), tools)
    [[value]] = similarities(Measure.parse(measure), desk, [output], ["The job."])
    assert value == pytest.approx(wanted)


def test_parts_are_drawn_from_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*texts: object) -> object:
        calls.append(1)
        return best_matches(*texts)  # type: ignore[arg-type]

    monkeypatch.setattr(kernels, "best_matches", counted)
    desk = Desk(topic(OUTPUTS, REFERENCES))
    for part in ("f", "recall", "precision"):
        found(f"wsk(part={part})", desk)
    found("wsk(decay=1.0)", desk)
    assert len(calls) == 2
