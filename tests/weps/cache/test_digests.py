import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.cache import digest, source_digest
from weps.cache.digests import _sources

parts = st.lists(st.text(max_size=3) | st.binary(max_size=3), max_size=4)


@given(parts, parts)
def test_different_sequences_have_different_digests(one, other):
    assert (digest(*one) == digest(*other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((), ("",)),
        (("ab", "c"), ("a", "bc")),
        (("a1:b",), ("a", "b")),
        (("s1:as1:b",), ("a", "b")),
        (("a",), (b"a",)),
    ],
)
def test_where_a_part_ends_matters(one, other):
    assert digest(*one) != digest(*other)


def test_text_that_is_no_unicode_has_a_digest():
    assert digest("\ud800") != digest("\ud801")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package, which cannot be imported, on the path."""
    folder = tmp_path / "heavy_example"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inner" / "__init__.py").write_text("raise RuntimeError")
    (folder / "inner" / "part.py").write_text("raise RuntimeError")
    (folder / "inner" / "data.txt").write_text("1")
    (folder / "single.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "heavy_example", raising=False)
    source_digest.cache_clear()
    return folder


INNER = "heavy_example.inner"
SINGLE = "heavy_example.single"


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("inner/part.py", True),
        ("inner/__init__.py", True),
        ("inner/deep/new.py", True),
        ("inner/data.txt", False),
        ("__init__.py", False),
        ("other.py", False),
        ("single.py", True),
    ],
)
def test_source_digest_changes_with_the_source_and_nothing_else(package, file, changes):
    before = source_digest(INNER, SINGLE)
    source_digest.cache_clear()
    (package / file).parent.mkdir(exist_ok=True)
    (package / file).write_text("raise ValueError")
    assert (source_digest(INNER, SINGLE) != before) == changes


def test_a_file_that_moves_changes_the_digest(package):
    before = source_digest(INNER)
    source_digest.cache_clear()
    (package / "inner" / "part.py").rename(package / "inner" / "portion.py")
    assert source_digest(INNER) != before


@pytest.mark.usefixtures("package")
def test_source_digest_depends_on_which_modules():
    assert len({source_digest(INNER), source_digest(SINGLE), source_digest(INNER, SINGLE)}) == 3


@pytest.mark.usefixtures("package")
def test_source_digest_does_not_depend_on_where_the_project_is():
    assert [name for name, _ in _sources(INNER)] == ["__init__.py", "part.py"]


@pytest.mark.parametrize("module", ["heavy_example.none", "sys", "none_such"])
@pytest.mark.usefixtures("package")
def test_a_module_without_source_is_an_error(module):
    with pytest.raises(ModuleNotFoundError):
        source_digest(module)


def test_source_digest_imports_nothing_of_what_it_looks_at():
    code = (
        "import sys; from weps.cache import source_digest\n"
        "source_digest('weps.html', 'weps.language', 'weps.records', 'lxml')\n"
        "print(*sorted(set(sys.modules) & {'weps.html', 'weps.language', 'weps.records', 'lxml'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
