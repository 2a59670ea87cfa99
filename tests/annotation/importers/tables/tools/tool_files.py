"""The files of tests/data/tools: what each holds, as the scripts that made them drew it.

The texts are numbered from 1, the people from 0.
"""

from dataclasses import dataclass

from tests import HOME

FOLDER = HOME / "tests/data/tools"
EN = [
    (
        "The committee postponed the vote until Monday.",
        "The panel delayed the vote to Monday.",
        "The committee put off voting until Monday.",
    ),
    (
        'She could hardly believe what the letter said, "You won".',
        'She scarcely believed the letter; it said "You won".',
        "She believed the letter.",
    ),
    (
        "Rain & wind are expected in the north tonight.",
        "Tonight the north will see rain & wind.",
        "In the north, rain and wind are likely tonight.",
    ),
    (
        "Our neighbour sold his old boat, which leaked.",
        "The neighbour sold his leaky old boat.",
        "Our neighbour got rid of an old boat that leaked.",
    ),
]
KO = [
    (
        "위원회는 투표를 월요일까지 미뤘다.",
        "위원회가 투표를 월요일로 연기했다.",
        "투표는 월요일까지 미뤄졌다.",
    ),
    (
        "오늘 밤 북쪽에는 비와 바람이 예상된다.",
        "오늘 밤 북쪽에 비바람이 불 것으로 보인다.",
        "북쪽은 오늘 밤 비가 온다.",
    ),
    (
        "이웃은 물이 새는 낡은 배를 팔았다.",
        "이웃은 낡고 물이 새는 배를 팔았다.",
        "이웃이 배를 샀다.",
    ),
]
DE = [
    (
        "Der Ausschuss verschob die Abstimmung auf Montag.",
        "Das Gremium vertagte die Abstimmung auf Montag.",
        "Abgestimmt wird erst am Montag.",
    ),
    (
        "Heute Nacht wird im Norden Regen erwartet.",
        "Im Norden soll es heute Nacht regnen.",
        "Für die Nacht ist im Norden Regen angesagt.",
    ),
    (
        "Der Nachbar verkaufte sein altes Boot, das leckte.",
        "Der Nachbar verkaufte sein leckes altes Boot.",
        "Das alte, undichte Boot hat der Nachbar verkauft.",
    ),
]
SYSTEMS = {id(EN): ("BART", "T5"), id(KO): ("BART", "KoT5"), id(DE): ("mT5", "Mensch")}


@dataclass(frozen=True)
class File:
    """What a file holds. `meaning(n, k)` is what person k gave text n; None: nothing.

    `systems` and `items` are False where the file has none. `left` are pieces of the ledger.
    `judgments`: "" if they are read without a question, else "asks" or "refused" and a word of why.
    """

    texts: list
    people: tuple = ()
    meaning: object = lambda n, k: None
    grammar: object = lambda n, k: None
    comments: int = 0
    systems: object = True
    references: int = 0
    items: str = ""
    judgments: str = ""
    left: tuple = ()
    first: str = ""  # a file whose items are imported before
    n: int = 0  # texts, if not all

    @property
    def pairs(self):
        pairs = [(one[0], text) for one in self.texts for text in one[1:]]
        return pairs[: self.n or None]

    @property
    def values(self):
        """{(person, paraphrase, scale): value}"""
        return {
            (who, text, scale): float(value)
            for scale, given in (("MEANING", self.meaning), ("GRAMMAR", self.grammar))
            for n, (_, text) in enumerate(self.pairs, 1)
            for k, who in enumerate(self.people)
            if (value := given(n, k)) is not None
        }


def without(given, *left):
    """The values but for some (text, person)."""
    return lambda n, k: None if (n, k) in left else given(n, k)


