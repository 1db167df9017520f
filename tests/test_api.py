"""The public interface is what the packages export, and costs nothing until it is used."""

import doctest
import inspect
import logging
import os
import subprocess
import sys
import warnings
from contextlib import suppress
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import weps
import weps_eval
from tests.cases import each_case
from weps._options import read_values
from weps._version import VERSION
from weps.errors import WepsError
from weps.features.bags import Bags
from weps.language.spacy_pipeline import pipeline_version
from weps.sources.corpora import clustering_xml
from weps_eval.meta.heterogeneity import PairwisePreferences, hbr
from weps_eval.studies import NAMES
from weps_eval.text.declaration import Measure
from weps_eval.text.testbed import write_matrix

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = pytest.mark.parametrize("package", [weps, weps_eval], ids=["weps", "weps_eval"])


@PACKAGES
def test_every_public_name_is_there_under_its_own_name(package):
    assert {name: getattr(package, name).__name__ for name in package.__all__} == {
        name: name for name in package.__all__
    }
    assert dir(package) == package.__all__


def classes_in(hint):
    """The classes of weps that an annotation names."""
    if inspect.isclass(hint) and hint.__module__.startswith("weps"):
        yield hint
    for inner in hint if isinstance(hint, list) else get_args(hint):
        yield from classes_in(inner)


@PACKAGES
def test_types_of_public_functions_are_public(package):
    public = {getattr(each, name) for each in (weps, weps_eval) for name in each.__all__}
    for name, function in inspect.getmembers(package, inspect.isfunction):
        if name in package.__all__:
            hints = inspect.get_annotations(function, eval_str=True).values()
            assert {each for hint in hints for each in classes_in(hint)} <= public, name


@PACKAGES
def test_other_names_are_attribute_errors(package):
    with pytest.raises(AttributeError, match="no_such_thing"):
        package.no_such_thing  # noqa: B018 - asking is the test


def test_a_public_error_is_the_one_that_is_raised():
    assert weps.WepsError is WepsError


def test_the_version_is_that_of_the_package():
    assert weps.__version__ == weps_eval.__version__ == VERSION


TESTBED = ROOT / "resources" / "testbed" / "news.jsonl"
PEERS, MODELS = [[0.9, 0.8, 0.7], [0.1, 0.2, 0.1]], [[1, 0.5, 0.4], [0.5, 1, 0.3], [0.4, 0.3, 1]]
PAGES = [{"text": "Ann sails."}] * 2
VALUES = [[0.1, 0.4, 0.3, 0.8], [0.2, 0.3, 0.9, 0.7]]


@each_case(
    ("given", "internal"),
    [
        (lambda: weps_eval.score_testbed(TESTBED, "rouge1").values, lambda: scored("rouge(n=1)")),
        (
            lambda: weps_eval.score_testbed(str(TESTBED), ["rougeL", "rouge(n=1|2)"]).values,
            lambda: scored("rouge_l", "rouge(n=1)", "rouge(n=2)"),
        ),
        (lambda: weps_eval.rouge1("the cat sat", "the cat lay"), lambda: 2 / 3),
        (lambda: weps_eval.rouge2("the cat sat", ["the cat lay", "a dog"]), lambda: 1 / 4),
        (
            lambda: [*weps_eval.score("rougeL, rouge1", ["a b", ""], ["a b", ["a", "b"]]).values()],
            lambda: [[1, 0], [1, 0]],
        ),
        (
            lambda: weps_eval.queen((PEERS, np.array(MODELS)))[0],
            lambda: [1, 0],
        ),
        (
            lambda: weps_eval.king(
                weps_eval.Conditions.of(weps_eval.Similarities(PEERS, MODELS), "pairs")
            ),
            lambda: [0],
        ),
        (
            lambda: weps_eval.hbr(VALUES, group=["a", "a", "b", "b"]),
            lambda: hbr(
                np.array(VALUES),
                PairwisePreferences.sampled(np.array(VALUES), 0, [0, 0, 1, 1]),
                [0, 0, 1, 1],
            ),
        ),
        (lambda: weps_eval.bcubed(["a", "a", "b"], ["x", "y", "y"]), lambda: (2 / 3, 2 / 3)),
        (lambda: weps_eval.purity([0, 0, 1], ["x", "y", "y"]), lambda: (2 / 3, 2 / 3)),
        (
            lambda: weps_eval.score_answer([[1, 2], [3]], [[1, 2, 3]])["bcubed_recall"],
            lambda: 5 / 9,
        ),
    ],
)
def test_functions_take_what_the_command_line_takes(given, internal):
    np.testing.assert_allclose(given(), internal())


