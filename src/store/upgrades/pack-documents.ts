import type { DatabaseSync } from 'node:sqlite';
import { createIssuePacker } from '../packed/pack-issue.ts';
import type { OnUpgrade } from '../upgrade-progress.ts';
import { openStoredTerms } from './stored-terms.ts';

/** Issues that are packed between two reports of progress. */
const AT_ONCE = 1000;

/**
 * Makes packed rows of issues that were stored as JSON documents, one after the other; their numbers follow the order in
 * which they came. To be called in a transaction. A change of how an issue is packed needs a step that packs all again.
 */
export function packDocuments(database: DatabaseSync, onUpgrade: OnUpgrade = () => {}): void {
  database.exec(`
    DROP INDEX issue_recent;
    DROP INDEX issue_revision;
    DROP INDEX issue_tracker_id;
    DROP INDEX issue_facts;
    DROP INDEX issue_cut;
    DROP INDEX issue_unread_roles;
    ALTER TABLE issue RENAME TO issue_document;
    CREATE TABLE issue (
      -- Stays as long as the issue, whatever its key; never another issue's.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      tracker TEXT NOT NULL,
      -- Upper case.
      key TEXT NOT NULL,
      revision INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      tracker_id TEXT,
      source_updated INTEGER,
      cut INTEGER NOT NULL,
      unread_roles INTEGER NOT NULL,
      -- The issue with its whole history; last, so that the rest is read without it.
      packed BLOB NOT NULL
    ) STRICT;
    -- What packed issues call by a number, as JSON; neither changed nor removed.
    CREATE TABLE issue_term (
      tracker TEXT NOT NULL,
      kind TEXT NOT NULL,
      number INTEGER NOT NULL,
      term TEXT NOT NULL,
      PRIMARY KEY (tracker, kind, number)
    ) STRICT, WITHOUT ROWID;
  `);
  const documents = database.prepare('SELECT * FROM issue_document ORDER BY rowid');
  const put = database.prepare(`
    INSERT INTO issue (tracker, key, revision, updated, tracker_id, source_updated, cut, unread_roles, packed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const stored = new Map<string, ReturnType<typeof openStoredTerms>>();
  const packers = new Map<string, ReturnType<typeof createIssuePacker>>();
  const of = Number(database.prepare('SELECT count(*) AS of FROM issue_document').get()?.of);
  let done = 0;
  for (const row of documents.iterate()) {
    if (done % AT_ONCE === 0) onUpgrade({ step: 'packing issues', done, of });
    done += 1;
    const { key, revision, updated, tracker_id, source_updated, cut, unread_roles } = row;
    const tracker = String(row.tracker);
    const ofTracker = stored.get(tracker) ?? openStoredTerms(database, { tracker });
    stored.set(tracker, ofTracker);
    const pack = packers.get(tracker) ?? createIssuePacker(ofTracker.terms);
    packers.set(tracker, pack);
    const packed = pack(JSON.parse(String(row.document)));
    put.run(
      ...[tracker, key ?? '', revision ?? 0, updated ?? 0],
      ...[tracker_id ?? null, source_updated ?? null, cut ?? 0, unread_roles ?? 0, packed],
    );
  }
  for (const { store } of stored.values()) store();
  // All at once takes less time than row by row.
  database.exec(`
    DROP TABLE issue_document;
    CREATE UNIQUE INDEX issue_key ON issue (tracker, key);
    CREATE UNIQUE INDEX issue_revision ON issue (tracker, revision);
    CREATE UNIQUE INDEX issue_tracker_id ON issue (tracker, tracker_id) WHERE tracker_id IS NOT NULL;
    CREATE INDEX issue_recent ON issue (tracker, updated);
    CREATE INDEX issue_cut ON issue (tracker) WHERE cut = 1;
    CREATE INDEX issue_unread_roles ON issue (tracker) WHERE unread_roles = 1;
  `);
}
