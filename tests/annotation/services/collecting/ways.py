"""What a whole save told and left."""

from annotation.models import Judgment, JudgmentVersion, Slot, SlotEvent


def codes(answer):
    assert answer.status_code == 200, answer.content
    return [one.get("code") for one in answer.json()["answers"]]


def rows():
    """All that a save may write, without ids, keys and times."""
    ids = {
        "id",
        "campaign_id",
        "annotator_id",
        "substitution_id",
        "scale_id",
        "slot_id",
        "guideline_id",
        "sheet_id",
        "key",
        "scan_key",
        "request_id",
        "judgment_id",
    }
    # Of ids and times only whether there is one.
    return [
        {
            name: value is None if name in ids or name.endswith("_at") else value
            for name, value in row.items()
            if name != "at"
        }
        for model in (Judgment, JudgmentVersion, Slot, SlotEvent)
        for row in model.objects.order_by("pk").values()
    ]
