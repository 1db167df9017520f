import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from eval.text.declarations.base import Family, Need
from eval.text.measures.topic import TextTools
from eval.text.registry import Measure
from eval.text.scoring import Fault, check_needs, measure_dependencies, undefined_error
from eval.text.testbed import Testbed
from tests.eval.text.made_up import parsed, tides, topic
from tests.eval.text.made_up_wordnet import tiny
from weps.errors import LanguageError, SourceError, ValuesError, WepsError


def fault(topic: str, measure: str = "bleu", **changes: str) -> Fault:
    about = {"where": "the output of 'one'", "what": "is odd", "remedy": "mend it", **changes}
    return Fault(measure, topic, **about)


def test_one_fault() -> None:
    error = undefined_error([fault("ebb")], "Tides", None)
    assert error.describe() == (
        "Tides: measures are not defined for all texts: topic 'ebb', the output of 'one': is odd; "
        "mend it (bleu); correct these texts, or leave out measures"
    )


def test_what_is_the_same_is_told_once() -> None:
    others = [fault("ebb", "nist", what="is short"), fault("ebb", "ter"), fault("noon", "ter")]
    told = undefined_error([fault("ebb"), *others], "Tides", None).what
    assert told.count("is odd") == 2
    assert "(bleu, ter)" in told
    assert "is short; mend it (nist)" in told


def test_a_fault_without_a_remedy() -> None:
    assert ": is odd (bleu)" in undefined_error([fault("ebb", remedy="")], "Tides", None).what


def test_twenty_are_told() -> None:
    faults = [fault(f"t{number}", measure) for number in range(23) for measure in ("bleu", "ter")]
    told = undefined_error(faults, "Tides", None).what
    assert "'t19'" in told
    assert "'t20'" not in told
    assert told.endswith("; and 3 more")
    assert "more" not in undefined_error(faults[:40], "Tides", None).what


def test_where_the_others_are_kept() -> None:
    told = undefined_error([fault("ebb")], "Tides", Path("m.csv.part")).describe()
    assert told.endswith("the values of all other topics are kept in m.csv.part")


def needing(*needs: Need) -> Measure:
    family = Family(
        name=f"made_{'_'.join(needs)}",
        group="made up",
        description="",
        formula="",
        source="",
        compare=lambda _, outputs, references: np.ones((len(outputs), len(references))),
        needs=frozenset(needs),
    )
    return Measure(family, ())


def one(**more: object) -> Testbed:
    return Testbed("Tides", "en", "made up", (topic("ebb", {"one": "tide"}, **more),))


@pytest.mark.parametrize(
    ("need", "tools", "error", "told"),
    [
        (Need.TAGS, TextTools(language="no_such"), LanguageError, "no such language pipeline"),
        (Need.WORDNET, TextTools(wordnet=Path("nowhere")), SourceError, "nowhere"),
        (Need.SOURCES, TextTools(), ValuesError, "Tides: topics have no sources: 'ebb', 'flood'"),
        (
            Need.CONCEPTS,
            TextTools(),
            ValuesError,
            "topics have no concepts: 'ebb', 'flood', 'noon'",
        ),
    ],
)
def test_what_is_missing_is_told(
    need: Need, tools: TextTools, error: type[WepsError], told: str
) -> None:
    with pytest.raises(error) as caught:
        check_needs(tides(), [*parsed(), needing(need)], tools)
    assert told in caught.value.describe()
    assert caught.value.remedy


def test_measures_that_topics_do_not_suffice_for_are_named() -> None:
    measures = [needing(Need.SOURCES), needing(Need.SOURCES, Need.NLTK)]
    with pytest.raises(ValuesError, match="leave out made_sources, made_sources_nltk"):
        check_needs(tides(), measures, TextTools())
    check_needs(one(sources=("All of it.",)), measures, TextTools())


@pytest.mark.parametrize("library", ["nltk", "sacrebleu"])
def test_a_missing_library_is_told_with_the_measures(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(LanguageError, match=f"{library} is not installed") as caught:
        check_needs(tides(), [needing(Need(library))], TextTools())
    assert f"which made_{library} needs" in caught.value.what
    assert "pip install 'weps[text]'" in caught.value.describe()


def test_stems_are_nltk_s() -> None:
    plain, stemmed = parsed("rouge(n=1)", "rouge(n=1, stem=true)")
    assert "nltk" not in measure_dependencies([plain], TextTools())
    assert measure_dependencies([stemmed], TextTools())["nltk"] == version("nltk")


def test_what_is_not_needed_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    tools = TextTools(language="no_such", wordnet=Path("nowhere"))
    check_needs(tides(), parsed(), tools)
    assert measure_dependencies(parsed(), tools).keys() == {"weps", "code"}


def test_values_depend_on_what_is_needed(tmp_path: Path) -> None:
    net = tiny(tmp_path)
    found = measure_dependencies([needing(*Need)], TextTools(wordnet=tmp_path))
    assert list(found) == ["weps", "code", "tags", "WordNet", "nltk", "sacrebleu"]
    assert found["WordNet"] == f"sha256-{net.digest[:16]}"
    assert found["nltk"] == version("nltk")
    assert found["tags"].startswith("en/")
