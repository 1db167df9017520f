"""``weps cluster --ask``: a few questions to the user before the answer, saved as corrections."""

from __future__ import annotations

from pathlib import Path

from weps._formatting import count_of, cut_text
from weps.answering import CorrectableAnswer, cluster
from weps.cli.console import Console
from weps.corrections.file import (
    match_pages,
    page_identities,
    read_corrections,
    write_corrections,
)
from weps.corrections.model import Corrections
from weps.corrections.questions import MAX_QUESTIONS
from weps.errors import CorrectionsError
from weps.model import ModelSet
from weps.people.answer import PageScore
from weps.reading import Reader
from weps.sources.base import Source

_MAX_LENGTH = 220
"""Characters of an excerpt."""
_KINDS = {"y": "same", "n": "different"}


def ask_user(
    source: Source,
    readers: tuple[ModelSet, Reader],
    threshold: float | None,
    file: Path,
    console: Console,
) -> None:
    """Ask about pairs of pages of the only name of a source, and save the answers.

    Args:
        source: the pages.
        readers: the models and the reader.
        threshold: see :func:`weps.answering.cluster`.
        file: the corrections of the name, which are obeyed, and to which the answers are added.
        console: where somebody answers.

    Raises:
        CorrectionsError: if nobody can be asked, or the file cannot be read.
    """
    if not console.can_ask:
        what = "--ask needs an interactive terminal"
        raise CorrectionsError(what, remedy=f"leave it out, or write corrections to {file.name}")
    [identifier] = source.names
    search = source.search(identifier)
    saved = read_corrections(file) if file.is_file() else Corrections()
    known, _ = match_pages(saved, page_identities(search.pages), file)
    shown = console.show_progress
    answer = cluster(search, readers[0], threshold, readers[1], corrections=known, progress=shown)
    asked: set[tuple[int, int]] = set()
    answered = 0
    while len(asked) < MAX_QUESTIONS and (found := answer.questions(1, asked)):
        asked.add(found[0])
        reply = console.ask(_question_text(answer, found[0], len(asked)), ("y", "n", "?", "q"))
        if reply == "q":
            break
        if kind := _KINDS.get(reply):
            answer = answer.correct(kind, found[0])
            answered += 1
            write_corrections(answer.corrections, file, answer.name)
    outcome = f"{count_of(answered, 'answer')} saved in {file}" if answered else "nothing was saved"
    console.write(f"{outcome}; the name is clustered accordingly")


def _question_text(answer: CorrectableAnswer, pair: tuple[int, int], number: int) -> str:
    pages = {page.rank: page for person in answer.people for page in person.pages}
    shown = (_page_text(pages[rank]) for rank in pair)
    question = f"Question {number} of {MAX_QUESTIONS}: are these two pages about the same person?"
    return "\n".join([question, *shown, "y: yes, n: no, ?: I cannot tell, q: no more questions"])


def _page_text(page: PageScore) -> str:
    further = filter(None, (page.url, cut_text(page.excerpt, _MAX_LENGTH)))
    head = f"  page {page.rank}: {page.title or '(no title)'}"
    return "\n".join([head, *(f"    {each}" for each in further)])
