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
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING

from weps._cache import content_digest
from weps._text import singular_form
from weps.features.entities import entity_form, fine_kind
from weps.features.name import NameForm, mentions_of, name_forms
from weps.language.analysis import (
    Analysis,
    cached_for_name,
    page_languages,
    page_text,
    person_words_of_pages,
)
from weps.name.mentions import Mention, matcher
from weps.name.person_name import is_usual_given_name
from weps.people.context import ContextEntities, Statement
from weps.people.forms import (
    AMONG,
    CONVERSE,
    DATED_TITLE,
    DEGREES,
    HOSTILE,
    LEAD,
    LISTED,
    MARK,
    SEVERAL,
    TITLED,
    VALUES,
    PageWords,
    forms_of,
)
from weps.people.pages import page_digests, page_kind
from weps.people.subjects import (
    LAST_WORD,
    POSSESSOR,
    RELATIVE,
    SENTENCE_ENDS,
    is_cited,
    is_plain_first,
    is_repeated,
    is_subject,
    names_another,
    names_with,
    without_namesakes,
)
from weps.people.values import (
    AMERICAN_NUMBER,
    CAPITAL,
    CAPITALISED_RUN,
    DATE,
    GROUNDS,
    LIVES,
    NUMBER,
    PATTERNS,
    PERSON,
    PLACE,
    PRINTERS,
    TEACHES,
    YEARS,
    Occupation,
    employers_before,
    is_acronym,
    is_attested,
    is_headed,
    is_name_line,
    is_named_after,
    is_organisation,
    iso_date,
    nation_adjectives,
    occupation_at,
    occupation_before,
    occupation_key,
    organisations_of,
    party_and_state,
    place_of,
    stated_life,
    value_key,
)
from weps.records import Document

if TYPE_CHECKING:
    from weps.language.person_words import PersonWords


_MAX_MENTIONS, _MAX_SENTENCES, _MAX_STATEMENTS = 40, 200, 200
"""Mentions, sentences and statements of a page that are read, the first ones of each."""
_BEFORE_LENGTH, _AFTER_LENGTH, _MAX_SENTENCE = 60, 200, 240
"""Characters before and after a mention that are read, and of a sentence that is shown."""


@cached_for_name
def page_statements(
    analysis: Analysis, context: ContextEntities
) -> tuple[tuple[Statement, ...], ...]:
    """For each document what it states about the person, each thing once a sentence.

    Years are left out where they contradict each other, as they do in genealogies.

    Args:
        analysis: the name and its pages.
        context: the entities near the name, which tell organisations that no word tells.
    """
    forms = [
        entity_form(text, kind) if kind == "organisation" else ""
        for text, kind in zip(context.texts, context.kinds, strict=True)
    ]
    statements, known = list[tuple[Statement, ...]](), dict(context.statements)
    context.statements.clear()  # pages may be gone
    for document, digest, mentions, every, form, columns, words, language in zip(
        analysis.documents,
        page_digests(analysis),
        mentions_of(analysis, hyphenated=True),
        analysis.mentions,
        name_forms(analysis),
        context.present.tolil().rows,
        person_words_of_pages(analysis),
        page_languages(analysis),
        strict=True,
    ):
        recognised = frozenset(forms[column] for column in columns) - {""}
        key = content_digest(digest, *sorted(analysis.name_words), "", *sorted(recognised))
        if mentions and key not in known:
            page = _PageReader(document, analysis, recognised, words, language or "en")
            known[key] = page.statements(mentions[:_MAX_MENTIONS], every, form)
        statements.append(context.statements.setdefault(key, known.get(key, ())))
    return tuple(statements)


