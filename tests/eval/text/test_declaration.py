"""Overlaps, parameters, and measures: declared, by name, in sets."""

import math
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.cases import each_case
from tests.eval.text.made_up_topic import TOPIC, topic
from weps.errors import FeatureError, ValuesError
from weps_eval.text.declaration import (
    FAMILIES,
    MEASURE_SETS,
    PART,
    Measure,
    MeasureSet,
    Overlap,
    measure,
    measure_families,
    measures_of,
    one_of,
    pooled_overlap,
    real_number,
    true_or_false,
    whole_number,
)
from weps_eval.text.scoring import _measure_scores
from weps_eval.text.topic import TopicTexts


@each_case(
    ("overlap", "precision", "recall"),
    [
        (Overlap(1, 2, 4), 0.5, 0.25),
        (Overlap(0, 2, 4), 0, 0),
        (Overlap(0, 0, 4), 0, 0),
        (Overlap(0, 2, 0), 0, 0),
        (Overlap(0, 0, 0), 1, 1),
    ],
)
def test_shares_are_defined_everywhere(overlap, precision, recall):
    assert (overlap.precision, overlap.recall) == (precision, recall)


@each_case(
    ("beta", "expected"),
    [(1, 1 / 3), (0, 0.5), (math.inf, 0.25), (2, 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))],
)
def test_f_goes_from_precision_to_recall(beta, expected):
    assert Overlap(1, 2, 4).f(beta) == pytest.approx(expected)


def test_references_are_pooled_by_the_power_of_their_weights():
    assert pooled_overlap([Overlap(1, 2, 4), Overlap(2, 2, 2)]) == Overlap(3, 4, 6)
    assert pooled_overlap([Overlap(3, 3, 3, 2), Overlap(4, 4, 4, 2)]) == Overlap(5, 5, 5)


CHOICE = one_of(("f", "recall"), "which")
SWITCH = true_or_false("whether")
NUMBER = real_number(1.0, 0, 2, "how much")
WHOLE = whole_number(None, 1, 9, "how many", "any")


@each_case(
    ("parameter", "given", "kept"),
    [
        (CHOICE, "recall", "recall"),
        (CHOICE, "precision", None),
        (SWITCH, True, True),
        (SWITCH, 1, None),
        (NUMBER, 2, 2.0),
        (NUMBER, 2.1, None),
        (WHOLE, 9, 9),
        (WHOLE, 10, None),
        (WHOLE, 2.0, None),
        (WHOLE, "any", "any"),
    ],
)
def test_values_are_kept_or_refused(parameter, given, kept):
    read = parameter.read(given)
    assert read == kept
    assert type(read) is type(kept)


@pytest.fixture
def undone() -> Iterator[None]:
    """Measures declared by a test are forgotten."""
    measure_families()
    known = dict(FAMILIES)
    yield
    FAMILIES.clear()
    FAMILIES.update(known)


