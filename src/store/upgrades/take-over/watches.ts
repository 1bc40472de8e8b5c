/** Moves watches and snoozes of a store of 0.8 among the documents; what watches alerted people to stays where it is. */
export const takeOverWatches = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'watches', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid), document
  FROM watch;

  -- All of an account are one document.
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'snoozes', account, row_number() OVER (PARTITION BY tenant ORDER BY account),
    json_group_array(
      json_object('account', account, 'key', key, 'since', since, 'until', until) ORDER BY key, since
    )
  FROM snooze GROUP BY tenant, account;

  DROP TABLE watch;
  DROP TABLE snooze;
`;
