from annotation.importers.tables.guessing.guess import guess_kind
from annotation.importers.tables.profiles import profile
from tests.annotation.importers.tables.test_guessing import S, X


def test_the_kind_of_a_table():
    columns = {
        "id": [1, 2, 3, 4],
        "paraphrase": [*X],
        "mean MEANING": [1.5, 2, 2, 3],
    }
    for added, kind in (({}, "gold"), ({"rater": list("abab")}, "judgments")):
        table = {**columns, **added}
        assert guess_kind(list(table), [profile(one, ".") for one in table.values()]) == kind
    assert guess_kind(["sentence"], [profile(S, ".")]) == "items"
