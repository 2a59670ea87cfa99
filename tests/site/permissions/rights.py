"""Who gets an answer: the roles and the rights."""

ROLES = ("owner", "researcher", "viewer", "annotator", "stranger", "nobody", "admin", "crowd")
CROWD = "crowd"  # Who came by a panel's link.
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
RIGHTS = {
    *GRANTED,
    *(ANY, LOGIN, SITE, LAB, KEEPER, CREATOR, READER, MINE, ORGANISER, PARTICIPANT, NOT_YET, OFF),
    *(HOLDER, ANNOTATOR_OF_BODY, SIGNED),
}

GET, POST, PUT, PATCH, DELETE = "GET", "POST", "PUT", "PATCH", "DELETE"
METHODS = (GET, POST, PUT, PATCH, DELETE)
