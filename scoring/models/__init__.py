"""Models of analysis, one file each: runs and their scores, reports, files, workers."""

from scoring.models.files import (
    ExportFile,
    Look,
    Report,
    RestoreJob,
    ReviewerAnswer,
    TrendPoint,
    WorkerBeat,
)
from scoring.models.resources import Build, BuildInput, Resource
from scoring.models.runs import Run, RunChunk, Score, SystemScore

__all__ = [
    "Build",
    "BuildInput",
    "ExportFile",
    "Look",
    "Report",
    "Resource",
    "RestoreJob",
    "ReviewerAnswer",
    "Run",
    "RunChunk",
    "Score",
    "SystemScore",
    "TrendPoint",
    "WorkerBeat",
]
