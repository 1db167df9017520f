from tests.cases import each_case
from weps_eval.studies.variants import Relation, Variant
from weps_eval.text.declaration import measures_of


@each_case(
    ("ahead", "behind", "measures", "expected"),
    [
        # All else that both have is equal.
        (
            Variant.of("esk", length=2),
            Variant.of("esk", length=3),
            "esk(length=2|3, beta=1|2), esk(length=2, stop=true)",
            {
                ("esk(beta=1.0)", "esk(length=3, beta=1.0)"),
                ("esk(beta=2.0)", "esk(length=3, beta=2.0)"),
            },
        ),
        # Of other families, all that is not named and that both have: stop words, not senses.
        (Variant.of("esk"), Variant.of("wsk"), "esk, wsk, wsk(stop=true)", {("esk", "wsk")}),
        (
            Variant.of("grouge", n=2, skip=4, beta=0.5),
            Variant.of("rouge_su", skip=4, part="recall"),
            "grouge(n=2, skip=4), rouge_su(skip=4|9, part=recall, references=together, stem=true)",
            {
                (
                    "grouge(n=2, skip=4)",
                    "rouge_su(skip=4, part=recall, stem=true, references=together)",
                )
            },
        ),
        (
            Variant.of("esk", beta=(2.0, 3.0)),
            Variant.of("esk", beta=1.0),
            "esk, wsk(beta=1)",
            set(),
        ),
    ],
)
def test_what_is_compared_differs_in_one_thing(ahead, behind, measures, expected):
    known = measures_of(measures)
    pairs = Relation("it", ahead, [behind]).pairs([*known, None], behind)
    assert {(str(known[first]), str(known[second])) for first, second in pairs} == expected


def test_variants_are_called_by_what_is_fixed():
    assert str(Variant.of("esk", beta=(2.0, 3.0), stop=False)) == "esk(beta=2|3, stop=false)"
    assert str(Variant.of("wsk")) == "wsk"
