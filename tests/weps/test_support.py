"""Support modules: files, parallel work, expressions, errors."""

from __future__ import annotations

import contextlib
import copy
import gc
import gzip
import os
import signal
import socket
import stat
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps import _files, errors
from weps._expressions import Expression, parse_expression, split_items
from weps._parallel import parallel_map
from weps.reading import Reader


def test_entries_are_sorted_and_hidden_ones_left_out(tmp_path):
    for name in ("b", ".c", "a"):
        (tmp_path / name).write_bytes(b"")
    assert _files.list_entries(tmp_path) == (tmp_path / "a", tmp_path / "b")
    with pytest.raises(errors.SourceError, match="no: cannot be listed"):
        _files.list_entries(tmp_path / "no")


def test_a_place_one_may_not_look_at_counts_as_there(tmp_path, monkeypatch):
    assert _files.first_existing([tmp_path / "no"]) is None
    (tmp_path / "file").write_bytes(b"")
    assert (
        _files.first_existing([tmp_path / "file" / "below", tmp_path / "file"]) == tmp_path / "file"
    )
    monkeypatch.setattr(Path, "stat", Mock(side_effect=PermissionError))
    assert _files.first_existing([tmp_path / "no"]) == tmp_path / "no"


def test_whole_files_are_read_that_are_files_and_not_too_large(tmp_path):
    """None of these is waited for, and none fills the memory."""
    path = tmp_path / "a"
    path.write_bytes(b"x" * (1 << 20))
    assert len(_files.read_bytes(path, 1 << 20, errors.SourceError)) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "sparse").touch()
    os.truncate(tmp_path / "sparse", 1 << 40)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
    for name, message in {
        "a": "a: is over 1 MB",
        "pipe": "a pipe or a device, not a file",
        ".": "a folder, not a file",
        "no": "no: cannot be read",
        "/dev/zero": "/dev/zero: cannot be read .a pipe or a device, not a file",
        "socket": "cannot be read .No such device",
        "loop": "cannot be read .Too many levels of symbolic links",
        "sparse": "sparse: is over 1 MB",
        "x" * 300: "cannot be read .File name too long",
        "\0": "cannot be read .not the path of a file",
        "\ud800": "cannot be read .not the path of a file",
    }.items():
        with pytest.raises(errors.KeyFileError, match=message):
            _files.read_bytes(tmp_path / name, 1 << 20, errors.KeyFileError)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bomb.gz", gzip.compress(bytes(5 << 20), mtime=0), "over 1 MB"),
        ("long.gz", gzip.compress(bytes(9), 0, mtime=0) * 60_000, "over 1 MB"),
        ("cut.gz", gzip.compress(b"x" * 99, mtime=0)[:-9], "cannot be read .Compressed file ended"),
        ("no.gz", b"plain", "cannot be read .Not a gzipped file"),
        ("plain", bytes(5 << 20), "over 1 MB"),
    ],
)
def test_files_are_unpacked_within_bounds(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with (
        pytest.raises(errors.KeyFileError, match=message),
        _files.open_unpacked(tmp_path / name, 1 << 20, errors.KeyFileError) as file,
    ):
        file.read()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_put_in_place_of_older_ones(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    _files.atomic_write({tmp_path / "a": b"new", tmp_path / "b": b"\x00\r\n"})
    assert contents(tmp_path) == {"a": b"new", "b": b"\x00\r\n"}
    with pytest.raises(errors.OutputError) as caught:
        _files.atomic_write({tmp_path / "none" / "a": b""})
    assert str(caught.value) == (
        f"{tmp_path / 'none' / 'a'}: cannot be written (No such file or directory); "
        "choose a writable folder with enough free space"
    )


@pytest.mark.parametrize("fails_at", [1, 2])
def test_what_was_there_stays_when_the_disk_is_full(fails_at, tmp_path, monkeypatch):
    calls = []
    (tmp_path / "a").write_bytes(b"old")

    def fill_up(file: int) -> None:
        calls.append(file)
        if len(calls) == fails_at:
            raise OSError(28, "No more")

    monkeypatch.setattr(os, "fsync", fill_up)
    with pytest.raises(errors.OutputError, match=r"cannot be written \(No more\)"):
        _files.atomic_write({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert contents(tmp_path) == {"a": b"old"}


def test_a_killed_run_leaves_no_half_written_name(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "replace", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        _files.atomic_write({tmp_path / "a": b"new"})
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("private", [False, True])
def test_a_link_that_an_option_names_stays_and_one_in_a_folder_of_results_is_replaced(
    private, tmp_path
):
    there, folder = tmp_path / "there", tmp_path / "links"
    folder.mkdir()
    there.write_bytes(b"old")
    (folder / "a").symlink_to(there)
    (folder / "b").symlink_to(tmp_path / "new")
    (folder / "c").symlink_to("c")
    (tmp_path / "linked").symlink_to(folder)
    written = {tmp_path / "linked" / name: name.encode() for name in ("a", "b", "c")}
    _files.atomic_write(written, private=private)
    assert all(path.read_bytes() == content for path, content in written.items())
    assert (folder / "a").is_symlink() == (folder / "b").is_symlink() != private
    assert there.read_bytes() == (b"old" if private else b"a")
    assert (tmp_path / "new").exists() != private
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in written if private)
    (folder / "d").symlink_to(there)
    with _files.atomic_file(folder / "d", private=True, follow=True) as file:  # --json d
        file.write(b"d")
    assert ((folder / "d").is_symlink(), there.read_bytes()) == (True, b"d")
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_files_keep_their_modes_and_new_ones_may_be_private(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for mode in (0o600, 0o644, 0o640):
        old.write_bytes(b"")
        old.chmod(mode)
        _files.atomic_write({old: b"1", new: b"2"}, private=True)
        assert [path.stat().st_mode & 0o777 for path in (old, new)] == [mode, 0o600]
    os.umask(mask := os.umask(0o022))
    _files.atomic_write({tmp_path / "public": b""})
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o666 & ~mask
    _files.make_folder(tmp_path / "folder", private=True)
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="has no owners")
@pytest.mark.parametrize("link", ["a", "folder", "mine"])
def test_links_of_others_are_not_followed(link, tmp_path, monkeypatch):
    """By a link of the file, of its folder, and by a link of the user to one of another user."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "a").write_bytes(b"old")
    (tmp_path / "a").symlink_to("theirs/a")
    (tmp_path / "folder").symlink_to("theirs")
    (tmp_path / "mine").symlink_to("a")
    plain = Path.lstat

    def theirs(path: Path) -> os.stat_result:
        found = list(plain(path))
        found[stat.ST_UID] = os.geteuid() + (path.name in {"a", "folder"})
        return os.stat_result(found)

    target = tmp_path / (f"{link}/a" if link == "folder" else link)
    _files.atomic_write({target: b"old"})
    monkeypatch.setattr(Path, "lstat", theirs)
    with pytest.raises(errors.OutputError, match="symbolic link that belongs to another user"):
        _files.atomic_write({target: b"new"})
    assert (tmp_path / "theirs" / "a").read_bytes() == b"old"
    assert len(list(tmp_path.rglob("*"))) == 5


def test_a_pipe_or_a_device_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(errors.OutputError, match="got a device or a pipe"):
        _files.atomic_write({tmp_path / "a": b""})
    assert [(path.name, path.is_fifo()) for path in tmp_path.iterdir()] == [("a", True)]


@pytest.fixture
def lists(tmp_path, monkeypatch):
    (tmp_path / "one.txt").write_text("# words\nof \n\nthe\n", "utf-8")
    (tmp_path / "two.txt").write_text("the\nhttp\nmüßig\n", "utf-8")
    monkeypatch.setattr(_files, "_PLACES", (tmp_path / "nowhere", tmp_path))
    _files.word_list.cache_clear()
    yield tmp_path
    _files.word_list.cache_clear()


def test_word_lists_are_found_in_any_place_and_joined_without_comments(lists):
    assert _files.resource_path("one.txt") == lists / "one.txt"
    assert _files.word_list("one.txt") == {"of", "the"}
    assert _files.word_list("one.txt", "two.txt") == {"of", "the", "http", "müßig"}


LISTS = ("countries", "states", "cities", "occupations")


def lines(name: str) -> list[str]:
    text = _files.resource_path(f"gazetteer/{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@each_case("name", LISTS)
def test_a_list_is_sorted_and_says_everything_once(name):
    found = lines(name)
    assert found == sorted(found, key=str.lower)
    said = [each for line in found for each in line.split(" = ")]
    assert len(said) == len(set(said)) > 100
    assert all(each == " ".join(each.split()) for each in said)


def test_places_are_listed_once_and_occupations_in_lower_case():
    listed = _files.word_list(*(f"gazetteer/{each}.txt" for each in LISTS[:3]))
    assert len(listed) == sum(len(lines(each)) for each in LISTS[:3])
    assert all(line.islower() for line in lines("occupations"))
    names = _files.gazetteer_names("countries", "cities")  # each counts as the first of its line
    assert names["Holland"] == names["Netherlands"] == "Netherlands"


NAMES = ["b", "a", "c"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_names(jobs):
    assert list(parallel_map(str.upper, NAMES, jobs)) == ["B", "A", "C"]
    worked = []
    next(parallel_map(worked.append, NAMES))
    assert worked == ["b"]  # one job works only when asked


@pytest.mark.parametrize("jobs", [0, -2, "two"])
@pytest.mark.parametrize("use", [lambda jobs: [*parallel_map(str, "ab", jobs)], Reader])
def test_a_number_of_processes_that_is_none_is_one_clear_error(use, jobs):
    with pytest.raises(errors.InputValueError, match=f"jobs: expected .* -1.*, got {jobs!r}"):
        use(jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_arrives_with_its_advice(jobs):
    assert list(parallel_map(_files.resource_path, [], jobs)) == []
    with pytest.raises(errors.SourceError) as caught:
        list(parallel_map(_files.resource_path, ["missing", "lost"], jobs))
    assert caught.value.remedy


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_costs_its_item_alone(jobs):
    texts = ["1", "two", "3", "four"]
    found = parallel_map(int, texts, jobs, lambda text, error: (text, type(error)))
    assert list(found) == [1, ("two", ValueError), 3, ("four", ValueError)]
    kept = parallel_map(int, texts, jobs)
    assert next(kept) == 1
    with pytest.raises(ValueError, match="two"):
        next(kept)


@pytest.mark.skipif(sys.platform == "win32", reason="has no signals")
def test_a_killed_process_costs_its_item_alone():
    signals = [signal.SIGCHLD, signal.SIGKILL, signal.SIGCHLD, signal.SIGCHLD]
    found = parallel_map(signal.raise_signal, signals, 2, lambda item, error: (item, type(error)))
    assert list(found) == [None, (signal.SIGKILL, errors.WorkerError), None, None]
    with pytest.raises(
        errors.WorkerError, match="item 2: the process that worked on it was killed"
    ):
        list(parallel_map(signal.raise_signal, signals, 2))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="keeps the number of a parent that has ended")
def test_processes_end_with_the_one_that_began_them():
    item = "import os, time; os.write(1, b'.'); time.sleep(600)"
    program = f"from weps._parallel import parallel_map; [*parallel_map(exec, [{item!r}] * 2, 2)]"
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert running.stdout.read(2) == b".."
    running.kill()
    running.communicate(timeout=120)  # standard output is closed when all of them have ended


@each_case(
    ("error", "told"),
    [
        (errors.SourceError("gone", where="here", remedy="look"), "here: gone; look"),
        (OSError(28, "No space left", "a"), "a: cannot be used (No space left);"),
        (MemoryError(), "not enough memory"),
        (RecursionError("too deep"), "internal error (RecursionError: too deep)"),
        (ValueError("a\nb" * 10_000), "ValueError: a b"),
    ],
)
def test_every_error_is_one_line(error, told):
    line = errors.describe_error(error)
    assert told in line
    assert len(line.splitlines()) == 1
    assert len(line) < 400


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_who_has_enough_may_stop(jobs):
    """Warnings are errors here: that some work was in vain is not worth one."""
    results = parallel_map(str.upper, NAMES * 20, jobs)
    assert next(results) == "B"
    del results
    gc.collect()


IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda word: not iskeyword(word)
)
WORDS = IDENTIFIERS.filter(lambda word: word not in {"true", "false"})
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.booleans() | NUMBERS | WORDS
PARAMETERS = st.dictionaries(IDENTIFIERS, VALUES, max_size=3).map(lambda d: tuple(d.items()))
EXPRESSIONS = st.recursive(
    st.builds(Expression, IDENTIFIERS, st.just(()), PARAMETERS),
    lambda inner: st.builds(
        Expression, IDENTIFIERS, st.lists(inner, max_size=3).map(tuple), PARAMETERS
    ),
    max_leaves=4,
)


@each_case(
    ("text", "expected"),
    [
        ("token", Expression("token")),
        ("  token\n", Expression("token")),
        ("ngram(n=2)", Expression("ngram", (), (("n", 2),))),
        ("ngram( n = 2 , local = true )", Expression("ngram", (), (("n", 2), ("local", True)))),
        ("F(alpha=0.2)", Expression("F", (), (("alpha", 0.2),))),
        ("entity(type=person)", Expression("entity", (), (("type", "person"),))),
        ("shift(by=-3)", Expression("shift", (), (("by", -3),))),
        ("dice(token)", Expression("dice", (Expression("token"),))),
        ("f(a, b(c))", Expression("f", (Expression("a"), parse_expression("b(c)")))),
    ],
)
def test_parse(text, expected):
    assert parse_expression(text) == expected


NO_EXPRESSIONS = (
    "| |(|42|token)|token token|token(|token()|token(local|token(local=|token(local=)|"
    "token(local=-yes)|token(local=true|token(a b)|token(a,)|token(,a)|token(=1)|token((a))|"
    "to-ken|token; import os|token\0|f(3=4)|f((=1)|f(,=1)|ngram(n=2, n=3)"
)


@each_case("text", [*NO_EXPRESSIONS.split("|"), "f(" * 100_000])
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(errors.FeatureError, match="cannot read") as caught:
        parse_expression(text)
    assert repr(text)[:200] in caught.value.what
    assert caught.value.remedy


@given(EXPRESSIONS)
def test_an_expression_parses_back(expression):
    assert parse_expression(str(expression)) == expression


@given(st.text(st.sampled_from("f(),=1.- true")))
def test_any_text_parses_or_is_refused(text):
    with contextlib.suppress(errors.FeatureError):
        assert parse_expression(str(parse_expression(text))) == parse_expression(text)


@given(st.lists(EXPRESSIONS.map(str), max_size=4))
def test_a_list_of_expressions_splits_back(texts):
    assert split_items(", ".join(texts)) == texts
    assert split_items(" ,".join(["", *texts, ","])) == texts


@each_case(
    ("parts", "expected"),
    [
        ({}, "it broke"),
        ({"where": "here"}, "here: it broke"),
        ({"where": 7, "remedy": "mend it"}, "7: it broke; mend it"),
        ({"where": "a\u2028b", "remedy": "two\r\nlines\n"}, "a b: it broke; two lines"),
    ],
)
def test_a_message_says_in_one_line_where_what_and_what_to_do(parts, expected):
    error = errors.WepsError("it broke", **parts)
    assert error.describe() == str(error) == expected


def test_an_error_survives_the_way_between_processes():
    error = copy.copy(errors.SourceError("it broke", where="here", remedy="mend it"))
    assert (error.what, error.where, error.remedy) == ("it broke", "here", "mend it")
    assert str(error) == "here: it broke; mend it"
