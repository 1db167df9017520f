"""Access control: who may use the app, and which requests are its own pages'.

Every account of the machine can connect to 127.0.0.1, so each run has a random token, which is part
of the address that the command prints and is kept in a cookie. Pages in the same browser can send
requests there, too: they are rejected if they come under another host's name (DNS rebinding), from
a page of another origin, or if they change something without the header that only the app's own
scripts send.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field

from flask import Response, abort, request
from werkzeug.http import parse_cookie

HOST = "127.0.0.1"
_HOSTS = (HOST, "localhost")
SAFE_METHODS = frozenset({"GET", "HEAD"})
_CROSS_SITES = frozenset({"cross-site", "same-site"})
_PARAMETER = "token"
_NO_ACCESS = (
    "This app is open only to the person who started it. Open the complete address that "
    "`weps serve` printed in its terminal, including the token. Each start of `weps serve` has its "
    "own token: earlier addresses and tabs no longer work."
)
_ENTRY_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/">
<title>weps</title><p><a href="/">All results</a></p></html>
"""


@dataclass(frozen=True, slots=True)
class Access:
    """The token of a run of the app."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def address(self, port: int | str) -> str:
        """The address that lets its reader in."""
        return f"http://{HOST}:{port}/?{_PARAMETER}={self.token}"

    def admits(self, cookies: str, port: int | str) -> bool:
        """Whether the header ``Cookie`` of a request has the token."""
        return self._is_token(parse_cookie(cookies).get(_cookie_name(port), ""))

    def key_of(self, path: str) -> str:
        """The key of an address, which lets in whoever has it there alone: to read.

        Browsers send no cookie with requests that a sandboxed page makes.
        """
        return hmac.new(self.token.encode(), path.encode(), "sha256").hexdigest()

    def check_request(self) -> Response | None:
        """Reject requests from elsewhere; a response to the first request of a browser.

        That one has the token in its address. The answer moves it into a cookie and leads to the
        address without it.
        """
        port = request.environ["SERVER_PORT"]  # the socket's own, whatever the request says
        hosts = {f"{host}:{port}" for host in _HOSTS} | (set(_HOSTS) if port == "80" else set())
        if request.headers.get("Host", "").lower() not in hosts:
            abort(403, "The address of this app is 127.0.0.1; other host names are rejected.")
        if request.path == "/" and self._is_token(request.args.get(_PARAMETER, "")):
            return self._let_in(port)
        if request.method in SAFE_METHODS and self._is_key(request.args.get("key", "")):
            return None
        if not self.admits(request.headers.get("Cookie", ""), port):
            abort(403, _NO_ACCESS)
        _check_origin()
        return None

    def _is_token(self, text: str) -> bool:
        return _equal(text, self.token)

    def _is_key(self, text: str) -> bool:
        return _equal(text, self.key_of(request.path))

    def _let_in(self, port: str) -> Response:
        # Where a link led here, browsers do not send the cookie along a redirect, but from a page.
        linked = request.headers.get("Sec-Fetch-Site") in _CROSS_SITES
        page = Response(_ENTRY_PAGE, mimetype="text/html")
        response = page if linked else Response(status=303, headers={"Location": "/"})
        name = _cookie_name(port)
        response.set_cookie(name, self.token, path="/", httponly=True, samesite="Strict")
        return response


def _equal(text: str, secret: str) -> bool:
    """Whether they are equal, in the same time for all texts of a length."""
    return hmac.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def _cookie_name(port: int | str) -> str:
    """Cookies of one host are shared by all ports."""
    return f"weps-{port}"


def _check_origin() -> None:
    """Reject requests from pages that are not the app's."""
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.headers['Host']}":
        abort(403, "Only pages of this app may request this.")
    if request.headers.get("Sec-Fetch-Site") in _CROSS_SITES:
        abort(403, "Only pages of this app may request this: type the address instead.")
    if request.method not in SAFE_METHODS and request.headers.get("X-Weps") != "1":
        abort(403, "Only pages of this app may change something.")
