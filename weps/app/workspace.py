"""The workspace behind the routes: stored results, open ones, uploads, jobs, and searches.

Uploads are files as a browser sends them, stored name by name, completely or not at all. What a
file is, its content decides when it is read; here, paths become harmless, and files of several
people are told apart by their folders, also by those in a ZIP archive.

Jobs report their progress and can be stopped. They are in two queues, one for reading and one for
downloading, which waits for other machines most of the time: it has a thread of its own and holds
nobody up who opens a report meanwhile. A search of the Web is shown to the user first, and sent
once they agree.
"""

from __future__ import annotations

import io
import logging
import re
import secrets
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from filecmp import cmp
from functools import partial
from pathlib import Path, PurePath
from posixpath import commonprefix
from queue import SimpleQueue
from typing import IO, Annotated, Literal

from pydantic import Field

from weps._files import (
    list_entries,
    make_folder,
    remove_unfinished,
    resource_path,
    unfinished_prefix,
)
from weps._formatting import join_items
from weps._schema import JsonModel
from weps.app.sessions import ResultStore, SessionPool
from weps.errors import OutputError, SearchError, SourceError, describe_error, is_foreseen, told_as
from weps.name.typed import require_name
from weps.records import SearchResult
from weps.results.files import PAGES_FOLDER
from weps.sources.base import MAX_PAGE_BYTES, CollectedPage, as_identifier, as_name, is_collected
from weps.sources.formats import DAMAGED, PLAIN_SUFFIXES, Collector, Entry
from weps.sources.formats.listing import ZIP, list_folder, name_folders, open_zip, resource_files
from weps.sources.opening import Folder, open_source
from weps.web.engines import (
    MAX_PAGES,
    SearchEngine,
    WebSearch,
    make_queries,
    search_by_engine,
    search_in_lists,
)

DEMO_NAME = "Robin_Averdale"
"""The fictitious person of the demo pages."""
_MAX_FINISHED = 1_000
"""Jobs remembered after their end."""
_PATIENCE = 5.0
"""Seconds to wait for the jobs that run at the end."""
_MAX_PLANS = 20
"""Searches that are remembered until somebody agrees."""
_MAX_ALIASES = 10
_MAX_SENT = 10
"""Pages that wait until their origins are allowed."""
_Text = Annotated[str, Field(max_length=200)]
_log = logging.getLogger(__name__)


