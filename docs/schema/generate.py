"""Generate the JSON Schemas of the formats: ``python docs/schema/generate.py``.

Writes ``docs/schema/NAME.schema.json``; with ``--check`` it only lists those that differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

FOLDER = Path(__file__).resolve().parent
FORMATS: dict[str, type[BaseModel]] = {}
"""Name of the file before ``.schema.json`` → model; its title is the title of the schema."""


class Generator(GenerateJsonSchema):
    """Schemas without the titles that repeat the names of the fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def model_schema(self, schema: Any) -> JsonSchemaValue:
        """The schema of a model, without its title where that is the name of the class."""
        made = super().model_schema(schema)
        if made.get("title") == schema["cls"].__name__:
            del made["title"]
        return made


def generate(model: type[BaseModel]) -> str:
    """The text of the schema of a format."""
    schema = model.model_json_schema(schema_generator=Generator)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the schemas, or list those that differ."""
    texts = {FOLDER / f"{name}.schema.json": generate(model) for name, model in FORMATS.items()}
    if "--check" not in sys.argv:
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    elif stale := [path.name for path, text in texts.items() if path.read_text("utf-8") != text]:
        sys.exit(f"not as their models: {', '.join(stale)}; run docs/schema/generate.py")


if __name__ == "__main__":
    main()
