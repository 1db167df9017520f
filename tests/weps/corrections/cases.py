"""Corrections, made up and generated."""

from __future__ import annotations

from hypothesis import strategies as st

from weps.corrections.file import MAX_NAME_LENGTH, correction_fault, one_line, parse_corrections
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    PageIdentity,
    check_consistency,
)
from weps.errors import CorrectionsError

ranks = st.integers(0, 12)
texts = st.text(max_size=30).map(one_line)
fingerprints = st.text("0123456789abcdef", min_size=12, max_size=12)
marks = st.builds(PageIdentity, fingerprint=fingerprints, url=texts)


def corrections_of(*lines: str) -> Corrections:
    """What the lines of a file say, without looking for contradictions at first."""
    return parse_corrections("\n".join(lines))


def described(corrections: Corrections) -> list[str]:
    return [str(said) for said in corrections.entries]


@st.composite
def correction(draw: st.DrawFn) -> Correction:
    kind = draw(st.sampled_from(sorted(CORRECTION_KINDS)))
    parts = draw(st.integers(CORRECTION_KINDS[kind].min_groups, CORRECTION_KINDS[kind].max_groups))
    most = 1 if kind == "called" else None
    sets = st.frozensets(ranks, min_size=1, max_size=most)
    name = (
        draw(texts.filter(bool).map(lambda text: text[:MAX_NAME_LENGTH]))
        if kind == "called"
        else ""
    )
    groups = tuple(tuple(sorted(draw(sets))) for _ in range(parts))
    return Correction(kind, groups, name, tuple(draw(st.lists(texts, max_size=2))))


@st.composite
def consistent(draw: st.DrawFn) -> Corrections:
    """Corrections that a file may hold: none faulty, none against another."""
    said: list[Correction] = []
    for each in draw(
        st.lists(correction().filter(lambda made: not correction_fault(made)), max_size=6)
    ):
        try:
            check_consistency([*said, each])
        except CorrectionsError:
            continue
        said.append(each)
    pages = draw(st.dictionaries(ranks, marks, max_size=4))
    return Corrections(tuple(said), pages, tuple(draw(st.lists(texts, max_size=2))))
