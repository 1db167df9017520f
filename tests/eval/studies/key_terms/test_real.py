"""What must hold of real news with key phrases: one section, read with its parts of speech."""

from pathlib import Path

import pytest

from eval.studies.key_terms.findings import Findings
from eval.studies.key_terms.sources import articles_of, read_section, sections_of
from eval.studies.key_terms.topics import study_topics
from weps.reading import Reader


@pytest.fixture(scope="module")
def news(weps_data: Path) -> Path:
    path = weps_data / "text" / "keyterms" / "500N-KPCrowd-v1.1.zip"
    if not path.is_file():
        pytest.skip(f"{path.name} is not among the research data")
    return path


def test_news_have_ten_sections(news: Path) -> None:
    sections = sections_of(articles_of(news))
    assert [len(each) for _, each in sections] == [50] * 10


def test_key_concepts_of_news_stand_before_verbs(news: Path) -> None:
    _, articles = sections_of(articles_of(news))[0]
    topics = list(study_topics([read_section("", articles[:20], Reader())]))
    found = Findings("news", "documents", tuple(topics))
    assert len(topics) == 20
    assert found.ahead("-1", "+1").value > 0
    assert found.ahead("subjects", "other phrases").value > 0
    assert found.recall("tf").value > found.recall("tf", 10).value > 0.05
    for topic in topics:
        for each in topic.places.values():
            assert 0 <= each.hits <= each.total
        assert topic.places["subjects"].total == sum(
            topic.places[part].total for part in ("heads", "modifiers")
        )
