"""The contents of an archive: every model of both apps, as a table or left out with a reason.

tests/scoring/selectors/archives/test_cells.py reports a model or a field that is in neither. A
new column needs a default in its model: archives that lack it are read with the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.db.models import Q

from annotation import models as collecting
from annotation.models import Campaign
from scoring import models as analysing

# How a model is described for an archive, and why something of it is left out.


# Why a field or a model is not in an archive.
NEW = "unique in a site: made anew"
HASH = "made from what it is the hash of"
LOGIN = "a login; people stand in an archive by their codes"
RIGHT = "a right or a secret of this site"
WORK = "of the process that works on it"
STATE = "a mark of this site's rows: made anew"
FILES = "a file or a row of the whole site"
ACTIVE = "restored, a campaign is in the lists"
NO_START = "a restored campaign starts nothing by itself"
OTHER = "another campaign of this site; the log names it"
PLATFORM = "a link with its secrets, and people by their ids on a crowd platform"


@dataclass(frozen=True, slots=True)
class ArchiveTable:
    """A model in an archive.

    columns  fields by name, in order; a foreign key is the row of its target, from 1
    left     fields that are not there, each with the reason
    owner    the lookup to the campaign; a field `campaign` is implied, as the primary key is
    tokens   JSON columns that may hold ids of rows, which are written as tokens
    special  columns with a reader of their own
    only     which rows; all by default
    """

    model: type[models.Model]
    columns: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    owner: str = "campaign"
    tokens: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()
    only: Q = field(default_factory=Q)

    @property
    def name(self) -> str:
        """The name of the table in the file."""
        return self.model._meta.model_name or ""

    def field_of(self, column: str) -> models.Field[Any, Any]:
        """The field of a column."""
        model_field = self.model._meta.get_field(column)
        assert isinstance(model_field, models.Field)  # noqa: S101 no column is a relation backwards
        return model_field

    def target(self, column: str) -> type[models.Model] | None:
        """The model that a foreign key refers to; None for other columns."""
        model_field = self.field_of(column)
        return model_field.related_model if isinstance(model_field, models.ForeignKey) else None

    def rows(self, campaign: Campaign) -> models.QuerySet[Any]:
        """The campaign's rows, in the order in which they were made."""
        owned = {"pk": campaign.pk} if self.model is Campaign else {self.owner: campaign}
        return self.model._default_manager.filter(self.only, **owned).order_by("pk")


def table(
    model: type[models.Model],
    columns: str,
    *,
    left: Mapping[str, str] | None = None,
    owner: str = "campaign",
    tokens: str = "",
    special: str = "",
    only: Q | None = None,
) -> ArchiveTable:
    """A table, with its lists of names as texts."""
    return ArchiveTable(
        model,
        tuple(columns.split()),
        left or {},
        owner,
        frozenset(tokens.split()),
        frozenset(special.split()),
        only or Q(),
    )


KEY = {"key": NEW}
JOB = dict.fromkeys(
    ("worker", "token", "attempts", "retries", "not_before", "heartbeat", "share"), WORK
)

CAMPAIGN = (
    table(
        collecting.Campaign,
        "name description language language_changes status annotators_per_sheet max_per_sheet "
        "order shared_share lease_minutes allow_revision layout layout_choice allow_removal "
        "allow_erasure erasure_removes created_at opened_at closed_at",
        left={
            "slug": NEW,
            "created_by": LOGIN,
            "origin": "made by restoring",
            "archived_at": ACTIVE,
            "copied_from": OTHER,
            "pilot": ACTIVE,
            "preview_seen": STATE,
            "run_metrics": NO_START,
        },
    ),
    table(collecting.Guideline, "version text created_at", left={"created_by": LOGIN}),
    table(
        collecting.ImportBatch,
        "what file_name sha256 rows counts provenance created_at",
        left={**KEY, "created_by": LOGIN},
        tokens="provenance",
    ),
    table(
        collecting.ColumnMapping,
        "what file_name mapping created_at",
        left={**KEY, "digest": HASH, "created_by": LOGIN},
    ),
    table(
        collecting.Scale,
        "name question level minimum maximum step higher_is_better copy_at_top threshold required "
        "position",
        left=KEY,
    ),
    table(collecting.ScalePoint, "scale value label anchor", owner="scale__campaign"),
    table(
        collecting.ThresholdChange,
        "scale threshold changed_at",
        left={"changed_by": LOGIN},
        owner="scale__campaign",
    ),
    table(collecting.Phrase, "text attributes", left={**KEY, "text_hash": HASH}),
    table(
        collecting.Item,
        "phrase sentence start end language position attributes batch created_at",
        left={**KEY, "identity_hash": HASH},
    ),
    table(collecting.OutsideId, "item value batch"),
    table(
        collecting.Reference,
        "item position text batch",
        left={"text_hash": HASH},
        owner="item__campaign",
    ),
    table(
        collecting.Substitution,
        "item text role made_from own_sentence own_start own_end attributes batch created_at",
        left={**KEY, "text_hash": HASH, "context_hash": HASH},
    ),
    table(collecting.System, "label attributes batch", left=KEY),
    table(
        collecting.Output,
        "system item rank substitution attributes batch",
        owner="system__campaign",
    ),
    table(
        collecting.ImportedGold,
        "substitution scale value n spread method source batch created_at",
    ),
)

