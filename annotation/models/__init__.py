"""The models of data collection, one file each; docs/data-model.md shows a diagram."""

from annotation.models.audit import AuditEntry
from annotation.models.board import AlarmSending, BoardAlarm, BoardFigures, BoardWatch
from annotation.models.campaigns.campaign import Campaign, Guideline, Membership
from annotation.models.campaigns.gold import ImportedGold
from annotation.models.campaigns.imports import ColumnMapping, ImportBatch, ImportJob
from annotation.models.campaigns.item import Item, OutsideId, Phrase, Reference, language_of
from annotation.models.campaigns.saved_template import SavedTemplate
from annotation.models.campaigns.scale import Scale, ScalePoint, ThresholdChange
from annotation.models.campaigns.substitution import Substitution
from annotation.models.campaigns.system import Output, System
from annotation.models.collecting.judgment import Judgment, JudgmentVersion
from annotation.models.collecting.remark import Remark
from annotation.models.collecting.sheet import Sheet, SheetEntry
from annotation.models.collecting.skip import Skip
from annotation.models.collecting.slot import Slot, SlotEvent
from annotation.models.letter import Letter
from annotation.models.paused_work import PausedWork
from annotation.models.people.annotator import Annotator
from annotation.models.people.background import BackgroundAnswer, BackgroundQuestion
from annotation.models.people.consent import Consent, ConsentText
from annotation.models.people.exclusion import Exclusion
from annotation.models.people.invitation import Invitation
from annotation.models.people.outside_login import OutsideLogin
from annotation.models.people.panel import (
    Panel,
    Participant,
    PartOutcome,
    PartRecord,
    PlatformEvent,
)
from annotation.models.people.quota import WorkGroup, WorkRule
from annotation.models.people.reminders import ReminderRule
from annotation.models.people.second_factor import RecoveryCode, SecondFactor
from annotation.models.people.signed_in import SignedIn
from annotation.models.people.token import ApiToken
from annotation.models.people.withdrawal import Withdrawal
from annotation.models.people.work_list import WorkList, WorkListEntry
from annotation.models.quality.practice import (
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeText,
    PracticeTolerance,
)
from annotation.models.quality.rules import Expected, QualityAction, QualityPlan, QualityRule
from annotation.models.scope import Ownership, Scoped, Visibility
from annotation.models.web_host import WebHost

__all__ = [
    "AlarmSending",
    "Annotator",
    "ApiToken",
    "AuditEntry",
    "BackgroundAnswer",
    "BackgroundQuestion",
    "BoardAlarm",
    "BoardFigures",
    "BoardWatch",
    "Campaign",
    "ColumnMapping",
    "Consent",
    "ConsentText",
    "Exclusion",
    "Expected",
    "Guideline",
    "ImportBatch",
    "ImportJob",
    "ImportedGold",
    "Invitation",
    "Item",
    "Judgment",
    "JudgmentVersion",
    "Letter",
    "Membership",
    "Output",
    "OutsideId",
    "OutsideLogin",
    "Ownership",
    "Panel",
    "PartOutcome",
    "PartRecord",
    "Participant",
    "PausedWork",
    "Phrase",
    "PlatformEvent",
    "PracticeAnswer",
    "PracticeAttempt",
    "PracticeGrant",
    "PracticeRule",
    "PracticeText",
    "PracticeTolerance",
    "QualityAction",
    "QualityPlan",
    "QualityRule",
    "RecoveryCode",
    "Reference",
    "Remark",
    "ReminderRule",
    "SavedTemplate",
    "Scale",
    "ScalePoint",
    "Scoped",
    "SecondFactor",
    "Sheet",
    "SheetEntry",
    "SignedIn",
    "Skip",
    "Slot",
    "SlotEvent",
    "Substitution",
    "System",
    "ThresholdChange",
    "Visibility",
    "WebHost",
    "Withdrawal",
    "WorkGroup",
    "WorkList",
    "WorkListEntry",
    "WorkRule",
    "language_of",
]
