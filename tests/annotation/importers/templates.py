"""Templates as people may write them."""

from hypothesis import strategies as st

from annotation.importers.campaign_template import (
    ACTIONS,
    CHECK_NAMES,
    KINDS,
    LAYOUTS,
    LEVELS,
    ORDERS,
)
from paraanno.common.panel_links import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    RuleTemplate,
    ScaleTemplate,
)

LETTERS = "aé ö-:#'\"|>&*!%@`,[]{}?\n\t0no가나🙂"
words = st.text(st.sampled_from(LETTERS), max_size=40)
lines = words.map(lambda text: " ".join(text.split()))
some = lines.filter(bool)
share = st.integers(1, 100).map(lambda n: n / 100)


@st.composite
def scales(draw, name):
    step = draw(st.sampled_from([0.5, 1, 2]))
    minimum = draw(st.integers(-5, 5))
    steps = draw(st.integers(1, 8))
    values = [minimum + step * number for number in range(steps + 1)]
    labelled = draw(st.lists(st.sampled_from(values), unique=True, max_size=4))
    return ScaleTemplate(
        name=name,
        question=draw(words),
        points=tuple((one, draw(words), draw(words)) for one in sorted(labelled, reverse=True)),
        level=draw(st.sampled_from(LEVELS)),
        minimum=minimum,
        maximum=values[-1],
        step=step,
        higher_is_better=draw(st.booleans()),
        copy_at_top=draw(st.booleans()),
        threshold=draw(st.none() | st.sampled_from(values)),
        required=draw(st.booleans()),
    )


settings = st.fixed_dictionaries(
    {
        "name": some,
        "description": words,
        "language": st.sampled_from(["", "en", "ko", "no"]),
        "annotators_per_sheet": st.integers(1, 9),
        "max_per_sheet": st.none() | st.integers(1, 9),
        "order": st.sampled_from(ORDERS),
        "shared_share": share,
        "lease_minutes": st.integers(1, 90),
        "allow_revision": st.booleans(),
        "layout": st.sampled_from(LAYOUTS),
        "layout_choice": st.booleans(),
        "allow_removal": st.booleans(),
        "allow_erasure": st.booleans(),
        "erasure_removes": st.booleans(),
    }
)
questions = st.lists(st.sampled_from(["age", "no", "q1"]), unique=True).flatmap(
    lambda names: st.tuples(*(question(name) for name in names))
)


@st.composite
def question(draw, name):
    kind = draw(st.sampled_from(KINDS))
    options = draw(st.lists(some, min_size=2, max_size=4, unique=True)) if "choice" in kind else []
    return QuestionTemplate(name, draw(some), kind, tuple(options), draw(st.booleans()))


@st.composite
def practices(draw, asked):
    texts = []
    for number in range(draw(st.integers(0, 2)) if asked else 0):
        bands = {
            one.name: (one.minimum, draw(st.sampled_from([one.minimum, one.maximum])), "")
            for one in asked
        }
        part = "practice" if number == 0 else "test"
        twice = draw(st.booleans())
        sentence = f"A word {number} and a word {number}." if twice else f"A word {number}."
        start = 2 if twice else None
        texts.append(PracticeTextTemplate(sentence, f"word {number}", "term", bands, part, start))
    return PracticeTemplate(
        required=draw(st.booleans()),
        share=draw(share),
        tries=draw(st.integers(1, 5)),
        tolerance={one.name: one.step for one in asked if draw(st.booleans())},
        texts=tuple(texts),
    )


rules = st.builds(
    RuleTemplate, st.sampled_from(CHECK_NAMES), st.integers(1, 50), share, st.sampled_from(ACTIONS)
)
checks = st.builds(
    ChecksTemplate,
    repeat_share=share,
    repeat_after=st.integers(1, 50),
    fast_seconds=st.integers(0, 50).map(lambda n: n / 2),
    delay_least=st.just(2),
    delay_most=st.integers(2, 9),
    rules=st.lists(rules, max_size=3, unique_by=lambda one: (one.check, one.action)).map(tuple),
)
money = st.none() | st.integers(0, 99_999_999).map(lambda cents: cents / 100)
maybe = st.none() | st.integers(1, 500)
panels = st.builds(
    PanelTemplate,
    name=some.filter(lambda text: len(text) > 1),
    sheets_per_person=st.integers(1, 100),
    max_participants=maybe,
    minutes=maybe,
    parameter=st.sampled_from(["PROLIFIC_PID", "workerId"]),
    session_parameter=st.sampled_from(["", "SESSION_ID"]),
    id_pattern=st.sampled_from(["", "[0-9a-f]{24}"]),
    return_url=st.sampled_from(["", "https://platform.example/done?cc={code}&who={id}"]),
    pay=money,
    pay_floor=money,
    bonus=money,
    currency=st.sampled_from(["", "EUR", "\u20a9"]),
    contact=lines,
)


@st.composite
def templates(draw):
    names = draw(st.lists(st.sampled_from(["MEANING", "GRAMMAR", "뜻"]), unique=True))
    asked = tuple(draw(scales(name)) for name in names)
    return CampaignTemplate(
        settings=draw(settings),
        scales=asked,
        guidelines=draw(words),
        consent=draw(words).strip(),
        background=draw(questions),
        practice=draw(practices(asked)),
        checks=draw(checks),
        panel=draw(st.lists(panels, max_size=2, unique_by=lambda one: one.name).map(tuple)),
    )
