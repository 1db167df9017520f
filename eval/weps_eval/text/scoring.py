"""Testbeds scored: the values of measures on all outputs, and what measures need for that.

Resources are looked up before long work, and recorded with the values. The values of each topic are
cached, so that a run continues after a stop or a correction of the testbed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np

from weps._cache import content_digest, source_digest
from weps._formatting import join_items, quote_text
from weps._options import cli_option
from weps._parallel import Progress, checked_progress, parallel_map
from weps._version import VERSION
from weps.cli.options import CacheOptions
from weps.errors import InputTypeError, LanguageError, ValuesError, require_type
from weps.language import spacy_pipeline
from weps_eval import stats, tables
from weps_eval.text.declaration import REFERENCES, Measure, Measures, Need, measures_of
from weps_eval.text.testbed import (
    MeasureMatrix,
    Output,
    Reference,
    Testbed,
    Text,
    Topic,
    join_faults,
    whole_text,
)
from weps_eval.text.topic import TextTools, TopicTexts, WordVectors, tagged_words, words_of


@dataclass(frozen=True, kw_only=True)
class ToolsOptions(CacheOptions):
    """What measures need besides texts, as options of a command."""

    wordnet: Path | None = cli_option(
        "another WordNet, packed by docs/benchmarks/wordnet.py (default: version 3.0, which comes "
        "with weps)",
        metavar="FILE",
    )
    vectors: Path | None = cli_option(
        "vectors of words for rouge_we, in the text form of word2vec or GloVe (.txt, .gz)",
        metavar="FILE",
    )
    language: str = cli_option(
        "spaCy pipeline, installed or in a folder, that finds parts of speech and lemmas "
        "(default: the small English one that comes with weps)",
        spacy_pipeline.BUILTIN_PIPELINE,
        metavar="NAME",
    )

    @property
    def tools(self) -> TextTools:
        """What measures need besides texts."""
        vectors = WordVectors(self.vectors)
        return TextTools(self.language, self.wordnet, self.selected_cache(), vectors)


def _jackknife_over_references(scores: stats.Floats) -> stats.Floats:
    """The mean of the maxima over all references but one, each being left out in turn.

    Lin 2004, section 2.1, and the Perl package ROUGE up to version 1.3. Outputs that have one
    reference fewer, such as references among themselves, so compare with those that have all of
    them. Of a single reference, its score.

    Args:
        scores: shape (outputs, references); higher is better.

    Returns:
        Shape (outputs,).
    """
    ordered = np.sort(scores, axis=1)
    references = ordered.shape[1]
    if references == 1:
        return ordered[:, 0]
    return np.asarray((ordered[:, -1] * (references - 1) + ordered[:, -2]) / references)


_COMBINED: dict[str, Callable[[stats.Floats], Any]] = {
    "mean": partial(np.mean, axis=1),
    "maximum": partial(np.max, axis=1),
    "jackknife": _jackknife_over_references,
    "together": lambda scores: scores[:, 0],  # one, which stands for each of them
}


def measure_similarities(
    measure: Measure,
    topic_texts: TopicTexts,
    outputs: Sequence[Text],
    references: Sequence[Text],
    *,
    together: bool = False,
) -> stats.Floats:
    """Every output compared with every reference alone, or ``together`` with all at once.

    An empty text, of white space at most, is like another one (1), and like nothing else (0).

    Returns:
        Shape (outputs, references); more is better. An output has one value if ``together``.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    filled = [
        np.array([bool(whole_text(text).strip()) for text in texts], dtype=np.bool_)
        for texts in (outputs, references)
    ]
    table = np.equal.outer(*filled).astype(np.float64)
    rows, columns = (np.flatnonzero(each).tolist() for each in filled)
    if rows and columns:
        sides = [outputs[row] for row in rows], [references[column] for column in columns]
        own: Any = {name: value for name, value in measure.values if name != REFERENCES}
        values = measure.family.compare(topic_texts, *sides, together=together, **own)
        table[np.ix_(rows, columns)] = values
    for row in np.argwhere(np.isnan(table))[:1, 0].tolist():
        raise ValuesError(
            f"{measure} gives no number",
            where=topic_texts.name(outputs[row]),
            remedy="choose another measure",
        )
    return table


