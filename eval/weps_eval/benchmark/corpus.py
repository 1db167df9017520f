"""Corpora of names with keys and attributes: opened, combined, mixed, read and compared.

Keys that are filed under two names are detected, since one of them is wrong for its pages.

A mixed name has pages of several names under one invented name. Keys exist for names with some
dozens of people at most; names with hundreds are made of them. Of every page the given and the last
name of its own person are replaced by those of the invented name, so that the name is mentioned
where it was, and its words tell pages apart no more than those of any common name do.

The recipe, for names with keys, a number of pages and a seed:

1. Each name gives the same number of pages, or all it has if these are fewer; what is missing is
   divided among the others. The last pages go to the first names.
2. The pages of a name are taken in the order of the SHA-256 of ``SEED/NAME/RANK``, and all pages
   are ranked from 1 in that order.
3. The invented name is one of :data:`GIVEN_NAMES` with one of :data:`LAST_NAMES`, by the seed.
4. The key has the groups of all the keys; people of different names are different people. Pages
   that a key discards, or does not mention, remain so.
5. Replaced are, in any case, the given and the last name as words, and the last name behind the
   given one or its initials (``thomasbaker``, ``tbaker``, ``tjbaker``), in title, snippet, text,
   mark-up, links and addresses. Capital letters remain. Short forms (Tom) and other names of the
   person remain.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, combinations, zip_longest
from operator import itemgetter
from pathlib import Path

from weps._files import as_path, first_existing, open_file, read_bytes, real_path
from weps._formatting import join_items, quote_text, unguard_cell
from weps._options import cli_option
from weps._parallel import Progress, report_map
from weps.cli.options import JobsOption, ReadingOptions
from weps.errors import KeyFileError, SourceError
from weps.reading import PageForm, Reader, page_origin, richest_form
from weps.records import Clustering, Page, Search
from weps.results.stored import RESULT_SUFFIX, is_part, read_result, result_paths
from weps.similarity.columns import Similarity
from weps.sources import corpora, opening
from weps.sources.base import (
    Source,
    as_identifier,
    as_name,
    name_finder,
    select_names,
)
from weps.training import Example, forms_up_to, make_folds, read_examples
from weps_eval.tables import TABLES, records_of

GIVEN_NAMES = tuple(
    "Barbara Carol Jennifer Laura Linda Patricia Robert Steven Susan Walter".split()
)
LAST_NAMES = tuple(
    "Anderson Davis Jackson Martin Miller Moore Smith Taylor Williams Wilson".split()
)


@dataclass(frozen=True, repr=False)
class MixedName(Source):
    """A source of one name, an invented one, which has pages of other names.

    Its identifier is the name, the number of pages, and four digits of the choice of pages.
    """

    source: Source
    """The source of the other names."""
    invented: str
    """The name as a person would write it."""
    pages: tuple[tuple[str, int], ...]
    """For the ranks from 1: the identifier of the page's own name, and its rank there."""

    @property
    def layout(self) -> str:
        """That of the source."""
        return self.source.layout

    def search(self, name: str) -> Search:
        """Read the pages and replace their persons' names."""
        rank_of = {page: rank for rank, page in enumerate(self.pages, start=1)}
        pages = []
        for owner in sorted(self.component_names(name)):
            rename = _name_replacer(as_name(owner), self.invented)
            pages += [
                replace(rename(page), rank=rank_of[owner, page.rank])
                for page in self.source.search(owner).pages
                if (owner, page.rank) in rank_of
            ]
        return Search(self.invented, tuple(sorted(pages, key=lambda page: page.rank)))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks from 1 to the number of pages."""
        select_names(self, [name])
        return tuple(range(1, len(self.pages) + 1))

    def key(self, name: str) -> Clustering | None:
        """The groups of all the keys, as far as their pages are here."""
        groups: list[frozenset[int]] = []
        discarded: set[int] = set()
        for owner in sorted(self.component_names(name)):
            if key := self.source.key(owner):
                pages = enumerate(self.pages, start=1)
                rank_of = {rank: here for here, (one, rank) in pages if one == owner}
                *kept, left_out = (
                    frozenset(rank_of[rank] for rank in group & rank_of.keys())
                    for group in (*key.groups, key.discarded)
                )
                groups += filter(None, kept)
                discarded |= left_out
        return Clustering(tuple(groups), frozenset(discarded))

    def component_names(self, name: str) -> frozenset[str]:
        """The names that the pages are of."""
        select_names(self, [name])
        return frozenset(owner for owner, _ in self.pages)


def mix_names(source: Source, names: Sequence[str], size: int, seed: int = 0) -> MixedName:
    """Choose the pages of a mixed name.

    Args:
        source: source of the names.
        names: with keys; their order is ignored.
        size: number of pages.
        seed: selects the pages and the invented name.

    Raises:
        SourceError: if the names have fewer pages.
    """
    order = cache(lambda page: _hash(seed, *page))
    ranked = [
        sorted(((name, rank) for rank in source.ranks(name)), key=order) for name in sorted(names)
    ]
    # Every name gives a page in each round; in the last one, only the first names do.
    available = list(filter(None, chain.from_iterable(zip_longest(*ranked))))
    if len(available) < size:
        raise SourceError(
            f"a mixed name of {size} pages cannot be made of {len(ranked)} names that have "
            f"{len(available)}",
            where=source.root,
            remedy="mix fewer pages, or give more names",
        )
    given, last = _hash(seed)[:2]
    invented = f"{GIVEN_NAMES[given % len(GIVEN_NAMES)]} {LAST_NAMES[last % len(LAST_NAMES)]}"
    pages = tuple(sorted(available[:size], key=order))
    identifier = f"{as_identifier(invented)}_{size}_{_hash(pages).hex()[:4]}"
    return MixedName(source.root, (identifier,), source, invented, pages)


def _hash(*parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def _name_replacer(name: str, invented: str) -> Callable[[Page], Page]:
    """A function that puts the words of the invented name in the place of those of the name.

    Mark-up is searched byte by byte, as if each byte were a character: the words of the name must
    be of ASCII letters there, and its charset must contain ASCII.
    """
    words, new_words = name.split(), invented.split()
    given, last = re.escape(words[0]), re.escape(words[-1])
    new_given, new_last = new_words[0], new_words[-1]
    letter = r"[^\W\d_]"
    pattern = (
        rf"(?<!{letter})(?:(?P<given>{given})(?:(?P<joined>{last})|(?!{letter}))"
        rf"|(?P<initials>{re.escape(name[0])}{letter}?)?(?P<last>{last})(?=s?(?!{letter})))"
    )
    in_text = re.compile(pattern, re.IGNORECASE)
    in_markup = re.compile(pattern, re.IGNORECASE | re.ASCII)

    def put(found: re.Match[str]) -> str:
        if found["given"]:
            joined = found["joined"] and _in_case(found["joined"], new_last)
            return _in_case(found["given"], new_given) + (joined or "")
        initials = found["initials"] or ""
        if initials:
            initials = _in_case(initials[0], new_given[0]) + initials[1:]
        return initials + _in_case(found["last"], new_last)

    def rename(page: Page) -> Page:
        content = page.read_content()
        if content is not None:
            content = in_markup.sub(put, content.decode("latin-1")).encode("latin-1")
        return replace(
            page,
            url=in_text.sub(put, page.url),
            title=in_text.sub(put, page.title),
            snippet=in_text.sub(put, page.snippet),
            content=content,
            text=page.text and in_text.sub(put, page.text),
        )

    return rename


def _in_case(model: str, word: str) -> str:
    """The word in capitals, lower case, or with a capital, as the model is."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word if model[0].isupper() else word.lower()


