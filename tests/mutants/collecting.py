"""Mutants of claims, saves, history, consent and what annotators are shown."""

from tests.mutants import Mutant

SLOTS, SAVING = "annotation/sheets/slots.py", "annotation/collecting/saving.py"
CLAIM_STATE = "annotation/sheets/sql.py"
SQL, SHEETS = "annotation/sheets/sql.py", "annotation/collecting/sheets.py"
API = "annotation/collecting/api.py"
CLAIMING, K = "annotation/collecting/claiming.py", "annotation/sheets/slots.py"
OF_SUBMITTING = "tests/annotation/services/collecting/test_saving.py"
WRITTEN = "annotation/collecting/save_rows.py"
OF_CLAIMS, OF_K = (
    "tests/annotation/services/collecting/test_claiming.py",
    "tests/annotation/services/collecting/test_saving.py",
)
LEFT_OUT = "tests/annotation/services/people/test_withdrawal.py"
OF_SLOTS, LATE = (
    "tests/annotation/services/collecting/test_saving.py",
    "tests/annotation/services/collecting/test_saving.py",
)
SAVES, LEAVING = (
    "tests/annotation/api/collecting/test_sheets.py",
    "tests/annotation/services/people/test_withdrawal.py",
)
BLIND = "tests/annotation/views/collecting/test_blind.py"
CLAIM = [
    Mutant(
        "take: whatever the slot is by now",
        SLOTS,
        "        Slot.objects.filter(available(now), pk=slot.pk)\n"
        "        .filter(Q(annotator=None) if loser is None else Q(annotator=loser))\n",
        "        Slot.objects.filter(pk=slot.pk)\n",
        OF_SLOTS,
        "read_twice",
        core=True,
    ),
    Mutant(
        "take: void slots too",
        SLOTS,
        "Slot.objects.filter(available(now), pk=slot.pk)",
        "Slot.objects.filter(pk=slot.pk)",
        OF_SLOTS,
        "void_by_now",
    ),
    Mutant(
        "take: whoever has it",
        SLOTS,
        "        .filter(Q(annotator=None) if loser is None else Q(annotator=loser))\n",
        "",
        OF_SLOTS,
        "left_lying",
    ),
    Mutant(
        "take: a lease that is not over",
        SLOTS,
        "| Q(state=CLAIMED, lease_expires_at__lt=now)",
        "| Q(state=CLAIMED)",
        OF_SLOTS,
        "renewed_meanwhile",
        core=True,
    ),
    Mutant(
        "renew: whoever has it",
        SLOTS,
        "claimed.filter(annotator=slot.annotator_id or 0).update(",
        "claimed.update(",
        OF_SLOTS,
        "not_renewed",
    ),
    Mutant(
        "claim: expired slots by their ids",
        CLAIMING,
        'untouched.order_by("lease_expires_at", "pk")',
        'untouched.order_by("pk")',
        OF_CLAIMS,
        "leases_ended",
        core=True,
    ),
    Mutant(
        "claim: expired slots in no order",
        CLAIMING,
        'untouched.order_by("lease_expires_at", "pk")',
        "untouched.order_by()",
        OF_CLAIMS,
        "leases_ended",
    ),
    Mutant(
        "claim: the last expired slot first",
        CLAIMING,
        'untouched.order_by("lease_expires_at", "pk")',
        'untouched.order_by("-lease_expires_at", "pk")',
        OF_CLAIMS,
        "leases_ended",
    ),
    Mutant(
        "claim: a skipped sheet again",
        SQL,
        "WHERE skip.sheet_id = slot.sheet_id AND",
        "WHERE skip.sheet_id = 0 AND",
        OF_CLAIMS,
        "not_offered_again",
    ),
]
PER_SHEET = [
    Mutant(
        "k: lowering it leaves free slots",
        K,
        "        elif missing < 0:\n",
        "        elif False:\n",
        OF_K,
        "lowering_k_voids",
        core=True,
    ),
    Mutant(
        "k: lowering it takes slots from annotators",
        K,
        "if slot.state == FREE]",
        "]",
        OF_K,
        "no_slot_from",
        core=True,
    ),
    Mutant(
        "k: raising it gives a number again",
        K,
        "first = max((slot.number for slot in every[sheet.pk]), default=0) + 1",
        "first = len(places) + 1",
        OF_K,
        "lowering_k_voids",
    ),
]
SUBMIT = [
    Mutant(
        "submit: cleared answers count",
        SAVING,
        "            and row.answer.given\n",
        "",
        OF_SUBMITTING,
        "was_cleared",
        core=True,
    ),
    Mutant(
        "submit: without all answers",
        SAVING,
        "        if missing := self._missing():",
        "        if missing := []:",
        OF_SUBMITTING,
        "missing_answers",
        core=True,
    ),
    Mutant(
        "save: a done sheet changes against the settings",
        SAVING,
        "open_still = campaign.allow_revision and campaign.status",
        "open_still = campaign.status",
        LATE,
        "revision_is_allowed",
        core=True,
    ),
]
PARTS = "tests/annotation/services/people/test_parts.py"
LATE_SAVES = [
    Mutant(
        "may_recover: the excluded too",
        SAVING,
        "state.excluded or state.full or state.ended",
        "state.full or state.ended",
        LEFT_OUT,
        "excluded_after",
    ),
    Mutant(
        "may_recover: beyond the quota",
        SAVING,
        "state.excluded or state.full or state.ended",
        "state.excluded or state.ended",
        LATE,
        "beyond_their_own",
    ),
    Mutant(
        "may_recover: after the close",
        SAVING,
        "    if annotator.campaign.status == Campaign.Status.CLOSED:\n        return False\n",
        "",
        LATE,
        "after_the_close",
        core=True,
    ),
    Mutant(
        "may_recover: whose part has ended",
        SAVING,
        "state.excluded or state.full or state.ended",
        "state.excluded or state.full",
        PARTS,
        "who_left",
    ),
    Mutant(
        "submit: the excluded take a place",
        SAVING,
        "        if may_recover(annotator):\n            taken = slots.recover",
        "        if True:\n            taken = slots.recover",
        LEFT_OUT,
        "excluded_after",
    ),
]
IDEMPOTENCE = [
    Mutant(
        "save: a request sent twice is stale",
        SAVING,
        "row = self.before.get(given.request_id)\n        if row is None or",
        "row = None\n        if row is None or",
        SAVES,
        "stored_once",
        core=True,
    ),
    Mutant(
        "save: a request with another value repeats",
        SAVING,
        " or row.answer != given.answer:",
        ":",
        SAVES,
        "another_value",
    ),
    Mutant(
        "save: a double click is a version",
        SAVING,
        "        if given.answer == row.answer:",
        "        if False:",
        SAVES,
        "double_click",
    ),
    Mutant(
        "submit: again is surplus",
        SAVING,
        "        if self.at.state == DONE:\n            return False\n",
        "",
        OF_SUBMITTING,
        "handed_in_again",
    ),
    Mutant(
        "remark: a request sent twice is refused",
        "annotation/collecting/sheets.py",
        "made = Remark.objects.filter(annotator=annotator, request_id=request_id).first()",
        "made = None",
        "tests/annotation/services/collecting/test_saving.py",
        "same_request",
    ),
]
BASE_VERSION = [
    Mutant(
        "save: from any version",
        SAVING,
        "        if given.base_version != (row.version or 0):\n"
        "            return self._repeated_or_stale(given, row)\n",
        "",
        SAVES,
        "stale_save",
        core=True,
    ),
    Mutant(
        "save: from a version that is not there yet",
        SAVING,
        "if given.base_version != (row.version or 0):",
        "if given.base_version < (row.version or 0):",
        SAVES,
        "not_there_yet",
    ),
    Mutant(
        "save: from a version where nothing is stored",
        SAVING,
        "if given.base_version != (row.version or 0):",
        "if row.version and given.base_version != row.version:",
        SAVES,
        "not_there_yet",
    ),
]
HISTORY = [
    Mutant(
        "take: no event",
        SLOTS,
        "    note(slot, kind, at=now, annotator_id=annotator.pk)\n    return True",
        "    return True",
        OF_SLOTS,
        "read_twice",
    ),
    Mutant(
        "take: no event of who lost it",
        SLOTS,
        "        note(slot, SlotEvent.Kind.LOST, at=now, annotator_id=loser)\n",
        "",
        OF_SLOTS,
        "left_lying",
    ),
    Mutant(
        "submit: no event",
        WRITTEN,
        "            cursor.execute(_NOTE, [sheet.slot, sheet.annotator, DONE, at])\n",
        "            pass\n",
        LATE,
        "reopens",
    ),
    Mutant(
        "reopen: no event",
        SLOTS,
        "    note(slot, SlotEvent.Kind.REOPENED, at=now, annotator_id=slot.annotator_id)\n",
        "",
        LATE,
        "reopens",
    ),
    Mutant(
        "save: the version keeps no status",
        WRITTEN,
        "            answer.comment,\n            status,\n",
        '            answer.comment,\n            "draft",\n',
        LATE,
        "every_version",
    ),
    Mutant(
        "threshold_set: no row of history",
        "annotation/campaigns/services.py",
        "        ThresholdChange.objects.create(\n            scale=scale, threshold=threshold,",
        "        ThresholdChange(\n            scale=scale, threshold=threshold,",
        "tests/scoring/selectors/ratings/test_fingerprint.py",
    ),
    Mutant(
        "threshold_set: no row of the log",
        "annotation/campaigns/services.py",
        '        audit(\n            actor=actor,\n            verb="set threshold"',
        '        dict(\n            actor=actor,\n            verb="set threshold"',
        "tests/annotation/services/campaigns/test_campaigns.py",
        "threshold",
    ),
]
CONSENT = [
    Mutant(
        "claim: a consent that ended is one",
        CLAIM_STATE,
        "                        AND consent.ended_at IS NULL)),",
        "                        )),",
        LEAVING,
        "coming_back",
    ),
    Mutant(
        "withdraw: the consent goes on",
        "annotation/people/exclusions.py",
        "        Consent.objects.filter(annotator=annotator, ended_at=None).update(ended_at=now)\n",
        "",
        LEAVING,
        "coming_back",
    ),
    Mutant(
        "claim: who withdrew goes on",
        CLAIM_STATE,
        "             WHERE withdrawal.annotator_id = annotator.id AND withdrawal.ended_at IS NULL),",
        "             WHERE withdrawal.annotator_id = 0 AND withdrawal.ended_at IS NULL),",
        LEAVING,
        "kept_judgments",
    ),
    Mutant(
        "claim: an older text is asked for",
        CLAIM_STATE,
        "newer.version > text.version",
        "newer.version > text.version + 1",
        "tests/annotation/selectors/collecting/test_steps.py",
        "empty_text",
    ),
    Mutant(
        "consent_give: a text that was not read",
        "annotation/people/background.py",
        "newest is None or newest.version != version",
        "newest is None",
        "tests/annotation/selectors/collecting/test_steps.py tests/annotation/services/people/test_consent.py",
    ),
    Mutant(
        "save: who withdrew changes what is done",
        SAVING,
        "open_still and not _has_left(annotator)",
        "open_still",
        LEAVING,
        "nothing_that_is_done",
    ),
]
BLINDNESS = [
    Mutant(
        "sheet: texts in the order of their ids",
        SHEETS,
        "    random.Random(annotator.seed ^ sheet.key.int).shuffle(substitutions)  # noqa: S311 no "
        "secret\n",
        "    substitutions.sort(key=lambda one: one.pk)\n",
        BLIND,
    ),
    Mutant(
        "sheet: the same order for everybody",
        SHEETS,
        "random.Random(annotator.seed ^ sheet.key.int)",
        "random.Random(sheet.key.int)",
        BLIND,
    ),
    Mutant(
        "sheet: the role of a text",
        SHEETS,
        "remark=remarks.get(row.id, RemarkView()),",
        "remark=RemarkView(text=sheet.entries.get(substitution=row.id).substitution.role),",
        BLIND,
        "roles",
    ),
    Mutant(
        "sheet: the name of the system",
        SHEETS,
        "text=row.text,",
        "text=row.text + str([one.system.label for entry in sheet.entries.filter(substitution=row.id)"
        " for one in entry.substitution.outputs.all()]),",
        BLIND,
        "roles",
    ),
    Mutant(
        "sheet: the database's id of a text",
        SHEETS,
        "key=row.key,",
        "key=row.id,",
        BLIND,
        "random_keys",
    ),
    Mutant(
        "API: surplus is told",
        API,
        'return "done" if state == Slot.State.DONE else "claimed"',
        "return state",
        SAVES,
        "surplus_is_not_told",
    ),
    Mutant(
        "page: surplus is told",
        "templates/annotation/_sheet.html",
        "data-state=\"{% if sheet.state == 'done' %}done{% else %}claimed{% endif %}\"",
        'data-state="{{ sheet.state }}"',
        SAVES,
        "surplus_is_not_told",
    ),
]
