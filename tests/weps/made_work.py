"""Work for other processes that goes wrong in every way."""

import os
import re
import signal
import time

from weps import _isolation
from weps.html.cleaning import clean_packed
from weps.sources.formats.pages import read_text


def misbehave(message):
    match message.decode().split():
        case ["limit", seconds]:
            _isolation.MAX_SECONDS = _isolation.MAX_WAIT = int(seconds)
        case ["match"]:  # holds the interpreter's lock
            re.match("(a|a)+$", "a" * 50 + "b")
        case ["sleep"]:
            time.sleep(100)
        case ["fill"]:
            return bytes(_isolation.MAX_MEMORY)
        case ["end"]:
            os._exit(0)
        case ["raise"]:
            raise RuntimeError
        case ["interrupt"]:
            os.kill(os.getpid(), signal.SIGINT)
        case ["print"]:
            os.write(1, b"no answer")
    return message[::-1]


def clean_or_end(packed):
    return os._exit(1) if b"END" in packed else clean_packed(packed)


def read_pdf_or_end(file):
    return os._exit(1) if b"END" in file else read_text(file)
