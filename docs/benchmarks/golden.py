"""Golden digests: record what the command line writes, and check that it still does.

From the root of a checkout, whose ``run_weps.py`` is run (nothing of it is imported)::

    python docs/benchmarks/golden.py record FILE [--fast] [--keep DIR] [--only PATTERN]
    python docs/benchmarks/golden.py check FILE [--fast] [--keep DIR] [--only PATTERN] [--wording]

Every case is a command line of ``golden_cases.py``. What it prints, its exit status and the
files that it writes are digested, each at several levels, of which the first that is equal names
the difference: ``bytes`` (nothing differs), ``markup`` (HTML but for white space, the order of
attributes and drawings), ``figures`` (JSON but for its sentences; of other text the numbers).
Of drawings only the existence is recorded. With WEPS_DATA set, the corpora are included.
``--keep`` keeps the files themselves, so that two recordings can be compared by ``diff -r``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from golden_cases import BAD, DATA, FAST, FULL, HELP, prepare

Digests = dict[str, dict[str, dict[str, str]]]
"""Case → file → level → digest."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or check; the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("task", choices=("record", "check"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--fast", action="store_true", help="a subset, within a minute")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what was written here")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="cases, such as 'help-*'")
    parser.add_argument("--wording", action="store_true", help="sentences and markup may differ")
    options = parser.parse_args(arguments)
    cases = _chosen(_cases(fast=options.fast), options.only)
    with tempfile.TemporaryDirectory(prefix="weps-golden-") as folder:
        work = Path(folder).resolve()
        prepare(work, Path(data) if (data := os.environ.get("WEPS_DATA")) else None)
        digests = dict(_run(cases, work, options.keep))
    if options.task == "record":
        options.file.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")
        return 0
    golden = json.loads(options.file.read_text())
    return _report({name: golden.get(name, {}) for name in digests}, digests, options.wording)


def _cases(*, fast: bool) -> dict[str, str]:
    if fast:
        return FAST
    cases = FAST | FULL
    cases |= {"help-" + (name or "weps").replace(" ", "-"): f"{name} --help" for name in HELP}
    cases |= {f"bad-{number:02}": line for number, line in enumerate(BAD, start=1)}
    if "WEPS_DATA" in os.environ:
        return cases | DATA
    print("without WEPS_DATA: the corpora are left out", file=sys.stderr)
    return cases


def _chosen(cases: dict[str, str], pattern: str) -> dict[str, str]:
    """The cases of a pattern, and those whose files they read."""
    wanted = {name for name in cases if fnmatch(name, pattern)}
    for name in reversed(cases):
        if name in wanted:
            wanted |= set(re.findall(r" out/([\w-]+)", cases[name]))
    return {name: line for name, line in cases.items() if name in wanted}


def _run(
    cases: dict[str, str], work: Path, keep: Path | None
) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    """Run the cases one after another."""
    environment = os.environ | {
        "WEPS_CACHE": str(work / "cache"),
        "PYTHONPATH": os.pathsep.join(map(str, (work / "site", Path.cwd(), Path.cwd() / "eval"))),
        "COLUMNS": "100",
    }
    for name, line in cases.items():
        out = work / "out" / name
        out.mkdir(parents=True)
        study = f"--json out/{name}/study.json --report out/{name}/report --files"
        words = shlex.split(line.replace("{study}", study).replace("{out}", f"out/{name}"))
        began = time.perf_counter()
        done = subprocess.run(  # noqa: S603 - the commands of this file
            [sys.executable, str(Path("run_weps.py").resolve()), *words],
            cwd=work, env=environment, capture_output=True, check=False,
        )  # fmt: skip
        written = [path for path in out.rglob("*") if path.is_file()]
        files = {path.relative_to(out).as_posix(): path.read_bytes() for path in written}
        files["stdout.txt"] = done.stdout + f"exit status {done.returncode}\n".encode()
        files["stderr.txt"] = done.stderr
        files = {file: _steady(data, work) for file, data in files.items()}
        if keep:
            for file, data in files.items():
                (keep / name / file).parent.mkdir(parents=True, exist_ok=True)
                (keep / name / file).write_bytes(data)
        seconds = time.perf_counter() - began
        print(f"{name}: {len(files)} files, {seconds:.1f} s, exit status {done.returncode}")
        yield name, {file: _levels(file, data) for file, data in sorted(files.items())}


