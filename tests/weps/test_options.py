"""Options: fields of dataclasses, in Python and on the command line."""

from argparse import ArgumentParser, HelpFormatter
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

import pytest

from tests.cases import each_case
from weps import _options


class Fruit(StrEnum):
    APPLE = "apple"
    QUINCE = "quince"


@dataclass(frozen=True, kw_only=True)
class Shared:
    json: Path | None = _options.cli_option("a file")
    seed: int = _options.cli_option("a seed", 0, least=0)


@dataclass(frozen=True, kw_only=True)
class Settings(Shared):
    source: Path = _options.cli_argument("where from")
    more: tuple[Path, ...] = _options.cli_argument("further ones", ())
    fruit: Fruit = _options.cli_option("what grows", Fruit.APPLE)
    stars: int = _options.cli_option("how many", 1, choices=(1, 2, 3))
    share: float | None = _options.cli_option("how much", least=0, most=1, metavar="P")
    words: tuple[str, ...] = _options.cli_option("added", (), flag="--with", group="words")
    name: tuple[str, ...] = _options.cli_option("chosen", (), repeat=True)
    scale: tuple[float, float] | None = _options.cli_option("bounds")
    cache: Path | None = _options.cli_option("a folder", metavar="DIR")
    no_cache: bool = _options.cli_option("without", False, instead_of="cache")
    size: int = _options.cli_option("two digits", 10, parse=lambda text: int(text[:2]))
    line: str = ""


@pytest.fixture
def parser() -> ArgumentParser:
    parser = ArgumentParser(prog="p", formatter_class=partial(HelpFormatter, width=80))
    _options.declare_options(parser, Settings)
    return parser


X = Path("x")


@each_case(
    ("words", "values"),
    [
        ("x", {}),
        ("x --fruit quince --stars 2", {"fruit": Fruit.QUINCE, "stars": 2}),
        ("x y z", {"more": (Path("y"), Path("z"))}),
        ("x --share 0 --seed 40", {"share": 0.0, "seed": 40}),
        ("x --with a b", {"words": ("a", "b")}),
        ("x --name a --name b", {"name": ("a", "b")}),
        ("--scale 1 2.5 -- x", {"scale": (1.0, 2.5)}),
        ("x --no-cache --json f", {"no_cache": True, "json": Path("f")}),
        ("x --cache c --size 1234", {"cache": Path("c"), "size": 12}),
    ],
)
def test_words_and_python_make_the_same_options(parser, words, values):
    assert _options.read_options(Settings, parser.parse_args(words.split())) == Settings(
        source=X, **values
    )


@each_case(
    ("words", "message"),
    [
        ("", "required: SOURCE"),
        ("x --fruit aple", "expected one of apple, quince, got 'aple'; did you mean 'apple'?"),
        ("x --stars 4", "expected one of 1, 2, 3, got '4'"),
        ("x --cache=", "argument --cache: expected a path, got ''"),
        ("x --cache s3://b", "argument --cache: expected a path, got 's3://b'"),
        ("x --cache c --no-cache", "not allowed with argument --cache"),
        *(
            (f"x --seed={text}", f"expected a whole number from 0, got {text!r}")
            for text in ("-1", "1.5", "two", "", "1e3")
        ),
        *(
            (f"x --share={text}", f"expected a number from 0 to 1, got {text!r}")
            for text in ("-0.1", "1.01", "half", "nan", "inf")
        ),
    ],
)
def test_other_words_are_refused(parser, capsys, words, message):
    with pytest.raises(SystemExit, match=r"^2$"):
        parser.parse_args(words.split())
    assert message in capsys.readouterr().err


def test_help_tells_defaults_and_own_options_first(parser):
    told = parser.format_help()
    lines = [
        "usage: p [-h] [--fruit {apple,quince}] [--stars {1,2,3}] [--share P]\n",
        "  MORE                  further ones\n",
        "  --fruit {apple,quince}\n                        what grows (default: apple)\n",
        "  --cache DIR           a folder\n",
        "  --json FILE           a file\n  --seed N              a seed (default: 0)\n\nwords:\n",
    ]
    assert [line for line in lines if line not in told] == []
    assert "LINE" not in told


def test_what_is_required_and_what_is_given():
    @dataclass(frozen=True, kw_only=True)
    class Strict(Shared):
        json: Path = _options.cli_option("another file", _options.REQUIRED)

    parser = ArgumentParser()
    _options.declare_options(parser, Strict)
    assert [(each.dest, each.required) for each in parser._actions[1:]] == [
        ("json", True),
        ("seed", False),
    ]
    assert _options.given_flags(Settings(source=X, seed=1, stars=2), Shared) == ["--seed"]
