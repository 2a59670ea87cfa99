"""What readers of files for metrics say in English: FILE:LINE: sentence. See scoring/wording.py."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

FILES = [
    _("%(place)s: there is no such file; check %(metric)s's %(option)s=."),
    _("%(place)s: cannot be read (%(why)s)."),
    _("%(place)s: is empty; give a file that holds something."),
    _("%(place)s: is compressed (%(how)s); unpack it first."),
    _("%(place)s: is a Python pickle, which could run programs; save it as text."),
    _("%(place)s: is a model of fastText; give its text file (.vec)."),
    _("%(place)s: is UTF-16; save it as UTF-8."),
    _("%(place)s: is not UTF-8; save the file as UTF-8."),
    _("%(place)s: holds a NUL character; take it out."),
    _("%(place)s: is over %(n)s bytes; break the line."),
    _("%(place)s: has %(n)s cells where %(wanted)s go; part them with tabs."),
    _("%(place)s: has %(n)s cells where %(least)s to %(most)s go; part them with tabs."),
    _("%(place)s: has an empty cell; fill it in or take the line out."),
    _("%(place)s: has changed since it was given; give it again."),
    _("%(place)s: should read word, blank, values; is it word2vec text?"),
    _("%(place)s: has %(n)s values where %(wanted)s go; is it word2vec text?"),
    _("%(place)s: has a value that is no finite number."),
    _("%(place)s: a vector holds a value that is no finite number."),
    _("%(place)s: has no vector other than zero."),
    _("%(place)s: has no vectors; give a text file of word2vec."),
    _(
        "%(place)s: promises %(n)s words, but %(found)s follow; the file is cut or has been "
        "changed."
    ),
    _(
        "%(place)s: promises %(n)s words, but at most %(found)s follow; the file is cut or has "
        "been changed."
    ),
    _(
        "%(place)s: goes on after the %(n)s words that its first line promises; the file has been "
        "changed."
    ),
    _("%(place)s: word %(n)s is not UTF-8; is it a binary file of word2vec?"),
    _(
        "%(place)s: is no binary file of word2vec: its first line does not say how many words and "
        "values follow; a text file must not be called .bin."
    ),
    _("%(place)s: should read phrase TAB paraphrase, and perhaps TAB probability."),
    _("%(place)s: %(value)s is no probability; use a number from 0 to 1."),
    _("%(place)s: should read LHS ||| phrase ||| paraphrase ||| features."),
    _(
        "%(place)s: should read foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f) ..., with "
        "probabilities from 0 to 1."
    ),
    _("%(place)s: has no pair of different phrases; give phrase TAB paraphrase."),
    _(
        "%(place)s: joins %(n)s pairs, at most %(most)s are possible; take out its lines of low "
        "probability."
    ),
    _("%(place)s: %(value)s is no model score; use a finite number."),
    _("%(place)s: is no JSON; write one object a line."),
    _("%(place)s: needs %(names)s: two texts and a finite number."),
    _("%(place)s: has no two scores that differ, so they have no scale."),
    _("%(place)s: has no synonyms; write two or more on a line, with tabs."),
    _("%(place)s: has one phrase only, twice; give it a synonym."),
    _("%(place)s: is past %(n)s phrases; shorten it."),
    _("%(place)s: has no word that carries meaning; check lang=."),
    _(
        "%(place)s: must begin with #total<TAB>PAGES (a table) or #corpus<TAB>LANG (one document a "
        "line)."
    ),
    _("%(place)s: has nothing below its first line; add to it."),
    _("%(place)s: should be word<TAB>pages or word<TAB>word<TAB>pages."),
    _("%(place)s: ends in %(value)s, which is no number of pages."),
    _("%(place)s: counts again what line %(line)s does; take one out."),
    _("%(place)s: counts %(n)s pages of %(total)s; correct it or #total."),
    _("%(place)s: pairs %(word)s, which has no line with its own count."),
    _("%(place)s: counts more pages than %(word)s has (%(n)s)."),
    _("%(place)s: has over %(n)s characters; break it into pages."),
    _("%(place)s: is damaged (%(why)s); make the store anew."),
    _("%(place)s: is incomplete; make the store anew."),
    _("%(place)s: its files do not belong together; make the store anew."),
    _("%(place)s: is no store of %(what)s; make it anew."),
    _("%(place)s: is not of n-best lists; make the store anew."),
    _("%(place)s: is no table's or incomplete; make the store anew."),
    _("%(place)s: is no array of the kind expected; make the store anew."),
    _(
        "%(place)s: has no %(name)s; name a folder with WordNet's files (data.noun, index.noun, "
        "noun.exc and their like)."
    ),
    _("%(place)s: names no version of WordNet."),
    _("%(place)s: does not belong to its index; get WordNet anew."),
    _("The file needs more memory than the worker has: give a smaller one."),
    _("Reading the file took too long: give a smaller one."),
    _("There is no room left on the server’s disk: make some, then give the file again."),
]
