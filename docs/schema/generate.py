"""Generate the JSON Schemas of the formats: ``python -m docs.schema.generate``.

Writes ``docs/schema/NAME.schema.json``; with ``--check`` it only lists those that differ.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from dataclasses import MISSING, fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from docs.schema import lists, scores, studies
from docs.schema.texts import TestbedLine
from weps.results.changes import Change, UpdateFile
from weps.results.stored import Page, ResultFile
from weps_eval.benchmark.runs import Run

FOLDER = Path(__file__).resolve().parent
FORMATS: dict[str, type] = {
    "changes": UpdateFile,
    "cluster": ResultFile,
    "features": lists.FeatureLists,
    "measures": lists.MeasureLists,
    "meta-correlation": studies.Correlation,
    "meta-hbr": studies.Hbr,
    "meta-heterogeneity": studies.Heterogeneity,
    "meta-improvements": studies.Improvements,
    "meta-orange": studies.Orange,
    "meta-qarla": studies.Qarla,
    "meta-regression": studies.Regression,
    "meta-variants": studies.Variants,
    "run": Run,
    "scores": scores.ScoresFile,
    "testbed": TestbedLine,
    "text-scores": lists.TextScores,
}
"""Name of the file before ``.schema.json`` → model; its title is that of the schema."""
CONDITIONS: dict[type, dict[str, Any]] = {
    # A page is unsure if its score is below 0.5; only then it has a nearest person.
    Page: {
        "if": {"properties": {"unsure": {"const": False}}},
        "then": {"properties": {"score": {"minimum": 0.5}, "nearest": False}},
        "else": {"properties": {"score": {"exclusiveMaximum": 0.5}}},
    },
    # Pair, probability and evidence come together; only old pages were of a person before.
    Change: {
        "dependentRequired": {
            "pair": ["probability", "evidence"],
            "probability": ["pair"],
            "evidence": ["pair"],
        },
        "if": {"properties": {"kind": {"enum": ["new", "joined"]}}},
        "then": {"properties": {"before": False}},
        "else": {"required": ["before"]},
    },
}
"""What schemas say of several fields together."""


class Generator(GenerateJsonSchema):
    """Schemas without titles of fields and defaults; optional fields are absent, never null."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Never: the title would only repeat the name of the field."""
        return False

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema of an optional field."""
        inner = schema["schema"]
        if inner["type"] == "nullable" and schema.get("default") is None:
            inner = inner["schema"]
        return self.generate_inner(inner)

    def model_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema of a model, without a title that is the name of the class."""
        return _without_class_name(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema of a dataclass, in which what is always written is required."""
        cls = schema["cls"]
        made = _without_class_name(super().dataclass_schema(schema), cls)
        for name, text in _inherited_docstrings(cls).items():  # which pydantic does not look for
            if name in made["properties"]:
                known = made["properties"][name]
                known.pop("title", None)  # of an enumeration
                known["description"] = text
        for each in fields(cls):
            if "unwritten" in each.metadata:
                del made["properties"][each.name]
            elif "always" in each.metadata and each.default is None:  # null, never absent
                known = made["properties"][each.name]
                about = {"description": known.pop("description")}
                made["properties"][each.name] = {"anyOf": [known, {"type": "null"}], **about}
        required = [
            each.name
            for each in fields(cls)
            if "unwritten" not in each.metadata
            and ("always" in each.metadata or each.default is each.default_factory is MISSING)
        ]
        made |= {"required": required} if required else {}
        return made | {"additionalProperties": False} | CONDITIONS.get(cls, {})


def _inherited_docstrings(cls: type) -> dict[str, str]:
    """The docstrings of the fields that a dataclass has from its bases."""
    found = dict[str, str]()
    for base in filter(is_dataclass, cls.__mro__[1:]):
        (defined,) = ast.parse(inspect.getsource(base)).body
        for one, other in pairwise(ast.iter_child_nodes(defined)):
            match one, other:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found.setdefault(name, inspect.cleandoc(text))
    return found


def _without_class_name(schema: JsonSchemaValue, cls: type) -> JsonSchemaValue:
    return {key: value for key, value in schema.items() if (key, value) != ("title", cls.__name__)}


def generate(model: type) -> str:
    """The text of the schema of a format."""
    schema = TypeAdapter[Any](model).json_schema(schema_generator=Generator)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    last = {"$defs": schema.pop("$defs", {})}
    text = json.dumps(_unwrap_lines(dialect | schema | last), indent=2, ensure_ascii=False)
    return f"{text}\n"


def _unwrap_lines(schema: Any) -> Any:
    """Descriptions on one line each."""
    if isinstance(schema, list):
        return [_unwrap_lines(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: " ".join(value.split())
        if key == "description" and isinstance(value, str)
        else _unwrap_lines(value)
        for key, value in schema.items()
    }


def main() -> None:
    """Write the schemas, or list those that differ."""
    texts = {FOLDER / f"{name}.schema.json": generate(model) for name, model in FORMATS.items()}
    if "--check" not in sys.argv:
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    elif stale := [path.name for path, text in texts.items() if path.read_text("utf-8") != text]:
        sys.exit(f"these differ from their models: {', '.join(stale)}")


if __name__ == "__main__":
    main()
