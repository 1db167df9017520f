from pathlib import Path

import pytest

from eval.text.convert.translation import convert_wmt
from eval.text.testbed.records import Output, Reference, Topic
from weps.errors import SourceError, ValuesError

FILES = {
    "sources/news.de-en.src.de": "Ebbe\nFlut\n",
    "references/news.de-en.ref.A.en": "Low water\nHigh\u2028water\n",
    "references/news.de-en.ref.B.en": "Ebb\nFlow\n",
    "system-outputs/news.de-en.hyp.NVIDIA-NeMo.en": "Ebb\n\n",
    "system-outputs/news.de-en.hyp.UF.en": "Low tide\nHigh tide\n",
    "humaneval/ad-sys-ranking-de-en-z-names.csv": (
        "9 1 2 3 Nemo.7 NVIDIA-NeMo\n8 1 2 3 HUMAN.0 HUMAN\n"
    ),
    "humaneval/ad-sys-scores-de-en.csv": (
        "RAW.SCR Z.SCR N SYS N.ALL \n69.5 -0.25 100 Nemo.7 120 \n70 0.5 10 HUMAN.0 12 \n"
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_a_line_becomes_a_topic(folder: Path) -> None:
    human = {"system_raw": 69.5, "system_z": -0.25}
    assert convert_wmt(folder).topics == (
        Topic(
            "1",
            (Reference("A", "Low water"), Reference("B", "Ebb")),
            (Output("NVIDIA-NeMo", "Ebb", human), Output("UF", "Low tide")),
            ("Ebbe",),
        ),
        Topic(
            "2",
            (Reference("A", "High\u2028water"), Reference("B", "Flow")),
            (Output("NVIDIA-NeMo", "", human), Output("UF", "High tide")),
            ("Flut",),
        ),
    )


SCORES = "humaneval/ad-sys-scores-de-en.csv"
CASES = [
    ("references/news.de-en.ref.B.en", "Ebb\n", "1 lines where 2 are expected"),
    ("system-outputs/news.de-en.hyp.UF.en", "a\nb\nc\n", "3 lines where 2 are expected"),
    ("references/news.de-en.ref.A.en", "Low water\n\n", "the text of reference 1 is empty"),
    (SCORES, "RAW.SCR Z.SCR N SYS\n1 2 3 Nobody.1\n", "line 2: '1 2 3 Nobody.1' scores no known"),
    (SCORES, "RAW.SCR Z.SCR N SYS\n1 2 Nemo.7\n", "scores no known system"),
    (SCORES, "RAW.SCR SYS\n1 Nemo.7\n", "scores no known system"),
    (SCORES, "RAW.SCR Z.SCR SYS\nnan 2 Nemo.7\n", "line 2: expected a finite number, got 'nan'"),
]


@pytest.mark.parametrize(("name", "text", "told"), CASES)
def test_files_that_do_not_fit(folder: Path, name: str, text: str, told: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(ValuesError, match=told):
        convert_wmt(folder)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sources/news.de-en.src.de", " not found"),
        ("references", ".*ref.* not found"),
        (SCORES, "cannot be read"),
    ],
)
def test_files_that_are_missing(folder: Path, name: str, told: str) -> None:
    (folder / name).rename(folder / "elsewhere")
    with pytest.raises(SourceError, match=told):
        convert_wmt(folder)


def test_the_set_itself(weps_data: Path) -> None:
    bed = convert_wmt(weps_data / "text" / "wmt21_deen")
    assert len(bed.topics) == 1_000
    assert len(bed.systems) == 19
    assert {(len(each.references), len(each.outputs)) for each in bed.topics} == {(2, 19)}
    assert all(len(each.sources) == 1 for each in bed.topics)
    assert all(len(each.human) == 2 for topic in bed.topics for each in topic.outputs)
    nemo = next(each for each in bed.topics[0].outputs if each.system == "NVIDIA-NeMo")
    assert nemo.human["system_z"] == pytest.approx(-0.01, abs=0.005)