@dataclass(frozen=True, repr=False)
class CombinedSource(Source):
    """Sources of one layout with no name in common; each name is read where it stands."""

    parts: Mapping[str, Source]
    """Identifier → source that has the name."""

    @property
    def layout(self) -> str:
        """The layout of all of them."""
        return self.part(self.names[0]).layout

    def part(self, name: str) -> Source:
        """The source that has the name."""
        (known,) = select_names(self, [name])
        return self.parts[known]

    def search(self, name: str) -> Search:
        """Read the pages of one name."""
        return self.part(name).search(name)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return self.part(name).ranks(name)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none."""
        return self.part(name).key(name)

    def only(self, name: str) -> Source:
        """The source that has the name, with no other."""
        return self.part(name).only(name)

    def component_names(self, name: str) -> frozenset[str]:
        """The names whose pages these are."""
        return self.part(name).component_names(name)

    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data of one name."""
        return self.part(name).warnings(name)


def _combine_sources(sources: Sequence[Source]) -> Source:
    """Combine several sources into one; a single one is returned unchanged."""
    first, *others = sources
    if not others:
        return first
    parts: dict[str, Source] = {}
    owners: dict[str, Source] = {}
    for source in sources:
        if source.layout != first.layout:
            raise SourceError(
                f"is of the layout {source.layout}, but {first.root} is of {first.layout}, which "
                "is scored differently",
                where=source.root,
                remedy="give corpora of one layout, or one corpus alone",
            )
        folded = {as_identifier(as_name(name)).casefold(): name for name in source.names}
        if shared := [each for each in folded if each in owners]:
            raise SourceError(
                f"has names that are also in {owners[shared[0]].root}: "
                f"{join_items(folded[each] for each in shared)}",
                where=source.root,
                remedy="give one of the two alone, or a copy of one without these names",
            )
        owners |= dict.fromkeys(folded, source)
        parts |= dict.fromkeys(source.names, source)
    root = Path(os.path.commonpath([each.root.absolute() for each in sources]))
    return CombinedSource(root, tuple(sorted(parts)), parts)


