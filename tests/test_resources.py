"""The shipped data is what resources/README.md says it is."""

import re
from pathlib import Path

from bs4 import BeautifulSoup

from tests.cases import each_case
from weps.language.analysis import LANGUAGES
from weps.sources.corpora import read_clustering
from weps.sources.opening import open_source

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
DEMO = RESOURCES / "demo" / "Robin_Averdale"
PAGES = sorted(path for path in DEMO.iterdir() if path.suffix in {".html", ".htm", ".txt"})
STOPWORDS = ("english.txt", "web.txt")
BOILERPLATE = "labels.txt"
SIZES = [10, 7, 5, 3, 2, 1]

HOST = re.compile(r"(?:\b[a-z]+://|[\w.+-]+@)([\w.-]+)", re.ASCII)
MENTION = re.compile(r"\bRobin\s+(?:\w+\.?\s+)?Averdale\b|\bAverdale,?\s+R(?:obin|\.|S\b)", re.I)


KEY = read_clustering(DEMO / "key.xml")


def text_of(page: Path) -> str:
    if page.suffix == ".txt":
        return page.read_text("utf-8")
    return BeautifulSoup(page.read_bytes(), "lxml").get_text(" ")


def entries(name: str) -> list[str]:
    lines = (RESOURCES / "stopwords" / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def sections(name: str) -> list[list[str]]:
    blocks = (RESOURCES / "stopwords" / name).read_text("utf-8").strip().split("\n\n")
    return [[line for line in block.splitlines() if not line.startswith("#")] for block in blocks]


def test_the_demo_opens_as_a_source_with_its_key():
    source = open_source(RESOURCES / "demo")
    (name,) = source.names
    assert source.search(name).name == "Robin Averdale"
    assert source.key(name) == KEY


def test_the_key_covers_every_page_and_no_other():
    assert sorted(int(page.stem) for page in PAGES) == list(range(1, 31))
    assert KEY.ranks | KEY.discarded == set(range(1, 31))


def test_the_key_has_the_sizes_of_the_readme():
    assert [len(group) for group in KEY.groups] == SIZES
    assert len(set(KEY.labels)) == len(SIZES)
    assert len(KEY.discarded) == 3
    assert {rank for rank in KEY.ranks if sum(rank in group for group in KEY.groups) > 1} == {12}


@each_case("page", [page for page in PAGES if int(page.stem) in KEY.ranks])
def test_a_page_of_a_person_mentions_the_name(page):
    assert MENTION.search(text_of(page))


@each_case("page", PAGES)
def test_a_page_has_a_page_s_worth_of_text_and_reserved_domains_alone(page):
    content = page.read_bytes()
    assert len(content) < 10_000
    assert 50 < len(text_of(page).split()) < 700
    hosts = HOST.findall(content.decode("latin-1"))
    assert {host for host in hosts if not host.endswith(".example")} <= {"www.w3.org"}


@each_case("name", [*STOPWORDS, BOILERPLATE])
def test_stop_words_are_sorted_single_lower_case_words_without_repeats(name):
    words = entries(name)
    assert len(words) > 300
    assert len(set(words)) == len(words)
    assert all(re.fullmatch(r"[a-z0-9'’]+", word) for word in words)
    assert all(section == sorted(section) for section in sections(name))


def test_words_of_interfaces_are_sorted_and_in_no_other_list():
    lines = [line.split() for line in entries("interface.txt")]
    words = [word for _, *each in lines for word in each]
    assert all(each == sorted(set(each)) for _, *each in lines)
    assert all(code in LANGUAGES for code, *_ in lines)
    listed = {word for name in (*STOPWORDS, BOILERPLATE) for word in entries(name)}
    assert listed.isdisjoint(words)


@each_case(
    "word", ["university", "research", "staff", "dr", "professor", "school", "news", "phone"]
)
def test_words_that_tell_people_apart_are_no_stop_words(word):
    assert all(word not in entries(name) for name in STOPWORDS)


def test_the_packaged_models_are_small_and_those_of_the_readme():
    listed = (RESOURCES / "README.md").read_text("utf-8").partition("## models/")[2]
    models = {path.name for path in (RESOURCES / "models").iterdir()}
    assert models == set(re.findall(r"`([\w-]+\.json)`", listed))
    assert sum(path.stat().st_size for path in (RESOURCES / "models").iterdir()) < 500_000