PEOPLE = (
    table(
        collecting.WorkRule,
        "sheets_at_least sheets_at_most largest_share pay_floor currency lists",
    ),
    table(
        collecting.WorkGroup,
        "name sheets_at_least sheets_at_most total_at_least total_at_most",
        left=KEY,
    ),
    table(
        collecting.Annotator,
        "code origin seed not_blind_since sheets_at_most group ineligible_since created_at",
        left={**KEY, "user": LOGIN, "invitation": RIGHT, "from_pilot": OTHER},
    ),
    table(collecting.WorkList, "name annotator", left=KEY),
    table(
        collecting.WorkListEntry,
        "work_list item position shuffled",
        owner="work_list__campaign",
    ),
    table(
        collecting.BackgroundQuestion,
        "position name wording kind options required accepted hidden_at created_at",
        left=KEY,
    ),
    table(
        collecting.BackgroundAnswer,
        "annotator question value declined at",
        owner="annotator__campaign",
    ),
    table(
        collecting.PartRecord,
        "annotator number panel outcome sheets quota active_seconds",
        owner="annotator__campaign",
    ),
    table(collecting.ConsentText, "version text created_at", left={"created_by": LOGIN}),
    table(collecting.Consent, "annotator text at ended_at", owner="annotator__campaign"),
    table(collecting.Withdrawal, "annotator judgments erased at ended_at"),
    table(
        collecting.Exclusion,
        "kind annotator phrase item substitution system reason reason_parts starts_at ends_at",
        left={**KEY, "created_by": LOGIN, "lifted_by": LOGIN},
    ),
)

COLLECTED = (
    table(
        collecting.Sheet,
        "item number occasion for_annotator not_before_done shared slots_wanted created_at",
        left=KEY,
    ),
    table(
        collecting.SheetEntry,
        "sheet substitution occasion for_annotator",
        owner="sheet__campaign",
    ),
    table(
        collecting.Slot,
        "sheet number state annotator claimed_at lease_expires_at done_at tier scan_key",
        left=KEY,
    ),
    table(
        collecting.SlotEvent,
        "slot annotator kind at",
        left={"actor": LOGIN},
        owner="slot__campaign",
    ),
    table(
        collecting.Judgment,
        "annotator substitution scale occasion kind value reason comment status version slot "
        "guideline batch by_program recorded_at judged_at",
    ),
    table(
        collecting.JudgmentVersion,
        "judgment version value reason comment status guideline recorded_at",
        left={"request_id": NEW},
        owner="judgment__campaign",
    ),
    table(
        collecting.Remark,
        "annotator sheet substitution flagged text at",
        left={"request_id": NEW},
    ),
    table(collecting.Skip, "annotator sheet reason at"),
)