_COLUMNS = ("name", "page", "person")
"""Columns of a table of answers, in any case, and fields of its lines in JSON."""
_CALLED = {"rank": "page"}
"""Other names of these, as in the tables that weps writes."""
_ANSWER_TABLES = (*TABLES, ".jsonl", ".jsonl.gz")
_RUN = re.compile(rb'\s*\{\s*"kind"\s*:\s*"weps run"')
"""Beginning of a recorded run."""


def systems_in(place: Path) -> dict[str, Path]:
    """The systems of a place, by name: a file or folder of answers or of runs, or those in it.

    Raises:
        SourceError: if there are none.
    """
    try:
        if _is_system(place) or (place.suffix == RESULT_SUFFIX and place.is_file()):
            return {_label(real_path(place)): place}
        below = sorted(filter(_is_system, place.iterdir()))
        chosen = list(filter(Path.is_dir, below)) or below  # tables may be about the folders
        systems = {_label(each): each for each in chosen}
        what = "no answers found"
    except OSError as error:
        systems, what = {}, f"the answers cannot be read ({error.strerror})"
    if not systems:
        raise SourceError(
            what,
            where=place,
            remedy="give a folder of NAME.clust.xml files, a table of name, page and person, or a "
            "folder of such folders or tables",
        )
    return systems


def _label(place: Path) -> str:
    """The name of a folder, or of a file without its ending."""
    endings = (each for each in _ANSWER_TABLES if place.name.lower().endswith(each))
    return place.name[: len(place.name) - len(next(endings, place.suffix * place.is_file()))]


def _is_system(place: Path) -> bool:
    if place.is_dir():
        return bool(_answer_files(place)) or has_runs(place)
    return place.name.lower().endswith(_ANSWER_TABLES) or has_runs(place)


def has_runs(place: Path) -> bool:
    """Whether a file is a recorded run, or a folder has some."""
    for path in place.glob("*.json") if place.is_dir() else [place]:
        with suppress(SourceError, OSError), open_file(path) as file:
            if _RUN.match(file.read(100)):
                return True
    return False


def _answer_files(folder: Path) -> dict[str, Path]:
    """Name → file of its answer: ``NAME.clust.xml``, else ``NAME.xml``, else a result of weps."""
    places = [folder, *(each for each in folder.iterdir() if is_part(each.name))]
    # Of both files of a name, the first in the alphabet counts.
    files = sorted(chain.from_iterable(each.glob("*.xml") for each in places), reverse=True)
    named = {each.name.removesuffix(".xml").removesuffix(".clust"): each for each in files}
    return {path.stem: path for path in result_paths(folder)} | named


