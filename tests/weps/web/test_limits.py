"""Only public addresses are connected to, however they are written or come about."""

from dataclasses import replace

import pytest

from tests.cases import each_case
from tests.weps.web.loopback import page, reply, results
from weps.records import SearchResult
from weps.web.downloading import download_pages
from weps.web.fetching import DownloadOptions, is_public


@each_case(
    ("addresses", "public", "with_private"),
    [
        ("93.184.216.34 8.8.8.8 2606:2800:220:1::1 ::ffff:8.8.8.8", True, True),
        ("127.0.0.1 127.255.0.9 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1", False, True),
        ("::1 fc00::1 fd12:3456::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1", False, True),
        ("169.254.169.254 fe80::1 fe80::1%eth0 ::ffff:169.254.169.254", False, False),
        ("0.0.0.0 :: 224.0.0.1 ff02::1 255.255.255.255 240.0.0.1", False, False),
        ("64:ff9b::7f00:1 64:ff9b:1::a00:1 2002:7f00:1:: 2001:0:7f00:1::", False, False),
        ("::127.0.0.1 fec0::1 192.0.0.8 192.0.2.1 198.18.0.1 2001:db8::1", False, False),
    ],
)
def test_kinds_of_addresses(addresses, public, with_private):
    for address in addresses.split():
        assert is_public(address) is public, address
        assert is_public(address, or_private=True) is with_private, address


@pytest.mark.parametrize(
    "url",
    [
        *"http://127.0.0.1/ http://127.1/ http://0/ http://2130706433/ http://0x7f000001/".split(),
        *"http://0x7f.1/ http://0177.0.0.1/ http://①②⑦.⓪.⓪.①/ http://localhost/".split(),
        *"http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::]/ http://0.0.0.0/".split(),
        *"http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://169.254.169.254/x".split(),
        *"https://10.0.0.1/ http://192.168.0.1:8080/ http://93.184.216.34:22/ file:///etc/x".split(),
        *"ftp://ann.example/ http://user:pw@ann.example/ javascript:alert(1) http:// http://[".split(),
        *"//ann.example/ ann.example http://a_b..example/ http://.../ data:,x http://\ud800.example/".split(),
    ],
)
def test_addresses_of_this_machine_and_its_network_are_skipped(tmp_path, url):
    summary = download_pages([SearchResult(url)], tmp_path, DownloadOptions(delay=0.0))
    (found,) = summary.pages
    assert (found.status, found.http, found.file) == ("skipped", 0, "")
    assert found.note


def test_a_name_with_several_addresses_is_reached_at_the_public_one(web, download):
    """127.0.0.1 stands for a public address here, and 127.0.0.2 for one that is not."""
    web.replies["ann.example/"] = web.replies["bob.example/"] = page("Ann")
    web.addresses = {"ann.example": ["127.0.0.2", "127.0.0.1"], "bob.example": ["127.0.0.2"]}
    summary = download("ann.example/", "bob.example/")
    assert [each.status for each in summary.pages] == ["ok", "skipped"]
    assert web.asked == ["ann.example/"]


def test_a_name_that_changes_its_address_is_refused_when_it_does(web, download):
    async def close(_, writer):
        web.addresses["ann.example"] = ["127.0.0.2"]
        writer.write(reply("", 404, Connection="close"))
        await writer.drain()

    web.replies = {"ann.example/robots.txt": close, "ann.example/": page("Ann")}
    (found,) = download("ann.example/").pages
    assert (found.status, web.asked) == ("skipped", [])
    assert found.note == "the address is not one of the public Internet"


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.2/", "http://[::1]/", "http://inner.example/", "file:///etc/passwd",
     "http://ann.example:22/", "http://u:p@ann.example/", "http://169.254.169.254/latest"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/robots.txt"])
def test_redirects_lead_nowhere_else(web, download, target, path):
    web.addresses["inner.example"] = ["127.0.0.3"]
    web.replies = {
        "ann.example/": page("Ann"),
        f"ann.example{path}": reply(status=302, Location=target),
    }
    (found,) = download("ann.example/").pages
    assert found.status == "skipped"
    assert {each.host for each in web.requests} == {"ann.example"}


def test_private_addresses_at_any_port_on_demand(web, tmp_path):
    place = f"127.0.0.1:{web.port}"
    web.replies[f"{place}/a"] = page("Ann")
    (found,) = download_pages(results(f"{place}/a"), tmp_path, DownloadOptions(delay=0.0)).pages
    assert found.status == "skipped"
    options = DownloadOptions(allow_private=True, delay=0.0)
    (found,) = download_pages(results(f"{place}/a"), tmp_path, options).pages
    assert found.status == "ok"


def test_ports_are_those_of_web_servers(web, tmp_path):
    web.replies = {f"ann.example{port}/": page("Ann") for port in ("", ":8080", ":25")}
    options = replace(web.options, delay=0.0)
    pages = download_pages(results("ann.example:25/", "ann.example:8080/"), tmp_path, options).pages
    assert [each.status for each in pages] == ["skipped", "ok"]
    assert pages[0].note == "port 25 is not one of web servers"
