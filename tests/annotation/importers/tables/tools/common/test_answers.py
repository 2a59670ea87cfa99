from annotation.importers.tables.tools.common.answers import (
    SKIPPED,
    Answered,
    like_remark,
    like_scale,
)


def test_what_counts():
    assert Answered(1, {}, "a", {"m": 0}).counts and not Answered(1, {}, "a", {"m": ""}).counts
    assert not Answered(1, {}, "a", {"m": 3}, why=SKIPPED).counts


def test_names_of_scales_of_any_campaign():
    assert all(map(like_scale, ("meaning", "GRAMMAR score", "의미", "Flüssigkeit", "adequacy_2")))
    assert not any(map(like_scale, ("system", "comment", "q1")))
    assert all(map(like_remark, ("comment", "Why?", "explanation_text"))) and not like_remark(
        "text"
    )