def scored(*measures):
    chosen = [Measure.parse(each) for each in measures]
    return weps_eval.score_testbed(weps_eval.read_testbed(TESTBED), chosen).values


def test_a_frame_of_a_matrix_is_studied_as_its_table_is(tmp_path):
    matrix = weps_eval.score_testbed(TESTBED, "rouge1, rouge_l")
    people = np.linspace(0, 1, len(matrix.topic))[None]
    matrix = replace(matrix, criteria=("grammar",), human=people)
    path = tmp_path / "measures.csv"
    matrix.to_pandas().to_csv(path, index=False)
    found = weps_eval.study("correlation", path, measures=["rouge_l"])
    write_matrix(matrix, path)
    table = weps_eval.study("correlation", str(path), measures="rouge_l")
    assert found.data() | {"signature": ""} == table.data() | {"signature": ""}
    assert repr(found).startswith(
        "<StudyResult 'Agreement of measures with people on measures.csv': 8 claims"
    )
    assert len(repr(found)) < 300
    assert list(matrix.to_pandas()) == ["topic", "system", "human:grammar", *matrix.measures]


@each_case(
    ("call", "kind"),
    [
        (lambda: weps_eval.score_testbed(TESTBED, "rogue"), ValueError),
        (lambda: weps_eval.score("rouge1", ["a"], "a"), ValueError),
        (lambda: weps_eval.pwa(["a"], [1]), ValueError),
        (lambda: weps_eval.compare([0.5], ["a"]), ValueError),
        (lambda: weps_eval.bcubed_f05(3, [[1]], [1]), TypeError),
        (lambda: weps_eval.bcubed([0], [0, 1]), ValueError),
        (lambda: weps_eval.score_answer("ab", [[1]]), TypeError),
        (lambda: weps.cluster(3), TypeError),
        (lambda: weps.update(3, ROOT), TypeError),
        (lambda: weps_eval.queen(np.array(PEERS)), TypeError),
        (lambda: weps.pretrained("nope"), ValueError),
        (lambda: weps_eval.study("nope", TESTBED), ValueError),
        (lambda: weps.load(ROOT / "nope.json"), OSError),
        (lambda: weps.load(ROOT / "pyproject.toml"), ValueError),
        (lambda: pipeline_version("nope"), OSError),
        (lambda: weps.cluster(PAGES, name="Ann").save(Path(os.devnull)), OSError),
        (lambda: weps.cluster(PAGES, name="Ann").save("s3://bucket/ann"), OSError),
        *(
            (lambda function=function: function(""), ValueError)
            for function in (weps.cluster, weps.load, weps.read_result, weps.open_source)
        ),
        (lambda: weps.cluster(PAGES, name="Ann").save(""), ValueError),
        (lambda: weps.cluster([{"text": "Ann", "rank": 10**30}], name="Ann"), TypeError),
        *((lambda rank=rank: weps.Page(rank), ValueError) for rank in (10**30, -1, 0.5, "1")),
        (lambda: weps.cluster(PAGES, name="Ann", progress=True), TypeError),
        (lambda: weps.cluster(PAGES, name=3), TypeError),
        (lambda: weps.cluster(PAGES, name="Ann", corrections="same 1 2"), TypeError),
        (lambda: weps.compare(PAGES, name="Ann", features=len), TypeError),
        (lambda: weps.compare(PAGES, name="Ann", progress="tqdm"), TypeError),
        (lambda: weps.compare(PAGES, name="Ann", progress=type), TypeError),
        (lambda: weps_eval.hbr(VALUES, progress=type), TypeError),
        (lambda: weps_eval.score_testbed(TESTBED, "rouge1", progress=type), TypeError),
        (lambda: weps_eval.study("hbr", TESTBED, progress=type), TypeError),
        (lambda: weps_eval.hbr(VALUES, preferences=[1]), TypeError),
        (lambda: weps_eval.cross_validate("paper", DEMO, progress=type), TypeError),
        (lambda: weps_eval.cross_validate("paper", ROOT, bogus=1), TypeError),
        (lambda: weps.train(ROOT, "bcubed_f05"), TypeError),
        (lambda: weps.cluster(PAGES, name="Ann", reader="weps_en"), TypeError),
        (lambda: weps_eval.score("rouge1", ["a"], ["b"], tools="weps_en"), TypeError),
    ],
)
def test_errors_are_those_of_weps_and_of_python(call, kind):
    with pytest.raises(WepsError) as caught:
        call()
    assert isinstance(caught.value, kind)


