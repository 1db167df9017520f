from pathlib import Path

from eval.text.running.faults import Fault, undefined


def fault(topic: str, measure: str = "bleu", **changes: str) -> Fault:
    about = {"where": "the output of 'one'", "what": "is odd", "remedy": "mend it", **changes}
    return Fault(measure, topic, **about)


def test_one_fault() -> None:
    error = undefined([fault("ebb")], "Tides", None)
    assert error.describe() == (
        "Tides: measures are not defined for all texts: topic 'ebb', the output of 'one': is odd; "
        "mend it (bleu); mend these texts, or leave out measures"
    )


def test_what_is_the_same_is_told_once() -> None:
    others = [fault("ebb", "nist", what="is short"), fault("ebb", "ter"), fault("noon", "ter")]
    told = undefined([fault("ebb"), *others], "Tides", None).what
    assert told.count("is odd") == 2
    assert "(bleu, ter)" in told
    assert "is short; mend it (nist)" in told


def test_a_fault_without_a_remedy() -> None:
    assert ": is odd (bleu)" in undefined([fault("ebb", remedy="")], "Tides", None).what


def test_twenty_are_told() -> None:
    faults = [fault(f"t{number}", measure) for number in range(23) for measure in ("bleu", "ter")]
    told = undefined(faults, "Tides", None).what
    assert "'t19'" in told
    assert "'t20'" not in told
    assert told.endswith("; and 3 more")
    assert "more" not in undefined(faults[:40], "Tides", None).what


def test_where_the_others_are_kept() -> None:
    told = undefined([fault("ebb")], "Tides", Path("m.csv.part")).describe()
    assert told.endswith("the values of all other topics are kept in m.csv.part")
