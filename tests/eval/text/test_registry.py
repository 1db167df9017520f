"""Measures by name, in sets."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from tests.cases import each_case
from weps.errors import FeatureError
from weps_eval.text.declaration import Choice, measure_families
from weps_eval.text.registry import MEASURE_SETS, Measure, MeasureSet, measures_of


@each_case(
    ("text", "printed"),
    [
        ("rouge(n=2, part=recall, stem=true)", "rouge(n=2, part=recall, stem=true)"),
        ("rouge(stem=true,part=recall,n=2)", "rouge(n=2, part=recall, stem=true)"),
        ("rouge(n=1, part=f, beta=1, references=mean)", "rouge(n=1)"),
        ("rouge(n=1, beta=3)", "rouge(n=1, beta=3.0)"),
        ("rouge_su", "rouge_su"),
        ("rouge_su(skip=any)", "rouge_su"),
        ("rouge_su(skip=4)", "rouge_su(skip=4)"),
        ("rouge_l(references=together)", "rouge_l(references=together)"),
    ],
)
def test_a_name_has_one_form(text, printed):
    measure = Measure.parse(text)
    assert str(measure) == repr(measure) == printed
    again = Measure.parse(printed)
    assert again == measure
    assert hash(again) == hash(measure)


@each_case(
    ("written", "printed"),
    [
        *((name, "rouge(n=1)") for name in ("rouge_1", "rouge-1", "rouge1", "ROUGE-1", "Rouge 1")),
        ("ROUGE-2(stem=true, part=recall)", "rouge(n=2, part=recall, stem=true)"),
        *((name, "rouge_l") for name in ("rougeL", "rouge-l", "ROUGE-L", "rougeLsum", "ROUGE_L()")),
        *((name, "rouge_su(skip=4)") for name in ("rouge_su4", "rouge-su4", "ROUGE-SU4")),
        *((name, "rouge_su") for name in ("rougeSU", "ROUGE-SU*")),
        ("ROUGE-S4", "rouge_s(skip=4)"),
        ("ROUGE-S*", "rouge_s"),
        ("ROUGE-W-1.2", "rouge_w"),
        ("rouge_w1.5", "rouge_w(weight=1.5)"),
        *((name, "bleu") for name in ("BLEU", "BLEU-4", "bleu_4")),
        ("BLEU-1", "bleu(order=1)"),
        *((name, "chrf") for name in ("chrF", "chrF2", "CHRF")),
        *((name, "chrf(words=2)") for name in ("chrF++", "chrF2++", "chrf(words=2)")),
        *((name.upper(), name) for name in ("ter", "wer", "per", "gtm", "meteor", "nist", "esk")),
        ("NIST-3", "nist(n=3)"),
        ("GROUGE-1", "grouge(n=1)"),
        ("GROUGE-SU4", "grouge(n=2, skip=4)"),
        ("Jaccard", "overlap"),
        ("TVM-8", "tvm(n=8)"),
        ("SentenceSim", "sentencesim"),
        ("DP-Oc", "dp_o(by=head)"),
        ("NE-Oe-**", "ne_o(by=all)"),
    ],
)
def test_other_names_are_understood(written, printed):
    assert str(Measure.parse(written)) == printed
    assert list(map(str, measures_of(f" {written} "))) == [printed]


def test_a_parameter_of_a_name_is_not_given_again():
    with pytest.raises(FeatureError, match="a parameter is given twice"):
        Measure.parse("rouge_1(n=2)")


def test_sets_are_found_by_any_spelling_and_hold_other_names():
    assert measures_of("DUC-2004") == MEASURE_SETS["duc2004"].measures
    assert measures_of("Usual") == MEASURE_SETS["usual"].measures
    listed = MeasureSet("mine", "my own", "ROUGE-1, chrF++, BLEU-4")
    assert list(map(str, listed.measures)) == ["rouge(n=1)", "chrf(words=2)", "bleu"]


def test_measures_travel_between_processes():
    measure = Measure.parse("rouge_su(skip=4, stem=true)")
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301 - our own bytes


@each_case(
    ("text", "what"),
    [
        ("rugo", "unknown measure 'rugo'; did you mean rouge"),
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
    assert bool(family.together) == bool(family.joined)
    assert not {"desk", "outputs", "references"} & family.own.keys()
    references = family.parameters["references"]
    assert isinstance(references, Choice)
    assert references.default == family.usually
    assert ("together" in references.words) == (family.together is not None)
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
        ("rouge(n=1)|rouge(n=2)", "cannot read"),
        ("", "no measure is named"),
        (" , ", "no measure is named"),
        ("usal", "there is neither a measure nor a set 'usal'; did you mean usual"),
        ("usual(n=1)", "the set usual has no parameters"),
        ("usual;rouge", "did you mean usual or rouge or grouge?"),
        ("usual, rugo(n=1)", "unknown measure 'rugo'"),
        ("rouge(n=1) rouge(n=2)", "cannot read"),
    ],
)
def test_what_is_no_list_is_refused(text, what):
    with pytest.raises(FeatureError, match=r"\w") as caught:
        measures_of(text)
    assert what in caught.value.describe()
