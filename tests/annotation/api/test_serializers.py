"""Rows as JSON: by public names, nothing that an annotator or a stranger must not read."""

from annotation.campaigns.serializers import CampaignIn, JudgmentOut, OutputOut
from annotation.models import Judgment, Output
from tests.factories import add_judgments, make_campaign


def test_what_is_not_there_is_null():
    """A judgment from a file has no guideline, and a system may have given no text."""
    row = {"item": "i", "sentence": "One two.", "phrase": "two", "paraphrase": "2", "system": "A"}
    campaign = make_campaign(rows=[row, {**row, "paraphrase": "", "system": "B"}])
    judged = {"item": "i", "paraphrase": "2", "annotator": "X", "scale": "MEANING", "value": 2}
    add_judgments(campaign, [judged])
    shown = JudgmentOut(Judgment.objects.get(), context={"counted": set()}).data
    assert (shown["annotator"], shown["scale"], shown["guideline"]) == ("X", "MEANING", None)
    assert shown["counts"] is False
    outputs = {
        one.system.label: OutputOut(one).data["substitution"] for one in Output.objects.all()
    }
    assert outputs == {"A": str(campaign.substitutions.get().key), "B": None}


def test_a_new_campaign_has_the_scales_of_phrases_unless_another_template_is_named():
    asked = CampaignIn(data={"slug": "new"})
    wanted = {"slug": "new", "template": "phrase", "run_metrics": True}
    assert asked.is_valid() and asked.validated_data == wanted
    # Which there are, the service knows: administrators add some.
    assert CampaignIn(data={"slug": "new", "template": "ours"}).is_valid()
