/** The rows of the versions of a delegation become one document; so do categories, which are listed before them. */
export const takeOverDelegations = `
  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'delegations ' || tracker, series || ' ' || id,
    row_number() OVER (PARTITION BY tenant, tracker ORDER BY series, id), name, document
  FROM (
    SELECT tenant, tracker, 'category' AS series, id, folded AS name,
      json_object('category', json_object('id', id, 'name', name, 'description', description)) AS document
    FROM delegation_category
    UNION ALL
    SELECT tenant, tracker, 'delegation', id, NULL,
      json_object('versions', json_group_array(
        json_set(document, '$.id', id, '$.version', version, '$.savedBy', saved_by, '$.savedAt', saved_at)
        ORDER BY version))
    FROM delegation GROUP BY tenant, tracker, id);

  INSERT INTO last_number (tenant, kind, number)
  SELECT tenant, 'delegations ' || tracker || ' ' || kind, id FROM last_id WHERE kind IN ('category', 'delegation');

  DROP TABLE delegation;
  DROP TABLE delegation_category;
  DROP TABLE last_id;
`;