def test_one_spelling_may_be_given_as_it_is_and_progress_may_be_none():
    answer = weps.cluster(PAGES, name="Ann", also="Anne", progress=None)
    assert answer.answer.also == ("Anne",)
    assert len(weps_eval.hbr(VALUES, progress=None)) == len(VALUES[0])


@each_case(
    ("call", "kind", "told"),
    [
        (
            lambda: weps_eval.rouge1(["a b"], ["a c"]),
            TypeError,
            "output: expected a text, got list",
        ),
        (lambda: weps_eval.rouge1(None, "a"), TypeError, "output: expected a text, got NoneType"),
        (lambda: weps_eval.rouge1("a", None), TypeError, "references of output 1: expected a text"),
        (lambda: weps_eval.score("rouge1", [None], ["a"]), TypeError, "list of texts, got NoneT"),
        (lambda: weps_eval.score("rouge1", 3, ["a"]), TypeError, "outputs: expected a text or a l"),
        (lambda: weps_eval.score("rouge1", ["a"], None), TypeError, "of output 1: expected a text"),
        (lambda: weps_eval.score(max, ["a"], ["a"]), TypeError, "write 'rouge1', or 'FILE.py:"),
        (
            lambda: weps_eval.queen(weps_eval.read_testbed(TESTBED)),
            TypeError,
            "similarities of top",
        ),
        (
            lambda: weps_eval.study("qarla", TESTBED, mesures="rouge1"),
            TypeError,
            "no setting 'mesures'; did you mean 'measures'?",
        ),
        (
            lambda: weps_eval.study("correlation", TESTBED),
            ValueError,
            "name the column of human scores with human=, or",
        ),
        (lambda: weps_eval.hbr([0.1, 0.2]), ValueError, r"shape (measures, instances), got (2,)"),
    ],
)
def test_what_functions_do_not_take_is_told(call, kind, told):
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, WepsError)
    assert told in str(caught.value)


WRONG = [None, 3, "", "x", (), [], {}, b"", [None], [[]], {"a": 1}, object(), np.zeros((2, 2, 2))]
SIMILARITIES = weps_eval.Similarities(PEERS, MODELS)
DEMO = ROOT / "resources" / "demo"
CALLS = [
    (weps.cluster, PAGES),
    (weps.compare, PAGES),
    (weps.update, DEMO, PAGES),
    (weps.load, DEMO),
    (weps.pretrained, "small"),
    (weps.load_plugin, "x.py:f"),
    (weps.read_result, DEMO),
    (weps.open_source, DEMO),
    (weps.train, DEMO, weps_eval.bcubed_f05),
    (weps_eval.cross_validate, "paper", DEMO),
    (weps_eval.bcubed, [0, 0], [0, 1]),
    (weps_eval.bcubed_f05, [[1]], [[1]], [1]),
    (weps_eval.bcubed_score, [0, 0], [0, 1]),
    (weps_eval.purity, [0, 0], [0, 1]),
    (weps_eval.score_answer, [[1]], [[1]]),
    (weps_eval.hbr, VALUES),
    (weps_eval.king, SIMILARITIES),
    (weps_eval.queen, (PEERS, MODELS)),
    (weps_eval.vrm, VALUES, VALUES[0]),
    (weps_eval.auc, [0.1, 0.9], [False, True]),
    (weps_eval.pwa, [0.1, 0.9], [False, True]),
    (weps_eval.max_pwa, [[0.1, 0.9]], [False, True]),
    (weps_eval.redundancy, VALUES, [0, 1, 0, 1]),
    (weps_eval.compare, [0.1], [0.2]),
    (weps_eval.rouge1, "a", "b"),
    (weps_eval.rouge2, "a", "b"),
    (weps_eval.rouge_l, "a", "b"),
    (weps_eval.score, "rouge1", ["a"], ["b"]),
    (weps_eval.score_testbed, TESTBED, "rouge1"),
    (weps_eval.read_testbed, TESTBED),
    *((weps_eval.study, name, TESTBED) for name in NAMES),
]
"""Public functions, and what they take."""


