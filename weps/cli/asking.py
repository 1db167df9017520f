"""``weps cluster --ask``: a few questions to the user before the answer, saved as corrections."""

from __future__ import annotations

from pathlib import Path

from weps._formatting import count_of, cut_text
from weps.cli.console import Console
from weps.corrections.edits import MAX_QUESTIONS
from weps.corrections.file import write_corrections
from weps.errors import CorrectionsError
from weps.people.answer import PageScore
from weps.results.result import Result, ResultOptions, corrections_of
from weps.sources.base import Source

_MAX_LENGTH = 220
"""Characters of an excerpt."""
_KINDS = {"y": "same", "n": "different"}


def ask_user(
    source: Source,
    options: ResultOptions,
    file: Path,
    console: Console,
) -> None:
    """Ask about pairs of pages of the only name of a source, and save the answers.

    Args:
        source: the pages.
        options: how to cluster them.
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
    known, _ = corrections_of(file, search.pages)
    result = Result.of(search, options, known, progress=console.show_progress)
    asked: set[tuple[int, int]] = set()
    answered = 0
    while len(asked) < MAX_QUESTIONS and (found := result.questions(1, asked)):
        asked.add(found[0])
        reply = console.ask(_question_text(result, found[0], len(asked)), ("y", "n", "?", "q"))
        if reply == "q":
            break
        if kind := _KINDS.get(reply):
            result = result.correct(kind, found[0])
            answered += 1
            write_corrections(result.corrections, file, result.name)
    outcome = f"{count_of(answered, 'answer')} saved in {file}" if answered else "nothing was saved"
    console.write(f"{outcome}; the name is clustered accordingly")


def _question_text(result: Result, pair: tuple[int, int], number: int) -> str:
    pages = {page.rank: page for person in result.people for page in person.pages}
    shown = (_page_text(pages[rank]) for rank in pair)
    question = f"Question {number} of {MAX_QUESTIONS}: are these two pages about the same person?"
    return "\n".join([question, *shown, "y: yes, n: no, ?: I cannot tell, q: no more questions"])


def _page_text(page: PageScore) -> str:
    further = filter(None, (page.url, cut_text(page.excerpt, _MAX_LENGTH)))
    head = f"  page {page.rank}: {page.title or '(no title)'}"
    return "\n".join([head, *(f"    {each}" for each in further)])