SKIP, DRAFT = "a skip is no judgment", "never handed in"
# Label Studio.
RATED = {
    0: [(5, 4), (4, 5), (1, 5), (2, 5), (5, 5), (4, 4), (5, 5)],
    1: [(4, 4), (4, 4), (2, 5), None, (4, None), (4, 4), (5, 4), (3, 4)],
}
rated = [lambda n, k, at=at: (one := (*RATED[k], None)[n - 1]) and one[at] for at in (0, 1)]
NUMBERED = {
    "texts": EN,
    "people": ("1", "2"),
    "meaning": rated[0],
    "grammar": rated[1],
    "comments": 2,
}
CHOSEN = {
    "texts": KO,
    "people": ("1", "2", "3"),
    "meaning": without(lambda n, k: ((n - 1) * 2 + k) % 5 + 1, (3, 1), (5, 2), (6, 2)),
    "grammar": without(lambda n, k: (5 - n + k) % 5 + 1, (3, 1), (5, 2), (6, 2)),
}
COUNTED = {
    "texts": DE,
    "people": ("2", "3"),
    "meaning": lambda n, k: (n - 1 + k) % 5 + 1,
    "grammar": lambda n, k: 5 - (n - 1 + k) % 4,
}
WIDE = {
    "texts": EN,
    "people": ("1", "2"),
    "references": 4,
    "meaning": lambda n, k: ((n - 1) // 2 + (k if n % 2 else 2 * k)) % 5 + 1,
}
# Potato.
POTATO = {
    "texts": EN,
    "people": ("ana@lab.example", "ben@lab.example", "chloe@lab.example"),
    "meaning": without(lambda n, k: ((n - 1) * 2 + k) % 5 + 1, (3, 1), (6, 2), (7, 2), (8, 2)),
    "grammar": without(lambda n, k: (n - 1 + k) % 3 + 3, (3, 1), (5, 1), (6, 2), (7, 2), (8, 2)),
}
NO_DATA = "refused: one zip"
# doccano.
LABELLED = {
    "texts": EN,
    "people": ("ana", "ben"),
    "comments": 2,
    "meaning": without(lambda n, k: ((n - 1) * 2 + k) % 5 + 1, (4, 1)),
    "grammar": without(lambda n, k: (n - 1 + k) % 3 + 3, (4, 1), (6, 1)),
}
APPROVED = LABELLED | {
    "meaning": without(LABELLED["meaning"], (5, 1)),
    "grammar": without(LABELLED["grammar"], (5, 1)),
}
LABELLED_KO = {
    "texts": KO,
    "people": ("ana", "ben", "chloe.k"),
    "comments": 2,
    "systems": False,
    "meaning": without(lambda n, k: (n - 1 + k) % 5 + 1, (4, 1)),
    "grammar": without(lambda n, k: ((n - 1) * 3 + k) % 5 + 1, (4, 1)),
}
# Argilla: person 2 answered about the first three texts.
USERS = tuple(f"01234567-8123-4567-8123-{456781234567 + k}" for k in range(3))
LATE = [(n, 2) for n in range(4, 9)]
ASKED = {
    "people": USERS,
    "comments": 2,
    "meaning": without(lambda n, k: (n * 2 + k) % 5 + 1, (2, 1), (4, 1), *LATE),
    "grammar": without(lambda n, k: (n + k) % 3 + 3, (2, 1), (4, 1), (5, 0), *LATE),
}
NO_STATUS = "asks: handed in"
# Hugging Face's datasets, MTurk, Prodigy, surveys: two formulas.
ONE, TWO = lambda n, k: (n + k) % 5 + 1, lambda n, k: (n * 2 + k) % 5 + 1
BOTH = {"meaning": ONE, "grammar": TWO}
LONG = {"texts": EN, "people": ("ana", "ben"), **BOTH}
LISTS = {"texts": KO, "people": ("하나", "두리"), **BOTH}
NESTED = {
    "texts": DE,
    "people": ("dora", "emil"),
    "references": 3,
    "meaning": lambda n, k: (1 - n % 2 + k) % 5 + 1,
    "grammar": lambda n, k: 5 - (1 - n % 2 + k) % 3,
}
WORKERS = ("A1AAA", "A2BBB", "A3CCC")
ASSIGNED = [(2, 1), (8, 2)]
FILES = {
    "label_studio/ratings.JSON.json": File(**NUMBERED, left=(SKIP, DRAFT)),
    "label_studio/ratings.JSON_MIN.json": File(**NUMBERED),
    "label_studio/ratings.CSV.csv": File(**NUMBERED),
    "label_studio/ratings.TSV.csv": File(**NUMBERED),
    "label_studio/ratings.api.json": File(**NUMBERED, left=(SKIP,)),
    "label_studio/ratings.snapshot.json": File(
        **NUMBERED | {"people": ("ana@lab.example", "ben@lab.example")}, left=(SKIP, DRAFT)
    ),
    "label_studio/choices.JSON.json": File(**CHOSEN, left=(SKIP,)),
    "label_studio/choices.JSON_MIN.json": File(**CHOSEN),
    "label_studio/choices.CSV.csv": File(**CHOSEN),
    "label_studio/numbers.JSON.json": File(**COUNTED),
    "label_studio/numbers.CSV.csv": File(**COUNTED),
    "label_studio/wide.JSON.json": File(**WIDE),
    "label_studio/wide.CSV.csv": File(**WIDE),
    "label_studio/preference.JSON.json": File(
        EN, systems=("a", "b"), judgments="refused: preferences"
    ),
    "label_studio/preference.CSV.csv": File(
        EN, systems=("a", "b"), judgments="refused: preferences"
    ),
    "label_studio/spans.JSON.json": File(EN, judgments="refused: marked spans"),
    "label_studio/spans.CSV.csv": File(EN, judgments="refused: marked spans"),
    "potato/en_project.zip": File(**POTATO, comments=2, left=(SKIP, "are newer")),
    "potato/de_project.zip": File(
        DE, ("dora", "emil"), lambda n, k: (n - 1 + k) % 5 + 1, lambda n, k: 5 - (n - 1 + k) % 4
    ),
    **{
        f"potato/{name}": File(EN, items=NO_DATA, judgments=NO_DATA)
        for name in (
            "en_annotation_output.zip",
            "de_annotation_output.zip",
            "en_annotations.csv",
            "en_annotations.tsv",
            "en_annotations.jsonl",
            "en_annotations.parquet",
            "de_annotations.csv",
        )
    },
    "doccano/meta.CSV.zip": File(**LABELLED, left=("labelled nothing", "without an answer")),
    "doccano/meta.JSONL.zip": File(**LABELLED, left=("labelled nothing",)),
    "doccano/meta.CSV.approved.zip": File(**APPROVED),
    "doccano/displayed.CSV.zip": File(**LABELLED_KO),
    "doccano/displayed.JSON.zip": File(**LABELLED_KO),
    "doccano/ana.csv": File(EN, judgments="asks: whose labels"),
    "doccano/shared.CSV.zip": File(EN, judgments="asks: who judged"),
    "doccano/one_scale.JSONL.zip": File(DE, judgments="asks: label"),
    "doccano/seq2seq.CSV.zip": File(EN, systems=("ana", "ben"), judgments="refused: nobody"),
    "doccano/seq2seq.JSON.zip": File(EN, systems=("ana", "ben"), judgments="refused: nobody"),
    "doccano/spans.JSONL.zip": File(
        [one[:2] for one in EN], systems=False, judgments="refused: marked spans"
    ),
    **{
        f"argilla/{name}": File(EN, **ASKED, left=(DRAFT, "discarded", "suggestions of a model"))
        for name in (
            "en.list_flat.json",
            "en.dict_flat.json",
            "en.hf.csv",
            "en.hf.jsonl",
            "en.parquet",
        )
    },
    "argilla/ko.list_flat.json": File(KO, **ASKED, left=(DRAFT, "discarded")),
    "argilla/ko.dict_flat.json": File(KO, **ASKED, left=(DRAFT, "discarded")),
    **{
        f"argilla/{name}.json": File(EN if name[:2] == "en" else KO, judgments=NO_STATUS)
        for name in ("en.to_json", "en.dict", "ko.to_json", "ko.dict")
    },
    **{
        f"datasets/{name}": File(
            **LONG | {"meaning": without(ONE, (3, 1)), "grammar": without(TWO, (3, 1))}
        )
        for name in ("long.parquet", "long_splits.zip")
    },
    "datasets/card.zip": File(**LONG),
    "datasets/words.parquet": File(EN, judgments="asks: meaning"),
    **{f"datasets/lists_ko.{end}": File(**LISTS) for end in ("parquet", "jsonl", "zip")},
    **{f"datasets/nested_de.{end}": File(**NESTED) for end in ("parquet", "jsonl")},
    "datasets/struct.jsonl": File(EN, references=4, judgments="refused: nobody"),
    "prodigy/choice.jsonl": File(
        EN,
        ("ana", "ben"),
        without(ONE, (3, 1), (6, 0)),
        without(TWO, (3, 1), (6, 0), (5, 1)),
        left=(SKIP, "says nothing on a scale"),
    ),
    "prodigy/null_session.jsonl": File(KO, systems=False, judgments="asks: who judged"),
    "prodigy/binary.jsonl": File(EN, judgments="refused: no points"),
    "mturk/options.csv": File(
        EN,
        WORKERS,
        without(ONE, *ASSIGNED),
        without(TWO, *ASSIGNED),
        comments=2,
        left=("rejected by the requester",),
    ),
    "mturk/grid.csv": File(EN, WORKERS[:2], ONE, TWO),
    "mturk/task_answers_de.csv": File(
        DE,
        WORKERS[:2],
        lambda n, k: ((n - 1) // 2 + 2 - n % 2 + k) % 5 + 1,
        lambda n, k: ((n - 1) // 2 + 2 * (2 - n % 2) + k) % 5 + 1,
    ),
    "mturk/words.csv": File(EN, judgments="asks: grammar"),
    "mturk/no_texts.csv": File(EN, items="refused: no texts", judgments="refused: no texts"),
    "wmt/mqm.tsv": File(
        [tuple(text.replace('"', "'") for text in one) for one in EN],
        judgments="refused: each error",
    ),
    "wmt/eval_set.zip": File(
        EN, systems=("BART", "T5", "refA"), references=4, judgments="refused: who judged"
    ),
    "wmt/appraise.csv": File(EN, items="refused: no texts", judgments="refused: no texts"),
    "wmt/blanks.csv": File(EN, items="refused: no texts", judgments="refused: no texts"),
    "surveys/qualtrics_labelled.csv": File(
        EN,
        tuple(f"R_3abc{k}" for k in (1, 2, 3)),
        without(lambda n, k: (n * 2 + k) % 5 + 1, (2, 1)),
        without(lambda n, k: (n * 2 + k + 1) % 5 + 1, (2, 1)),
        systems=False,
        n=4,
        left=("a preview",),
    ),
    "surveys/qualtrics_shown.csv": File(
        EN,
        ("R_3abc1", "R_3abc2"),
        lambda n, k: (n * 2 + k) % 5 + 1,
        lambda n, k: (n * 2 + k + 1) % 5 + 1,
        systems=False,
        n=4,
        left=("a preview",),
    ),
    "surveys/qualtrics_piped.csv": File(EN, items="refused: piped", judgments="refused: piped"),
    "surveys/forms_ko.csv": File(
        KO,
        ("hana@lab.example", "duri@lab.example"),
        lambda n, k: (n + k) % 5 + 1,
        without(lambda n, k: (n + k + 1) % 5 + 1, (2, 1)),
        systems=False,
        n=4,
    ),
    "surveys/forms_shown.csv": File(
        EN,
        tuple(f"respondent-{k}" for k in (1, 2, 3)),
        lambda n, k: (n + k) % 5 + 1,
        lambda n, k: (n + k + 1) % 5 + 1,
        items="refused: which is the original",
        n=4,
        first="mturk/options.csv",
    ),
    "surveys/forms_repeated.csv": File(
        EN, items="refused: which text", judgments="refused: which text"
    ),
}
