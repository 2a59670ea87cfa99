"""The help of this app's pages, registered at startup (annotation/apps.py)."""

from annotation.presenters.help import add_help

add_help("rooms", "campaign slot forecast interval alpha ceiling", "campaign")
add_help("rooms", "campaign role annotator", "home", "campaign-list", "campaign-new")
add_help("board", "slot sheet annotator counted blind exclusion forecast interval", "board",
         "board-alarms")  # fmt: skip
add_help("formats", "item phrase paraphrase system judgment gold score", "import", "import-job")
add_help("before-judging", "scale anchor threshold sheet", "settings")
add_help("before-judging", "scale anchor threshold", "scale", "scale-new", "scale-remove")
add_help("before-judging", "guidelines anchor", "guidelines")
add_help("quality#practice-and-test", "practice control", "practice", "practice-text")
add_help("before-judging", "consent background", "consent", "question", "question-new",
         "background-answers", "withdrawal-rules")  # fmt: skip
add_help("quality", "control copy repeat rule exclusion", "quality", "quality-controls",
         "quality-text", "quality-record")  # fmt: skip
add_help("templates", "template scale guidelines", "setup-steps", "open-ask", "campaign-template",
         "campaign-copy")  # fmt: skip
add_help("templates", "pilot sheet", "preview", "pilot")
add_help("formats", "item phrase system", "import-columns")
add_help("before-judging", "invitation role blind exclusion", "people", "invite", "exclude")
add_help("crowds", "invitation quota annotator", "groups", "invite-many", "remind",
         "letters")  # fmt: skip
add_help("crowds#fixed-lists", "sheet annotator quota", "lists", "list-act")
add_help("crowds", "panel quota consent", "panels", "panel", "panel-ended")
add_help("quality", "remark sheet", "remarks")
add_help("data-model", "log", "audit")
add_help("api", "token role", "tokens")
add_help("accounts", "token", "account", "password-change", "email-change", "email-confirm")
add_help("accounts#two-factors", "token", "second-factor", "login-code", "login-set-up")
add_help("accounts", "invitation token role", "users", "users-new", "user", "site-letters")
add_help("accounts", "log judgment", "site-audit", "account-data", "account-delete", "site-person",
         "site-person-delete")  # fmt: skip
add_help("rooms", "campaign", "docs", "doc")