@pytest.mark.slow
def test_whatever_a_public_function_is_given_is_taken_or_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    called = {function for function, *_ in CALLS}
    for package in (weps, weps_eval):
        public = {getattr(package, name) for name in package.__all__}
        assert set(filter(inspect.isfunction, public)) - called <= {weps.register_feature}
    for function, *given in CALLS:
        for place in range(function is weps_eval.study, len(given)):
            for wrong in WRONG:
                words = [*given[:place], wrong, *given[place + 1 :]]
                with suppress(WepsError), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(*words)
    for wrong in WRONG:
        with suppress(WepsError):
            weps_eval.study(wrong, TESTBED)


@pytest.mark.parametrize("name", NAMES)
def test_settings_of_studies_take_what_the_command_line_takes(name):
    settings = import_module(f"weps_eval.studies.{name.replace('-', '_')}").STUDY.settings
    assert read_values(settings, {"seed": "7"}) == settings(seed=7)
    for field in fields(settings):
        for wrong in (*WRONG, -1, 0.5, ["x", "y", "z"]) if "meaning" in field.metadata else ():
            with suppress(WepsError):
                read_values(settings, {field.name: wrong})
    with pytest.raises(ValueError, match=r"seed: expected a whole number from 0, got 'x'"):
        read_values(settings, {"seed": "x"})


def test_progress_and_cautions_are_logged_for_those_who_listen(caplog):
    pages = [{"text": f"Ann Lee {trade}."} for trade in ("paints", "sails", "bakes")]
    with caplog.at_level("DEBUG", "weps"):
        answer = weps.cluster([*pages, pages[0]], name="Ann Lee")
    told = {level: [] for _, level, _ in caplog.record_tuples}
    for _, level, text in caplog.record_tuples:
        told[level].append(text)
    assert "reading pages: 4 of 4" in told[logging.DEBUG]
    assert told.get(logging.WARNING, []) == [f"Ann Lee: {each}" for each in answer.answer.cautions]
    assert any(isinstance(each, logging.NullHandler) for each in logging.getLogger("weps").handlers)


TYPED = """
import numpy as np
from numpy.typing import NDArray

import weps
import weps_eval

labels: NDArray[np.int64] = weps.PeopleClusterer("Ann Lee").fit_predict([])
untrue: str = weps.PeopleClusterer("Ann Lee").fit_predict([])  # type: ignore[assignment]
pairs: NDArray[np.float64] = weps.compare([]).distances
tree: NDArray[np.float64] = weps.cluster([]).linkage()
weps.nonexistent  # type: ignore[attr-defined]
weps_eval.nonexistent  # type: ignore[attr-defined]
"""
"""What ``mypy --strict`` says of it: each error is there, since an unused remark would be one."""


