"""Commands on names with keys: ``benchmark``, ``train`` and ``evaluate``.

``weps benchmark`` trains, clusters and scores on held-out names, by cross-validation or on some
corpora for another; results are printed and written as JSON, as recorded runs and as a document.
``weps benchmark --compare`` compares recorded runs. ``weps train CORPUS … --out FILE`` trains a
model, and estimates its scores on unseen names. ``weps evaluate CORPUS ANSWERS`` gives official
scores of answers, of baselines and of a model, with ``--corrections`` the number of corrections
until the answers of a model are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._expressions import split_items
from weps._files import make_folder
from weps._formatting import count_of, quote_text, suggest_names
from weps._options import REQUIRED, cli_argument, cli_option
from weps._parallel import parallel_map, partial_progress, report_progress
from weps._version import VERSION
from weps.cli.console import Console, TimedProgress
from weps.cli.options import (
    JobsOption,
    JsonOption,
    ModelOptions,
    NamesOption,
    check_writable,
    write_json,
)
from weps.errors import FeatureError, SourceError, WepsError
from weps.features.registry import load_named_plugins
from weps.language.sentence_encoder import require_encoder
from weps.language.spacy_pipeline import pipeline_name, pipeline_version
from weps.model import DEFAULT_SYSTEM, ModelSet, save_models
from weps.people.pages import fit_set_aside
from weps.reading import Origin, PageForm, Reader, available_similarities, richest_form
from weps.records import Clustering, HtmlReader
from weps.results.stored import read_file, result_path
from weps.similarity.columns import need_encoder, required_layers
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source
from weps.systems import CONFIGURATIONS
from weps.training import (
    TrainingSettings,
    divide_examples,
    forms_up_to,
    read_examples,
    read_signs,
    train,
)
from weps_eval.benchmark import facts, judging, scoring
from weps_eval.benchmark.corpus import (
    Attributes,
    Corpus,
    CorpusOptions,
    answers_in,
    attributes_of,
    check_names,
    check_origins,
    count_forms,
    has_runs,
    load_corpus,
    open_corpus,
    systems_in,
    with_mixed_names,
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
from weps_eval.report.document import (
    FILES_MEANING,
    FORMATS,
    Document,
    render_document,
    write_report,
    write_tables,
)

SYSTEMS_MEANING = (
    f"{', '.join(CONFIGURATIONS)}, or a variant of one, such as paper:features=all,link=average "
    "with any of features, classifier, link, stop, copies, rules and mixed"
)
FEATURES_MEANING = (
    "short for --system paper:features=SET; a set may begin with the name of another system: "
    "default+mine.py:FUNCTION adds a feature of your own (docs/extending.md); see `weps features`"
)
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")
"""Measures on the card of a model."""
_MIXED_GROUPS = 4
"""Fewest groups of names to make mixed names of."""
DEFAULT_SYSTEMS = ("paper", "default")
"""Systems that are compared unless others are requested; the last is what is trained."""
BY_ORIGIN = "origin"
"""Parts are the names of one origin each."""


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(CorpusOptions, JsonOption):
    """Names that systems learn from."""

    mixed: tuple[int, ...] = cli_option(
        "also train on mixed names: N pages of several names each; mixed test names share no page "
        "with them (docs/benchmarks.md)",
        (),
        least=2,
        most=1_000,
        metavar="N",
    )
    line: str = ""
    """The command line, for what says how it was made."""

    def settings(self) -> TrainingSettings:
        """The settings of training."""
        return TrainingSettings(seed=self.seed)


def _system_with_features(text: str) -> str:
    """The system of a feature set, which may begin with the name of another system."""
    first = text.split("+", maxsplit=1)[0].strip()
    return f"{first if first in CONFIGURATIONS else 'paper'}:features={text}"


@dataclass(frozen=True, kw_only=True)
class BenchmarkOptions(TrainingOptions):
    """The options of ``weps benchmark``."""

    corpus: tuple[Path, ...] = cli_argument(
        "corpus to cross-validate on; several of one layout are combined", ()
    )
    cv: str | None = cli_option(
        "cross-validate over K parts of the names, or `origin`: test on the names of each origin "
        "(found by search, or listed) and train on the others; stopping and calibration are fitted "
        "within the training names (nested cross-validation)",
        metavar="K",
    )
    train: tuple[Path, ...] = cli_option(
        "train on these names; several corpora of one layout are combined", (), metavar="CORPUS"
    )
    test: Path | None = cli_option("test on these names", metavar="CORPUS")
    compare: tuple[Path, ...] = cli_option(
        "compare recorded runs instead: files, or folders of seeds; the first is the baseline",
        (),
        metavar="RUN",
    )
    system: tuple[str, ...] = cli_option(
        f"a system to run; repeat for several, which are compared with the first: {SYSTEMS_MEANING}"
        f" (default: {' and '.join(DEFAULT_SYSTEMS)})",
        (),
        repeat=True,
        metavar="TEXT",
    )
    features: tuple[str, ...] = cli_option(
        FEATURES_MEANING, (), repeat=True, parse=_system_with_features, metavar="SET"
    )
    runs: Path | None = cli_option("record a run of each system below this folder", metavar="DIR")
    report: Path | None = cli_option("also write tables and figures as a document", metavar="DIR")
    files: bool = cli_option(FILES_MEANING, False)


def run_benchmark(options: BenchmarkOptions, console: Console) -> None:
    """Run the one kind of benchmark or the other, or compare earlier ones."""
    modes = ("corpus", "cv", "train", "test", "compare")
    kinds = {name for name in modes if getattr(options, name) not in (None, ())}
    of_systems = (options.system, options.features, options.runs, options.report)
    if kinds == {"compare"} and not any(of_systems):
        _report_comparison(options, console)
        return
    if kinds not in ({"corpus", "cv"}, {"train", "test"}):
        raise SourceError(
            "the mode is missing",
            remedy="use `benchmark --cv K CORPUS …`, `benchmark --train CORPUS … --test CORPUS`, "
            "or `benchmark --compare RUN RUN`",
        )
    for folder in filter(None, (options.runs, options.report)):
        make_folder(folder)
    benchmark = _run_benchmark(options, console)
    console.write_status("scoring")
    scores, sizes = benchmark.scores, benchmark.corpus.mixed_sizes
    tables = [
        scoring.name_rows(scores),
        scoring.system_rows(scores, trials=benchmark.trials),
        *([scoring.size_rows(scores, sizes)] if sizes else []),
        *([scoring.difference_rows(benchmark)] if benchmark.differences else []),
        scoring.calibration_rows(benchmark.calibration),
    ]
    for rows in tables:
        console.write_table(rows, left=3 if rows[0][0] == "names" else 1)
        console.write()
    console.write_detail(f"{fill(scoring.score_legend(tables), console.width)}\n")
    console.write(benchmark.signature)
    if missing := list(scoring.missing_feature_lines(benchmark.systems, benchmark.forms)):
        console.write("\n" + "\n".join(missing))
    for rows, left in zip(scoring.paper_tables(benchmark) or (), (1, 3), strict=False):
        console.write()
        console.write_table(rows, left=left)
    write_json(options.json, benchmark.as_data())
    if options.runs:
        from weps_eval.benchmark.runs import record_runs  # noqa: PLC0415 - pydantic only for these

        for path in record_runs(benchmark, options.runs, options.line):
            console.write(f"run: {path}")
    if options.report:
        document = scoring.build_document(benchmark, options.line)
        write_report(document, options.report, console, files=options.files)


def _report_comparison(options: BenchmarkOptions, console: Console) -> None:
    """Compare every other recorded run, or folder of runs, with the first; print, write JSON."""
    paths = options.compare
    if len(paths) < 2:
        raise SourceError(
            "two runs are needed for a comparison",
            remedy="give two or more recorded runs, or folders of runs",
        )
    if twice := [path for path, times in Counter(paths).items() if times > 1]:
        raise SourceError("this is given twice", where=twice[0], remedy="name different runs")
    from weps_eval.benchmark import runs  # noqa: PLC0415 - pydantic only for recorded runs

    sides = [runs.side_of(runs.read_runs(path), str(path)) for path in paths]
    systems = Counter(side.runs[0].system for side in sides)
    sides = [
        replace(side, label=name) if systems[name := side.runs[0].system] == 1 else side
        for side in sides
    ]
    comparisons = [runs.compare_sides(sides[0], other) for other in sides[1:]]
    runs.show_comparisons(sides, comparisons, console)
    write_json(options.json, runs.comparisons_data(sides, comparisons))


def cross_validate(
    systems: str | Sequence[str], corpus: Path | str, parts: int | str = 5, **options: Any
) -> scoring.Benchmark:
    """The benchmark of systems on the names of a corpus, each answered by what others taught.

    Args:
        systems: as written; they are compared with the first.
        corpus: names with pages and keys.
        parts: number of parts of the names, or ``"origin"``.
        options: those of ``weps benchmark``, such as ``seed`` and ``jobs``.

    Example:
        >>> found = cross_validate(["paper", "paper:link=average"], corpus, 2)
        >>> list(found.differences)
        ['paper:link=average']
    """
    written = (systems,) if isinstance(systems, str) else tuple(systems)
    chosen = BenchmarkOptions(corpus=(Path(corpus),), system=written, cv=str(parts), **options)
    return _run_benchmark(chosen, Console(quiet=True))


def _run_benchmark(options: BenchmarkOptions, console: Console) -> scoring.Benchmark:
    """The systems on each part of a corpus, taught by the others, or on one, taught by another."""
    settings, reader, cv = options.settings(), options.reader(), options.cv
    taught = _open_taught(options, settings.folds)
    tested = open_corpus(options.test) if options.test else taught
    forms = set(tested.forms.values())
    texts = list(map(load_named_plugins, (*options.system, *options.features) or DEFAULT_SYSTEMS))
    name, _, features = texts[0].partition(":features=")
    if len(texts) == 1 and name in features.split("+"):  # with more features: compared with itself
        texts = [name, *texts]
    systems = scoring.Systems.parse(texts)
    load = partial(
        load_corpus,
        similarities=systems.union,
        reader=reader,
        jobs=options.jobs,
        progress=TimedProgress(console),
        warn=console.warn,
    )
    if options.test:
        answered_for, learnt_from = load(tested, forms=None), load(taught, forms=forms)
        seen = (next(iter(by_form.values())) for by_form in learnt_from.values() if by_form)
        how = f"train:sha256-{taught.source.digest(taught.names)[:8]}"
        learnt_on = f"{taught.title}, {scoring.judged_pairs(seen):,} pairs"
    else:
        # Names with poor pages learn from the others, reduced.
        answered_for = learnt_from = load(tested, forms=forms)
        how = f"cv:{cv}"
        learnt_on = f"the other names, {'by origin' if cv == BY_ORIGIN else f'{cv} parts'}"
    if options.mixed:
        how += "|mixed:" + ",".join(map(str, options.mixed))
    progress = TimedProgress(console)

    def attempt(system: str, form: PageForm, columns: scoring.Columns) -> scoring.Trial:
        configuration = systems.configurations[system].for_form(form)
        seen, unseen = (
            scoring.examples_of_form(each, form, columns) for each in (learnt_from, answered_for)
        )
        if options.test:
            console.write_status(f"{system}: training on {len(learnt_from)} names for {form}")
            return scoring.evaluate_transfer(
                seen, unseen, columns, configuration, settings, progress
            )
        console.write_status(f"{system}: cross-validating on {form}, --cv {cv}")
        if cv == BY_ORIGIN:
            places = ([i for i, each in enumerate(seen) if each.origin is one] for one in Origin)
            parts = list(filter(None, places))
        else:
            parts = divide_examples(seen, int(cv or 0), options.seed)
        trial = scoring.evaluate_parts(seen, columns, parts, configuration, settings, progress)
        of_form = {name: each for name, each in trial.answers.items() if tested.forms[name] is form}
        return replace(trial, answers=of_form)

    of_forms: dict[str, list[scoring.Trial]] = {system: [] for system in systems.configurations}
    for form in sorted(forms):
        for system, columns in systems.used(form).items():
            of_forms[system].append(attempt(system, form, columns))
    trials = {system: scoring.Trial.joined(each) for system, each in of_forms.items()}
    answered = next(iter(trials.values())).answers
    # Mixed names whose names are in several parts have taught only.
    corpus = replace(
        tested, forms={name: form for name, form in tested.forms.items() if name in answered}
    )
    return scoring.Benchmark(
        systems,
        trials,
        corpus,
        {name: answered_for[name][form] for name, form in corpus.forms.items()},
        how=how,
        learnt_on=learnt_on,
        settings=settings,
        tools=_tools_of(systems, forms, reader),
    )


def _open_taught(options: BenchmarkOptions, folds: int) -> Corpus:
    """The corpus to learn from, with mixed names if there are any."""
    if options.cv == BY_ORIGIN and options.mixed:
        raise SourceError(
            "mixed names are not of one origin",
            remedy="use --mixed with --cv 5, or --cv origin without it",
        )
    parts = folds
    if options.cv not in (None, BY_ORIGIN):
        parts = int(options.cv) if options.cv.isdecimal() else 0
    if parts < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="use --cv 5")
    corpus = open_corpus(options.train or options.corpus, options.exclude)
    if options.cv == BY_ORIGIN:
        check_origins(corpus)
    # Few parts have several groups each, so that training can divide its names again.
    groups = 2 * parts if parts < _MIXED_GROUPS else parts
    return with_mixed_names(corpus, options.mixed, groups, options.seed)


def _tools_of(
    systems: scoring.Systems, forms: Iterable[PageForm], reader: Reader
) -> dict[str, str]:
    """What pages were read with, see :attr:`Benchmark.tools`."""
    tools = {}
    if any(required_layers(available_similarities(systems.union, form)) for form in forms):
        tools["language"] = pipeline_version(reader.language)
    if need_encoder(systems.union):
        tools["encoder"] = require_encoder(reader.embeddings)
    if reader.html is not HtmlReader.FAST:
        tools["html"] = str(reader.html)
    return tools


@dataclass(frozen=True, kw_only=True)
class TrainOptions(TrainingOptions):
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
    features: str = cli_option(
        FEATURES_MEANING, "", parse=_system_with_features, metavar="SET", instead_of="system"
    )
    set_aside: bool = cli_option(
        "also learn which pages to set aside, from those that the keys discard", False
    )


def train_models(options: TrainOptions, console: Console) -> None:
    """Cross-validate, train on all names, save.

    Raises:
        FeatureError: if pages have none of the features.
    """
    check_writable(options.out)
    settings, reader = options.settings(), options.reader()
    system = load_named_plugins(options.features or options.system or DEFAULT_SYSTEMS[-1])
    systems = scoring.Systems.parse([system])
    corpus = open_corpus(options.corpus, options.exclude)
    corpus = with_mixed_names(corpus, options.mixed, settings.folds, options.seed)
    encoder = require_encoder(reader.embeddings) if need_encoder(systems.union) else ""
    forms = count_forms(form for richest in corpus.forms.values() for form in forms_up_to(richest))
    if lines := list(scoring.missing_feature_lines(systems, forms)):
        console.write("\n".join([*lines, ""]))
    taught = [form for form in forms if systems.used(form)[system]]
    if not taught:
        raise FeatureError(
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
        fitted[form] = examples, columns, configuration
        console.write_status(f"cross-validating on {form}")
        parts = divide_examples(examples, settings.folds, settings.seed)
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
        models[form] = train(*fitted[form], bcubed_f05, settings, told)
    if options.set_aside and PageForm.PAGES in models:
        sizes = corpus.mixed_sizes
        rule = fit_set_aside(
            (read_signs(name, corpus.source, reader), key)
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
    language = pipeline_name(reader.language) if required_layers(systems.union) else ""
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
    rows = scoring.name_rows(systems)
    console.write_table(rows)
    if sizes:
        console.write_table(scoring.size_rows(systems, sizes), left=3)
    console.write_detail(fill(scoring.score_legend([rows]), console.width))
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
class EvaluateOptions(ModelOptions, JobsOption, NamesOption, JsonOption):
    """The options of ``weps evaluate``."""

    corpus: Path = cli_argument("corpus with the keys")
    answers: tuple[Path, ...] = cli_argument(
        "of each system a folder of NAME.clust.xml or results of weps, a table of name, page and "
        "person (.csv, .tsv, .jsonl), or recorded runs; or a folder of these",
        (),
    )
    compare: bool = cli_option(
        "compare every two systems on the same names, by F0.5 or each of --measures: bootstrap "
        "interval, randomisation and sign test, adjusted by Holm",
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
    format: str = cli_option("form of what is printed", "text", choices=FORMATS)
    report: Path | None = cli_option("also write tables and a figure as a document", metavar="DIR")
    files: bool = cli_option(FILES_MEANING, False)
    line: str = ""


def evaluate_answers(options: EvaluateOptions, console: Console) -> int:
    """Score, print, and write JSON if requested.

    Raises:
        SourceError: if there is nothing to score, or nothing to score it by.
    """
    measures = _chosen_measures(options.measures)
    source = open_source(options.corpus)
    names = select_names(source, options.name)
    places = _places_of(options)
    scorer = scorer_for(source, options.scorer)
    recorded = _recorded(places, source, scorer, measures)
    everything = len(names)
    names = tuple(name for name in names if all(name in each for each in recorded.values()))
    if len(names) < everything:
        console.warn(f"scored are the {len(names)} of {everything} names that all runs have")
    folders = {system: place for system, place in places.items() if system not in recorded}
    given = _read_answers(folders, source, names, console)
    if given is None:
        return 1
    names, attributes = _scorable_names(source, names, facts=options.facts)
    signature = scorer.signature(source, names)
    systems, details = _score_answers(given, source, names, scorer, measures, console)
    systems |= {
        system: {name: scores[name] for name in names} for system, scores in recorded.items()
    }
    systems = {system: systems[system] for system in places}
    for system, folder in folders.items() if options.facts else ():
        details.setdefault(system, {})["facts"] = _judge_facts(folder, attributes)
    if options.baselines:
        systems |= scoring.score_baselines(names, source, scorer, measures)
    courses: list[judging.Course] = []
    if options.corrections:
        digest, courses = _simulate(options, source, names, scorer, console)
        signature += f"|model:{digest}"
        model = options.model.stem if options.model else options.system or DEFAULT_SYSTEM
        systems[f"{model} (model)"] = scoring.score_answers(
            {each.name: each.answer for each in courses}, source, scorer, measures
        )
        details[f"{model} (model)"] = judging.simulation_data(courses)
    data = scoring.results_data(signature, systems)
    document = _scores_document(systems, list(places or systems), data, measures, options)
    for system, more in details.items():
        data["systems"][system] |= more
    if options.format == "text":
        write_tables(document, console)
        for system, more in details.items():
            _show_details(system, more, courses, console)
    else:
        console.write(render_document(document, options.format, data))
    write_json(options.json, data)
    if options.report:
        write_report(document, options.report, console, files=options.files)
    return 0


def _scores_document(
    systems: Mapping[str, Scores],
    shown: Sequence[str],
    data: dict[str, Any],
    measures: Sequence[str],
    options: EvaluateOptions,
) -> Document:
    """Scores, those shown by name, or a comparison if wanted, which is added to the JSON."""
    if options.compare:
        from weps_eval.benchmark import runs  # noqa: PLC0415 - pydantic only for comparisons

        compared = measures if options.measures else ["bcubed_f05"]
        sections, data["comparisons"] = runs.compare_systems(systems, compared)
    else:
        sections = [scoring.names_section({system: systems[system] for system in shown})]
    drawn = bool(options.report) or options.format == "html"
    sections.append(scoring.systems_section(systems, measures, drawn=drawn))
    title = f"Scores of {count_of(len(systems), 'system')}"
    return Document(title, (), sections, data["signature"], options.line)


def _places_of(options: EvaluateOptions) -> dict[str, Path]:
    """System → its answers or recorded runs; systems with one name are called by their paths.

    Raises:
        SourceError: if there is nothing to score.
    """
    found = [each for place in options.answers for each in systems_in(place).items()]
    if not found and (options.facts or not (options.baselines or options.corrections)):
        raise SourceError(
            "no answers to score",
            remedy="name a folder of answers, or add --baselines or --corrections",
        )
    times = Counter(system for system, _ in found)
    return {system if times[system] == 1 else str(place): place for system, place in found}


def _recorded(
    places: Mapping[str, Path], source: Source, scorer: Scorer, measures: Sequence[str]
) -> dict[str, Scores]:
    """Scores of the systems that have recorded runs.

    Raises:
        WepsError: if they cannot be read, or are not comparable with what is scored now.
    """
    recorded = {system: place for system, place in places.items() if has_runs(place)}
    if not recorded:
        return {}
    from weps_eval.benchmark.runs import recorded_scores  # noqa: PLC0415 - pydantic only for these

    return {
        system: recorded_scores(place, source, scorer, measures)
        for system, place in recorded.items()
    }


def _scorable_names(
    source: Source, names: Sequence[str], *, facts: bool
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
            f"none of the names has a key{' and attributes' * facts}",
            where=source.root,
            remedy="give a corpus with its gold standard, or saved pages with a key.xml",
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
                remedy=suggest_names(name, list(ALL_MEASURES)),
            )
    return tuple(chosen)


def _show_details(
    system: str, more: Mapping[str, Any], courses: Sequence[judging.Course], console: Console
) -> None:
    """Print what is known of a system besides its scores."""
    if "labels" in more:
        shares = ", ".join(
            f"{each['share']:.2f} of {each['people']}"
            + (f" with {each['pages']} or more pages" if each["pages"] > 1 else "")
            for each in more["labels"]
        )
        console.write(f"{system}: labels that share a word with people's descriptions: {shares}")
    if "corrections" in more:
        console.write()
        judging.show_simulation(courses, more, console)
    if "facts" in more:
        console.write(f"\n{system}: facts, by the attributes that annotators found")
        console.write_table(facts.fact_rows(more["facts"]))
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
) -> dict[str, dict[str, Clustering]] | None:
    """Answers of each system; None after a report of every fault of the files, if there is one."""
    given: dict[str, dict[str, Clustering]] = {system: {} for system in folders}
    faults: dict[str, None] = {}

    for name in names:
        for read in (source.ranks, source.key):
            with _noting(faults):
                read(name)
    for system, folder in folders.items():
        with _noting(faults):
            answers = answers_in(folder, source)
            check_names(source, answers, folder)
            for name in filter(answers.__contains__, names):
                with _noting(faults):
                    given[system][name] = answers[name]()
    for line in faults:
        console.error(line)
    for name in () if faults else names:
        for warning in source.warnings(name):
            console.warn(warning)
    return None if faults else given


def _score_answers(  # noqa: PLR0913, PLR0917 - what is scored, by what
    given: Mapping[str, Mapping[str, Clustering]],
    source: Source,
    names: Sequence[str],
    scorer: Scorer,
    measures: Sequence[str],
    console: Console,
) -> tuple[dict[str, Scores], dict[str, dict[str, Any]]]:
    """Scores of each system, and the quality of its labels if answers and keys have any.

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
        for name in names:
            if name not in answers:
                console.warn(f"{system}: no answer for {name}; it scores 0")
        if any(answer.labels for answer in answers.values()):
            judged = [
                judging.compare_labels(answer, key, name)
                for name, answer in answers.items()
                if name in names and (key := source.key(name))
            ]
            if qualities := judging.label_quality(judged):
                details[system] = {"labels": qualities}
    return systems, details


def _judge_facts(folder: Path, attributes: Mapping[str, Attributes]) -> dict[str, Any]:
    """What the attributes of some names tell of the facts of their answers."""
    stated = (
        [fact for person in read_file(path).people for fact in person.facts]
        if path.is_file()
        else []
        for path in map(partial(result_path, folder), attributes)
    )
    return facts.facts_data(map(facts.judge_facts, attributes, stated, attributes.values()))


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
    found = parallel_map(work, names, options.jobs)
    found = report_progress(found, TimedProgress(console), "correcting answers", len(names))
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
    for example in read_examples(name, source, model.similarities, reader=reader).values():
        return judging.simulate_user(example, model, scorer)
    return None
