import pytest

from eval.instances.wording import among, quoted


@pytest.mark.parametrize("text", ["a" * 10_000, "\u202e\x00\n" * 100])
def test_names_from_files_are_bounded_and_seen(text: str) -> None:
    assert len(quoted(text)) < 400
    assert quoted(text).isprintable()


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("lable", ["label", "x"], "did you mean 'label'?"),
        ("q", ["label", "x"], "there are: 'label', 'x'"),
        ("q", ["label"] * 25, "there are: " + ", ".join(["'label'"] * 20) + " and 5 more"),
    ],
)
def test_what_a_name_may_have_meant(name: str, known: list[str], expected: str) -> None:
    assert among(name, known) == expected
