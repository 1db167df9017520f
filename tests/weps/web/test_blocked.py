"""Walls, challenges and pages of error are told from pages, and pages are not taken for them."""

from tests.cases import each_case
from weps.web.downloading import inspect_page

ARTICLE = "<p>" + "Ann Lee paints the tides of Port Merrow, and sells maps of them. " * 60
CHALLENGE = "the site asks visitors to pass a check"
CONSENT = "the site shows a consent page"
SIGN_IN = "the site asks to sign in"
ERROR = "the site shows an error page"
SCRIPTS = "the page shows nothing without JavaScript"
PARKED = "the domain is parked"


def blocked(body: str, asked: str = "http://ann.example/a/b", url: str = "") -> str:
    return inspect_page(asked, url or asked, body.encode(), "utf-8")[1]


@each_case(
    ("body", "reason"),
    [
        ("<title>Just a moment...</title><p>Verifying you are human.", CHALLENGE),
        ("<title>Attention Required! | Cloudflare</title><h1>You have been blocked", CHALLENGE),
        ("<title>Making sure you&#39;re not a bot!</title><p>Loading...", CHALLENGE),
        ("<title>DDoS-Guard</title><h1>Checking your browser before accessing", CHALLENGE),
        ("<title>Access to this page has been denied</title><p>Press & hold", CHALLENGE),
        ("<title>Pardon Our Interruption</title><p>As you were browsing", CHALLENGE),
        ("<title>Robot Check</title><p>Enter the characters you see below", CHALLENGE),
        ("<title>ann.example</title><p>Verify you are human by completing the action", CHALLENGE),
        ("<p>Our systems have detected unusual traffic from your computer network.", CHALLENGE),
        ("<title>x</title><p>One step more<div class='h-captcha'></div>", CHALLENGE),
        ("<title>x</title><iframe src='/_Incapsula_Resource?x'>No success.</iframe>", CHALLENGE),
        ("<title>Before you continue to Google Search</title><p>We use cookies", CONSENT),
        ("<title>Bevor Sie fortfahren</title><p>Wir verwenden Cookies", CONSENT),
        ("<p>We and our partners store and/or access information on a device, such as cookies. "
         "You may accept or manage your choices.", CONSENT),
        ("<title>Log in to Facebook</title><p>Email or phone Password", SIGN_IN),
        ("<title>Sign in | Example</title><input type=password>", SIGN_IN),
        ("<title>Anmelden</title><p>Kennwort", SIGN_IN),
        ("<title>404 - Page not found</title><p>Menu Home Contact", ERROR),
        ("<title>Shop</title><p>Sorry, the page you were looking for could not be found.", ERROR),
        ("<title>Seite nicht gefunden – Verein</title><p>Start", ERROR),
        ("<title>Página no encontrada</title><p>Inicio", ERROR),
        ("<title>302 Found</title><p>The document has moved <a>here</a>.", ERROR),
        ("<title>Error</title><p>Something went wrong.", ERROR),
        ("<noscript>You need to enable JavaScript to run this.</noscript><div id=root>", SCRIPTS),
        ("<title>Ann Lee</title><div id=root></div><script src=app.js></script>", SCRIPTS),
        ("<p>Bitte aktivieren Sie JavaScript: JavaScript aktivieren", SCRIPTS),
        ("<title>ann.example</title><p>This domain is for sale! Buy this domain.", PARKED),
        ("", "the response is empty"),
        (" \n", "the response is empty"),
    ],
)  # fmt: skip
def test_what_is_no_page(body, reason):
    assert blocked(body) == reason


@each_case(
    "body",
    [
        ARTICLE,
        f"<title>Just a moment in time: Ann Lee</title>{ARTICLE}",
        f"<title>Error 404: a novel by Ann Lee</title>{ARTICLE}",
        f"<title>Ann Lee</title><p>We use cookies. Accept all cookies if you agree.{ARTICLE}",
        f"<title>Ann Lee</title><p>Please enable JavaScript.{ARTICLE}",
        f"<title>Ann Lee</title><p>Verify that you are not a robot: she did.{ARTICLE}",
        f"<title>Ann Lee</title>{ARTICLE}<div class='g-recaptcha'></div>",
        "<title>Ann Lee</title><p>Professor of Marine Ecology. Room 404. Office hours on Monday.",
        "<title>Ann Lee, painter</title><p>I work without errors; not found in shops.",
        "<title>Ann Lee</title><p>Login Home About<p>Ann Lee paints. Sign in to write to her.",
        "<title>Ann</title><p>Ann Lee moved to Port Merrow in 1901.",
        "Ann Lee paints.",
        "<title>Accedian: people</title><p>Ann Lee, engineer.",
        "<title>JavaScript for painters, by Ann Lee</title><p>A book about JavaScript and colour.",
    ],
)
def test_what_is_a_page(body):
    assert blocked(body) == ""


@each_case(
    ("asked", "url", "reason"),
    [
        ("http://a.example/x/y", "http://a.example/", "the address leads to the home page"),
        ("http://a.example/x/y", "https://www.a.example", "the address leads to the home page"),
        ("http://a.example/index.html", "http://a.example/", ""),
        ("http://a.example/~ann/", "http://ann.example/", ""),
        ("http://a.example/", "http://a.example/", ""),
        ("http://a.example/x/y", "http://a.example/?id=7", ""),
        ("http://a.example/in/ann", "https://a.example/authwall?trk=x", SIGN_IN),
        ("http://a.example/ann", "https://sso.a.example/users/sign_in", SIGN_IN),
        ("http://a.example/login-ann", "http://a.example/login-ann/", ""),
        ("http://a.example/blog/ann", "http://a.example/blog/logins-of-ann/", ""),
        ("http://a.example/ann", "https://consent.b.example/m?continue=a", CONSENT),
        ("https://consent.b.example/", "https://consent.b.example/", ""),
        ("http://[", "http://a.example/", ""),
    ],
)
def test_what_redirects_tell(asked, url, reason):
    assert blocked(ARTICLE, asked, url).startswith(reason)
    assert bool(blocked(ARTICLE, asked, url)) == bool(reason)


def test_one_text_in_two_wrappings_has_one_digest():
    one, other, third = (
        inspect_page("", "", body.encode(), "")[0]
        for body in ("<p>Ann <b>Lee</b><!-- 1 -->", "<div>Ann Lee</div>", "<p>Bob")
    )
    assert one == other != third


def test_pdf_files_are_not_read_as_pages():
    assert blocked("%PDF-1.4 Just a moment") == ""
