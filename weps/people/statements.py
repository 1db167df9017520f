"""Statements of pages about the person of the name: what they say explicitly, and where.

Rather too little is read than anything wrong, as all else on a page may be about others:

- what stands right *beside* a mention with given and last name: *the poet Ann Lee*, *Ann Lee
  (1853-1925)*, or below a line that has only the name;
- *sentences* whose subject is the person, by a mention or by *she* after one, that have one of the
  forms of :mod:`weps.people.forms`: *She was born in York*;
- fields of a *profile*, a label and its value below a line that has only the name, and telephone
  numbers, addresses and the like there;
- the *name* itself, in forms that are fuller than the one searched for;
- structured *data* about somebody of the name.

Occupations and years beside the name on pages in other languages than English are read by
:mod:`weps.language.person_words`, which gives English words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from weps.features.entities import entity_form, fine_kind
from weps.features.name import NameForm, mentions_of, name_forms
from weps.language.analysis import (
    Analysis,
    cached_for_name,
    page_languages,
    page_text,
    person_words_of_pages,
)
from weps.name.mentions import Mention, MentionKind, matcher
from weps.name.person_name import is_usual_given_name
from weps.people.context import ContextEntities
from weps.people.forms import MARK, forms_of
from weps.people.pages import page_kind
from weps.people.values import (
    CAPITAL,
    CAPITALISED_RUN,
    DATE,
    GROUNDS,
    HONORIFICS,
    JOINS,
    PATTERNS,
    PLACE,
    PRINTERS,
    YEARS,
    Occupation,
    email_of,
    employers_before,
    is_acronym,
    is_attested,
    is_headed,
    is_name_line,
    is_named_after,
    is_organisation,
    iso_date,
    listed_occupations,
    nation_adjectives,
    occupation_at,
    occupation_before,
    occupation_key,
    organisations_of,
    person_of,
    place_of,
    site_of,
    stated_life,
    telephone_of,
    without_shouting,
)
from weps.records import Document

if TYPE_CHECKING:
    from weps.language.person_words import PersonWords


class Statement(NamedTuple):
    """One thing that a page states of the person."""

    attribute: str
    """A key of :data:`weps.people.facts.ATTRIBUTES`."""
    key: str
    """Key that different texts for the same thing have in common."""
    value: str
    """As it is to be shown; dates are ISO 8601."""
    sentence: str = ""
    """The part of the page that states it."""
    detail: str = ""
    """What a relative is to the person."""
    way: str = "beside"
    """How it is stated: ``beside``, ``sentence``, ``profile``, ``name`` or ``data``."""


_MAX_MENTIONS = 40
"""Mentions of a page that are read, the first ones."""
_MAX_STATEMENTS = 200
"""Statements of a page."""
_BEFORE_LENGTH, _AFTER_LENGTH = 60, 200
"""Characters before and after a mention that are read."""
_MAX_SENTENCE = 240
"""Characters of a sentence that is shown."""


@cached_for_name
def page_statements(
    analysis: Analysis, context: ContextEntities
) -> tuple[tuple[Statement, ...], ...]:
    """For each document what it states about the person, each thing once.

    Years are left out where they contradict each other, as they do in genealogies.

    Args:
        analysis: the name and its pages.
        context: the entities near the name, which tell organisations that no word tells.
    """
    forms = [
        entity_form(text, kind) if kind == "organisation" else ""
        for text, kind in zip(context.texts, context.kinds, strict=True)
    ]
    statements = []
    for document, mentions, every, form, columns, words, language in zip(
        analysis.documents,
        mentions_of(analysis, hyphenated=True),
        analysis.mentions,
        name_forms(analysis),
        context.present.tolil().rows,
        person_words_of_pages(analysis),
        page_languages(analysis),
        strict=True,
    ):
        read, found = mentions[:_MAX_MENTIONS], list[Statement]()
        if read:
            recognised = frozenset(forms[column] for column in columns) - {""}
            page = _PageReader(document, analysis, recognised, words, language or "en")
            if form:
                initials = Counter(m[1] for each in read if (m := _INITIALS.search(each.before)))
                usual = (each.strip() for each, n in initials.items() if 2 * n > len(read))
                written = " ".join([*usual, form.written(analysis.name)])
                if (form.before or form.after) and not is_attested(written, page.text):
                    written = NameForm().written(analysis.name)
                shown = page.sentence_at(read[0].start, read[0].end)
                found.append(Statement("other name", written.lower(), written, shown, way="name"))
            for mention in read:
                found += page.beside(mention, form.before if form else ())
            found += page.sentences(every)
            found += page.profile(read)
            found += page.data()
        for kind in YEARS:
            if len({each.key for each in found if each.attribute == kind}) > 1:
                found = [each for each in found if each.attribute not in YEARS]
        first = {each[:3]: each for each in reversed(found)}
        statements.append(tuple(reversed(first.values()))[:_MAX_STATEMENTS])
    return tuple(statements)


_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.[^\S\n]?){1,2})$")
"""Initials that stand before a mention: *D. Elmo Hardy*."""
_DEGREES = re.compile(
    r"(?:,?[^\S\n](?:Jr|Sr|II|III|IV|Ph\.?[^\S\n]?D|D\.?Phil|M\.?D|M\.?A|M\.?Ed|M\.?Sc|MBA|MLS|J\.?D|Esq|MP|QC|CPA|FRS"
    r"|OBE|CBE)\b\.?){0,3}"
)
_BRACKETS = re.compile(r"[^\S\n]{0,2}\(([^()\n]{1,80})\)")
_RELATIVE = re.compile(
    r"\b(?:father|mother|parents?|sons?|daughters?|child|children|brother|sister|uncle|aunt|nephew"
    r"|niece|cousin|wife|husband|widow|widower|grand\w+|great-\w+|descendants?) of[^\S\n]$",
    re.IGNORECASE,
)
"""Words before the name of another person's relative, of whom others may bear the name."""
_RIGHTS = re.compile(r"©|\(c\)|copyright|all rights|&copy;", re.IGNORECASE)
"""Words of a notice, in which years are no life."""
_LEAD = re.compile(
    r"(?P<apart>,(?:[^\S\n](?:\d\d|\d{4}[-–](?:\d{4})?),)?|:|[^\S\n][-–—|])?[^\S\n]{1,2}(?:who[^\S\n])?"
    r"(?P<verb>(?:(?:is|was|became|remains|has been|had been|serves as|served as|works as|worked as"
    r"|elected|appointed|named|holds|has served as|also|currently|now|still|once|then|later"
    r"|both)[^\S\n]){0,3})"
    r"(?:(?:an?|the|our|your|their|his|her|its|this|formerly|ex|one of the)[^\S\n-]){0,2}"
)
"""Between the name and an occupation: a comma or a verb, and an article."""
_RUN = re.compile(rf"(?<!\S)(?:the[^\S\n])?(?P<run>{CAPITALISED_RUN})")
_LINE_OF_RUN = re.compile(
    rf"(?:the[^\S\n])?(?P<run>{CAPITALISED_RUN})(?=[^\S\n]*(?:[\n,;.(|–-]|$))"
)
_OWNER = re.compile(rf"(?<!\S)(?P<run>{CAPITALISED_RUN})[^\S\n]$")
_DIRECT = re.compile(
    r"(?:,[^\S\n]|[^\S\n][-–—][^\S\n]|[^\S\n](?:of|at|from)[^\S\n])(?:the[^\S\n])?"
    rf"(?P<run>{CAPITALISED_RUN})"
)
_PLACE_BEHIND = re.compile(
    rf"(?:,[^\S\n](?:\d\d,[^\S\n])?(?:of[^\S\n])?|[^\S\n](?:of|from)[^\S\n])(?P<place>{PLACE})"
    r"(?![^\S\n]?:|[^\S\n]?[12]\d\d\d)"  # where a book was published
)
_SENTENCE_ENDS = re.compile(
    r"[.;!?](?<=\w{3}.|..[)\]”].)(?<!Sept.)(?<!Dept.)(?<!Univ.)(?<!Prof.)(?<!Capt.)(?<!Bros.)"
    + "".join(
        rf"(?<!\b{each}.)"
        for each in "Jan Feb Mar Apr Aug Oct Nov Dec Mrs Gov Sen Rep Rev Gen Col Hon".split()
    )
    + r"(?:\s|$)"
)
"""End of a sentence, but of no abbreviation."""
_ENDS_ITEM = re.compile(r"[,;.)\n]|$")
_TITLE_WORD = r"[A-Z][^\s();<>]{0,30}"
_DATED_TITLE = re.compile(
    rf"(?<![^\s(])({_TITLE_WORD}(?:\s(?:{_TITLE_WORD}|[a-z]{{1,4}}|&)){{0,10}})\s\((?:19|20)\d\d\)"
)
"""Title of a work with the year behind it."""
_KEPT = 3
"""Sentences, the next one included, over which a person is the subject if nobody else is named."""
_MAX_LISTED = 12
"""Organisations and degrees of a sentence that are read."""
_INTO = re.compile(
    r"(?:^\s*|\b(?:at|for|with|of|and|(?:in|on|to|from|by)(?=\sthe\s))\s|[,(]\s?)(?:the\s)?$"
)
_AT = re.compile(r"(?:^|\s)at\s(?:the\s)?$")
_BETWEEN = re.compile(
    rf"(?:[\s,–-]|\b(?:at|of|for|in|with|from|the|and|on|a|an|group|team|unit)\b|{CAPITAL})*+"
)
"""Text between an occupation and the employer: no verb, and nobody else."""
_SOURCES = frozenset(("association", "bank", "company", "library", "museum", "newspaper"))
_MAX_CAPITALISED = 5
"""Words with capitals in the name of an organisation that nothing introduces."""
_PRINTS = re.compile(r"\b(?:Press|Publish\w+|Publications?|Books?|Verlag|Magazine|Review|Times)\b")
"""Kinds and words of what prints the texts of others beside their names."""
_JOINED = re.compile(r"(?:[,;]\s?(?:and\s)?|\s?[/&]\s?|\sand\s)(?:also\s)?(?:an?\s|the\s)?(?=\w)")
"""Text between two occupations."""
_TEACHES = re.compile(
    r"\b(?:teacher|scholar|professor|lecturer|instructor|tutor|translator|department)\b"
)
"""Words of occupations in which *English* is what is taught."""
_FAR = 120
"""Characters behind an occupation within which the organisation stands."""
_LAST_WORD = re.compile(r"(?<!\w)([A-Z](?:[\w'-]{1,40}|\w{1,3}\.))[^\S\n](?:\d{1,3}[^\S\n])?$")
_TITLED = re.compile(rf"\b(Mr|Mrs|Ms|Miss)\b\.?[^\S\n]{MARK}")
_ARTICLE = re.compile(r"\b(?i:the|an?)[^\S\n][\"“'‘]?$")
_MAX_SENTENCES = 200
"""Sentences of a page that are read, the first ones."""
_HOSTILE = re.compile(rf"\S{{80}}|(?:{MARK}[^{MARK}]*){{8}}")
"""Words and lists of names that no sentence has, and that patterns read slowly."""
_CAPITALISED = re.compile(r"[A-Z][a-z]+")
_NAMES = re.compile(r"(\b(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord)\.?[^\S\n])?([A-Z][a-z]+)")
"""Words with capitals, and titles before them."""
_OTHERS = frozenset({MentionKind.LONGER, MentionKind.THING, MentionKind.SCRIPT})
"""Kinds of mentions that may be of somebody else."""
_SHORT, _SHORT_LINE, _MAX_READ = 60, 160, 500
"""Characters: of lines over which the subject is kept, of fields of a profile, of sentences."""
_PROFILE_LENGTH, _PROFILE_LINES, _NEAR = 2_000, 25, 150
"""Characters and lines of a profile, and characters from the name to an address of the person."""
_JOINING = re.compile(r"[\W_]*(?:(?i:e-?mail|contact|mailto|at)[\W_]*)?")
"""Text between the name and an address of the person."""
_ONLY_NAME = re.compile(r"(?i:name|full name|contact|dr|mr|mrs|ms|prof|professor|about|hon)?\W*")
_NUMBER = re.compile(
    r"(?<![\w/-])(?:(?P<fax>(?i:fax|facsimile|telefax|f))|(?P<phone>(?i:telephone|tel|phone|ph|voice"
    rf"|office|mobile|cell|t|p)))?(?:\W{{0,3}}no)?[\s:.-]{{0,4}}(?P<number>{PATTERNS['phone']})(?![\d/-])"
)
_AMERICAN = re.compile(r"(?:\+?1[\s.-])?\(?[2-9]\d\d\)?[\s./-]{1,2}\d{3}[\s.-]\d{4}")
_LOCAL_DIGITS = 7
"""Digits by which two spellings of a telephone number are one."""
_POSTAL_CODE = re.compile(
    rf"(?:^|,[^\S\n]|\d[^\S\n])(?P<place>{CAPITAL}(?:[^\S\n]{CAPITAL}){{0,2}},[^\S\n][A-Z]{{2}})[^\S\n]\d{{5}}\b"
)
_LINES_BELOW, _ADDRESS_LINES = 4, 10
"""Lines below a name in which an occupation, an employer or a place stands without a label."""


