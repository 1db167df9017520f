"""The digest of a result."""

import subprocess
import sys

from weps.results.making import DECIDING

SUPPORT = {
    "weps._cache",
    "weps._files",
    "weps._isolation",
    "weps._lazy",
    "weps._locking",
    "weps._options",
    "weps._parallel",
    "weps._version",
    "weps.errors",
    "weps.results",
    "weps.results.changes",
    "weps.results.collecting",
    "weps.results.stored",
    "weps.sources",
    "weps.systems",
}
"""Modules and packages that decide nothing: pages and the model are part of the digest."""


def test_the_digest_names_every_module_that_decides_a_result():
    program = "import sys, weps.results.making; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    modules = {name for name in run.stdout.split() if name.startswith("weps.")}
    known = (*DECIDING, *SUPPORT - {"weps.results"})
    below = tuple(f"{name}." for name in known)
    assert {name for name in modules if not name.startswith(below)} <= {*known, "weps.results"}
    assert not [name for name in DECIDING if name.startswith(("weps.cli", "weps.app", "weps.web"))]
