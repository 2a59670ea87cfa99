"""The words of the pages, each explained in one sentence. docs/glossary.md has all words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Term:
    """A word and its meaning."""

    word: Promise
    meaning: Promise


TERMS: dict[str, Term] = {
    "campaign": Term(
        pgettext_lazy("glossary", "campaign"),
        _("One evaluation: its texts, scales, annotators and rules."),
    ),
    "item": Term(pgettext_lazy("glossary", "item"), _("One phrase at one place of one sentence.")),
    "phrase": Term(
        pgettext_lazy("glossary", "phrase"), _("The text that is replaced, in all its contexts.")
    ),
    "paraphrase": Term(
        pgettext_lazy("glossary", "paraphrase"),
        _("A text that should mean the same as the original."),
    ),
    "system": Term(
        pgettext_lazy("glossary", "system"), _("The program or person that produced a paraphrase.")
    ),
    "sheet": Term(
        pgettext_lazy("glossary", "sheet"),
        _("The texts of one item that are claimed and shown together."),
    ),
    "slot": Term(
        pgettext_lazy("glossary", "assignment"),
        _("Room for one annotator on a sheet: free, claimed or done."),
    ),
    "annotator": Term(
        pgettext_lazy("glossary", "annotator"),
        _("Somebody who judges in one campaign, known by a code."),
    ),
    "judgment": Term(
        pgettext_lazy("glossary", "judgment"),
        _("One annotator’s answer for one text on one scale at one occasion."),
    ),
    "counted": Term(
        pgettext_lazy("glossary", "counted"),
        _("A judgment that statistics use: its sheet was submitted, or it was imported."),
    ),
    "scale": Term(
        pgettext_lazy("glossary", "scale"),
        _("A question with its values: level, range, step, direction, threshold."),
    ),
    "anchor": Term(
        pgettext_lazy("glossary", "anchor"), _("The text that explains one value of a scale.")
    ),
    "threshold": Term(
        pgettext_lazy("glossary", "threshold"),
        _("The value that a text must reach on a scale to pass."),
    ),
    "template": Term(
        pgettext_lazy("glossary", "template"),
        _("A file with everything that a campaign asks, from which campaigns start."),
    ),
    "pilot": Term(
        pgettext_lazy("glossary", "pilot"),
        _("A copy of a campaign with a few texts, to try it out; it counts nowhere else."),
    ),
    "panel": Term(
        pgettext_lazy("glossary", "panel"),
        _("One link for the people of a crowd platform, with a quota, codes and pay."),
    ),
    "quota": Term(
        pgettext_lazy("glossary", "quota"),
        _("How many sheets one annotator judges, at least and at most."),
    ),
    "guidelines": Term(
        pgettext_lazy("glossary", "guidelines"),
        _("The instructions of a campaign, in versions; a judgment records its version."),
    ),
    "consent": Term(
        pgettext_lazy("glossary", "consent"),
        _("An annotator’s agreement to one version of the text."),
    ),
    "background": Term(
        pgettext_lazy("glossary", "background question"),
        _("A question about the annotator, before the first sheet."),
    ),
    "practice": Term(
        pgettext_lazy("glossary", "practice"),
        _("Texts with explained answers before the first sheet; its last part may be a test."),
    ),
    "control": Term(
        pgettext_lazy("glossary", "control"),
        _("A text whose right values are known, mixed among the others to check annotators."),
    ),
    "copy": Term(
        pgettext_lazy("glossary", "copy"),
        _("A second form of a text for checks: degraded ones should score lower."),
    ),
    "repeat": Term(
        pgettext_lazy("glossary", "repeat"),
        _("A sheet that the same annotator gets a second time, unannounced."),
    ),
    "rule": Term(
        pgettext_lazy("glossary", "rule"),
        _("A condition on failed checks and the action that follows."),
    ),
    "exclusion": Term(
        pgettext_lazy("glossary", "exclusion"),
        _("A rule that keeps rows but leaves them out of statistics."),
    ),
    "invitation": Term(
        pgettext_lazy("glossary", "invitation"),
        _("A link that gives whoever opens it a role; it expires."),
    ),
    "role": Term(
        pgettext_lazy("glossary", "role"),
        _("What a member may do: as owner, researcher, viewer or annotator."),
    ),
    "blind": Term(
        pgettext_lazy("glossary", "blind"),
        _("Of a judgment: its annotator could see neither systems nor scores."),
    ),
    "remark": Term(pgettext_lazy("glossary", "remark"), _("A comment or flag of an annotator.")),
    "log": Term(pgettext_lazy("glossary", "log"), _("The record of who changed what and when.")),
    "forecast": Term(
        pgettext_lazy("glossary", "expected end"),
        # xgettext:no-python-format
        _("When all assignments will be done at the recent pace; the fan is its 80 % range."),
    ),
    "interval": Term(
        pgettext_lazy("glossary", "interval"),
        # xgettext:no-python-format
        _("The 95 % confidence interval of a number; the page says what it generalises to."),
    ),
    "alpha": Term(
        pgettext_lazy("glossary", "Krippendorff’s α"),
        _(
            "Agreement beyond chance: 1 is perfect, 0 is chance; .667 is the minimum for "
            "tentative conclusions, .800 for firm ones."
        ),
    ),
    "severity": Term(
        pgettext_lazy("glossary", "severity"),
        _("How much lower or higher an annotator rates than the others do."),
    ),
    "gold": Term(
        pgettext_lazy("glossary", "gold"),
        _("The value of a text on a scale, made from its judgments by a named method."),
    ),
    "pass": Term(
        pgettext_lazy("glossary", "pass"), _("To reach the threshold of every scale that has one.")
    ),
    "cluster": Term(
        pgettext_lazy("glossary", "cluster"),
        _(
            "Texts that depend on each other, such as all of one phrase; intervals leave them out "
            "as a whole."
        ),
    ),
    "letter": Term(
        pgettext_lazy("glossary", "letter"),
        _("Systems or metrics share a letter exactly if no test tells them apart: a, ab, b."),
    ),
    "look": Term(
        pgettext_lazy("glossary", "look"),
        _(
            "A state of the judgments at which comparisons were read; many looks find "
            "differences by chance."
        ),
    ),
    "metric": Term(
        pgettext_lazy("glossary", "metric"), _("A program that scores a paraphrase without people.")
    ),
    "run": Term(pgettext_lazy("glossary", "run"), _("One execution of a metric over a campaign.")),
    "score": Term(
        pgettext_lazy("glossary", "score"),
        _("The number that a run or an imported file gives to a text or a system."),
    ),
    "resource": Term(
        pgettext_lazy("glossary", "resource"),
        _("A file that a metric needs, such as word vectors or a paraphrase table."),
    ),
    "reference": Term(
        pgettext_lazy("glossary", "reference"),
        _("A paraphrase of the sentence by a person, with which a metric compares."),
    ),
    "signature": Term(
        pgettext_lazy("glossary", "signature"),
        _("The text that makes a score reproducible: metric, options, versions."),
    ),
    "correlation": Term(
        pgettext_lazy("glossary", "correlation"),
        _("How far a metric orders texts or systems as people do."),
    ),
    "ceiling": Term(
        pgettext_lazy("glossary", "human ceiling"),
        _("How far people correlate with people: what a metric can be expected to reach."),
    ),
    "mix": Term(pgettext_lazy("glossary", "mix"), _("A weighted sum of metrics.")),
    "stability": Term(
        pgettext_lazy("glossary", "stability"),
        _("How a coefficient changes with fewer originals or fewer ratings."),
    ),
    "ranking": Term(
        pgettext_lazy("glossary", "ranking"),
        _("How often a metric orders two paraphrases of one original as people do."),
    ),
    "report": Term(pgettext_lazy("glossary", "report"), _("A stored, dated result of statistics.")),
    "fingerprint": Term(
        pgettext_lazy("glossary", "fingerprint"),
        _("A digest of the data behind a report; if it changes, the report is out of date."),
    ),
    "token": Term(
        pgettext_lazy("glossary", "token"), _("A secret by which a program acts in your name.")
    ),
}


# Which words a page explains, and which page of the documentation it leads to. Each app registers
# its pages at startup.


@dataclass(frozen=True, slots=True)
class PageHelp:
    """The words of a page, and the name of its documentation: `quality`, `metrics/bleu`, with an
    anchor after #."""

    doc: str
    words: tuple[str, ...]

    @property
    def terms(self) -> list[Term]:
        return [TERMS[word] for word in self.words]

    @property
    def page(self) -> str:
        return self.doc.partition("#")[0]

    @property
    def anchor(self) -> str:
        return "".join(self.doc.partition("#")[1:])


HELP: dict[str, PageHelp] = {}


def add_help(doc: str, words: str, *pages: str) -> None:
    """Register the help of pages, by the names of their URLs. `words` are keys of the glossary,
    separated by spaces. Raises KeyError for a word that is not in it."""
    keys = tuple(words.split())
    for key in keys:
        if key not in TERMS:
            raise KeyError(f"The glossary has no word {key!r}.")
    HELP.update(dict.fromkeys(pages, PageHelp(doc, keys)))
