"""How commands end whose studies are not run by :class:`eval.studies.base.Study` yet."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from typing import Any

from eval.report.document import Document
from eval.report.render import as_text, write_report
from eval.report.tables import Table
from eval.studies.base import Result
from weps.cli.console import Console
from weps.cli.options import write_json

__all__ = ["write_results"]


def write_results(  # noqa: PLR0913 - what is told, in every form
    options: argparse.Namespace,
    console: Console,
    study: Result[Any],
    tables: Iterable[Table],
    *,
    document: Document,
    data: Any,
) -> int:
    """Print remarks and tables, write what is asked for; the exit status."""
    for remark in study.remarks:
        console.write(textwrap.fill(remark, console.width))
    for table in tables:
        console.write_detail("\n" + as_text(table, console.width))
    console.write_detail()
    console.write(study.signature)
    write_json(options.json, data)
    if options.report:
        write_report(document, options.report, console)
    return 0