QUALITY = (
    table(collecting.PracticeRule, "required share tries"),
    table(collecting.PracticeTolerance, "scale tolerance", owner="scale__campaign"),
    table(collecting.PracticeText, "substitution part position"),
    table(
        collecting.PracticeAttempt,
        "annotator part number started_at finished_at right asked passed",
        left=KEY,
    ),
    table(
        collecting.PracticeAnswer,
        "attempt substitution scale value right at",
        owner="attempt__campaign",
    ),
    table(
        collecting.PracticeGrant,
        "annotator kind given_at",
        left={"given_by": LOGIN},
        owner="annotator__campaign",
    ),
    table(
        collecting.Expected,
        "substitution scale low high explanation",
        owner="substitution__campaign",
    ),
    table(
        collecting.QualityPlan,
        "repeat_share repeat_after fast_seconds delay_least delay_most",
    ),
    table(collecting.QualityRule, "check_name least share act created_at ended_at", left=KEY),
    table(
        collecting.QualityAction,
        "annotator rule evidence decided_at due_at_done taken_at read_at lifted_at exclusion",
        left={**KEY, "taken_by": LOGIN, "lifted_by": LOGIN},
        tokens="evidence",
    ),
)

ANALYSED = (
    table(
        analysing.Run,
        "metric label scope options signature met higher_is_better status total done failed reused "
        "last_substitution last_reference last_output language_changes state error error_parts "
        "created_at started_at finished_at",
        left={
            **KEY,
            "options_hash": HASH,
            "state_hash": HASH,
            "created_by": LOGIN,
            "queue": WORK,
            "automatic": NO_START,
            "resumed_at": WORK,
            "resumed_done": WORK,
            **JOB,
        },
        tokens="options",
        special="last_substitution last_reference last_output",
    ),
    table(
        analysing.RunChunk,
        "run number first_item last_item total done failed status error error_parts",
        left={**JOB, "started_at": WORK, "finished_at": WORK, "suspect": WORK},
        owner="run__campaign",
        special="first_item last_item",
    ),
    table(
        analysing.Score,
        "run substitution value reason reason_parts reused detail statistics",
        owner="run__campaign",
    ),
    table(
        analysing.SystemScore,
        "run system kind value n reason reason_parts",
        owner="run__campaign",
    ),
    table(analysing.ReviewerAnswer, "question text changed_at", left={"changed_by": LOGIN}),
    table(
        analysing.Report,
        "kind options status result created_at started_at finished_at",
        left={
            **KEY,
            "options_hash": HASH,
            "fingerprint": STATE,
            "error": WORK,
            "error_parts": WORK,
            "created_by": LOGIN,
            **JOB,
        },
        tokens="options result",
        special="options",
        only=Q(status="done"),
    ),
    table(analysing.Look, "about state at", special="state"),
    table(analysing.TrendPoint, "kind day numbers"),
)

LOG = (
    table(
        collecting.AuditEntry,
        "actor verb object_type object_id about data at",
        left={"person": LOGIN},
        tokens="data",
        special="actor object_id",
    ),
)

TABLES: tuple[ArchiveTable, ...] = (*CAMPAIGN, *PEOPLE, *COLLECTED, *QUALITY, *ANALYSED, *LOG)

LEFT_OUT: dict[type[models.Model], str] = {
    collecting.Membership: RIGHT,
    collecting.Invitation: RIGHT,
    collecting.Guest: RIGHT,
    collecting.ReminderRule: RIGHT,
    collecting.Letter: "who is written to",
    collecting.ApiToken: RIGHT,
    collecting.SignedIn: RIGHT,
    collecting.SecondFactor: RIGHT,
    collecting.RecoveryCode: RIGHT,
    collecting.OutsideLogin: RIGHT,
    collecting.Panel: PLATFORM,
    collecting.Participant: PLATFORM,
    collecting.PlatformEvent: PLATFORM,
    collecting.BoardWatch: "who is written to, and a secret",
    collecting.BoardFigures: WORK,
    collecting.BoardAlarm: WORK,
    collecting.ImportJob: WORK,
    collecting.PausedWork: WORK,
    collecting.Tally: "counted anew by the database as rows are restored",
    collecting.WebHost: FILES,
    collecting.SavedTemplate: FILES,
    analysing.Resource: "a file of the whole site; runs name it by kind and SHA-256",
    analysing.Build: FILES,
    analysing.BuildInput: FILES,
    analysing.ExportFile: FILES,
    analysing.RestoreJob: WORK,
    analysing.WorkerBeat: FILES,
}
LEFT_OUT_APPS = {"shared_tasks": "its organisers give a task away as a whole, with `export_task`"}


def table_of(model: type[models.Model]) -> ArchiveTable | None:
    """The table of a model; None if the model is left out."""
    return _BY_MODEL.get(model)


_BY_MODEL = {one.model: one for one in TABLES}
