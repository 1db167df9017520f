"""A database of a dozen synsets in the format of WordNet, and the published one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from docs.benchmarks.wordnet import PARTS_OF_SPEECH, main, read_wordnet
from weps_eval.text.measures.senses import WordNet

Synset = tuple[str, str]
"""Its words and the synsets that it points to: "fire dismiss", "n5 n6"."""

SYNSETS: dict[str, Synset] = {
    "n1": ("entity", "n2 n5 n6"),
    "n2": ("person", "n1 n3 n4"),
    "n3": ("policeman officer", "n2"),
    "n4": ("officer soldier", "n2"),
    "n5": ("job", "n1 v2"),
    "n6": ("gun", "n1 v1"),
    "n7": ("axe", "n6"),
    "n8": ("axis", "n1"),
    "n9": ("boss", "n3"),
    "n10": ("box", "n11"),
    "n11": ("boxful", "n10"),
    "v1": ("fire shoot", "n6"),
    "v2": ("fire dismiss terminate", "n5"),
    "v3": ("finish terminate", ""),
    "a1": ("quick", "r1"),
    "r1": ("quickly", "a1 a1 r1"),
}
ORDER = {("officer", "n"): ("n4", "n3"), ("terminate", "v"): ("v3", "v2")}
EXCEPTIONS = {"noun": "axes ax axe axis\npolicemen policeman\n", "adv": "faster quickly\n"}


def write(folder: Path, synsets: Mapping[str, Synset] = SYNSETS) -> Path:
    """Write the twelve files."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, name in PARTS_OF_SPEECH.items():
        own = {place: synset for place, synset in synsets.items() if place[0] == part}
        licence = "  1 This software and database is being provided to you\n"
        lines = [_data(place, *synset) for place, synset in own.items()]
        (folder / f"data.{name}").write_text(licence + "".join(lines))
        (folder / f"index.{name}").write_text(licence + "".join(_index(part, own)))
        (folder / f"{name}.exc").write_text(EXCEPTIONS.get(name, ""))
    return folder


def tiny(folder: Path) -> WordNet:
    return read_wordnet(write(folder))


def packed(folder: Path) -> Path:
    """The file of the arrays."""
    main(write(folder), folder / "packed.npz")
    return folder / "packed.npz"


def numbered(found: WordNet, places: str) -> tuple[int, ...]:
    """The numbers of synsets that are written like above."""
    return tuple(found.synsets.index(place[0] + _offset(place)) for place in places.split())


def _offset(place: str) -> str:
    return f"{int(place[1:]):08d}"


def _data(place: str, words: str, targets: str) -> str:
    kind = "s" if place[0] == "a" else place[0]
    named = [f"{word} 0" for word in words.split()]
    pointers = [f"@ {_offset(target)} {target[0]} 0000" for target in targets.split()]
    fields = [
        *(_offset(place), "03", kind, f"{len(named):02x}", *named),
        *(f"{len(pointers):03d}", *pointers, "| a gloss | of @ any kind"),
    ]
    return " ".join(fields) + "  \n"


def _index(part: str, own: Mapping[str, Synset]) -> list[str]:
    lemmas = sorted({word for words, _ in own.values() for word in words.split()})
    return [_lemma(lemma, part, _places(lemma, part, own)) for lemma in lemmas]


def _places(lemma: str, part: str, own: Mapping[str, Synset]) -> Sequence[str]:
    held = [place for place, (words, _) in own.items() if lemma in words.split()]
    return ORDER.get((lemma, part), held)


def _lemma(lemma: str, part: str, places: Sequence[str]) -> str:
    offsets = " ".join(map(_offset, places))
    return f"{lemma} {part} {len(places)} 2 @ ~ {len(places)} 0 {offsets}  \n"
