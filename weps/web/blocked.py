"""Responses that are no page: a challenge, a wall of consent, an error sent as a success.

Such pages look alike whoever is meant, so that they would pass for pages of one person. Each sign
counts on short pages alone, because articles quote such sentences, and pages have banners.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from weps.html.cleaning import clean_page
from weps.html.text import MAX_BYTES
from weps.records import Page
from weps.sources.collected import CollectedPage, PageStatus, address_key

_OPENING: Final = 300
"""Characters of the visible text that count as its opening."""
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
_ERROR: Final = "the site shows an error page"
_PARKED: Final = "the domain is parked"
_SCRIPTS: Final = "the page shows nothing without JavaScript"

_TITLE_SIGNS: Final = (
    _sign(
        _CHALLENGE,
        3_000,
        r"^\W*(?:just a moment|one moment,? please|attention required|checking your browser",
        r"ddos-guard|making sure you.re not a bot|verify(?:ing)? (?:that )?you(?:.re| are)",
        r"are you (?:a )?(?:human|robot)|robot check|bot (?:check|verification)|human verification",
        r"security check|pardon our interruption|access (?:to this page has been )?denied|captcha",
        r"sucuri website firewall|request (?:blocked|rejected)|please wait|client challenge",
        r"vercel security checkpoint)",
    ),
    _sign(
        _CONSENT,
        3_000,
        r"^\W*(?:before you continue|cookie consent|your privacy choices|we value your privacy",
        r"bevor sie fortfahren|avant d.acc[ée]der|antes de (?:ir|continuar)|prima di continuare",
        r"voordat je verdergaat)",
    ),
    _sign(
        _SIGN_IN,
        1_500,
        r"^\W*(?:log ?-?in|sign ?-?in|login required|anmelden|einloggen|connexion|se connecter",
        r"iniciar sesi[óo]n|accedi|inloggen)\b",
    ),
    _sign(
        _ERROR,
        3_000,
        r"\b404\b|^\W*(?:not found|error|oops|forbidden|[345]\d\d)\b|(?:object|document) moved",
        r"\b(?:page|file|document|profile|user|article)(?: was| could)? not (?:be )?found",
        r"(?:page|content|profile) (?:is )?(?:not |no longer |un)available",
        r"seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouv)|p[áa]gina no encontrada",
        r"pagina (?:non trovata|niet gevonden)|p[áa]gina n[ãa]o encontrada|nie znaleziono strony",
        r"страница не найдена|ページが見つかりません|页面不存在|找不到(?:页面|網頁)",
    ),
    _sign(
        _PARKED,
        3_000,
        r"domain (?:is )?(?:for sale|parked|parking)|(?:buy|purchase) this domain|parked domain",
        r"domain (?:name )?(?:has )?expired|website (?:is )?suspended|account suspended",
    ),
)
"""In titles."""
_TEXT_SIGNS: Final = (
    _sign(
        _CHALLENGE,
        1_200,
        r"unusual traffic from your|not a robot|performing security verification",
        r"verify (?:that )?you(?:.re| are) (?:not )?(?:a )?(?:human|robot|bot)",
        r"checking (?:if the site connection is secure|your browser)|incapsula incident id",
        r"(?:complete|solve|enter) (?:the|this) (?:security check|captcha)",
        r"enable javascript and cookies to continue",
    ),
    _sign(
        _CONSENT,
        1_200,
        r"before you continue to|(?:accept|reject) all[^.]{0,200}(?:cookies|consent|purposes)",
        r"(?:we|our partners).{0,80}(?:store and/or access|use cookies).{0,200}"
        r"(?:consent|accept|agree)",
        r"alle (?:cookies )?akzeptieren|tout accepter|aceptar tod[ao]s",
    ),
    _sign(
        _SCRIPTS,
        200,
        r"(?:enable|activate|requires?|turn on|needs?|without)\W+(?:\w+\W+){0,3}javascript",
        r"javascript\W+(?:\w+\W+){0,3}(?:required|disabled|enabled|aktivier|activ|habilit)",
    ),
    _sign(
        _ERROR,
        600,
        r"(?:page|file|url|article|profile|content)(?: that)? you(?:.re| are|.ve| have)? "
        r"(?:\w+ ){0,2}(?:look|request|search|try|tri)\w*"
        r"[^.]{0,60}(?:not|n.t|no longer|moved|removed)",
        r"(?:page|file|document|article|content) (?:was |could |can )?(?:not|n.t|no longer) "
        r"(?:be )?(?:found|exist|available)|(?:page|content) (?:does not|doesn.t|no longer) exist",
        r"nicht gefunden|introuvable|no encontrad[ao]|non trovata|niet gevonden|não encontrada",
        r"^\W*(?:http\W+)?(?:server\W+)?(?:error\W+)?[345]\d\d\b|page is not found|bad request",
        r"(?:document|object|page)(?: \w+){0,3} (?:has )?moved|moved (?:permanently|temporarily)",
        r"permission to access|no input file specified|object may be found here",
    ),
    _sign(
        _PARKED,
        1_200,
        r"(?:this )?domain (?:name )?(?:is|may be) (?:for sale|parked|available)|buy this domain",
        r"parked free, courtesy of",
    ),
)
"""In the opening of the visible text."""
_SIGN_IN_PATH = re.compile(
    r"/(?:\w+-)?(?:authwall|log[-_]?in|sign[-_]?in|sign[-_]?up|consent|checkpoint|captcha|sso)"
    r"(?:\.\w+)?(?:/|$)",
    re.IGNORECASE,
)
_CONSENT_HOST = re.compile(r"^(?:consent|guce|cmp|privacy-?gate)\.", re.IGNORECASE)
_CAPTCHA = re.compile(
    rb"g-recaptcha|h-captcha|cf-turnstile|/cdn-cgi/challenge-platform/h/|captcha-delivery\.com"
    rb"|_Incapsula_Resource|px-captcha|awsWafCookieDomainList|/\.within\.website/x/cmd/anubis"
)
_CAPTCHA_LONGEST: Final = 400
"""Characters of visible text up to which a captcha is the page, not a part of it."""
_SHELL_LONGEST: Final = 20
"""Characters of visible text up to which a page with scripts is made by them alone."""


def inspect_page(asked: str, url: str, body: bytes | bytearray, charset: str) -> tuple[str, str]:
    """Look at the page that came as a visitor does; never fails.

    Args:
        asked: the address that was asked for.
        url: the address that it came from, after redirects.
        body: HTML or plain text; of a PDF file only the address counts.
        charset: that of the HTTP header; empty if unknown.

    Returns:
        16 hexadecimal digits of the visible text, by which one page at two addresses is known, and
        why this is not the page that was asked for, as a clause; empty if it is.
    """
    reason = _redirect_reason(asked, url)
    if body.startswith(b"%PDF"):
        return hashlib.sha256(body).hexdigest()[:16], reason
    start = bytes(memoryview(body)[: MAX_BYTES + 1])
    document = clean_page(Page(0, content=start, charset=charset))
    text = " ".join(document.blocks)
    seen = f"{document.title}\n{text}".encode("utf-8", "replace") if text else body
    digest = hashlib.sha256(seen).hexdigest()[:16]
    return digest, reason or _content_reason(document.title, text, start)


def _content_reason(title: str, text: str, body: bytes) -> str:
    for signs, place in ((_TITLE_SIGNS, title[:_OPENING]), (_TEXT_SIGNS, text[:_OPENING])):
        for reason, longest, pattern in signs:
            if len(text) <= longest and pattern.search(place):
                return reason
    if len(text) <= _CAPTCHA_LONGEST and _CAPTCHA.search(body):
        return _CHALLENGE
    if not body.strip():
        return "the response is empty"
    if len(text) <= _SHELL_LONGEST and b"<script" in body.lower():
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

    def __init__(self, pages: Iterable[CollectedPage]) -> None:
        self._texts: defaultdict[str, dict[int, tuple[CollectedPage, str]]] = defaultdict(dict)
        self._addresses: dict[str, int] = {}
        for page in pages:
            if page.text:
                self._remember(page, page.result.title if page.result else "")

    def add(self, page: CollectedPage, title: str) -> list[CollectedPage]:
        """States of a page that came and of earlier ones, by its text and the title of its result.

        One copy of a page is enough. Where results of different titles led to one page, it is none
        of theirs but a wall that stands before them all.
        """
        self._remember(page, title)
        alike = self._texts[page.text]
        if len({title for _, title in alike.values() if title}) >= _MANY:
            note = f"the same page came for {len(alike)} results of different titles"
            return [
                replace(each, status=PageStatus.BLOCKED, note=note, file="")
                for each, _ in alike.values()
            ]
        ranks = [rank for rank, (each, _) in alike.items() if each.file and rank != page.rank]
        original = min(ranks, default=self._addresses[address_key(page.url)])
        if original == page.rank:
            return [page]
        page = replace(
            page, status=PageStatus.SKIPPED, note=f"the same page as result {original}", file=""
        )
        self._remember(page, title)
        return [page]

    def _remember(self, page: CollectedPage, title: str) -> None:
        self._texts[page.text][page.rank] = page, " ".join(title.casefold().split())
        if page.file:
            self._addresses.setdefault(address_key(page.url), page.rank)
