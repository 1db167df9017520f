"""Size of the house: files, statements, lines, functions and imports, in all and by package.

``python docs/benchmarks/structure.py [CHECKOUT]`` counts in the sources of any checkout; nothing
of it is imported. A statement is a node of the syntax tree that is one (``ast.stmt``), docstrings
left out. A public function stands at the top level of a module, without a leading underscore.
Uses are counted by name, so the number of functions that are used once is approximate.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SMALL, LARGE = 60, 850
"""Lines: of a small module less, of a large one more."""


@dataclass(frozen=True)
class Module:
    """A source file."""

    name: str
    """Dotted, ``weps.html`` of ``weps/html/__init__.py``."""
    path: Path

    @property
    def package(self) -> str:
        """The entry of ``weps`` or ``weps_eval`` that it belongs to."""
        parts = self.name.split(".")
        return ".".join(parts[:2] if len(parts) > 2 or self.is_package else parts[:1])

    @property
    def is_package(self) -> bool:
        """Whether it is the ``__init__`` of a package."""
        return self.path.name == "__init__.py"

    @cached_property
    def lines(self) -> int:
        """Number of lines."""
        return self.path.read_text(encoding="utf-8").count("\n")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the syntax tree; the first is the module."""
        return list(ast.walk(ast.parse(self.path.read_text(encoding="utf-8"))))

    @property
    def statements(self) -> int:
        """Number of statements without docstrings."""
        return sum(isinstance(node, ast.stmt) and not _is_docstring(node) for node in self.nodes)

    @property
    def functions(self) -> list[str]:
        """Names of all functions and methods."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return [node.name for node in self.nodes if isinstance(node, kinds)]

    @property
    def public_functions(self) -> list[str]:
        """Names of the functions at the top level that have no leading underscore."""
        (body,) = (node.body for node in self.nodes[:1] if isinstance(node, ast.Module))
        names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        return [name for name in names if not name.startswith("_")]

    @property
    def uses(self) -> Iterator[str]:
        """Names in expressions, that is, neither imported nor defined."""
        for node in self.nodes:
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr

    def imports(self, known: set[str]) -> set[str]:
        """Modules of the project that it imports, also inside functions."""
        found = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= (inner & known) or {node.module}
        return (found & known) - {self.name}


def main() -> None:
    """Print the totals, and a line for every package."""
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for title, count in totals(checkout).items():
        print(f"{title:<40}{count:>10,}")
    print(f"\n{'package':<40}{'files':>10}{'statements':>12}{'lines':>10}")
    packages: dict[str, list[Module]] = {}
    for module in modules(checkout):
        packages.setdefault(module.package, []).append(module)
    for name, files in sorted(packages.items()):
        statements, lines = sum(m.statements for m in files), sum(m.lines for m in files)
        print(f"{name:<40}{len(files):>10,}{statements:>12,}{lines:>10,}")


def totals(checkout: Path) -> dict[str, int]:
    """What is counted → its number; ``tests/test_layout.py`` holds those that have a limit."""
    files = list(modules(checkout))
    plain = [module for module in files if not module.is_package]
    functions = [name for module in files for name in module.functions]
    uses = Counter(name for module in files for name in module.uses)
    public = [name for module in files for name in module.public_functions]
    tests = list((checkout / "tests").rglob("*.py"))
    prose = [path.read_text("utf-8") for path in (checkout / "docs").glob("*.md")]
    return {
        "files": len(files),
        "statements": sum(module.statements for module in files),
        "lines": sum(module.lines for module in files),
        "functions": len(functions),
        "public functions": len(public),
        "public functions named by one word": sum("_" not in name for name in public),
        "functions used once": sum(uses[name] == 1 for name in functions),
        f"modules under {SMALL} lines": sum(module.lines < SMALL for module in plain),
        f"modules over {LARGE} lines": sum(module.lines > LARGE for module in plain),
        "packages": len(files) - len(plain),
        "packages in an import circle": _circle(files),
        "test files": len(tests),
        "test lines": sum(path.read_text("utf-8").count("\n") for path in tests),
        "words in docs": sum(len(re.findall(r"\S+", text)) for text in prose),
    }


def modules(checkout: Path) -> Iterator[Module]:
    """The source files, also of checkouts where ``eval`` was a package."""
    layer = checkout / "eval"
    inner = layer / "weps_eval"
    yield Module("run_weps", checkout / "run_weps.py")
    for root in (checkout / "weps", inner if inner.exists() else layer):
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root.parent).with_suffix("").parts
            yield Module(".".join(part for part in parts if part != "__init__"), path)


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _circle(files: list[Module]) -> int:
    """Number of packages in the first circle of imports; 0 if there is none."""
    known = {module.name: module.package for module in files}
    graph: dict[str, set[str]] = {}
    for module in files:
        if "." in module.package:
            others = {known[name] for name in module.imports(known.keys() | set())}
            graph.setdefault(module.package, set()).update(others - {module.package})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return len(error.args[1]) - 1
    return 0


if __name__ == "__main__":
    main()
