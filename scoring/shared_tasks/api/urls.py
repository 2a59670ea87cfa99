"""URLs of the API of shared tasks."""

from django.urls import path

from scoring.shared_tasks.api import routes, submissions

T = "tasks/<slug:slug>"
urlpatterns = [
    path("tasks", routes.TasksRoute.as_view(), name="api-tasks"),
    path(T, routes.OneTaskRoute.as_view(), name="api-task"),
    path(f"{T}/freeze", routes.FreezeTaskRoute.as_view(), name="api-task-freeze"),
    path(f"{T}/close", routes.CloseTaskRoute.as_view(), name="api-task-close"),
    path(f"{T}/publish", routes.PublishTaskRoute.as_view(), name="api-task-publish"),
    path(f"{T}/teams", routes.TeamsRoute.as_view(), name="api-task-teams"),
    path(f"{T}/leaderboard", routes.LeaderboardRoute.as_view(), name="api-task-leaderboard"),
    path(f"{T}/files", routes.TaskFilesRoute.as_view(), name="api-task-files"),
    path(f"{T}/files/<uuid:key>", routes.OneTaskFileRoute.as_view(), name="api-task-file"),
    path(f"{T}/submissions", submissions.SubmissionsRoute.as_view(), name="api-task-submissions"),
    path(
        f"{T}/submissions/<uuid:key>",
        submissions.OneSubmissionRoute.as_view(),
        name="api-task-submission",
    ),
    path(
        f"{T}/submissions/<uuid:key>/primary",
        submissions.PrimaryRoute.as_view(),
        name="api-task-primary",
    ),
]
