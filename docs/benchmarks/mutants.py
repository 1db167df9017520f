"""How many small errors in the arithmetic do the tests notice?

    python docs/benchmarks/mutants.py plan 60 --seed 1 --out plan.json
    python docs/benchmarks/mutants.py run plan.json --checkout . --out outcomes.json

`plan` draws random mutants: a comparison, an operator, a number or a bound is changed. `run`
applies them, one at a time, to a copy of a checkout and runs the tests that mirror the module.
A mutant is known by the text of its line and of the lines around it, so that a plan made in one
checkout can be run in another, where modules have moved and identifiers have other names.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DEFAULT_PATHS = [
    *(f"eval/weps_eval/{name}" for name in "stats ranking clustering calibration meta".split()),
    *("eval/weps_eval/text/measures", "weps/similarity.py", "weps/clustering", "weps/coreference"),
    "weps/key_terms",
]
OPERATORS = """Lt < <=, LtE <= <, Gt > >=, GtE >= >, Eq == !=, NotEq != ==, And and or, Or or and,
    Add + -, Sub - +, Mult * /, Div / *, FloorDiv // /"""
SWAPS = {name: (old, new) for name, old, new in map(str.split, OPERATORS.split(","))}
BOUNDS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
TOKEN = re.compile(r"\d[\w.]*|\w+|[<>=!]=|//|\*\*|\S")
AROUND = 3  # lines before and after that tell equal lines apart
SAME = 0.5  # the least likeness of two places whose words differ
LIMIT = 300  # seconds for the tests of one mutant; an endless loop is an error noticed

Mutant = dict[str, Any]


def main() -> int:
    """Draw a plan or run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    plan = commands.add_parser("plan", help="draw random mutants")
    plan.add_argument("count", type=int)
    plan.add_argument("--paths", nargs="+", default=DEFAULT_PATHS, help="modules and folders")
    plan.add_argument("--seed", type=int, default=0)
    run = commands.add_parser("run", help="which mutants of a plan do the tests notice?")
    run.add_argument("plan", type=Path)
    for command in (plan, run):
        command.add_argument("--checkout", type=Path, default=Path())
        command.add_argument("--out", type=Path, required=True, help="a JSON file")
    options = parser.parse_args()
    if options.command == "plan":
        mutants = draw(options.checkout, options.paths, options.count, options.seed)
    else:
        mutants = try_all(options.checkout, json.loads(options.plan.read_text()))
    options.out.write_text(json.dumps(mutants, indent=1) + "\n")
    return 0


def draw(checkout: Path, paths: list[str], count: int, seed: int) -> list[Mutant]:
    """Random mutants of the modules under some paths."""
    roots = [checkout / path for path in paths]
    files = [file for root in roots for file in ([root] if root.suffix else root.rglob("*.py"))]
    sites = [
        {"file": file.relative_to(checkout).as_posix(), **site}
        for file in sorted(files)
        for site in mutants_of(file.read_text())
    ]
    return random.Random(seed).sample(sites, count)  # noqa: S311 - no secret


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every mutant of the bodies of a module's functions."""
    lines = source.splitlines()
    for row, column, old, new in sorted(set(changes(ast.parse(source)))):
        starts = [match.start() for match in TOKEN.finditer(lines[row])]
        start = lines[row].find(old, column)
        if start in starts and TOKEN.match(lines[row], start).group() == old:
            yield {
                "line": lines[row].strip(),
                "around": around(lines, row),
                "token": starts.index(start),
                "old": old,
                "new": new,
            }


