"""The mark that asks for the runs of the demo."""

from scoring.work.workers import demo_mark, demo_pending


def test_the_mark_names_the_campaign(data_dir):
    assert demo_pending() is None
    demo_mark().write_text("17")
    assert demo_mark().parent == data_dir and demo_pending() == 17
