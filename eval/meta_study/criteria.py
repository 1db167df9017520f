"""Verdicts on a claim by several criteria of people, made one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from eval.judging.rules import SEVERITY, Verdict, both

__all__ = ["over_criteria"]


def over_criteria(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The worst word; of a criterion that cannot say anything nothing is told if others can.

    Args:
        verdicts: criterion → verdict, at least one.
    """
    known = {name: each for name, each in verdicts.items() if each.word in SEVERITY}
    if not known:
        return next(iter(verdicts.values()))
    if len(verdicts) == 1:
        return next(iter(known.values()))
    titled = (Verdict(each.word, f"{name}: {each.figures}") for name, each in known.items())
    return reduce(both, titled)
