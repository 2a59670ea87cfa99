"""The nouns of data collection, one file each; docs/data-model.md draws them."""

from annotation.models.annotator import Annotator
from annotation.models.audit import AuditEntry
from annotation.models.background import BackgroundAnswer, BackgroundQuestion
from annotation.models.campaign import Campaign, Guideline, Membership
from annotation.models.consent import Consent, ConsentText
from annotation.models.exclusion import Exclusion
from annotation.models.gold import ImportedGold
from annotation.models.imports import ImportBatch
from annotation.models.invitation import Invitation
from annotation.models.item import Item, OutsideId, Phrase, Reference
from annotation.models.judgment import Judgment, JudgmentVersion
from annotation.models.practice import (
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeText,
    PracticeTolerance,
)
from annotation.models.quality import Expected, QualityAction, QualityPlan, QualityRule
from annotation.models.remark import Remark
from annotation.models.scale import Scale, ScalePoint, ThresholdChange
from annotation.models.sheet import Sheet, SheetEntry
from annotation.models.skip import Skip
from annotation.models.slot import Slot, SlotEvent
from annotation.models.substitution import Substitution
from annotation.models.system import Output, System
from annotation.models.token import ApiToken
from annotation.models.withdrawal import Withdrawal

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
    "Withdrawal",
]
