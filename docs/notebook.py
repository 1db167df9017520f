"""Run the notebook of the tutorial and store its output: ``python -m docs.notebook``."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).with_name("tutorial.ipynb")


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the output that its cells have now: what they print, and the last value."""
    scope: dict[str, Any] = {}
    cells = [
        cell if cell["cell_type"] == "markdown" else cell | {"outputs": _outputs(cell, scope)}
        for cell in notebook["cells"]
    ]
    return notebook | {"cells": cells}


def _outputs(cell: dict[str, Any], scope: dict[str, Any]) -> list[dict[str, Any]]:
    statements = ast.parse("".join(cell["source"])).body
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        if statements and isinstance(statements[-1], ast.Expr):
            last = ast.Expression(statements.pop().value)
            exec(compile(ast.Module(statements, []), "cell", "exec"), scope)  # noqa: S102 - ours
            value = eval(compile(last, "cell", "eval"), scope)  # noqa: S307 - ours
        else:
            exec(compile(ast.Module(statements, []), "cell", "exec"), scope)  # noqa: S102 - ours
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        lines = text.splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        lines = repr(value).splitlines(keepends=True)
        outputs.append(
            {
                "data": {"text/plain": lines},
                "execution_count": None,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def read_notebook() -> dict[str, Any]:
    """The notebook as it is stored."""
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return notebook


if __name__ == "__main__":
    text = json.dumps(run_notebook(read_notebook()), indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(f"{text}\n", "utf-8")