class _PageReader:
    """Reader of what a page states about the person."""

    def __init__(
        self,
        document: Document,
        analysis: Analysis,
        recognised: AbstractSet[str],
        words: PersonWords | None,
        language: str,
    ) -> None:
        """Read a page.

        Args:
            document: the page.
            analysis: the name, with all its pages.
            recognised: the forms of organisations near the name.
            words: of the language of the page, unless it is English.
            language: its code.
        """
        self.document, self.text = document, page_text(document)
        self.name, self.own = analysis.name, analysis.name_words
        self.recognised, self.words, self.forms = recognised, words, forms_of(language)
        family = re.escape(self.name.family) or "(?!)"
        self.relative = re.compile(rf"{CAPITAL}[^\S\n](?:[A-Z]\.[^\S\n])?(?i:{family})\b")
        """Pattern of other names with the family name."""

    def sentence_at(self, start: int, end: int) -> str:
        """The sentence around a part of the text, cut where it is long."""
        begin = max(self.text.rfind("\n", 0, start) + 1, start - _MAX_SENTENCE // 2)
        for each in _SENTENCE_ENDS.finditer(self.text, begin, start):
            begin = each.end()
        stop = _SENTENCE_ENDS.search(self.text, end)
        line = self.text.find("\n", end)
        last = min(stop.end() if stop else len(self.text), line if line >= 0 else len(self.text))
        return (
            self.text[begin : min(max(last, end), begin + _MAX_SENTENCE)]
            .replace("\n", " · ")
            .strip()
        )

    def beside(self, mention: Mention, given: Iterable[str]) -> Iterator[Statement]:
        """Statements right before, behind and below a mention.

        Args:
            mention: of the name.
            given: further given names that may stand before it.
        """
        around = self._around(mention, given)
        if around is None:
            return
        before, brackets, after, heading = around
        sentence = self.sentence_at(mention.start, mention.end + len(heading) + bool(heading))
        behind = f" ({brackets}){after}" if brackets else after
        years = self.words.years(before, behind) if self.words else ("", "")
        dates = [each for each in zip(YEARS, years, strict=True) if each[1]]
        yield from self._letters(mention, sentence)
        in_title = mention.start < len(self.document.title)
        known, role, birth = self._role(brackets, in_title=in_title)
        if not (dates or _RIGHTS.search(f"{before}{after}")):
            dates = [*stated_life(brackets, birth, after)]
        for kind, date in dates:
            yield Statement(kind, date[:4], date, sentence)
        behind_name = self._occupation_behind(after)
        below_name = self._occupation_behind(heading, heading=True)
        stated = ((behind_name, after), (below_name, heading), (known, role))
        for occupation, stretch in stated:
            if occupation:
                yield from self._work(occupation, stretch, sentence, "beside")
                break
        else:
            direct = None if in_title else _DIRECT.match(after)
            below = _LINE_OF_RUN.match(heading)
            # Brackets have the source of the page, too, and in results the country.
            cited = fine_kind(brackets, "") in _SOURCES or before.strip(" .)").isdigit()
            bracketed = None if cited else _RUN.match(brackets)
            for found in filter(None, (direct, bracketed, below)):
                yield from self._employer_alone(found, sentence, is_below=found is below)
        if title := self._occupation_before(before):
            yield from self._work(title, "", sentence, "beside")
            yield from _affiliations(
                employers_before(before, self.own, self.recognised), sentence, "beside"
            )
        if before.endswith("'s ") and (owner := _OWNER.search(before)):
            yield from _affiliations(
                organisations_of(owner["run"], self.own, self.recognised), sentence, "beside"
            )
        if place := _PLACE_BEHIND.match(after):
            yield from self._value("location", place["place"], sentence, "beside")

    def _letters(self, mention: Mention, sentence: str) -> Iterator[Statement]:
        """Degrees and offices behind a mention: *Ann Lee, Ph.D.*, *Ann Lee QC MP*."""
        letters = _DEGREES.match(self.text, mention.end)
        for word in letters[0].replace(",", " ").split() if letters else ():
            if re.fullmatch(PATTERNS["degree"], word):
                yield from self._value("degree", word, sentence, "beside")
            elif word in {"MP", "QC"}:
                yield Statement("occupation", occupation_key(word.lower()), word, sentence)

    def _employer_alone(
        self, found: re.Match[str], sentence: str, *, is_below: bool
    ) -> Iterator[Statement]:
        """The organisation of a run beside the name if a word or its letters tell it.

        Titles of works stand beside and below names, too, and places of events.
        """
        run = found["run"]
        headed = is_headed(run.replace("Univ.", "University"))
        short = len(_CAPITALISED.findall(run)) <= _MAX_CAPITALISED
        alone = not is_below and run.isupper() and " " not in run
        if (headed and short) or alone:
            ends = found[0][1:2].islower() or _ENDS_ITEM.match(found.string, found.end())
            short_for = alone and bool(ends) and is_acronym(run)
            yield from self._employer(found, sentence, "beside", introduced=short_for)

    def _role(self, brackets: str, *, in_title: bool) -> tuple[Occupation | None, str, str]:
        """The occupation in brackets behind the name, their text up to a birth, and the birth.

        Titles of Wikipedia tell namesakes apart so: *Ann Lee (jazz pianist, born 1995)*.
        """
        role, born, date = brackets.partition("born ")
        role = role.rstrip(", ")
        found = self._occupation_behind(role, heading=True)
        if in_title and not (found or self.words):
            found = occupation_at(role, self.own)
        return found, role, f"{born}{date}" if found else ""

    def _around(self, mention: Mention, given: Iterable[str]) -> tuple[str, str, str, str] | None:
        """Text before a mention, in brackets behind it, behind these, and on the line below.

        The last only if the name stands alone. None where it is that of a relative or a place.
        """
        text, words = self.text, self.words
        before = text[max(0, mention.start - _BEFORE_LENGTH) : mention.start].rpartition("\n")[2]
        for name in given:
            if before.rstrip().lower().endswith(name):
                before = before.rstrip()[: -len(name)]
        if _RELATIVE.search(before) or (words and words.relative.search(before)):
            return None
        if (word := _LAST_WORD.search(before)) and word[1] in GROUNDS:
            return None
        after, _, below = text[mention.end : mention.end + _AFTER_LENGTH].partition("\n")
        after = _DEGREES.sub("", after, count=1)
        bracketed = _BRACKETS.match(after)
        after = after[bracketed.end() :] if bracketed else after
        heading = "" if after.strip(" ,:") or before.strip() else below.partition("\n")[0]
        # What follows *the assistant of Ann Lee* may be about the assistant.
        after = "" if words and words.possessor.search(before) else after
        return before, bracketed[1] if bracketed else "", after, heading

    def _occupation_before(self, text: str) -> Occupation | None:
        """The occupation that a text before the name ends with; None if there is none."""
        if self.words is None:
            return occupation_before(text, self.own)
        title = self.words.occupation_before(text, self.own)
        return Occupation(occupation_key(title), title) if title else None

    def _occupation_behind(self, text: str, *, heading: bool = False) -> Occupation | None:
        """The occupation behind a name; None if there is none.

        Args:
            text: what stands behind the name, or all of what follows it in brackets or on a line.
            heading: whether it is the latter, which is no part of a sentence.
        """
        if self.words:
            found = self.words.occupation_behind(text, self.own, heading=heading)
            return Occupation(occupation_key(found[0]), *found) if found else None
        lead = None if heading else _LEAD.match(text)
        if not heading and not (lead and (lead["apart"] or lead["verb"])):
            return None
        begin = lead.end() if lead else len(text) - len(text.removeprefix("A ").removeprefix("An "))
        occupation = occupation_at(text[begin:], self.own, heading=heading)
        rest = text[begin + occupation.end :] if occupation else ""
        if occupation is None or (heading and (rest[:1] == ":" or self._others(rest))):
            return None  # a label, or somebody else
        return occupation._replace(end=begin + occupation.end)

    def _work(
        self, occupation: Occupation, text: str, sentence: str, way: str
    ) -> Iterator[Statement]:
        """An occupation, the nationality that specifies it, and the employer behind it.

        Args:
            occupation: in the text.
            text: with the occupation and what follows it.
            sentence: as it is shown.
            way: how it is stated.
        """
        yield Statement("occupation", occupation.key, occupation.text, sentence, way=way)
        yield from _affiliations(
            employers_before(text[: occupation.end], self.own, self.recognised), sentence, way
        )
        first = occupation.text.split()[0]
        if first in nation_adjectives() and not _TEACHES.search(occupation.text):
            yield Statement("nationality", first.lower(), first, sentence, way=way)
        rest = _SENTENCE_ENDS.split(text[occupation.end :][:_FAR], maxsplit=1)[0]
        if (joined := _JOINED.match(rest)) and (
            following := occupation_at(rest[joined.end() :], self.own)
        ):
            yield from self._work(following, rest[joined.end() :], sentence, way)
            return
        for found in islice(_RUN.finditer(rest), 4):
            between = rest[: found.start()]
            on_a_place = between.endswith(" on ") and " " not in found["run"]  # on the Humber
            if _BETWEEN.fullmatch(between) and not on_a_place:
                yield from (stated := [*self._employer(found, sentence, way)])
                if stated:
                    return

    def _employer(
        self, found: re.Match[str], sentence: str, way: str, *, introduced: bool = False
    ) -> Iterator[Statement]:
        """The organisation of a run, and the place behind it."""
        run, place = found["run"], _PLACE_BEHIND.match(found.string, found.end())
        if fine_kind(run, "") in PRINTERS or _PRINTS.search(run):
            return
        introduced = introduced or _AT.search(found.string[: found.start()]) is not None
        stated = organisations_of(run, self.own, self.recognised, introduced=introduced)
        yield from _affiliations(stated, sentence, way)
        # *University of California, Los Angeles* is one name.
        if stated and place and not place_of(run.split()[-1], self.own):
            yield from self._value("location", place["place"], sentence, way)

    def sentences(self, mentions: Iterable[Mention]) -> Iterator[Statement]:
        """Statements of the sentences whose subject is the person.

        Args:
            mentions: of the person, also by the family name alone.
        """
        usable = [each for each in mentions if self._is_subject(each)]
        gender, forms = "", self.forms
        for sentence, plain in islice(self._subject_sentences(usable), _MAX_SENTENCES):
            own = {forms.genders[word.lower()] for word in forms.gendered.findall(plain)}
            gender = gender or (min(own) if len(own) == 1 else "")
            if titled := _TITLED.search(plain):
                own = {"masculine" if titled[1] == "Mr" else "feminine"}
            if (titled or MARK not in plain) and gender not in {"", *own}:
                continue  # Mrs Baker is no Thomas
            goes_on = [] if MARK in plain else [forms.goes_on.match(plain)]
            for subject in filter(None, (*islice(forms.subject.finditer(plain), 4), *goes_on)):
                behind = plain[subject.end() :]
                if occupation := self._occupation_behind(behind):
                    yield from self._work(occupation, behind, sentence, "sentence")
                before = plain[max(0, subject.start() - _BEFORE_LENGTH) : subject.start()]
                if title := self._occupation_before(before):
                    yield from self._work(title, "", sentence, "sentence")
                    yield from _affiliations(
                        employers_before(before, self.own, self.recognised), sentence, "sentence"
                    )
            people = (each.start() for each in islice(forms.person.finditer(plain), 8))
            places = sorted({0, *people})
            words = frozenset(plain.split())
            for form, needed in forms.sentences:
                if needed and needed.isdisjoint(words):
                    continue
                matches = (form.match(plain, at) for at in places)
                if found := next(filter(None, matches), None):
                    yield from self._values(found, sentence, gender)

    def _is_subject(self, mention: Mention) -> bool:
        """Whether a mention is of the person: no part of a longer name, *Camp David Lodge*."""
        words, before = self.words, mention.before
        if _RELATIVE.search(before) or (
            words and (words.relative.search(before) or words.possessor.search(before))
        ):
            return False
        if mention.kind is MentionKind.FAMILY or mention.is_whole:
            word = _LAST_WORD.search(mention.before)
            last = word[1].rstrip(".").lower() if word else ""
            title = last in HONORIFICS or (last,) in listed_occupations()
            alone = mention.kind is MentionKind.FAMILY
            if alone and _ARTICLE.search(before):  # the Hill family, the Hills of York
                return False
            return not word or title or not (alone or word[1] in GROUNDS)
        return mention.kind not in _OTHERS

    def _subject_sentences(self, mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
        """Sentences about the person, as shown, and with a mark in the place of mentions.

        A sentence without a mention is about the person if it begins with *she* or *his*, or with
        *In 1921, she*, and the last one about anybody is, and names nobody of the family last.
        """
        start, about, left = 0, 0, list(reversed(mentions))
        for line in self.text.split("\n"):
            end, here = start + len(line), list[Mention]()
            while left and left[-1].start < end:
                here.append(left.pop())
            if not here and not about:
                start = end + 1
                continue
            cuts = [each.end() for each in _SENTENCE_ENDS.finditer(line)]
            for begin, stop in pairwise(dict.fromkeys((0, *cuts, len(line)))):
                own = [each for each in here if begin <= each.start - start < stop]
                plain, last = "", begin
                for mention in own:
                    plain += line[last : mention.start - start] + MARK
                    last = mention.end - start
                plain = (plain + line[last:stop]).strip()
                goes_on = self.forms.goes_on.match(plain) if about and not own else None
                lead = plain.partition(MARK)[0] if own else goes_on[0] if goes_on else plain
                about = 0 if self._others(lead) else _KEPT if own or goes_on else max(0, about - 1)
                told = own or (goes_on and about)
                if self.forms.object.search(plain) or self.relative.search(
                    plain, plain.rfind(MARK) + 1
                ):
                    about = 0
                if told and len(plain) <= _MAX_READ and not _HOSTILE.search(plain):
                    yield line[begin:stop].strip()[:_MAX_SENTENCE], plain
            start = end + 1

    def _others(self, text: str) -> bool:
        """Whether a text names somebody else."""
        return any(
            (titled or is_usual_given_name(word)) and word.lower() not in self.own
            for titled, word in _NAMES.findall(text)
        )

    def _values(self, found: re.Match[str], sentence: str, gender: str) -> Iterator[Statement]:
        """The values in the groups of a form, if it is about the person and they are valid.

        Args:
            found: the form in the sentence.
            sentence: as it is shown.
            gender: of the person, ``masculine`` or ``feminine``, empty if unknown.
        """
        groups = {name: run for name, run in found.groupdict().items() if run}
        first, before = found[0].split()[0].lower(), found.string[: found.start()]
        genders, named = self.forms.genders, before.rfind(MARK)
        # Before the mention *his* is its own if nobody is named before it.
        elsewhere = named < 0 and MARK in found.string and _CAPITALISED.search(before[1:])
        if first in genders and (
            gender not in {"", genders[first]} or elsewhere or self._others(before[named + 1 :])
        ):
            return
        kin = groups.pop("kin", "").lower()
        if kin and found.string[found.end("kin") : found.start("relative")] == " of ":
            kin = _CONVERSE.get(kin, "")  # the daughter of Tom: he is a parent
        for name, run in groups.items():
            if name == "occupation":
                text = found.string[found.start(name) :]
                if occupation := occupation_at(text, self.own):
                    yield from self._work(occupation, text, sentence, "sentence")
            elif name == "titles":
                for each in islice(_DATED_TITLE.finditer(run), _MAX_LISTED):
                    yield from self._value("work", each[1], sentence, "sentence")
            elif name in {"works", "studies"}:
                yield from self._listed(run, sentence, at_work=name == "works")
            else:
                yield from self._value(name.replace("_", " "), run, sentence, "sentence", kin)

    def _listed(self, text: str, sentence: str, *, at_work: bool) -> Iterator[Statement]:
        """The employers of a text about work, or the schools and degrees of one about studies."""
        for found in islice(_RUN.finditer(text), _MAX_LISTED):
            if self._others(found["run"]) and not is_organisation(found["run"], self.recognised):
                break  # what follows is somebody else's
            if not at_work:
                yield from self._value("school", found["run"], sentence, "sentence")
            elif _INTO.search(text[: found.start("run")]):
                yield from self._employer(found, sentence, "sentence")
        for found in islice(re.finditer(PATTERNS["degree"], text), 0 if at_work else _MAX_LISTED):
            yield from self._value("degree", found[0], sentence, "sentence")

    def _value(
        self, name: str, run: str, sentence: str, way: str, detail: str = ""
    ) -> Iterator[Statement]:
        """The statement of a value of :data:`_VALUES`, if the words are valid."""
        if name in {"affiliation", "employer"}:  # one or several
            told = organisations_of(run, self.own, self.recognised, introduced=name == "employer")
            yield from _affiliations(told, sentence, way)
            return
        about, run = _VALUES[name], run.strip(" ,;:")
        detail = about.detail or detail
        first, *others = _LISTED.split(run)
        if others and detail in _SEVERAL:  # sons, children
            for each in (first, *others):
                yield from self._value(name, each, sentence, way, detail)
            return
        if MARK not in run and (value := about.read(run, self)):
            key = _key_of(about.attribute, value)
            yield Statement(about.attribute, key, value, sentence, detail, way)

    def data(self) -> Iterator[Statement]:
        """Statements of structured data whose subject has the name, as it has them."""
        for subject, attribute, stated, property_name in self.document.stated:
            if not any(each.is_whole for each in matcher(self.name).find(subject)):
                continue
            value, detail = stated, ""
            if attribute.startswith("date"):
                date = re.search(DATE, stated)
                value = iso_date(date[0]) if date else ""
            elif attribute == "occupation":
                value = _read_occupation(stated, self) or stated
            elif attribute == "relative":
                detail = _KIN.get(property_name, property_name)
            if value and (attribute not in _OF_WORDS or _PLAIN.fullmatch(value)):
                key, sentence = _key_of(attribute, value), f"{property_name}: {stated}"
                yield Statement(attribute, key, value, sentence, detail, "data")

    def profile(self, mentions: Sequence[Mention]) -> Iterator[Statement]:
        """Fields of a profile below a line that has only the name, and addresses of the person.

        Args:
            mentions: of the name.
        """
        is_shop = page_kind(self.document, self.name) == "shop"
        for mention in () if is_shop else mentions:
            begin = self.text.rfind("\n", 0, mention.start) + 1
            line, _, below = self.text[begin : mention.end + _PROFILE_LENGTH].partition("\n")
            around = f"{line[: mention.start - begin]} {line[mention.end - begin :]}"
            if _ONLY_NAME.fullmatch(_DEGREES.sub("", around)):
                yield from self._fields(below.split("\n")[:_PROFILE_LINES])
        text = self.text.lower()
        for address in self.document.emails:
            at = text.find(address)
            behind = (each for each in mentions if 0 <= at - each.end < _NEAR)
            near = any(_JOINING.fullmatch(self.text, each.end, at) for each in behind)
            if near or is_named_after(address, self.name):
                shown = self.sentence_at(at, at + len(address)) if at >= 0 else address
                yield Statement("e-mail", address, address, shown, way="profile")

    def _fields(self, lines: Sequence[str]) -> Iterator[Statement]:
        """Statements in the lines below the name."""
        seen = set[str]()
        for number, (line, following) in enumerate(pairwise((*lines, ""))):
            if len(line) > _SHORT_LINE:
                continue
            if is_name_line(line):
                return  # somebody else
            if _RIGHTS.search(line):
                return  # the foot of the page
            yield from self._numbers(line, labelled_only=number >= _ADDRESS_LINES)
            if number < _ADDRESS_LINES and (zipped := _POSTAL_CODE.search(line)):
                yield from self._value("location", zipped["place"], line, "profile")
            if number < _LINES_BELOW:
                yield from self._line_below(line)
            labelled = self.forms.label.fullmatch(line)
            if labelled and (labelled["colon"] or not labelled["value"]):
                name = self.forms.labels[" ".join(labelled["label"].lower().split())]
                if name in seen:
                    return  # somebody else
                seen.update({name} - {"phone", "fax"})
                value = labelled["value"] or following[:_SHORT_LINE]
                shown = line if labelled["value"] else f"{line}: {value}"
                if begins := re.match(PATTERNS[name], value):
                    yield from self._value(name, begins[0], shown, "profile")

    def _numbers(self, line: str, *, labelled_only: bool) -> Iterator[Statement]:
        """The telephone and fax numbers of a line, without a label those of American form."""
        for found in () if self._others(line) else _NUMBER.finditer(line):
            alone = not labelled_only and _AMERICAN.fullmatch(found["number"])
            if found["fax"] or found["phone"] or alone:
                kind = "fax" if found["fax"] else "phone"
                yield from self._value(kind, found["number"], line, "profile")

    def _line_below(self, line: str) -> Iterator[Statement]:
        """Occupation, employer or place on a line of its own, right below the name."""
        if occupation := self._occupation_behind(line, heading=True):
            yield from self._work(occupation, line, line, "profile")
        elif (
            (run := _LINE_OF_RUN.match(line))
            and is_headed(run["run"])
            and len(_CAPITALISED.findall(line)) <= _MAX_CAPITALISED
        ):
            yield from self._employer(run, line, "profile")
        if re.fullmatch(PLACE, line):
            yield from self._value("location", line, line, "profile")


def _affiliations(names: Iterable[str], sentence: str, way: str) -> Iterator[Statement]:
    for each in names:
        key = _key_of("affiliation", each)
        yield Statement("affiliation", key, each, sentence, way=way)


_OF_WORDS = frozenset(("occupation", "nationality", "birth place", "location"))
_PLAIN = re.compile(r"[^\W\d_][^\d\"<>{}\[\]|\\@]{1,99}")
"""Attributes whose values are words, and pattern of what may be one."""
_KIN = {"children": "child", "relatedTo": ""}
"""Property of structured data → what a relative is to the person, if it is not the same."""


def _key_of(attribute: str, value: str) -> str:
    """The key of a value, see :class:`Statement`."""
    if attribute.startswith("date"):
        return value[:4]
    if attribute in {"phone", "fax"}:
        return re.sub(r"\D", "", value)[-_LOCAL_DIGITS:]
    if attribute in {"affiliation", "school"}:
        return entity_form(value, "organisation")
    return value.lower().partition(",")[0]


class _Value(NamedTuple):
    """A kind of value that forms and fields have."""

    attribute: str
    read: Callable[[str, _PageReader], str]
    """The value as it is to be shown; empty for words that are none."""
    detail: str = ""


def _read_place(run: str, page: _PageReader) -> str:
    place = place_of(run, page.own)
    return place if place == run else ""  # else it is one of a list


def _read_person(run: str, page: _PageReader) -> str:
    name = person_of(_LISTED.split(run)[0])
    return name if not page.own & {name.lower()} else ""


def _read_other_name(run: str, page: _PageReader) -> str:
    name = person_of(run.strip('"“”'))
    words = {*name.lower().split()}
    return name if len(words) > 1 and words - page.own else ""


def _read_occupation(run: str, page: _PageReader) -> str:
    found = occupation_at(run, page.own, heading=True)
    return found.text if found else ""


def _read_school(run: str, page: _PageReader) -> str:
    for name in (run.removesuffix("'s"), *JOINS.split(run)):
        is_school = fine_kind(name, "") in _SCHOOLS or name in page.forms.schools
        if is_school and page.own.isdisjoint(name.lower().split()):
            return without_shouting(name)
    return ""


def _as_written(run: str, page: _PageReader) -> str:
    """The words without quotation marks, if they are not those of the name."""
    words = run.strip("\"“”‘’' ")
    return words if page.own.isdisjoint(words.lower().split()) else ""


_SCHOOLS = frozenset(("school", "university"))
_LISTED = re.compile(r",\s(?:and\s)?|\sand\s")
_CONVERSES = {
    "parent": "son daughter child",
    "child": "father mother",
    "spouse": "wife husband spouse widow widower",
    "sibling": "brother sister sibling twin",
    "grandparent": "grandson granddaughter",
    "grandchild": "grandfather grandmother",
    "cousin": "cousin",
}
_CONVERSE = {word: each for each, words in _CONVERSES.items() for word in words.split()}
"""What somebody is to a relative → what the relative is to them."""
_SEVERAL = frozenset(
    "sons daughters children brothers sisters siblings parent parents grandparents".split()
)
_VALUES = {
    "date of birth": _Value("date of birth", lambda run, _: iso_date(run)),
    "date of death": _Value("date of death", lambda run, _: iso_date(run)),
    "birth place": _Value("birth place", lambda run, page: place_of(run, page.own, loosely=True)),
    "nationality": _Value("nationality", lambda run, _: run * (run in nation_adjectives())),
    "other name": _Value("other name", _read_other_name),
    "occupation": _Value("occupation", _read_occupation),
    "location": _Value("location", _read_place),
    "home": _Value("location", lambda run, page: place_of(run, page.own, loosely=True)),
    "work": _Value("work", _as_written),
    "award": _Value("award", _as_written),
    "school": _Value("school", _read_school),
    "degree": _Value("degree", lambda run, _: run),
    "major": _Value("major", _as_written),
    "mentor": _Value("mentor", _read_person),
    "relative": _Value("relative", _read_person),
    "children": _Value("relative", _read_person, "children"),
    "spouse": _Value("relative", _read_person, "spouse"),
    "father": _Value("relative", _read_person, "father"),
    "mother": _Value("relative", _read_person, "mother"),
    "phone": _Value("phone", lambda run, _: telephone_of(run)),
    "fax": _Value("fax", lambda run, _: telephone_of(run)),
    "e-mail": _Value("e-mail", lambda run, _: email_of(run)),
    "web site": _Value("web site", lambda run, page: site_of(run, page.document.url, page.name)),
}
"""Name in forms and fields → what stands there."""
