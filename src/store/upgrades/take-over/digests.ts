/** Moves digests and their periods of an older store; periods are in the order in which they were due. */
export const takeOverDigests = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'digest', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    json_set(document, '$.id', id, '$.owner', owner, '$.paused', json(iif(paused = 1, 'true', 'false')),
      '$.nextDue', next_due)
  FROM digest;

  INSERT INTO work (tenant, kind, id, owner, added, open, planned_for, not_before, holder, held_until, served, document)
  SELECT tenant, 'digest-period', digest || ' ' || due, digest,
    row_number() OVER (PARTITION BY tenant ORDER BY due, digest),
    CASE
      WHEN state = 'claimed' THEN 'post'
      WHEN state = 'failed' AND json_extract(note, '$.told') IS NULL THEN 'report'
    END,
    iif(state = 'claimed', planned_for, due), not_before, holder, held_until, 0,
    json_object('run', json_object('digestId', digest, 'due', due, 'state', state, 'note', json(note),
      'attempts', attempts, 'message', message, 'skipReason', skip_reason, 'finishedAt', finished_at),
      'plannedFor', planned_for)
  FROM digest_period;

  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'work digest-period', count(*), lower(hex(randomblob(6))) FROM digest_period GROUP BY tenant;

  DROP TABLE digest_period;
  DROP TABLE digest;
`;
