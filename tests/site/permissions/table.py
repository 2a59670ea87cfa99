"""Who may do what at which address.

Every route stands here with the methods that it takes; all other methods are refused to everybody.
A new route without a line fails the walk.
"""

from __future__ import annotations

ROLES = ("owner", "researcher", "viewer", "annotator", "stranger", "nobody", "admin")
MEMBERS = ("owner", "researcher", "viewer", "annotator")

# Who gets an answer. Of a campaign, by the rights of selectors/access.py: members without the
# right get 403 and strangers 404.
SEE, ANNOTATE, READ, RESEARCH, OWN = "see", "annotate", "read", "research", "own"
GRANTED = {
    SEE: {"owner", "researcher", "viewer", "annotator", "admin"},
    ANNOTATE: {"owner", "researcher", "annotator", "admin"},
    READ: {"owner", "researcher", "viewer", "admin"},
    RESEARCH: {"owner", "researcher", "admin"},
    OWN: {"owner", "admin"},
}
ANY = "any"  # everybody, without login too
LOGIN = "login"  # everybody who is logged in
SITE = "site"  # administrators of the site; 404 for others
LAB = "lab"  # who does research in some campaign; 404 for others
# Who added it or has the right to add some (the owner), and administrators; 403 for others of LAB,
# else 404
KEEPER = "keeper"
CREATOR = "creator"  # who has the right (the owner), and administrators; 403 for others
READER = "reader"  # who reads some campaign; 403 for others
MINE = "mine"  # whose it is (the owner's); 404 for others
HOLDER = "holder"  # the annotator who holds the sheet; 404 for others, 403 for viewers of a page
ANNOTATOR_OF_BODY = "annotator"  # whom the body names; others get a refusal with a code

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
METHODS = (GET, POST, PUT, PATCH, DELETE)


def page(right: str) -> dict[str, str]:
    return {GET: right}


def form(right: str, post: str | None = None) -> dict[str, str]:
    return {GET: right, POST: post or right}


def act(right: str, method: str = POST) -> dict[str, str]:
    return {method: right}


