/** What was kept beside the issues of a tracker in tables of its own goes to documents; the issues stay as they are. */
export const takeOverIssues = `
  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'issues ' || tracker, max(revision), hex(randomblob(9))
  FROM (
    SELECT tenant, tracker, revision FROM issue UNION ALL SELECT tenant, tracker, revision FROM issue_removed)
  GROUP BY tenant, tracker;
  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'people ' || tracker, 1, hex(randomblob(9)) FROM user GROUP BY tenant, tracker;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'facts ' || tracker, 'filled', 1, CAST(at AS TEXT) FROM fill;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'facts ' || tracker, 'history values', 2, json_quote(document)
  FROM directory_entry WHERE kind = 'historyValues';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'sync ' || tracker, 'state', 1, document FROM sync_state;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'sync ' || tracker, 'lease', 2, json_object('holder', holder, 'until', held_until) FROM sync_lease;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'directory ' || tracker, kind, min(place), json_object('kind', kind, 'entries', json_group_array(json_object(
    'id', id, 'isListed', json(iif(listed = 1, 'true', 'false')), 'value', json(document))))
  FROM (SELECT rowid AS place, * FROM directory_entry WHERE kind <> 'historyValues' ORDER BY rowid)
  GROUP BY tenant, tracker, kind;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'statuses ' || tracker, ifnull(listed, ''), min(place), json_object('list', ifnull(listed, ''), 'statuses', json_group_array(json_object(
    'id', id, 'name', name, 'category', category, 'scope', scope, 'place', place)))
  FROM (SELECT rowid AS place, * FROM status ORDER BY rowid)
  GROUP BY tenant, tracker, ifnull(listed, '');
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'status categories ' || tracker, status, min(place), json_object(
    'status', status, 'settings', json_group_array(json_object('category', category, 'by', said_by, 'at', at)))
  FROM (SELECT rowid AS place, * FROM status_category ORDER BY rowid)
  GROUP BY tenant, tracker, status;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'rejected ' || tracker, tracker_id, row_number() OVER (ORDER BY tried_at, tracker_id), json_object(
    'id', tracker_id, 'key', key, 'reason', reason, 'updated', source_updated, 'triedAt', tried_at,
    'pauseMs', pause_ms)
  FROM issue_rejected;

  -- An older process that still runs writes to no table of these any more: it would not raise their area.
  INSERT INTO issue_gone (tenant, tracker, key, revision) SELECT tenant, tracker, key, revision FROM issue_removed;
  DROP TABLE issue_removed;

  DROP TABLE fill;
  DROP TABLE issue_rejected;
  DROP TABLE sync_state;
  DROP TABLE sync_lease;
  DROP TABLE directory_entry;
  DROP TABLE status;
  DROP TABLE status_category;
  DROP TABLE user_revision;
`;
