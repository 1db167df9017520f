from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.studies import made_up
from tests.eval.studies.made_up import compared, words
from weps.errors import SourceError, ValuesError
from weps_eval.meta.orange import Similarities
from weps_eval.studies import pairwise
from weps_eval.text.declaration import Measure
from weps_eval.text.scoring import measure_similarities
from weps_eval.text.testbed import Testbed
from weps_eval.text.topic import TopicTexts

MEASURES = tuple(map(Measure.parse, ("rouge(n=1, part=recall)", "rouge_l")))


def compare(testbed: Testbed, jobs: int = 1) -> tuple[pairwise.PairwiseTopic, ...]:
    settings = pairwise.SimilaritySettings(
        measures=", ".join(map(str, MEASURES)), jobs=jobs, no_cache=True
    )
    return pairwise.read_similarities(testbed, settings).topics


def test_everything_is_compared_with_everything():
    testbed = words(topics=2)
    found = compare(testbed)
    for topic, each in zip(testbed.topics, found, strict=True):
        peers, models = ([one.text for one in some] for some in (topic.outputs, topic.references))
        desk = TopicTexts(topic)
        for number, measure in enumerate(MEASURES):
            for ours, *sides in (
                (each.values.outputs, peers, models),
                (each.values.references, models, models),
                (each.values.among_outputs, peers, peers),
            ):
                assert (ours[number] == measure_similarities(measure, desk, *sides)).all()
        assert each.systems == ("one", "two", "three", "four")
        assert each.references == ("r0", "r1", "r2", "r3", "r4")
    assert [each.human.tolist() for each in found] == [[[5, 2, 3, 1]], [[6, 3, 4, 2]]]


def test_the_row_is_the_output_and_the_column_the_reference():
    (topic,) = compare(words(topics=1, one="The tide."))
    assert topic.values.outputs[0, 0, 0] == pytest.approx(2 / 5)  # recall of five words
    assert topic.values.references[0, 0, 1] == 1


def test_nothing_depends_on_the_number_of_processes():
    for first, second in zip(*(compare(words(), jobs) for jobs in (1, 2)), strict=True):
        assert np.array_equal(first.values.outputs, second.values.outputs)
        assert np.array_equal(first.values.references, second.values.references)


def test_texts_for_which_a_measure_is_not_defined_are_named_together():
    with pytest.raises(ValuesError, match=r"'t0', the output of 'two'") as message:
        compare(words(two="潮が満ちた"))
    assert "rouge(n=1, part=recall), rouge_l" in str(message.value)


TABLE = """topic,output,reference,kind,human:fluency,x,y
t,one,A,output-reference,3,.1,.2
t,one,B,output-reference,3,.3,.4
t,two,A,output-reference,,.5,.6
t,two,B,output-reference,,.7,.8
t,A,B,reference-reference,,.9,1
t,B,A,reference-reference,,.8,-inf
"""


def read(tmp_path: Path, text: str = TABLE, measures: tuple[str, ...] = ()):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return pairwise._read_pairwise(path, measures)


def test_what_a_table_holds(tmp_path):
    found = read(tmp_path)
    assert (found.measures, found.criteria) == (("x", "y"), ("fluency",))
    (topic,) = found.topics
    assert (topic.systems, topic.references) == (("one", "two"), ("A", "B"))
    assert topic.values.outputs.tolist() == [[[0.1, 0.3], [0.5, 0.7]], [[0.2, 0.4], [0.6, 0.8]]]
    assert topic.values.references[0].tolist() == [[np.inf, 0.9], [0.8, np.inf]]
    assert topic.values.references[1, 1, 0] == -np.inf
    assert topic.values.among_outputs is None
    assert topic.human[0, 0] == 3
    assert np.isnan(topic.human[0, 1])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.integers(0, 99), st.booleans(), st.sampled_from(["x", "=1+1", 'a "b", c', "rouge(n=1)"]))
