"""What holds for every module of ``weps``."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "weps").rglob("*.py"))
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in FILES
]


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module named by an import statement or a call of ``import_module``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module


@pytest.mark.parametrize("module", MODULES)
def test_public_names_exist_and_are_told_once(module):
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", [])
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(loaded, name)] == []


@pytest.mark.parametrize(
    "statement",
    ["import eval.judge", "from eval import judge", "importlib.import_module('eval.judge')"],
)
def test_an_import_of_eval_would_be_seen(statement):
    assert {name.partition(".")[0] for name in imported(ast.parse(statement))} == {"eval"}


@pytest.mark.parametrize("path", FILES, ids=MODULES)
def test_weps_never_imports_eval(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert "eval" not in {name.partition(".")[0] for name in imported(tree)}


@pytest.mark.parametrize("path", FILES, ids=MODULES)
def test_nothing_is_pickled(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert {"pickle", "dill", "shelve", "marshal"}.isdisjoint(imported(tree))


def test_clustering_needs_no_learning_library():
    heavy = "{'sklearn', 'spacy', 'joblib'}"
    program = f"import sys, weps.pipeline; print(*sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