def changes(tree: ast.AST) -> Iterator[tuple[int, int, str, str]]:
    """Row and column from which to look for a token, the token, what replaces it."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    statements = (statement for function in functions for statement in function.body)
    for node in (node for statement in statements for node in ast.walk(statement)):
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                yield node.lineno - 1, node.col_offset, repr(value), repr(value + 1)
            case ast.BinOp(left=left, op=operator) | ast.Compare(left=left, ops=[operator, *_]):
                if type(operator).__name__ in SWAPS:
                    yield left.end_lineno - 1, left.end_col_offset, *SWAPS[type(operator).__name__]
            case ast.BoolOp(values=[left, *_], op=operator):
                yield left.end_lineno - 1, left.end_col_offset, *SWAPS[type(operator).__name__]
            case ast.Name(id=name) if name in BOUNDS:
                yield node.lineno - 1, node.col_offset, name, BOUNDS[name]
            case ast.Attribute(value=left, attr=name) if name in BOUNDS:
                yield left.end_lineno - 1, left.end_col_offset, name, BOUNDS[name]


def place(checkout: Path, mutant: Mutant) -> tuple[Path, int] | None:
    """The file and the row of a mutant's line, in a checkout where names may have changed."""
    candidates = []
    wanted = [shape(text) for text in mutant["around"]]
    for file in (*checkout.glob("eval/**/*.py"), *checkout.glob("weps/**/*.py")):
        lines = file.read_text().splitlines()
        for row, line in enumerate(lines):
            if shape(line) == shape(mutant["line"]):
                there = around(lines, row)
                shapes = likeness(wanted, [shape(text) for text in there])
                words = likeness("\n".join(mutant["around"]), "\n".join(there))
                if shapes > SAME or line.strip() == mutant["line"]:
                    candidates.append((shapes + words, file, row))
    return max(candidates)[1:] if candidates else None


def around(lines: list[str], row: int) -> list[str]:
    """A line with its neighbours."""
    return [line.strip() for line in lines[max(row - AROUND, 0) : row + AROUND + 1]]


@functools.cache
def shape(line: str) -> str:
    """A line without its identifiers: what a renaming leaves as it was."""
    return " ".join("x" if re.match(r"[^\W\d]", word) else word for word in TOKEN.findall(line))


def likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """The share of what two sequences have in common, 0 to 1."""
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def try_all(checkout: Path, mutants: list[Mutant]) -> list[Mutant]:
    """Each mutant with its outcome: noticed, survived, unplaced, untested (tests fail anyway)."""
    passing: dict[Path, bool] = {}
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        for number, mutant in enumerate(mutants, start=1):
            found = place(copy, mutant)
            mutant["outcome"] = try_one(copy, *found, mutant, passing) if found else "unplaced"
            where = f"{found[0].relative_to(copy)}:{found[1] + 1}" if found else mutant["file"]
            change = f"{mutant['line']}  [{mutant['old']} -> {mutant['new']}]"
            print(f"{number:3} {mutant['outcome']:9} {where}: {change}", flush=True)
    outcomes = Counter(mutant["outcome"] for mutant in mutants)
    tried = outcomes["noticed"] + outcomes["survived"]
    print(f"{outcomes['noticed']} of {tried} noticed: {outcomes['noticed'] / max(tried, 1):.1%}")
    print(f"{outcomes['unplaced']} unplaced, {outcomes['untested']} untested")
    return mutants


def try_one(copy: Path, file: Path, row: int, mutant: Mutant, passing: dict[Path, bool]) -> str:
    """The outcome of one mutant; the file is as it was afterwards."""
    suite = file if file.parent.parent == copy else file.parent  # beside the packages, or in one
    if suite not in passing:
        passing[suite] = succeed(copy, file)
    if not passing[suite]:
        return "untested"
    source = file.read_text()
    lines = source.splitlines(keepends=True)
    match = list(TOKEN.finditer(lines[row]))[mutant["token"]]
    lines[row] = lines[row][: match.start()] + mutant["new"] + lines[row][match.end() :]
    try:
        write(file, "".join(lines))
        return "survived" if succeed(copy, file) else "noticed"
    finally:
        write(file, source)


def write(file: Path, source: str) -> None:
    """Write a module and forget its bytecode, which knows times only to the second."""
    file.write_text(source)
    Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)


def succeed(copy: Path, file: Path) -> bool:
    """Do the tests of a module, then those of its package, pass in their time?"""
    place = str(file.relative_to(copy).parent).replace("eval/weps_eval", "eval")
    folder = copy / "tests" / place
    first = folder / f"test_{file.stem.strip('_')}.py"
    suites = [suite for suite in (first, folder) if suite.exists()]
    if folder.parent.name == "tests":  # a module beside the packages, whose tests are many
        suites = suites[:1]
    options = ["-q", "-x", "-n0", "-m", "", "--hypothesis-seed=0"]
    command = [sys.executable, "-m", "pytest", *options, *map(str, suites)]
    path = os.pathsep.join([str(copy), str(copy / "eval")])
    environment = os.environ | {"PYTHONPATH": path, "CI": "1"}
    try:
        return not subprocess.call(  # noqa: S603 - the tests of the checkout
            command, cwd=copy, env=environment, timeout=LIMIT, stdout=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    sys.exit(main())
