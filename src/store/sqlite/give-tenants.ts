/**
 * Gives every row a tenant, first in every key: what there is belongs to `default`. Tables are made again, but for that of
 * the issues: of a million, only the indexes are. Rows without a key of their own keep their order.
 */
export const giveTenants = `
  -- A default value costs nothing for the rows that are there.
  ALTER TABLE issue ADD COLUMN tenant TEXT NOT NULL DEFAULT 'default';
  DROP INDEX issue_key;
  DROP INDEX issue_revision;
  DROP INDEX issue_tracker_id;
  DROP INDEX issue_recent;
  DROP INDEX issue_cut;
  DROP INDEX issue_unread_roles;
  CREATE UNIQUE INDEX issue_key ON issue (tenant, tracker, key);
  CREATE UNIQUE INDEX issue_revision ON issue (tenant, tracker, revision);
  CREATE UNIQUE INDEX issue_tracker_id ON issue (tenant, tracker, tracker_id) WHERE tracker_id IS NOT NULL;
  CREATE INDEX issue_recent ON issue (tenant, tracker, updated);
  CREATE INDEX issue_cut ON issue (tenant, tracker) WHERE cut = 1;
  CREATE INDEX issue_unread_roles ON issue (tenant, tracker) WHERE unread_roles = 1;

  ALTER TABLE issue_term RENAME TO old;
  -- What packed issues call by a number, as JSON; neither changed nor removed.
  CREATE TABLE issue_term (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    term TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, kind, number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO issue_term SELECT 'default', tracker, kind, number, term FROM old;
  DROP TABLE old;

  ALTER TABLE issue_removed RENAME TO old;
  -- Keys under which there is no issue any more; they share their revisions with the issues.
  CREATE TABLE issue_removed (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, key)
  ) STRICT;
  INSERT INTO issue_removed SELECT 'default', tracker, key, revision FROM old;
  DROP TABLE old;
  CREATE UNIQUE INDEX issue_removed_revision ON issue_removed (tenant, tracker, revision);

  ALTER TABLE issue_alias RENAME TO old;
  -- Keys that issues had before.
  CREATE TABLE issue_alias (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, key)
  ) STRICT;
  INSERT INTO issue_alias SELECT 'default', tracker, key, tracker_id FROM old;
  DROP TABLE old;

  ALTER TABLE issue_former_key RENAME TO old;
  -- Keys that issues had before, as their histories say: files tell no id that stays.
  CREATE TABLE issue_former_key (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    issue_key TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, key)
  ) STRICT;
  INSERT INTO issue_former_key SELECT 'default', tracker, key, issue_key FROM old;
  DROP TABLE old;

  ALTER TABLE issue_seen RENAME TO old;
  CREATE TABLE issue_seen (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, tracker_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO issue_seen SELECT 'default', tracker, tracker_id FROM old;
  DROP TABLE old;

  ALTER TABLE issue_rejected RENAME TO old;
  -- Issues the tracker has and that could not be taken: they are tried again.
  CREATE TABLE issue_rejected (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    key TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- As the tracker has it; null where it was not told.
    source_updated INTEGER,
    tried_at INTEGER NOT NULL,
    pause_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, tracker_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO issue_rejected
  SELECT 'default', tracker, tracker_id, key, reason, source_updated, tried_at, pause_ms FROM old;
  DROP TABLE old;

  ALTER TABLE status RENAME TO old;
  CREATE TABLE status (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    scope TEXT,
    listed TEXT
  ) STRICT;
  INSERT INTO status SELECT 'default', tracker, id, name, category, scope, listed FROM old ORDER BY rowid;
  DROP TABLE old;
  -- One row per list that has the status, and one without a list for what issues tell of it.
  CREATE UNIQUE INDEX status_once ON status (tenant, tracker, id, ifnull(listed, ''));

  DROP TRIGGER user_put;
  ALTER TABLE user RENAME TO old;
  CREATE TABLE user (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, id)
  ) STRICT;
  INSERT INTO user SELECT 'default', tracker, id, document FROM old;
  DROP TABLE old;

  ALTER TABLE user_revision RENAME TO old;
  -- Rises whenever users are put.
  CREATE TABLE user_revision (
    tenant TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO user_revision SELECT 'default', max(revision) FROM old;
  DROP TABLE old;

  ALTER TABLE fill RENAME TO old;
  CREATE TABLE fill (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker)
  ) STRICT;
  INSERT INTO fill SELECT 'default', tracker, at FROM old;
  DROP TABLE old;

  ALTER TABLE directory_entry RENAME TO old;
  CREATE TABLE directory_entry (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    -- A list of the tracker's tells of it, as opposed to issues only.
    listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, tracker, kind, id)
  ) STRICT;
  INSERT INTO directory_entry SELECT 'default', tracker, kind, id, document, listed FROM old ORDER BY rowid;
  DROP TABLE old;

  ALTER TABLE sync_state RENAME TO old;
  CREATE TABLE sync_state (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker)
  ) STRICT;
  INSERT INTO sync_state SELECT 'default', tracker, document FROM old;
  DROP TABLE old;

  ALTER TABLE sync_lease RENAME TO old;
  CREATE TABLE sync_lease (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker)
  ) STRICT;
  INSERT INTO sync_lease SELECT 'default', tracker, holder, held_until FROM old;
  DROP TABLE old;

  ALTER TABLE token RENAME TO old;
  CREATE TABLE token (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  INSERT INTO token SELECT 'default', id, user, admin, created_at, expires_at, active FROM old;
  DROP TABLE old;

  ALTER TABLE secret RENAME TO old;
  CREATE TABLE secret (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant, name)
  ) STRICT;
  INSERT INTO secret SELECT 'default', name, value FROM old;
  DROP TABLE old;

  ALTER TABLE setting RENAME TO old;
  CREATE TABLE setting (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, name)
  ) STRICT;
  INSERT INTO setting SELECT 'default', name, document FROM old;
  DROP TABLE old;

  ALTER TABLE last_id RENAME TO old;
  -- Neither ids of delegations, of categories nor of calendars (which are of no tracker) are given twice, also not one that
  -- was removed.
  CREATE TABLE last_id (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, kind)
  ) STRICT;
  INSERT INTO last_id SELECT 'default', tracker, kind, id FROM old;
  INSERT INTO last_id SELECT 'default', '', 'calendar', seq FROM sqlite_sequence WHERE name = 'calendar';
  DROP TABLE old;

  ALTER TABLE calendar RENAME TO old;
  CREATE TABLE calendar (
    tenant TEXT NOT NULL,
    id INTEGER NOT NULL,
    document TEXT NOT NULL,
    -- Names are unique as they are compared; null where one may be anybody's.
    folded TEXT,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  INSERT INTO calendar SELECT 'default', id, document, folded FROM old;
  DROP TABLE old;
  CREATE UNIQUE INDEX calendar_name ON calendar (tenant, folded);

  ALTER TABLE parameter_set RENAME TO old;
  CREATE TABLE parameter_set (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    owner TEXT,
    -- As of a calendar, within what is its owner's; null also of a set that was deleted.
    folded TEXT,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  INSERT INTO parameter_set SELECT 'default', id, document, owner, folded FROM old ORDER BY rowid;
  DROP TABLE old;
  CREATE UNIQUE INDEX parameter_set_name ON parameter_set (tenant, owner, folded);

  ALTER TABLE delegation_category RENAME TO old;
  CREATE TABLE delegation_category (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- The name as it is compared: SQLite itself knows the case of ASCII letters only.
    folded TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, id)
  ) STRICT;
  INSERT INTO delegation_category SELECT 'default', tracker, id, name, folded, description FROM old;
  DROP TABLE old;
  CREATE UNIQUE INDEX delegation_category_name ON delegation_category (tenant, tracker, folded);

  ALTER TABLE delegation RENAME TO old;
  -- A row per version; rows are neither changed nor removed.
  CREATE TABLE delegation (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    saved_by TEXT,
    saved_at INTEGER,
    -- Rises with every version of any delegation.
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, id, version)
  ) STRICT;
  INSERT INTO delegation
  SELECT 'default', tracker, id, version, document, saved_by, saved_at, revision FROM old;
  DROP TABLE old;
  CREATE UNIQUE INDEX delegation_revision ON delegation (tenant, tracker, revision);

  ALTER TABLE person_link RENAME TO old;
  CREATE TABLE person_link (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    account TEXT NOT NULL,
    -- Null: nobody's any more.
    user TEXT,
    said_by TEXT,
    at INTEGER,
    -- The token that proved it, and whether it was an admin's; null: an admin said it.
    token TEXT,
    token_admin INTEGER,
    -- Rises with everything that is said of the account: an invitation is for one revision.
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, account)
  ) STRICT;
  INSERT INTO person_link
  SELECT 'default', tracker, account, user, said_by, at, token, token_admin, revision FROM old;
  DROP TABLE old;

  ALTER TABLE export RENAME TO old;
  CREATE TABLE export (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The principal who asked for it.
    account TEXT NOT NULL,
    rights TEXT NOT NULL,
    wish TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    completed INTEGER NOT NULL,
    total INTEGER NOT NULL,
    message TEXT,
    file_name TEXT,
    bytes INTEGER,
    provenance TEXT,
    scope TEXT,
    finished_at INTEGER,
    expires_at INTEGER,
    delivery TEXT,
    delivery_pending INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    holder TEXT,
    held_until INTEGER NOT NULL DEFAULT 0,
    -- Whoever holds it must stop, for it was aborted; others leave it alone until that is done.
    revoked INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    -- Rises with every export that is taken up, so that owners can take turns.
    served INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  -- Documents say whom they are for as 0.8.0 called it; a principal is a tenant's.
  INSERT INTO export
  SELECT 'default', id, user,
    CASE WHEN json_extract(wish, '$.request.asker.isStranger') THEN 'stranger' WHEN admin THEN 'admin' ELSE 'user' END,
    json_set(
      json_remove(wish, '$.request.asker', '$.askerName'),
      '$.principalName', json_extract(wish, '$.askerName'),
      '$.request.principal', json_object('tenant', 'default', 'account', user, 'rights',
        CASE WHEN json_extract(wish, '$.request.asker.isStranger') THEN 'stranger' WHEN admin THEN 'admin' ELSE 'user' END)),
    state, created_at, completed, total, message, file_name, bytes,
    CASE WHEN json_extract(provenance, '$.dependsOnAsker') IS NULL THEN provenance ELSE json_set(
      json_remove(provenance, '$.dependsOnAsker'), '$.dependsOnPrincipal', json('true')) END,
    scope, finished_at, expires_at, delivery, delivery_pending, attempts, holder, held_until, revoked, not_before, served
  FROM old ORDER BY rowid;
  DROP TABLE old;
  CREATE INDEX export_of_account ON export (tenant, account, served);
  CREATE INDEX export_served ON export (tenant, served);
  CREATE INDEX export_to_do ON export (tenant, created_at)
  WHERE state IN ('Queued', 'Running') OR delivery_pending = 1;

  ALTER TABLE digest RENAME TO old;
  -- The document has neither what the other columns tell nor how the last period ended.
  CREATE TABLE digest (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    paused INTEGER NOT NULL,
    next_due INTEGER,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  INSERT INTO digest SELECT 'default', id, owner, paused, next_due, document FROM old;
  DROP TABLE old;
  CREATE INDEX digest_of_owner ON digest (tenant, owner);
  CREATE INDEX digest_due ON digest (tenant, next_due) WHERE paused = 0;

  ALTER TABLE digest_period RENAME TO old;
  CREATE TABLE digest_period (
    tenant TEXT NOT NULL,
    digest TEXT NOT NULL,
    due INTEGER NOT NULL,
    state TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '{}',
    attempts INTEGER NOT NULL DEFAULT 0,
    message TEXT,
    finished_at INTEGER,
    holder TEXT,
    held_until INTEGER NOT NULL DEFAULT 0,
    -- When it was meant to be told: the next working day may be months away.
    planned_for INTEGER NOT NULL,
    -- Until when it rests after an attempt.
    not_before INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, digest, due)
  ) STRICT;
  INSERT INTO digest_period
  SELECT 'default', digest, due, state, note, attempts, message, finished_at, holder, held_until, planned_for, not_before
  FROM old;
  DROP TABLE old;
  CREATE INDEX digest_period_to_do ON digest_period (tenant, due) WHERE state = 'claimed';
  CREATE INDEX digest_period_age ON digest_period (tenant, finished_at) WHERE finished_at IS NOT NULL;

  ALTER TABLE watch RENAME TO old;
  CREATE TABLE watch (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  INSERT INTO watch SELECT 'default', id, owner, document FROM old ORDER BY rowid;
  DROP TABLE old;
  CREATE INDEX watch_of_owner ON watch (tenant, owner);

  ALTER TABLE watch_alert RENAME TO old;
  CREATE TABLE watch_alert (
    tenant TEXT NOT NULL,
    watch TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    state TEXT NOT NULL,
    account TEXT,
    claimed_at INTEGER NOT NULL,
    settled_at INTEGER,
    PRIMARY KEY (tenant, watch, key, since)
  ) STRICT;
  INSERT INTO watch_alert SELECT 'default', watch, key, since, state, account, claimed_at, settled_at FROM old;
  DROP TABLE old;

  ALTER TABLE snooze RENAME TO old;
  CREATE TABLE snooze (
    tenant TEXT NOT NULL,
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (tenant, account, key, since)
  ) STRICT;
  INSERT INTO snooze SELECT 'default', account, key, since, until FROM old;
  DROP TABLE old;

  ALTER TABLE cache RENAME TO old;
  -- Small state by key, as the cache writes it: {"value": {"at": …, "value": …}}.
  CREATE TABLE cache (
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    -- From when on it can be swept out; null: never.
    expires_at INTEGER,
    PRIMARY KEY (tenant, key)
  ) STRICT;
  -- The oldest first: what comes last goes last where there are too many.
  INSERT INTO cache SELECT 'default', key, value, expires_at FROM old ORDER BY rowid;
  DROP TABLE old;
  CREATE INDEX cache_expiry ON cache (tenant, expires_at) WHERE expires_at IS NOT NULL;
`;
