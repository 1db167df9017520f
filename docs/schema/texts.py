"""The formats of texts that are compared."""

from __future__ import annotations

from pydantic import ConfigDict, RootModel

from weps_eval.text.testbed import Header, Topic


class TestbedLine(RootModel[Header | Topic]):
    """A line of a testbed, which is a file of JSON lines in UTF-8.

    The first line says what the file is, each other line is a topic. No two topics, no two
    references and no two systems of a topic have the same name; what people did not judge is left
    out.
    """

    __test__ = False  # not a test, whatever pytest thinks of the name
    model_config = ConfigDict(title="weps testbed")
