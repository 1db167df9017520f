"""Every stage that sees the text of pages takes time in proportion to it, whatever the text.

Times are of the processor, the best of several, and compared only with those of a shorter text of
the same kind, so that other work on the machine does not matter.
"""

import pkgutil
import re
import time
from collections import defaultdict
from functools import cache
from importlib import import_module
from itertools import chain, product
from pathlib import Path
from types import BuiltinMethodType

import pytest

import weps
from tests.adversaries import PREFIXES, PROSE, UNITS, texts_against
from tests.cases import each_case
from weps.features import identity, registry
from weps.features.name import name_forms
from weps.html.cleaning import clean_page
from weps.key_terms.labels import labels_and_words
from weps.language.analysis import Layer, analyse_documents, page_languages
from weps.language.annotation import find_quantities
from weps.language.person_words import PersonWords
from weps.model import pretrained
from weps.name.person_name import PersonName
from weps.name.typed import check_name
from weps.people import pages
from weps.people.context import sentences_near_name
from weps.reading import PageForm
from weps.records import Page
from weps.report.safe_text import clean_text
from weps.similarity.columns import pair_table
from weps.web.downloading import inspect_page

SMALL, LARGE = 25_000, 200_000
NAME = "Thomas Baker"
LAYERS = frozenset(map(str, Layer)) | {"embeddings"}


def grows_faster(work, make, small, large, least):
    """Whether time per character at the large size is more than twice that at the small one.

    Less than ``least`` seconds cannot be told from noise, and count as linear.
    """
    worst = 0.0
    for _ in range(4):  # one good measurement is enough
        large_time = seconds(work, make(large))
        if large_time < least:
            return 0.0
        worst = large_time / max(seconds(work, make(small)), least / 16)
        if worst <= 2 * large / small:
            return 0.0
    return worst


def seconds(work, text):
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


@cache
def methods_by_name():
    """Which attributes each name, or an item of it, is asked for anywhere in weps."""
    found = defaultdict(set)
    for path in Path(weps.__path__[0]).rglob("*.py"):
        for name, method in re.findall(r"\b(\w+)(?:\[\w+\])?(?=\.(\w+))", path.read_text("utf-8")):
            found[name].add(method)
    return found


def patterns(part):
    """Each pattern of a part of weps by its name, and whether it is matched at one place alone."""
    place = import_module(f"weps.{part}")
    inner = pkgutil.walk_packages(getattr(place, "__path__", ()), f"weps.{part}.")
    holders = [place, *(import_module(each.name) for each in inner)]
    if part == "language":
        holders += [PersonWords(each, frozenset()) for each in ("de", "fr")]
    for holder in holders:
        for name, value in vars(holder).items():
            used = methods_by_name().get(name, set())
            anchored = bool(used) and used <= {"match", "fullmatch"}
            yield from ((f"{holder!r}.{name}", each, anchored) for each in patterns_in(value))
    if part == "features":
        person = PersonName.parse(NAME)
        yield "address", identity._name_pattern(person), False


def patterns_in(value):
    if isinstance(value, re.Pattern):
        yield value
    elif type(value) is BuiltinMethodType and isinstance(value.__self__, re.Pattern):
        yield value.__self__
    elif isinstance(value, dict | tuple):
        values = value.values() if isinstance(value, dict) else value
        for each in values:
            found = getattr(each, "pattern", each)
            if isinstance(each, tuple) and each:  # what is matched comes last
                found = each[-1]
            if isinstance(found, re.Pattern):
                yield found


PACKAGES = "app features html key_terms language name people report sources web".split()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["_formatting", "_text", *PACKAGES])
def test_regular_expressions(part):
    sizes = (250, 2_000), (1_000, 8_000)  # what grows, grows in longer texts, too
    for name, pattern, anchored in patterns(part):
        ways = (pattern.match, pattern.fullmatch) if anchored else (pattern.findall,)
        texts = zip(*(texts_against(pattern, size) for size in chain(*sizes)), strict=True)
        for of_size in (dict(zip(chain(*sizes), each, strict=True)) for each in texts):
            for work in ways:
                grows = (grows_faster(work, of_size.__getitem__, *pair, 0.002) for pair in sizes)
                assert not all(grows), (name, of_size[2_000][:80])


def clean(text):
    clean_page(Page(1, content=text.encode("utf-8", "replace"), url="http://host.org/a/"))


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_cleaning(unit):
    for prefix, each in product(PREFIXES, {unit, unit.replace("\n", " ")}):

        def make(size, prefix=prefix, each=each):
            return prefix + each * (size // len(each.encode()))

        assert not grows_faster(clean, make, SMALL, LARGE, 0.05), (prefix[:9], each)


def analyse(text):
    """All that is done with a cleaned page, but for layers, whose time depends on words alone."""
    page, other = Page(1, text=text), Page(2, text=f"{NAME} paints tides in Bergen. He was 40.")
    analysis = analyse_documents(NAME, [clean_page(page), clean_page(other)])
    document = analysis.documents[0]
    pair_table(analysis, pretrained().for_form(PageForm.PAGES).similarities)
    for feature in registry.all_features():
        if feature.needs.isdisjoint(LAYERS):
            feature.extract(analysis)
    pages.page_signs(analysis)
    name_forms(analysis)
    pages.page_excerpt(document, analysis.name, analysis.mentions[0])
    sentences_near_name(analysis)
    pages.page_caution(document, page_languages(analysis)[0])
    list(labels_and_words([[0], [1]], analysis))
    find_quantities(text)
    clean_text(text)
    inspect_page("http://a.org/", "http://a.org/", text.encode("utf-8", "replace"), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROSE)
def test_analysis(kind):
    assert not grows_faster(analyse, PROSE[kind], SMALL, LARGE, 0.15)


@each_case("unit", ["Ann ", "Ann Bea ", "Bea Ann ", "AnnBea ", "Ann-", "Anm Beo Cid, ", "a "])
def test_checking_a_name(unit):
    def check(text):
        check_name("Ann Bea Cid – AnnBea 2", [text], of_folder=True)

    assert not grows_faster(check, lambda size: unit * (size // len(unit)), SMALL, LARGE, 0.05)


FOUND_BEFORE = {
    "reference to a mark": lambda size: "<p>" + "&#4;" * (size // 4),
    "tag without end": lambda size: "<div>" * 3_000 + " " * 100_000 + "<" + "a" * size,
    "declared charset": lambda size: "charset=" + " " * (size // 10) + "\xe9" * 20,
}


@each_case("kind", FOUND_BEFORE)
def test_cleaning_of_what_once_took_quadratic_time(kind):
    assert not grows_faster(clean, FOUND_BEFORE[kind], 8_000, 64_000, 0.1)


@pytest.mark.parametrize("kind", ["a\u0301\u0334", "capitals in pairs"])
def test_analysis_of_what_once_took_quadratic_time(kind):
    assert not grows_faster(analyse, PROSE[kind], 8_000, 64_000, 0.3)
