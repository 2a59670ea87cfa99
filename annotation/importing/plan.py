"""Plan an items import: compare the file with the campaign, without writing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from annotation.importers.items import ROLES, ItemRow
from annotation.importing.report import (
    Stored,
    SubstitutionKey,
    context_of,
    identity_of,
    load_stored,
)
from annotation.models import Campaign
from annotation.models.fields import text_digest
from paraanno.common.cells import known_tag
from paraanno.common.texts import Problem, Sentence, say, shown

LOCAL_TO_A_FILE = "ccb_"


@dataclass(slots=True)
class NewItem:
    """An item of the file with everything new about it; existing rows have their ids."""

    identity: str
    row: ItemRow
    phrase: str
    exists: bool
    language: str = ""
    outside: list[str] = field(default_factory=list)
    references: dict[str, str] = field(default_factory=dict)
    substitutions: dict[SubstitutionKey, ItemRow] = field(default_factory=dict)
    outputs: dict[tuple[str, str, int], SubstitutionKey | None] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        return (
            not self.exists
            or bool(self.outside)
            or bool(self.references)
            or bool(self.substitutions)
            or bool(self.outputs)
        )


@dataclass(slots=True)
class ItemPlan:
    """The difference between a file and a campaign."""

    stored: Stored
    problems: list[Problem] = field(default_factory=list)
    phrases: dict[str, str] = field(default_factory=dict)
    systems: list[str] = field(default_factory=list)
    items: dict[str, NewItem] = field(default_factory=dict)
    attributes: dict[tuple[str, Any], dict[str, Any]] = field(default_factory=dict)
    changed: set[tuple[str, Any]] = field(default_factory=set)
    copies: dict[SubstitutionKey, SubstitutionKey] = field(default_factory=dict)  # and originals
    languages: dict[str, str] = field(default_factory=dict)  # new ones of stored items

    @property
    def empty(self) -> bool:
        return (
            not self.phrases
            and not self.systems
            and not self.changed
            and not self.languages
            and not any(item.changes for item in self.items.values())
        )

    def counts(self) -> dict[str, int]:
        """Return the number of new rows by kind."""
        items = self.items.values()
        return {
            "phrases": len(self.phrases),
            "items": sum(not item.exists for item in items),
            "outside_ids": sum(len(item.outside) for item in items),
            "references": sum(len(item.references) for item in items),
            "substitutions": sum(len(item.substitutions) for item in items),
            "systems": len(self.systems),
            "outputs": sum(len(item.outputs) for item in items),
            "attributes": len(self.changed),
            **({"languages": len(self.languages)} if self.languages else {}),
        }


def plan_items(
    *, campaign: Campaign, rows: Sequence[ItemRow], file: str, keep: bool = False
) -> ItemPlan:
    """Compare rows with the campaign; the reader has checked that they agree with each other.
    `keep` as in `items_import`."""
    identities: dict[tuple[Any, ...], str] = {}
    for row in rows:
        if row.identity not in identities:
            identities[row.identity] = identity_of(row)
    hashes = {phrase: text_digest(phrase) for phrase in {row.phrase for row in rows}}
    stored = load_stored(
        campaign=campaign,
        phrases=hashes.values(),
        items=identities.values(),
        outside={row.item for row in rows if row.item is not None},
    )
    planner = _Planner(ItemPlan(stored), file, campaign)
    digests: dict[str, str] = {}
    for row in rows:
        identity = identities[row.identity]
        if keep and identity in stored.items:
            others = {level: own for level, own in row.attributes.items() if level != "item"}
            row = replace(row, item=None, attributes=others)
        planner.add(row, identity, hashes[row.phrase], digests)
    planner.find_originals()
    planner.plan.problems += short_references(rows, file)
    return planner.plan


SHORT, FEWEST = 0.5, 2  # Share of the sentence's characters; references before anything is said.


def short_references(rows: Sequence[ItemRow], file: str) -> list[Problem]:
    """Return the question whether references replace the phrase, where they are mostly much shorter
    than the sentences: metrics compare them with whole sentences."""
    shares = [
        (len(text) / len(row.sentence), row.line)
        for row in rows
        if row.phrase != row.sentence
        for text in row.references
    ]
    if len(shares) < FEWEST or median(share for share, _ in shares) >= SHORT:
        return []
    text = say(
        "references are mostly much shorter than their sentences (median %(share)s %% of the "
        "characters): do they replace the phrase? Then name the column phrase_reference, and each "
        "is put into its sentence; metrics compare whole sentences",
        share=f"{100 * median(share for share, _ in shares):.0f}",
    )
    return [Problem(file, min(line for _, line in shares), "reference", text, "warning")]


@dataclass(slots=True)
class _Planner:
    plan: ItemPlan
    file: str
    campaign: Campaign
    _systems: set[str] = field(default_factory=set)
    _outside: set[str] = field(default_factory=set)
    _copies: list[tuple[ItemRow, SubstitutionKey]] = field(default_factory=list)

    def add(self, row: ItemRow, identity: str, phrase: str, digests: dict[str, str]) -> None:
        plan, stored = self.plan, self.plan.stored
        if row.item is not None and not self._same_text(row, identity):
            return
        if phrase not in stored.phrases:
            plan.phrases[phrase] = row.phrase
        item = plan.items.get(identity)
        if item is None:
            item = NewItem(identity, row, phrase, identity in stored.items)
            plan.items[identity] = item
        if (
            row.item is not None
            and row.item not in stored.outside
            and row.item not in self._outside
        ):
            self._outside.add(row.item)
            item.outside.append(row.item)
        if row.language is not None:
            self._language(row, item, row.language)
        for text in row.references:
            digest = text_digest(text)
            if digest not in stored.references.get(identity, {}):
                item.references[digest] = text
        key = self._substitution(row, item, digests)
        if row.system is not None and row.rank is not None:
            self._output(row, item, key)
        self._attributes(row, identity, phrase, key)

    def _same_text(self, row: ItemRow, identity: str) -> bool:
        stored_identity = self.plan.stored.outside.get(row.item or "")
        if stored_identity is None or stored_identity == identity:
            return True
        sentence = self.plan.stored.sentences[stored_identity]
        self._error(
            row,
            say(
                "item %(item)s is %(sentence)s (%(start)s-%(end)s) here and %(stored)s (with "
                "another text or span) in the campaign: give the new one another id",
                item=shown(row.item or ""),
                sentence=shown(row.sentence),
                start=row.start,
                end=row.end,
                stored=shown(sentence),
            ),
            "item",
        )
        return False

    def _language(self, row: ItemRow, item: NewItem, language: str) -> None:
        """Set the language of a new item, or of a stored one that has none; a draft may change."""
        of_all = self.campaign.language
        have = self.plan.stored.languages.get(item.identity, "") or of_all
        if language == have or not (known_tag(language) or known_tag(have)):
            return
        if not item.exists:
            item.language = language
        elif known_tag(have) and self.campaign.opened_at is not None:
            self._error(
                row,
                say(
                    "the item is in %(have)s, which is fixed since the campaign was opened: write "
                    "that or leave the cell empty",
                    have=have,
                ),
                "language",
            )
        else:
            self.plan.languages[item.identity] = "" if language == of_all else language

    def _substitution(
        self, row: ItemRow, item: NewItem, digests: dict[str, str]
    ) -> SubstitutionKey | None:
        if row.paraphrase is None:
            return None
        digest = digests.get(row.paraphrase)
        if digest is None:
            digest = digests[row.paraphrase] = text_digest(row.paraphrase)
        key = (item.identity, row.role, digest, context_of(row))
        if key not in self.plan.stored.substitutions:
            item.substitutions.setdefault(key, row)
            if row.made_from is not None:
                self._copies.append((row, key))
        return key

    def find_originals(self) -> None:
        """Resolve the originals of copies, which the file may name before or after the copies."""
        for row, copy in self._copies:
            original = self._original(row.made_from or "", copy)
            if original is not None:
                self.plan.copies[copy] = original
                continue
            text = say(
                "%(text)s is no text of this item, in the file or in the campaign: add a line for "
                "it",
                text=shown(row.made_from or ""),
            )
            self._error(row, text, "made_from")

    def _original(self, text: str, copy: SubstitutionKey) -> SubstitutionKey | None:
        identity, _, _, context = copy
        new, stored = self.plan.items[identity].substitutions, self.plan.stored.substitutions
        digest = text_digest(text)
        for role in ROLES:
            for place in (context, ""):
                key = (identity, role, digest, place)
                if key != copy and (key in new or key in stored):
                    return key
        return None

    def _output(self, row: ItemRow, item: NewItem, substitution: SubstitutionKey | None) -> None:
        stored, system, rank = self.plan.stored, row.system or "", row.rank or 1
        if row.role != "output":
            self._error(
                row,
                say(
                    "a %(role)s has no system: leave the system empty, or make the role 'output'",
                    role=row.role,
                ),
                "system",
            )
            return
        if system not in stored.systems and system not in self._systems:
            self._systems.add(system)
            self.plan.systems.append(system)
        key = (item.identity, system, rank)
        if key not in stored.outputs:
            item.outputs[key] = substitution
        elif stored.outputs[key] != substitution:
            given = say("nothing") if row.paraphrase is None else shown(row.paraphrase)
            self._error(
                row,
                say(
                    "system %(system)s gives %(given)s at rank %(rank)s here and something else "
                    "in the campaign: use another rank or another name for the system",
                    system=shown(system),
                    given=given,
                    rank=rank,
                ),
                "paraphrase",
            )

    def _attributes(
        self, row: ItemRow, identity: str, phrase: str, substitution: SubstitutionKey | None
    ) -> None:
        if not row.attributes:
            return
        owners: dict[str, Hashable] = {
            "phrase": phrase,
            "item": identity,
            "substitution": substitution,
            "system": row.system,
            "output": (identity, row.system, row.rank),
        }
        for level, values in row.attributes.items():
            owner = (level, owners[level])
            have = self.plan.stored.attributes.get(owner, {})
            for name, value in values.items():
                local = name.startswith(LOCAL_TO_A_FILE)
                if name not in have:
                    if local and owner in self.plan.stored.attributes:
                        continue  # Numbers of another file cannot be compared with stored ones.
                    self.plan.attributes.setdefault(owner, dict(have))[name] = value
                    if owner in self.plan.stored.attributes:
                        self.plan.changed.add(owner)
                elif have[name] != value and not local:
                    self._error(
                        row,
                        say(
                            "attribute %(name)s of this %(level)s is %(value)s here and %(have)s "
                            "in the campaign: make them equal",
                            name=shown(name),
                            level=level,
                            value=shown(str(value)),
                            have=shown(str(have[name])),
                        ),
                    )

    def _error(self, row: ItemRow, message: Sentence, column: str | None = None) -> None:
        self.plan.problems.append(Problem(self.file, row.line, column, message))
