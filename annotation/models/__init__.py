"""The models of data collection, one file each; docs/data-model.md shows a diagram."""

from annotation.models.audit import AuditEntry
from annotation.models.campaigns.campaign import Campaign, Guideline, Membership
from annotation.models.campaigns.gold import ImportedGold
from annotation.models.campaigns.imports import ImportBatch, ImportJob
from annotation.models.campaigns.item import Item, OutsideId, Phrase, Reference, language_of
from annotation.models.campaigns.scale import Scale, ScalePoint, ThresholdChange
from annotation.models.campaigns.substitution import Substitution
from annotation.models.campaigns.system import Output, System
from annotation.models.collecting.judgment import Judgment, JudgmentVersion
from annotation.models.collecting.remark import Remark
from annotation.models.collecting.sheet import Sheet, SheetEntry
from annotation.models.collecting.skip import Skip
from annotation.models.collecting.slot import Slot, SlotEvent
from annotation.models.people.annotator import Annotator
from annotation.models.people.background import BackgroundAnswer, BackgroundQuestion
from annotation.models.people.consent import Consent, ConsentText
from annotation.models.people.exclusion import Exclusion
from annotation.models.people.invitation import Invitation
from annotation.models.people.token import ApiToken
from annotation.models.people.withdrawal import Withdrawal
from annotation.models.quality.practice import (
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeText,
    PracticeTolerance,
)
from annotation.models.quality.rules import Expected, QualityAction, QualityPlan, QualityRule
from annotation.models.web_host import WebHost

__all__ = [
    "Annotator",
    "ApiToken",
    "AuditEntry",
    "BackgroundAnswer",
    "BackgroundQuestion",
    "Campaign",
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
    "Membership",
    "Output",
    "OutsideId",
    "Phrase",
    "PracticeAnswer",
    "PracticeAttempt",
    "PracticeGrant",
    "PracticeRule",
    "PracticeText",
    "PracticeTolerance",
    "QualityAction",
    "QualityPlan",
    "QualityRule",
    "Reference",
    "Remark",
    "Scale",
    "ScalePoint",
    "Sheet",
    "SheetEntry",
    "Skip",
    "Slot",
    "SlotEvent",
    "Substitution",
    "System",
    "ThresholdChange",
    "WebHost",
    "Withdrawal",
    "language_of",
]
