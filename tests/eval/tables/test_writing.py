from __future__ import annotations

import csv
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from eval.tables.files import WRITERS, read_instances, write_instances
from eval.tables.instances import Instances
from tests.eval.tables.made_up import contents, instances, small
from weps.errors import OutputError


def again(path: Path) -> Instances:
    return read_instances(path, group=None if path.suffix == ".npz" else "group").instances


@pytest.mark.parametrize("ending", WRITERS)
def test_what_is_written_is_read_again(tmp_path_factory, ending):
    path = tmp_path_factory.mktemp("written") / f"a{ending}"

    @given(instances())
    def check(made: Instances) -> None:
        write_instances(made, path)
        assert contents(again(path)) == contents(made)

    check()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", WRITERS)
def test_the_same_instances_give_the_same_bytes(tmp_path, ending):
    for name in ("one", "two"):
        write_instances(small(), tmp_path / f"{name}{ending}")
    written = (tmp_path / f"one{ending}").read_bytes()
    assert written == (tmp_path / f"two{ending}").read_bytes()
    if ending.endswith(".gz"):
        assert written[3:8] == bytes(5)  # neither name nor time: RFC 1952


def test_an_archive_tells_no_time(tmp_path):
    single = replace(small(), values=small().values.astype(np.float32))
    write_instances(single, tmp_path / "a.npz")
    assert again(tmp_path / "a.npz").values.dtype == np.float32
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert {held.date_time for held in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_table(tmp_path):
    write_instances(small(), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines() == [
        '"label","group","dice(token)","length"',
        '1,"Ada",0.5,3.0',
        '0,"Ada",0.25,2.0',
        '0,"Bo",0.0,inf',
        '1,"Bo",1.0,-1.5',
    ]


def test_spreadsheets_compute_nothing(tmp_path):
    made = replace(small(), measures=("=1+1", "y"), groups=("@SUM(A1)", "-2"))
    write_instances(made, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[2] == "'=1+1"
    assert {row[1] for row in rows} == {"'@SUM(A1)", "'-2"}


def test_more_instances_than_a_block(tmp_path):
    size = 4_100
    values = np.random.default_rng(0).normal(size=(2, size))
    group = np.arange(size, dtype=np.int32) // 41
    groups = tuple(f"group {number}" for number in range(100))
    made = Instances(("x", "y"), values, values[0] > 0, group, groups)
    write_instances(made, tmp_path / "a.tsv")
    assert contents(again(tmp_path / "a.tsv")) == contents(made)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a.xlsx", "known endings are"),
        ("a.parquet", "known endings are"),
        ("no/a.csv", "cannot be written .No such file"),
        ("a.csv", "cannot be called 'group' in a table; rename it, or write .npz"),
    ],
)
def test_what_cannot_be_written(tmp_path, path, message):
    made = replace(small(), measures=("x", "group"))
    with pytest.raises(OutputError, match=message) as caught:
        write_instances(made, tmp_path / path)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays_when_writing_fails(tmp_path):
    write_instances(small(), tmp_path / "a.csv")
    before = (tmp_path / "a.csv").read_bytes()
    with pytest.raises(OutputError):
        write_instances(replace(small(), measures=("x", "label")), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == before
