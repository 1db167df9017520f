"""Corrections, made up and generated."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import strategies as st

from weps.corrections import model
from weps.corrections.model import (
    Correction,
    Corrections,
    PageIdentity,
    correction_fault,
    one_line,
    parse_corrections,
)
from weps.errors import CorrectionsError

ranks = st.integers(0, 12)
texts = st.text(max_size=30).map(one_line)
fingerprints = st.text("0123456789abcdef", min_size=12, max_size=12)
marks = st.builds(PageIdentity, fingerprint=fingerprints, url=texts)


def corrections_of(*lines: str) -> Corrections:
    """The corrections in the lines of a file."""
    return parse_corrections("\n".join(lines))


def described(corrections: Corrections) -> list[str]:
    return [str(each) for each in corrections.entries]


@st.composite
def correction(draw: st.DrawFn) -> Correction:
    kind = draw(st.sampled_from(sorted(model.CORRECTION_KINDS)))
    syntax = model.CORRECTION_KINDS[kind]
    parts = draw(st.integers(syntax.min_groups, syntax.max_groups))
    most = 1 if kind == "called" else None
    sets = st.frozensets(ranks, min_size=1, max_size=most)
    name = draw(texts.filter(bool)) if syntax.longest else ""
    groups = tuple(tuple(sorted(draw(sets))) for _ in range(parts))
    threshold = draw(st.floats(0, 1)) if kind == "threshold" else None
    return Correction(kind, groups, name, threshold, tuple(draw(st.lists(texts, max_size=2))))


@st.composite
def consistent(draw: st.DrawFn) -> Corrections:
    """Corrections that a file may hold: none faulty, none against another."""
    entries: list[Correction] = []
    sound = correction().filter(lambda made: not correction_fault(made))
    for each in draw(st.lists(sound, max_size=6)):
        with suppress(CorrectionsError):
            model.check_consistency([*entries, each])
            entries.append(each)
    pages = draw(st.dictionaries(ranks, marks, max_size=4))
    return Corrections(tuple(entries), pages, tuple(draw(st.lists(texts, max_size=2))))
