"""URLs of shared tasks: their API, and their pages."""

from __future__ import annotations

from django.urls import path

from scoring.shared_tasks import api, board_views, views

# The API.


T = "tasks/<slug:slug>"
api_urlpatterns = [
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


# Pages.


urlpatterns = [
    path("tasks/", views.tasks, name="tasks"),
    path("tasks/new/", views.task_new, name="task-new"),
    path("tasks/join/<str:token>/", views.join, name="task-join"),
    path(f"{T}/", views.task, name="task"),
    path(f"{T}/board/", board_views.board, name="task-board"),
    path(f"{T}/board.html", board_views.board_copy, name="task-board-copy"),
    path(f"{T}/badge.svg", board_views.badge, name="task-badge"),
    path(f"{T}/everything.zip", board_views.everything, name="task-everything"),
    path(f"{T}/certificates/<uuid:key>/", board_views.certificate, name="task-certificate"),
    path(f"{T}/files/<uuid:key>/", views.file, name="task-file"),
    path(f"{T}/starter.py", views.starter, name="task-starter"),
    path(f"{T}/submissions/", views.submissions, name="task-submissions"),
    path(f"{T}/submissions/<uuid:key>/primary/", views.primary, name="task-primary"),
    path(f"{T}/submissions/<uuid:key>/withdraw/", views.withdraw, name="task-withdraw"),
    path(f"{T}/method/", views.method, name="task-method"),
    path(f"{T}/organise/", views.organise, name="task-organise"),
    path(f"{T}/organise/act/", views.act, name="task-act"),
    path(f"{T}/organise/files/", views.attach, name="task-attach"),
    path(f"{T}/organise/teams/", views.team, name="task-team"),
    path(f"{T}/organise/teams/<uuid:key>/link/", views.link, name="task-team-link"),
    path(f"{T}/organise/judging/", views.judging, name="task-judging"),
]
