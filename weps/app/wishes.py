"""What a user wants changed, as the report in the browser sends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from weps.corrections import Corrections, operations
from weps.errors import CorrectionsError
from weps.people import Answer

__all__ = ["Action", "Wish", "wish"]

People = list[set[int]]
"""The ranks of the pages of each."""
_MOST = 10_000
"""Pages in one wish."""


class Action(StrEnum):
    """What can be wished for."""

    SAME = "same"
    DIFFERENT = "different"
    MOVE = "move"
    SPLIT = "split"
    CONFIRM = "confirm"
    RENAME = "rename"
    UNDO = "undo"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Wish:
    """An action on some pages."""

    action: Action
    pages: tuple[int, ...] = ()
    """Ranks."""
    to: int | None = None
    """Of ``move``, the rank of a page of the person that the pages go to; of ``remove``, the
    number of the correction, from 0."""
    name: str = ""
    """Of ``rename``, what the person of the page is called."""

    def on(self, said: Corrections, answer: Answer) -> Corrections:
        """The corrections with what is wished for.

        Args:
            said: what was said so far.
            answer: what the user looks at.

        Raises:
            CorrectionsError: if it makes no sense there, or contradicts what was said so far.
        """
        people = [{page.rank for page in person.pages} for person in answer.people]
        strange = {*self.pages, *self._target()} - set().union(*people)
        if strange:
            raise _misread(f"there is no page {min(strange)}")
        return _APPLY[self.action](self, said, people, answer)

    def _target(self) -> set[int]:
        return {self.to} if self.action is Action.MOVE and self.to is not None else set()


def wish(data: object) -> Wish:
    """Read ``{"action": …, "pages": [ranks], "to": rank or null, "name": …}``.

    Raises:
        CorrectionsError: if it is anything else.
    """
    if not isinstance(data, dict):
        raise _misread("an object is expected")
    action, pages = data.get("action"), data.get("pages") or []
    if not isinstance(action, str) or action not in set(Action):
        raise _misread(f"{action!r:.40} is no action")
    if not isinstance(pages, list) or len(pages) > _MOST or not all(map(_is_rank, pages)):
        raise _misread("the pages are no list of ranks")
    if not pages and action not in _PAGELESS:
        raise _misread("no pages are chosen")
    to, name = data.get("to"), data.get("name") or ""
    if not (to is None or _is_rank(to)) or not isinstance(name, str):
        raise _misread("the target is no rank, or the name no text")
    return Wish(Action(action), tuple(dict.fromkeys(pages)), to, name)


def _move(wish: Wish, said: Corrections, people: People, _answer: Answer) -> Corrections:
    if wish.to is None:
        raise _misread("nobody to move the pages to")
    return operations.move(said, wish.pages, wish.to, people)


def _confirm(wish: Wish, said: Corrections, people: People, answer: Answer) -> Corrections:
    pages = (page for person in answer.people for page in person.pages)
    closest = {page.rank: page.closest.rank for page in pages if page.closest}
    return operations.confirm(said, wish.pages, people, closest)


def _rename(wish: Wish, said: Corrections, _people: People, _answer: Answer) -> Corrections:
    return operations.rename(said, wish.pages[0], wish.name)


def _remove(wish: Wish, said: Corrections, _people: People, _answer: Answer) -> Corrections:
    """Take back one by its number, or by its line in the file."""
    lines = [str(each) for each in said.said]
    if wish.to is None and wish.name in lines:
        return operations.remove(said, lines.index(wish.name))
    return operations.remove(said, -1 if wish.to is None else wish.to)


_APPLY: dict[Action, Callable[[Wish, Corrections, People, Answer], Corrections]] = {
    Action.SAME: lambda wish, said, _people, _answer: operations.same(said, wish.pages),
    Action.DIFFERENT: lambda wish, said, people, _: operations.different(said, wish.pages, people),
    Action.MOVE: _move,
    Action.SPLIT: lambda wish, said, people, _: operations.split(said, wish.pages, people),
    Action.CONFIRM: _confirm,
    Action.RENAME: _rename,
    Action.UNDO: lambda _wish, said, _people, _answer: operations.undo(said),
    Action.REMOVE: _remove,
}
_PAGELESS = frozenset({Action.UNDO, Action.REMOVE})


def _is_rank(value: object) -> bool:
    return type(value) is int and value >= 0


def _misread(what: str) -> CorrectionsError:
    return CorrectionsError(f"this is no correction ({what})", remedy="load the page anew")
