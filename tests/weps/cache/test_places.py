import os
from pathlib import Path

import pytest

from weps.cache import Cache, default_folder


@pytest.fixture
def home(monkeypatch):
    for name in ("WEPS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ada/.cache/weps"),
        ("linux", {"WEPS_CACHE": ""}, "/home/ada/.cache/weps"),
        ("linux", {"WEPS_CACHE": "/x/y"}, "/x/y"),
        ("linux", {"XDG_CACHE_HOME": "/x/y"}, "/x/y/weps"),
        ("linux", {"XDG_CACHE_HOME": "/x/y", "WEPS_CACHE": "/z"}, "/z"),
        ("linux", {"XDG_CACHE_HOME": "x/y"}, "/home/ada/.cache/weps"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/ada/.cache/weps"),
        ("darwin", {}, "/home/ada/Library/Caches/weps"),
        ("darwin", {"WEPS_CACHE": "/z"}, "/z"),
        ("win32", {}, "/home/ada/AppData/Local/weps/Cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/weps/Cache"),
    ],
)
@pytest.mark.usefixtures("home")
def test_the_folder_is_where_the_platform_keeps_caches(monkeypatch, platform, environment, folder):
    monkeypatch.setattr("sys.platform", platform)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == Path(folder)


@pytest.mark.usefixtures("home")
def test_a_user_without_a_home_has_no_cache_but_no_error_either(monkeypatch):
    def homeless():
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert Cache(default_folder()).problem


def test_no_test_uses_the_cache_of_the_user():
    assert default_folder() == Path(os.environ["WEPS_CACHE"])
    assert Path.home() not in default_folder().parents