def _measure_scores(measure: Measure, topic_texts: TopicTexts) -> stats.Floats:
    """The outputs of the topic, each judged by all its references.

    Returns:
        Shape (outputs,); more is better. An empty output has 0.
    """
    outputs = [each.text for each in topic_texts.topic.outputs]
    references = [each.text for each in topic_texts.topic.references]
    how = str(dict(measure.values)[REFERENCES])
    compared = measure_similarities(
        measure, topic_texts, outputs, references, together=how == "together"
    )
    return np.asarray(_COMBINED[how](compared))


Judged = TypeVar("Judged")
Faults: TypeAlias = defaultdict[str, list[str]]
"""Topic, text and what is wrong with it → the measures that are not defined for it."""


def _judge_topic(
    topic: Topic,
    judge: Callable[[Measure, TopicTexts], Judged],
    measures: Sequence[Measure],
    tools: TextTools,
) -> tuple[list[Judged], Faults]:
    """What comes of the measures that are defined for all texts, and the faults of the others."""
    topic_texts, found, faults = TopicTexts(topic, tools), [], Faults(list)
    for measure in measures:
        try:
            found.append(judge(measure, topic_texts))
        except ValuesError as error:
            what = "; ".join(filter(None, (error.what, error.remedy)))
            whose = f"topic {quote_text(topic.topic)}, {error.where or 'its texts'}"
            faults[f"{whose}: {what}"].append(str(measure))
    return found, faults


def judge_topics(  # noqa: PLR0913, PLR0917 - what is judged, by what, and with what
    topics: Sequence[Topic],
    judge: Callable[[Measure, TopicTexts], Judged],
    measures: Sequence[Measure],
    tools: TextTools,
    jobs: int,
    testbed: str,
) -> Iterator[tuple[list[Judged], Faults]]:
    """What is found of each topic; it does not depend on the number of processes.

    Raises:
        SourceError: if vectors of words are needed, and the file has none.
        ValuesError: at the end, if measures are not defined for texts; one message names all.
    """
    if topics and Need.VECTORS in _measures_by_need(measures):
        desks = map(TopicTexts, topics)
        words = (words_of(desk.tokens(text, unicode=True)) for desk in desks for text in desk.texts)
        tools = replace(tools, vectors=tools.vectors.holding(set().union(*words)))
    work = partial(_judge_topic, judge=judge, measures=tuple(measures), tools=tools)
    every = Faults(list)
    for found, faults in parallel_map(work, topics, jobs):
        every |= faults
        yield found, faults
    if every:
        lines = [f"{fault} ({join_items(names)})" for fault, names in every.items()]
        raise ValuesError(
            f"measures are not defined for all texts: {join_faults(lines)}",
            where=testbed,
            remedy="correct these texts, or leave out measures",
        )


_DECIDING = (
    *("weps_eval.text", "weps._text", "weps.features.bags", "weps.language"),
    *("weps.key_terms.labels", "weps_eval.stats"),
)
"""Modules that decide the values of measures."""


def check_needs(testbed: Testbed, measures: Sequence[Measure], tools: TextTools) -> None:
    """Check in advance that nothing is missing.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing or does not work.
        SourceError: if a WordNet of the user's is missing or malformed.
        ValuesError: if topics have no sources or key concepts, or no vectors of words are given.
    """
    for need, needing in _measures_by_need(measures).items():
        if need is Need.TAGS:
            tagged_words([], tools.language)
        elif need is Need.PARSES:
            from weps_eval.text.measures.linguistic import parse_texts  # noqa: PLC0415 - its alone

            parse_texts([], tools.language)
        elif need is Need.WORDNET:
            _wordnet_digest(tools)
        elif need is Need.VECTORS:
            if tools.vectors.path is None:
                raise ValuesError(
                    f"{join_items(needing)} compares vectors of words",
                    remedy="give a file of them with --vectors",
                )
        elif need in (Need.SOURCES, Need.CONCEPTS):  # fields of topics are called like them
            if missing := [topic.topic for topic in testbed.topics if not getattr(topic, need)]:
                raise ValuesError(
                    f"topics have no {need}: {join_items(map(quote_text, missing))}",
                    where=testbed.name,
                    remedy=f"add them, or leave out {join_items(needing)}",
                )
        elif find_spec(need) is None:
            raise LanguageError(
                f"{need} is not installed, which {join_items(needing)} "
                f"{'needs' if len(needing) < 2 else 'need'}",
                remedy="pip install 'weps[text]'",
            )


