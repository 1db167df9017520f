"""A tiny folder of annotated English, made up, with every file that training wants."""

from pathlib import Path

ROWS = (
    ("Ada", "Ada", "PROPN", "NNP", 3, "nsubj", "Entity=(1-person-x"),
    ("Quill", "Quill", "PROPN", "NNP", 1, "flat", "Entity=1)"),
    ("visited", "visit", "VERB", "VBD", 0, "root", "_"),
    ("old", "old", "ADJ", "JJ", 5, "amod", "_"),
    ("Northby", "Northby", "PROPN", "NNP", 3, "obj", "Entity=(2-place-x)|SpaceAfter=No"),
    (".", ".", "PUNCT", ".", 3, "punct", "_"),
)
"""Form, lemma, universal tag, Penn tag, head, label, MISC."""
WORDS = tuple(row[0] for row in ROWS)
TAGS = ("B-PER", "I-PER", "O", "O", "B-LOC", "O")
_TREEBANKS = ("ud_english_ewt", "gum")
_FIELDS = ("politics", "science", "music", "literature", "ai")


def conllu(rows: tuple[tuple[object, ...], ...] = ROWS, times: int = 1) -> str:
    lines = [
        f"{number}\t{form}\t{lemma}\t{pos}\t{tag}\t_\t{head}\t{label}\t_\t{misc}"
        for number, (form, lemma, pos, tag, head, label, misc) in enumerate(rows, start=1)
    ]
    return ("# a comment\n" + "\n".join(lines) + "\n\n") * times


def two_columns(person: str = "PER", place: str = "LOC", times: int = 1) -> str:
    tags = [tag.replace("PER", person).replace("LOC", place) for tag in TAGS]
    lines = [f"{word}\t{tag}" for word, tag in zip(WORDS, tags, strict=True)]
    return ("\n".join(lines) + "\n\n") * times


def uner(times: int = 1) -> str:
    lines = [f"{i}\t{w}\t{t}\t-\t-" for i, (w, t) in enumerate(zip(WORDS, TAGS, strict=True), 1)]
    text = "# text = Ada Quill visited old Northby."
    return ("\n".join([text, *lines]) + "\n\n") * times


def write_data(folder: Path, times: int = 60) -> Path:
    """All files, each with the one sentence many times."""
    files = {
        f"{bank}/{part}.conllu": conllu(times=times)
        for bank in _TREEBANKS
        for part in ("train", "dev", "test")
    }
    files |= {f"uner/{name}.iob2": uner(times) for name in ("ewt_dev", "ewt_test", "pud_test")}
    files |= {f"broad_twitter/{part}.conll": two_columns(times=times) for part in ("train", "test")}
    files["wikigold/wikigold.conll"] = two_columns(times=times)
    for part in ("train", "dev", "test"):
        files[f"wnut17/{part}.conll"] = two_columns("person", "location", times)
        for field in _FIELDS:
            files[f"crossner/{field}_{part}.txt"] = two_columns("writer", "country", times)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder
