from __future__ import annotations

import pytest

from weps.report import Report
from weps.report.xml import as_xml
from weps.sources import read_clustering


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_the_official_format_reads_back(which, tmp_path, request):
    answer = request.getfixturevalue(which)
    path = tmp_path / "answer.clust.xml"
    path.write_text(as_xml(Report(answer)), "utf-8")
    assert read_clustering(path) == answer.clustering


def test_entities_are_people(answer):
    assert as_xml(Report(answer)).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<clustering name="Ann Example">',
        '  <entity id="0" name="Ann the logician">',
        '    <doc rank="0"/>',
        '    <doc rank="2"/>',
        '    <doc rank="7"/>',
        "  </entity>",
        '  <entity id="1">',
        '    <doc rank="3"/>',
        '    <doc rank="5"/>',
        "  </entity>",
        '  <entity id="2" name="old town">',
        '    <doc rank="1"/>',
        "  </entity>",
        "</clustering>",
    ]
