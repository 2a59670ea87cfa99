"""Resources, the files that metrics need: what a row says, who may use it, and its removal."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from annotation.access import place_read, refuse_move, scope_choices, scope_value
from annotation.errors import Conflict, Invalid
from paraanno.template_filters import translated
from scoring.resources.queries import ResourceRow, resource_get, resource_row
from scoring.resources.services import resource_move, resource_remove

# Label of each kind, and a description of its files.
KINDS = {
    "vectors": (
        gettext_lazy("Word vectors"),
        gettext_lazy(
            "Text of word2vec, fastText (.vec) or GloVe: a word and its values on each line. Or "
            "word2vec’s binary form, in a file called .bin; or a model of fastText (.bin), which "
            "has vectors for unknown words too."
        ),
    ),
    "table": (
        gettext_lazy("Paraphrase table"),
        gettext_lazy(
            "PPDB text, a Moses phrase table, or two phrases on each line, separated by a tab."
        ),
    ),
    "synonyms": (
        gettext_lazy("Synonyms"),
        gettext_lazy("Synonymous phrases on each line, separated by tabs."),
    ),
    "counts": (
        gettext_lazy("Page counts"),
        gettext_lazy(
            "The number of pages with a word, or with two words together; or a corpus to count "
            "in, one document on each line. The first line says which."
        ),
    ),
    "nbest": (
        gettext_lazy("n-best lists"),
        gettext_lazy(
            "An original, a realisation and its model score on each line, separated by tabs; or "
            "the same as JSON Lines."
        ),
    ),
    "corpus": (
        gettext_lazy("Corpus"),
        gettext_lazy(
            "Text of one sentence a line, its words separated by blanks: for language models and "
            "counts of phrases. No metric reads it."
        ),
    ),
    "lm": (
        gettext_lazy("Language model"),
        gettext_lazy(
            "An n-gram model in the ARPA format, as manage.py train_lm, KenLM and SRILM write it."
        ),
    ),
    "parses": (
        gettext_lazy("Parses"),
        gettext_lazy(
            "A tree in brackets for each sentence of a text, or CoNLL-U: for paraphrases by "
            "syntactic label. No metric reads it."
        ),
    ),
    "translations": (
        gettext_lazy("Translations of phrases"),
        gettext_lazy(
            "A phrase table of Moses: foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f). For the "
            "metric pivot_f1."
        ),
    ),
    "links": (
        gettext_lazy("Links of words"),
        gettext_lazy(
            "What another aligner has made of two texts, as awesome-align, SimAlign and eflomal "
            "write it: 0-0 1-2 on the line of each pair. For tables of these texts. No metric "
            "reads it."
        ),
    ),
    "aligned_pairs": (
        gettext_lazy("Sentences linked by hand"),
        gettext_lazy(
            "Two sentences with the same meaning and the links of their words (0-0 1?2) on each "
            "line, separated by tabs: to rate a paraphrase table. No metric reads it."
        ),
    ),
    "texts": (
        gettext_lazy("Table of texts"),
        gettext_lazy(
            "CSV, TSV or JSON Lines with a row for each text, in columns such as text, class, or "
            "paraphrases; an id if there is one. No metric reads it."
        ),
    ),
}


# What is made here only, and not uploaded.
MADE = {
    "test_set": gettext_lazy("Test set"),
    "extrinsic": gettext_lazy("Extrinsic evaluation"),
    "regressor": gettext_lazy("Regressor"),
    "parametric": gettext_lazy("Rating of a paraphrase table"),
}


# Labels of the counts that a conversion returns.
COUNTED = {
    "words": gettext_lazy("words"),
    "size": gettext_lazy("values each"),
    "phrases": gettext_lazy("phrases"),
    "pairs": gettext_lazy("pairs"),
    "skipped": gettext_lazy("lines left out"),
    "texts": gettext_lazy("paraphrases"),
    "groups": gettext_lazy("groups"),
    "pages": gettext_lazy("pages"),
    "items": gettext_lazy("items"),
    "realisations": gettext_lazy("realisations"),
    "sentences": gettext_lazy("sentences"),
    "aligned": gettext_lazy("pairs aligned"),
    "distinct": gettext_lazy("distinct words"),
    "fallbacks": gettext_lazy("orders without estimated discounts"),
    "order": gettext_lazy("words in its longest n-grams"),
    "ngrams": gettext_lazy("n-grams"),
    "floored": gettext_lazy("unknown word added"),
    "trees": gettext_lazy("trees"),
    "parsed": gettext_lazy("words in trees"),
    "labels": gettext_lazy("syntactic labels"),
    "rows": gettext_lazy("texts"),
    "columns": gettext_lazy("columns"),
    "foreign": gettext_lazy("foreign phrases"),
    "linked": gettext_lazy("links"),
    "vectors": gettext_lazy("support vectors"),
    "tokens": gettext_lazy("words of text"),
    "classifiers": gettext_lazy("classifiers"),
    "left_out": gettext_lazy("rows without a text"),
}


# Counts of what is worth a word if there is any.
REMARKS = ("fallbacks", "floored", "left_out", "labels")


@require_GET
def resource(request: HttpRequest, key: str) -> HttpResponse:
    """One row of the list as a fragment, polled while its file is being checked."""
    row = resource_row(resource=resource_get(user=request.user, key=key), user=request.user)
    context = {"shown": resource_shown(row), "scopes": scope_choices(user=request.user)}
    return render(request, "scoring/_resource.html", context)


@require_POST
def scope(request: HttpRequest, key: str) -> HttpResponse:
    """Change who may use a resource, and what made it."""
    row = resource_get(user=request.user, key=key)
    refuse_move(row=row, user=request.user)
    try:
        place = place_read(user=request.user, value=request.POST.get("scope", ""))
        resource_move(resource=row, place=place, actor=request.user)
    except (Conflict, Invalid) as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("%(name)s: saved who may use it.") % {"name": row.name})
    return redirect("resources")


def resource_shown(row: ResourceRow) -> dict[str, object]:
    """A row with its texts: the label of its kind, its counts, and the lines of a refusal."""
    meta = row.resource.meta
    return {
        "row": row,
        "value": scope_value(row.resource.place),
        "kind": KINDS[row.resource.kind][0]
        if row.resource.kind in KINDS
        else MADE.get(row.resource.kind, row.resource.kind),
        "holds": [
            (number, COUNTED.get(name, name))
            for name, number in meta.items()
            if number or name not in REMARKS
        ],
        "problems": translated(row.resource.sentence).splitlines(),
    }


@require_POST
def remove(request: HttpRequest, key: str) -> HttpResponse:
    """Remove a resource that no active run uses; one that is being checked is cancelled so."""
    row = resource_get(user=request.user, key=key, remove=True)
    resource_remove(resource=row, actor=request.user)
    checked = row.status == row.Status.CHECKING
    message = _("%(name)s was cancelled.") if checked else _("%(name)s was removed.")
    messages.success(request, message % {"name": row.name})
    return redirect("resources")
