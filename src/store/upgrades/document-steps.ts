/** The steps of the schema before issues were packed, when each was a document. */
export const documentSteps: readonly string[] = [
  `
  CREATE TABLE issue (
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    project TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tracker, key)
  ) STRICT;
  CREATE INDEX issue_recent ON issue (tracker, updated DESC, key);
  CREATE TABLE status (
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    scope TEXT,
    listed TEXT
  ) STRICT;
  -- One row per list that has the status, and one without a list for what issues tell of it.
  CREATE UNIQUE INDEX status_once ON status (tracker, id, ifnull(listed, ''));
  CREATE TABLE user (
    tracker TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tracker, id)
  ) STRICT;
  CREATE TABLE fill (
    tracker TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    active INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE secret (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Rises with every change of any issue; what is there already gets its numbers in the order it came.
  ALTER TABLE issue ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  UPDATE issue SET revision = numbered.revision
  FROM (SELECT rowid AS row, row_number() OVER (ORDER BY rowid) AS revision FROM issue) AS numbered
  WHERE issue.rowid = numbered.row;
  CREATE UNIQUE INDEX issue_revision ON issue (tracker, revision);
  CREATE TABLE directory_entry (
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tracker, kind, id)
  ) STRICT;
  CREATE TABLE calendar (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL
  ) STRICT;
  -- Trackers bring calendars along, whose ids are small.
  INSERT INTO sqlite_sequence (name, seq) VALUES ('calendar', 100);
  CREATE TABLE parameter_set (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE page_list (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    question TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX page_list_of_owner ON page_list (owner, created_at);
  CREATE INDEX page_list_age ON page_list (created_at);
  `,
  `
  CREATE TABLE export (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    admin INTEGER NOT NULL,
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
    served INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX export_of_user ON export (user, served);
  CREATE INDEX export_served ON export (served);
  CREATE INDEX export_to_do ON export (created_at) WHERE state IN ('Queued', 'Running') OR delivery_pending = 1;
  `,
  `
  -- Neither ids of delegations nor of categories are given twice, also not one that was removed.
  CREATE TABLE last_id (
    tracker TEXT NOT NULL,
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (tracker, kind)
  ) STRICT;
  CREATE TABLE delegation_category (
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- The name as it is compared: SQLite itself knows the case of ASCII letters only.
    folded TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (tracker, id)
  ) STRICT;
  CREATE UNIQUE INDEX delegation_category_name ON delegation_category (tracker, folded);
  -- A row per version; rows are neither changed nor removed.
  CREATE TABLE delegation (
    tracker TEXT NOT NULL,
    id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    saved_by TEXT,
    saved_at INTEGER,
    -- Rises with every version of any delegation.
    revision INTEGER NOT NULL,
    PRIMARY KEY (tracker, id, version)
  ) STRICT;
  CREATE UNIQUE INDEX delegation_revision ON delegation (tracker, revision);
  CREATE TABLE person_link (
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
    PRIMARY KEY (tracker, account)
  ) STRICT;
  -- One row, which rises with every user that is put (and, put, replaces another), also by an older process.
  CREATE TABLE user_revision (revision INTEGER NOT NULL) STRICT;
  INSERT INTO user_revision (revision) VALUES (0);
  CREATE TRIGGER user_put AFTER INSERT ON user BEGIN UPDATE user_revision SET revision = revision + 1; END;
  `,
  `
  CREATE TABLE question_run (
    id TEXT PRIMARY KEY,
    asked_at INTEGER NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX question_run_age ON question_run (asked_at);
  CREATE TABLE channel (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE preference (
    account TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
  -- The document has neither what the other columns tell nor how the last period ended.
  CREATE TABLE digest (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    paused INTEGER NOT NULL,
    next_due INTEGER,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX digest_of_owner ON digest (owner);
  CREATE INDEX digest_due ON digest (next_due) WHERE paused = 0;
  CREATE TABLE digest_period (
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
    PRIMARY KEY (digest, due)
  ) STRICT;
  CREATE INDEX digest_period_to_do ON digest_period (due) WHERE state = 'claimed';
  CREATE INDEX digest_period_age ON digest_period (finished_at) WHERE finished_at IS NOT NULL;
  CREATE TABLE watch (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX watch_of_owner ON watch (owner);
  CREATE TABLE watch_alert (
    watch TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    state TEXT NOT NULL,
    account TEXT,
    claimed_at INTEGER NOT NULL,
    settled_at INTEGER,
    PRIMARY KEY (watch, key, since)
  ) STRICT;
  CREATE TABLE snooze (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (account, key, since)
  ) STRICT;
  `,
  `
  -- The id in the tracker, which stays when the key changes; what was imported before has none.
  ALTER TABLE issue ADD COLUMN tracker_id TEXT;
  -- The tracker's own word of when it was updated.
  ALTER TABLE issue ADD COLUMN source_updated INTEGER;
  -- Its history is not whole.
  ALTER TABLE issue ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
  UPDATE issue SET cut = 1 WHERE json_extract(document, '$.history.complete') = 0;
  CREATE UNIQUE INDEX issue_tracker_id ON issue (tracker, tracker_id) WHERE tracker_id IS NOT NULL;
  -- Tells of many issues what is kept of them without a look at their documents.
  CREATE INDEX issue_facts ON issue (tracker, tracker_id, key, source_updated, cut);
  CREATE INDEX issue_cut ON issue (tracker) WHERE cut = 1;
  -- Keys under which there is no issue any more; they share their revisions with the issues.
  CREATE TABLE issue_removed (
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (tracker, key)
  ) STRICT;
  CREATE UNIQUE INDEX issue_removed_revision ON issue_removed (tracker, revision);
  -- Keys that issues had before.
  CREATE TABLE issue_alias (
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tracker, key)
  ) STRICT;
  -- A list of the tracker's tells of it, as opposed to issues only.
  ALTER TABLE directory_entry ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE sync_state (
    tracker TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE sync_lease (
    tracker TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE issue_seen (
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    PRIMARY KEY (tracker, tracker_id)
  ) STRICT, WITHOUT ROWID;
  -- Issues the tracker has and that could not be taken: they are tried again.
  CREATE TABLE issue_rejected (
    tracker TEXT NOT NULL,
    tracker_id TEXT NOT NULL,
    key TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- As the tracker has it; null where it was not told.
    source_updated INTEGER,
    tried_at INTEGER NOT NULL,
    pause_ms INTEGER NOT NULL,
    PRIMARY KEY (tracker, tracker_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Keys that issues had before, as their histories say: files have no id that stays.
  CREATE TABLE issue_former_key (
    tracker TEXT NOT NULL,
    key TEXT NOT NULL,
    issue_key TEXT NOT NULL,
    PRIMARY KEY (tracker, key)
  ) STRICT;
  `,
  `
  -- Of whom an issue is restricted to, 0.6.0 kept only that there is a field for it: whether anybody, nobody knows.
  ALTER TABLE issue ADD COLUMN unread_roles INTEGER NOT NULL DEFAULT 0;
  -- Without the tracker's word of when it was updated, a synchronisation reads an issue again.
  UPDATE issue SET unread_roles = 1, source_updated = NULL
  WHERE json_type(document, '$.fields.issuerestriction') = 'null';
  CREATE INDEX issue_unread_roles ON issue (tracker) WHERE unread_roles = 1;
  -- And it does so at once.
  UPDATE sync_state SET document = json_set(document, '$.thoroughAt', NULL)
  WHERE tracker IN (SELECT tracker FROM issue WHERE unread_roles = 1);
  `,
  `
  -- Names are unique as they are compared; null where one may be anybody's, as of a set that was deleted.
  ALTER TABLE calendar ADD COLUMN folded TEXT;
  ALTER TABLE parameter_set ADD COLUMN owner TEXT;
  ALTER TABLE parameter_set ADD COLUMN folded TEXT;
  UPDATE calendar SET folded = folded_name(json_extract(document, '$.name'));
  UPDATE parameter_set SET owner = json_extract(document, '$.ownerId'),
    folded = folded_name(json_extract(document, '$.name'))
  WHERE json_extract(document, '$.deleted') IS NOT 1;
  -- Two processes could give a name twice: the older keeps it, a later one gets its number as well.
  UPDATE calendar SET document = json_set(document, '$.name', json_extract(document, '$.name') || ' (' || id || ')')
  WHERE EXISTS (SELECT 1 FROM calendar AS older WHERE older.folded = calendar.folded AND older.id < calendar.id);
  UPDATE parameter_set
  SET document = json_set(document, '$.name', json_extract(document, '$.name') || ' (' || rowid || ')')
  WHERE EXISTS (SELECT 1 FROM parameter_set AS older
    WHERE older.owner = parameter_set.owner AND older.folded = parameter_set.folded AND older.rowid < parameter_set.rowid);
  UPDATE calendar SET folded = folded_name(json_extract(document, '$.name'));
  UPDATE parameter_set SET folded = folded_name(json_extract(document, '$.name')) WHERE folded IS NOT NULL;
  -- What has that name by chance is left alone until it is renamed.
  UPDATE calendar SET folded = NULL
  WHERE EXISTS (SELECT 1 FROM calendar AS older WHERE older.folded = calendar.folded AND older.id < calendar.id);
  UPDATE parameter_set SET folded = NULL
  WHERE EXISTS (SELECT 1 FROM parameter_set AS older
    WHERE older.owner = parameter_set.owner AND older.folded = parameter_set.folded AND older.rowid < parameter_set.rowid);
  CREATE UNIQUE INDEX calendar_name ON calendar (folded);
  CREATE UNIQUE INDEX parameter_set_name ON parameter_set (owner, folded);
  `,
  `
  -- Small state by key, as the cache writes it: {"value": {"at": …, "value": …}}.
  CREATE TABLE cache (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    -- From when on it can be swept out; null: never.
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX cache_expiry ON cache (expires_at) WHERE expires_at IS NOT NULL;
  -- The oldest first: what comes last goes last where there are too many.
  INSERT INTO cache (key, value, expires_at)
  SELECT 'run:' || id, json_object('value', json_object('at', asked_at, 'value', json(document))),
    asked_at + 90 * 86400000
  FROM question_run ORDER BY asked_at, rowid;
  INSERT INTO cache (key, value, expires_at)
  SELECT 'pages/' || hex(owner) || ':' || id,
    json_object('value', json_object('at', created_at, 'value', json(document))), created_at + 3 * 86400000
  FROM page_list ORDER BY created_at, rowid;
  INSERT OR REPLACE INTO cache (key, value, expires_at)
  SELECT 'newest-pages/' || hex(owner) || ':' || question,
    json_object('value', json_object('at', created_at, 'value', id)), created_at + 3 * 86400000
  FROM page_list ORDER BY created_at, rowid;
  INSERT INTO cache (key, value)
  SELECT 'channel:' || id, json_object('value', json_object('at', 0, 'value', json(document))) FROM channel ORDER BY id;
  INSERT INTO cache (key, value)
  SELECT 'preferences:' || account, json_object('value', json_object('at', 0, 'value', json(document)))
  FROM preference ORDER BY account;
  INSERT INTO cache (key, value)
  SELECT 'formats:', json_object('value', json_object('at', 0, 'value', json(document)))
  FROM setting WHERE name = 'date-formats';
  DELETE FROM setting WHERE name = 'date-formats';
  DROP TABLE question_run;
  DROP TABLE page_list;
  DROP TABLE channel;
  DROP TABLE preference;
  `,
];
