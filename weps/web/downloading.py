"""Many results downloaded into one folder: politely, in parallel, resumable at any moment.

Importing it raises a ``SearchError`` where the libraries of the extra ``web`` are not installed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol

from weps._files import atomic_write
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.collected import CollectedPage, Manifest, PageStatus, address_id
from weps.web.blocked import PageComparison, inspect_page
from weps.web.limits import DownloadOptions, is_public, is_public_or_private

try:
    from weps.web.fetching import HttpAnswer, HttpClient, NotFetchedError
    from weps.web.politeness import PoliteClient, host_of
except ImportError as error:
    raise SearchError(
        f"downloading needs aiohttp and protego ({error})",
        remedy="install them: pip install 'weps[web]'",
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_THREADS = 32
"""For names that are resolved, pages that are looked at, and files that are written."""


class PageProgress(Protocol):
    """A callback for every result; if it raises, the download ends."""

    def __call__(self, result: SearchResult, page: CollectedPage, done: int, total: int) -> None:
        """Report what became of a result.

        Args:
            result: the result.
            page: its line of the manifest, which is on disk.
            done: how many results are done.
            total: how many there are.
        """


def no_page_progress(result: SearchResult, page: CollectedPage, done: int, total: int) -> None:
    """A callback that does nothing."""


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
    progress: PageProgress = no_page_progress,
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
        progress: called for every result when its state is on disk.
        idle: called every second in which nothing comes; it may raise an exception like the
            progress.

    Raises:
        OutputError: the folder cannot be written, or another process downloads into it.
    """
    began = options.clock()
    with Manifest(folder) as manifest:
        plan = _plan_download(manifest, results, options)
        known = [each for each in plan if each[1].is_settled and not options.refresh]
        for done, (result, page) in enumerate(known, start=1):
            progress(result, page, done, len(plan))
        open_ones = [each for each in plan if not each[1].is_settled or options.refresh]
        download = _Download(manifest, options)
        if open_ones:
            download.run(
                open_ones,
                lambda result, page, done: progress(result, page, len(known) + done, len(plan)),
                idle,
            )
        pages = tuple(manifest.pages[page.rank] for _, page in plan)
    return DownloadSummary(
        tuple(sorted(pages, key=lambda page: page.rank)),
        len(known),
        download.requests,
        download.wire_bytes,
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
    rank = max(manifest.pages, default=0)
    plan, changed = [], []
    for identifier, result in wanted.items():
        kept = result if options.keep_results else None
        if identifier not in known:
            rank += 1
            page = CollectedPage(rank, identifier, PageStatus.WAITING, kept)
            changed.append(page)
        else:
            page = known[identifier]
        plan.append((result, page))
    if options.keep_results and changed:
        manifest.append(*changed)
    return plan


class _Download:
    """One run: the tasks, one a host, and the thread that they run in."""

    def __init__(self, manifest: Manifest, options: DownloadOptions) -> None:
        self.requests = 0
        self.wire_bytes = 0
        self._manifest = manifest
        self._writing = asyncio.Lock()
        self._options = options
        self._events: SimpleQueue[_Planned | None] = SimpleQueue()
        self._running: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[None] | None]] = (
            Future()
        )
        self._comparison = PageComparison(manifest.pages.values())

    def run(
        self,
        plan: Sequence[_Planned],
        report: Callable[[SearchResult, CollectedPage, int], None],
        idle: Callable[[], None],
    ) -> None:
        """Download in a thread, since a loop may run in the caller's; report in the caller's."""
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(asyncio.run, self._main(plan))
            try:
                for done in count(1):
                    if not (event := self._next_event(idle)):
                        break
                    report(*event, done)
            except BaseException:
                self._stop()
                raise
            future.result()

    def _next_event(self, idle: Callable[[], None]) -> _Planned | None:
        while True:
            with suppress(Empty):  # some systems interrupt a wait only if it has an end
                return self._events.get(timeout=1)
            idle()

    def _stop(self) -> None:
        loop, task = self._running.result()
        if task:
            with suppress(RuntimeError):  # it has ended meanwhile
                loop.call_soon_threadsafe(task.cancel)

    async def _main(self, plan: Sequence[_Planned]) -> None:
        loop = asyncio.get_running_loop()
        self._running.set_result((loop, asyncio.current_task()))
        loop.set_default_executor(ThreadPoolExecutor(_THREADS))
        try:
            await self._download(plan)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            self._events.put(None)

    async def _download(self, plan: Sequence[_Planned]) -> None:
        options = self._options
        private = options.allow_private
        allowed = options.allowed or (is_public_or_private if private else is_public)
        hosts: defaultdict[str, list[_Planned]] = defaultdict(list)
        for result, page in plan:
            hosts[host_of(result.url)].append((result, page))
        async with (
            HttpClient(options.limits, allowed, options.resolver) as client,
            asyncio.TaskGroup() as tasks,
        ):
            polite = PoliteClient(client, options)
            for pages in hosts.values():
                tasks.create_task(self._download_host(polite, pages))
        self.requests, self.wire_bytes = client.requests, client.wire_bytes

    async def _download_host(self, client: PoliteClient, plan: Sequence[_Planned]) -> None:
        for result, page in plan:
            state = await self._download_page(client, result, page)
            self._events.put((result, state))

    async def _download_page(
        self, client: PoliteClient, result: SearchResult, page: CollectedPage
    ) -> CollectedPage:
        try:
            answer, digest = await self._fetch(client, result.url, page)
        except NotFetchedError as problem:
            if page.status is PageStatus.OK:  # the earlier copy stays
                note = f"not refreshed: {problem.status}: {problem.note}"
                page = replace(page, http=problem.http, note=note)
            else:
                url = problem.url if self._options.keep_results else ""
                status, note = problem.status, problem.note
                page = replace(page, status=status, http=problem.http, note=note, url=url)
            return await self._write([page])
        if answer.status == 304:
            return await self._write([replace(page, http=304, note="")])
        saved = replace(
            page,
            status=PageStatus.OK,
            http=answer.status,
            note="",
            url=str(answer.url),
            type=answer.type,
            charset=answer.charset,
            fetched=datetime.now(UTC).isoformat(timespec="seconds"),
            etag=answer.etag,
            last_modified=answer.last_modified,
            length=len(answer.body),
            cut=answer.cut,
            sha256=hashlib.sha256(answer.body).hexdigest(),
            text=digest,
            file=f"{page.rank:03d}{answer.suffix}",
        )
        return await self._write(self._comparison.add(saved, result.title), answer.body)

    async def _fetch(
        self, client: PoliteClient, address: str, page: CollectedPage
    ) -> tuple[HttpAnswer, str]:
        """The answer and the digest of its text; raises a NotFetchedError if it is no page.

        The server is asked whether the version that is there is still valid.
        """
        validators: dict[str, str] = {}
        if page.file and (self._manifest.folder / page.file).is_file():
            known = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
            validators = {name: value for name, value in known.items() if value}
        try:
            answer = await client.fetch(address, validators)
            view = await asyncio.to_thread(
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
        if view.blocked and answer.status == 200:
            raise NotFetchedError(PageStatus.BLOCKED, view.blocked, 200, str(answer.url))
        return answer, view.digest

    async def _write(
        self, pages: Sequence[CollectedPage], body: bytes | bytearray = b""
    ) -> CollectedPage:
        """Write states, that of the result itself last, and the copy."""
        async with self._writing:
            await asyncio.to_thread(self._write_files, pages, body)
        return pages[-1]

    def _write_files(self, pages: Sequence[CollectedPage], body: bytes | bytearray) -> None:
        if pages[-1].file and body:
            atomic_write({self._manifest.folder / pages[-1].file: body}, private=True)
        before = [self._manifest.pages.get(page.rank) for page in pages]
        self._manifest.append(*pages)
        for earlier, page in zip(before, pages, strict=True):
            if earlier and earlier.file not in {"", page.file}:
                (self._manifest.folder / earlier.file).unlink(missing_ok=True)