def answers_in(place: Path, source: Source) -> dict[str, Callable[[], Clustering]]:
    """Name → reader of the answer of a system, from a folder or a table.

    Names may be written as people write them, in any case; those that the source has not stay.

    Raises:
        SourceError: if a table cannot be read, or two files answer for one name.
    """
    identify = name_finder(source)
    if place.is_dir():
        files: dict[str, Path] = {}
        for name, path in _answer_files(place).items():
            if (other := files.setdefault(identify(name) or name, path)) is not path:
                raise SourceError(
                    f"is an answer for the same name as {other}", where=path, remedy="remove one"
                )
        return {name: partial(_read_answer, path, name) for name, path in files.items()}
    # A file is read at once: it may be no answer at all, and a table has several.
    if place.suffix == RESULT_SUFFIX:
        result = read_result(place)
        table = {place.stem if identify(place.stem) else result.name: result.clustering}
    else:
        table = _read_answer_table(place, source)
    return {identify(name) or name: partial(replace, answer) for name, answer in table.items()}


def _read_answer(path: Path, name: str) -> Clustering:
    """The answer for one name, from a result of weps or XML."""
    if path.suffix != RESULT_SUFFIX:
        return corpora.read_clustering(path, name)
    result = read_result(path)
    corpora.warn_of_another_name(result.name, name, path)
    return result.clustering


def _read_answer_table(path: Path, source: Source) -> dict[str, Clustering]:
    """Name → answer, from rows of name, page and person; nobody's pages have an empty person.

    Pages of names that the source has not are not checked.

    Raises:
        SourceError: if the table or a row is faulty.
    """
    identify = cache(name_finder(source))
    ranks = cache(lambda name: frozenset(source.ranks(name)))
    people: dict[str, dict[int, str]] = {}
    for line, (name, page, person) in _answer_rows(path):
        known = identify(name)
        pages, rank = people.setdefault(known or name, {}), corpora.parse_rank(page)
        if rank is None:
            what = f"{quote_text(page)} is not the rank of a page"
        elif rank in pages:
            what = f"page {rank} of {quote_text(name)} is there twice"
        elif known and rank not in ranks(known):
            what = f"the corpus has no page {rank} of {known}"
        else:
            pages[rank] = person.strip()
            continue
        raise SourceError(
            what,
            where=f"{path}, line {line:,}",
            remedy="give one row for each page of the corpus, by its rank; pages of several people "
            "need NAME.clust.xml",
        )
    if not people:
        raise SourceError(
            "the table has no rows",
            where=path,
            remedy=f"give one for each page, with the columns {', '.join(_COLUMNS)}",
        )
    answers = {}
    for name, pages in people.items():
        groups: dict[str, set[int]] = {}
        for rank, person in pages.items():
            groups.setdefault(person, set()).add(rank)
        discarded = frozenset(groups.pop("", ()))
        answers[name] = Clustering(tuple(map(frozenset, groups.values())), discarded)
    return answers


def _answer_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line, and name, page and person, of each row."""
    for line, cells in records_of(path):
        row = {_CALLED.get(name.lower(), name.lower()): cell for name, cell in cells.items()}
        if missing := [each for each in _COLUMNS if each not in row]:
            raise SourceError(
                f"there is no column {join_items(missing)}",
                where=f"{path}, line {line:,}",
                remedy=f"the columns are {', '.join(_COLUMNS)}, with commas in .csv and tabs in "
                '.tsv; lines of .jsonl read {"name": "ANN_LEE", "page": 1, "person": "a"}',
            )
        yield line, [unguard_cell("" if row[each] is None else str(row[each])) for each in _COLUMNS]


FORM_TITLES = {
    PageForm.PAGES: "whole pages",
    PageForm.TOKENS: "content words without case",
    PageForm.RESULTS: "search results only",
}
"""Form of pages → what is available of them, in words."""
_TITLES = {
    "weps-1": "WePS-1",
    "weps-2": "WePS-2",
    "folder": "saved pages",
    "collected": "downloaded pages",
}
_FEWEST_NAMES = 2
"""Names that cross-validation needs."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source and those of its names that have a key."""

    source: Source
    forms: dict[str, PageForm]
    """Name → the richest form of its pages."""

    @property
    def title(self) -> str:
        """Name of the corpus in print."""
        return _TITLES[self.source.layout]

    @property
    def names(self) -> list[str]:
        """Its names, sorted."""
        return sorted(self.forms)

    @property
    def richest_form(self) -> PageForm:
        """The richest form that any name has."""
        return next(form for form in PageForm if form in self.forms.values())

    def names_with(self, form: PageForm) -> list[str]:
        """The names whose pages are available in that form, or in a richer one, sorted."""
        return [name for name in self.names if form in forms_up_to(self.forms[name])]

    @property
    def mixed_sizes(self) -> dict[str, int]:
        """Mixed name → its pages, by increasing size."""
        mixed = (name for name in self.names if len(self.source.component_names(name)) > 1)
        sizes = ((name, len(self.source.ranks(name))) for name in mixed)
        return dict(sorted(sizes, key=itemgetter(1)))


