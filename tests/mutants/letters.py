"""Mutants of letters: what is kept, sent twice, refused, and which links work."""

from tests.mutants import Mutant

SENDING, WRITING = "annotation/mail/emails.py", "annotation/mail/emails.py"
POST, MEMBERS = "annotation/mail/emails.py", "annotation/people/annotators.py"
OF_WRITING = "tests/annotation/services/letters/test_sending.py"
OF_SENDING = "tests/annotation/services/letters/test_sending.py"
LETTERS = [
    Mutant(
        "letter: the earlier link ends when the letter is written",
        MEMBERS,
        "rows.filter(token_hash=digest).first() or",
        "",
        OF_SENDING,
        "next_one_has_arrived",
        core=True,
    ),
    Mutant(
        "letter: the earlier link never ends",
        SENDING,
        '{"token_hash": letter.token_hash} if letter.token_hash else {}',
        "{}",
        OF_SENDING,
        "next_one_has_arrived",
        core=True,
    ),
    Mutant(
        "letter: the link on its way does not work",
        MEMBERS,
        "on_the_way = Q(letters__token_hash=digest,",
        'on_the_way = Q(letters__token_hash="-",',
        OF_SENDING,
        "on_its_way",
    ),
    Mutant(
        "letter: taken by two",
        SENDING,
        "status=Letter.Status.WAITING,\n            attempts=letter.attempts,\n"
        "            next_at=letter.next_at,",
        "status=Letter.Status.WAITING,",
        OF_SENDING,
        "read_twice",
        core=True,
    ),
    Mutant(
        "letter: a frozen worker puts it off",
        SENDING,
        "rows.filter(pk=letter.pk, attempts=letter.attempts)",
        "rows.filter(pk=letter.pk)",
        OF_SENDING,
        "frozen",
    ),
    Mutant(
        "letter: another Message-ID each time",
        POST,
        '"Message-ID": f"<{mail.key}@{domain}>"',
        "",
        OF_SENDING,
        "same_id",
    ),
    Mutant(
        "letter: a busy mailbox is for good",
        POST,
        "refused = code >= FOR_GOOD",
        "refused = code >= 400",
        OF_SENDING,
        "waited_for",
    ),
    Mutant(
        "letter: its text is stored as it is",
        WRITING,
        "sealed(content, what=SEAL)",
        "content",
        OF_WRITING,
        "no_link_that_opens",
    ),
    Mutant(
        "letter: what is over is sent",
        SENDING,
        "letter.until <= now",
        "False",
        OF_SENDING,
        "is_over",
    ),
]
