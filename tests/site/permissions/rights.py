"""Who gets an answer: the roles, the rights, and how routes are described by them."""

ROLES = ("owner", "researcher", "viewer", "annotator", "stranger", "nobody", "admin", "crowd")
# Who came by a panel's link, and what is open to them: of every other address they are told that it
# is not. Of those here that ask for more than an annotator's right, they are told so.
CROWD = "crowd"
OPEN_TO_CROWD = {
    "panel-enter",
    "panel-end",
    "panel-leave",
    "panel-events",
    "logout",
    "language",
    "guidelines",
    "rate",
    "rate-sheet",
    "rate-own",
    "rate-withdraw",
    "rate-consent",
    "rate-background",
    "rate-notice",
    "rate-practice",
    "rate-practice-try",
    "rate-worker",
    "api-me",
    "api-claim",
    "api-sheet",
    "api-sheet-state",
    "api-judgment",
    "api-remark",
    "api-progress-own",
    "docs",
    "doc",
    "doc-image",
    "healthz",
    "readyz",
    "prometheus",
}
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
ORGANISER = "organiser"  # owners of the task's campaign, and administrators; 403 for others
# Who is in a team of the task (the stranger to its campaign); 403 for others.
PARTICIPANT = "participant"
NOT_YET = "not yet"  # Nobody before closing: 404, to the login for those without one.
OFF = "off"  # Nobody while no setting opens it: 404.
HOLDER = "holder"  # the annotator who holds the sheet; 404 for others, 403 for viewers of a page
ANNOTATOR_OF_BODY = "annotator"  # whom the body names; others get a refusal with a code

SIGNED = "signed"  # nobody without a signature; 401

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
METHODS = (GET, POST, PUT, PATCH, DELETE)


def by_right(
    pages,
    forms,
    acts,
    others,
):
    """The right to each method of each route: pages are read, forms read and sent, acts sent."""
    table = dict(others)
    for methods, groups in (((GET,), pages), ((GET, POST), forms), ((POST,), acts)):
        for right, names in groups.items():
            for name in names:
                assert name not in table, name
                table[name] = dict.fromkeys(methods, right)
    return table
