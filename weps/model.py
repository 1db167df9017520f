"""Models: similarities, classifier, linkage, stopping rule and calibrations, saved as data.

A model file is JSON. Reading it runs no code and does not depend on the version of the library
that fitted the classifier. Pretrained models are provided for some systems.
"""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._files import as_path, atomic_write, read_bytes, resource_path
from weps._formatting import count_of, cut_text, short_repr
from weps.clustering.confidence import PageConfidence, PersonConfidence
from weps.clustering.dendrogram import (
    STOPPING_KINDS,
    Cut,
    Dendrogram,
    Stopping,
    Threshold,
    calibrate_dendrogram,
    linkage_by_name,
)
from weps.coreference.base import AnyPart, Calibration, part_of_kind
from weps.coreference.classifiers import CLASSIFIERS_OF_MODELS, Classifier
from weps.errors import FeatureError, ModelError
from weps.features.registry import CLUSTERERS, all_features, load_plugin, plugin_digest
from weps.language.sentence_encoder import (
    IDENTITY_PATTERN,
    INSTALLED_ENCODER,
    NO_ENCODER,
    encoder_identity,
)
from weps.people.pages import SetAsideRule
from weps.reading import Origin, PageForm, available_similarities
from weps.similarity.columns import Similarity, parse_similarity, slices_of
from weps.systems import parse_configuration

FORMAT = 4
"""Version of the file format; a reader refuses every other."""
_FILE_KIND = "weps model"
_MAX_BYTES = 50_000_000