def open_corpus(paths: Path | Sequence[Path], exclude: Sequence[str] = ()) -> Corpus:
    """Find out which names of a corpus have a key, and what their pages offer.

    Args:
        paths: where the corpus is, or several, which are taken as one.
        exclude: names to leave out.

    Raises:
        SourceError: if a corpus cannot be read, if several do not fit together, or if too few of
            the names have a key.
    """
    given = paths if isinstance(paths, list | tuple) and paths else [as_path(paths)]
    source = _combine_sources([opening.open_source(path) for path in given])
    left_out = set(select_names(source, exclude)) if exclude else set()
    forms = {
        name: richest_form(source.search(name))
        for name in source.names
        if name not in left_out and (key := source.key(name)) is not None and key.groups
    }
    if len(forms) < _FEWEST_NAMES:
        raise SourceError(
            f"{len(forms)} of the names have a key, {_FEWEST_NAMES} are needed",
            where=" and ".join(map(str, given)),
            remedy="give a corpus with its gold standard (truth_files or gold_standard)",
        )
    return Corpus(source, forms)


def with_mixed_names(corpus: Corpus, sizes: Sequence[int], groups: int, seed: int) -> Corpus:
    """The corpus and mixed names of its names, see the module's docstring.

    Names of each form are divided into groups at random. For each size, groups are joined in their
    order until they have several names and enough pages, so that no mixed name has names of two
    groups without need; those that are left over at the end give none.

    Args:
        corpus: of names with keys.
        sizes: numbers of pages, at least 2.
        groups: number of groups.
        seed: of the division and of the pages.
    """
    mixed: list[Source] = []
    forms_of_mixed: dict[str, PageForm] = {}
    for form in count_forms(corpus.forms.values()):
        names = [name for name in corpus.names if corpus.forms[name] is form]
        pages = {name: len(corpus.source.ranks(name)) for name in names}
        divided = [[names[at] for at in part] for part in make_folds(len(names), groups, seed)]
        for size in dict.fromkeys(sizes):
            joined: list[str] = []
            for group in divided:
                joined += group
                if len(joined) > 1 and sum(pages[name] for name in joined) >= size:
                    mixed.append(mix_names(corpus.source, joined, size, seed))
                    (name,) = mixed[-1].names
                    if (key := mixed[-1].key(name)) and key.groups:
                        forms_of_mixed[name] = form
                    joined = []
    return Corpus(_combine_sources([corpus.source, *mixed]), corpus.forms | forms_of_mixed)


def count_forms(forms: Iterable[PageForm]) -> dict[PageForm, int]:
    """Form → how often it occurs, richest first."""
    counts = Counter(forms)
    return {form: counts[form] for form in PageForm if form in counts}


def check_origins(corpus: Corpus) -> None:
    """Make sure that names of every form can be answered by what names of other origins teach.

    Raises:
        SourceError: if not.
    """
    origins = {name: page_origin(corpus.source.search(name)) for name in corpus.names}
    for form in count_forms(corpus.forms.values()):
        found = {origins[name] for name in corpus.names_with(form)}
        if len(found) == 1:
            raise SourceError(
                f"all names with {FORM_TITLES[form]} are of one origin ({', '.join(found)}), so "
                "there is no other to learn from",
                where=corpus.source.root,
                remedy="give a corpus with names of several origins, or use --cv 5",
            )


