"""Cases of one path through the code, as one test that loops over them."""

import functools
import inspect
import json
import shutil
from html.parser import HTMLParser
from pathlib import Path


def each_case(names, cases):
    """Run a test for each case in turn; a failure tells the number and the values of its case.

    Written like ``pytest.mark.parametrize``, but one test, whose fixtures are made once for all
    cases: for tests that leave them as they were. One case alone runs with ``cases[3:4]``.

    Args:
        names: parameters of the test, separated by commas or as a tuple.
        cases: a tuple of their values for each case; of a single parameter, its value.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    cases = [dict(zip(names, case if len(names) > 1 else [case], strict=True)) for case in cases]
    assert cases

    def decorate(test):
        @functools.wraps(test)
        def run(**fixtures):
            for number, case in enumerate(cases):
                try:
                    test(**fixtures, **case)
                except Exception as error:
                    values = ", ".join(f"{name}={case[name]!r:.200}" for name in names)
                    error.add_note(f"case {number}: {values}")
                    raise

        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name not in names]
        run.__signature__ = signature.replace(parameters=others)
        return run

    return decorate


_VOID = {"meta", "input", "rect", "path", "br", "link", "img"}


class _Balance(HTMLParser):
    """Fails where a tag is not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag} repeats an attribute"
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_well_formed(text: str) -> None:
    """Fail where a tag is not closed in order, or repeats an attribute."""
    parser = _Balance()
    parser.feed(text)
    parser.close()
    assert parser.open == []


def install_pipeline(pipeline: str | Path, site: Path) -> Path:
    """Make an installed package of a spaCy pipeline's folder, whose own code must not run."""
    meta = json.loads((Path(pipeline) / "meta.json").read_text())
    name = "{lang}_{name}".format_map(meta)
    shutil.copytree(pipeline, site / name / "{lang}_{name}-{version}".format_map(meta))
    shutil.copy(Path(pipeline) / "meta.json", site / name)
    (site / name / "__init__.py").write_text("raise RuntimeError('foreign code ran')")
    about = site / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n")
    return site
