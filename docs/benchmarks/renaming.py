"""Whether the answer depends on where a name is from: the same pages under other names.

``python -m docs.benchmarks.renaming results`` clusters the WePS-1 test lists of search results
(WEPS_DATA) under their own names and under others of many scripts and habits, put in the place of
theirs in text, title, snippet and address; ``pages`` the training pages of a few names, ``words``
the WePS-2 pages. For each name it prints B-Cubed F0.5, its mean over the lists, and the difference
from their own names; then the worst lists. ``--names`` and ``--lists`` take fewer.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean

from anyascii import anyascii

from weps._cache import Cache
from weps._parallel import parallel_map
from weps.name.spelling import plain_letters
from weps.reading import Reader
from weps.records import Clustering, Page, Search
from weps.results.result import Result, ResultOptions
from weps.sources.base import as_name
from weps.sources.opening import open_source
from weps_eval.clustering.measures import score_answer

CORPORA = {
    "results": "corpora/weps-1/test",
    "pages": "corpora/weps-1/training",
    "words": "corpora/weps-2",
}
NAMES = (
    "James Wilson",
    "Mary Johnson",
    "Aldous Marchmont",
    "Priya Natarajan",
    "Wei Zhang",
    "Mohammed Ahmed",
    "Oluwaseun Adeyemi",
    "Giovanni Rossi",
    "Jean-Luc Moreau",
    "Mary Smith-Jones",
    "J. R. Averdale",
    "José Núñez",
    "Jürgen Groß",
    "Søren Kjær",
    "Siobhan O'Brien",
    "Ludwig van der Berg",
    "José María de la Fuente",
    "İbrahim Yılmaz",
    "Nguyễn Thị Lan",
    "Дмитрий Иванов",
    "Νίκος Παπαδόπουλος",
    "محمد الحسن",
    "राहुल शर्मा",
    "สมชาย วิชัย",
    "王小明",
    "田中太郎",
    "김민수",
)
_ADDRESS = re.compile(r"(?:https?://|mailto:|www\.)[^\s\"'<>]+|[\w.+-]+@[\w.-]+")
_HAN_OR_HANGUL = re.compile("[\u3040-\u9fff\uac00-\ud7a3]+")


def renamer(old: str, new: str) -> Callable[[Page], Page]:
    """A function that puts one name in the place of another on a page."""
    first, *_, last = old.split()
    whole, given, family = new, new.rpartition(" ")[0], new.rpartition(" ")[2]
    if _HAN_OR_HANGUL.fullmatch(new):
        size = 2 if new == "田中太郎" else 1
        family, given = new[:size], new[size:]
    elif " de la " in new or " van der " in new:
        given, _, rest = new.partition(" ")
        family = rest.removeprefix("María ")
    letter = r"[^\W\d_]"
    middle = rf"(?P<middle>(?:\s{letter}\w*\.?){{0,2}}?)"
    pattern = (
        rf"(?<!{letter})(?:(?P<whole>{re.escape(first)}\s{re.escape(last)})"
        rf"|(?P<longer>{re.escape(first)}{middle}\s{re.escape(last)})"
        rf"|(?P<first>{re.escape(first)})|(?P<last>{re.escape(last)}))(?!{letter})"
    )

    def put(found: re.Match[str], form: Callable[[str], str]) -> str:
        written = {
            "whole": whole,
            "longer": f"{given}{found['middle'] or ''} {family}",
            "first": given,
            "last": family,
        }[found.lastgroup if found.lastgroup != "middle" else "longer"]
        text = found[0]
        cased = (
            written.upper() if text.isupper() else written.lower() if text.islower() else written
        )
        return form(cased)

    as_is = partial(put, form=str)
    as_references = partial(
        put, form=lambda text: text.encode("ascii", "xmlcharrefreplace").decode("ascii")
    )
    in_text = re.compile(pattern, re.IGNORECASE)
    in_markup = re.compile(pattern, re.IGNORECASE | re.ASCII)

    joined = re.compile(f"{re.escape(first)}{re.escape(last)}", re.IGNORECASE)
    address = plain_letters(anyascii(f"{given}{family}"))

    def in_address(found: re.Match[str]) -> str:
        return re.sub(r"\W+", "-", anyascii(as_is(found)).lower())

    def in_addresses(text: str) -> str:
        shown = joined.sub(address, text)
        return _ADDRESS.sub(lambda found: in_text.sub(in_address, found[0]), shown)

    def in_bytes(content: bytes) -> bytes:
        if b"</" in content:
            text = in_markup.sub(as_references, in_addresses(content.decode("latin-1")))
            return text.encode("latin-1")
        return in_text.sub(as_is, in_addresses(content.decode("utf-8", "replace"))).encode()

    def rename(page: Page) -> Page:
        content = page.read_content()
        return replace(
            page,
            url=in_text.sub(in_address, joined.sub(address, page.url)),
            title=in_text.sub(as_is, page.title),
            snippet=in_text.sub(as_is, page.snippet),
            content=None if content is None else in_bytes(content),
            text=page.text and in_text.sub(as_is, page.text),
        )

    return rename


def _score(task: tuple[str, str, str], cache: Path) -> tuple[str, str, float, int]:
    """B-Cubed F0.5 of a list under a name, and the number of people."""
    corpus, name, new = task
    source = open_source(Path(os.environ["WEPS_DATA"]) / CORPORA[corpus])
    search, key = source.search(name), source.key(name) or Clustering(())
    if new:
        rename = renamer(as_name(name), new)
        search = Search(new, tuple(map(rename, search.pages)))
    options = ResultOptions(reader=Reader(cache=Cache(cache)))
    result = Result.of(search, options)
    return name, new, score_answer(result, key)["bcubed_f05"], len(result.people)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("form", choices=CORPORA)
    parser.add_argument("--lists", type=int, default=15)
    parser.add_argument("--names", type=int, default=len(NAMES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path(".cache-renaming"))
    options = parser.parse_args()
    source = open_source(Path(os.environ["WEPS_DATA"]) / CORPORA[options.form])
    lists = [name for name in source.names if source.key(name)][: options.lists]
    tasks = [(options.form, name, new) for new in ("", *NAMES[: options.names]) for name in lists]
    scores: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    for name, new, value, people in parallel_map(
        partial(_score, cache=options.cache), tasks, options.jobs
    ):
        scores[new][name] = value, people
        if len(scores[new]) == len(lists):
            own = [scores[new][each][0] - scores[""][each][0] for each in lists]
            average = mean(value for value, _ in scores[new].values())
            people_mean = mean(number for _, number in scores[new].values())
            print(
                f"{new or 'their own':28}{average:.3f}  {mean(own):+.3f}  worst {min(own):+.3f}"
                f"  people {people_mean:.1f}",
                flush=True,
            )
    others = [name for name in scores if name]
    print(f"mean {mean(s for new in others for s, _ in scores[new].values()):.3f}")


if __name__ == "__main__":
    main()
