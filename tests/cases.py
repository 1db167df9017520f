"""Cases of one path through the code, as one test that loops over them."""

import functools
import inspect


def each_case(names, cases):
    """Run a test for each case in turn; a failure tells the number and the values of its case.

    Written like ``pytest.mark.parametrize``, but one test, whose fixtures are made once for all
    cases: for tests that leave them as they were. One case alone runs with ``cases[3:4]``.

    Args:
        names: parameters of the test, separated by commas or as a tuple.
        cases: a tuple of their values for each case; of a single parameter, its value.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    cases = [dict(zip(names, case if len(names) > 1 else [case], strict=True)) for case in cases]
    assert cases

    def decorate(test):
        @functools.wraps(test)
        def run(**fixtures):
            for number, case in enumerate(cases):
                try:
                    test(**fixtures, **case)
                except Exception as error:
                    values = ", ".join(f"{name}={case[name]!r:.200}" for name in names)
                    error.add_note(f"case {number}: {values}")
                    raise

        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name not in names]
        run.__signature__ = signature.replace(parameters=others)
        return run

    return decorate