@pytest.mark.slow
def test_types_are_those_that_are_stated(tmp_path):
    (tmp_path / "typed.py").write_text(TYPED)
    config, cache = ROOT / "pyproject.toml", tmp_path / "cache"
    words = ("--config-file", config, "--cache-dir", cache, tmp_path / "typed.py")
    path = os.pathsep.join([str(ROOT), str(ROOT / "eval")])
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, words)],
        env={**os.environ, "MYPYPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory):
    """What the examples of docstrings have besides public names: a small corpus, a saved answer."""
    corpus = tmp_path_factory.mktemp("corpus")
    for name in ("Ann Lee", "Bob Cox", "Eve Orr", "Ian Fay"):
        folder = corpus / name.replace(" ", "_")
        folder.mkdir()
        for rank in range(1, 7):
            trade = ("paints tides in Merrow", "sails to Port Hale")[rank % 2]
            (folder / f"{rank}.html").write_text(f"<p>{name} {trade}. {name} writes.")
        key = weps.Clustering.of([[1, 3, 5], [2, 4, 6]])
        (folder / "key.xml").write_text(clustering_xml(key), "utf-8")
    saved = weps.cluster(ROOT / "resources" / "demo").save(tmp_path_factory.mktemp("saved"))[-1]
    return {"corpus": corpus, "saved": saved, "weps": weps, "weps_eval": weps_eval, "Bags": Bags}


@pytest.mark.slow
@PACKAGES
def test_every_public_function_has_an_example_that_runs_as_do_those_of_classes(
    package, at_hand, monkeypatch
):
    monkeypatch.chdir(ROOT)
    public = {name: getattr(package, name) for name in package.__all__}
    runner, told = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), []
    for name, function in public.items():
        if inspect.isfunction(function) or inspect.isclass(function):
            known = {"Clustering": weps.Clustering} | public | at_hand
            code = inspect.getdoc(function)
            test = doctest.DocTestParser().get_doctest(code, known, name, None, 0)
            assert test.examples or inspect.isclass(function), name
            runner.run(test, out=told.append)
    assert not told, "".join(told)


BROKEN = "raise RuntimeError('a module of somebody else')"
ALL_HELP = """
import sys
import run_weps

def leaves(commands, *words):
    for name, command in commands.items():
        if command.subcommands:
            yield from leaves(command.subcommands, *words, name)
        else:
            yield (*words, name)

for words in leaves(run_weps._COMMANDS):
    try:
        run_weps.main([*words, "--help"])
    except SystemExit as end:
        assert end.code == 0, words
assert "weps_eval.studies.features" in sys.modules and "eval" not in sys.modules
"""


@pytest.fixture
def beside(tmp_path):
    """Run Python in a folder, on the path, with a module and a package ``eval``, neither ours."""
    (tmp_path / "eval").mkdir()
    for file in ("eval.py", "eval/__init__.py"):
        (tmp_path / file).write_text(BROKEN)
    path = map(str, (tmp_path, ROOT, ROOT / "eval"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}

    def run(*words: object) -> str:
        words = [sys.executable, *map(str, words)]
        return subprocess.run(
            words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        ).stdout

    return run


def test_every_command_starts_beside_a_foreign_eval(beside):
    assert "usage: weps meta orange" in beside("-c", ALL_HELP)


@pytest.mark.slow
def test_every_way_of_starting_works_beside_a_foreign_eval(beside):
    demo = ROOT / "resources" / "demo"
    for start in ((ROOT / "run_weps.py",), ("-m", "weps"), ("-m", "run_weps")):
        assert "B-Cubed" in beside(*start, "cluster", demo)


def test_a_checkout_that_is_not_installed_finds_the_evaluation_layer(tmp_path):
    """``-S`` leaves installed packages out; those that are needed are put back by their folder."""
    packages = [each for each in sys.path if each.endswith("site-packages")]
    code = (
        f"import sys; sys.path += {packages}; sys.path.insert(0, {str(ROOT)!r}); import run_weps; "
    )
    code += "import weps_eval; print(weps_eval.__file__, eval('1 + 1'))"
    words = [sys.executable, "-S", "-c", code]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = subprocess.run(
        words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    assert run.stdout == f"{ROOT / 'eval' / 'weps_eval' / '__init__.py'} 2\n"


def test_pages_without_a_key_need_no_scorer(beside, tmp_path):
    pages = tmp_path / "Ann_Lee"
    pages.mkdir()
    for number in range(2):
        (pages / f"{number}.txt").write_text("Ann Lee paints tides.")
    code = f"""
import sys, run_weps
assert run_weps.main(["cluster", {str(pages)!r}, "--quiet"]) == 0
assert not [name for name in sys.modules if name.startswith("weps_eval")]
"""
    beside("-c", code)
