"""The templates that come with the application: each has an example that it takes."""

from io import BytesIO

import pytest

from annotation.campaigns.templating.parts import TEMPLATES
from annotation.importing.items import items_import
from annotation.starters import LABELS, LANGUAGES, NAMES, WITH_EXAMPLES, starter_for, starter_name
from tests.clients import client_of
from tests.factories import make_campaign, new_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_the_example_of_every_template_is_downloaded_and_imported():
    make_campaign()
    alice = client_of("alice")
    page = alice.get("/c/camp/import/").content.decode()
    for name, (task, language) in NAMES.items():
        answer = alice.get(f"/c/camp/import/examples/{name}/")
        assert "attachment" in answer["Content-Disposition"]
        offered = language in WITH_EXAMPLES and task != "empty"
        assert (f"/import/examples/{name}/" in page) is offered, name
        if language not in WITH_EXAMPLES:  # The English one.
            continue
        campaign = new_campaign(f"of-{name}", template=name)
        report = items_import(
            campaign=campaign, stream=BytesIO(answer.content), name=f"{name}.csv", actor=None
        )
        assert report.problems == () and report.counts["items"] >= 2, name
        texts = campaign.substitutions.values_list("text", flat=True)
        assert any(one[-2] >= "가" for one in texts) is name.endswith("-ko"), name


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_a_template_asks_the_same_in_each_language(language):
    """Names, levels, values and thresholds stay; each sentence is another one."""
    for task in LABELS:
        english, own = TEMPLATES[task], TEMPLATES[starter_name(task, language)]
        for scale, its in zip(english.scales or (), own.scales or (), strict=True):
            same = ("name", "level", "minimum", "maximum", "step", "threshold", "copy_at_top")
            assert [getattr(its, one) for one in same] == [getattr(scale, one) for one in same]
            assert [point[0] for point in its.points] == [point[0] for point in scale.points]
            assert its.question and its.question != scale.question
        assert own.guidelines and own.guidelines != english.guidelines
        tag = str(own.settings["language"])
        assert starter_for(task, tag) == starter_name(task, language)


@pytest.mark.parametrize(
    ("template", "tag", "made"),
    [
        ("phrase", "fr", "phrase-fr"),
        ("phrase", "fr-CA", "phrase-fr"),
        ("phrase", "xx", "phrase"),
        ("phrase", "", "phrase"),
        ("phrase", "zh-TW", "phrase"),
        ("phrase-ko", "fr", "phrase-ko"),
        ("ours", "fr", "ours"),
    ],
)
def test_the_language_of_the_texts_chooses_that_of_the_questions(template, tag, made):
    assert starter_for(template, tag) == made


def test_a_campaign_has_the_questions_of_its_language():
    campaign = new_campaign("la", template="phrase", language="fr")
    scale = campaign.scales.get(name="MEANING")
    assert scale.question == TEMPLATES["phrase-fr"].scales[0].question
    assert campaign.language == "fr"
