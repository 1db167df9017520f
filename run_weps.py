"""The composition root: the command line, assembled from ``weps`` and ``weps_eval``.

The module of a command is imported, and its options declared, only when it is called.
Installed as the command ``weps``; from a checkout, ``python run_weps.py`` does the same.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import os
import shlex
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, get_type_hints

if (_LAYER := Path(__file__).resolve().parent / "eval").joinpath("weps_eval").is_dir():
    sys.path.insert(0, str(_LAYER))  # in a checkout, which need not be installed

from weps import _options
from weps._files import STANDARD
from weps._formatting import cut_middle, suggest_similar
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import ALL_OPTIONS, all_settings
from weps.errors import FeatureError, describe_error, is_foreseen

if TYPE_CHECKING:
    from weps.sources.base import Source
    from weps_eval.clustering.measures import Scorer

__all__ = ["main"]

_LONGEST_FAULT = 1_000


class Command(NamedTuple):
    """The module of a command, and its purpose."""

    module: str
    """``MODULE:FUNCTION``, called with ``options`` and ``console``, which may return an exit
    status; the dataclass with which ``options`` is annotated may say in ``KEPT`` what the command
    keeps when it is stopped. A ``MODULE`` alone has a ``STUDY``. Empty with subcommands."""
    purpose: str
    example: str = ""
    """Words that may follow its name, for the end of its help."""
    destination: str = ""
    """Attribute of the options for the chosen subcommand."""
    subcommands: Mapping[str, Command] = MappingProxyType({})
    reads_pages: bool = False
    """Whether most calls clean pages, for which a process is started beside the imports."""


def _add_commands(parser: CommandParser, destination: str, commands: Mapping[str, Command]) -> None:
    """Declare commands, whose modules are imported only when they are called.

    The parsed options get ``run``, the function of the chosen command.

    Args:
        parser: of the program, or of a command with subcommands.
        destination: attribute of the options for the chosen command.
        commands: name → command.
    """
    chosen = parser.add_subparsers(
        dest=destination, required=True, metavar=destination.upper(), parser_class=CommandParser
    )
    parser.has_commands = True
    group = parser._positionals
    group.title = "commands"
    group._group_actions.remove(chosen)
    for name, command in commands.items():
        added = chosen.add_parser(
            name,
            help=command.purpose,
            description=f"{command.purpose[0].upper()}{command.purpose[1:]}.",
            epilog=command.example and f"Example: {parser.prog} {name} {command.example}",
        )
        added.module, added.reads_pages = command.module, command.reads_pages
        if name in _HEADINGS:
            group = parser.add_argument_group(_HEADINGS[name])
        group._group_actions.append(chosen._choices_actions.pop())
        _add_common(added)
        if command.subcommands:
            _add_commands(added, command.destination, command.subcommands)
    parser._action_groups.append(parser._action_groups.pop(1))  # the options, after the commands


class CommandParser(argparse.ArgumentParser):
    """Imports its module, if it has one, and declares the options only when it is called."""

    module = ""
    reads_pages = False
    blamed = ""
    """Where a fault is, if not on the command line."""
    has_commands = False
    """Whether it must be followed by the name of a command."""

    def parse_known_args(  # type: ignore[override] # only this overload is called
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Declare the options, and read them."""
        if self.has_commands and not args:
            self.print_help()
            self.exit()
        if self.reads_pages and not {"-h", "--help"}.intersection(args or ()):
            from weps._isolation import prepare_cleaning  # noqa: PLC0415 - few commands read pages

            prepare_cleaning()
        self.declare_options()
        if self.has_commands:
            if args and args[0] == "help":
                args = [*args[1:], "--help"]
            return super().parse_known_args(args, namespace)
        settings = self._settings()
        for action in settings:
            action.required = False
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:  # here, where the known options are known
            words = (word.partition("=")[0] for word in unknown if word.startswith("--"))
            near = suggest_similar(words, list(self._option_string_actions))
            several = any(each.nargs in {"+", "*"} for each in self._get_positional_actions())
            if several and not unknown[0].startswith("-"):
                near = "give it beside the others, before the options"
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near and f'; {near}'}")
        self.blamed = " (in weps.toml or the environment, see `weps config show`)"
        applied = [
            word
            for action, words in settings.items()
            if not self._is_given(options, action)
            for word in words
        ]
        options, unknown = super().parse_known_args([*(args or ()), *applied], None)
        options.applied = applied
        return options, unknown

    def declare_options(self) -> None:
        """Import the module, if there is one, and let it declare its options; once."""
        module, self.module = self.module, ""
        if module:
            name, _, function = module.partition(":")
            command: Any = getattr(importlib.import_module(name), function or "STUDY")
            run: Callable[[Any, Console], int | None] = command if function else command.run
            options = get_type_hints(command)["options"] if function else command.options
            _options.declare_options(self, options)
            self.set_defaults(
                run=lambda words, console: run(_options.read_options(options, words), console),
                kept=getattr(options, "KEPT", ""),
            )

    def _settings(self) -> dict[argparse.Action, list[str]]:
        """Option → its words, as files or the environment have it."""
        command, found, strange = self.prog.split()[1:], {}, list[str]()
        known = {flag[2:]: each for flag, each in self._option_string_actions.items()}
        for (*names, option), value, where in all_settings():
            action = known.get(option)
            if action and names == command[: len(names)]:
                flag, is_on = f"--{option}", str(value).lower() in {"true", "1"}
                values = list(map(str, value if isinstance(value, list) else [value]))
                single = [flag] * is_on if action.nargs == 0 else [f"{flag}={v}" for v in values]
                found[action] = [flag, *values] if action.nargs else single
            elif names == command:
                near = suggest_similar([option], list(known))
                self.error(f"{where}: there is no option {option!r}{near and f'; {near}'}")
            elif (word := (*names, option)[0]) not in {*ALL_OPTIONS, *_COMMANDS}:
                near = suggest_similar([word], [*ALL_OPTIONS, *_COMMANDS])
                if near or not where.startswith("WEPS_"):  # which may be another program's
                    strange.append(f"{where}: no command has {word!r}{near and f' ({near})'}")
        if strange:
            Console().warn("; ".join(dict.fromkeys(strange)))
        return found

    def _is_given(self, options: argparse.Namespace, action: argparse.Action) -> bool:
        """Whether the command line has an option, or one that excludes it."""
        groups = [[action], *(each._group_actions for each in self._mutually_exclusive_groups)]
        rivals = chain(*(group for group in groups if action in group))
        return any(hasattr(options, each.dest) for each in rivals)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check a choice, and suggest the nearest ones to a wrong one instead of listing all."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            if near := suggest_similar([str(value)], list(map(str, action.choices or ()))):
                error.message = f"invalid choice: {value!r}; {near}"
            raise

    def error(self, message: str) -> NoReturn:
        """Report a fault of the command line, which may have words of any length, in one line."""
        told = cut_middle(message, _LONGEST_FAULT) + self.blamed
        self.exit(_MISUSED, f"{self.prog}: error: {told}; see `{self.prog} --help`\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help, where an error of the stream is told, or an error."""
        is_help = file in (None, sys.stdout)
        (Console().write if is_help else Console().write_status)(message.removesuffix("\n"))


def _add_common(parser: argparse.ArgumentParser) -> None:
    """Declare ``--quiet`` and others for a command: they may follow the command's name.

    They have no default, which would override one given before the command.
    """
    for flags, meaning in (
        (
            ("-q", "--quiet"),
            "print only results (clustering: none), some in brief, warnings and errors",
        ),
        (("-v", "--verbose"), "also print what is logged, such as settings of files"),
        (("--traceback",), "print the traceback of an error, for bug reports"),
    ):
        parser.add_argument(*flags, action="store_true", default=argparse.SUPPRESS, help=meaning)


_TEXT_TASKS = {
    "score": Command(
        "weps_eval.cli.text:score_outputs",
        "compare the outputs of systems with references, by any measures",
        "news.jsonl --measures rouge1,rouge_l --out measures.csv",
    ),
    "measures": Command(
        "weps_eval.cli.text:list_measures",
        "list the measures and sets of measures",
        "--json measures.json",
    ),
    "convert": Command(
        "weps_eval.cli.text:convert_set",
        "convert a published data set into a testbed",
        "texts outputs.txt references.txt --out mine.jsonl",
    ),
}
_META_STUDIES = {
    "qarla": Command(
        "weps_eval.studies.qarla",
        "measures that distinguish human from automatic outputs: QUEEN, KING and JACK (ACL 2005)",
        "news.jsonl --measures rouge1,rouge_l",
    ),
    "orange": Command(
        "weps_eval.studies.orange",
        "measures that rank references before outputs, and whether people agree (2004, 2006)",
        "news.jsonl --measures rouge1,rouge_l --report orange",
    ),
    "heterogeneity": Command(
        "weps_eval.studies.heterogeneity",
        "how far measures differ, and how reliable they are together (2011)",
        "news.jsonl --measures rouge1,rouge_l,esk",
    ),
    "hbr": Command(
        "weps_eval.studies.hbr",
        "outputs ranked by many measures without human scores: heterogeneity-based ranking (2012)",
        "news.jsonl --measures rouge1,rouge_l,esk --out ranks.csv",
    ),
    "improvements": Command(
        "weps_eval.studies.improvements",
        "which improvements between systems measures find: SIP, SIR, oracle system test (2009)",
        "judged.csv --human grammar",
    ),
    "correlation": Command(
        "weps_eval.studies.correlation",
        "how far measures agree with human scores, by systems and by outputs",
        "judged.csv --human grammar --report agreement",
    ),
    "kernels": Command(
        "weps_eval.studies.kernels",
        "ESK against its variants, WSK and ROUGE (Hirao et al. 2005)",
        "judged.jsonl --human grammar",
    ),
    "grouge": Command(
        "weps_eval.studies.grouge",
        "GROUGE against ROUGE, and its weights (ShafieiBavani et al. 2017)",
        "judged.jsonl --human grammar",
    ),
    "regression": Command(
        "weps_eval.studies.regression",
        "human scores estimated from measures: voted regression and other models (2006, 2007)",
        "judged.csv --human grammar --leave-out systems",
    ),
}
_STUDIES = {
    "features": Command(
        "weps_eval.studies.features",
        "which features contribute most: PWA, MaxPWA, redundancy (EMNLP 2009)",
        "corpus --features title --out study",
    ),
    "key-terms": Command(
        "weps_eval.studies.key_terms",
        "where key concepts occur in sentences, and which weightings find them (COLING 2004)",
        "corpus --report study",
    ),
    "refinements": Command(
        "weps_eval.studies.refinements",
        "which words to add to a name to find one person: query refinements (ACL-IJCNLP 2009)",
        "corpus --report study",
    ),
}
_COMMANDS = {
    "cluster": Command(
        "weps.cli.cluster:cluster_pages",
        "cluster the pages found for a name by person",
        "Robin_Averdale --out results --write json,html,csv",
        reads_pages=True,
    ),
    "search": Command(
        "weps.cli.search:search_name",
        "search the Web for a name, and cluster the pages found",
        "'Robin Averdale' --with Merrow --out results",
    ),
    "update": Command(
        "weps.cli.search:update",
        "add pages to a result, and report what changes",
        "results Robin_Averdale",
        reads_pages=True,
    ),
    "export": Command(
        "weps.cli.search:export_results",
        "write results for spreadsheets and other programs",
        "results --write jsonld,graphml --out exports",
    ),
    "forget": Command(
        "weps.cli.search:delete_name",
        "delete everything that is stored about a name",
        "Robin_Averdale --out results",
    ),
    "serve": Command(
        "weps.cli.checks:serve_results", "view and correct results in the browser", "results --open"
    ),
    "train": Command(
        "weps_eval.cli.corpora:train_models",
        "train a model on names with a key",
        "corpus --system small --out mine.json",
    ),
    "evaluate": Command(
        "weps_eval.cli.corpora:evaluate_answers",
        "score answers as the official WePS scorers do",
        "corpus mine.csv theirs --compare --report scores",
    ),
    "benchmark": Command(
        "weps_eval.cli.corpora:report_benchmark",
        "train, cluster and score on unseen names",
        "--cv 5 corpus --system default --system paper --runs runs",
    ),
    "text": Command(
        "", "compare summaries and translations with references", "", "task", _TEXT_TASKS
    ),
    "meta": Command("", "evaluate measures between texts themselves", "", "study", _META_STUDIES),
    "study": Command("", "study features, key terms and query refinements", "", "study", _STUDIES),
    "doctor": Command(
        "weps.cli.checks:diagnose", "show what is installed and what is missing", "--json -"
    ),
    "features": Command(
        "weps.cli.checks:list_features",
        "list the features by which pages are compared",
        "--json features.json",
    ),
    "cache": Command("weps.cli.checks:show_cache", "show or clear the cache of pages", "--clear"),
    "config": Command(
        "",
        "settings in files and in the environment",
        "",
        "task",
        {
            "show": Command(
                "weps.cli.checks:show_settings",
                "show each setting, and where it is from; the last one counts",
                "--json -",
            )
        },
    ),
}
_HEADINGS = {
    "cluster": "from pages to people",
    "train": "systems and how good they are",
    "text": "measures and studies",
    "doctor": "this installation",
}
"""First command of a group in the help → heading."""
_FAILED, _MISUSED, _INTERNAL, _INTERRUPTED = 1, 2, 70, 130
_EPILOG = (
    "`weps help COMMAND` tells the options of a command. Each can also be set in weps.toml, of the "
    "working directory or else the user, and by WEPS_OPTION in the environment (WEPS_JOBS=2): see "
    "`weps config show`. Further variables: WEPS_CACHE (folder of the cache), WEPS_SEARXNG_URL and "
    "BRAVE_API_KEY (search engines), NO_COLOR. "
    "Exit status: 0 on success, 1 on an error, 2 on an invalid command line or value, "
    f"{_INTERNAL} on an internal error, {_INTERRUPTED} if interrupted."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and tell any error in one line.

    Returns:
        The exit status: 0 if all went well, 1 if something could not be done, 70 for an internal
        error, 130 if stopped; argparse exits with 2.
    """
    gc.set_threshold(50_000)  # 700 new objects take a twentieth of the time, and save no memory
    atexit.register(gc.freeze)  # else cycles among all objects are looked for before the end
    sys.setswitchinterval(0.0005)  # s: after 0.005 threads that wait for processes take their turn
    _open_closed_streams()
    with suppress(ValueError):  # not the main thread
        for ending in {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
            if signal.getsignal(ending) is signal.SIG_DFL:  # as an interrupt, but for `nohup`
                signal.signal(ending, signal.default_int_handler)
    words = list(sys.argv[1:] if arguments is None else arguments)
    options, console = argparse.Namespace(traceback="--traceback" in words), Console()
    try:
        _parser().parse_args(words, options)
        options.line = shlex.join(["weps", *words, *options.applied])  # how a result was made
        options.scorer_for = _official_scorer
        console.quiet = getattr(options, "quiet", False)
        if getattr(options, "verbose", False):
            import logging  # noqa: PLC0415 - few want it

            logging.basicConfig(format="%(asctime)s %(name)s: %(message)s")
            logging.getLogger("weps").setLevel(logging.DEBUG)
            logging.getLogger("weps").info("command: %s", options.line)
        is_piped = STANDARD in {getattr(options, name, None) for name in ("json", "out")}
        with warnings.catch_warnings(), redirect_stdout(sys.stderr if is_piped else sys.stdout):
            warnings.showwarning = lambda message, *_, **__: console.warn(str(message))
            return options.run(options, console) or 0
    except KeyboardInterrupt:
        console.error("; ".join(filter(None, ("stopped", getattr(options, "kept", "")))))
        return _INTERRUPTED
    except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
        return 0
    except Exception as error:  # noqa: BLE001 - the last place that can tell it
        return _tell_error(error, console, trace=options.traceback)
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # drop what cannot be written: else Python tries again at the end, loudly
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_error(error: Exception, console: Console, *, trace: bool) -> int:
    """One line for an error, after its stack if that is wanted; returns the exit status."""
    if trace:
        console.error("".join(traceback.format_exception(error)))
    if is_foreseen(error):
        console.error(describe_error(error))
        return _MISUSED if isinstance(error, FeatureError) else _FAILED
    details = "" if trace else ", with the output of the same command with --traceback"
    console.error(f"{describe_error(error)}; this is a bug in weps: please report it{details}")
    return _INTERNAL


def _open_closed_streams() -> None:
    """Open the standard streams that are closed (``>&-``), lest the next file take their place.

    What is written to such an output fails; messages are lost.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            while os.open(os.devnull, flags) < number:
                pass
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
            setattr(sys, name, stream)


def _official_scorer(source: Source) -> Scorer:
    """The scorer of answers to a source, for commands of ``weps``, which never import it."""
    from weps_eval.clustering.measures import scorer_for  # noqa: PLC0415 - not for `weps --help`

    return scorer_for(source)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="weps",
        description="Web people search: which of the pages found for a name are about the same "
        "person, and why.",
        epilog=_EPILOG,
    )
    parser.add_argument("-V", "--version", action="version", version=f"weps {VERSION}")
    _add_common(parser)
    _add_commands(parser, "command", _COMMANDS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