class _JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised within the work of a job that is to stop."""


@dataclass(slots=True)
class Job:
    """A piece of work; written by the thread that does it, read by any."""

    subject: str
    """The identifier of the name that the work is about."""
    work: JobFunction = field(repr=False)
    download: JobFunction | None = field(default=None, repr=False)
    """Work that comes before, None once it is done."""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: Literal["waiting", "running", "done", "failed", "stopped"] = "waiting"
    what: str = ""
    done: int = 0
    total: int = 0
    pages: list[dict[str, str]] = field(default_factory=list)
    """Title, url, status and note of the search results downloaded so far, in the order in which
    they came; the note says why there is no page, or what is the matter with it."""
    message: str = ""
    """Outcome in one sentence; empty where the report says it."""
    error: str = ""
    """Fault, place and remedy, in one line; empty unless it failed."""
    _stop: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def finished(self) -> bool:
        """Whether it is done, has failed or was stopped."""
        return self.state not in {"waiting", "running"}

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop, and has not yet."""
        return self._stop.is_set() and not self.finished

    def stop(self) -> None:
        """Ask it to stop; it does so at once if it waits, else when it next reports."""
        self._stop.set()
        if self.state == "waiting":
            self.state = "stopped"

    def check(self) -> None:
        """Raise an exception if the job is to stop."""
        if self._stop.is_set():
            raise _JobStopped

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress of the work; raises an exception if the job is to stop."""
        self.check()
        self.what, self.done, self.total = what, done, total

    def run(self) -> None:
        """Do the next part of the work; the outcome is in ``state`` and ``error``."""
        try:
            self.progress("", 0, 0)
            self.state = "running"
            if self.download:
                self.download(self)
                self.download, self.state = None, "waiting"
            else:
                self.work(self)
                self.state = "done"
        except _JobStopped:
            self.state = "stopped"
        except Exception as error:  # noqa: BLE001 - the thread must survive for the next job
            self.error = describe_error(error)
            if not is_foreseen(error):
                log_fault(self.subject, error)
                self.error = (
                    f"{self.subject}: internal error ({type(error).__name__}); nothing was "
                    "changed: please report the message in the terminal"
                )
            self.state = "failed"


def log_fault(subject: str, error: Exception) -> None:
    """Tell the terminal of a fault of weps in one line, with its stack where debugging is on."""
    debugging = _log.isEnabledFor(logging.DEBUG)
    _log.error("%s: %s", subject, describe_error(error), exc_info=error if debugging else None)


JobFunction = Callable[[Job], None]
"""Work, which reports to its job."""


class Jobs:
    """Two queues of jobs, and the thread that runs each."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._reading: SimpleQueue[Job | None] = SimpleQueue()
        self._downloading: SimpleQueue[Job | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, args=(queue,), name=name, daemon=True)
            for name, queue in (("reading", self._reading), ("downloading", self._downloading))
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, subject: str, work: JobFunction, download: JobFunction | None = None) -> Job:
        """Append work to the queue for reading, if need be after a download."""
        job = Job(subject, work, download)
        with self._lock:
            ended = [each.id for each in self._jobs.values() if each.finished]
            for old in ended[: max(0, len(ended) - _MAX_FINISHED)]:
                del self._jobs[old]
            self._jobs[job.id] = job
        (self._downloading if download else self._reading).put(job)
        return job

    def find(self, number: str) -> Job | None:
        """The job of that id, None if there is none or it ended long ago."""
        return self._jobs.get(number)

    def all(self) -> tuple[Job, ...]:
        """All remembered jobs, oldest first."""
        with self._lock:
            return tuple(self._jobs.values())

    def unfinished_for(self, subject: str) -> Job | None:
        """The job about the name that has not ended, if there is one."""
        return next(
            (job for job in self.all() if job.subject == subject and not job.finished), None
        )

    def close(self) -> tuple[str, ...]:
        """Stop everything, and return the subjects of the jobs that had not ended."""
        unfinished = [job for job in self.all() if not job.finished]
        for job in unfinished:
            job.stop()
        for queue in (self._downloading, self._reading):
            queue.put(None)
        for thread in self._threads:
            thread.join(_PATIENCE)
        return tuple(job.subject for job in unfinished)

    def _run(self, queue: SimpleQueue[Job | None]) -> None:
        while job := queue.get():
            job.run()
            if not job.finished:
                self._reading.put(job)


class SearchRequest(JsonModel, extra="ignore"):
    """A search as the user asks for it."""

    name: _Text
    identifier: _Text = ""
    """Identifier of a name that is there; empty for one that may be new."""
    also: Annotated[tuple[_Text, ...], Field(strict=False, max_length=_MAX_ALIASES)] = ()
    """Other names of the person."""
    words: _Text = ""
    """Words to add to every query."""
    engine: _Text = ""
    """Search engine to ask; empty for the first that is set up."""
    pages: Annotated[int, Field(ge=1, le=MAX_PAGES)] = MAX_PAGES
    """Maximum number of result pages per query."""