_SMALLEST_GROUP = 3
"""Ranks in a group by which keys are distinguished; smaller groups are alike by chance."""


def duplicate_keys(source: Source, names: Iterable[str]) -> Iterator[str]:
    """A warning for each two names whose keys mostly group the same ranks."""
    informative = {
        name: {group for group in key.groups if len(group) >= _SMALLEST_GROUP}
        for name in names
        if (key := source.key(name))
    }
    for first, second in combinations(sorted(informative), 2):
        one, other = informative[first], informative[second]
        if len(one & other) >= _FEWEST_NAMES and 2 * len(one & other) > max(len(one), len(other)):
            yield (
                f"the keys of {first} and {second} are nearly the same: one of them is in the "
                "wrong file; leave that name out with --exclude"
            )


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(ReadingOptions, JobsOption):
    """Names of a corpus, and how their pages are read."""

    exclude: tuple[str, ...] = cli_option(
        "names to leave out (with --test: of training)", (), metavar="NAME"
    )
    seed: int = cli_option("seed of folds and trees", 0, least=0)


def load_corpus(  # noqa: PLR0913, PLR0917 - what is read, how, and who is told
    corpus: Corpus,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None,
    reader: Reader,
    jobs: int,
    progress: Progress,
    warn: Callable[[str], None],
) -> dict[str, dict[PageForm, Example]]:
    """Read, clean and compare the pages of every name: name → form → example.

    Args:
        corpus: where the names are.
        similarities: the columns wanted; a form has those that it offers.
        forms: the forms wanted; None for the richest that a name has.
        reader: of pages.
        jobs: number of processes.
        progress: called with the number of names read.
        warn: called with each warning.

    Raises:
        LanguageError: if a similarity needs a language pipeline that is not there.
    """
    names, source = corpus.names, corpus.source
    if reader.cache and reader.cache.problem:
        warn(reader.cache.problem)
    for warning in duplicate_keys(source, names):
        warn(warning)
    work = partial(
        read_examples, source=source, similarities=similarities, forms=forms, reader=reader
    )
    loaded = report_map(work, names, jobs, progress, "reading and comparing pages")
    examples = dict(zip(names, loaded, strict=True))
    for warning in chain.from_iterable(map(source.warnings, names)):
        warn(warning)
    return examples


Attributes = dict[int, dict[str, tuple[str, ...]]]
"""Rank of a page → attribute (``dateofbirth``) → its values there, in order, none twice."""
_MAX_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB."""


def attributes_of(root: Path, name: str) -> Attributes | None:
    """The attributes of people that annotators found on the pages of one name; None without any.

    Each line of their file reads rank TAB attribute TAB value, TAB further values. Attributes are
    called alike whatever their case and blanks: ``Date of birth`` and ``dateofbirth``. A line
    without a value states that there is none. Bytes that are not UTF-8 are taken for the Windows
    code page.

    Args:
        root: the folder of the corpus, or any other that has a folder ``attributes``.
        name: the name's identifier, as in the names of files.

    Raises:
        KeyFileError: if the file cannot be read, or a line has no rank or no attribute.
    """
    file = first_existing([root / "attributes" / f"{name}.txt"])
    if file is None:
        return None
    data = read_bytes(file, _MAX_BYTES, KeyFileError)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    pages: dict[int, dict[str, dict[str, None]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        first, attribute, *values = (" ".join(each.split()) for each in f"{line}\t".split("\t"))
        rank, attribute = corpora.parse_rank(first), attribute.lower().replace(" ", "")
        if rank is None or not attribute:
            raise KeyFileError(
                f"{first[:40]!r} is not a rank" if rank is None else "has no attribute",
                where=f"{file}, line {number}",
                remedy="each line reads rank TAB attribute TAB value, further values after "
                "further TABs",
            )
        known = pages.setdefault(rank, {}).setdefault(attribute, {})
        known |= dict.fromkeys(filter(None, values))
    return {
        rank: {attribute: tuple(values) for attribute, values in page.items() if values}
        for rank, page in sorted(pages.items())
    }
