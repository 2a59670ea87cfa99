"""Models of analysis, one file each: runs and their scores, reports, files, workers."""

from scoring.models.build import Build, BuildInput
from scoring.models.chunk import RunChunk
from scoring.models.export_file import ExportFile
from scoring.models.look import Look
from scoring.models.report import Report
from scoring.models.resource import Resource
from scoring.models.restore_job import RestoreJob
from scoring.models.run import Run
from scoring.models.score import Score, SystemScore
from scoring.models.trend import TrendPoint
from scoring.models.worker import WorkerBeat

__all__ = [
    "Build",
    "BuildInput",
    "ExportFile",
    "Look",
    "Report",
    "Resource",
    "RestoreJob",
    "Run",
    "RunChunk",
    "Score",
    "SystemScore",
    "TrendPoint",
    "WorkerBeat",
]