class SentPage(JsonModel, extra="ignore"):
    """A page that was sent from the browser."""

    name: _Text
    """Name of the person."""
    url: Annotated[str, Field(pattern=r"^https?://[^\s<>]+$", max_length=2_000)]
    title: Annotated[str, Field(max_length=2_000)] = ""
    html: str
    """The document as the browser has it."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The results of a folder, and the work on them."""

    store: ResultStore
    sessions: SessionPool
    jobs: Jobs
    engines: dict[str, SearchEngine]
    """Search engines that are set up, by their names; the first is the default. Keys are in memory
    alone."""
    plans: dict[str, tuple[str, WebSearch, Sequence[str]]] = field(default_factory=dict)
    """Key → identifier of the name, search, and other spellings of the name, while it waits for the
    user to agree."""
    origins: dict[str, bool] = field(default_factory=dict)
    """Origin of pages that were sent → whether the user allows it; not there before they decide."""
    sent: dict[str, list[SentPage]] = field(default_factory=dict)
    """Origin → its pages that wait for that."""

    def receive(self, origin: str, page: SentPage) -> str:
        """Take a page that another one in the browser, or a program, sends; what becomes of it.

        Those of an origin wait until the user allows it.

        Raises:
            SourceError: the name is none, the origin was refused, or too many wait.
        """
        _identifier_from_name(page.name)
        if self.origins.get(origin) is False:
            raise SourceError(
                f"pages of {origin} are refused", remedy="restart weps to be asked again"
            )
        if origin in self.origins:
            self._add_sent(page)
            return f"weps adds this page to {as_name(page.name)}."
        if sum(map(len, self.sent.values())) >= _MAX_SENT:
            raise SourceError("too many pages wait", remedy="allow or refuse them in weps first")
        self.sent.setdefault(origin, []).append(page)
        return f"weps asks on its first screen whether {origin} may send pages: allow it there."

    def decide_origin(self, origin: str, *, allowed: bool) -> tuple[Job, ...]:
        """Allow or refuse the pages of an origin, those that wait and those to come."""
        self.origins[origin] = allowed
        pages = self.sent.pop(origin, [])
        return tuple(map(self._add_sent, pages)) if allowed else ()

    def _add_sent(self, page: SentPage) -> Job:
        identifier = self._known_identifier(_identifier_from_name(page.name))
        root = self.store.folder / PAGES_FOLDER
        # The mark says that it is UTF-8, whatever the page does.
        content = f"\ufeff<!-- saved from url=({len(page.url):04d}){page.url} -->\n{page.html}"
        file = f"{page.title or 'page'}.html", lambda: io.BytesIO(content.encode(errors="replace"))

        def add(job: Job) -> None:
            with _staged_uploads([file], page.name, root, Collector("", "", "")) as staged:
                (place,) = staged.values()
                _move_files(place, root / identifier)
            self._include(identifier, root / identifier, job)

        return self.jobs.submit(identifier, add)

    def add_pages(self, name: str, files: Iterable[Upload]) -> tuple[Job, ...]:
        """Save pages of new names or of those that are there, and queue what is to be done.

        Args:
            name: of the person; empty if the folders of the files are called like people.
            files: see :class:`weps.app.workspace.Upload`.

        Raises:
            WepsError: if nothing can be read, or a job for a name is under way.
        """
        root = self.store.folder / PAGES_FOLDER
        skipped = Collector("the archive", "", "member")
        with _staged_uploads(files, name, root, skipped) as staged:
            targets = {self._known_identifier(each): place for each, place in staged.items()}
            for identifier in targets:
                self.require_idle(identifier)
            folders = {}
            for identifier, place in targets.items():
                searched = self.store.searched(identifier)
                # Pages of a search are continued as such.
                continued = is_collected(place) and not searched.exists()
                folders[identifier] = searched if continued else root / identifier
                _move_files(place, folders[identifier])
        with suppress(OSError):  # nothing came into it
            root.rmdir()
        skipped.tell_counts()
        warnings = [f"{each.name}: {each.reason}" for each in skipped.unread]
        include = partial(self._include, warnings=warnings)
        return tuple(
            self.jobs.submit(each, partial(include, each, folder))
            for each, folder in folders.items()
        )

    def _include(
        self,
        identifier: str,
        folder: Path,
        job: Job,
        warnings: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> None:
        """Update the result of a name with the pages in a folder, or make the first one."""
        if identifier in self.store.identifiers():
            job.message = self.sessions.update(identifier, folder, job.progress, warnings, also)
        else:
            self.sessions.cluster(identifier, job.progress, warnings, also)

    def _known_identifier(self, identifier: str) -> str:
        """The identifier, as it is written where only capital letters differ."""
        known = {each.casefold(): each for each in self.store.all()}
        return known.get(identifier.casefold(), identifier)

    def require_idle(self, identifier: str) -> None:
        """Raise a SourceError while a job for a name is under way."""
        if self.jobs.unfinished_for(identifier):
            raise SourceError(
                f"a job for {as_name(identifier)} is in progress",
                remedy="wait until it has finished, or stop it",
            )

    def cluster_demo(self) -> Job:
        """Queue the clustering of the demo pages."""
        paths = sorted(resource_path(f"demo/{DEMO_NAME}").glob("[0-9]*"))  # not the key
        pages = [(path.name, Entry.of_file(path).open) for path in paths]
        return self.add_pages(DEMO_NAME, pages)[0]

    def begin(self, work: Callable[..., None], identifier: str) -> Job:
        """Queue work of the sessions on a name, unless a job for the name is under way."""
        return self.jobs.unfinished_for(identifier) or self.jobs.submit(
            identifier, lambda job: work(identifier, job.progress)
        )

    def plan_search(
        self, request: SearchRequest, lists: Sequence[tuple[str, bytes]] = ()
    ) -> tuple[str, str, WebSearch]:
        """Plan a search; nothing is sent.

        Args:
            request: what to search for. Earlier queries for the name are asked again.
            lists: names and contents of files with results, which take the place of an engine.

        Returns:
            Its key for :meth:`search`, the identifier of the name, and the search.

        Raises:
            WepsError: if the engine is not set up, a name is empty, or a file has no results.
        """
        identifier = self._known_identifier(
            request.identifier or _identifier_from_name(request.name)
        )
        if request.identifier and identifier not in self.store.all():
            raise SourceError("there is no such name any more", remedy="reload the page")
        folder, engines = self.store.searched(identifier), self.engines
        also = [alias for alias in request.also if alias.strip()]
        if lists:
            search = search_in_lists(lists, folder)
        else:
            engine = engines.get(request.engine or next(iter(engines), ""))
            if engine is None:
                raise SearchError(
                    f"the search engine {request.engine} is not set up".replace("  ", " "),
                    remedy="set it up on the first screen",
                )
            search = search_by_engine(
                engine,
                make_queries(as_name(request.name), also, request.words),
                folder,
                request.pages,
                again=True,
            )
        key = secrets.token_urlsafe(16)
        self.plans[key] = identifier, search, also
        for old in list(self.plans)[:-_MAX_PLANS]:
            self.plans.pop(old, None)
        return key, identifier, search

    def search(self, key: str) -> Job:
        """Queue a search that the user has agreed to.

        Raises:
            WepsError: if it is not known, or a job for the name is under way.
        """
        identifier, search, also = self.plans.pop(key, ("", None, ()))
        if search is None:
            raise SearchError("this confirmation is not valid", remedy="search again")
        self.require_idle(identifier)
        warnings: list[str] = []
        return self.jobs.submit(
            identifier,
            partial(self._include, identifier, search.folder, warnings=warnings, also=also),
            partial(self._collect_results, identifier, search, warnings, also),
        )

    def _collect_results(
        self,
        identifier: str,
        search: WebSearch,
        warnings: list[str],
        also: Sequence[str],
        job: Job,
    ) -> None:
        """Ask the engine and download the pages of what it finds, but known ones; add warnings.

        Raises:
            WepsError: the engine does not answer, or the pages cannot be stored.
        """
        from weps.web.downloading import download_pages  # noqa: PLC0415 - only searches need it
        from weps.web.fetching import DownloadOptions  # noqa: PLC0415

        def report(result: SearchResult, page: CollectedPage, done: int, total: int) -> None:
            title = result.title or page.url or result.url
            job.pages.append(
                {"title": title, "url": result.url, "status": str(page.status), "note": page.note}
            )
            job.progress("downloading pages", done, total)

        job.progress("looking for results", 0, 0)
        known: Iterable[str] = ()
        if identifier in self.store.identifiers():
            known = self.store.read_stored(identifier).addresses
        found = search.send(job.progress)
        job.progress("downloading pages", 0, 0)
        summary = download_pages(
            found.without(known).results,
            search.folder,
            DownloadOptions(keep_results=found.may_be_kept, names=(as_name(identifier), *also)),
            report,
            job.check,
        )
        if not any(page.is_evidence for page in summary.pages):
            what, remedy = "no pages were found", "check the spelling, or try other names and words"
            if summary.pages:
                what, remedy = "no page could be downloaded", "save the pages, and drop the files"
            elif found.results:
                what = "no new pages were found"
            raise SearchError(what, where=search.label, remedy=remedy)
        warnings += found.warnings


MAX_FILES = 2_000
"""Files of one upload."""
MAX_BYTES = 512 << 20
"""Bytes of the files of one upload, and of what an archive of several names inflates to."""
_MAX_PART = 80
"""Characters of a part of a path."""
_MAX_DEPTH = 8
"""Folders in each other."""
_SEPARATORS = re.compile(r"[/\\]")
_FOREIGN = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})
"""What systems put beside files."""

