"""Many results downloaded into one folder: politely, in parallel, resumable at any moment.

Responses that are no page are told from pages: a challenge, a wall of consent, an error sent as a
success. Such pages look alike whoever is meant, so that they would pass for pages of one person.
Each sign counts on short pages alone, because articles quote such sentences, and pages have
banners.

Importing it raises a ``SearchError`` where the libraries of the extra ``web`` are not installed.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final
from urllib.parse import urlsplit

from weps._files import atomic_write
from weps._text import split_words
from weps.errors import SearchError, told_as
from weps.html.cleaning import clean_page
from weps.html.text import MAX_BYTES
from weps.name.mentions import MentionKind, matcher
from weps.name.person_name import PersonName
from weps.records import Page, SearchResult
from weps.sources.base import (
    CollectedPage,
    Manifest,
    PageStatus,
    SavedContent,
    address_id,
    address_key,
)

with told_as(
    SearchError,
    "downloading needs aiohttp and protego",
    None,
    "install them: pip install 'weps[web]'",
    ImportError,
):
    from weps.web.fetching import (
        SUFFIXES,
        DownloadOptions,
        HttpAnswer,
        NotFetchedError,
        PoliteClient,
        parse_address,
    )

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
    """Download the pages of results into a collected folder (``weps.sources.base``).

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
        ranks = sorted(page.rank for _, page in plan)
    return DownloadSummary(
        tuple(map(manifest.pages.__getitem__, ranks)),
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
            host = ""
            with suppress(NotFetchedError):  # such addresses are not asked for
                host = parse_address(result.url).raw_host or ""
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
            answer, digest, has_name = await self._fetch(result.url, page)
        except NotFetchedError as problem:
            if page.status is PageStatus.OK:  # the earlier copy stays
                note = f"not refreshed: {problem.status}: {problem.note}"
                return [replace(page, http=problem.http, note=note)], b""
            url = problem.url if self._options.keep_results else ""
            page = replace(page, status=problem.status, note=problem.note, text="")
            return [replace(page, http=problem.http, url=url)], b""
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
        return self._comparison.add(saved, result.title, has_name), answer.body

    async def _fetch(self, address: str, page: CollectedPage) -> tuple[HttpAnswer, str, bool]:
        """The answer, its digest and whether it has the name; a NotFetchedError if it is no page.

        The server is asked whether the version that is there is still valid. A copy with the name
        is worth more than an answer without it, which may be a wall that no sign tells.
        """
        has_copy = page.file and (self._manifest.folder / page.file).is_file()
        known = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
        validators = {name: value for name, value in known.items() if value and has_copy}
        try:
            answer = await self.client.fetch(address, validators)
            digest, reason, has_name = await asyncio.to_thread(
                inspect_page,
                address,
                str(answer.url),
                answer.body,
                answer.charset,
                self._options.names,
            )
        except NotFetchedError:
            raise
        except Exception as error:  # one hostile page must not end the others
            raise NotFetchedError(
                PageStatus.FAILED, f"the response cannot be read ({type(error).__name__})"
            ) from error
        if answer.status == 304 and not validators:
            raise NotFetchedError(PageStatus.FAILED, "HTTP 304", 304, str(answer.url))
        if has_copy and answer.status == 200 and not (reason or has_name):
            copy = SavedContent(self._manifest.folder / page.file, self._manifest.folder)()
            arguments = ("", "", copy, page.charset, self._options.names)
            if (await asyncio.to_thread(inspect_page, *arguments))[2]:
                reason = "the name is not in what came, but in the copy"
        if reason and answer.status == 200:
            raise NotFetchedError(PageStatus.BLOCKED, reason, 200, str(answer.url))
        return answer, digest, has_name

    def _write_files(self, pages: Sequence[CollectedPage], body: bytes | bytearray) -> None:
        folder = self._manifest.folder
        if pages[-1].file and body:
            atomic_write({folder / pages[-1].file: body}, private=True)
        before = [self._manifest.pages.get(page.rank) for page in pages]
        self._manifest.append(*pages)
        for earlier, page in zip(before, pages, strict=True):
            if earlier and earlier.file not in {"", page.file}:
                (folder / earlier.file).unlink(missing_ok=True)


_OPENING: Final = 600
"""Characters of the visible text that count as its opening."""
_LONGEST: Final = 3_000
"""Characters of the visible text beyond which no sign counts."""
_NAMED: Final = 100_000
"""Characters in which the name is looked for."""
_MANY: Final = 3
"""Titles of results for which one and the same page came, from which on it is none of them."""


def _sign(reason: str, longest: int, *alternatives: str) -> tuple[str, int, re.Pattern[str]]:
    """A sign of something else than the page.

    Returns:
        What came, the characters of visible text up to which the sign counts, and its pattern.
    """
    return reason, longest, re.compile("|".join(alternatives), re.IGNORECASE)


_CHALLENGE: Final = "the site asks visitors to pass a check"
_CONSENT: Final = "the site shows a consent page"
_SIGN_IN: Final = "the site asks to sign in"
_SUBSCRIBE: Final = "the site asks to subscribe"
_ERROR: Final = "the site shows an error page"
_PARKED: Final = "the domain is parked"
_SCRIPTS: Final = "the page shows nothing without JavaScript"

_STATUS: Final = (
    r"^\W*(?:(?:http|server|error)\W{1,5}){1,3}[345]\d\d(?:\W{0,9}$|\W{1,5}(?!\w{1,20} (?:of|in"
    r"|for|by|with)\b))"
    r"|^\W*[345]\d\d\W{1,5}(?:\w{1,20} )?(?:access|bad|error|forbidden|found|gateway|internal"
    r"|moved|not"
    r"|page|server|service|unauthorized|unavailable)\b|^\W*[345]\d\d\W{0,9}$"
)
"""A status of HTTP, but no *500 miles*."""
_REFUSED: Final = (
    r"(?:access|acc[èe]s|acceso|acesso|accesso|zugriff|zugang|toegang|доступ)"
    r"(?: \w{1,20}){0,7} (?:denied|restricted|limited|refusé|restreint|denegado|negado|negato"
    r"|verweigert"
    r"|eingeschränkt|geweigerd|запрещ[её]н|ограничен)"
)
_VERIFY: Final = (
    r"(?:verify|confirm|prove)(?: that)? you(?:.re| are) (?:not )?(?:a )?(?:human|real|(?:ro)?bot)"
    r"|(?:verif|vérifi|confirm|bestätig|potwierd|подтверд)[^.]{0,60}\b(?:mensch\b|humain\b|humano\b"
    r"|umano\b|mens\b|człowiek|человек|робот)"
    r"|insan olduğunuzu|人間であること|ロボットでは|真人|人机|安全验证|安全驗證|사람인지"
)
"""That visitors show to be people, in languages of guards."""
_TRAFFIC: Final = (
    r"(?:traffic|traffico|tr[áa]fico|trafic|activit|actividad|atividad|attivit|verkehr|aktivität"
    r"|трафик|verkeer)\w{0,20}(?: \w{1,20})? (?:exceptionn|inhabitu|inusu|insolit|incom)",
    r"(?:unusual|suspicious|ungewöhnlich|verdächtig|подозрительн|ongewoon|nietypow|不审|異常)\w{0,20}"
    r"(?: \w{1,20})? (?:traffic|activit|datenverkehr|verkehr|aktivität|трафик|verkeer|ruch)",
    r"automated (?:queries|requests)|automatically detects requests"
    r"|автоматическ\w{1,20} запрос|запросы[^.]{0,40}автоматическ",
)
_NUMBER: Final = (
    r"(?:ray|incident|support) id\W{1,5}(?:is\W{1,5})?[\da-f]{6}|reference\W{1,5}\d+\.[\da-f]+\.\d"
    r"|^\W*error code\W{1,5}1\d{3}\W{0,9}$"
)
"""A number by which a guard can be asked why it refused."""
_TITLE_SIGNS: Final = (
    _sign(
        _CHALLENGE,
        _LONGEST,
        r"^\W*(?:(?:just a moment|one moment,? please|please wait|security check|captcha)"
        r"\W*(?:$|[|–—-])",
        r"attention required|checking your browser",
        r"ddos-guard|making sure you.re not a bot|verify(?:ing)? (?:that )?you(?:.re| are)",
        r"are you (?:a )?(?:human|robot)|robot (?:check|or human|challenge)",
        r"bot (?:check|verification)|human verification|challenge validation",
        r"pardon our interruption|(?:sucuri )?website firewall|request (?:blocked|denied|rejected)"
        r"|client challenge|(?:vercel )?security (?:checkpoint|verification))",
        rf"^\W*(?:{_REFUSED})|{_VERIFY}|\bare you a robot",
    ),
    _sign(
        _CONSENT,
        _LONGEST,
        r"^\W*(?:before you continue|cookie consent|your privacy choices|we value your privacy",
        r"bevor sie (?:fortfahren|zu \w{1,20} weitergehen)|avant d.acc[ée]der|antes de (?:ir"
        r"|continuar)",
        r"prima di continuare|voordat je verdergaat|(?:dpg media )?privacy.?gate)",
    ),
    _sign(
        _SIGN_IN,
        1_500,
        r"^\W*(?:\w{1,20} )?(?:log ?-?in|sign ?-?(?:in|up)|login required|anmelden|einloggen"
        r"|connexion",
        r"se connecter|s.inscrire|iniciar sesi[óo]n|accedi|inloggen|вход|войти)\b",
    ),
    _sign(
        _ERROR,
        _LONGEST,
        r"^\W*(?:not found|error|oops|sorry|forbidden|(?:error |http )?[345]\d\d)\W*(?:$|[|–—-])",
        _STATUS,
        r"(?:object|document) moved",
        r"\b(?:page|file|document|profile|user|article)(?: was| could)? not (?:be )?found",
        r"(?:page|content|profile) (?:is )?(?:not |no longer |un)available",
        r"seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouv)|p[áa]gina no encontrada",
        r"pagina (?:non trovata|niet gevonden)|p[áa]gina n[ãa]o encontrada|nie znaleziono strony",
        r"страница не найдена|ページが見つかりません|页面不存在|找不到(?:页面|網頁)",
    ),
    _sign(
        _PARKED,
        _LONGEST,
        r"domain (?:is )?(?:for sale|parked|parking)|(?:buy|purchase) this domain|parked domain",
        r"domain (?:name )?(?:has )?expired|website (?:is )?suspended|account suspended",
    ),
)
"""In titles."""
_TEXT_SIGNS: Final = (
    _sign(
        _ERROR,
        600,
        r"(?:page|file|url|article|profile|content)(?: that)? you(?:.re| are|.ve| have)? "
        r"(?:\w{1,20} ){0,2}(?:look|request|search|try|tri)\w{0,20}"
        r"[^.]{0,60}(?:not|n.t|no longer|moved|removed)",
        r"(?:page|file|document|article|content) (?:was |could |can )?(?:not|n.t|no longer) "
        r"(?:be )?(?:found|exist|available)|(?:page|content) (?:does not|doesn.t|no longer) exist",
        r"nicht gefunden|introuvable|no encontrad[ao]|non trovata|niet gevonden|não encontrada",
        r"page is not found|bad request",
        r"(?:document|object|page)(?: \w{1,20}){0,3} (?:has )?moved|moved (?:permanently"
        r"|temporarily)",
        r"permission to access|no input file specified|object may be found here",
        r"request could not be satisfied",
    ),
    _sign(
        _PARKED,
        1_200,
        r"(?:this )?domain (?:name )?(?:is|may be) (?:for sale|parked|available)|buy this domain",
        r"parked free, courtesy of",
    ),
    _sign(
        _CHALLENGE,
        600,
        r"too many requests|requests too (?:quickly|fast)|rate limit exceeded|looks? automated",
        r"(?:checking|validating|validando|sprawdzamy|überprüf|vérifi)[^.]{0,40}"
        r"(?:browser|navegador|navigateur|connection|conexi[óo]n|connexion|połączeni|verbindung)",
        r"estimated wait time|you are (?:now )?in (?:line|the queue)",
        r"ad ?-?blocker to (?:continue|read)",
    ),
    _sign(
        _ERROR,
        600,
        r"(?:down|closed|unavailable|undergoing)[^.]{0,20} maintenance|en maintenance\b",
        r"wartungsarbeiten|(?:en|em|in) (?:mantenimiento|manutenção|manutenzione)",
        r"(?:not |no longer |un)available in (?:your|this) (?:country|region)",
        r"european economic area",
        r"(?:your )?browser is (?:not|no longer) supported|under construction|coming soon\W*$",
        r"account has been suspended|server is successfully installed",
        r"^\W*(?:it works\W*$|index of /)",
        r"(?:choose|select) your (?:country|region|language)|must be (?:18|21)\b",
    ),
    _sign(
        _CHALLENGE,
        1_200,
        _VERIFY,
        _NUMBER,
        _REFUSED,
        *_TRAFFIC,
        r"(?:not|nicht|niet|non|no|pas|не)\W{1,5}(?:(?:a|à|un|ein|een|von einem) )?(?:ro)?bots?\b",
        r"performing security verification|security service to protect itself",
        r"(?:checking|verify(?:ing)?) (?:if the |your )?(?:site connection|browser|device)\b",
        r"(?:complete|solve|enter|pass) (?:the|this) (?:security check|captcha|characters)",
        r"javascript (?:and|y|et|und) (?:las |les )?cookies",
        r"request (?:was |is |has been )?(?:blocked|denied|rejected|unsuccessful)",
        r"you(?:.ve| have) been (?:blocked|rate limited)|(?:additional|quick) security check",
        r"think (?:that )?you (?:are|were) a bot|you are a real person|disable any ad ?blocker",
        r"press\W{1,5}hold|slide (?:right )?to (?:complete|verify)|gedrückt[^.]{0,40}bestätigen",
    ),
    _sign(
        _CONSENT,
        1_200,
        r"before you continue to|bevor sie (?:zu \w{1,20} weitergehen|fortfahren)"
        r"|use cookies and data",
        r"akzeptieren und weiter|accepter et continuer|mit werbung (?:weiter)?lesen",
    ),
    _sign(_ERROR, 60, _STATUS),
    _sign(
        _SIGN_IN,
        600,
        r"(?:you must|please) (?:log|sign) in|(?:log|sign) ?in(?:to \w{1,20})? to (?:continue|see"
        r"|view)",
        r"(?:already|new|neu|déjà|ya|bereits)\b[^.]{0,30}? (?:on|to|bei|auf|sur|en) linkedin\b",
        r"agree (?:&|and) join",
    ),
    _sign(
        _SUBSCRIBE,
        800,
        r"subscribe to (?:continue|read|unlock)|(?:for|to) subscribers only",
        r"réservée? (?:aux|à nos) abonnés|abonnenten vorbehalten|riservato agli abbonati",
        r"(?:para|solo) suscriptores",
    ),
    _sign(
        _SCRIPTS,
        400,
        r"(?:enabl|activat|requir|turn on|needs?\b|without|activ|aktiv|habilit|attiv|включ"
        r"|inschakel|włącz)\w{0,20}\W{1,5}(?:\w{1,20}\W{1,5}){0,3}javascript",
        r"javascript\W{1,5}(?:\w{1,20}\W{1,5}){0,3}(?:requir|disabl|enabl|aktiv|activ|habilit"
        r"|attiv|включ|отключ"
        r"|not available|inschakel|włącz)",
    ),
)
"""In the opening of the visible text."""
_BANNER_SIGNS: Final = (
    _sign(
        _CONSENT,
        1_200,
        r"(?:accept|reject) all[^.]{0,200}(?:cookies|consent|purposes)",
        r"(?:we|our partners).{0,80}(?:store and/or access|use cookies).{0,200}"
        r"(?:consent|accept|agree)",
        r"alle (?:cookies )?akzeptieren|tout accepter|aceptar tod[ao]s|accetta tutt[oi]",
        r"cookies[^.]{0,200}(?:akkoord|accept(?:er|eren)\b)",
    ),
    _sign(_ERROR, 600, _STATUS),
    _sign(
        _SIGN_IN,
        400,
        r"forg[eo]t(?:ten)?(?: your)? (?:password|account)|(?:passwort|kennwort) vergessen",
        r"mot de passe oublié|olvidado (?:su|tu) contraseña",
    ),
    _sign(
        _SUBSCRIBE,
        400,
        r"already (?:a |have a )?subscri|unlimited access|déjà abonné|jetzt weiterlesen",
        r"ya eres suscriptor|sei già abbonato",
    ),
)
"""In the opening of the visible text; what stands above pages, too."""
_CERTAIN_SIGNS: Final = (
    _sign(_SIGN_IN, 600, r"^\W*(?:(?:log|sign) ?in|join)(?: \w+)? to (?:see|view)\b"),
)
"""In the opening of the visible text, whatever name stands there."""
_SIGN_IN_PATH = re.compile(
    r"/(?:\w+-)?(?:authwall|log[-_]?in|sign[-_]?in|sign[-_]?up|consent|checkpoint|captcha|sso)"
    r"(?:\.\w+)?(?:/|$)",
    re.IGNORECASE,
)
_CONSENT_HOST = re.compile(r"^(?:consent|guce|cmp|privacy-?gate)\.", re.IGNORECASE)
_GUARD = re.compile(
    rb"_cf_chl_opt|(?:ct|geo|static)\.captcha-delivery\.com|<iframe[^<>]{0,300}_Incapsula_Resource"
    rb"|px-captcha|awsWafCookieDomainList|captcha\.awswaf\.com|/\.within\.website/x/cmd/anubis"
    rb"|sec-if-cpt-container|/_sec/verify\?|/_sec/cp_challenge|sucuri_cloudproxy_js|auth_wall"
    rb"|errors(?:&#46;|\.)edgesuite"
)
"""What pages that guards write contain, but no page that they let through."""
_CAPTCHA = re.compile(rb"g-recaptcha|h-captcha|cf-turnstile")
_IN_ADDRESS = re.compile(r"[/=@]|%\d")
_CAPTCHA_LONGEST: Final = 400
"""Characters of visible text up to which a captcha is the page, not a part of it."""
_SHELL_LONGEST: Final = 20
"""Characters of visible text up to which a page with scripts is made by them alone."""


def inspect_page(
    asked: str, url: str, body: bytes | bytearray, charset: str, names: Sequence[str] = ()
) -> tuple[str, str, bool]:
    """Look at the page that came as a visitor does; never fails.

    Args:
        asked: the address that was asked for.
        url: the address that it came from, after redirects.
        body: HTML or plain text; of a PDF file only the address counts.
        charset: that of the HTTP header; empty if unknown.
        names: the name that was searched for, and its other spellings.

    Returns:
        16 hexadecimal digits of the visible text, by which one page at two addresses is known; why
        this is not the page that was asked for, as a clause, empty if it is; and whether it has the
        name, which PDF files have, since they are not read.
    """
    reason = _redirect_reason(asked, url)
    if body.startswith(b"%PDF"):
        return hashlib.sha256(body).hexdigest()[:16], reason, True
    start = bytes(memoryview(body)[: MAX_BYTES + 1])
    document = clean_page(Page(0, content=start, charset=charset))
    text = " ".join(document.blocks)
    seen = f"{document.title}\n{text}".encode("utf-8", "replace") if text else body
    digest = hashlib.sha256(seen).hexdigest()[:16]
    named = [_has_name(place, names) for place in (document.title, text)]
    reason = reason or _content_reason(document.title, text, start, *named)
    return digest, reason, any(named)


def _has_name(text: str, names: Sequence[str]) -> bool:
    """Whether a text has more of the name than the family name; addresses do not count."""
    name = PersonName.parse(names[0] if names else "", names[1:])
    words = " ".join(word for word in text.split() if not _IN_ADDRESS.search(word))
    read = words[:_NAMED].replace("_", " ")
    if any(mention.kind is not MentionKind.FAMILY for mention in matcher(name).find(read)):
        return True
    return bool(names) and {*name.tokens} <= {*split_words(read)}  # *Robin and Ann Averdale*


def _content_reason(title: str, text: str, body: bytes, in_title: bool, in_text: bool) -> str:
    """Reason that the content gives; what stands beside the name in a page is no wall before it.

    Args:
        title: of the page.
        text: the visible text.
        body: the page as it came.
        in_title: whether the title has the name; walls have the titles of pages, too.
        in_text: whether the text has it.
    """
    if len(text) <= 1_200 and _GUARD.search(body):
        return _CHALLENGE
    for signs, place, is_of_page in (
        (_CERTAIN_SIGNS, text, False),
        (_TEXT_SIGNS, text, in_text),
        (_TITLE_SIGNS, title, in_title or in_text),
        (_BANNER_SIGNS, text, in_title or in_text),
    ):
        for reason, longest, pattern in () if is_of_page else signs:
            if len(text) <= longest and pattern.search(place[:_OPENING]):
                return reason
    if not (in_title or in_text) and len(text) <= _CAPTCHA_LONGEST and _CAPTCHA.search(body):
        return _CHALLENGE
    if not body.strip():
        return "the response is empty"
    if len(text) <= _SHELL_LONGEST and not in_text and b"<script" in body.lower():
        return _SCRIPTS
    return ""


def _redirect_reason(asked: str, url: str) -> str:
    """Reason that a redirect gives: many sites send visitors to a wall, or to the front page."""
    try:
        start, end = urlsplit(asked), urlsplit(url)
        hosts = [(each.hostname or "").removeprefix("www.") for each in (start, end)]
    except ValueError:
        return ""
    if _CONSENT_HOST.match(end.hostname or "") and hosts[0] != hosts[1]:
        return _CONSENT
    if _SIGN_IN_PATH.search(end.path) and not _SIGN_IN_PATH.search(start.path):
        return _SIGN_IN
    deep = start.path.strip("/").count("/") > 0
    if hosts[0] == hosts[1] and deep and end.path in {"", "/"} and not end.query:
        return "the address leads to the home page of the site"
    return ""


class PageComparison:
    """The pages that came so far, compared, because one page may come for several addresses."""

    def __init__(self, pages: Collection[CollectedPage]) -> None:
        self._texts: defaultdict[str, dict[int, tuple[CollectedPage, str]]] = defaultdict(dict)
        self._addresses: dict[str, int] = {}
        self._text_of: dict[int, str] = {}
        self._walls = {page.text for page in pages if page.status is PageStatus.BLOCKED} - {""}
        for page in pages:
            if page.text:
                self._remember(page, page.result.title if page.result else "")

    def add(self, page: CollectedPage, title: str, has_name: bool) -> list[CollectedPage]:
        """States of a page that came and of earlier ones, by its text and the title of its result.

        One copy of a page is enough. Where results of different titles led to one page without the
        name, it is none of theirs but a wall that stands before them all.
        """
        self._remember(page, title)
        alike = self._texts[page.text]
        if not has_name and len({title for _, title in alike.values() if title}) >= _MANY:
            self._walls.add(page.text)
        if page.text in self._walls:
            note = "the same page came for results of different titles"
            return [
                replace(each, status=PageStatus.BLOCKED, note=note, file="")
                for each, _ in alike.values()
            ]
        original = min(
            [rank for rank, (each, _) in alike.items() if each.file and rank != page.rank],
            default=self._addresses[address_key(page.url)],
        )
        if original == page.rank:
            return [page]
        note = f"the same page as result {original}"
        page = replace(page, status=PageStatus.SKIPPED, note=note, file="")
        self._remember(page, title)
        return [page]

    def _remember(self, page: CollectedPage, title: str) -> None:
        self._texts[self._text_of.get(page.rank, "")].pop(page.rank, None)
        self._text_of[page.rank] = page.text
        self._texts[page.text][page.rank] = page, " ".join(title.casefold().split())
        if page.file:
            self._addresses.setdefault(address_key(page.url), page.rank)