def test_what_is_written_is_read_again(tmp_path, seed, among, name):
    made = compared(seed, topics=2, measures=(name, "other"))
    human = made.topics[0].human.copy()
    human[0, 1] = np.nan
    first = replace(made.topics[0], topic=f"{name} 2", human=human)
    if not among:
        first = replace(first, values=Similarities(first.values.outputs, first.values.references))
    made = replace(made, topics=(first, made.topics[1]))
    pairwise._write_pairwise(made, tmp_path / "kept.csv")
    found = pairwise._read_pairwise(tmp_path / "kept.csv")
    assert (found.measures, found.criteria) == (made.measures, made.criteria)
    for ours, theirs in zip(made.topics, found.topics, strict=True):
        for part in ("topic", "systems", "references"):
            assert getattr(ours, part) == getattr(theirs, part)
        assert np.array_equal(ours.human, theirs.human, equal_nan=True)
        for part in ("outputs", "references", "among_outputs"):
            assert np.array_equal(getattr(ours.values, part), getattr(theirs.values, part))


@each_case(
    ("old", "new", "message"),
    [
        ("kind,human", "sort,human", "columns are missing: kind"),
        (",x,y", ",x,x", "two columns are called 'x'"),
        ("t,A,B,reference-reference", "t,A,B,references", "line 6: 'references' is no kind of row"),
        ("3,.1,.2", "3,.1", "line 2: the row has 6 cells, the head has 7"),
        ("3,.1,.2", "3,.1,", "line 2: the value of 'y' is missing"),
        ("3,.1,.2", "3,.1,high", "line 2: expected a number in the column 'y', got 'high'"),
        ("3,.3,.4", "4,.3,.4", "line 3: the output of 'one' has other human scores"),
        ("t,one,B", "t,one,A", "line 3: 'one' and 'A' are compared twice"),
        ("t,one,B,output-reference,3,.3,.4\n", "", "topic 't': 'one' is not compared with 'B'"),
        ("t,B,A,reference-reference,,.8,-inf\n", "", "topic 't': 'B' is not compared with 'A'"),
        (
            "-inf\n",
            "-inf\nu,A,B,reference-reference,,1,1\n",
            "topic 'u': there is no row 'output-reference'",
        ),
        ("t,B,A,r", "t,C,A,r", "'C' of a row 'reference-reference' is in no row"),
        (TABLE[TABLE.index("\n") :], "\n", "the table has no rows"),
        (",x,y", ",human:x,human:y", "there is no measure"),
    ],
)
def test_faulty_tables_are_refused(tmp_path, old, new, message):
    assert old in TABLE
    with pytest.raises(ValuesError, match=r"table\.csv") as refused:
        read(tmp_path, TABLE.replace(old, new))
    assert message in str(refused.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ValuesError, match=r"unknown column 'z'; there are: .*'x', 'y'"):
        read(tmp_path, measures=("z",))
    with pytest.raises(SourceError, match="close what quotation marks open"):
        read(tmp_path, TABLE + '"open')
    (tmp_path / "table.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="not valid UTF-8"):
        pairwise._read_pairwise(tmp_path / "table.csv")


NAMED = "rouge(n=1),rouge_l"


def mixed() -> Testbed:
    """The second topic has fewer references."""
    full, few = made_up.words(), made_up.words(references=2)
    return replace(full, topics=(full.topics[0], few.topics[1], full.topics[2]))


def opened(path: Path, measures: str = NAMED, fewest: int = 2) -> pairwise.PairwiseInput:
    settings = pairwise.SimilaritySettings(measures=measures, no_cache=True)
    return pairwise.read_similarities(path, settings, fewest=fewest)


@pytest.mark.parametrize("kept", [False, True])
def test_topics_with_too_few_references_are_left_out(tmp_path, kept):
    path = made_up.written(tmp_path / "tides.jsonl", mixed())
    if kept:
        pairwise._write_pairwise(opened(path), tmp_path / "kept.csv")
        path = tmp_path / "kept.csv"
    found = opened(path, measures="" if kept else NAMED, fewest=4)
    assert [each.topic for each in found.topics] == ["t0", "t2"]
    assert found.remarks == ("Left out, because they have fewer than 4 references: topics 't1'.",)
    assert found.measures == ("rouge(n=1)", "rouge_l")