Upload = tuple[str, Callable[[], IO[bytes]]]
"""The path of a file as the browser sends it, and what opens it."""


def _identifier_from_name(name: str) -> str:
    """The file name of a person's name as typed; raises a SourceError if it is not a name."""
    require_name(name)
    return as_identifier(as_name(name))


@contextmanager
def _staged_uploads(
    files: Iterable[Upload], name: str, folder: Path, skipped: Collector
) -> Iterator[Mapping[str, Path]]:
    """Files in a place from which they can be moved, removed afterwards.

    Args:
        files: their paths only serve for cleaned names.
        name: of the person that all of them are about; empty if their folders say it.
        folder: on the same file system as the final place.
        skipped: counts members of an archive of several people that cannot be read.

    Yields:
        For each name, as an identifier, the folder of its files.

    Raises:
        SourceError: if no file holds pages, there are too many, or a name is missing.
        OutputError: if they cannot be written.
    """
    identifier = _identifier_from_name(name) if name.strip() else ""
    with _saving(folder):
        make_folder(folder, private=True)
        remove_unfinished(folder)
        with tempfile.TemporaryDirectory(".tmp", unfinished_prefix(), folder) as place:
            tree = Path(place) / "tree"
            _save({tree: files}, skipped, is_one_name=bool(identifier))
            if identifier:
                _require_pages(tree)
            yield {identifier: tree} if identifier else _folders_of_names(tree, skipped)


