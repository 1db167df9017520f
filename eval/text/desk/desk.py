"""One topic on the desk: its texts as sentences, tokens, tagged words and key concepts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from eval.instances.wording import quoted
from eval.text.desk.reading import Word, sentences_of, tagged_words
from eval.text.desk.tools import Tools
from eval.text.overlap import Text as Tokens
from eval.text.rouge.preprocessing import Preprocessing
from eval.text.testbed import Text, Topic
from weps.errors import ValuesError

__all__ = ["Desk"]

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """What measures ask about the texts of a topic; the same question is answered once."""

    topic: Topic
    tools: Tools = field(default_factory=Tools)
    _made: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def texts(self) -> tuple[Text, ...]:
        """All outputs and references, each once."""
        outputs = (each.text for each in self.topic.outputs)
        references = (each.text for each in self.topic.references)
        return tuple(dict.fromkeys((*outputs, *references)))

    def sentences(self, text: Text) -> tuple[str, ...]:
        """The sentences as somebody has split them, or as weps splits them."""
        return self.once(("sentences", text), lambda: sentences_of(text))

    def tokens(self, text: Text, preprocessing: Preprocessing) -> Tokens:
        """The tokens of each sentence.

        Raises:
            ValuesError: if all words of the text are of other scripts than those that count.
        """

        def read() -> Tokens:
            try:
                return preprocessing(self.sentences(text))
            except ValuesError as error:
                where = self.name(text)
                raise ValuesError(error.what, where=where, remedy=error.remedy) from None

        return self.once(("tokens", preprocessing, text), read)

    def words(self, text: Text) -> tuple[tuple[Word, ...], ...]:
        """The words of each sentence with tags and lemmas.

        Raises:
            LanguageError: if the pipeline is missing or lacks tags or lemmas.
            ValuesError: if the pipeline fails on the text.
        """
        if ("words", text) not in self._made:
            unread = (each for each in self.texts if ("words", each) not in self._made)
            texts = tuple(dict.fromkeys((*unread, text)))
            read = tagged_words([self.sentences(each) for each in texts], self.tools.language)
            self._made.update(
                {("words", each): made for each, made in zip(texts, read, strict=True)}
            )
        words: tuple[tuple[Word, ...], ...] | None = self._made["words", text]
        if words is None:
            what = "the language pipeline fails on this text"
            raise ValuesError(what, where=self.name(text), remedy="choose measures without tags")
        return words

    def name(self, text: Text) -> str:
        """Whose text it is."""
        for output in self.topic.outputs:
            if output.text == text:
                return f"the output of {quoted(output.system)}"
        for reference in self.topic.references:
            if reference.text == text:
                return f"the reference {quoted(reference.id)}"
        return "a source" if text in self.topic.sources else "a text"

    def once(self, question: Hashable, answer: Callable[[], Made]) -> Made:
        """The answer to a question, which is only sought the first time."""
        if question not in self._made:
            self._made[question] = answer()
        return cast("Made", self._made[question])
