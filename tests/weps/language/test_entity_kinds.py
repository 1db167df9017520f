import pytest

from weps.language.entity_kinds import KINDS


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("PERSON", "person"),
        ("PER", "person"),
        ("LOCATION", "location"),
        ("GPE", "location"),
        ("FAC", "location"),
        ("ORGANISATION", "organisation"),
        ("ORG", "organisation"),
        ("EVENT", "event"),
        ("PRODUCT", "product"),
        ("WORK_OF_ART", "product"),
        ("NORP", None),
        ("DATE", None),
        ("MISC", None),
    ],
)
def test_labels_of_the_usual_pipelines(label, kind):
    assert KINDS.get(label) == kind
