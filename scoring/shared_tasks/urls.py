"""Addresses of shared tasks."""

from django.urls import path

from scoring.shared_tasks.views import board, join, organise, published, submissions, tasks

T = "tasks/<slug:slug>"
urlpatterns = [
    path("tasks/", tasks.tasks, name="tasks"),
    path("tasks/new/", tasks.task_new, name="task-new"),
    path("tasks/join/<str:token>/", join.join, name="task-join"),
    path(f"{T}/", tasks.task, name="task"),
    path(f"{T}/board/", board.board, name="task-board"),
    path(f"{T}/board.html", board.board_copy, name="task-board-copy"),
    path(f"{T}/badge.svg", board.badge, name="task-badge"),
    path(f"{T}/everything.zip", published.everything, name="task-everything"),
    path(f"{T}/certificates/<uuid:key>/", published.certificate, name="task-certificate"),
    path(f"{T}/files/<uuid:key>/", tasks.file, name="task-file"),
    path(f"{T}/starter.py", tasks.starter, name="task-starter"),
    path(f"{T}/submissions/", submissions.submissions, name="task-submissions"),
    path(f"{T}/submissions/<uuid:key>/primary/", submissions.primary, name="task-primary"),
    path(f"{T}/submissions/<uuid:key>/withdraw/", submissions.withdraw, name="task-withdraw"),
    path(f"{T}/method/", submissions.method, name="task-method"),
    path(f"{T}/organise/", organise.organise, name="task-organise"),
    path(f"{T}/organise/act/", organise.act, name="task-act"),
    path(f"{T}/organise/files/", organise.attach, name="task-attach"),
    path(f"{T}/organise/teams/", organise.team, name="task-team"),
    path(f"{T}/organise/teams/<uuid:key>/link/", organise.link, name="task-team-link"),
    path(f"{T}/organise/judging/", organise.judging, name="task-judging"),
]
