"""Public names of a package, and libraries that may be missing, imported when they are used."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from weps.errors import OutputError, WepsError


def attach_stub(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The attributes of a package by the stub beside its ``__init__.py``.

    The stub, which type checkers and editors read, is the one place where the names are stated:
    lines such as ``from weps.model import Model as Model``.

    Args:
        package: ``__name__`` of the package.
        file: ``__file__`` of the package.

    Returns:
        ``__getattr__``, ``__dir__`` and ``__all__``.
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text("utf-8"))
    modules = {
        alias.name: str(node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def attribute(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return attribute, lambda: sorted(modules), sorted(modules)


def import_sparse_matrices() -> None:
    """Import ``scipy.sparse`` in two thirds of the time.

    It copies every name of NumPy, so that two large parts would be loaded that NumPy itself loads
    when they are asked for, and that nothing here asks for.
    """
    numpy = import_module("numpy")
    stubs = {
        name: ModuleType(name) for name in ("f2py", "testing") if f"numpy.{name}" not in sys.modules
    }
    vars(numpy).update(stubs)
    import_module("scipy.sparse")
    for name, stub in stubs.items():
        if vars(numpy).get(name) is stub:  # neither loaded meanwhile, nor of another thread
            delattr(numpy, name)


def import_library(
    module: str, extra: str = "", error: type[WepsError] = OutputError, where: object = None
) -> Any:
    """A module of a library that may be missing.

    Args:
        module: as it is imported.
        extra: of weps that installs it; empty where the user is to.
        error: the class of the error.
        where: what needs it.

    Raises:
        WepsError: of the class ``error``, if it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as missing:
        library = module.partition(".")[0]
        raise error(
            f"{library} is not installed",
            where=where,
            remedy=f"pip install '{f'weps[{extra}]' if extra else library}'",
        ) from missing
