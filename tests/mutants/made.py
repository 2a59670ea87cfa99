"""Mutants of whose what is made is: resources, builds and saved templates."""

from tests.mutants import Mutant

# fmt: off
PLACE, SEEN = "annotation/models/scope.py", "annotation/selectors/scope.py"
START, RUNS = "scoring/services/builds/start.py", "scoring/services/runs/resources.py"
TOKENS, REMOVE = "scoring/selectors/archives/tokens.py", "scoring/services/resources/remove.py"
MOVE = "tests/scoring/services/resources/test_move.py"
ROWS, WORK = "tests/scoring/selectors/test_resources.py", "tests/scoring/services/test_scope.py"
MADE = [
    Mutant("seen_by: what is everybody's own", SEEN, "Q(scope=Visibility.SITE) | _mine(user.pk) |",
        "Q(scope__in=[Visibility.SITE, Visibility.MINE]) |", ROWS, "each_sees", core=True),
    Mutant("seen_by: of every campaign", SEEN, "| Q(campaign__in=_kept(user))",
        "| Q(scope=Visibility.CAMPAIGN)", ROWS, "each_sees", core=True),
    Mutant("seen_by: annotators see what was made", SEEN,
        '_member(user).filter(role__in=_KEEPERS).values("campaign")',
        '_member(user).values("campaign")', ROWS, "each_sees", core=True),
    Mutant("usable_in: of another campaign of theirs", SEEN,
        "Q(scope=Visibility.CAMPAIGN, campaign=campaign)", "Q(scope=Visibility.CAMPAIGN)", ROWS, "each_sees",
        core=True),
    Mutant("seen_in: whatever is seen", SEEN, "    if campaign is None:\n        return seen_by",
        "    if True:\n        return seen_by", ROWS, "out_of_scope"),
    Mutant("place_read: a campaign that one only sees", SEEN, 'slug=slug, right="research")',
        'slug=slug, right="see")', WORK, "says_a_place"),
    Mutant("refuse_move: out of its campaign", SEEN, "    if row.bound:\n", "    if False:\n", WORK,
        "for_ever"),
    Mutant("place: the same bytes of anybody", PLACE,
        "Q(scope=self.scope, created_by=self.owner_id)", "Q(scope=self.scope)", WORK,
        "same_bytes or by_somebody_else"),
    Mutant("resource_store: the same bytes anywhere", "scoring/services/resources/add.py",
        "    there = Resource.objects.filter(place.within())\n", "    there = Resource.objects\n",
        WORK, "same_bytes"),
    Mutant("builds: inputs out of scope", START, "    found = one_of(among, key=key,",
        "    found = one_of(Resource.objects.all(), key=key,", WORK, "for_ever"),
    Mutant("builds: own texts leave their campaign", START,
        "bound = texts_of is not None or foreign", "bound = foreign", WORK, "for_ever"),
    Mutant("builds: a colleague's file is taken further", START,
        "one.bound or (one.campaign and one.created_by_id != me)", "one.bound", MOVE, "moves"),
    Mutant("builds: two campaigns mix", START, "    if len(campaigns) > 1:\n", "    if False:\n", WORK,
        "mix"),
    Mutant("builds: the same of anybody", "scoring/models/build.py",
        "text_digest(signature, str(place), further)", "text_digest(signature, further)", WORK,
        "by_somebody_else"),
    Mutant("runs: options out of scope", RUNS,
        "    return Resource.objects.filter(usable_in(campaign=campaign_id, users=users))",
        "    return Resource.objects.all()", WORK, "may_be_used"),
    Mutant("runs: restored ones read anything", RUNS,
        "    among = Resource.objects.filter(usable_in(campaign=campaign_id, users=(user_id,)))",
        "    among = Resource.objects.all()", WORK, "archive"),
    Mutant("archives: resources of others are named", TOKENS,
        "Resource.objects.filter(usable_in(campaign=campaign, users=users))",
        "Resource.objects.all()", WORK, "archive"),
    Mutant("archives: contents of others are found", TOKENS,
        "Resource.objects.filter(shared | mine, status", "Resource.objects.filter(status", WORK,
        "archive"),
    Mutant("remove: the run that uses it is named", REMOVE,
        "if user is None or campaigns_read_by(user=user).filter(pk=run.campaign_id).exists():",
        "if True:", WORK, "tells_no_name"),
    Mutant("remove: the build that reads it is named", REMOVE,
        "named = reading if user is None else reading.filter(seen_by(user=user))",
        "named = reading", WORK, "tells_no_name"),
    Mutant("campaign_delete: files of people go too", "scoring/services/archives/delete.py",
        "        _give_back(campaign)\n", "", WORK, "gives_back"),
]
# fmt: on
