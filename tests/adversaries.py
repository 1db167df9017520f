"""Texts on which a regular expression or a loop may take more than linear time.

For a regular expression they are made of its own parts: each beginning of a text that it matches,
repeated, or followed by one character repeated that never lets the match end.
"""

import re._constants as codes
import re._parser as parser

COMMON = " a1A.-\n<"
_SAMPLES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: "-",
}
_LONGEST_BEGINNING = 24


def texts_against(pattern, size, choices=3):
    """Texts of about that size, as bytes for a pattern of bytes; always in the same order."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    beginnings = {}
    for choice in range(choices):
        letters = set()
        whole = _sample(tree, letters, choice)[:_LONGEST_BEGINNING]
        for end in range(len(whole) + 1):
            beginnings.setdefault(whole[:end], sorted(letters)[:8])
    for beginning, letters in beginnings.items():
        for text in _stretched(beginning, letters, size):
            yield text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")


def _stretched(beginning, letters, size):
    if beginning:
        yield beginning * (size // len(beginning)) + "\a"
    for letter in dict.fromkeys((*letters, *COMMON)):
        yield beginning + letter * size + "\a"
        yield (beginning + letter) * (size // (len(beginning) + 1))


def _sample(tree, letters, choice):
    """A text that the expression roughly matches; collects the characters in it."""
    return "".join(_sample_part(code, value, letters, choice) for code, value in tree)


def _sample_part(code, value, letters, choice):  # noqa: PLR0911 - one for each kind
    match code:
        case codes.LITERAL:
            letters.add(chr(value))
            return chr(value)
        case codes.NOT_LITERAL | codes.ANY | codes.GROUPREF:
            return "b" if value == ord("a") else "a"
        case codes.IN:
            found = [_of_class(*each) for each in value if each[0] is not codes.NEGATE]
            letters.update(found)
            if value[0][0] is codes.NEGATE:
                return next((each for each in "a1 -é" if each not in found), "a")
            return found[choice % len(found)]
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            least, most, inner = value
            return _sample(inner, letters, choice) * max(least, min(1, most))
        case codes.SUBPATTERN:
            return _sample(value[-1], letters, choice)
        case codes.ATOMIC_GROUP:
            return _sample(value, letters, choice)
        case codes.BRANCH:
            ways = [_sample(each, letters, choice) for each in value[1]]
            return ways[choice % len(ways)]
        case codes.ASSERT | codes.ASSERT_NOT:
            _sample(value[1], letters, choice)
    return ""


def _of_class(code, value):
    if code is codes.CATEGORY:
        return _SAMPLES[value]
    return chr(value if code is codes.LITERAL else value[0])


PREFIXES = ("", "<p>", "<div>" * 30_000)
UNITS = (
    "< <a <a\n </ <!-- <!--a--> <! <![CDATA[ <? & &a &# &#4 &#4; &#2;&#3; &#x <p\n </p> <b> </b>"
    " <script> <script </script <style> <title> <title <textarea> <plaintext> <noscript> <noscript"
    " <noframes> <select><option> <table><tr><td> <a><table> <form> <svg><title> <template>"
    " <iframe> <img\nalt=a> <img\nalt=' <a\nhref=mailto:a@b.c> <a\nhref=mailto:%04%02> <pre>"
    " <pre>a</pre> <h1><b><i> <b><p></b> <dd><dt> </a><a\n --> <meta\nname=description>"
    " <base\nhref=http://a.b/c> <link\nrel=canonical\nhref=http://a.b/> <a\nhref=a> <a\nhref=../>"
    " <p\nhidden> <p\nstyle=display:none> <p\nstyle='display <br> <frameset> </body> &#1;"
    " @ a@ a@b. a@b.c\n a\nat\nb\ndot\nc\n (at) dot\n \n \n\n \t a. .. - _ % ( ' ’ é 李 \u00ad"
    " \u200b"
    " á̴ 1 1, 1.1 A. Mr.\n \x04 \x04\x02 \ufdfa \u0f73\uff9e"
).split(" ")
"""What pages are made of; a line end stands for a blank, too."""


def _word(number):
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(4))


def _pairs(size):
    """Pairs of capitalised words that stand in lower case elsewhere, but never side by side."""
    number = size // 20
    words = [_word(at) for at in range(number)]
    pairs = (
        f"{words[at * 7919 % number].title()} {words[(at * 104_729 + 1) % number].title()}"
        for at in range(number)
    )
    return f"{' '.join(words)}. {'. '.join(pairs)}"


PROSE = {
    "distinct words": lambda size: " ".join(_word(at * 7919 % 456_976) for at in range(size // 5)),
    "capitals in pairs": _pairs,
    "capitals": lambda size: " ".join(_word(at).title() for at in range(size // 5)),
    **{
        unit: lambda size, unit=unit: unit * (size // len(unit))
        for unit in (
            "Thomas Baker ",
            "Thomas ",
            "Baker ",
            "Thomas Baker\n",
            "Thomas J. M. Baker, ",
            "Baker, Thomas ",
            "Thomas, Baker ",
            'Thomas "a" ',
            "Tide Tide. ",
            "a",
            "1",
            "1.1a ",
            ", ",
            "a\u0301\u0334",
            "\u0301\u0334",
            "\u0f73\uff9e",
            "\ufdfa",
            "李明",
            "ひら",
            "a'",
            "It is. ",
            "a\n\n",
            "in 1970 to 1980, ",
            "(412) 555-0123 ",
            "a@b.com ",
            "http://a.com/b ",
            "may refer to ",
        )
    },
}
"""Texts of a page of Thomas Baker, by size."""
