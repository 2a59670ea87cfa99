"""What metrics say in English: summaries, options, reasons. See scoring/wording.py."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

METRICS = [
    _(
        '0 to 100. Orders that a text is too short for are left out ("effective order"), so that '
        "an identical pair of two words has 100 and not 0; a corpus with any text of four words is "
        "not touched by that. Unit and system scores equal sacrebleu's with the same options."
    ),
    _("0 (a copy) to 1 (no n-gram shared)."),
    _(
        "-1 to 1: the mean cosine of each word of the paraphrase to its nearest word in the "
        "original, times a factor that falls as the two share more words."
    ),
    _("There is no reference."),
    _("-1 to 1: the cosine of two texts, each as one vector that a neural model makes of it."),
    _(
        "-1 to 1, mostly 0.3 to 1: each token matched with the nearest one of the other text, by "
        "the vectors that a neural model gives them in their contexts."
    ),
    _(
        "0 (a copy, or nothing in common) to 1: the weighted harmonic mean of the likeness in "
        "meaning by a neural model and of the difference in wording by self-BLEU."
    ),
    _(
        "-1.05 to 1.0175: the likeness in meaning by a neural model, plus a small reward for a "
        "difference in wording from the original, or a small punishment where there is hardly any."
    ),
    _("The model: the name of a folder that the administrator put among the models."),
    _("The vector of a text: mean of its tokens, or cls, the first token of the model."),
    _("The layer whose vectors are compared: last, or its number from 0 upwards."),
    _(
        "What is reported: f (the harmonic mean of both), precision (how near the tokens of the "
        "paraphrase have one in the other text) or recall (the other way round)."
    ),
    _("How many times meaning weighs as much as wording."),
    _(
        "Without references: yes takes the likeness with the original alone, no the greatest of "
        "those with the original and with the references."
    ),
    _("Precision or recall is not above 0: they have no harmonic mean."),
    _("The paraphrase has %(n)s tokens: the model takes at most %(most)s."),
    _("The text compared with has %(n)s tokens: the model takes at most %(most)s."),
    _("The paraphrase has no words."),
    _("The original has no words."),
    _("The text compared with has no words."),
    _("No text of this system has a score."),
    _("The file has no score for this text."),
    _("This import has not finished: import the file again."),
    _("No text of this system has words and something to compare."),
    _("No word of the paraphrase has a vector."),
    _("No word of the original has a vector."),
    _("No word is shared, and zero_overlap=undefined."),
    _("No word of the paraphrase can be compared: none is in the original or has a vector."),
    _("The paraphrase has %(n)s characters: %(metric)s compares at most %(most)s."),
    _("The text compared with has %(n)s characters: %(metric)s compares at most %(most)s."),
    _(
        "What the paraphrase is compared with; auto takes the references where there are any, else "
        "the original."
    ),
    _("This metric always compares with the original."),
    _("Of several references: %(ways)s."),
    _("multi uses them together as the metric defines it; %(more)s"),
    _("multi uses them together as the metric defines it"),
    _("max takes the best score (the lowest where lower is better); %(more)s"),
    _("max takes the best score (the lowest where lower is better)"),
    _("mean takes the mean of the scores; %(more)s"),
    _("mean takes the mean of the scores"),
    _(
        "How texts are cut: 13a (mteval), intl (Unicode punctuation), char, zh, ko (Korean "
        "morphemes), or none (at white space)."
    ),
    _(
        "How texts are cut: words (letters and digits of any script; punctuation falls away), 13a "
        "(mteval), intl (Unicode punctuation), char, zh, ko (Korean morphemes), or none (at white "
        "space)."
    ),
    _("Ignore upper and lower case."),
    _("What to do with an order that has no match."),
    _("The longest n-grams compared."),
    _(
        "It names word vectors: a text file of word2vec, GloVe or fastText, a binary one of "
        "word2vec (.bin), or a store made from one."
    ),
    _(
        "The paper's factor where no word is shared (0/0): one, as for one shared word; zero; or "
        "undefined, so that the text gets no score."
    ),
    _(
        "A word without a vector that the original does not have: zero counts it as unlike "
        "everything; skip leaves it out of the mean."
    ),
    _(
        "Shared words: tokens (each occurrence, at most as often as in the original), types (each "
        "word once), or types_by_tokens (sqrt(types) / tokens)."
    ),
    _("paper: sqrt(N) / N; share: 1 - N / n, which does not punish long texts (ours)."),
    _("0 (no word in common) to 1 (the same words, in any order)."),
    _(
        "What is reported: f (the harmonic mean of both), precision (the share of the "
        "paraphrase that is matched) or recall (the share of the text compared with)."
    ),
    _(
        "Compare stems in place of words: porter, for English alone, on words of four letters "
        "or more."
    ),
    _("0 (no two words in a row in common) to 1 (the same pairs of neighbours)."),
    _(
        "0 (no word in common) to 1 (the same words in the same order), by the longest sequence"
        " of words that both texts have in this order, with or without others between them."
    ),
    _(
        "0 (nothing in common) to 1 (a copy): 1 minus the least number of words put in, taken "
        "out or replaced, divided by the length of the longer text."
    ),
    _("What is put in, taken out or replaced."),
    _(
        "0 (nothing in common) to 1 (the same words): the words in both texts divided by the "
        "words in either, each word once."
    ),
    _("Compare sets of n words in a row."),
    _(
        "Above 0; 1 for as many words as the text compared with. Neither more nor less is "
        "better: it says what a correlation may be due to."
    ),
    _(
        "0 (no word in common) to nearly 1: words matched as they are, by stem, or as synonyms "
        "of WordNet, with a penalty where matched words stand in another order. For English."
    ),
    _("The weight of recall against precision."),
    _("How steeply the penalty for the order grows."),
    _("The greatest penalty for the order."),
    _(
        "What is looked up in WordNet: stems, as nltk does, of which it has few; or words, which "
        "match where they share a set of synonyms, as in the paper."
    ),
    _(
        "-1 to 1: the cosine of two texts, each as the mean of the vectors of its words. Words "
        "without a vector are left out."
    ),
    _(
        "mean counts each word alike; sif lets words that are frequent in the campaign count "
        "less (Arora et al. 2017)."
    ),
    _(
        "What all texts of the campaign have in common, their first singular vector: keep or "
        "remove it (Arora et al. 2017)."
    ),
    _(
        "0 (the same words) to 2, lower is nearer: how far the words of one text have to move "
        "to become those of the other, in the space of word vectors. Words without a vector are"
        " left out."
    ),
    _("There are no two words in a row to compare."),
    _("Both texts are too short for n words in a row."),
    _("The word vectors of a text cancel each other out."),
    _(
        "0 to 1: the share of the reference's words that the paraphrase says, in other words of a "
        "paraphrase table or in the same words."
    ),
    _(
        "It names a paraphrase table: phrase TAB paraphrase, with or without TAB probability; "
        "PPDB; a Moses phrase table, which is pivoted; or a store made from one."
    ),
    _(
        "Which tiers count: 3 (all), 2 (without single words of the table), or para_only (without "
        "identical words)."
    ),
    _("Pairs of the table below this probability do not count."),
    _("States of the exact search in tier 1; beyond, integer programming takes over."),
    _("Seconds for integer programming; then the best choice found so far counts."),
    _(
        "0 to 2, with TER also below 0: the score that a model gave the paraphrase, scaled to 0 to "
        "1, plus that of a metric. Only for texts that the model's n-best lists hold."
    ),
    _(
        "-0.5 to 2, with TER also lower: a metric, plus the model's score of the realisation "
        "nearest to the paraphrase, minus the edits to it. Far from all realisations the metric "
        "stands alone."
    ),
    _(
        "It names n-best lists: original TAB realisation TAB model score, JSON Lines of the same, "
        "or a store made from one."
    ),
    _(
        "The metric that is added, from 0 to 1: those up to 100 are divided by 100, and of TER it "
        "is 1 - TER."
    ),
    _("Beyond this edit rate the metric alone is the score."),
    _("There is no n-best list of this original."),
    _("The paraphrase is not among the n-best realisations of this original."),
    _("0 to 1: the share of the original's meaningful morphemes that the paraphrase has too."),
    _(
        "0 to 1: as APEM, with synonyms matched too. The synonyms of a file count whatever they "
        "mean in the sentence."
    ),
    _(
        "0 to 1: as APEM_SD, but of the synonyms only those that pass a threshold of the "
        "normalised Google distance."
    ),
    _(
        "0 to 1: a weighted mean of BLEU and APEM. BLEU looks at wording against references, APEM "
        "at morphemes against the original."
    ),
    _(
        "A weighted sum of the scores of other metrics, as they are or brought on one scale over "
        "the whole campaign. Without a score where one of its parts has none."
    ),
    _("The original has no meaningful morphemes."),
    _("The part %(part)s has no score: %(why)s"),
    _("The part %(part)s has the same score everywhere: it has no scale."),
    _("The language: ko takes morphemes by Kiwi, en content words by their lemma."),
    _(
        "Korean: merged makes one morpheme of letters and digits that touch (U2) and of a noun "
        "with its verb suffix; raw takes them as the analyser cuts them."
    ),
    _(
        "Korean: keep counts the positive copula and auxiliary verbs as meaningful; drop leaves "
        "them out, the auxiliary of negation among them."
    ),
    _("It names groups of synonyms: one group a line, words or phrases parted by tabs."),
    _("It names page counts: a table of them, or a corpus of one document a line to count in."),
    _("The distance at which synonyms are kept, as in keep_if."),
    _(
        "score_at_least keeps synonyms whose distance is the threshold or more, as the paper "
        "says; distance_at_most those whose distance is the threshold or less, as a distance "
        "means."
    ),
    _("The share of BLEU; APEM has the rest."),
    _(
        "How BLEU cuts texts: 13a (mteval), intl (Unicode punctuation), ko (Korean morphemes), or "
        "none (at white space)."
    ),
    _("The BLEU: bleu_1max is the paper's, words shared with one reference; bleu the usual."),
    _(
        "The APEM: apem takes identical morphemes, apem_sd synonyms too, apem_sdgd those that a "
        "distance confirms."
    ),
    _(
        "The parts: names of metrics with + between them, each with its options in braces, as in "
        "bleu{smooth=none;lowercase=yes}+pinc."
    ),
    _("The weight of each part, with + between them, or equal."),
    _(
        "Before they are added: none takes scores as they are; minmax brings them to 0 to 1 and z "
        "to mean 0 and standard deviation 1 over the campaign, both turning round those of which "
        "lower is better."
    ),
    _(
        "0 upwards without a limit: n-grams shared with the references, each worth more the "
        "rarer it is after the words before it among all references of the campaign."
    ),
    _(
        "0 (a copy) upwards, 100 for as many edits as the reference has words: the least "
        "number of words put in, taken out, replaced, and blocks of words moved. Lower is "
        "better."
    ),
    _("Part marks from words, as Tercom does."),
    _("Take punctuation out."),
    _(
        "Chinese and Japanese: with normalized=yes each character is a word, with "
        "no_punct=yes their marks go too."
    ),
    _("Upper and lower case are different."),
    _("0 to 100: the F-score of n-grams of characters, recall weighted `beta` times."),
    _("The longest n-grams of characters."),
    _("The longest n-grams of words; 2 is chrF++."),
    _("How many times recall weighs as much as precision."),
    _("Blanks count as characters."),
    _(
        "yes takes the mean of the F-scores of all orders, as chrF++.py, NLTK and Moses do; "
        "no takes the F-score of mean precision and mean recall over the orders that both "
        "texts have."
    ),
    _(
        "0 to 100: the F-score of n-grams of characters and of words up to two, recall "
        "weighted `beta` times. The same as chrF with word_order 2."
    ),
    _(
        "0 to 1: the share of the words of the paraphrase that the reference has too; of "
        "several references the greatest share. No longer n-grams, no penalty for short "
        "texts."
    ),
    _(
        "A repeated word is identical at most as often as the reference has it; no counts "
        "each one, so that one right word repeated has 1."
    ),
    _(
        "0 to 100: BLEU of the paraphrase against its original. High means copied, low means "
        "reworded or off the subject; lower is better."
    ),
    _(
        "-100 to 100: alpha * BLEU(paraphrase, references) - (1 - alpha) * BLEU(paraphrase, "
        "original). Near the references is good, a copy of the original is not."
    ),
    _("The weight of the references, a number from 0 to 1; the original has the rest."),
    _(
        "0 to 100: the mean BLEU of every paraphrase of an original against every other one "
        "of it. Low means that they differ from each other; lower is better."
    ),
    _(
        "The text compared with has words that the information counts of this run do not "
        "know: start a new run."
    ),
    _("An earlier version of the software made this run: start a new one."),
    _("Only one paraphrase of this original has words: there is none to compare it with."),
    _("This original has more than %(n)s paraphrases: too many to compare each with each."),
]
