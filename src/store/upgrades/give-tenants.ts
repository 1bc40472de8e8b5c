/** Makes a table again with these columns after the tenant, in rowid order if it has one; `rows` reads its rows. */
function again(table: string, columns: string, rows = "SELECT 'default', * FROM old"): string {
  const isNumbered = !['issue_term', 'issue_seen', 'issue_rejected'].includes(table);
  return `
    ALTER TABLE ${table} RENAME TO old;
    CREATE TABLE ${table} (
    tenant TEXT NOT NULL,${columns}
    ) STRICT${isNumbered ? '' : ', WITHOUT ROWID'};
    INSERT INTO ${table} ${rows}${isNumbered ? ' ORDER BY rowid' : ''};
    DROP TABLE old;`;
}

/**
 * A step of the schema: every row belongs to a tenant, first in every key; what there is to `default`. Tables are made
 * again, but for that of the issues: of a million, only the indexes are.
 */
export const giveTenants = [
  `
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
  `,
  again(
    'issue_term',
    `
    -- What packed issues call by a number, as JSON; neither changed nor removed.
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    term TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, kind, number)`,
  ),
  again(
    'issue_removed',
    `
    -- Keys under which there is no issue any more; they share their revisions with the issues.
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, key)`,
  ),
  `
  CREATE UNIQUE INDEX issue_removed_revision ON issue_removed (tenant, tracker, revision);
  `,
  again(
    'issue_alias',
    `
    -- Keys that issues had before.
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, key)`,
  ),
  again(
    'issue_former_key',
    `
    -- Keys that issues had before, as their histories say: files tell no id that stays.
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    issue_key TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, key)`,
  ),
  again(
    'issue_seen',
    `
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, tracker_id)`,
  ),
  again(
    'issue_rejected',
    `
    -- Issues the tracker has and that could not be taken: they are tried again.
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    key TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- As the tracker has it; null where it was not told.
    source_updated INTEGER,
    tried_at INTEGER NOT NULL,
    pause_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, tracker_id)`,
  ),
  again(
    'status',
    `
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    scope TEXT,
    listed TEXT`,
  ),
  `
  -- One row per list that has the status, and one without a list for what issues tell of it.
  CREATE UNIQUE INDEX status_once ON status (tenant, tracker, id, ifnull(listed, ''));
  DROP TRIGGER user_put;
  `,
  again(
    'user',
    `
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, id)`,
  ),
  again(
    'user_revision',
    `
    -- Rises whenever users are put.
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant)`,
  ),
  again(
    'fill',
    `
    tracker TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker)`,
  ),
  again(
    'directory_entry',
    `
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    -- A list of the tracker's tells of it, as opposed to issues only.
    listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, tracker, kind, id)`,
  ),
  again(
    'sync_state',
    `
    tracker TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker)`,
  ),
  again(
    'sync_lease',
    `
    tracker TEXT NOT NULL,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker)`,
  ),
  again(
    'token',
    `
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)`,
  ),
  again(
    'secret',
    `
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant, name)`,
  ),
  again(
    'setting',
    `
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, name)`,
  ),
  again(
    'last_id',
    `
    -- Neither ids of delegations, of categories nor of calendars (which are of no tracker) are given twice, also not one that
    -- was removed.
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, kind)`,
  ),
  `INSERT INTO last_id SELECT 'default', '', 'calendar', seq FROM sqlite_sequence WHERE name = 'calendar';`,
  again(
    'calendar',
    `
    id INTEGER NOT NULL,
    document TEXT NOT NULL,
    -- Names are unique as they are compared; null where one may be anybody's.
    folded TEXT,
    PRIMARY KEY (tenant, id)`,
  ),
  `
  CREATE UNIQUE INDEX calendar_name ON calendar (tenant, folded);
  `,
  again(
    'parameter_set',
    `
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    owner TEXT,
    -- As of a calendar, within what is its owner's; null also of a set that was deleted.
    folded TEXT,
    PRIMARY KEY (tenant, id)`,
  ),
  `
  CREATE UNIQUE INDEX parameter_set_name ON parameter_set (tenant, owner, folded);
  `,
  again(
    'delegation_category',
    `
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- The name as it is compared: SQLite itself knows the case of ASCII letters only.
    folded TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (tenant, tracker, id)`,
  ),
  `
  CREATE UNIQUE INDEX delegation_category_name ON delegation_category (tenant, tracker, folded);
  `,
  again(
    'delegation',
    `
    -- A row per version; rows are neither changed nor removed.
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    saved_by TEXT,
    saved_at INTEGER,
    -- Rises with every version of any delegation.
    revision INTEGER NOT NULL,
    PRIMARY KEY (tenant, tracker, id, version)`,
  ),
  `
  CREATE UNIQUE INDEX delegation_revision ON delegation (tenant, tracker, revision);
  `,
  again(
    'person_link',
    `
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
    PRIMARY KEY (tenant, tracker, account)`,
  ),
  again(
    'export',
    `
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
    PRIMARY KEY (tenant, id)`,
    // Documents say whom they are for as 0.8.0 called it; a principal is a tenant's.
    `
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
  FROM old`,
  ),
  `
  CREATE INDEX export_of_account ON export (tenant, account, served);
  CREATE INDEX export_served ON export (tenant, served);
  CREATE INDEX export_to_do ON export (tenant, created_at)
  WHERE state IN ('Queued', 'Running') OR delivery_pending = 1;
  `,
  again(
    'digest',
    `
    -- The document has neither what the other columns tell nor how the last period ended.
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    paused INTEGER NOT NULL,
    next_due INTEGER,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, id)`,
  ),
  `
  CREATE INDEX digest_of_owner ON digest (tenant, owner);
  CREATE INDEX digest_due ON digest (tenant, next_due) WHERE paused = 0;
  `,
  again(
    'digest_period',
    `
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
    PRIMARY KEY (tenant, digest, due)`,
  ),
  `
  CREATE INDEX digest_period_to_do ON digest_period (tenant, due) WHERE state = 'claimed';
  CREATE INDEX digest_period_age ON digest_period (tenant, finished_at) WHERE finished_at IS NOT NULL;
  `,
  again(
    'watch',
    `
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant, id)`,
  ),
  `
  CREATE INDEX watch_of_owner ON watch (tenant, owner);
  `,
  again(
    'watch_alert',
    `
    watch TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    state TEXT NOT NULL,
    account TEXT,
    claimed_at INTEGER NOT NULL,
    settled_at INTEGER,
    PRIMARY KEY (tenant, watch, key, since)`,
  ),
  again(
    'snooze',
    `
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (tenant, account, key, since)`,
  ),
  again(
    'cache',
    `
    -- Small state by key, as the cache writes it: {"value": {"at": …, "value": …}}.
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    -- From when on it can be swept out; null: never.
    expires_at INTEGER,
    PRIMARY KEY (tenant, key)`,
  ),
  `
  CREATE INDEX cache_expiry ON cache (tenant, expires_at) WHERE expires_at IS NOT NULL;
  `,
].join('\n');
