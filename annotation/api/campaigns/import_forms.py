"""What the routes of imports take and answer."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.api.serializers import AtWorkOut
from annotation.importers.tables.mapping import KINDS
from annotation.models import ImportJob
from annotation.selectors.campaigns.imports import ended_report


class ImportFileIn(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    format = serializers.ChoiceField(
        ["csv", "tsv", "jsonl", "ccb", "ppdb"],
        required=False,
        help_text="Default: by the file's name.",
    )
    dry_run = serializers.BooleanField(default=False, help_text="Check, and change nothing.")
    raw = serializers.BooleanField(
        default=False, help_text="Text cells carry no apostrophe against spreadsheet formulas."
    )


class TextsFileIn(ImportFileIn):
    """Items, judgments or gold: a file of ours, or a table of any kind."""

    map = serializers.JSONField(
        required=False,
        binary=True,
        help_text="What the columns of a table are: the `map` of an inspection, changed as needed.",
    )
    sheet = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Of a spreadsheet; default: the best.",
    )
    accept_unsure = serializers.BooleanField(
        default=False, help_text="Read the table as it is guessed, whatever asks."
    )


class JudgmentFileIn(TextsFileIn):
    annotator = serializers.CharField(
        required=False,
        max_length=60,
        help_text="Code, where the file names no annotator; with anonymous, a name of the voices.",
    )
    anonymous = serializers.BooleanField(
        default=False,
        help_text="Nobody knows who judged: each line without a code is a voice of its own, "
        "without identity.",
    )
    repeats = serializers.ChoiceField(
        ["number"], required=False, help_text="number: a key met again is the next occasion."
    )
    fill_slots = serializers.BooleanField(
        default=False, help_text="The judgments take places of their sheets."
    )


class GoldFileIn(TextsFileIn):
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Where it comes from; default: the file's name."
    )


class TableFileIn(serializers.Serializer[Any]):
    """A table to look at; nothing is imported or kept."""

    file = serializers.FileField(allow_empty_file=True)
    what = serializers.ChoiceField(KINDS, required=False, help_text="Guessed if it is not given.")
    sheet = serializers.CharField(required=False, max_length=200, help_text="Default: the best.")


class SheetSeenOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    rows = serializers.IntegerField(allow_null=True, help_text="Null: more than were looked at.")


class ColumnSeenOut(serializers.Serializer[Any]):
    column = serializers.CharField(help_text="Letters, as A.")
    name = serializers.CharField()
    filled = serializers.FloatField()
    examples = serializers.ListField(child=serializers.CharField())
    role = serializers.CharField()
    of = serializers.CharField(help_text="The system, scale or annotator of the role, if any.")
    scale = serializers.CharField(help_text="Of an annotator's values, if the column has one.")
    reason = serializers.CharField()
    ask = serializers.BooleanField(help_text="Somebody should look.")


class NotReadOut(serializers.Serializer[Any]):
    column = serializers.CharField(help_text="Or a piece of the file that is no column.")
    reason = serializers.CharField()


class LedgerOut(serializers.Serializer[Any]):
    """What is read of the table, and what is not."""

    originals = serializers.IntegerField(help_text="Different original texts.")
    systems = serializers.ListField(child=serializers.CharField())
    references = serializers.IntegerField(help_text="The most that one original has.")
    annotators = serializers.ListField(child=serializers.CharField())
    not_read = NotReadOut(many=True)
    of_rows = serializers.IntegerField(
        allow_null=True, help_text="Only so many rows were looked at; null: all."
    )


class UnsureOut(serializers.Serializer[Any]):
    """The table waits for somebody to look at what was guessed."""

    code = serializers.CharField()
    detail = serializers.CharField()
    asks = serializers.ListField(child=serializers.CharField())


class InspectionOut(serializers.Serializer[Any]):
    """How a table is written, and what its columns probably are."""

    file = serializers.CharField()
    kind = serializers.CharField()
    tool = serializers.CharField(help_text="That wrote the file, if it is one that is known.")
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True)
    sheets = SheetSeenOut(many=True)
    what = serializers.CharField()
    columns = ColumnSeenOut(many=True)
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="What has to be chosen or answered first."
    )
    ledger = LedgerOut()
    line = serializers.CharField(help_text="The ledger in a line.")
    map = serializers.JSONField()


class TakenBackOut(serializers.Serializer[Any]):
    removed = serializers.DictField(child=serializers.IntegerField())


class NewTextOut(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="Empty: a text that is there already.")
    about = serializers.ListField(child=serializers.CharField())


class ChangeOut(serializers.Serializer[Any]):
    """What one original gets."""

    line = serializers.IntegerField()
    new = serializers.BooleanField()
    before = serializers.CharField()
    phrase = serializers.CharField()
    after = serializers.CharField()
    texts = NewTextOut(many=True)
    references = serializers.ListField(child=serializers.CharField())


class ProblemOut(serializers.Serializer[Any]):
    file = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.CharField(allow_null=True)
    severity = serializers.ChoiceField(["error", "warning"])
    message = serializers.CharField()


class ImportReportOut(serializers.Serializer[Any]):
    """The result; `counts` are the new rows (in a dry run, those that would be new)."""

    ok = serializers.BooleanField()
    dry_run = serializers.BooleanField()
    rows = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    problems = ProblemOut(many=True)
    changes = ChangeOut(
        many=True, required=False, help_text="Of a dry run: the first texts that change."
    )
    batch = serializers.UUIDField(source="batch.key", default=None, allow_null=True)


class JobReportOut(ImportReportOut):
    """`runs`: the keys of the runs that a file of scores became."""

    runs = serializers.ListField(child=serializers.UUIDField(), required=False)


class ImportJobOut(AtWorkOut, serializers.ModelSerializer[ImportJob]):
    """A large file that a worker imports. `done` and `total` count its rows; `report` is null until
    the job has ended, and is then what a small file is answered with."""

    report = serializers.SerializerMethodField()

    class Meta:
        model = ImportJob
        fields = [
            "key", "what", "file_name", "dry_run", "status", "done", "total", "progress",
            "seconds_left", "report", "error", "created_at", "started_at", "finished_at",
        ]  # fmt: skip

    @extend_schema_field(JobReportOut(allow_null=True))
    def get_report(self, job: ImportJob) -> dict[str, Any] | None:
        return ended_report(job)