_PAIRS_AT_ONCE = 1 << 15
"""Pairs that the classifier sees at once: their values take 100 MB and names of 700 pages have no
more."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The model for pages of one form."""

    similarities: tuple[Similarity, ...]
    """The columns of the pair table, in the order the classifier knows them."""
    classifier: Classifier
    """Scores pairs."""
    linkage: str
    """Name of a linkage, see :func:`weps.clustering.dendrogram.linkage_by_name`."""
    stopping: Mapping[Origin, Stopping]
    """Decisions on which merges are kept, by the origin of the pages."""
    calibration: Calibration = field(default_factory=Calibration)
    """Calibration of probabilities for display; decisions use the uncalibrated ones."""
    page_confidence: PageConfidence = field(default_factory=PageConfidence)
    """The confidence of pages."""
    person_confidence: PersonConfidence = field(default_factory=PersonConfidence)
    """The confidence of people."""
    set_aside: SetAsideRule = field(default_factory=SetAsideRule)
    """Rule for the pages that take no part; by default all do."""

    def __repr__(self) -> str:
        return short_repr(
            self,
            "",
            count_of(len(self.similarities), "similarity", "similarities"),
            self.classifier.kind,
            f"{self.linkage} linkage",
        )

    def score_pairs(
        self, values: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shapes (pairs,): the probability of pairs, and the mean of their similarities.

        Leaves score many pairs alike; the mean selects the pair that is shown.

        Args:
            values: shape (pairs, similarities).
        """
        probability, preference = np.empty(len(values)), np.empty(len(values))
        for part in slices_of(len(values), _PAIRS_AT_ONCE):
            preference[part] = values[part].mean(axis=1, dtype=np.float64)
            probability[part] = self.classifier.predict(values[part])
        return probability, preference

    def cut(self, dendrogram: Dendrogram, origin: Origin, threshold: float | None) -> Cut:
        """Where merging stops: at a threshold of a user, else by the model's own decision.

        A user's threshold applies to calibrated probabilities, a model's to raw ones.
        """
        stopping, tree = self.stopping[origin], dendrogram
        if threshold is not None:
            stopping = Threshold(threshold)
            tree = calibrate_dendrogram(dendrogram, self.calibration)
        return Cut(dendrogram, self.calibration, stopping, stopping.merges(tree))


@dataclass(frozen=True, slots=True, eq=False)
class ModelSet:
    """One model for each form of page, and the model card with their origin.

    Example:
        >>> weps.pretrained("paper")
        <ModelSet 'paper': ...>
    """

    models: Mapping[PageForm, Model]
    card: Mapping[str, Any] = field(default_factory=dict)
    """Corpus, digest, date, command, cross-validated scores."""
    language: str = ""
    """The language pipeline that read the training pages; empty if no similarity needs one."""
    encoder: str = ""
    """The identity of the sentence encoder of the training pages; empty if none is needed."""
    digest: str = ""
    """First eight hexadecimal digits of the SHA-256 of the file."""
    substitute: str = ""
    """The pretrained system that answers in their place where many pages are not English, which the
    sentence encoder cannot tell apart; empty for none."""
    caution: str = ""
    """What is to be said of answers of these models."""

    @classmethod
    def of(cls, given: ModelSet | Model | Path | str) -> ModelSet:
        """Models as they are, those of a file, or the pretrained ones of a system by its name.

        A single model answers for whole pages.
        """
        if isinstance(given, Model):
            return cls({PageForm.PAGES: given})
        if isinstance(given, str) and not given.endswith(".json"):
            return pretrained(given)
        return given if isinstance(given, ModelSet) else load(given)

    def __repr__(self) -> str:
        return short_repr(self, str(self.card.get("system", "")), self.digest, *self.models)

    def for_form(self, form: PageForm) -> Model:
        """The model for pages of the form.

        Raises:
            ModelError: if there is none.
        """
        if form not in self.models:
            raise ModelError(
                f"the model does not support pages of the form {form!s}",
                remedy="train one (`weps train`) with features that such pages have",
            )
        return self.models[form]

    def for_foreign_pages(self, form: PageForm) -> Model:
        """The model for a name of which many pages are not English."""
        model = self.for_form(form)
        if not self.substitute:
            return model
        substitute = pretrained(self.substitute, NO_ENCODER).for_form(form)
        return replace(substitute, set_aside=model.set_aside)

    def keeping_all_pages(self) -> ModelSet:
        """These models, but setting no page aside."""
        models = {
            form: replace(model, set_aside=SetAsideRule()) for form, model in self.models.items()
        }
        return replace(self, models=models)

    def missing_features(self, form: PageForm) -> tuple[str, ...]:
        """The features of models for other forms that pages of this form cannot have."""
        missing = (
            str(each.feature)
            for model in self.models.values()
            for each in model.similarities
            if not available_similarities([each], form)
        )
        return tuple(dict.fromkeys(missing))


def save_models(models: ModelSet, path: Path) -> None:
    """Write a model file.

    Raises:
        OutputError: if it cannot be written.
    """
    origins = {
        each.feature.function: each.feature.origin
        for model in models.models.values()
        for each in model.similarities
        if each.feature.origin
    }
    linkages = {model.linkage for model in models.models.values()} & CLUSTERERS.keys()
    origins |= {name: CLUSTERERS[name][0] for name in sorted(linkages)}
    # Without the folder of each plug-in.
    plugins = {name: f"{Path(each).name} {plugin_digest(each)}" for name, each in origins.items()}
    data = {
        "kind": _FILE_KIND,
        "format": FORMAT,
        "language": models.language,
        "encoder": models.encoder,
        "card": dict(models.card),
        **({"plugins": plugins} if plugins else {}),
        "models": {
            str(form): {
                "similarities": [str(each) for each in model.similarities],
                "classifier": _kind_and_data(model.classifier),
                "link": model.linkage,
                "stopping": {
                    str(origin): _kind_and_data(stopping)
                    for origin, stopping in model.stopping.items()
                },
                "calibration": model.calibration.to_data(),
                "beliefs": model.page_confidence.to_data(),
                "people": model.person_confidence.to_data(),
                **({"set_aside": shares} if (shares := dict(model.set_aside.shares)) else {}),
            }
            for form, model in models.models.items()
        },
    }
    # A line for each entry, and long lists of numbers in one line.
    text = re.sub(
        r"\[\n[^][\"{}]*\]", lambda found: " ".join(found[0].split()), json.dumps(data, indent=1)
    )
    atomic_write({path: f"{text}\n".encode()})


def _check_plugins(plugins: Any, path: Path) -> None:
    """Check that plug-ins are loaded, and warn of those that have changed."""
    loaded = {each.function: each.origin for each in all_features() if each.origin}
    loaded |= {name: origin for name, (origin, _) in CLUSTERERS.items()}
    for name, origin in dict(plugins).items():
        file, _, digest = str(origin).rpartition(" ")
        if name not in loaded:
            raise ModelError(
                f"the model uses {cut_text(str(name), 80)!r}, which is not loaded",
                remedy=f"if you trust it, give it again: --plugin {cut_text(file, 200)}",
            )
        if plugin_digest(loaded[name]) != digest:
            warnings.warn(f"{path}: {name!r} has changed since the model was trained", stacklevel=2)


def load(path: Path | str) -> ModelSet:
    """Read a model file.

    Raises:
        ModelError: if it is missing, damaged, or of another version.

    Example:
        >>> weps.load("resources/models/paper.json")
        <ModelSet 'paper': ...>
    """
    path = as_path(path, "the path of a model")
    raw = read_bytes(path, _MAX_BYTES, ModelError, _DEFAULT_REMEDY)
    try:
        data = json.loads(raw)
        if not isinstance(data, dict) or data.get("kind") != _FILE_KIND:
            raise ModelError("this is not a weps model")
        if data.get("format") != FORMAT:
            raise ModelError(
                f"the model has format {data.get('format')!r}, this version reads format {FORMAT}",
                remedy="train it again with `weps train`, or install the version that made it",
            )
        _check_plugins(data.get("plugins", {}), path)
        models = {PageForm(form): _build_model(entry) for form, entry in data["models"].items()}
        card = dict(data.get("card", {}))
        language, encoder = data.get("language", ""), data.get("encoder", "")
        # Paths and other packages are refused: model files are not trusted.
        if not re.fullmatch(r"([a-z]{2,8}_\w{1,80})?", language, re.ASCII):
            raise ValueError(f"expected the name of a language pipeline, got {language!r}")
        if not re.fullmatch(rf"({IDENTITY_PATTERN})?", encoder, re.ASCII):
            raise ValueError(f"expected the identity of a sentence encoder, got {encoder!r}")
    except (ModelError, FeatureError) as error:
        remedy = error.remedy if isinstance(error, ModelError) else ""
        raise ModelError(error.what, where=path, remedy=remedy or _DEFAULT_REMEDY) from None
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise ModelError(
            f"the model file cannot be read ({error})", where=path, remedy=_DEFAULT_REMEDY
        ) from None
    return ModelSet(models, card, language, encoder, hashlib.sha256(raw).hexdigest()[:8])


_DEFAULT_REMEDY = "make one with `weps train`, or leave --model out to use the pretrained model"


def _build_model(entry: dict[str, Any]) -> Model:
    similarities = tuple(map(parse_similarity, entry["similarities"]))
    linkage_by_name(str(entry["link"]))
    return Model(
        similarities,
        _read_part(CLASSIFIERS_OF_MODELS, entry["classifier"], len(similarities)),
        entry["link"],
        {origin: _read_part(STOPPING_KINDS, entry["stopping"][origin]) for origin in Origin},
        Calibration.from_data(entry["calibration"]),
        PageConfidence.from_data(entry["beliefs"]),
        PersonConfidence.from_data(entry["people"]),
        SetAsideRule.from_data(entry.get("set_aside", {})),
    )


def _kind_and_data(part: Classifier | Stopping) -> dict[str, Any]:
    """A part of a model that is one of several kinds."""
    return {"kind": part.kind, "data": part.to_data()}


def _read_part(
    kinds: Mapping[str, type[AnyPart]], data: dict[str, Any], columns: int = 0
) -> AnyPart:
    return part_of_kind(kinds, data["kind"]).from_data(data["data"], columns)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which models answer: small enough to be sent to other processes, each of which loads them."""

    path: Path | None = None
    """Their file; None for pretrained ones."""
    system: str = ""
    """System of the pretrained models; empty for the default."""
    embeddings: str = INSTALLED_ENCODER
    keep_all: bool = False
    """Whether no page is set aside."""
    plugins: tuple[str, ...] = ()
    """Features and clusterers of users, loaded before the models, see
    :mod:`weps.features.registry`."""
    digest: str = ""
    """Digest of the models that are expected; empty for any."""

    def load(self) -> ModelSet:
        """The models; for a choice with a digest those of this process, if it has loaded them.

        Raises:
            ModelError: if they cannot be loaded, or are not those expected any more.
            LanguageError: if the sentence encoder is damaged.
        """
        for each in self.plugins:
            load_plugin(each)
        choice = replace(self, digest="")
        models = _LOADED.get(choice)
        if models is None or models.digest != self.digest:
            if self.path:
                models = load(self.path)
            else:
                models = pretrained(self.system or DEFAULT_SYSTEM, self.embeddings)
            models = models.keeping_all_pages() if self.keep_all else models
            _LOADED.clear()
            _LOADED[choice] = models
        if self.digest and models.digest != self.digest:
            raise ModelError(
                "the model has changed meanwhile",
                where=self.path,
                remedy="start again, with one for all names",
            )
        return models


_LOADED: dict[ModelChoice, ModelSet] = {}
"""The models that were loaded last."""


_NO_ENCODER_HERE = (
    "There is no sentence encoder here, so a smaller model answered, which is less accurate: `weps "
    "check` says what is missing."
)
DEFAULT_SYSTEM = "default"
"""The default system."""
_WITHOUT_ENCODER = "small"
"""The system that answers in its place where there is no sentence encoder."""
_MODEL_FILES = {
    DEFAULT_SYSTEM: "default",
    _WITHOUT_ENCODER: "small",
    "paper": "paper",
    "paper:features=all": "paper-all",
}
"""System (:mod:`weps.systems`) → file of its model, without suffix."""


def pretrained(system: str = DEFAULT_SYSTEM, embeddings: str = INSTALLED_ENCODER) -> ModelSet:
    """The pretrained model of a system.

    Args:
        system: see :func:`weps.systems.parse_configuration`.
        embeddings: the sentence encoder, see
            :func:`weps.language.sentence_encoder.encoder_identity`; without one, a smaller model
            answers in the place of the default one.

    Raises:
        FeatureError: if there is no such system.
        ModelError: if there is no pretrained model for it.
        LanguageError: if the sentence encoder is damaged.

    Example:
        >>> weps.pretrained("small")
        <ModelSet 'small': ...>
    """
    wanted, caution = parse_configuration(system), ""
    substitute = _WITHOUT_ENCODER if wanted == parse_configuration(DEFAULT_SYSTEM) else ""
    if substitute and not encoder_identity(embeddings):
        wanted, substitute = parse_configuration(substitute), ""
        caution = "" if embeddings == NO_ENCODER else _NO_ENCODER_HERE
    for name, file in _MODEL_FILES.items():
        if parse_configuration(name) == wanted:
            models = load(resource_path(f"models/{file}.json"))
            return replace(models, substitute=substitute, caution=caution)
    raise ModelError(
        f"no pretrained model for the system {system!r}, only for {', '.join(_MODEL_FILES)}",
        remedy=f"train one (weps train CORPUS --system '{system}' --out FILE) and use it "
        "with --model FILE",
    )
