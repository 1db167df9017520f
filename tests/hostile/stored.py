"""What weps has stored itself, changed by others: results, corrections, models, caches."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import run_weps
from tests.hostile.archives import as_json, changed_value
from tests.hostile.pages import IDENTIFIER, amount, good_page, hostile_text, mutated
from tests.hostile.sandbox import Place, Trial, command
from weps._files import resource_path

_TRADES = ("baker", "baker", "sailor", "sailor", "tailor", "tailor")
_MODELS = ("paper", "paper-all", "default")


class Base:
    """A name that was clustered and corrected, with its cache; trials change copies of it."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> None:
        """Cluster the name, which also loads everything that trials need."""
        cls.folder = folder
        pages = folder / "inputs" / IDENTIFIER
        pages.mkdir(parents=True)
        for number, trade in enumerate(_TRADES, start=1):
            (pages / f"{number:03}.html").write_bytes(good_page(trade))
        corrections = folder / "inputs" / "corrections.txt"
        corrections.write_text("same 1 2\ndifferent 1 / 3\ncalled 1 Ann the baker\nconfirm 5 6\n")
        words = ["cluster", str(pages), "--corrections", str(corrections), "--quiet"]
        run_weps.main([*words, "--out", str(folder / "out")])

    @classmethod
    def copy(cls, place: Place, *names: str) -> None:
        for name in names:
            shutil.copytree(cls.folder / name, place.root / name, dirs_exist_ok=True)


def _changed_json(rng: random.Random, content: bytes) -> bytes:
    if rng.random() < 0.4:
        return mutated(rng, content)
    value = json.loads(content)
    for _ in range(rng.randint(1, 3)):
        value = changed_value(rng, value)
    return as_json(value)


def results(rng: random.Random, place: Place) -> Trial:
    """A changed result, which is updated, exported, forgotten or listed."""
    Base.copy(place, "inputs", "out")
    file = place.out / f"{IDENTIFIER}.json"
    file.write_bytes(_changed_json(rng, file.read_bytes()))
    new = place.inputs / "new"
    new.mkdir()
    (new / "1.html").write_bytes(good_page("tailor"))
    words: tuple[tuple[object, ...], ...] = (
        ("update", file, new),
        ("update", file, new),
        ("update", place.out, new, "--json", place.out / "changes.json"),
        ("forget", IDENTIFIER, "--out", place.out, "--yes"),
        ("cluster", new, "--out", place.out),
        ("export", file, "--write", "facts,xlsx,jsonld,gedcom,graphml,brief"),
    )
    return command(*rng.choice(words))


_LINES = (
    "same different split move confirm called keep exclude unclear apart threshold page # burn "
).split(" ")


def corrections(rng: random.Random, place: Place) -> Trial:
    """Lines that are no corrections, contradict one another, or are very many."""
    Base.copy(place, "inputs")
    file = place.inputs / "changed.txt"
    ranks = [*map(str, range(1, 7)), *"0 -1 7 999999999 x / , 0.5 1.5 １".split(), "9" * 99]
    lines = [
        " ".join([rng.choice(_LINES), *rng.choices(ranks, k=amount(rng, 30))])
        for _ in range(amount(rng, 3_000))
    ]
    text = "\n".join([*lines, hostile_text(rng, 2_000)][: None if rng.random() < 0.5 else -1])
    content = text.encode("utf-8", "replace")
    known = (place.inputs / "corrections.txt").read_bytes()
    file.write_bytes(rng.choice((content, mutated(rng, known), known + content)))
    pages = place.inputs / IDENTIFIER
    return command("cluster", pages, "--out", place.out, "--corrections", file)


def models(rng: random.Random, place: Place) -> Trial:
    """A changed model."""
    Base.copy(place, "inputs")
    content = resource_path(f"models/{rng.choice(_MODELS)}.json").read_bytes()
    file = place.inputs / "model.json"
    file.write_bytes(_changed_json(rng, content))
    return command("cluster", place.inputs / IDENTIFIER, "--out", place.out, "--model", file)


def caches(rng: random.Random, place: Place) -> Trial:
    """A damaged cache is like an empty one: the answer is the same."""
    Base.copy(place, "inputs", "cache")
    for path in sorted(place.cache.rglob("*")):
        if path.is_file():
            _change_cache(rng, path)
    clean = json.loads((Base.folder / "out" / f"{IDENTIFIER}.json").read_bytes())

    def check(status: int) -> str:
        if status:
            return f"a damaged cache stops the name: exit status {status}"
        answer = json.loads((place.out / f"{IDENTIFIER}.json").read_bytes())
        same = answer["people"] == clean["people"]
        return "" if same else "the answer is that of a damaged cache"

    pages, said = place.inputs / IDENTIFIER, place.inputs / "corrections.txt"
    return command("cluster", pages, "--out", place.out, "--corrections", said, check=check)


def _change_cache(rng: random.Random, path: Path) -> None:
    """Change the bytes of a file or the values of the database."""
    content = path.read_bytes()
    if not content.startswith(b"SQLite") or rng.random() < 0.3:
        path.write_bytes(mutated(rng, content))
        return
    with closing(sqlite3.connect(path)) as database:
        for number, entry in [*database.execute("SELECT id, value FROM entries")]:
            if rng.random() < 0.5:
                changed = mutated(rng, entry)
                values = (rng.choice((changed, changed, changed, None, -1, "text")), number)
                with suppress(sqlite3.Error):
                    database.execute("UPDATE entries SET value = ? WHERE id = ?", values)
        database.commit()
