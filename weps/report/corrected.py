"""What users have said, in the HTML report."""

from __future__ import annotations

from weps.corrections import Correction, Corrections
from weps.report.shown import shown

__all__ = ["corrected"]

_WORDS = {
    ("same", 1): "Same person: {}",
    ("different", 2): "Not the same: {} and {}",
    ("split", 2): "Somebody else: {}, not with {}",
    ("move", 3): "Moved: {}, from {} to {}",
    ("confirm", 1): "Confirmed: {}",
    ("confirm", 2): "Confirmed: {}, with {}",
    ("called", 1): "Called {name}: the person of {}",
}
"""By kind and number of groups; the script says the same of what is new."""
_LONGEST = 200


def corrected(corrections: Corrections) -> str:
    """HTML: one item for each correction, oldest first, with its line in a file."""
    return "".join(map(_item, corrections.said))


def _item(correction: Correction) -> str:
    line = shown(str(correction), 100_000)
    return f'<li data-line="{line}">{shown(_words(correction), _LONGEST)}</li>'


def _words(correction: Correction) -> str:
    groups = (", ".join(map(str, group)) for group in correction.groups)
    form = _WORDS[correction.kind, len(correction.groups)]
    return form.format(*groups, name=correction.name)
