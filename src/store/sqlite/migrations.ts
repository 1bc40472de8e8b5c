/**
 * The schema, one step per version ever released; a step is never edited afterwards. `PRAGMA user_version` counts
 * the steps a file has taken.
 */
export const migrations: readonly string[] = [
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
];