def measure_dependencies(measures: Sequence[Measure], tools: TextTools) -> dict[str, str]:
    """All that the measures' values depend on besides the texts, in words and digests.

    Call :func:`check_needs` before.
    """
    versions: dict[Need, Callable[[], str]] = {
        Need.TAGS: lambda: spacy_pipeline.pipeline_version(tools.language),
        Need.PARSES: lambda: spacy_pipeline.pipeline_version(tools.language),
        Need.WORDNET: lambda: _wordnet_digest(tools),
        Need.VECTORS: lambda: tables.file_digest(tools.vectors.path or Path()),
        Need.NLTK: lambda: version("nltk"),
        Need.SACREBLEU: lambda: version("sacrebleu"),
    }
    needs = _measures_by_need(measures)
    found = {str(need): of() for need, of in versions.items() if need in needs}
    if own := {each.family.name: each.family.origin for each in measures if each.family.origin}:
        from weps.features.registry import plugin_digest  # noqa: PLC0415 - few are plug-ins

        found |= {name: plugin_digest(origin) for name, origin in own.items()}
    return {"weps": VERSION, "code": source_digest(*_DECIDING), **found}


def _wordnet_digest(tools: TextTools) -> str:
    from weps_eval.text.measures.senses import load_wordnet  # noqa: PLC0415 - few measures need it

    return f"sha256-{load_wordnet(tools.wordnet).digest[:16]}"


def _measures_by_need(measures: Sequence[Measure]) -> dict[Need, list[str]]:
    """Need → the measures that have it."""
    needed = {need: [str(each) for each in measures if need in each.needs] for need in Need}
    return {need: needing for need, needing in needed.items() if needing}


def _topic_digest(topic: Topic) -> str:
    """The SHA-256 of all that values depend on: what people thought of outputs is left out."""
    unjudged = replace(topic, outputs=tuple(replace(each, human={}) for each in topic.outputs))
    return content_digest(json.dumps(unjudged.as_data(), sort_keys=True))


def digest_of(testbed: Testbed) -> str:
    """The SHA-256 of what values on all topics depend on."""
    return content_digest(*map(_topic_digest, testbed.topics))


