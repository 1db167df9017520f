"""Instances in groups, and the sources that ``meta hbr`` and ``heterogeneity`` share."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.eval.studies import made_up
from tests.eval.studies.made_up_groups import grouped, instances, write_source
from tests.eval.studies.made_up_scores import StudyRun, matrix, run_study, write
from weps.errors import ValuesError
from weps_eval.text.testbed import Testbed


def test_only_what_a_criterion_judges_is_left_and_groups_have_no_gaps():
    found = grouped(groups=3, size=2)
    quality = np.array([1.0, 2.0, np.nan, np.nan, 3.0, 1.0])
    judged = replace(found, quality={"quality": quality}).judged_instances("quality")
    assert judged.group.tolist() == [0, 0, 1, 1]
    assert judged.scores.tolist() == [1, 2, 3, 1]
    assert (judged.values == found.values[:, [0, 1, 4, 5]]).all()


@pytest.mark.parametrize(
    ("quality", "message"),
    [
        ([1, np.nan, np.nan, 2], "no topic has two instances that people judged"),
        ([1, 1, 2, 2], "people judged all instances of each topic alike"),
    ],
)
def test_a_criterion_that_compares_nothing_is_refused(quality, message):
    found = replace(grouped(groups=2, size=2), quality={"quality": np.array(quality)})
    with pytest.raises(ValuesError, match=message):
        found.judged_instances("quality")


def test_some_instances_of_large_groups_are_drawn():
    found = grouped(groups=3, size=9)
    few = found.at_most(4, seed=1)
    assert np.bincount(few.group).tolist() == [4, 4, 4]
    assert "Of 27 instances 12 were drawn" in few.remarks[0]
    assert set(few.quality["quality"]) <= set(found.quality["quality"])
    assert len(few.system) == 12
    assert (few.values == found.at_most(4, seed=1).values).all()
    assert not np.array_equal(few.values, found.at_most(4, seed=2).values)
    assert found.at_most(9, seed=0) is found


def test_topics_of_one_output_are_compared_within_sets(tmp_path, weps):
    found = matrix(topics=1, systems=30)
    topics = tuple(f"set{number % 2}.{number}" for number in range(30))
    source = write(tmp_path / "sets.csv", replace(found, topic=topics))
    assert "within sets of topics: set0, set1." in weps("meta", "hbr", source)[1]
    assert "across topics" in weps("meta", "hbr", source, "--within", "all")[1]
    status, _, error = weps("meta", "hbr", source, "--within", "topic")
    assert status == 1
    assert "no topic has two instances" in error


def ran(folder: Path, study: str, testbed: Testbed) -> StudyRun:
    folder.mkdir()
    source = made_up.written(folder / "tides.jsonl", testbed)
    words = ("--measures", "rouge(n=1), rouge(n=2), cosine, rouge_l")
    return run_study(folder, study, source, *words, report=False)


@pytest.mark.parametrize(
    ("study", "figures"),
    [("hbr", ("predicted", "systems", "people")), ("heterogeneity", ("heterogeneity", "sets"))],
)
def test_outputs_equal_to_a_reference_are_left_out(study, figures, tmp_path):
    testbed = made_up.words()  # the first system gives the first reference
    topics = tuple(replace(each, outputs=each.outputs[1:]) for each in testbed.topics)
    found = ran(tmp_path / "whole", study, testbed).data
    rest = ran(tmp_path / "rest", study, replace(testbed, topics=topics)).data
    assert (found["equal"], rest["equal"]) == (3, 0)
    assert "3 outputs left out: equal to a reference of the topic." in found["remarks"]
    assert not any("equal to a reference" in each for each in rest["remarks"])
    assert [found[each] for each in figures] == [rest[each] for each in figures]


def test_pairs_of_equal_outputs_are_left_out_of_heterogeneity(tmp_path):
    """A copy of one of two outputs adds no other pair of different ones, so that H stays."""
    texts = {"two": "Noon at fell tide.", "three": "Tide fell.", "four": "  Tide fell."}
    whole = made_up.words()
    found = []
    for names in (("two", "three"), ("two", "three", "four")):
        topics = [
            replace(
                each,
                outputs=tuple(
                    replace(output, text=texts[output.system])
                    for output in each.outputs
                    if output.system in names
                ),
            )
            for each in whole.topics
        ]
        folder = tmp_path / str(len(names))
        found.append(ran(folder, "heterogeneity", replace(whole, topics=tuple(topics))).data)
    plain, copied = found
    assert (plain["equal_pairs"], copied["equal_pairs"]) == (0, 3)
    assert copied["heterogeneity"] == plain["heterogeneity"]
    assert plain["heterogeneity"]["value"] == 1
    assert "3 pairs of equal outputs of a topic left out of heterogeneity." in copied["remarks"]


def test_a_table_does_not_state_which_outputs_equal_a_reference(tmp_path):
    found = run_study(tmp_path, "hbr", write_source(tmp_path, "table"), report=False).data
    assert found["equal"] is None
    assert any("A table does not state" in each for each in found["remarks"])


@pytest.mark.parametrize("ending", ["csv.gz", "parquet"])
def test_instances_without_groups_are_one_group(ending, tmp_path, weps):
    made, source = instances(groups=1, size=20), tmp_path / f"pairs.{ending}"
    columns = {"label": made.positive, **dict(zip(made.measures, made.values, strict=True))}
    if ending == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), source)
    else:
        rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
        source.write_bytes(gzip.compress("\n".join([",".join(columns), *rows]).encode()))
    assert "20 instances in 1 group." in weps("meta", "hbr", source)[1]
