"""Interpolated modified Kneser-Ney with dictionaries, as the formulas are written."""

from collections import Counter, defaultdict


class PlainModel:
    def __init__(self, sentences, order):
        raw = Counter()
        for sentence in sentences:
            marked = ("<s>", *sentence, "</s>")
            for length in range(1, order + 1):
                raw.update(marked[at : at + length] for at in range(len(marked) - length + 1))
        self.raw = raw
        before = defaultdict(set)
        for ngram in raw:
            before[ngram[1:]].add(ngram[0])
        self.counts = {
            ngram: n if len(ngram) == order or ngram[0] == "<s>" else len(before[ngram])
            for ngram, n in raw.items()
            if ngram != ("<s>",)
        }
        self.words = sorted({ngram[0] for ngram in self.counts if len(ngram) == 1})
        self.discounts = {length: self._discounts(length) for length in range(1, order + 1)}
        self.after = defaultdict(dict)
        for ngram, n in self.counts.items():
            self.after[ngram[:-1]][ngram[-1]] = n

    def _discounts(self, length):
        n = Counter(count for ngram, count in self.counts.items() if len(ngram) == length)
        if min(n[1], n[2], n[3], n[4]) == 0:
            return (0.0, 0.5, 1.0, 1.5)
        y = n[1] / (n[1] + 2 * n[2])
        found = [j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3)]
        if any(not 0 <= d <= j for j, d in enumerate(found, 1)):
            return (0.0, 0.5, 1.0, 1.5)
        return (0.0, *found)

    def probability(self, context, word):
        """p(word | context); a context that was not seen is shortened."""
        after = self.after.get(context, {})
        if not after:
            return self.probability(context[1:], word)
        discount = self.discounts[len(context) + 1]
        total = sum(after.values())
        mass = sum(discount[min(n, 3)] for n in after.values())
        shorter = self.probability(context[1:], word) if context else 1 / (len(self.words) + 1)
        seen = after.get(word, 0)
        return (seen - discount[min(seen, 3)] + mass * shorter) / total