def _move_files(staged: Path, folder: Path) -> None:
    """Move files into a folder, under other names where other files have these.

    Raises:
        OutputError: if they cannot be moved, or the folder is a symbolic link.
    """
    with _saving(folder):
        make_folder(folder.parent, private=True)
        if not folder.exists():
            staged.rename(folder)
            return
        taken = {each.name.casefold() for each in folder.iterdir()}
        for path in list_entries(staged):
            same = folder / path.name
            if not (same.is_file() and path.is_file() and cmp(path, same, shallow=False)):
                path.rename(folder / _free_name(path.name, taken))


@contextmanager
def _saving(folder: Path) -> Iterator[None]:
    """Report that nothing can be written to a folder, or that it is a symbolic link."""
    if folder.is_symlink():
        raise OutputError(
            "is a symbolic link, which is not followed",
            where=folder,
            remedy="replace it by a folder",
        )
    advice = "check the free space and the permissions"
    with told_as(OutputError, "the files cannot be saved", folder, advice):
        yield


def _save(
    files_of: Mapping[Path, Iterable[Upload]], skipped: Collector, *, is_one_name: bool = False
) -> None:
    """Write files below folders, without those that are hidden or belong to a page.

    Args:
        files_of: folder, which is made → its files.
        skipped: counts files that are damaged.
        is_one_name: whether a folder is that of a name, even if it has other folders alone.

    Raises:
        SourceError: there are too many.
    """
    number = size = 0
    for root, files in files_of.items():
        root.mkdir(parents=True)
        cleaned = [
            (PurePath(*parts), opened) for path, opened in files if (parts := _clean_parts(path))
        ]
        resources = resource_files(path for path, _ in cleaned)
        paths = [(path, opened) for path, opened in cleaned if path not in resources]
        if is_one_name:
            around = len(commonprefix([path.parent.parts for path, _ in paths]))
            paths = [(PurePath(*path.parts[around:]), opened) for path, opened in paths]
            names = [path.name for path, _ in paths if str(path) == path.name]
            if not any(PurePath(name).suffix in PLAIN_SUFFIXES for name in names):
                # Its folders would be taken for those of names.
                paths = [
                    (PurePath("_".join(path.parts)[-_MAX_PART:].lstrip("._")), opened)
                    for path, opened in paths
                ]
        taken = defaultdict[Path, set[str]](set)
        for inner in {parent for path, _ in paths for parent in path.parents if parent.name}:
            taken[(root / inner).parent].add(inner.name.casefold())
        for path, opened in paths:
            number += 1
            if number > MAX_FILES:
                raise SourceError(f"more than {MAX_FILES:,} files", remedy="drop fewer at a time")
            folder = (root / path).parent
            folder.mkdir(parents=True, exist_ok=True)
            place = folder / _free_name(path.name, taken[folder])
            most = MAX_PAGE_BYTES if place.suffix in PLAIN_SUFFIXES else MAX_BYTES + 1
            try:
                with opened() as content, place.open("xb") as file:
                    while most > 0 and (part := content.read(1 << 20)):
                        most -= file.write(part)
                        size += len(part)
                        if size > MAX_BYTES:
                            remedy = "drop fewer files at a time"
                            raise SourceError(f"more than {MAX_BYTES >> 20} MB", remedy=remedy)
            except DAMAGED:
                place.unlink(missing_ok=True)
                skipped.skip("damaged")


