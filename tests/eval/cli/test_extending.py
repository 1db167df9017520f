"""Parts of users: the recipes of docs/extending.md run, and features are loaded only when named."""

import json
import os
import pickle
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import run_weps
import weps
import weps_eval
from weps._files import resource_path
from weps.clustering.dendrogram import linkage_by_name
from weps.errors import FeatureError, ModelError
from weps.features import registry as plugins
from weps.features.registry import _REGISTRY, all_features, feature_by_name
from weps.model import ModelChoice, load
from weps.systems import parse_configuration, similarities_of
from weps_eval.text.declaration import FAMILIES, Measure, measures_of
from weps_eval.text.scoring import measure_dependencies
from weps_eval.text.topic import TextTools

PAGE = Path(run_weps.__file__).parent / "docs" / "extending.md"
BLOCKS = re.findall(
    r"^```(python|sh)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
)
MINE = "def tattoo(document):\n    '''ornaments'''\n    return document.title.split()\n"
CLUSTERER = """
from sklearn.cluster import DBSCAN
groups = DBSCAN(eps=0.5, min_samples=1, metric="precomputed")
"""
DECLARED = """
from weps.features.bags import Bags
from weps.features.registry import register_feature

@register_feature("link", "the first {n} words", n=(1, 2))
def beginning(analysis, n):
    return Bags.of(each.title.split()[:n] for each in analysis.documents)

def plain(document):
    return []
"""


@pytest.fixture(autouse=True)
def _unloaded(monkeypatch):
    """Other tests see the features and measures of weps alone."""
    known = dict(_REGISTRY)
    monkeypatch.setattr(plugins, "_LOADED", {})
    yield
    plugins.CLUSTERERS.clear()
    _REGISTRY.clear()
    _REGISTRY.update(known)
    for name in [each.name for each in FAMILIES.values() if each.origin]:
        del FAMILIES[name]


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