def _steady(data: bytes, work: Path) -> bytes:
    """The bytes without what differs: folders, today's date, and the digest of a result."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    text = text.replace(str(work), "<work>").replace(str(Path.cwd()), "<checkout>")
    text = re.sub(
        r'^ "digest": "[0-9a-f]{32}"', ' "digest": ""', text, flags=re.MULTILINE
    )  # of code
    return text.replace(f"{datetime.now(UTC):%Y-%m-%d}", "<today>").encode()


def _levels(file: str, data: bytes) -> dict[str, str]:
    """The digests of a file, the strictest first."""
    kind = Path(file).suffix
    if kind in {".svg", ".png"}:
        return {"existence": "yes"}
    levels: dict[str, Any] = {"bytes": hashlib.sha256(data).hexdigest()}
    text = data.decode(errors="replace")
    if kind == ".html":
        markup = _Markup(text)
        levels |= {"markup": markup.parts, "figures": _numbers(" ".join(markup.words))}
    elif kind == ".json":
        levels["figures"] = _without_sentences(json.loads(text))
    elif kind in {".txt", ".csv", ".md", ".jsonl"}:
        levels["figures"] = _numbers(text)
    return {
        level: hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
        for level, content in levels.items()
    }


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,]\d+)*", text)


def _without_sentences(content: Any) -> Any:
    if isinstance(content, dict):
        return {
            key: _without_sentences(value)
            for key, value in content.items()
            if not (isinstance(value, str) and " " in value)
        }
    if isinstance(content, list):
        return [
            _without_sentences(value)
            for value in content
            if not (isinstance(value, str) and " " in value)
        ]
    return content


class _Markup(HTMLParser):
    """HTML as a list of tags and words, without drawings, styles and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.parts: list[Any] = []
        self.words: list[str] = []
        self._left_out: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"svg", "style", "script"}:
            self._left_out.append(tag)
        elif not self._left_out:
            steady = [(name, _collapsed(value or "")) for name, value in attrs]
            self.parts.append([tag, sorted(p for p in steady if "data:" not in p[1])])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._left_out and tag not in {"svg", "style", "script"}:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            if tag == self._left_out[-1]:
                self._left_out.pop()
        else:
            self.parts.append(["/" + tag])

    def handle_data(self, data: str) -> None:
        if not self._left_out and _collapsed(data):
            self.parts.append(_collapsed(data))
            self.words.append(_collapsed(data))


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _report(golden: Digests, digests: Digests, wording: bool) -> int:
    """Print what differs, case by case."""
    worst = 0
    counts: dict[str, int] = {}
    for case, files in digests.items():
        for file in sorted(golden[case] | files):
            verdict = _verdict(golden[case].get(file), files.get(file))
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != "equal":
                print(f"{case}/{file}: {verdict}")
                worst |= not (wording and verdict in {_MARKUP, _WORDING})
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return int(worst)


_MARKUP = "equal but for white space, order of attributes and drawings"
_WORDING = "equal figures, other wording"


def _verdict(golden: dict[str, str] | None, now: dict[str, str] | None) -> str:
    if golden is None or now is None:
        return "new" if golden is None else "missing"
    equal = [level for level in golden if golden[level] == now.get(level)]
    if "bytes" in equal or "existence" in equal:
        return "equal"
    return _MARKUP if "markup" in equal else _WORDING if "figures" in equal else "DIFFERENT"


if __name__ == "__main__":
    sys.exit(main())
