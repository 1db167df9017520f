"""Texts compared by their syntax, the roles of verbs, and their named entities.

Head-word chains are those of Liu and Gildea (Syntactic features for evaluation of machine
translation, 2005, section 3.3), and so are subtrees (section 3.1). The overlaps are the families
DP-O, SP-O, CP-O, SR-O and NE of Giménez and Màrquez (Linguistic features for automatic evaluation
of heterogenous MT systems, 2007; Linguistic measures for automatic machine translation evaluation,
2010): each word counts together with what it belongs to, and two texts are compared as multisets of
such pairs. Basic elements are those of Hovy et al. (Automated summarization evaluation with basic
elements, LREC 2006). Words are in lower case, and punctuation marks are none.

Their trees are of MINIPAR and of constituency parsers, their roles of SwiRL, their chunks of
Phreco, their entities of BIOS. Here all are those of a language pipeline, with the relations of
Universal Dependencies: constituents are *projected*, one from each content word with all that
depends on it, and roles are *read off* the relations to verbs. Discourse representations (DR) need
a semantic parser for boxes of discourse, which no pipeline has: there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce, wraps
from itertools import groupby, islice
from operator import attrgetter, or_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from weps.language import analysis, annotation, spacy_pipeline
from weps_eval.text import testbed, topic
from weps_eval.text.declaration import (
    BETA,
    Function,
    Need,
    Overlap,
    clipped_matches,
    measure,
    one_of,
    or_wholes,
    true_or_false,
    whole_number,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc


class ParsedWord(NamedTuple):
    """A word, and its place in a sentence."""

    form: str
    """In lower case."""
    tag: str
    """Its universal part of speech."""
    relation: str
    """To its head."""
    head: int
    """The number of its head among the words of the sentence; its own at the top."""
    chunk: str
    """The kind of phrase, without further ones in it, that it is in, as in CoNLL-2000: ``NP``."""
    entity: str
    """The kind of named entity that it is in, empty if in none."""


ParsedText: TypeAlias = tuple[tuple[ParsedWord, ...], ...]
"""Sentences of words."""

_LAYERS = frozenset({analysis.Layer.TAGS, analysis.Layer.PHRASES, analysis.Layer.ENTITIES})
_CHUNK_OF_TAG = {
    **dict.fromkeys(("VERB", "AUX", "PART"), "VP"),
    "ADP": "PP",
    "ADV": "ADVP",
    "ADJ": "ADJP",
    "SCONJ": "SBAR",
    "INTJ": "INTJ",
}
"""Tag of words outside noun phrases; others are outside of all, O."""


def parse_texts(texts: Sequence[Sequence[str]], language: str) -> list[ParsedText | None]:
    """The words of texts, given as sentences, by a language pipeline.

    Returns:
        For each text its sentences that have words; None if the pipeline fails on it.

    Raises:
        LanguageError: if the pipeline is missing or lacks tags, a parser or entities.
    """
    return annotation.read_documents(
        texts, _LAYERS, language, lambda found: tuple(_parsed_sentences(found))
    )


def _parsed_sentences(
    documents: Iterator[tuple[Doc, list[int]]],
) -> Iterator[tuple[ParsedWord, ...]]:
    for document, _ in documents:
        nominal = {token.i for phrase in document.noun_chunks for token in phrase}
        for sentence in document.sents:
            words = [token for token in sentence if any(map(str.isalnum, token.text))]
            place = {token.i: number for number, token in enumerate(words)}
            parsed = tuple(
                ParsedWord(
                    token.lower_,
                    token.pos_,
                    token.dep_,
                    next((place[each.i] for each in token.ancestors if each.i in place), number),
                    "NP" if token.i in nominal else _CHUNK_OF_TAG.get(token.pos_, "O"),
                    spacy_pipeline.ENTITY_KINDS.get(token.ent_type_, ""),
                )
                for number, token in enumerate(words)
            )
            if parsed:
                yield parsed


Chains: TypeAlias = tuple[Counter[Hashable], ...]
"""The head-word chains of a text: how often there is each of one word, of two, and so on."""


def _path(at: int, sentence: Sequence[ParsedWord]) -> Iterator[int]:
    """The number of a word, of its head, and so on to the top."""
    yield at
    while (head := sentence[at].head) != at:
        yield (at := head)


def _head_chains(text: ParsedText, length: int, of: str) -> Chains:
    """Chains of a word, its head, the head of that, and so on, of 1 to ``length`` words.

    Args:
        text: its parsed sentences.
        length: of the longest chains.
        of: the counted attribute of a word: ``form``, ``tag`` or ``relation``.
    """
    chains = [
        tuple(getattr(sentence[each], of) for each in islice(_path(at, sentence), length))
        for sentence in text
        for at in range(len(sentence))
    ]
    return tuple(
        Counter[Hashable](chain[:size] for chain in chains if len(chain) >= size)
        for size in range(1, length + 1)
    )


@measure(
    "linguistic",
    "subtrees of projected phrases in common (subtree metric, CP-STM)",
    formula="mean, over depths from 1 to depth, of (phrases of the output, down to that depth, "
    "that are also in the reference, counted as often as both have them) / phrases of the output "
    "that are so deep; phrases are projected from content words, their leaves are parts of speech",
    source="Liu and Gildea 2005, section 3.1; Giménez and Màrquez 2007 (CP-STM)",
    name="cp_stm",
    read=lambda texts, text, *, depth: _subtrees(texts.annotated(text, parse_texts), depth),
    joined="as published: a phrase matches as often as the reference that has it most often",
    usually="together",
    needs=(Need.PARSES,),
    aliases={"CP-STM": "", "CP-STM-{}": "depth={}"},
    depth=whole_number(4, 1, 20, "levels of the deepest phrases"),
)
@measure(
    "linguistic",
    "chains of words and their heads in common (head-word chain metric, DP-HWC)",
    formula="mean, over chain lengths from 1 to length words, each the head of the one before, of "
    "(chains of the output that are also in the reference, counted as often as both have them) / "
    "chains of the output; lengths for which neither text has chains are left out",
    source="Liu and Gildea 2005, Syntactic features for evaluation of machine translation, section "
    "3.3 (form); Giménez and Màrquez 2007 (DP-HWC of words, categories, relations)",
    name="hwcm",
    read=lambda texts, text, *, length, of: _head_chains(
        texts.annotated(text, parse_texts), length, of
    ),
    joined="as published: a chain matches as often as the reference that has it most often",
    usually="together",
    needs=(Need.PARSES,),
    aliases={"DP-HWC": "", "hwcm{}": "length={}"},
    length=whole_number(4, 1, 100, "length of the longest chains in words"),
    of=one_of(
        ("form", "tag", "relation"),
        "how words are represented in a chain: by lower-case form, part of speech, or relation to "
        "the head",
    ),
)
def chain_precision(output: Chains, *references: Chains) -> float:
    """HWCM and STM: the share of the output's chains that a reference has, mean over their lengths.

    A chain counts as often as the reference that has it most often. The paper does not say what
    becomes of lengths that texts are too short for: they are left out if neither has any.

    Returns:
        In [0, 1].
    """
    overlaps = [
        clipped_matches(ours, reduce(or_, theirs))
        for ours, *theirs in zip(output, *references, strict=True)
    ]
    shares = [each.precision for each in overlaps if each.output or each.reference]
    return sum(shares) / len(shares) if shares else 1.0


_PHRASES = {
    **dict.fromkeys(("NOUN", "PROPN", "PRON", "NUM", "X", "SYM"), "NP"),
    "VERB": "S",
    "ADJ": "ADJP",
    "ADV": "ADVP",
    "INTJ": "INTJ",
}
"""Tag of a content word → the phrase that is projected from it."""
_MARKED = {"case": ("NP", "PP"), "mark": ("S", "SBAR")}
"""Relation of a function word → the phrase that it turns into another."""


def _phrase_labels(sentence: Sequence[ParsedWord]) -> list[str]:
    """For each word the phrase that is projected from it; empty for function words.

    A noun with a preposition is a PP, a verb with a conjunction an SBAR.
    """
    labels = [_PHRASES.get(word.tag, "") for word in sentence]
    for word in sentence:
        before, marked = _MARKED.get(word.relation, ("", ""))
        if labels[word.head] == before:
            labels[word.head] = marked
    return labels


def _subtrees(text: ParsedText, depth: int) -> Chains:
    """The phrases of a text down to one level, two, and so on to ``depth``, as brackets.

    Words are parts of speech; a phrase that has fewer levels is left out.
    """
    found = [Counter[Hashable]() for _ in range(depth)]
    for sentence in text:
        labels = _phrase_labels(sentence)
        dependents: list[list[int]] = [[] for _ in sentence]
        for at, word in enumerate(sentence):
            if word.head != at:
                dependents[word.head].append(at)
        depths = [sum(1 for _ in _path(at, sentence)) for at in range(len(sentence))]
        levels: list[list[str]] = [[] for _ in sentence]
        for at in sorted(range(len(sentence)), key=lambda each: -depths[each]):  # leaves first
            tag, label = sentence[at].tag, labels[at]
            levels[at] = [label or tag]
            parts = sorted([*dependents[at], at])
            most = max((len(levels[each]) for each in dependents[at]), default=0)
            for level in range(1, min(depth, 1 + max(most, bool(label)))):
                inner = (
                    tag if each == at else levels[each][min(level, len(levels[each])) - 1]
                    for each in parts
                )
                levels[at].append(f"({label or tag} {' '.join(inner)})")
            if label:
                for counter, tree in zip(found, levels[at], strict=False):
                    counter[tree] += 1
    return tuple(found)


TypedWords: TypeAlias = Counter[Hashable]
"""What words belong to, and the words: how often each pair is there."""


def _typed_words(text: ParsedText, by: str) -> TypedWords:
    """The words of a text with what they belong to, of which a word may have several or nothing.

    Args:
        text: its parsed sentences.
        by: ``relation``, every relation under which a word is: its own, that of its head, and so on
            (DP-Or); ``head``, the part of speech of its head (DP-Oc); ``level``, every level of the
            tree from the top, 1, to its own (DP-Ol, "at level l or deeper"); ``tag`` (SP-Op);
            ``chunk`` (SP-Oc); ``phrase``, every projected phrase that it is in (CP-Oc);
            ``entity``, the kind of named entity (NE-Oe-*); ``all``, the same with words in none,
            which are one kind more (NE-Oe-**).
    """
    found = Counter[Hashable]()
    for sentence in text:
        labels = _phrase_labels(sentence)
        for at, word in enumerate(sentence):
            path = tuple(_path(at, sentence))
            kinds: Mapping[str, Iterable[str | int]] = {
                "relation": (sentence[each].relation for each in path),
                "head": (sentence[each].tag for each in path[1:2]),
                "level": range(1, len(path) + 1),
                "tag": (word.tag,),
                "chunk": (word.chunk,),
                "phrase": filter(None, (labels[each] for each in path)),
                "entity": filter(None, (word.entity,)),
                "all": (word.entity,),
            }
            found.update((kind, word.form) for kind in kinds[by])
    return found


def _whole_entities(text: ParsedText) -> TypedWords:
    """The named entities of a text, each with its kind: neighbours of one kind are one."""
    runs = (groupby(sentence, key=attrgetter("entity")) for sentence in text)
    return Counter(
        (kind, *(word.form for word in words)) for each in runs for kind, words in each if kind
    )


_ROLES = {
    **dict.fromkeys(("nsubj", "csubj", "obl:agent", "agent"), "A0"),
    **dict.fromkeys(("obj", "dobj", "ccomp", "xcomp"), "A1"),
    **dict.fromkeys(("nsubj:pass", "csubj:pass", "nsubjpass", "csubjpass"), "A1"),
    **dict.fromkeys(("iobj", "dative"), "A2"),
    **dict.fromkeys(("obl", "advmod", "advcl", "prep", "npadvmod"), "AM"),
}
"""Relation to a verb → role; further kinds of it, as of *obl:tmod*, have the same."""


def _verb_roles(text: ParsedText, of: str, *, verb: bool) -> TypedWords:
    """The roles of the dependents of verbs.

    Args:
        text: its parsed sentences.
        of: what has a role: ``words``, each word of an argument; ``match``, whole arguments;
            ``roles``, arguments whatever their words are.
        verb: whether the verb counts, too.
    """
    found = Counter[Hashable]()
    for sentence in text:
        within: list[list[str]] = [[] for _ in sentence]
        for at, word in enumerate(sentence):
            for each in _path(at, sentence):
                within[each].append(word.form)
        for at, word in enumerate(sentence):
            predicate = sentence[word.head]
            role = _ROLES.get(word.relation) or _ROLES.get(word.relation.partition(":")[0], "")
            if not role or predicate.tag != "VERB" or word.head == at:
                continue
            about = (role, predicate.form) if verb else (role,)
            filled: dict[str, Sequence[Hashable]] = {
                "words": within[at],
                "match": [tuple(within[at])],
                "roles": [""],
            }
            found.update((*about, each) for each in filled[of])
    return found


def _declare_typed(
    name: str,
    description: str,
    formula: str,
    find: Callable[..., TypedWords],
    aliases: Mapping[str, str],
    **own: Any,
) -> Callable[[Function], Function]:
    return measure(
        "linguistic",
        description,
        formula="Σ of the lower count / Σ of the higher count, in either text, of pairs of "
        f"{formula}; if neither text has any, 1 for the same words, else 0",
        source="Giménez and Màrquez 2007, Linguistic features for automatic evaluation of "
        "heterogenous MT systems; 2010, Linguistic measures for automatic machine translation "
        "evaluation",
        name=name,
        read=_reader(find),
        needs=(Need.PARSES,),
        aliases=aliases,
        **own,
    )


def _reader(find: Callable[..., TypedWords]) -> Callable[..., tuple[TypedWords, topic.Tokens]]:
    """The reader of a text that finds something in it, which takes what ``find`` does."""

    @wraps(find)
    def read(
        topic_texts: topic.TopicTexts, text: testbed.Text, **values: Any
    ) -> tuple[TypedWords, topic.Tokens]:
        parsed: ParsedText = topic_texts.annotated(text, parse_texts)
        words = tuple(tuple(word.form for word in sentence) for sentence in parsed)
        return find(parsed, **values), words

    return read


@_declare_typed(
    "ne_m",
    "named entities in common, whole (NE-Me)",
    "a kind of entity and all words of one",
    _whole_entities,
    {"NE-Me": "", "NE-Me-*": ""},
)
@_declare_typed(
    "ne_o",
    "words in common in the same kind of named entity (NE-Oe)",
    "a word and the kind of entity that it is in: person, location, organisation, event, product",
    _typed_words,
    {"NE-Oe": "", "NE-Oe-*": "", "NE-Oe-**": "by=all"},
    by=one_of(
        ("entity", "all"),
        "entity: only words in entities (NE-Oe-*); all: also words in none, as a further kind "
        "(NE-Oe-**)",
    ),
)
@_declare_typed(
    "sr_o",
    "arguments of verbs in common that have the same role (SR-O, SR-M)",
    "a role, the verb if it counts, and what has the role",
    _verb_roles,
    {"SR-Or": "", "SR-Mr": "of=match", "SR-Rv": "of=roles, verb=true", "SR-Orv": "verb=true"},
    of=one_of(
        ("words", "match", "roles"),
        "words: each word of an argument (SR-Or); match: whole arguments (SR-Mr); roles: the role "
        "alone. Roles are read off relations to verbs: A0 of active subjects and agents, A1 of "
        "objects, clauses and passive subjects, A2 of indirect objects, AM of the rest",
    ),
    verb=true_or_false("whether the verb must be the same, too"),
)
@_declare_typed(
    "cp_o",
    "words in common in the same kind of projected phrase (CP-Oc)",
    "a word and every kind of phrase that it is in: NP, PP, S, SBAR, ADJP, ADVP, INTJ, each "
    "projected from a content word with all that depends on it",
    partial(_typed_words, by="phrase"),
    {"CP-Oc": "", "CP-Oc-*": ""},
)
@_declare_typed(
    "sp_o",
    "words in common in the same kind of chunk, or of the same part of speech (SP-O)",
    "a word and its type",
    _typed_words,
    {"SP-Oc": "by=chunk", "SP-Op": "by=tag", "CP-Op": "by=tag"},
    by=one_of(
        ("chunk", "tag"),
        "chunk: base noun phrases by the pipeline and, outside them, VP (verbs, auxiliaries, "
        "particles), PP (adpositions), ADVP, ADJP, SBAR, INTJ and the rest (SP-Oc); tag: universal "
        "parts of speech (SP-Op, and CP-Op, which are the same here)",
    ),
)
@_declare_typed(
    "dp_o",
    "words in common with the same position in the dependency trees (DP-O over all types)",
    "a word and its position in the tree",
    _typed_words,
    {"DP-Or": "by=relation", "DP-Oc": "by=head", "DP-Ol": "by=level"},
    by=one_of(
        ("relation", "head", "level"),
        "relation: every relation on the path from the word to the root (DP-Or); head: the part of "
        "speech of its head (DP-Oc); level: every level from the root to the word (DP-Ol)",
    ),
)
def typed_overlap(
    output: tuple[TypedWords, topic.Tokens], reference: tuple[TypedWords, topic.Tokens]
) -> float:
    """What belongs to the same in both: the families DP-O, CP-O, SP-O, SR and NE, in [0, 1]."""
    return or_wholes(clipped_matches(output[0], reference[0]), output[1], reference[1]).jaccard


def _elements(text: ParsedText, *, relation: bool) -> TypedWords:
    """The pairs of a content word and one that depends on it, with the relation if it counts."""
    return Counter(
        (sentence[word.head].form, word.form, word.relation if relation else "")
        for sentence in text
        for at, word in enumerate(sentence)
        if word.head != at and {word.tag, sentence[word.head].tag} <= _PHRASES.keys()
    )


@measure(
    "linguistic",
    "pairs of a head and its modifier in common (basic elements, BE-HM)",
    formula="matches = pairs of a content word and one that depends on it, counted as often as "
    "both texts have them; recall is matches / pairs of the reference",
    source="Hovy, Lin, Zhou and Fukumoto 2006, Automated summarization evaluation with basic "
    "elements, LREC, sections 2 and 3",
    name="be",
    read=_reader(_elements),
    joined="all matches divided by all pairs of the references",
    usually="together",
    needs=(Need.PARSES,),
    aliases={"BE-HM": "", "BE-HMR": "relation=true"},
    relation=true_or_false("whether the relation must be the same, too (BE-HMR)"),
    part=one_of(("recall", "precision", "f"), "which of the three is computed"),
    beta=BETA,
)
def element_overlap(
    output: tuple[TypedWords, topic.Tokens], reference: tuple[TypedWords, topic.Tokens]
) -> Overlap:
    """The overlap of basic elements; where neither text has any, of the texts themselves."""
    return or_wholes(clipped_matches(output[0], reference[0]), output[1], reference[1])
