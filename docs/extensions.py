"""What the documentation site needs beyond Sphinx and MyST: notebooks, and the commands."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import run_weps
from weps._formatting import markdown_table
from weps.cli.checks import feature_rows, set_rows
from weps_eval.text.declaration import MEASURE_SETS, REFERENCES, Family, measure_families

_SHARED = ("help", "quiet", "traceback")
"""Options of every command, told once."""
_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Files of the project → pages that include them."""


class NotebookParser(MystParser):
    """Reads notebooks: cells of Markdown as they are, cells of code with the output they have."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the cells as one page of Markdown."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(part for cell in cells for part in _parts(cell)), document)


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        text = "".join(output.get("text") or output["data"]["text/plain"])
        yield f"```text\n{text.rstrip()}\n```"


class Commands(SphinxDirective):
    """All commands with their options, from their parsers."""

    def run(self) -> list[nodes.Node]:
        """The sections of the commands."""
        markdown = "\n\n".join(_describe_commands(run_weps._parser()))
        return self.parse_text_to_nodes(markdown, allow_section_headings=True)


def _describe_commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                if command.module:
                    command.declare_options()
                    yield from _describe(command)
                yield from _describe_commands(command)


def _describe(command: argparse.ArgumentParser) -> Iterator[str]:
    """One command: its purpose, its usage, its arguments."""
    command.formatter_class = _Formatter
    yield f"## {command.prog}\n\n{command.description}"
    yield f"```text\n{command.format_usage()}```"
    formatter = command._get_formatter()
    for group in command._action_groups:
        told = [each for each in group._group_actions if each.dest not in _SHARED]
        if told and group.title not in {"options", "positional arguments"}:
            yield f"*{group.title}*"
        for action in told:
            words = formatter._format_action_invocation(action)
            help_text = formatter._expand_help(action).replace("<", "&lt;")
            yield f"`{words}`\n: {help_text}"
    if command.epilog:
        yield f"```text\n{command.epilog}\n```"


class _Formatter(argparse.HelpFormatter):
    """Usage of a fixed width, whatever the terminal; without the options of every command."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=88)

    def add_usage(self, usage: Any, actions: Any, groups: Any, _prefix: Any = None) -> None:
        told = [each for each in actions if each.dest not in _SHARED]
        super().add_usage(usage, told, groups, "")


def _fill_in(_app: Sphinx, _page: str, content: list[str]) -> None:
    """Put lists that are made from the program where a page has ``<!-- generated: NAME -->``."""
    for name, generate in GENERATED.items():
        place = f"<!-- generated: {name} -->"
        if place in content[0]:
            content[0] = content[0].replace(place, generate())


def _table_with_code(rows: list[list[str]]) -> str:
    """A table whose first column is code."""
    heading, *others = rows
    return "\n".join(markdown_table([heading, *([f"`{row[0]}`", *row[1:]] for row in others)]))


def _measure_sets() -> str:
    rows = [["set", "description", "measures"]]
    for each in MEASURE_SETS.values():
        measures = ", ".join(f"`{measure}`" for measure in each.measures)
        rows.append([each.name, each.description, measures])
    return _table_with_code(rows)


def _schemas() -> str:
    rows = [["schema", "describes"]]
    for path in sorted(Path(__file__).with_name("schema").glob("*.json")):
        schema = json.loads(path.read_text("utf-8"))
        description = f"`{schema['title']}`: {schema['description']}".replace("\n", " ")
        rows.append([f"[{path.name}](schema/{path.name})", description])
    return "\n".join(markdown_table(rows))


def measure_sections() -> str:
    """A section for each group of measures, with one for each family."""
    groups = groupby(measure_families().values(), key=lambda each: each.group)
    return "\n\n".join(
        "\n\n".join([f"## {_title(group)}", *map(_family, families)]) for group, families in groups
    )


def _title(group: str) -> str:
    return group[0].upper() + group[1:]


def _family(family: Family) -> str:
    """The section of a family."""
    return "\n\n".join(
        [
            f"### `{family.name}`\n{_title(family.description)}.",
            "\n".join(_facts(family)),
            "\n".join(markdown_table(_parameter_rows(family))),
        ]
    )


def _facts(family: Family) -> Iterator[str]:
    yield f"- formula: {family.formula}"
    yield f"- source: {family.source}"
    if needs := [*sorted(family.needs), *_needs_when(family)]:
        yield f"- needs: {', '.join(needs)}"
    if family.aliases:
        names = (f"`{alias.format('N')}`" for alias in family.aliases)
        yield f"- other names: {', '.join(names)}"
    if family.joined:
        yield f"- `{REFERENCES}=together`: {family.joined}"


def _needs_when(family: Family) -> Iterator[str]:
    """``nltk where `stem=true` ``."""
    for (name, value), need in family.needs_when.items():
        yield f"{need} where `{name}={str(value).lower()}`"


def _parameter_rows(family: Family) -> list[list[str]]:
    return [["parameter", "default", "allowed", "meaning"]] + [
        [
            f"`{name}`",
            "(no default)" if each.default is None else f"`{str(each.default).lower()}`",
            each.allowed,
            each.about,
        ]
        for name, each in family.parameters.items()
    ]


GENERATED: dict[str, Callable[[], str]] = {
    "features": lambda: _table_with_code(feature_rows()),
    "feature-sets": lambda: _table_with_code(set_rows()),
    "measures": measure_sections,
    "measure-sets": _measure_sets,
    "schemas": _schemas,
}


def _link_outside(_app: Sphinx, _page: str, content: list[str]) -> None:
    """Lead links out of ``docs`` to the page that includes the file, or to a copy of the file."""
    for file, page in _PAGES.items():
        content[0] = content[0].replace(f"](../{file}", f"]({page}")
    content[0] = re.sub(
        r"\[([^]]+)\]\((\.\./resources/[^)]+)\)", r"{download}`\1 <\2>`", content[0]
    )


def _keep_colons(_app: Sphinx, what: str, *details: Any) -> None:
    """Keep Napoleon from taking the words before a colon for the type of an attribute."""
    if what in {"attribute", "data", "property"}:
        details[-1].insert(0, "\\ ")  # nothing, as reStructuredText reads it


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_source_parser(NotebookParser)
    app.add_source_suffix(".ipynb", "notebook")
    app.add_directive("commands", Commands)
    app.add_lexer("csv", TextLexer)
    app.connect("autodoc-process-docstring", _keep_colons, priority=400)  # before Napoleon
    app.connect("source-read", _fill_in)
    app.connect("source-read", _link_outside)
    return {"parallel_read_safe": True}
