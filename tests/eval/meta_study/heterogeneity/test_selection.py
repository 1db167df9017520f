from dataclasses import replace

import numpy as np
import pytest

from eval.meta.passing import Passing, superiority
from eval.meta_study.heterogeneity.selection import choices
from eval.ordering import max_pwa
from tests.eval.meta_study.made_up_groups import grouped, labelled


def test_both_ways_side_by_side() -> None:
    source = labelled()
    found = choices(source)
    assert len(found) == len(source.measures)
    assert {each.by_king for each in found} == set(source.measures)
    assert {each.by_max_pwa for each in found} == set(source.measures)
    positive = source.quality["label"] > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    passing = Passing.of(ours, theirs, source.group[positive], source.group[~positive])
    for size, each in enumerate(found, start=1):
        by_king, by_max_pwa = (
            [source.measures.index(getattr(step, way)) for step in found[:size]]
            for way in ("by_king", "by_max_pwa")
        )
        assert each.king == pytest.approx(superiority(passing, by_king))
        assert each.max_pwa_king == pytest.approx(superiority(passing, by_max_pwa))
        assert each.king_max_pwa == pytest.approx(max_pwa(ours[by_king], theirs[by_king]))
        assert each.max_pwa == pytest.approx(max_pwa(ours[by_max_pwa], theirs[by_max_pwa]))
        assert each.max_pwa >= each.king_max_pwa - 1e-12 or size > 1


def test_there_is_nothing_to_choose_without_labels_or_positives() -> None:
    assert choices(grouped()) == ()
    source = labelled()
    single = np.zeros(len(source.group))
    single[0] = 1
    assert choices(replace(source, quality={"label": single})) == ()
