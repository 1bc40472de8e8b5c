/**
 * Moves what an older store kept in tables of their own: calendars, parameter sets, tokens, secrets, links of accounts, and
 * what was set by name: the client key, and who may do what with delegations. What a column put in order keeps that order.
 */
export const takeOverSettings = `
  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'calendar', CAST(id AS TEXT), row_number() OVER (PARTITION BY tenant ORDER BY id), folded,
    json_set(document, '$.id', id)
  FROM calendar;
  INSERT INTO last_number (tenant, kind, number)
  SELECT tenant, 'calendar', id FROM last_id WHERE tracker = '' AND kind = 'calendar';

  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'parameter-set', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    owner || char(10) || folded, document
  FROM parameter_set;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'token', id, row_number() OVER (PARTITION BY tenant ORDER BY created_at, id),
    json_object('id', id, 'user', user, 'admin', json(iif(admin = 1, 'true', 'false')), 'createdAt', created_at,
      'expiresAt', expires_at, 'active', json(iif(active = 1, 'true', 'false')))
  FROM token;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'secret', name, row_number() OVER (PARTITION BY tenant ORDER BY name), json_quote(value)
  FROM secret;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'fact', name, 1, document FROM setting WHERE name = 'client-key';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'delegation-permissions', substr(name, length('delegation-permissions ') + 1),
    row_number() OVER (PARTITION BY tenant ORDER BY name), document
  FROM setting WHERE name LIKE 'delegation-permissions %';

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'links ' || tracker, account, row_number() OVER (PARTITION BY tenant, tracker ORDER BY account),
    json_object('revision', revision, 'link', json(iif(user IS NULL, 'null', json_object(
      'account', account, 'user', user, 'by', said_by, 'at', at, 'proof', json(iif(token IS NULL, 'null', json_object(
        'token', token, 'admin', json(iif(token_admin = 1, 'true', 'false')))))))))
  FROM person_link;

  DROP TABLE calendar;
  DROP TABLE parameter_set;
  DROP TABLE token;
  DROP TABLE secret;
  DROP TABLE setting;
  DROP TABLE person_link;
`;
