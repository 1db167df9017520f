"""``weps text measures``: the registered measures between texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps_eval.text.declaration import MEASURE_SETS, Family, measure_families

_HINT = (
    "Parameters shown without a value are required, as n in rouge(n=2, part=recall). Allowed "
    "values, formulas and sources are in the JSON of --json, and on the documentation's site."
)


Options = JsonOption


def run_command(options: JsonOption, console: Console) -> int:
    """Print the lists, write JSON if requested."""
    check_writable(options.json)
    console.write("\n".join(_family_listing()))
    sets = MEASURE_SETS.values()
    rows = [[each.name, str(len(each.measures)), each.description] for each in sets]
    console.write_table([["set", "measures", "description"], *rows], left=3)
    console.write(f"\n{_HINT}")
    write_json(options.json, _data())
    return 0


def _family_listing() -> Iterator[str]:
    """The measures as the terminal shows them."""
    width = max(map(len, measure_families()))
    for group, families in groupby(measure_families().values(), key=lambda each: each.group):
        yield group
        for each in families:
            yield f"  {each.name.ljust(width)}  {each.description}"
            yield f"  {' ' * width}  {', '.join(_parameter_words(each))}"
        yield ""


def _parameter_words(family: Family) -> Iterator[str]:
    """``n``, which has no default, or ``part=f``."""
    for name, parameter in family.parameters.items():
        usual = parameter.default
        yield name if usual is None else f"{name}={str(usual).lower()}"


def _data() -> dict[str, Any]:
    """The lists in JSON form (docs/schema/measures.schema.json)."""
    return {
        "families": [_family_data(each) for each in measure_families().values()],
        "sets": {
            each.name: {"description": each.description, "measures": list(map(str, each.measures))}
            for each in MEASURE_SETS.values()
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