def _clean_parts(path: str) -> tuple[str, ...]:
    """First and last parts of a path, harmless as names of files; none if the file is hidden.

    Suffixes are kept, in lower case.
    """
    parts = [part for part in _SEPARATORS.split(path) if part not in {"", ".", ".."}]
    hidden = any(part.startswith(".") or part in _FOREIGN for part in parts)
    cleaned: list[str] = []
    # The first one may be the folder of all.
    for part in [] if hidden else (*parts[:1], *parts[1:][1 - _MAX_DEPTH :]):
        visible = PurePath("".join(letter if letter.isprintable() else "_" for letter in part))
        stem, suffix = visible.stem, visible.suffix.lower()
        if len(suffix) >= _MAX_PART or as_identifier(suffix[1:]) != suffix[1:]:
            stem, suffix = visible.name, ""
        name = as_identifier(stem) or "page"
        # The end may be a part of the suffix, as in .csv.gz.
        cleaned.append(f"{name[: _MAX_PART - 10]}{name[_MAX_PART - 10 :][-10:]}{suffix}")
    return tuple(cleaned)


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it if it is taken; it is taken afterwards. Numbers stay numbers."""
    stem, suffix, number = Path(name).stem, Path(name).suffix, 1
    if stem.isdecimal() and name.casefold() in taken:
        numbers = (each.partition(".")[0] for each in taken)
        number = max(int(each) for each in numbers if each.isdecimal())
    while name.casefold() in taken:
        number += 1
        name = f"{number:0{len(stem)}}{suffix}" if stem.isdecimal() else f"{stem}_{number}{suffix}"
    taken.add(name.casefold())
    return name


def _require_pages(folder: Path) -> None:
    """Raise a SourceError, with the reasons, if no file of a folder holds pages."""
    listing = list_folder(folder)
    if not listing.inputs:
        raise _nothing_to_read(f"{each.name}: {each.reason}" for each in listing.unread)


def _nothing_to_read(reasons: Iterable[str]) -> SourceError:
    return SourceError(
        "there are no saved pages or archives of them in what was dropped",
        remedy=join_items(reasons, most=5) or "drop the folder that contains them",
    )


def _folders_of_names(tree: Path, skipped: Collector) -> dict[str, Path]:
    """The folders of files that were stored without a name."""
    root = tree
    while len(entries := list_entries(root)) == 1 and entries[0].is_dir():
        root = entries[0]
    files = [each for each in entries if each.is_file()]
    if (
        len(files) == len(entries) == 1
        and Entry.of_file(files[0]).form() is ZIP
        and (unpacked := _unpack(files[0], tree.with_name("unpacked"), skipped))
    ):
        return unpacked
    if files and root == tree:
        _require_pages(root)
        _identifier_from_name("")  # raises an error: it is missing
    try:
        source = open_source(root)
        places = [*map(source.place_of, source.names)] if isinstance(source, Folder) else []
    except SourceError as error:
        raise _nothing_to_read([error.what]) from None
    if not places:
        raise SourceError("this is a WePS corpus", remedy="cluster it with `weps cluster`")
    return {_identifier_from_name(name): place for place, name in places}


def _unpack(file: Path, folder: Path, skipped: Collector) -> dict[str, Path]:
    """Write the members of an archive with a folder for each name, as if they were uploaded."""
    try:
        parts = [part for part in name_folders(file) if part]
    except SourceError as error:  # which names the temporary file
        raise _nothing_to_read([f"{file.name}: {error.remedy}"]) from None
    skipped.name = file.name
    found = {
        _identifier_from_name(PurePath(part).name): folder / str(number)
        for number, part in enumerate(parts)
    }
    with open_zip(Entry.of_file(file), skipped) as members:
        files_of = {
            folder / str(number): [
                (each.name.removeprefix(f"{part}/"), each.open)
                for each in members
                if each.name.startswith(f"{part}/")
            ]
            for number, part in enumerate(parts)
        }
        _save(files_of, skipped)
    return found
