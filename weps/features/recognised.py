"""Named entities: as recognised, and refined to many kinds merged again (EMNLP 2009, section 3.2).

``entity`` stands where the paper has the Stanford recogniser, ``fine_entity`` where it has OAK.
"""

from __future__ import annotations

from functools import lru_cache

from weps.features.bags import Bags
from weps.features.entity_forms import entity_form, tells
from weps.features.fine_kinds import GROUPS, fine_kind, group_of
from weps.features.marked import marked_bags
from weps.features.quantity_forms import quantity_form
from weps.features.registry import register
from weps.language import Analysis, Layer

__all__ = ["entity", "fine_entity"]

_SOURCE = "EMNLP 2009, section 3.2"
_BY_RULE = frozenset({"period", "time", "number"})

Forms = tuple[tuple[str, str], ...]
"""For each distinct entry of a layer its kind or group, and its normal form."""


@register(
    "entity",
    "{type} names in {where} (statistical recogniser)",
    source=_SOURCE,
    needs=["text", "case", Layer.ENTITIES],
    type=("person", "location", "organisation"),
    local=(False, True),
)
def entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Named entities of one type, the name searched for and persons of one word left out."""
    return _of(analysis, Layer.ENTITIES, _recognised(analysis), type, local=local)


@register(
    "entity",
    "{type} entities in {where} (fine-grained kinds, merged)",
    source=_SOURCE,
    needs=["text", "case", Layer.ENTITIES, Layer.QUANTITIES],
    type=tuple(GROUPS),
    local=(False, True),
)
def fine_entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Entities and quantities whose fine-grained kind belongs to one group."""
    if type in _BY_RULE:
        return _of(analysis, Layer.QUANTITIES, _quantities(analysis), type, local=local)
    return _of(analysis, Layer.ENTITIES, _refined(analysis), type, local=local)


def _of(analysis: Analysis, layer: Layer, forms: Forms, wanted: str, *, local: bool) -> Bags:
    kept = [form if kind == wanted and tells(form, analysis.name) else "" for kind, form in forms]
    return marked_bags(analysis, layer, kept, local=local)


@lru_cache(maxsize=1)
def _recognised(analysis: Analysis) -> Forms:
    marks = analysis.layer(Layer.ENTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    return tuple((kind, entity_form(text, kind)) for text, kind in pairs)


@lru_cache(maxsize=1)
def _refined(analysis: Analysis) -> Forms:
    marks = analysis.layer(Layer.ENTITIES)
    pairs = [
        (text, fine_kind(text, kind)) for text, kind in zip(marks.texts, marks.kinds, strict=True)
    ]
    return tuple((group_of(kind), entity_form(text, kind)) for text, kind in pairs)


@lru_cache(maxsize=1)
def _quantities(analysis: Analysis) -> Forms:
    marks = analysis.layer(Layer.QUANTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    return tuple((group_of(kind), quantity_form(text, kind)) for text, kind in pairs)
