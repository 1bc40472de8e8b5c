/** Moves queued exports of an older store; what was added first stays first. */
export const takeOverExports = `
  INSERT INTO work (tenant, kind, id, owner, added, open, planned_for, not_before, holder, held_until, served, document)
  SELECT tenant, 'export', id, account, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    CASE
      WHEN state IN ('Queued', 'Running') THEN 'make'
      WHEN delivery_pending = 1 THEN 'deliver ' || json_extract(delivery, '$.door')
      WHEN state = 'Successful' THEN 'has file'
    END,
    created_at, not_before, holder, held_until, served,
    json_object('id', id, 'input', json(wish), 'state', state, 'createdAt', created_at, 'completed', completed,
      'total', total, 'message', message, 'fileName', file_name, 'bytes', bytes, 'provenance', json(provenance),
      'scope', json(scope), 'finishedAt', finished_at, 'expiresAt', expires_at, 'delivery', json(delivery),
      'attempts', attempts)
  FROM export;

  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'work export', count(*), lower(hex(randomblob(6))) FROM export GROUP BY tenant;

  DROP TABLE export;
`;