TABLE: dict[str, dict[str, str]] = {
    "healthz": page(ANY),
    "readyz": page(ANY),
    "language": act(ANY),
    "admin-login": page(ANY),
    # People and their logins
    "login": {GET: ANY, POST: ANY, PUT: ANY},
    "logout": act(LOGIN),
    "password-change": {GET: LOGIN, POST: LOGIN, PUT: LOGIN},
    "tokens": form(LOGIN),
    "token-revoke": act(MINE),
    "join": form(ANY),
    "home": page(LOGIN),
    "overview": page(SITE),
    "worker-status": page(READER),
    "metrics": page(READER),
    "metric": page(READER),
    "resources": form(LAB, KEEPER),
    "resource": page(LAB),
    "resource-remove": act(KEEPER),
    "resource-file": page(LAB),
    "build-start": act(KEEPER),
    "build": page(LAB),
    "build-cancel": act(KEEPER),
    # Campaigns
    "campaign-list": page(LOGIN),
    "campaign-new": form(CREATOR),
    "campaign": page(SEE),
    "campaign-status": act(RESEARCH),
    "campaign-language": act(RESEARCH),
    "settings": form(RESEARCH),
    "scale-new": form(RESEARCH),
    "scale": form(RESEARCH),
    "scale-remove": act(RESEARCH),
    "threshold": act(RESEARCH),
    "guidelines": form(SEE, RESEARCH),
    "consent": form(RESEARCH),
    "background-answers": page(RESEARCH),
    "question-new": form(RESEARCH),
    "question": form(RESEARCH),
    "question-act": act(RESEARCH),
    "withdrawal-rules": act(RESEARCH),
    "audit": page(RESEARCH),
    "remarks": page(READ),
    "import": form(RESEARCH),
    "import-job": form(RESEARCH),
    # Building one adds resources, for which the owner has the right and the researcher has not.
    "test-set": form(RESEARCH, OWN),
    "test-set-build": form(RESEARCH),
    "people": page(RESEARCH),
    "invite": act(RESEARCH),
    "exclude": act(RESEARCH),
    "role": act(OWN),
    "revoke": act(RESEARCH),
    "lift": act(RESEARCH),
    "quality": page(RESEARCH),
    "quality-plan": act(RESEARCH),
    "quality-rule": act(RESEARCH),
    "quality-rule-end": act(RESEARCH),
    "quality-action": act(RESEARCH),
    "quality-controls": page(RESEARCH),
    "quality-control": act(RESEARCH),
    "quality-copies": act(RESEARCH),
    "quality-import": act(RESEARCH),
    "quality-text": form(RESEARCH),
    "quality-record": page(RESEARCH),
    "practice": form(RESEARCH),
    "practice-text": act(RESEARCH),
    "practice-grant": act(RESEARCH),
    # Judging
    "rate": form(ANNOTATE),
    "rate-worker": page(ANY),
    "rate-own": page(ANNOTATE),
    "rate-notice": form(ANNOTATE),
    "rate-practice": form(ANNOTATE),
    "rate-practice-try": form(HOLDER),
    "rate-consent": form(ANNOTATE),
    "rate-withdraw": form(ANNOTATE),
    "rate-background": form(ANNOTATE),
    "rate-sheet": form(HOLDER),
    # Analysis
    "items": page(READ),
    "item": page(READ),
    "agreement": page(READ),
    "compare": page(READ),
    "ratings": page(READ),
    "influence": page(RESEARCH),
    "annotators": page(RESEARCH),
    "annotator": page(RESEARCH),
    "results": page(READ),
    "gold": page(READ),
    "runs": form(READ, RESEARCH),
    "runs-list": page(READ),
    "scores-import": form(RESEARCH),
    "run": page(READ),
    "run-cancel": act(RESEARCH),
    "run-retry": act(RESEARCH),
    "run-update": act(RESEARCH),
    "correlation": page(READ),
    "one-metric": page(READ),
    "metric-texts": page(READ),
    "differences": page(READ),
    "correlation-systems": page(READ),
    "mixes": page(READ),
    "stability": page(READ),
    "ranking": page(READ),
    "correlation-table": page(READ),
    "correlation-report": page(READ),
    "figure": page(READ),
    "exports": page(READ),
    "exports-list": page(READ),
    "export-new": act(READ),
    "export-file": page(READ),
    # API
    "api-schema": page(LOGIN),
    "api-docs": page(LOGIN),
    "api-token": {GET: LOGIN, POST: ANY, DELETE: LOGIN},
    "api-token-one": act(MINE, DELETE),
    "api-session": act(ANY),
    "api-me": page(LOGIN),
    "api-resources": form(LAB, KEEPER),
    "api-resource": {GET: LAB, DELETE: KEEPER},
    "api-builds": form(LAB, KEEPER),
    "api-build": {GET: LAB, DELETE: KEEPER},
    "api-campaigns": form(LOGIN, CREATOR),
    "api-campaign": {GET: READ, PATCH: RESEARCH},
    "api-campaign-open": act(RESEARCH),
    "api-campaign-pause": act(RESEARCH),
    "api-campaign-close": act(RESEARCH),
    "api-scales": form(READ, RESEARCH),
    "api-threshold": act(RESEARCH, PUT),
    "api-progress": page(READ),
    "api-progress-own": page(ANNOTATE),
    "api-items": page(READ),
    "api-item": page(READ),
    "api-systems": page(READ),
    "api-judgments": page(READ),
    "api-annotators": page(READ),
    "api-exclusions": form(READ, RESEARCH),
    "api-exclusion": act(RESEARCH, DELETE),
    "api-invitations": form(RESEARCH),
    "api-invitation": act(RESEARCH, DELETE),
    "api-imports": page(READ),
    "api-import": page(RESEARCH),
    "api-import-items": act(RESEARCH),
    "api-import-judgments": act(RESEARCH),
    "api-import-gold": act(RESEARCH),
    "api-import-scores": act(RESEARCH),
    "api-claim": act(ANNOTATE),
    "api-sheet": {GET: HOLDER, PUT: ANNOTATOR_OF_BODY},
    "api-sheet-state": act(ANNOTATOR_OF_BODY, PUT),
    "api-judgment": act(ANNOTATOR_OF_BODY, PUT),
    "api-remark": act(ANNOTATOR_OF_BODY),
    "api-runs": form(READ, RESEARCH),
    "api-run": page(READ),
    "api-scores": page(READ),
    "api-system-scores": page(READ),
    "api-run-cancel": act(RESEARCH),
    "api-run-retry": act(RESEARCH),
    "api-run-update": act(RESEARCH),
    "api-report": page(READ),
    "api-exports": form(READ),
    "api-export": page(READ),
    "api-export-file": page(READ),
}

# What reading may write, and why that changes nothing for anybody.
# A computed result is kept, with the numbers that the overview draws over time.
REPORT = {"scoring_report", "scoring_trendpoint"}
NOTED = REPORT | {"scoring_trendpoint"}  # and its main numbers for the overview
LOOKED = NOTED | {"scoring_look"}  # and that comparisons were looked at in this state
SESSION = {"django_session"}
WRITES_ON_GET: dict[str, set[str]] = {
    "readyz": {"annotation_webhost"},  # It tries whether something can be written.
    "agreement": NOTED,
    "compare": REPORT,
    "influence": REPORT,
    "annotators": REPORT,
    "annotator": REPORT,
    "results": LOOKED,
    "correlation": LOOKED,
    "differences": LOOKED,
    "correlation-systems": REPORT,
    "one-metric": REPORT,
    "metric-texts": REPORT,
    "figure": REPORT,
    "mixes": REPORT,
    "stability": REPORT,
    "ranking": REPORT,
    "correlation-table": LOOKED,
    "correlation-report": LOOKED,
    "api-report": LOOKED,
}
