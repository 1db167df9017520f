"""What systems wanted to compare pages by and could not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from eval.systems import Columns, Systems
from weps.features import features
from weps.forms import Form

__all__ = ["absent_lines", "lacks", "number_of_names"]

_WIDTH = 100


def absent_lines(systems: Systems, forms: Mapping[Form, int]) -> Iterator[str]:
    """For each form, which features its pages do without, and which systems that makes equal.

    Args:
        systems: what was compared.
        forms: form → how many names have pages of it.
    """
    for form, names in forms.items():
        if absent := _features(systems.absent(form)):
            yield from _wrapped(f"not used for {form} ({number_of_names(names)}):", absent)
        used = systems.used(form)
        yield from (f"  {name} has nothing to compare {form} by" for name in used if not used[name])
        for group in systems.groups(form):
            if len(group) > 1 and (columns := used[group[0]]):
                yield f"  {' = '.join(group)} for {form}: the same {len(columns)} similarities"


def lacks(systems: Systems, forms: Mapping[Form, int]) -> Iterator[str]:
    """For each form that lacks something, how much of everything that is wanted."""
    wanted = {each for columns in systems.wanted.values() for each in columns}
    for form in forms:
        if lacking := {each for columns in systems.absent(form).values() for each in columns}:
            yield f"{len(lacking)} of {len(wanted)} similarities for {form}"


def number_of_names(number: int) -> str:
    """``1 name``, ``2 names``."""
    return f"{number} name{'s' * (number != 1)}"


def _wrapped(heading: str, features: list[str]) -> list[str]:
    """Heading and features in lines of bearable length, no feature broken."""
    unbroken = ", ".join(each.replace(" ", "\0") for each in features)
    lines = wrap(f"{heading} {unbroken}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _features(columns: Mapping[str, Columns]) -> list[str]:
    """The features behind the similarities of all systems, in the order of the registry."""
    found = {each.feature for of_one in columns.values() for each in of_one}
    return [str(each) for each in features() if each in found]
