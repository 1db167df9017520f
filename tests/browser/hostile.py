"""Pages of somebody who wants the report to run their script, hide things or fall apart."""

from __future__ import annotations

from html import escape

from weps.records import Page, Search

__all__ = ["ATTACKS", "hostile_search"]

ATTACKS = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    "</title></style></textarea><img src=x onerror='window.pwned = 3'>",
    "\"><svg onload=window.pwned=4> ' onfocus=window.pwned=5 autofocus x='",
    "<!-- <![CDATA[ ]]> --!> <iframe srcdoc='<script>parent.pwned = 6</script>'></iframe>",
    "<style>* { display: none }</style><base href=http://127.0.0.1/><meta http-equiv=refresh>",
    "&lt;img src=x onerror=window.pwned=7&gt; &#60;b&#62; ${window.pwned=8} {{7*7}} \\u003cb>",
    "\u202eexe.txt\u202c \u2066\u2067 \u200b\u0000\u2028\u2029 \ud800 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "W" * 10_000,
)
_ADDRESSES = (
    "javascript:window.pwned=9",
    "http://evil.example/\"><script>window.pwned=10</script>?x='onclick='window.pwned=11",
    "data:text/html,<script>window.pwned=12</script>",
    "http://" + "a" * 3000 + ".example/",
)


def hostile_search(name: str = "Ann <b onclick=window.pwned=13>Lovell</b>") -> Search:
    """Two pages for each attack, so that it becomes evidence and a label as well."""
    twice = [(attack, number) for attack in ATTACKS for number in (1, 2)]
    return Search(name, tuple(_page(name, *each, rank) for rank, each in enumerate(twice, 1)))


def _page(name: str, attack: str, number: int, rank: int) -> Page:
    told = f"{name} of {attack} Harbour Society, Port Merrow"
    body = f"<p>{escape(told)} met Mr. John {escape(attack)} Smith there.</p>"
    content = f"<title>{escape(attack)}</title>{body * (3 + number)}"
    return Page(
        rank,
        _ADDRESSES[rank % len(_ADDRESSES)],
        title=f"{attack} {name}",
        snippet=f"{name} … {attack} {number}",
        content=content.encode("utf-8", "surrogatepass"),
    )
