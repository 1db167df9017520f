"""The outcome of pip-audit: fails on a known vulnerability, says where none can be looked up."""

import json
import sys
from pathlib import Path

_OF_PYTHON = {"pip", "setuptools"}
"""Packages of a new virtual environment, which belong to the interpreter."""

text = Path(sys.argv[1]).read_text("utf-8")
found = json.loads(text)["dependencies"] if text else []
known = [each for each in found if "vulns" in each and each["name"] not in _OF_PYTHON]
sys.stdout.write(
    f"{len(known)} packages looked up\n"
    if known
    else "SKIPPED: the registry's advisories cannot be reached from here\n"
)
faults = [
    f"{each['name']} {each['version']}: {fault['id']}" for each in known for fault in each["vulns"]
]
sys.exit("\n".join(faults) or 0)
