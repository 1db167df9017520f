"""Who may ask: only pages of the app itself, in a browser on this machine.

Whatever else runs in the same browser can send requests to 127.0.0.1, too. Refused are requests
that come under another host's name (DNS rebinding), from a page of another origin, and those that
change something without the header that only the app's own scripts send.
"""

from __future__ import annotations

from flask import Flask, Response, abort, request

__all__ = ["POLICY", "guard"]

_HOSTS = ("127.0.0.1", "localhost")
_READING = frozenset({"GET", "HEAD"})
_FOREIGN = frozenset({"cross-site", "same-site"})
_ANYWHERE = "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + _ANYWHERE
)
"""Of the app's own pages. A report states its own, by which no network is allowed but the app."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def guard(app: Flask) -> None:
    """Let the app refuse what comes from elsewhere, and tell browsers what its pages may do."""
    app.before_request(_refuse)
    app.after_request(_protect)


def _refuse() -> None:
    port = request.environ["SERVER_PORT"]  # the socket's own, whatever the request says
    hosts = {f"{host}:{port}" for host in _HOSTS} | (set(_HOSTS) if port == "80" else set())
    if request.headers.get("Host", "").lower() not in hosts:
        abort(403, "This address belongs to a program on this machine; ask for it as 127.0.0.1.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.headers['Host']}":
        abort(403, "Only pages of this app may ask for this.")
    if request.headers.get("Sec-Fetch-Site") in _FOREIGN:
        abort(403, "Only pages of this app may ask for this: type the address instead.")
    if request.method not in _READING and request.headers.get("X-Weps") != "1":
        abort(403, "Only pages of this app may change something.")


def _protect(response: Response) -> Response:
    response.headers.update(_HEADERS)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    if "sandbox" in response.headers["Content-Security-Policy"]:  # browsers refuse both together
        del response.headers["Cross-Origin-Opener-Policy"]
    return response
