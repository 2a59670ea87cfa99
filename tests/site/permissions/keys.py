"""What each route names in its address, by the names of things in `world`."""

NAMED = {
    "item": ("item", "api-item"),
    "run": (
        "run", "run-cancel", "run-matches", "run-retry", "run-update", "api-run", "api-run-update",
        "api-scores", "api-system-scores", "api-run-cancel", "api-run-retry",
    ),
    "export": ("export-file", "api-export", "api-export-file"),
    "archive": ("whole-file", "api-archive", "api-archive-file"),
    "restore": ("restore-job", "api-restore"),
    "own_token": ("token-revoke", "api-token-one"),
    "own_session": ("session-end",),
    "own_login": ("outside-end",),
    "exclusion": ("lift", "api-exclusion"),
    "invitation": ("revoke", "api-invitation"),
    "panel": (
        "panel", "panel-act", "panel-ended", "panel-payments", "api-panel", "api-panel-ended",
        "api-panel-participants", "api-panel-payments",
    ),
    "list": ("list-act", "api-list", "api-list-hand-on"),
    "member": ("api-group-member",),
    "mail": ("no-mail",),
    "letter": ("letter-discard", "site-letter-discard"),
    "import": (
        "import-job", "api-import", "work-cancel", "work-again", "api-job-cancel", "api-job-again",
    ),
    "batch": ("import-back", "api-import-back"),
    "mapping": ("import-mapping",),
    "sheet": ("rate-sheet",),
    "resource": (
        "resource", "resource-remove", "resource-scope", "resource-file", "api-resource",
    ),
    "rating": ("resource-rating", "resource-rating-file"),
    "build": ("build", "build-cancel", "api-build"),
    "test_set": ("test-set-build",),
    "generated": ("generate-build",),
    "evaluation": ("extrinsic-build", "extrinsic-table"),
    "task_file": ("task-file", "api-task-file"),
    "submission": (
        "task-primary", "task-withdraw", "task-certificate", "api-task-submission",
        "api-task-primary",
    ),
    "team": ("task-team-link",),
}  # fmt: skip
KEYS = {route: what for what, routes in NAMED.items() for route in routes}
