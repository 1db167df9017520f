from __future__ import annotations

from eval.document.markdown import as_markdown, table_as_markdown


def test_the_whole_document(document):
    assert (
        as_markdown(document)
        == """\
# A study

In short.

## First

One.

Two.

### A curve

![A line that rises.](curve.svg)

Drawn.

### Claims

| Claim | Paper | Here |
|---|---|---|
| tokens lead | holds | undecided |
| more | -.1 | x |

Made up.

[claims.csv](claims.csv)

### In the paper

> It is so.
>
> — Table 1

## Second

### Bars

Not drawn: pictures need matplotlib.

Made with: `cmd`

Signature: `sig`
"""
    )


def test_a_table_by_itself(table):
    lines = table_as_markdown(table).splitlines()
    assert lines[0] == "# Claims"
    assert lines[2] == "| Claim | Paper | Here |"
    assert lines[-1] == "Made up."


def test_what_an_enemy_writes_is_text(hostile):
    text = as_markdown(hostile)
    outside_code = [line for line in text.splitlines() if not line.startswith(("Made", "Sign"))]
    assert not set("".join(outside_code).replace("> ", "")) - {">"} & set("<\x00\x1b\u202e")
    assert not any("<script>" in line for line in outside_code)
    assert sum(line.startswith("#") for line in outside_code) == 5


def test_hostile_cells_keep_to_their_columns(hostile):
    table = [line for line in as_markdown(hostile).splitlines() if line.startswith("|")]
    assert len(table) == 3
    assert {line.replace(r"\|", "").count("|") for line in table} == {3}
