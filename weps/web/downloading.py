"""Many results downloaded into one folder: politely, in parallel, resumable at any moment.

Importing it raises a ``SearchError`` where the libraries of the extra ``web`` are not installed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from queue import Empty, SimpleQueue

from weps._files import atomic_write
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.collected import CollectedPage, Manifest, PageStatus, address_id
from weps.web.blocked import PageComparison, inspect_page
from weps.web.limits import SUFFIXES, DownloadOptions

try:
    from weps.web.fetching import HttpAnswer, NotFetchedError, PoliteClient, parse_address
except ImportError as error:
    raise SearchError(
        f"downloading needs aiohttp and protego ({error})",
        remedy="install them: pip install 'weps[web]'",
    ) from error

_THREADS = 32
"""For names that are resolved, pages that are looked at, and files that are written."""


@dataclass(frozen=True, slots=True)
class DownloadSummary:
    """Outcome of a download."""

    pages: tuple[CollectedPage, ...]
    """The state of every result, in order of rank."""
    known: int
    """Number of results that were settled before and not asked for."""
    requests: int
    """Requests made, for ``robots.txt``, redirects and repeated attempts, too."""
    wire_bytes: int
    """Length of the bodies as they were sent."""
    seconds: float
    """Time by the clock."""

    @property
    def counts(self) -> Mapping[PageStatus, int]:
        """Status → number of results."""
        return Counter(page.status for page in self.pages)


def download_pages(
    results: Sequence[SearchResult],
    folder: Path,
    options: DownloadOptions = DownloadOptions(),  # noqa: B008 - it cannot be changed
    progress: Callable[[SearchResult, CollectedPage, int, int], object] = lambda *_: None,
    idle: Callable[[], None] = lambda: None,
) -> DownloadSummary:
    """Download the pages of results into a collected folder (``weps.sources.collected``).

    Results that are in the folder from an earlier download and not settled are asked for, too, so
    that no results at all resume it. The progress is reported in the thread of the caller; an
    exception there, or an interruption, ends the download and leaves the folder whole.

    Args:
        results: in order of rank; those of one address count once.
        folder: made if it does not exist.
        options: how to download.
        progress: called for every result when its state is on disk, with the result, its line of
            the manifest, how many results are done, and how many there are.
        idle: called every second in which nothing comes; it may raise an exception like the
            progress.

    Raises:
        OutputError: the folder cannot be written, or another process downloads into it.
    """
    began = options.clock()
    with Manifest(folder) as manifest:
        plan = _plan_download(manifest, results, options)
        known = [each for each in plan if each[1].is_settled and not options.refresh]
        waiting = [each for each in plan if not each[1].is_settled or options.refresh]
        download = _Download(manifest, options)
        with closing(download.run(waiting, idle)) as coming:
            for done, (result, page) in enumerate(chain(known, coming), start=1):
                progress(result, page, done, len(plan))
        pages = tuple(manifest.pages[page.rank] for _, page in plan)
    return DownloadSummary(
        tuple(sorted(pages, key=lambda page: page.rank)),
        len(known),
        download.client.requests,
        download.client.wire_bytes,
        options.clock() - began,
    )


_Planned = tuple[SearchResult, CollectedPage]


def _plan_download(
    manifest: Manifest, results: Sequence[SearchResult], options: DownloadOptions
) -> list[_Planned]:
    """Every result with its state so far; new ones get the next ranks."""
    known = {page.id: page for page in manifest.pages.values()}
    wanted = {page.id: page.result for page in known.values() if page.result}
    for result in results:
        wanted.setdefault(address_id(result.url), result)
    if options.refresh:
        for page in known.values():
            if page.url:
                wanted.setdefault(page.id, SearchResult(page.url))
    ranks = count(max(manifest.pages, default=0) + 1)
    new = {
        identifier: CollectedPage(
            next(ranks),
            identifier,
            PageStatus.WAITING,
            result if options.keep_results else None,
        )
        for identifier, result in wanted.items()
        if identifier not in known
    }
    if options.keep_results and new:
        manifest.append(*new.values())
    known |= new
    return [(result, known[identifier]) for identifier, result in wanted.items()]


class _Download:
    """One run: the tasks, one a host, and the thread that they run in."""

    def __init__(self, manifest: Manifest, options: DownloadOptions) -> None:
        self.client = PoliteClient(options)
        self._manifest = manifest
        self._writing = asyncio.Lock()
        self._options = options
        self._events: SimpleQueue[_Planned | None] = SimpleQueue()
        self._running: Future[asyncio.Task[None] | None] = Future()
        self._comparison = PageComparison(manifest.pages.values())

    def run(self, plan: Sequence[_Planned], idle: Callable[[], None]) -> Generator[_Planned]:
        """The results with their new states as they come.

        They are downloaded in a thread, since a loop may run in the caller's; closing the iterator
        ends the download.
        """
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(asyncio.run, self._main(plan))
            try:
                while event := self._next_event(idle):
                    yield event
            except BaseException:
                if task := self._running.result():
                    with suppress(RuntimeError):  # it has ended meanwhile
                        task.get_loop().call_soon_threadsafe(task.cancel)
                raise
            future.result()

    def _next_event(self, idle: Callable[[], None]) -> _Planned | None:
        while True:
            with suppress(Empty):  # some systems interrupt a wait only if it has an end
                return self._events.get(timeout=1)
            idle()

    async def _main(self, plan: Sequence[_Planned]) -> None:
        self._running.set_result(asyncio.current_task())
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        hosts: defaultdict[str, list[_Planned]] = defaultdict(list)
        for result, page in plan:
            try:
                host = parse_address(result.url).raw_host or ""
            except NotFetchedError:  # such addresses are not asked for
                host = ""
            hosts[host].append((result, page))
        try:
            async with self.client, asyncio.TaskGroup() as tasks:
                for pages in hosts.values():
                    tasks.create_task(self._download_host(pages))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            self._events.put(None)

    async def _download_host(self, plan: Sequence[_Planned]) -> None:
        for result, page in plan:
            pages, body = await self._download_page(result, page)
            async with self._writing:
                await asyncio.to_thread(self._write_files, pages, body)
            self._events.put((result, pages[-1]))

    async def _download_page(
        self, result: SearchResult, page: CollectedPage
    ) -> tuple[Sequence[CollectedPage], bytes | bytearray]:
        """States to be written, that of the result itself last, and the copy."""
        try:
            answer, digest = await self._fetch(result.url, page)
        except NotFetchedError as problem:
            if page.status is PageStatus.OK:  # the earlier copy stays
                note = f"not refreshed: {problem.status}: {problem.note}"
                return [replace(page, http=problem.http, note=note)], b""
            url = problem.url if self._options.keep_results else ""
            status, note = problem.status, problem.note
            return [replace(page, status=status, http=problem.http, note=note, url=url)], b""
        if answer.status == 304:
            return [replace(page, http=304, note="")], b""
        saved = replace(
            page,
            status=PageStatus.OK,
            http=answer.status,
            note="",
            url=str(answer.url),
            type=answer.type,
            charset=answer.charset,
            fetched=datetime.now(UTC).isoformat(timespec="seconds"),
            etag=answer.headers.get("ETag", ""),
            last_modified=answer.headers.get("Last-Modified", ""),
            length=len(answer.body),
            cut=answer.cut,
            sha256=hashlib.sha256(answer.body).hexdigest(),
            text=digest,
            file=f"{page.rank:03d}{SUFFIXES[answer.type]}",
        )
        return self._comparison.add(saved, result.title), answer.body

    async def _fetch(self, address: str, page: CollectedPage) -> tuple[HttpAnswer, str]:
        """The answer and the digest of its text; raises a NotFetchedError if it is no page.

        The server is asked whether the version that is there is still valid.
        """
        validators: dict[str, str] = {}
        if page.file and (self._manifest.folder / page.file).is_file():
            known = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
            validators = {name: value for name, value in known.items() if value}
        try:
            answer = await self.client.fetch(address, validators)
            digest, blocked = await asyncio.to_thread(
                inspect_page, address, str(answer.url), answer.body, answer.charset
            )
        except NotFetchedError:
            raise
        except Exception as error:  # one hostile page must not end the others
            raise NotFetchedError(
                PageStatus.FAILED, f"the response cannot be read ({type(error).__name__})"
            ) from error
        if answer.status == 304 and not validators:
            raise NotFetchedError(PageStatus.FAILED, "HTTP 304", 304, str(answer.url))
        if blocked and answer.status == 200:
            raise NotFetchedError(PageStatus.BLOCKED, blocked, 200, str(answer.url))
        return answer, digest

    def _write_files(self, pages: Sequence[CollectedPage], body: bytes | bytearray) -> None:
        folder = self._manifest.folder
        if pages[-1].file and body:
            atomic_write({folder / pages[-1].file: body}, private=True)
        before = [self._manifest.pages.get(page.rank) for page in pages]
        self._manifest.append(*pages)
        for earlier, page in zip(before, pages, strict=True):
            if earlier and earlier.file not in {"", page.file}:
                (folder / earlier.file).unlink(missing_ok=True)
