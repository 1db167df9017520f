"""Figures of the layout: files, packages, sizes, names, imports.

``python docs/benchmarks/structure.py [CHECKOUT]`` counts in the sources of any checkout; nothing
of it is imported. A public function is one at the top level of a module without a leading
underscore; it is one common word if there is no underscore in its name at all. Callers are
counted by name, so the number of functions with one caller is approximate.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOTS = ("weps", "eval")
SMALL, LARGE, SHORT = 60, 450, 3
"""Lines: of a small module less, of a large one more, of a short function at most."""


@dataclass(frozen=True)
class Module:
    """A source file."""

    name: str
    """Dotted, ``weps.html`` of ``weps/html/__init__.py``."""
    path: Path

    @property
    def is_package(self) -> bool:
        """Whether it is the ``__init__`` of a package."""
        return self.path.name == "__init__.py"

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text)

    @cached_property
    def used(self) -> Counter[str]:
        """How often each name is used, its imports and definitions left out."""
        nodes = list(ast.walk(self.tree))
        names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        return names + Counter(node.attr for node in nodes if isinstance(node, ast.Attribute))

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        """Those at the top level."""
        return [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]


def main() -> None:
    """Print the table."""
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    print(f"{'':<52}{'here':>8}   target")
    for title, count, target in figures(checkout):
        print(f"{title:<52}{count:>8,}   {target}".rstrip())


def figures(checkout: Path) -> Iterator[tuple[str, int, str]]:
    """Each line of the table: what is counted, how many there are, how many are wanted."""
    files = list(modules(checkout))
    plain = [module for module in files if not module.is_package]
    yield "files in weps and eval", len(files), "<= 285"
    yield "packages", len(files) - len(plain), "<= 45"
    yield "lines", sum(module.lines for module in files), "<= 52,000"
    for root in ROOTS:
        of_root = [module for module in files if _root(module.name) == root]
        yield f"  of {root}: files", len(of_root), ""
        yield f"  of {root}: lines", sum(module.lines for module in of_root), ""
    yield f"modules under {SMALL} lines", sum(m.lines < SMALL for m in plain), "< 15"
    yield f"modules over {LARGE} lines", sum(m.lines > LARGE for m in plain), "0"
    entries = {module.name for module in plain if re.fullmatch(r"weps\.\w+", module.name)}
    hidden = {name for name in entries if name.startswith("weps._")}
    packages = {m.name for m in files if m.is_package and re.fullmatch(r"weps\.\w+", m.name)}
    yield "entries of weps/: public modules", len(entries - hidden), "<= 9"
    yield "entries of weps/: support modules, underscored", len(hidden), ""
    yield "entries of weps/: packages", len(packages), "<= 15"
    loose = sum(bool(re.fullmatch(r"eval\.\w+", module.name)) for module in plain)
    yield "entries of eval/: loose modules", loose, "0"
    names = Counter(module.path.name for module in plain)
    yield "modules that share their file name", sum(n for n in names.values() if n > 1), ""
    public = [f.name for m in plain + _inits(files) for f in m.functions if f.name[0] != "_"]
    yield "public functions", len(public), ""
    yield "public functions named by one word", sum("_" not in n for n in public), "< 100"
    yield f"functions with one caller and <= {SHORT} lines", _called_once(files), "< 250"
    imports = {module.name: set(_imports(module, files)) for module in files}
    for kind, graph in {"modules": imports, "packages": _by_package(imports)}.items():
        found = circles(graph)
        yield f"import circles between {kind}", len(found), "0" + "".join(map(_listed, found))
    below = (found for module, found in imports.items() if _root(module) == "weps")
    yield "modules of weps that import eval", sum("eval" in map(_root, f) for f in below), "0"
    tests = [path.read_text("utf-8") for path in (checkout / "tests").rglob("*.py")]
    yield "test files", len(tests), "<= 260"
    yield "test lines", sum(text.count("\n") for text in tests), "<= 42,000"


def modules(checkout: Path) -> Iterator[Module]:
    """The source files of both packages."""
    for root in ROOTS:
        for path in sorted((checkout / root).rglob("*.py")):
            parts = path.relative_to(checkout).with_suffix("").parts
            yield Module(".".join(part for part in parts if part != "__init__"), path)


def _inits(files: list[Module]) -> list[Module]:
    return [module for module in files if module.is_package]


def _called_once(files: list[Module]) -> int:
    """Short functions and methods that are used once: in the module if private, else anywhere."""
    anywhere: Counter[str] = Counter()
    for module in files:
        anywhere += module.used
    return sum(
        (module.used if function.name.startswith("_") else anywhere)[function.name] == 1
        for module in files
        for function in ast.walk(module.tree)
        if isinstance(function, ast.FunctionDef) and _body_lines(function) <= SHORT
    )


def _body_lines(function: ast.FunctionDef) -> int:
    """Lines of the body without the docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def _imports(module: Module, files: list[Module]) -> Iterator[str]:
    """The modules that it imports, inside functions as well, but not for type checkers alone."""
    known = {other.name for other in files}
    for node in _executed(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known or node.module in known:
                    yield inner if inner in known else node.module


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from _executed(child)


def _by_package(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same between the entries of ``weps`` and ``eval``."""
    merged: dict[str, set[str]] = {}
    for module, others in imports.items():
        if "." in module:
            entry = _entry(module)
            found = {_entry(other) for other in others if "." in other}
            merged.setdefault(entry, set()).update(found - {entry})
    return merged


def _entry(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _root(module: str) -> str:
    return module.partition(".")[0]


def _listed(circle: set[str]) -> str:
    return f"   here: {', '.join(sorted(circle))}"


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The sets of nodes that all reach one another (strongly connected, more than one)."""
    reach = {node: _reached(graph, node) for node in graph}
    found: list[set[str]] = []
    for node, others in reach.items():
        circle = {other for other in others if node in reach.get(other, ())}
        if len(circle | {node}) > 1 and circle not in found:
            found.append(circle)
    return found


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return seen


if __name__ == "__main__":
    main()
