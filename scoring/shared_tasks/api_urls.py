"""URLs of the API of shared tasks."""

from __future__ import annotations

from django.urls import path

from scoring.shared_tasks import api

T = "tasks/<slug:slug>"
urlpatterns = [
    path("tasks", api.TasksRoute.as_view(), name="api-tasks"),
    path(T, api.OneTaskRoute.as_view(), name="api-task"),
    path(f"{T}/freeze", api.FreezeTaskRoute.as_view(), name="api-task-freeze"),
    path(f"{T}/close", api.CloseTaskRoute.as_view(), name="api-task-close"),
    path(f"{T}/publish", api.PublishTaskRoute.as_view(), name="api-task-publish"),
    path(f"{T}/teams", api.TeamsRoute.as_view(), name="api-task-teams"),
    path(f"{T}/leaderboard", api.LeaderboardRoute.as_view(), name="api-task-leaderboard"),
    path(f"{T}/files", api.TaskFilesRoute.as_view(), name="api-task-files"),
    path(f"{T}/files/<uuid:key>", api.OneTaskFileRoute.as_view(), name="api-task-file"),
    path(f"{T}/submissions", api.SubmissionsRoute.as_view(), name="api-task-submissions"),
    path(
        f"{T}/submissions/<uuid:key>",
        api.OneSubmissionRoute.as_view(),
        name="api-task-submission",
    ),
    path(
        f"{T}/submissions/<uuid:key>/primary",
        api.PrimaryRoute.as_view(),
        name="api-task-primary",
    ),
]
