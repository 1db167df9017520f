"""HAR files, what a browser's network panel saves: the pages among the exchanges."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING, Any

from weps.records import Page
from weps.sources.formats import (
    MAX_PAGE_BYTES,
    PDF_TYPES,
    Collector,
    Entry,
    Format,
    media_type_of,
    page_title,
    register_format,
    web_url,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')


def _read_har(entry: Entry, found: Collector) -> None:
    """Read the pages of a HAR file (version 1.2); other responses are counted."""
    try:
        data = json.loads(entry.read(entry.size).decode("utf-8-sig", "replace"))
        entries = data["log"]["entries"]
        exchanges = [each for each in entries if isinstance(each, dict)]
    except RecursionError:
        found.fail("a HAR file that is nested too deeply")
    except (KeyError, TypeError, ValueError):
        found.fail("a HAR file that is damaged or truncated")
    else:
        for exchange in exchanges:
            _add_exchange(exchange, found)


register_format(
    Format(
        "HAR",
        recognises=lambda head, _: _START.match(head),
        read=_read_har,
        noun="response",
        most=200 << 20,
    )
)


def _add_exchange(exchange: Mapping[str, Any], found: Collector) -> None:
    request, response = _object(exchange, "request"), _object(exchange, "response")
    content = _object(response, "content")
    media_type, charset = media_type_of(_text(content, "mimeType"))
    status, url = response.get("status"), web_url(_text(request, "url"))
    destination = _destination(request, exchange)
    known_status = status if isinstance(status, int) else 0
    if not found.may_add(known_status, media_type, url, destination):
        return
    data = _text(content, "text").encode("utf-8", "replace")
    if _text(content, "encoding") == "base64":
        try:
            data = base64.b64decode(data)
        except binascii.Error:
            found.skip("damaged")
            return
    else:
        charset = "utf-8"  # the browser has decoded it
    if not data:
        found.skip("pages whose content was not saved")
        return
    if media_type not in PDF_TYPES:
        data = data[:MAX_PAGE_BYTES]
    title, fetched = page_title(data, charset), _text(exchange, "startedDateTime")[:40]
    found.add(Page(0, url, title, "", data, None, "", charset, found.file, fetched))


def _destination(request: Mapping[str, Any], exchange: Mapping[str, Any]) -> str:
    """Purpose of the response, as far as the request or the browser states it."""
    headers = request.get("headers")
    for header in headers if isinstance(headers, list) else ():
        if isinstance(header, dict) and _text(header, "name").lower() == "sec-fetch-dest":
            return _text(header, "value")
    return _text(exchange, "_resourceType")


def _object(parent: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = parent.get(field)
    return value if isinstance(value, dict) else {}


def _text(parent: Mapping[str, Any], field: str) -> str:
    value = parent.get(field)
    return value if isinstance(value, str) else ""
