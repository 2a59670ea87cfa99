"""What decides about an annotator's next sheet, in one statement: see `sql.claim_state`."""

from __future__ import annotations

# The sheets that an annotator may have, perhaps a fraction above; NULL where nothing bounds them.
AT_MOST = """
SELECT min(bound) FROM (
  SELECT COALESCE(annotator.sheets_at_most,
    (SELECT mine.sheets_at_most FROM annotation_workgroup mine WHERE mine.id = annotator.group_id),
    (SELECT rule.sheets_at_most FROM annotation_workrule rule
     WHERE rule.campaign_id = annotator.campaign_id)) AS bound
  UNION ALL
  SELECT rule.largest_share * (
    SELECT count(*) FROM annotation_sheet sheet
    WHERE sheet.campaign_id = rule.campaign_id AND sheet.for_annotator_id IS NULL) + 1e-9
  FROM annotation_workrule rule
  WHERE rule.campaign_id = annotator.campaign_id AND rule.largest_share IS NOT NULL
  UNION ALL
  SELECT own.total_at_most - (
    SELECT count(*) FROM annotation_slot slot
    JOIN annotation_annotator other ON other.id = slot.annotator_id
    WHERE other.group_id = own.id AND other.id <> annotator.id
      AND slot.state IN ('claimed', 'done'))
  FROM annotation_workgroup own
  WHERE own.id = annotator.group_id AND own.total_at_most IS NOT NULL) bounds
"""
BOUND = "SELECT ({at_most}) FROM annotation_annotator annotator WHERE annotator.id = %s".replace(
    "{at_most}", AT_MOST
)
# From the tenth column on: the steps before the next sheet, in the order of `steps.py`.
# Whether a participant's part has ended: `quota_full` is open again where a place is free.
# For practice only what a simple query can tell: it is required, and neither a researcher's grant
# nor a passed test has let the annotator in.
STANDING = """
SELECT
  EXISTS (SELECT 1 FROM annotation_exclusion exclusion
          WHERE exclusion.annotator_id = annotator.id AND exclusion.ends_at IS NULL)
  OR EXISTS (SELECT 1 FROM annotation_withdrawal withdrawal
             WHERE withdrawal.annotator_id = annotator.id AND withdrawal.ended_at IS NULL),
  EXISTS (SELECT 1 FROM annotation_slot slot
          WHERE slot.annotator_id = annotator.id AND slot.state = 'claimed'),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.for_annotator_id = annotator.id AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = annotator.id)),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.campaign_id = annotator.campaign_id AND sheet.shared AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = annotator.id)),
  (SELECT count(*) FROM annotation_slot slot
   WHERE slot.annotator_id = annotator.id AND slot.state IN ('claimed', 'done')) > ({at_most}) - 1,
  annotator.ineligible_since IS NOT NULL,
  EXISTS (SELECT 1 FROM annotation_participant part
          WHERE part.annotator_id = annotator.id AND part.outcome NOT IN ('', 'quota_full')
            AND NOT EXISTS (SELECT 1 FROM annotation_participant newer
                            WHERE newer.annotator_id = annotator.id AND newer.id > part.id)),
  EXISTS (SELECT 1 FROM annotation_workrule rule
          WHERE rule.campaign_id = annotator.campaign_id AND rule.lists <> ''),
  EXISTS (SELECT 1 FROM annotation_workgroup own
          WHERE own.id = annotator.group_id AND own.total_at_most IS NOT NULL),
  EXISTS (
    SELECT 1 FROM annotation_consenttext text
    WHERE text.campaign_id = annotator.campaign_id AND text.text <> ''
      AND NOT EXISTS (SELECT 1 FROM annotation_consenttext newer
                      WHERE newer.campaign_id = text.campaign_id AND newer.version > text.version)
      AND NOT EXISTS (SELECT 1 FROM annotation_consent consent
                      WHERE consent.text_id = text.id AND consent.annotator_id = annotator.id
                        AND consent.ended_at IS NULL)),
  EXISTS (
    SELECT 1 FROM annotation_backgroundquestion question
    WHERE question.campaign_id = annotator.campaign_id AND question.hidden_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM annotation_backgroundanswer answer
                      WHERE answer.question_id = question.id
                        AND answer.annotator_id = annotator.id)),
  EXISTS (SELECT 1 FROM annotation_practicerule asked
          WHERE asked.campaign_id = annotator.campaign_id AND asked.required)
  AND NOT EXISTS (SELECT 1 FROM annotation_practicegrant given
                  WHERE given.annotator_id = annotator.id AND given.kind = 'pass')
  AND NOT EXISTS (SELECT 1 FROM annotation_practiceattempt test
                  WHERE test.annotator_id = annotator.id AND test.part = 'test' AND test.passed),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = annotator.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND rule.act = 'pause'),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = annotator.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND act.read_at IS NULL AND rule.act = 'warn')
FROM annotation_annotator annotator WHERE annotator.id = %s
""".replace("{at_most}", AT_MOST)