@pytest.mark.slow
def test_the_recipes_run(saved, weps, tmp_path, monkeypatch):
    (tmp_path / "corpus").symlink_to(saved)
    (tmp_path / "news.jsonl").symlink_to(resource_path("testbed/news.jsonl"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(map(str, (PAGE.parents[1], PAGE.parents[1] / "eval")))
    )
    outputs = {}
    for language, block in BLOCKS:
        if language == "python":
            if found := re.match(r"# (\w+\.py)\n", block):
                Path(found[1]).write_text(block)
            continue
        for line in block.splitlines():
            program, *words = shlex.split(line)
            if program == "python":
                subprocess.run([sys.executable, *words], check=True)
            else:
                if words[0] == "train":  # the default system takes long to learn
                    words = [each.replace("default+", "token+") for each in words]
                status, outputs[line], told = weps(*words)
                assert status == 0, (line, told)
    compared = next(text for line, text in outputs.items() if "benchmark" in line)
    assert re.search(r"\+tattoo against default  within the noise  +[+−]0\.\d{3} ", compared)
    assert "mine" in outputs[next(line for line in outputs if "scores.csv --group" in line)]
    model = json.loads(Path("mine.json").read_text())
    assert re.fullmatch(r"mine\.py:tattoo [0-9a-f]{8}", model["plugins"]["tattoo"])
    # Without the feature, one line; with another version of it, a warning; never by itself.
    words = ("cluster", "corpus", "--model", "mine.json", "--again", "--out")
    command = [sys.executable, "-m", "run_weps", *words, "other"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert re.search(r"uses 'tattoo', .* --plugin mine\.py:tattoo\n$", run.stderr)
    assert run.stderr.count("\n") == 1
    with Path("mine.py").open("a") as file:
        file.write("# changed\n")
    command += ["--plugin", "mine.py:tattoo", "--jobs", "2"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "'tattoo' has changed since the model was trained" in run.stderr


@pytest.mark.slow
def test_a_clusterer_of_scikit_learn_takes_the_place_of_a_linkage(saved, weps, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(CLUSTERER)
    words = (
        "--system",
        f"paper:features=token,link={file}:groups",
        "--out",
        tmp_path / "mine.json",
    )
    assert weps("train", saved, *words)[0] == 0
    words = ("cluster", saved, "--out", tmp_path / "out", "--model", tmp_path / "mine.json")
    plugins._LOADED.clear()
    plugins.CLUSTERERS.clear()
    status, _, told = weps(*words)
    assert status == 1
    assert "uses 'groups', which is not loaded" in told
    assert weps(*words, "--plugin", f"{file}:groups")[0] == 0
    for path in (tmp_path / "out").glob("*_*.json"):
        assert "|link:groups|" in json.loads(path.read_text())["signature"]
        assert '<div hidden><details id="more-or-fewer"' in path.with_suffix(".html").read_text()


def test_a_function_of_a_file_is_a_feature(mine):
    (made,) = plugins.load_plugin(f"{mine}:tattoo")
    assert (made.name, made.description, made.source) == ("tattoo", "ornaments", "mine.py:tattoo")
    assert plugins.load_plugin(f"{mine}:tattoo") == (made,)
    documents = [SimpleNamespace(title="rose anchor"), SimpleNamespace(title="")]
    bags = made.extract_bags(SimpleNamespace(documents=documents))
    assert [bags.counts.toarray().tolist(), bags.strings] == [[[1, 1], [0, 0]], ("rose", "anchor")]
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301 - as --jobs does
    assert [str(each) for each in similarities_of("tattoo+cosine(tattoo)")] == [
        "dice(tattoo)",
        "cosine(tattoo)",
    ]


def test_a_function_of_a_notebook_is_a_feature_until_it_is_defined_again():
    values = []
    for words in (["a", "b"], []):

        def shout(_, words=words):
            return words

        (made,) = weps.load_plugin(shout)
        assert (made.name, str(feature_by_name("shout"))) == ("shout", "shout")
        found = weps.compare(["Ann Lee", "Ann Lee"], name="Ann Lee", features="token+shout")
        values.append(found.similarities["dice(shout)"].tolist())
    assert values == [[1], [0]]

    def token(_):
        return []

    with pytest.raises(FeatureError, match="there is a feature 'token' already"):
        weps.load_plugin(token)
    for wrong in (3, lambda _: []):
        with pytest.raises(TypeError, match="or a function with a name, got"):
            weps.load_plugin(wrong)


MEASURES = """
from weps_eval.text.declaration import measure, whole_number

def same_length(output, reference):
    "whether both are equally long"
    return float(len(output) == len(reference))

@measure("own", "equal begin", formula="-", source="-", n=whole_number(None, 1, 9, "letters"))
def begin(output, reference, n):
    return float(output[:n] == reference[:n])

def rouge(output, reference):
    return 1

def broken(output, reference):
    return len(output) / 0

def empty(output, reference):
    pass

def alone(output):
    return 1.0

@measure("own", "short", formula="-", source="-", read=None)
def short(topic, outputs, references):
    return [1.0]
"""


def test_functions_of_files_and_packages_are_measures(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(MEASURES)
    listed = f"{file}:same_length, {file}:begin(n=1|2), rouge1"
    found = weps_eval.score(listed, ["abc", "ab"], ["abd", "b"])
    assert {name: values.tolist() for name, values in found.items()} == {
        "same_length": [1, 0],
        "begin(n=1)": [1, 0],
        "begin(n=2)": [1, 0],
        "rouge(n=1)": [0, 0],
    }
    plain, declared, *_ = measures_of(listed)
    assert plain.family.description == "whether both are equally long"
    assert measure_dependencies([plain], TextTools())["same_length"] == plugins.plugin_digest(
        plain.family.origin
    )
    sent = pickle.dumps((plain, declared))
    for name in ("same_length", "begin"):  # as in another process
        del FAMILIES[name]
    for module in [each for each in sys.modules if each.startswith("weps_own_")]:
        del sys.modules[module]
    with pytest.raises(FeatureError, match="neither a measure"):  # names in data load nothing
        Measure.parse(f"{file}:same_length")
    assert list(map(str, pickle.loads(sent))) == list(map(str, (plain, declared)))  # noqa: S301
    for name, told in (
        ("rouge", "weps has a measure 'rouge'"),
        ("none", "no function 'none'; write FILE.py:FUNCTION"),
        ("same_lenght", "no function 'same_lenght'; did you mean 'same_length'"),
    ):
        with pytest.raises(FeatureError, match=told):
            measures_of(f"{file}:{name}")
    entry = SimpleNamespace(
        name="shouts", dist="package 1.0", load=lambda: lambda output, _: output.isupper()
    )
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [entry] * group.endswith("ures"))
    assert weps_eval.score("shouts", ["AB", "b"], ["x", "x"])["shouts"].tolist() == [1, 0]


FAULTY = """
from weps.features.registry import register_feature

def late(document):
    yield document.title[9]

@register_feature("link", "none")
def declared(analysis):
    return analysis.nothing

class Groups:
    def fit_predict(self, distances):
        return distances["a"]
"""


def test_a_fault_of_a_plug_in_is_told_with_its_place_and_is_no_bug_of_weps(tmp_path, weps):
    (tmp_path / "mine.py").write_text(MEASURES)
    testbed = resource_path("testbed/news.jsonl")
    for name, line, told in (
        ("broken", 16, "ZeroDivisionError: division by zero"),
        (
            "empty",
            18,
            "TypeError: float() argument must be a string or a real number, not 'NoneType'",
        ),
        ("alone", 21, "TypeError: alone() takes 1 positional argument but 2 were given"),
        ("short", 24, "ValueError: returned values of shape (1,), expected (4, 4)"),
    ):
        status, _, error = weps(
            "text", "score", testbed, "--measures", f"{tmp_path}/mine.py:{name}"
        )
        assert (status, error.count("\n")) == (2, 1)
        assert f"mine.py, line {line}: the plug-in {name!r} failed ({told})" in error
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    plugins.load_plugin(f"{file}:Groups")
    pages = SimpleNamespace(documents=[SimpleNamespace(title="rose")])
    for line, use in (
        (5, lambda: plugins.load_plugin(f"{file}:late")[0].extract_bags(pages)),
        (9, lambda: plugins.load_plugin(f"{file}:declared")[0].extract_bags(pages)),
        (13, lambda: linkage_by_name("Groups")(np.array([0.5]), 2)),
    ):
        with pytest.raises(FeatureError, match=rf"faulty\.py, line {line}: the plug-in .* failed"):
            use()
    with pytest.raises(TypeError, match="weak reference"):  # a function of weps fails as it is
        feature_by_name("token").extract_bags(None)


def test_a_system_with_one_more_feature_keeps_what_it_has_for_each_form(mine):
    text = plugins.load_named_plugins(f"default:features=default+{mine}:tattoo,link=single")
    assert text == "default:features=default+tattoo,link=single"
    more, usual = parse_configuration(text), parse_configuration("default")
    for form in ("pages", "tokens", "results"):
        added = {*similarities_of(more.for_form(form).features)}
        assert {str(each) for each in added} == {
            "dice(tattoo)",
            *map(str, similarities_of(usual.for_form(form).features)),
        }


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("", "tattoo", "there is no function 'tattoo'"),
        ("tattoo = 7", "tattoo", "there is no function 'tattoo'"),
        ("1 / 0", "tattoo", "cannot be run (ZeroDivisionError: division by zero)"),
        ("def token(document): return []", "token", "there is a feature 'token"),
        (DECLARED.replace("beginning", "ngram"), "ngram", "there is a feature 'ngram"),
    ],
)
def test_files_that_hold_no_feature_are_refused_and_leave_no_trace(tmp_path, code, name, message):
    known = dict(_REGISTRY)
    path = tmp_path / "faulty.py"
    path.write_text(code)
    with pytest.raises(FeatureError, match=re.escape(message)):
        plugins.load_plugin(f"{path}:{name}")
    assert known == _REGISTRY


def test_features_of_packages_are_imported_only_when_they_are_named(monkeypatch):
    loaded = []

    class Entry:
        name, dist = "tattoo", "package 1.0"

        def load(self):
            loaded.append(self.name)
            return lambda document: [document.title]

    entries = [Entry()]

    def installed(*, group):
        return entries if group == "weps.features" else []

    monkeypatch.setattr(plugins, "entry_points", installed)
    assert plugins.load_named_plugins("default+url") == "default+url"
    assert not loaded
    assert plugins.load_named_plugins("default+tattoo") == "default+tattoo"
    assert loaded == ["tattoo"]
    assert [each.origin for each in all_features() if each.function == "tattoo"] == ["tattoo"]
    assert len(plugins.plugin_digest("tattoo")) == 8
    with pytest.raises(FeatureError, match=r"no installed package .* \(there are: tattoo\)"):
        plugins.load_plugin("tatoo")


def test_reading_data_never_runs_code(mine, tmp_path):
    mine.write_text("raise SystemExit('it was run')")
    for text in (f"default:features={mine}:tattoo", f"paper:features=default+{mine}:tattoo"):
        with pytest.raises(FeatureError):
            parse_configuration(text)
        with pytest.raises(FeatureError):  # what a result that is updated may say
            ModelChoice(system=text).load()
    model = tmp_path / "model.json"
    for named in ({"tattoo": f"{mine}:tattoo 1a2b3c4d"}, {"tattoo": 7}, ["tattoo"], 7):
        data = {"kind": "weps model", "format": 4, "plugins": named, "models": {}}
        model.write_text(json.dumps(data))
        with pytest.raises(ModelError):
            load(model)
