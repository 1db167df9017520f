"""``weps text measures``: the measures between texts and sets of them, from the registry."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from eval.commands.text_measures_page import page
from eval.text.measures import FAMILIES, Family
from eval.text.measures.sets import SETS
from weps.commands.console import Console
from weps.commands.options import add_json, check_writable, write_json
from weps.tables import aligned

__all__ = ["arguments", "run"]

_HINT = (
    "Parameters without a value must be told, as in rouge(n=2, part=recall); what is allowed, with "
    "formulas and sources, stands in docs/measures.md and `weps text measures --markdown`."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--markdown", action="store_true", help="as the documentation has it (docs/measures.md)"
    )
    add_json(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the lists, write JSON if asked for."""
    check_writable(options.json)
    console.say(page() if options.markdown else "\n".join(_listing()))
    write_json(options.json, _data())
    return 0


def _listing() -> Iterator[str]:
    """The lists as the terminal shows them."""
    width = max(map(len, FAMILIES))
    for group, families in groupby(FAMILIES.values(), key=lambda each: each.group):
        yield group
        for each in families:
            yield f"  {each.name.ljust(width)}  {each.description}"
            yield f"  {' ' * width}  {', '.join(_parameters(each))}"
        yield ""
    sets = [[each.name, str(len(each.measures)), each.description] for each in SETS.values()]
    yield from (line.rstrip() for line in aligned([["set", "measures", "what it is"], *sets], 3))
    yield f"\n{_HINT}"


def _parameters(family: Family) -> Iterator[str]:
    """``n``, which must be told, or ``part=f``."""
    for name, parameter in family.parameters.items():
        usual = parameter.default
        yield name if usual is None else f"{name}={str(usual).lower()}"


def _data() -> dict[str, Any]:
    """The lists as JSON holds them (docs/schema/measures.schema.json)."""
    return {
        "families": [_family_data(each) for each in FAMILIES.values()],
        "sets": {
            each.name: {"description": each.description, "measures": list(map(str, each.measures))}
            for each in SETS.values()
        },
    }


def _family_data(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "group": family.group,
        "description": family.description,
        "formula": family.formula,
        "source": family.source,
        "needs": sorted(family.needs),
        "needs_when": [
            {"parameter": name, "value": value, "need": need}
            for (name, value), need in family.needs_when.items()
        ],
        "together": family.joined or None,
        "parameters": {
            name: {
                "default": parameter.default,
                "allowed": parameter.allowed,
                "description": parameter.about,
            }
            for name, parameter in family.parameters.items()
        },
    }
