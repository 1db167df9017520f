from dataclasses import replace

import numpy as np

from eval.meta.similarities import Similarities
from tests.eval.meta_study.compared.made_up import compared


def test_instances_are_the_outputs_topic_by_topic() -> None:
    found = compared(topics=2, peers=3)
    instances = found.instances
    assert instances.topic.tolist() == [0, 0, 0, 1, 1, 1]
    assert instances.system.tolist() == [0, 1, 2, 0, 1, 2]
    assert instances.human[0].tolist() == [*found.topics[0].human[0], *found.topics[1].human[0]]


def test_systems_keep_their_numbers_whatever_topics_they_answered() -> None:
    found = compared(topics=2, peers=2)
    second = replace(found.topics[1], systems=("s1", "late"))
    found = replace(found, topics=(found.topics[0], second))
    assert found.systems == ("s0", "s1", "late")
    assert found.instances.system.tolist() == [0, 1, 1, 2]
    assert not found.alike


def test_outputs_are_compared_with_one_another_on_all_topics_or_not_at_all() -> None:
    found = compared(topics=2)
    assert found.among_peers
    values = found.topics[1].values
    without = replace(found.topics[1], values=Similarities(values.peers, values.models))
    assert not replace(found, topics=(found.topics[0], without)).among_peers
    assert np.array_equal(found.similarities[1].peers, values.peers)


def test_whether_people_judged_outputs_or_systems() -> None:
    found = compared(topics=2)
    assert found.instances.judged_singly(0)
    found.topics[1].human[:] = found.topics[0].human
    assert not found.instances.judged_singly(0)
    found.topics[0].human[:] = np.nan
    found.topics[1].human[:] = np.nan
    assert not found.instances.judged_singly(0)