@pytest.mark.usefixtures("undone")
def test_a_measure_of_a_user_is_known_at_once():
    @measure(
        "style",
        "equally long",
        formula="1 if so",
        source="our own",
        aliases={"long{}": "by={}"},
        by=whole_number(1, 1, 9, "characters that do not matter"),
    )
    def same_length(output: str, reference: str, *, by: int) -> float:
        return float(len(output) // by == len(reference) // by)

    assert same_length("a", "b", by=1) == 1, "the function is still the function"
    assert str(Measure.parse("same_length")) == "same_length"
    assert list(map(str, measures_of("Long-2, rouge_1"))) == ["same_length(by=2)", "rouge(n=1)"]
    assert list(measure_families()).index("same_length") < list(measure_families()).index("hwcm")
    assert _measure_scores(Measure.parse("same_length"), TopicTexts(TOPIC)).tolist() == [0, 0, 0]


@pytest.mark.usefixtures("undone")
def test_parts_of_overlaps_are_chosen_pooled_and_swapped():
    @measure(
        "style",
        "letters",
        formula="matches = 1",
        source="our own",
        joined="pooled",
        part=PART,
        inverted=true_or_false("swap"),
    )
    def letters(output: str, reference: str) -> Overlap:
        if output == "It rained.":
            raise ValuesError("too short")
        return Overlap(1, len(output), len(reference))

    made = topic(["a" * 5], ["b" * 2, "c" * 4])
    for values, expected in {
        "part=recall": (1 / 2 + 1 / 4) / 2,
        "part=recall, references=together": 2 / 6,
        "part=precision, references=together": 2 / 10,
        "part=precision, inverted=true": 1 / 5,
        "part=recall, inverted=true, references=maximum": 1 / 2,
    }.items():
        found = _measure_scores(Measure.parse(f"letters({values})"), TopicTexts(made))
        assert found.tolist() == pytest.approx([expected]), values
    with pytest.raises(ValuesError, match="too short") as caught:
        _measure_scores(Measure.parse("letters"), TopicTexts(topic(["It rained."], ["Rain."])))
    assert caught.value.where == "the output of 'system 0'", "the longer text is named"


@pytest.mark.usefixtures("undone")
def test_a_measure_of_weps_is_not_replaced():
    with pytest.raises(FeatureError, match="weps has a measure 'dice'"):
        measure("style", "d", formula="f", source="s", name="dice")(len)


@each_case(
    ("written", "printed"),
    [
        *((name, "rouge(n=1)") for name in ("rouge_1", "rouge-1", "rouge1", "ROUGE-1", "Rouge 1")),
        ("ROUGE-2(stem=true, part=recall)", "rouge(n=2, part=recall, stem=true)"),
        *((name, "rouge_l") for name in ("rougeL", "rouge-l", "ROUGE-L", "rougeLsum", "ROUGE_L()")),
        *((name, "rouge_su(skip=4)") for name in ("rouge_su4", "rouge-su4", "ROUGE-SU4")),
        *((name, "rouge_su") for name in ("rougeSU", "ROUGE-SU*")),
        ("ROUGE-S4", "rouge_s(skip=4)"),
        ("ROUGE-W-1.2", "rouge_w"),
        ("rouge_w1.5", "rouge_w(weight=1.5)"),
        *((name, "bleu") for name in ("BLEU", "BLEU-4", "bleu_4")),
        *((name, "chrf") for name in ("chrF", "chrF2", "CHRF")),
        *((name, "chrf(words=2)") for name in ("chrF++", "chrF2++", "chrf(words=2)")),
        *((name.upper(), name) for name in ("ter", "wer", "per", "gtm", "meteor", "nist", "esk")),
        ("GROUGE-SU4", "grouge(n=2, skip=4)"),
        ("ROUGE-WE-2", "rouge_we(n=2)"),
        ("ROUGE-WE-SU4", "rouge_we(n=2, skip=4)"),
        ("Jaccard", "overlap"),
        ("DP-Oc", "dp_o(by=head)"),
        ("NE-Oe-**", "ne_o(by=all)"),
    ],
)
def test_other_names_are_understood(written, printed):
    assert str(Measure.parse(written)) == printed
    assert list(map(str, measures_of(f" {written} "))) == [printed]


def test_sets_are_found_by_any_spelling_and_hold_other_names():
    assert measures_of("DUC-2004") == MEASURE_SETS["duc2004"].measures
    assert measures_of("Usual") == MEASURE_SETS["usual"].measures
    listed = MeasureSet("mine", "my own", "ROUGE-1, chrF++, BLEU-4")
    assert list(map(str, listed.measures)) == ["rouge(n=1)", "chrf(words=2)", "bleu"]


@each_case(
    ("text", "what"),
    [
        ("rugo", "neither a measure nor a set 'rugo'; did you mean rouge"),
        ("rouge", "rouge needs n; n: length of the n-grams"),
        ("rouge(n=0)", "n cannot be 0"),
        ("rouge(n=1, references=all)", "references cannot be all"),
        ("rouge(m=1)", "rouge has no parameter 'm'; it has n, part"),
        ("rouge(rouge_l)", "rouge has no parameter 'rouge_l'"),
        ("rouge(n=1", "cannot read"),
    ],
)
def test_what_is_no_measure_is_refused(text, what):
    with pytest.raises(FeatureError, match=r"\w") as caught:
        Measure.parse(text)
    assert what in caught.value.describe()


@each_case("family", measure_families().values())
def test_declarations_are_whole(family):
    assert measure_families()[family.name] is family
    assert all([family.description, family.formula, family.source, family.group])
    assert not {"desk", "outputs", "references"} & family.own.keys()
    references = family.parameters["references"]
    assert references.default == family.usually
    assert ("together" in references.words) == bool(family.joined)
    assert all(family.own[name].read(value) == value for name, value in family.needs_when)
    for parameter in family.parameters.values():
        assert parameter.about
        assert parameter.default is None or parameter.read(parameter.default) is not None


def test_the_sets_of_the_papers_have_as_many_measures_as_the_papers():
    families = Counter(measure.family.group for measure in MEASURE_SETS["duc2004"].measures)
    assert families["ROUGE"] == 24 + 24
    assert families.total() == 59
    assert len(MEASURE_SETS["summaries"].measures) == 21


def test_a_list_holds_measures_and_sets_each_once():
    chosen = measures_of("rouge(n=2, part=recall), usual ,rouge(n=1)")
    assert list(map(str, chosen)) == [
        "rouge(n=2, part=recall)",
        *map(str, MEASURE_SETS["usual"].measures),
    ]


def test_parameters_with_several_values():
    chosen = measures_of("rouge(n=1|2, part=f | recall), esk(decay=0.1|0.5|0.9,references=mean)")
    assert list(map(str, chosen)) == [
        *("rouge(n=1)", "rouge(n=1, part=recall)", "rouge(n=2)", "rouge(n=2, part=recall)"),
        *("esk(decay=0.1)", "esk", "esk(decay=0.9)"),
    ]


@each_case(
    ("text", "what"),
    [
        ("esk(decay=0.1|)", "cannot read 'esk(decay=)'"),
        ("esk(decay=0.1|2)", "decay cannot be 2"),
        ("", "no measure is named"),
        ("usal", "there is neither a measure nor a set 'usal'; did you mean usual"),
        ("usual(n=1)", "the set usual has no parameters"),
        ("rouge(n=1) rouge(n=2)", "cannot read"),
    ],
)
def test_what_is_no_list_is_refused(text, what):
    with pytest.raises(FeatureError, match=r"\w") as caught:
        measures_of(text)
    assert what in caught.value.describe()