def score_testbed(
    testbed: Testbed | Path | str,
    measures: Measures,
    tools: TextTools | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> MeasureMatrix:
    """The values of measures on all outputs, and their human scores.

    Args:
        testbed: topics with outputs and references, or their file.
        measures: as written, ``"rouge(n=1|2), wsk"``, or several of these.
        tools: what measures need besides texts; in its cache, values are kept topic by topic.
        jobs: number of processes, -1 for one per core; the values do not depend on it.
        progress: called with the number of topics done.

    Returns:
        Instances in the order of the testbed, topic by topic.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is needed and not installed.
        SourceError: if a WordNet or vectors of the user's are needed and missing.
        ValuesError: if topics lack what measures need, or measures are not defined for texts: one
            message lists all, at most 20 in full, when everything else is scored.

    Example:
        >>> score_testbed("resources/testbed/news.jsonl", "rouge(n=1|2), wsk").measures
        ('rouge(n=1)', 'rouge(n=2)', 'wsk')
    """
    require_type(tools, TextTools | None, "weps_eval.TextTools", "tools")
    testbed, measures, tools = Testbed.of(testbed), measures_of(measures), tools or TextTools()
    topics, cache, progress = testbed.topics, tools.cache, checked_progress(progress)
    names, criteria = tuple(map(str, measures)), testbed.criteria
    nothing = np.empty((len(names), 0)), np.empty((len(criteria), 0))
    MeasureMatrix((), (), names, nothing[0], criteria, nothing[1])  # refuses names at once
    check_needs(testbed, measures, tools)
    made_with = json.dumps([names, measure_dependencies(measures, tools)])
    keys = {topic.topic: content_digest(made_with, _topic_digest(topic)) for topic in topics}
    values: dict[str, stats.Floats] = {}
    for topic in topics:
        if cache and (entry := cache.get(keys[topic.topic])):
            values[topic.topic] = np.frombuffer(entry).reshape(len(names), len(topic.outputs))
    wanted = [topic for topic in topics if topic.topic not in values]
    progress("scoring topics", done := len(values), len(topics))
    judged = judge_topics(wanted, _measure_scores, measures, tools, jobs, testbed.name)
    for topic, (scored, undefined) in zip(wanted, judged, strict=True):
        values[topic.topic] = np.array(scored, np.float64)
        if cache and not undefined:
            cache.put(keys[topic.topic], values[topic.topic].tobytes())
        progress("scoring topics", done := done + 1, len(topics))
    instances = testbed.instances
    human = [[output.human.get(each, np.nan) for _, output in instances] for each in criteria]
    return MeasureMatrix(
        tuple(topic.topic for topic, _ in instances),
        tuple(output.system for _, output in instances),
        names,
        np.concatenate([values[topic.topic] for topic in topics], axis=1),
        criteria,
        np.array(human, np.float64).reshape(len(criteria), len(instances)),
    )


def score(
    measures: Measures,
    outputs: str | Sequence[str],
    references: str | Sequence[str | Sequence[str]],
    tools: TextTools | None = None,
) -> dict[str, Any]:
    """The values of measures on texts: ``score("rougeL, esk", outputs, references)``.

    Args:
        measures: as written, or several of these.
        outputs: a text, or several.
        references: of one output a text, or several; of several outputs one of these for each.
        tools: what measures need besides texts.

    Returns:
        Measure by its full name → the value of one output, or shape (outputs,) of several.

    Raises:
        FeatureError: if there is no such measure.
        ValuesError: if there are not as many references as outputs, or a measure is not defined
            for a text; also as :func:`score_testbed`.

    Example:
        >>> score("rougeL, esk", ["the cat sat", "a dog"], ["the cat lay", ["a dog", "dogs"]])
        {'rouge_l': array([...]), 'esk': array([...])}
    """
    alone = isinstance(outputs, str)
    texts = _texts(outputs, "outputs")
    of_each: Any = [references] if alone or not isinstance(references, Iterable) else references
    if isinstance(of_each, str) or len(texts) != len(of_each):
        raise ValuesError(
            f"{len(texts):,} outputs cannot be paired with the references",
            where="references",
            remedy="give a reference, or a list of references, for each output",
        )
    topics = []
    for number, (text, given) in enumerate(zip(texts, of_each, strict=True), start=1):
        several = _texts(given, f"references of output {number}")
        named = (Reference(f"reference {at}", each) for at, each in enumerate(several, start=1))
        topics.append(Topic(f"output {number}", tuple(named), (Output("output", text),)))
    found = score_testbed(Testbed("texts", "en", "given", tuple(topics)), measures, tools)
    rows = found.values[:, 0].tolist() if alone else found.values
    return dict(zip(found.measures, rows, strict=True))


def _texts(given: Any, where: str) -> list[str]:
    """One text or several, checked."""
    texts = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    for text in texts:
        if not isinstance(text, str):
            raise InputTypeError(
                f"expected a text or a list of texts, got {type(text).__name__}", where=where
            )
    return texts


def _score_one(measure: str, output: str, reference: str | Sequence[str]) -> float:
    if not isinstance(output, str):
        raise InputTypeError(
            f"expected a text, got {type(output).__name__}",
            where="output",
            remedy="give several to score(…)",
        )
    return float(score(measure, output, reference)[measure])


def rouge1(output: str, reference: str | Sequence[str]) -> float:
    """ROUGE-1 F of an output: words that it shares with a reference, or the mean of several.

    Example:
        >>> rouge1("the cat sat", "the cat lay")
        0.6666666666666666
    """
    return _score_one("rouge(n=1)", output, reference)


def rouge2(output: str, reference: str | Sequence[str]) -> float:
    """ROUGE-2 F of an output: the same of pairs of words.

    Example:
        >>> rouge2("the cat sat", "the cat lay")
        0.5
    """
    return _score_one("rouge(n=2)", output, reference)


def rouge_l(output: str, reference: str | Sequence[str]) -> float:
    """ROUGE-L F of an output: the longest common subsequences of words.

    Example:
        >>> rouge_l("the cat sat", "the cat lay")
        0.6666666666666666
    """
    return _score_one("rouge_l", output, reference)
