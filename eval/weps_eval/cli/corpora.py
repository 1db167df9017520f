"""Commands on names with keys: ``benchmark``, ``train`` and ``evaluate``.

``weps benchmark`` trains, clusters and scores on held-out names, by cross-validation or on some
corpora for another; results are printed and written as JSON, as recorded runs and as a document.
``weps train CORPUS … --out FILE`` trains a model, and estimates its scores on unseen names. ``weps
evaluate CORPUS ANSWERS`` gives official scores of answers, of baselines and of a model, with
``--corrections`` the number of corrections until the answers of a model are right; of every two
systems with ``--compare``, also of recorded runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps import records, training
from weps._expressions import split_items
from weps._formatting import count_of, join_items, quote_text, suggest_names
from weps._options import REQUIRED, cli_argument, cli_option
from weps._parallel import partial_progress, report_map
from weps._version import VERSION
from weps.cli.console import Console, TimedProgress
from weps.cli.options import (
    JobsOption,
    JsonOption,
    ModelOptions,
    NamesOption,
    check_outputs,
    check_writable,
    write_json,
)
from weps.errors import FeatureError, SourceError, WepsError
from weps.features.registry import load_named_plugins
from weps.language import sentence_encoder, spacy_pipeline
from weps.model import DEFAULT_SYSTEM, ModelSet, save_models
from weps.people.pages import fit_set_aside
from weps.reading import PageForm, Reader, richest_form
from weps.results.stored import read_file, result_path
from weps.similarity.columns import need_encoder, required_layers
from weps.sources.base import Source, hints_at_names, select_names
from weps.sources.opening import open_source
from weps_eval.benchmark import comparison, judging, scoring
from weps_eval.benchmark.corpus import (
    Attributes,
    Corpus,
    answers_in,
    attributes_of,
    count_forms,
    has_runs,
    load_corpus,
    open_corpus,
    systems_in,
    with_mixed_names,
)
from weps_eval.benchmark.running import (
    DEFAULT_SYSTEMS,
    SYSTEMS_MEANING,
    BenchmarkOptions,
    TrainingOptions,
    record_runs,
    run_benchmark,
)
from weps_eval.clustering.measures import (
    ALL_MEASURES,
    MEASURES,
    SCORING_RULES,
    Scorer,
    Scores,
    bcubed_f05,
    mean_scores,
    scorer_for,
    standard_errors,
)
from weps_eval.report.document import Document, ReportOptions, show_document

_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")
"""Measures on the card of a model."""


def report_benchmark(options: BenchmarkOptions, console: Console) -> None:
    """Run a benchmark, print it, and write what is requested."""
    check_outputs(options)
    benchmark = run_benchmark(options, console)
    console.write_status("scoring")
    document = scoring.build_document(benchmark, options.line, drawn=options.drawn)
    show_document(document, benchmark.as_data(), options, console)
    for line in scoring.missing_feature_lines(
        benchmark.systems, benchmark.forms if options.format == "text" else {}
    ):
        console.write(line)
    if options.runs:
        for path in record_runs(benchmark, options.runs, options.line):
            console.write(f"run: {path}")


@dataclass(frozen=True, kw_only=True)
class TrainOptions(TrainingOptions, JsonOption):
    """The options of ``weps train``."""

    corpus: tuple[Path, ...] = cli_argument(
        "names with pages and keys; several corpora of one layout are combined"
    )
    out: Path = cli_option("the model file", REQUIRED)
    system: str = cli_option(
        f"the system to train: {SYSTEMS_MEANING} (default: {DEFAULT_SYSTEMS[-1]})",
        "",
        metavar="TEXT",
    )
    set_aside: bool = cli_option(
        "also learn which pages to set aside, from those that the keys discard", False
    )
    line: str = ""


def train_models(options: TrainOptions, console: Console) -> None:
    """Cross-validate, train on all names, save.

    Raises:
        SourceError: if pages have none of the features.
    """
    check_writable(options.out)
    settings, reader = options.settings(), options.reader()
    system = load_named_plugins(options.system or DEFAULT_SYSTEMS[-1])
    systems = scoring.Systems.parse([system])
    corpus = open_corpus(options.corpus, options.exclude)
    corpus = with_mixed_names(corpus, options.mixed, settings.folds, options.seed)
    encoder = (
        sentence_encoder.require_encoder(reader.embeddings) if need_encoder(systems.union) else ""
    )
    forms = count_forms(
        form for richest in corpus.forms.values() for form in training.forms_up_to(richest)
    )
    if lines := list(scoring.missing_feature_lines(systems, forms)):
        console.write("\n".join([*lines, ""]))
    taught = [form for form in forms if systems.used(form)[system]]
    if not taught:
        raise SourceError(
            f"the pages have nothing to compare by for {system}",
            where=corpus.source.root,
            remedy="choose features that they have; `weps features` lists all",
        )
    reading, progress = TimedProgress(console), TimedProgress(console)
    loaded = load_corpus(corpus, systems.union, taught, reader, options.jobs, reading, console.warn)
    fitted = {}
    validation = {}
    for form in taught:
        columns = systems.used(form)[system]
        examples = scoring.examples_of_form(loaded, form, columns)
        configuration = systems.configurations[system].for_form(form)
        fitted[form] = examples, bcubed_f05, configuration, columns
        console.write_status(f"cross-validating on {form}")
        parts = training.divide_examples(examples, settings.folds, settings.seed)
        trial = scoring.evaluate_parts(examples, columns, parts, configuration, settings, progress)
        answers = {name: trial.answers[name].clustering for name in sorted(trial.answers)}
        scores = scoring.score_answers(answers, corpus.source, scorer_for(corpus.source))
        validation[str(form)] = _show_validation(
            {system: scores}, form, corpus, settings.folds, console
        )
    console.write_status("training on all names")
    models = {}
    for number, form in enumerate(sorted(taught)):
        told = partial_progress(progress, "fitting classifiers", number, len(taught))
        models[form] = training.train(*fitted[form], settings, told)
    if options.set_aside and PageForm.PAGES in models:
        sizes = corpus.mixed_sizes
        rule = fit_set_aside(
            (training.read_signs(name, corpus.source, reader), key)
            for name in corpus.names
            if name not in sizes and (key := corpus.source.key(name))
        )
        models[PageForm.PAGES] = replace(models[PageForm.PAGES], set_aside=rule)
    card = {
        "command": options.line,
        "date": datetime.now(tz=UTC).date().isoformat(),
        "weps": VERSION,
        "corpus": {
            "layout": corpus.source.layout,
            "names": corpus.names,
            "digest": corpus.source.digest(corpus.names),
        },
        "system": system,
        "configuration": systems.configurations[system].as_data(),
        "similarities": list(map(str, systems.union)),
        "absent": {str(form): list(map(str, systems.missing(form)[system])) for form in forms},
        "settings": asdict(settings),
        "cross_validation": validation,
    }
    language = (
        spacy_pipeline.pipeline_name(reader.language) if required_layers(systems.union) else ""
    )
    save_models(ModelSet(models, card, language, encoder), options.out)
    console.write(f"model: {options.out}")
    write_json(options.json, {"model": str(options.out), **card})


def _show_validation(
    systems: Mapping[str, Scores], form: PageForm, corpus: Corpus, folds: int, console: Console
) -> dict[str, Any]:
    """Print the scores of a system on names that it has not seen, learnt from pages of one form.

    Returns:
        The means for the model's card, those of mixed names apart.
    """
    (scores,) = systems.values()
    sizes = corpus.mixed_sizes
    names = sorted(scores.keys() - sizes.keys())
    signature = scorer_for(corpus.source).signature(corpus.source, names)
    signature += f"|cv:{folds}|form:{form}"
    console.write(f"on unseen names, from {form}:")
    rows = comparison.name_rows(systems)
    console.write_table(rows)
    if sizes:
        console.write_table(comparison.size_rows(systems, sizes), left=3)
    console.write_detail(fill(comparison.score_legend([rows]), console.width))
    console.write(f"{signature}\n")

    by_size: dict[int | None, dict[str, Mapping[str, float]]] = {None: {}}
    for name, of_name in scores.items():
        by_size.setdefault(sizes.get(name), {})[name] = of_name
    means = {
        size: {key: round(mean_scores(of_names)[key], 4) for key in _SHOWN}
        for size, of_names in by_size.items()
    }
    errors = standard_errors(by_size[None])
    return {
        "signature": signature,
        "mean": means.pop(None),
        "standard_error": {key: round(errors[key], 4) for key in _SHOWN},
        **({"mixed": {str(size): mean for size, mean in means.items()}} if means else {}),
    }


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(ModelOptions, JobsOption, NamesOption, ReportOptions):
    """The options of ``weps evaluate``."""

    corpus: Path = cli_argument("corpus with the keys; recorded runs alone need none")
    answers: tuple[Path, ...] = cli_argument(
        "of each system a folder of NAME.clust.xml or results of weps, a table of name, page and "
        "person (.csv, .tsv, .jsonl), or recorded runs; or a folder of these",
        (),
    )
    compare: bool = cli_option(
        "compare every two systems on the same names, by F0.5 or each of --measures: bootstrap "
        "interval, randomisation and sign test, adjusted by Holm, difference between seeds",
        False,
    )
    baselines: bool = cli_option("also score the three baselines", False)
    scorer: str | None = cli_option(
        "default: the official one of the corpus", choices=sorted(SCORING_RULES)
    )
    measures: str = cli_option(
        f"comma-separated measures of the table: {', '.join(ALL_MEASURES)} (default: the first "
        f"{len(MEASURES)})",
        "",
        metavar="LIST",
    )
    corrections: bool = cli_option(
        "simulate a user who corrects the answers of a model (default: the pretrained one) by the "
        "key, and report how many corrections are needed",
        False,
    )
    facts: bool = cli_option(
        "also compare the facts of NAME.json with the attributes that annotators found; only names "
        "that have any count",
        False,
    )


def evaluate_answers(options: EvaluateOptions, console: Console) -> int:
    """Score, print, and write JSON if requested.

    Raises:
        SourceError: if there is nothing to score, or nothing to score it by.
    """
    measures = _chosen_measures(options.measures)
    check_outputs(options)
    places = _places_of(options)
    sides = _recorded_sides(places)
    score = _score_by_runs if _is_recorded(options.corpus) else _score_by_key
    scored = score(options, places, sides, measures, console)
    if scored is None:
        return 1
    systems, signature, details, courses = scored
    data = comparison.results_data(signature, systems)
    left_out = {system: more.get("unanswered", ()) for system, more in details.items()}
    if note := comparison.unanswered_note(left_out, systems):
        console.warn(note)
    if options.compare:
        compared = measures if options.measures else [comparison.COMPARED]
        found = comparison.compare_systems(systems, compared, sides)
        sections = comparison.comparison_sections(systems, found, note)
        data["comparisons"] = [each.as_data() for each in found]
    else:
        shown = {system: systems[system] for system in list(places or systems)}
        sections = [comparison.names_section(shown)]
    sections.append(comparison.systems_section(systems, measures, note=note, drawn=options.drawn))
    title = f"Scores of {count_of(len(systems), 'system')}"
    document = Document(title, (), sections, signature, options.line)
    for system, side in sides.items():
        data["systems"][system] |= side.as_data()
    for system, more in details.items():
        data["systems"][system] |= more
    show_document(document, data, options, console)
    for system, more in details.items() if options.format == "text" else ():
        _show_details(system, more, courses, console)
    return 0


_Scored = tuple[dict[str, Scores], str, dict[str, dict[str, Any]], Sequence[judging.Course]]
"""Systems with their scores, the signature, parts of the JSON of a system besides its scores and
what its runs are, and the names that a simulated user corrected."""


def _score_by_runs(
    options: EvaluateOptions,
    places: Mapping[str, Path],
    sides: Mapping[str, comparison.Side],
    measures: Sequence[str],
    _console: Console,
) -> _Scored:
    """The scores that were recorded, without a key.

    Raises:
        WepsError: if something else is to be scored, or the runs are not comparable.
    """
    if len(sides) < len(places) or options.baselines or options.corrections or options.name:
        raise SourceError(
            "only recorded runs can be compared without a key",
            where=options.corpus,
            remedy="give the corpus before the answers",
        )
    comparison.check_sides(sides, None, measures)
    scorer = next(iter(sides.values())).runs[0].scorer
    return {system: side.scores for system, side in sides.items()}, scorer, {}, ()


def _score_by_key(
    options: EvaluateOptions,
    places: Mapping[str, Path],
    sides: Mapping[str, comparison.Side],
    measures: Sequence[str],
    console: Console,
) -> _Scored | None:
    """Answers, baselines and a model scored by the keys of a corpus, beside what was recorded.

    Returns:
        None after a report of every fault of the answers, if there is one.
    """
    source = open_source(options.corpus)
    names = select_names(source, options.name)
    scorer = scorer_for(source, options.scorer)
    if sides:
        comparison.check_sides(sides, partial(scorer.signature, source), measures)
    everything = len(names)
    names = tuple(name for name in names if all(name in each.scores for each in sides.values()))
    if len(names) < everything:
        console.warn(f"scored are the {len(names)} of {everything} names that all runs have")
    folders = {system: place for system, place in places.items() if system not in sides}
    given = _read_answers(folders, source, names, console)
    if given is None:
        return None
    names, attributes = _scorable_names(source, names, facts=options.facts)
    signature = scorer.signature(source, names)
    courses: list[judging.Course] = []
    systems, details = _score_answers(given, source, names, scorer, measures)
    systems |= {
        system: {name: side.scores[name] for name in names} for system, side in sides.items()
    }
    systems = {system: systems[system] for system in places}
    for system, folder in folders.items() if options.facts else ():
        details.setdefault(system, {})["facts"] = _judge_facts(folder, attributes)
    if options.baselines:
        systems |= scoring.score_baselines(names, source, scorer, measures)
    if options.corrections:
        digest, courses = _simulate(options, source, names, scorer, console)
        signature += f"|model:{digest}"
        model = options.model.stem if options.model else options.system or DEFAULT_SYSTEM
        systems[f"{model} (model)"] = scoring.score_answers(
            {each.name: each.answer for each in courses}, source, scorer, measures
        )
        details[f"{model} (model)"] = judging.simulation_data(courses)
    return systems, signature, details, courses


def _places_of(options: EvaluateOptions) -> dict[str, Path]:
    """System → its answers or recorded runs; systems with one name are called by their paths.

    Raises:
        SourceError: if there is nothing to score.
    """
    found = [
        each
        for place in [options.corpus] * _is_recorded(options.corpus) + [*options.answers]
        for each in systems_in(place).items()
    ]
    if not found and (options.facts or not (options.baselines or options.corrections)):
        raise SourceError(
            "no answers to score",
            remedy="name a folder of answers, or add --baselines or --corrections",
        )
    times = Counter(system for system, _ in found)
    return {system if times[system] == 1 else str(place): place for system, place in found}


def _is_recorded(corpus: Path) -> bool:
    """Whether there are recorded runs where a corpus could be."""
    return any(map(has_runs, [corpus, *(each for each in corpus.glob("*") if each.is_dir())]))


def _recorded_sides(places: Mapping[str, Path]) -> dict[str, comparison.Side]:
    """The recorded runs of the systems that have some.

    Raises:
        WepsError: if they cannot be read, or the runs of one differ in more than seeds.
    """
    recorded = {system: place for system, place in places.items() if has_runs(place)}
    if not recorded:
        return {}
    from weps_eval.benchmark.runs import read_runs  # noqa: PLC0415 - pydantic for these alone

    return {
        system: comparison.side_of(read_runs(place), system) for system, place in recorded.items()
    }


def _scorable_names(
    source: Source, names: Sequence[str], *, facts: bool = False
) -> tuple[tuple[str, ...], dict[str, Attributes]]:
    """The names that have a key and, for facts, attributes; and the attributes.

    Raises:
        SourceError: if there are none.
    """
    scored = tuple(name for name in names if source.key(name) is not None)
    attributes: dict[str, Attributes] = {}
    if facts:
        found = ((name, attributes_of(source.root, name)) for name in scored)
        attributes = {name: each for name, each in found if each}
        scored = tuple(attributes)
    if not scored:
        raise SourceError(
            f"none of the names has a key{' and attributes' * facts}: {join_items(names)}",
            where=source.root,
            remedy="give a corpus with its gold standard, or saved pages with a key.xml, first",
        )
    return scored, attributes


def _chosen_measures(listed: str) -> Sequence[str]:
    """The measures asked for, those of WePS if none is.

    Raises:
        FeatureError: if there is no such measure.
    """
    chosen = split_items(listed) or tuple(MEASURES)
    for name in chosen:
        if name not in ALL_MEASURES:
            raise FeatureError(
                f"there is no measure {quote_text(name)}",
                where="--measures",
                remedy="F1 of B-Cubed is called bcubed_f05; "
                + suggest_names(name, list(ALL_MEASURES)),
            )
    return tuple(chosen)


def _show_details(
    system: str, more: Mapping[str, Any], courses: Sequence[judging.Course], console: Console
) -> None:
    """Print what is known of a system besides its scores."""
    if "corrections" in more:
        console.write()
        judging.show_simulation(courses, more, console)
    if "facts" in more:
        console.write(f"\n{system}: facts, by the attributes that annotators found")
        console.write_table(judging.fact_rows(more["facts"]))
        unread = count_of(more["facts"]["unread"], "fact")
        console.write(f"{unread} on pages of which annotators have none: not judged")


@contextmanager
def _noting(faults: dict[str, None]) -> Iterator[None]:
    """Keep a fault and go on, so that all are reported at once."""
    try:
        yield
    except WepsError as error:
        faults[error.describe()] = None


def _read_answers(
    folders: Mapping[str, Path], source: Source, names: Sequence[str], console: Console
) -> dict[str, dict[str, records.Clustering]] | None:
    """Answers of each system; None after a report of every fault of the files, if there is one."""
    given: dict[str, dict[str, records.Clustering]] = {system: {} for system in folders}
    faults: dict[str, None] = {}

    for name in names:
        for read in (source.ranks, source.key):
            with _noting(faults):
                read(name)
    if not faults:  # without a key the corpus is at fault, whatever the answers are
        _scorable_names(source, names)
    for system, folder in folders.items():
        with _noting(faults):
            answers = answers_in(folder, source)
            if hints := hints_at_names(sorted(answers.keys() - {*source.names}), source):
                raise SourceError(
                    f"the corpus has no name {join_items(hints)}",
                    where=folder,
                    remedy="give answers for this corpus, with its names",
                )
            for name in filter(answers.__contains__, names):
                with _noting(faults):
                    given[system][name] = answers[name]()
    for line in faults:
        console.error(line)
    for name in () if faults else names:
        for warning in source.warnings(name):
            console.warn(warning)
    return None if faults else given


def _score_answers(
    given: Mapping[str, Mapping[str, records.Clustering]],
    source: Source,
    names: Sequence[str],
    scorer: Scorer,
    measures: Sequence[str],
) -> tuple[dict[str, Scores], dict[str, dict[str, Any]]]:
    """Scores of each system, and its unanswered names.

    Raises:
        SourceError: if all names of a system score 0.
    """
    systems: dict[str, Scores] = {}
    details: dict[str, dict[str, Any]] = {}
    for system, answers in given.items():
        scores = {name: answers.get(name) for name in names}
        systems[system] = scoring.score_answers(scores, source, scorer, measures)
        if not mean_scores(systems[system])["bcubed_f05"]:
            raise SourceError(
                "every name scores 0",
                where=system,
                remedy="its answers must be of these names, and number pages as the corpus does",
            )
        details[system] = {"unanswered": [name for name in names if name not in answers]}
    return systems, details


def _judge_facts(folder: Path, attributes: Mapping[str, Attributes]) -> dict[str, Any]:
    """What the attributes of some names tell of the facts of their answers."""
    stated = (
        [fact for person in read_file(path).people for fact in person.facts]
        if path.is_file()
        else []
        for path in map(partial(result_path, folder), attributes)
    )
    return judging.facts_data(map(judging.judge_facts, attributes, stated, attributes.values()))


def _simulate(
    options: EvaluateOptions, source: Source, names: Sequence[str], scorer: Scorer, console: Console
) -> tuple[str, list[judging.Course]]:
    """Digest of the model, and the names that have people in their keys with a user's help."""
    models = options.model_choice().load()
    corpus = models.card.get("corpus")
    taught = corpus.get("names") if isinstance(corpus, dict) else None
    if isinstance(taught, list) and (known := [name for name in names if name in taught]):
        console.warn(
            f"the model was trained on {len(known)} of these {len(names)} names; others take more "
            "corrections"
        )
    work = partial(
        _course,
        source=source,
        models=models,
        scorer=scorer,
        reader=options.reader(models.language),
    )
    progress = TimedProgress(console)
    found = report_map(work, names, options.jobs, progress, "correcting answers")
    courses = [course for course in found if course]
    if not courses:
        raise SourceError(
            "no key with people was found",
            where=source.root,
            remedy="give a corpus with its gold standard",
        )
    return models.digest, courses


def _course(
    name: str, source: Source, models: ModelSet, scorer: Scorer, reader: Reader
) -> judging.Course | None:
    """Help with the answer for one name; None if its key is empty."""
    model = models.for_form(richest_form(source.search(name)))
    for example in training.read_examples(name, source, model.similarities, reader=reader).values():
        return judging.simulate_user(example, model, scorer)
    return None