_INITIALS = re.compile(r"(?<![\w.])((?:[A-Z]\.[^\S\n]?){1,2})$")
"""Initials that stand before a mention: *D. Elmo Hardy*."""
_BRACKETS = re.compile(r"[^\S\n]{0,2}\(([^()\n]{1,80})\)")
_RIGHTS = re.compile(r"©|\(c\)|copyright|all rights|&copy;", re.IGNORECASE)
"""Words of a notice, in which years are no life."""
_RUN = re.compile(rf"(?<!\S)(?:the[^\S\n])?(?P<run>{CAPITALISED_RUN})")
_WHOLE_RUN = rf"(?:the[^\S\n])?(?P<run>{CAPITALISED_RUN})(?=[^\S\n]*(?:[\n,;.(|–-]|$))"
_LINE_OF_RUN = re.compile(_WHOLE_RUN)
_PART_OF_LINE = re.compile(rf"(?:^|,[^\S\n]){_WHOLE_RUN}")
_OWNER = re.compile(rf"(?<!\S)(?P<run>{CAPITALISED_RUN})[^\S\n]$")
_DIRECT = re.compile(
    r"(?:[,;][^\S\n]|[^\S\n][-–—/][^\S\n]|[^\S\n](?:of|at|from)[^\S\n])(?:the[^\S\n])?"
    rf"(?P<run>{CAPITALISED_RUN})"
)
_PLACE_BEHIND = re.compile(
    rf"(?:,[^\S\n](?:\d\d,[^\S\n])?(?:of[^\S\n])?|[^\S\n](?:of|from)[^\S\n]|[^\S\n]\((?=[^()]+\)))(?P<place>{PLACE})"
    r"(?![^\S\n]?:|[^\S\n]?[12]\d\d\d)"  # where a book was published
)
_ENDS_ITEM = re.compile(r"[,;.)\n]|$")
_KEPT = 3
"""Sentences, the next one included, over which a person is the subject if nobody else is named."""
_LISTED_PERSON = re.compile(
    rf"(?:^\W{{0,3}}|[,;:]\s(?:and\s)?|\sand\s)(?:(?:Mrs|Mr|Dr)\.?\s)?({PERSON})"
)
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
_LISTED_NEXT = re.compile(
    r"(?:\s\([^()]{1,60}\))?,?\s(?:and\s)?(?:(?:at|for|of|with)\s)?(?:the\s)?"
)
"""Text between two employers of a list."""
_HEAD_OF = re.compile(
    r"(?:chairman|chair|director|founder|head|member|manager|owner) of \|the (?!.* in )\S+ .+$"
)
"""Occupation, and what somebody heads or belongs to."""
_SOURCES = frozenset(("association", "bank", "company", "library", "museum", "newspaper"))
_MAX_CAPITALISED = 5
"""Words with capitals in the name of an organisation that nothing introduces."""
_PRINTS = re.compile(r"\b(?:Press|Publish\w+|Publications?|Books?|Verlag|Magazine|Review|Times)\b")
"""Kinds and words of what prints the texts of others beside their names."""
_JOINED = re.compile(r"(?:[,;]\s?(?:and\s)?|\s?[/&]\s?|\sand\s)(?:also\s)?(?:an?\s|the\s)?(?=\w)")
"""Text between two occupations."""
_JOINED_LATER = re.compile(
    r"(?:\s\([^()]{1,40}\))?(?:[,;]\s(?:and\s)?|\sand\s)(?:(?:was|is|also|currently)\s)?(?:an?\s|the\s)?(?=\w)"
)
"""Text between an employer and the next occupation."""
_NAME_NEXT = re.compile(r"\s[A-Z]")
"""Text behind an occupation that is somebody else's."""
_FAR = 250
"""Characters behind an occupation within which the organisation stands."""
_SUBJECT_FIRST = re.compile(rf"(?:[A-Z]\w*\.?[^\S\n]){{0,2}}{MARK}(?!['’,])(?!.*\bwho\b)")
"""Beginning of a sentence whose subject *he* is in the next one, whomever else it names."""
_SUBJECT = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
"""Word before a mention that says of whom the sentence is."""
_APPOSED = re.compile(rf"\s(?:is|was)\s.{{0,100}}?{CAPITAL}\s{CAPITAL},\s\w+$")
"""Clause before *her* that names another: *It is about Dicey Tillerman, her brothers*."""
_CAPITALISED = re.compile(r"[A-Z][a-z]+")
_NAMES = re.compile(r"(\b(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord)\.?[^\S\n])?([A-Z][a-z]+)")
"""Words with capitals, and titles before them."""
_NO_EMPLOYER = re.compile(
    r".{0,40}student\b|(?:co-)?(?:author|composer|creator|illustrator|translator|writer) of\b"
)
"""Occupations, and what stands behind them, that tell a school, or what somebody made."""
_SHORT, _SHORT_LINE, _MAX_READ = 60, 160, 800
"""Characters: of lines over which the subject is kept, of fields of a profile, of sentences."""
_PROFILE_LENGTH, _PROFILE_LINES, _NEAR = 2_000, 25, 150
"""Characters and lines of a profile, and characters from the name to an address of the person."""
_JOINING = re.compile(r"[\W_]*(?:(?i:e-?mail|contact|mailto|at)[\W_]*)?")
"""Text between the name and an address of the person."""
_ONLY_NAME = re.compile(r"(?i:name|full name|contact|dr|mr|mrs|ms|prof|professor|about|hon)?\W*")
_POSTAL_CODE = re.compile(
    rf"(?:^|,[^\S\n]|\d[^\S\n])(?P<place>{CAPITAL}(?:[^\S\n]{CAPITAL}){{0,2}},[^\S\n][A-Z]{{2}})[^\S\n]\d{{5}}\b"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NOTE = re.compile(r"[^\S\n]?\([^()]{0,40}\)")
_LISTS = frozenset(
    "occupation children sons daughters brothers sisters siblings parents spouse".split()
)
"""Fields whose values are lists, with notes in brackets."""
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
        self.own_words = PageWords(self.own, self.name, document.url, self.forms.schools)
        family = re.escape(self.name.family) or "(?!)"
        self.relative = re.compile(rf"{CAPITAL}[^\S\n](?:[A-Z]\.[^\S\n])?(?i:{family})\b")
        """Pattern of other names with the family name."""
        self.is_about_another = names_another(document.title, self.name)
        """Whether the title names somebody else, who then is *he*."""

    def statements(
        self, mentions: Sequence[Mention], every: Iterable[Mention], form: NameForm | None
    ) -> tuple[Statement, ...]:
        """What the page states about the person.

        Args:
            mentions: of the whole name, one at least.
            every: mentions of any kind.
            form: in which the page has the name; None where it has not.
        """
        found = list[Statement]()
        read = [each for each in mentions if not is_cited(each, self.text)]
        if form:
            initials = Counter(m[1] for each in read if (m := _INITIALS.search(each.before)))
            usual = (each.strip() for each, n in initials.items() if 2 * n > len(read))
            written = " ".join([*usual, form.written(self.name)])
            middle = any(len(each) > 1 for each in form.between)
            later = middle and is_plain_first(mentions, self.text, self.document.title)
            if later or ((form.before or form.after) and not is_attested(written, self.text)):
                written = NameForm().written(self.name)
            shown = self.sentence_at(mentions[0].start, mentions[0].end)
            found.append(Statement("other name", written.lower(), written, shown, way="name"))
        for mention in read:
            found += self.beside(mention, form.before if form else ())
        found += self.sentences(each for each in every if not is_cited(each, self.text))
        found += self.profile(read)
        found += self.data()
        years = [{int(each.key) for each in found if each.attribute == kind} for kind in YEARS]
        if max(map(len, years)) > 1 or any(b - a not in LIVES for a, b in product(*years)):
            found = [each for each in found if each.attribute not in YEARS]
        first = {each[:4]: each for each in reversed(found)}
        return tuple(reversed(first.values()))[:_MAX_STATEMENTS]

    def sentence_at(self, start: int, end: int) -> str:
        """The sentence around a part of the text, cut where it is long."""
        begin = max(self.text.rfind("\n", 0, start) + 1, start - _MAX_SENTENCE // 2)
        for each in SENTENCE_ENDS.finditer(self.text, begin, start):
            begin = each.end()
        stop = SENTENCE_ENDS.search(self.text, end)
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
        party, state = party_and_state(brackets or after.removeprefix(", ").partition(",")[0])
        yield from _affiliations(filter(None, [party]), sentence, "beside")
        yield from self._value("location", state, sentence, "beside")
        brackets = "" if party else brackets
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
        yield from self._titles(before, sentence, "beside")
        line = self.text[max(0, mention.start - _MAX_SENTENCE) : mention.start].rpartition("\n")[2]
        if (among := AMONG.search(line)) and (
            trade := self._occupation_before(among["lead"] + singular_form(among["plural"]))
        ):
            yield Statement("occupation", trade.key, trade.text, sentence)
        if before.endswith("'s ") and (owner := _OWNER.search(before)):
            yield from _affiliations(
                organisations_of(owner["run"], self.own, self.recognised), sentence, "beside"
            )
        if place := _PLACE_BEHIND.match(after):
            yield from self._value("location", place["place"], sentence, "beside")

    def _letters(self, mention: Mention, sentence: str) -> Iterator[Statement]:
        """Degrees and offices behind a mention: *Ann Lee, Ph.D.*, *Ann Lee QC MP*."""
        letters = DEGREES.match(self.text, mention.end)
        for word in letters[0].replace(",", " ").split() if letters else ():
            if re.fullmatch(PATTERNS["degree"], word):
                yield from self._value("degree", word, sentence, "beside")
            if (plain := word.replace(".", "")) in {"MD", "MP", "QC"}:
                yield Statement("occupation", occupation_key(plain.lower()), plain, sentence)

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
        # *At the request of Ann Lee, GAO was asked* has no employer.
        goes_on = found[0][1:2] == "," and re.match(r"\s[a-z]", found.string[found.end() :])
        if (headed and short) or (alone and not goes_on):
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
        if RELATIVE.search(before) or (words and words.relative.search(before)):
            return None
        if (word := LAST_WORD.search(before)) and word[1] in GROUNDS:
            return None
        after, _, below = text[mention.end : mention.end + _AFTER_LENGTH].partition("\n")
        after = DEGREES.sub("", after, count=1)
        bracketed = _BRACKETS.match(after)
        after = after[bracketed.end() :] if bracketed else after
        heading = "" if after.strip(" ,:") or before.strip() else below.partition("\n")[0]
        above = text[: text.rfind("\n", 0, mention.start) + 1].rstrip("\n").rpartition("\n")[2]
        if is_repeated(heading, text) or is_name_line(_NOTE.sub("", above)):  # end of a list
            heading = ""
        # What follows *the assistant of Ann Lee* may be about the assistant.
        after = "" if (words.possessor if words else POSSESSOR).search(before) else after
        return before, bracketed[1] if bracketed else "", after, heading

    def _occupation_before(self, text: str) -> Occupation | None:
        """The occupation that a text before the name ends with; None if there is none."""
        if self.words is None:
            return occupation_before(text, self.own)
        title = self.words.occupation_before(text, self.own)
        return Occupation(occupation_key(title), title) if title else None

    def _titles(self, text: str, sentence: str, way: str) -> Iterator[Statement]:
        """The occupation that a text before the name ends with, and the employer before it."""
        if title := self._occupation_before(text):
            yield from self._work(title, "", sentence, way)
            yield from _affiliations(
                employers_before(text, self.own, self.recognised), sentence, way
            )

    def _occupation_behind(self, text: str, *, heading: bool = False) -> Occupation | None:
        """The occupation behind a name; None if there is none.

        Args:
            text: what stands behind the name, or all of what follows it in brackets or on a line.
            heading: whether it is the latter, which is no part of a sentence.
        """
        if self.words:
            found = self.words.occupation_behind(text, self.own, heading=heading)
            return Occupation(occupation_key(found[0]), *found) if found else None
        lead = None if heading else LEAD.match(text)
        if not heading and not (lead and (lead["apart"] or lead["verb"])):
            return None
        begin = lead.end() if lead else len(text) - len(text.removeprefix("A ").removeprefix("An "))
        occupation = occupation_at(text[begin:], self.own, heading=heading)
        rest = text[begin + occupation.end :] if occupation else ""
        next_one = rest if heading else _NAME_NEXT.match(rest) and " ".join(rest.split()[:2])
        if occupation is None or (heading and rest[:1] == ":") or self._others(next_one or ""):
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
        if first in nation_adjectives() and not TEACHES.search(occupation.text):
            yield Statement("nationality", first.lower(), first, sentence, way=way)
        rest = SENTENCE_ENDS.split(text[occupation.end :][:_FAR], maxsplit=1)[0]
        if (joined := _JOINED.match(rest)) and (
            following := occupation_at(rest[joined.end() :], self.own)
        ):
            yield from self._work(following, rest[joined.end() :], sentence, way)
            return
        last, text = 0, f"{occupation.key}{rest}"
        for found in () if _NO_EMPLOYER.match(text) else islice(_RUN.finditer(rest), 6):
            between = rest[: found.start()]
            on_a_place = between.endswith(" on ") and " " not in found["run"]  # on the Humber
            goes_on = not last or _LISTED_NEXT.fullmatch(between, last)
            if goes_on and _BETWEEN.fullmatch(between) and not on_a_place:
                heads = _HEAD_OF.search(f"{occupation.key}{between}|{found[0]}") is not None
                stated = [*self._employer(found, sentence, way, introduced=heads)]
                yield from stated
                last = found.end() if stated else last
        if last and (joined := _JOINED_LATER.match(rest, last)):
            following = occupation_at(rest[joined.end() :], self.own)
            if following and not _NAME_NEXT.match(rest, joined.end() + following.end):
                yield from self._work(following, rest[joined.end() :], sentence, way)

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
        namings = names_with(self.name.family, self.relative, self.text)
        usable = (
            mention
            for mention in without_namesakes(self.text, mentions, namings)
            if is_subject(mention, self.text, self.name, self.words)
        )
        gender, forms = "", self.forms
        for sentence, plain in islice(self._subject_sentences([*usable]), _MAX_SENTENCES):
            own = {forms.genders[word.lower()] for word in forms.gendered.findall(plain)}
            gender = gender or (min(own) if len(own) == 1 else "")
            if titled := TITLED.search(plain):
                own = {"masculine" if titled[1] == "Mr" else "feminine"}
            if (titled or MARK not in plain) and own and gender not in {"", *own}:
                continue  # Mrs Baker is no Thomas
            goes_on = [] if MARK in plain else [forms.goes_on.match(plain)]
            # Who is *he* in *He served under Ann Lee*, or on a page whose title names another?
            lead, named, _ = plain.partition(MARK)
            is_other = _SUBJECT.match(lead) and forms.before_object.search(lead)
            named_only = bool(named) and (self.is_about_another or bool(is_other))
            subjects = re.finditer(MARK if named_only else forms.subject, plain)
            for subject in filter(None, (*islice(subjects, 4), *goes_on)):
                behind = plain[subject.end() :]
                if occupation := self._occupation_behind(behind):
                    yield from self._work(occupation, behind, sentence, "sentence")
                before = plain[max(0, subject.start() - _BEFORE_LENGTH) : subject.start()]
                yield from self._titles(before, sentence, "sentence")
            person = re.finditer(MARK if named_only else forms.person, plain)
            people = (each.start() for each in islice(person, 8))
            with_others = forms.object.search(plain)  # she is somebody else
            passed = with_others.end() if with_others else int(named_only)
            places = sorted({0, *people} - {*range(passed)})
            words = frozenset(plain.split())
            for form, needed in forms.sentences:
                if needed and any(map(words.isdisjoint, needed)):
                    continue
                for found in filter(None, (form.match(plain, at) for at in places)):
                    yield from self._values(found, sentence, gender)

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
            cuts = [each.end() for each in SENTENCE_ENDS.finditer(line)]
            for begin, stop in pairwise(dict.fromkeys((0, *cuts, len(line)))):
                own = [each for each in here if begin <= each.start - start < stop]
                plain, last = "", begin
                for mention in own:
                    plain += line[last : mention.start - start] + MARK
                    last = mention.end - start
                plain = (plain + line[last:stop]).strip()
                is_next = about and not own and not self.is_about_another
                goes_on = self.forms.goes_on.match(plain) if is_next else None
                goes_on = None if goes_on and _APPOSED.search(goes_on[0]) else goes_on
                lead = plain.partition(MARK)[0] if own else goes_on[0] if goes_on else plain
                is_other = self._others(lead) or (own and _SUBJECT.search(lead))
                about = 0 if is_other else _KEPT if own or goes_on else max(0, about - 1)
                told = own or (goes_on and about)
                is_object = about and self.forms.object.search(plain)
                named = about and self.relative.search(plain, plain.rfind(MARK) + 1)
                if is_object or (named and not _SUBJECT_FIRST.match(plain)):
                    about = 0
                if told and len(plain) <= _MAX_READ and not HOSTILE.search(plain):
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
        is_object = groups.pop("subject", "") == MARK and self.forms.before_object.search(before)
        if is_object or (
            first in genders
            and (
                gender not in {"", genders[first]} or elsewhere or self._others(before[named + 1 :])
            )
        ):
            return
        kin = groups.pop("kin", "").lower()
        if kin and found.string[found.end("kin") : found.start("relative")] == " of ":
            kin = CONVERSE.get(kin, "")  # the daughter of Tom: he is a parent
        for name, run in groups.items():
            if name == "occupation":
                text = found.string[found.start(name) :]
                if occupation := occupation_at(text, self.own):
                    yield from self._work(occupation, text, sentence, "sentence")
            elif name == "titles":
                for each in islice(DATED_TITLE.finditer(run), _MAX_LISTED):
                    yield from self._value("work", each[1], sentence, "sentence")
            elif name == "family":
                yield from self._family(run, sentence, gender)
            elif name in {"works", "studies"}:
                yield from self._listed(run, sentence, at_work=name == "works")
            else:
                yield from self._value(name.replace("_", " "), run, sentence, "sentence", kin)

    def _family(self, text: str, sentence: str, gender: str) -> Iterator[Statement]:
        """The relatives of a list: *his wife, Ann; two sons, Tom of York and Lee*.

        Args:
            text: of the list.
            sentence: as it is shown.
            gender: of the person; others' relatives are passed over: *a son, Tom, and his wife*.
        """
        kins = [*islice(self.forms.kin.finditer(text), _MAX_LISTED)]
        ends = [*(each.start() for each in kins[1:]), len(text)]
        for at, (kin, end) in enumerate(zip(kins, ends, strict=False)):
            is_spouse = CONVERSE.get(kin["kin"]) == "spouse"
            elsewhere = is_spouse or self.forms.genders.get(kin["whose"] or "") != gender
            names = "" if at and kin["whose"] and elsewhere else text[kin.end() : end]
            for found in islice(_LISTED_PERSON.finditer(names), _MAX_LISTED):
                if is_usual_given_name(found[1].split()[0]):
                    detail = "" if kin["joint"] else kin["kin"]
                    yield from self._value("relative", found[1], sentence, "sentence", detail)

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
        """The statement of a value of :data:`weps.people.forms.VALUES`, if the words are valid."""
        if name in {"affiliation", "employer"}:  # one or several
            told = organisations_of(run, self.own, self.recognised, introduced=name == "employer")
            yield from _affiliations(told, sentence, way)
            return
        about, run = VALUES[name], run.strip(" ,;:")
        detail = about.detail or detail
        first, *others = LISTED.split(run)
        if others and detail in SEVERAL:  # sons, children
            for each in (first, *others):
                yield from self._value(name, each, sentence, way, detail)
            return
        if MARK not in run and (value := about.read(run, self.own_words)):
            key = value_key(about.attribute, value)
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
                value = VALUES["occupation"].read(stated, self.own_words) or stated
            elif attribute == "relative":
                detail = _KIN.get(property_name, property_name)
            if value and (attribute not in _OF_WORDS or _PLAIN.fullmatch(value)):
                sentence = f"{_INNER_CAPITAL.sub(' ', property_name).capitalize()}: {stated}"
                key = value_key(attribute, value)
                yield Statement(attribute, key, value, sentence, detail, "data")

    def profile(self, mentions: Sequence[Mention]) -> Iterator[Statement]:
        """Fields of a profile below a line that has only the name, and addresses of the person.

        Args:
            mentions: of the name.
        """
        is_shop = bool(mentions) and page_kind(self.document, self.name) == "shop"
        for mention in () if is_shop else mentions:
            begin = self.text.rfind("\n", 0, mention.start) + 1
            line, _, below = self.text[begin : mention.end + _PROFILE_LENGTH].partition("\n")
            around = f"{line[: mention.start - begin]} {line[mention.end - begin :]}"
            if _ONLY_NAME.fullmatch(DEGREES.sub("", around)):
                yield from self._fields(below.split("\n")[:_PROFILE_LINES])
        text = self.text.lower() if self.document.emails else ""
        for address in self.document.emails:
            at = text.find(address)
            behind = (each for each in mentions if 0 <= at - each.end < _NEAR)
            near = any(_JOINING.fullmatch(self.text, each.end, at) for each in behind)
            # Beside Belinda Anderson *anderson* is hers.
            nearest = [*self.relative.finditer(self.text, max(0, at - _NEAR), max(0, at))][-1:]
            is_others = any(each[0].split()[0].lower() not in self.own for each in nearest)
            if near or (is_named_after(address, self.name) and not is_others):
                shown = self.sentence_at(at, at + len(address)) if at >= 0 else address
                yield Statement("e-mail", address, address, shown, way="profile")

    def _fields(self, lines: Sequence[str]) -> Iterator[Statement]:
        """Statements in the lines below the name."""
        seen, used, born = set[str](), False, -9
        for number, (line, following) in enumerate(pairwise((*lines, ""))):
            is_value, used, is_birth = used, False, number - born <= 2
            if len(line) > _SHORT_LINE:
                continue
            if is_name_line(line) or _RIGHTS.search(line):
                return  # somebody else, the foot of the page
            yield from self._numbers(line, labelled_only=number >= _ADDRESS_LINES)
            if number < _ADDRESS_LINES and (zipped := _POSTAL_CODE.search(line)):
                yield from self._value("location", zipped["place"], line, "profile")
            is_near = number < _LINES_BELOW + is_birth and not is_repeated(line, self.text)
            is_near &= not _YEAR.fullmatch(following.strip())  # a work, and when it appeared
            if is_near and not is_value:
                yield from self._line_below(line, "birth place" if is_birth else "location")
            labelled = self.forms.label.fullmatch(line)
            if labelled and (labelled["colon"] or not labelled["value"]):
                label = " ".join(labelled["label"].lower().split())
                name = self.forms.labels[label]
                if label in seen:
                    return  # somebody else
                seen.update({label} if name not in {"phone", "fax"} else ())
                born = number if name == "date of birth" else born
                stated = [*self._field(name, labelled, following[:_SHORT_LINE])]
                yield from stated
                used = not labelled["value"] and (bool(stated) or name in {"e-mail", "web site"})

    def _field(self, name: str, labelled: re.Match[str], following: str) -> Iterator[Statement]:
        """Statements of a label and its value.

        Args:
            name: of the value.
            labelled: the line with the label.
            following: the next line, which has the value if that one does not.
        """
        line, value = labelled[0], labelled["value"] or following
        shown = line if labelled["value"] else f"{line.rstrip(' :')}: {value}"
        if name in _LISTS:
            value = _NOTE.sub("", value).replace(";", ",")
        occupation = self._occupation_behind(value, heading=True)
        if occupation and name == "occupation":
            yield from self._work(occupation, value, shown, "profile")
        elif begins := re.match(PATTERNS[name], value):
            yield from self._value(name, begins[0], shown, "profile")

    def _numbers(self, line: str, *, labelled_only: bool) -> Iterator[Statement]:
        """The telephone and fax numbers of a line, without a label those of American form."""
        for found in () if self._others(line) else NUMBER.finditer(line):
            alone = not labelled_only and AMERICAN_NUMBER.fullmatch(found["number"])
            if found["fax"] or found["phone"] or alone:
                kind = "fax" if found["fax"] else "phone"
                yield from self._value(kind, found["number"], line, "profile")

    def _line_below(self, line: str, place: str) -> Iterator[Statement]:
        """Occupation, employer or place on a line of its own, right below the name.

        Args:
            line: as written.
            place: what a place is.
        """
        if occupation := self._occupation_behind(line, heading=True):
            yield from self._work(occupation, line, line, "profile")
        elif (
            place == "location"
            and not (", " in line and self._others(line))
            and len(_CAPITALISED.findall(line)) <= (_MAX_CAPITALISED * (1 + (", " in line)))
        ):
            for run in _PART_OF_LINE.finditer(line):
                doubtful = fine_kind(run["run"], "") in {"bank", "court"} or run[0].endswith(" Co")
                if re.match(PATTERNS["degree"], line):
                    yield from self._value("school", run["run"], line, "profile")
                elif is_headed(run["run"]) and not (doubtful and run[0] != line):
                    yield from self._employer(run, line, "profile")
        if re.fullmatch(PLACE, line) and (place == "location" or ", " in line):
            yield from self._value(place, line, line, "profile")


def _affiliations(names: Iterable[str], sentence: str, way: str) -> Iterator[Statement]:
    for each in names:
        key = value_key("affiliation", each)
        yield Statement("affiliation", key, each, sentence, way=way)


_OF_WORDS = frozenset(("occupation", "nationality", "birth place", "location"))
_PLAIN = re.compile(r"[^\W\d_][^\d\"<>{}\[\]|\\@]{1,99}")
"""Attributes whose values are words, and pattern of what may be one."""
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Place between the words of a property."""
_KIN = {"children": "child", "relatedTo": ""}
"""Property of structured data → what a relative is to the person, if it is not the same."""
