import pytest

from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid
from annotation.importing.tables import mapping_keep
from annotation.models import AuditEntry


def test_an_equal_mapping_is_kept_once():
    campaign = campaign_create(actor=None, slug="camp")
    data = {"what": "items", "columns": [{"column": "A", "name": "Satz", "role": "sentence"}]}
    first = mapping_keep(campaign=campaign, mapping=data, file_name="/x/a.xlsx", actor=None)
    again = mapping_keep(campaign=campaign, mapping=first.mapping, file_name="b.xlsx", actor=None)
    assert first == again and again.file_name == "a.xlsx"
    assert AuditEntry.objects.filter(verb="keep mapping").count() == 1
    with pytest.raises(Invalid):
        mapping_keep(campaign=campaign, mapping={"what": "x"}, file_name="c.xlsx", actor=None)
