import pytest

from weps.errors import SourceError
from weps.sources import open_source, select
from weps.sources.selecting import as_identifier, as_name


@pytest.fixture
def source(plant):
    return open_source(
        plant({f"{name}/1.html": "x" for name in ("Thomas_Baker", "AMANDA_LENTZ", "José Núñez")})
    )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["Thomas Baker"], ("Thomas_Baker",)),
        (["thomas_baker", "Thomas_Baker", "THOMAS  BAKER"], ("Thomas_Baker",)),
        (['"Amanda Lentz"', "Thomas Baker"], ("AMANDA_LENTZ", "Thomas_Baker")),
        (["jose\u0301 nu\u0301n\u0303ez"], ("José_Núñez",)),
        ([], ("AMANDA_LENTZ", "José_Núñez", "Thomas_Baker")),
    ],
)
def test_names_are_found_however_they_are_typed(source, typed, found):
    assert select(source, typed) == found


def test_all_unknown_names_stand_in_one_error(source):
    with pytest.raises(SourceError) as caught:
        select(source, ["Tomas Baker", "Thomas Baker", "Zzz"])
    assert str(caught.value) == (
        f"{source.root}: no results for 'Tomas Baker' (did you mean Thomas_Baker?); 'Zzz'; "
        "the names here are AMANDA_LENTZ, José_Núñez, Thomas_Baker"
    )


@pytest.mark.parametrize("method", ["search", "ranks", "key", "warnings"])
def test_every_method_refuses_an_unknown_name(source, method):
    with pytest.raises(SourceError, match="no results for"):
        getattr(source, method)("../../etc")


@pytest.mark.parametrize(
    ("name", "identifier", "written"),
    [
        ("Thomas Baker", "Thomas_Baker", "Thomas Baker"),
        ("Thomas_Baker", "Thomas_Baker", "Thomas Baker"),
        (" Ann  O'Neill ", "Ann_O'Neill", "Ann O'Neill"),
        ('"AMANDA LENTZ"', "AMANDA_LENTZ", "AMANDA LENTZ"),
        ("../a/b:c", "a_b_c", "../a/b:c"),
        ("J. R. Smith, Jr.", "J._R._Smith,_Jr", "J. R. Smith, Jr."),
        ("__", "", ""),
    ],
)
def test_identifiers_and_names(name, identifier, written):
    assert as_identifier(name) == identifier
    assert as_name(name) == written
