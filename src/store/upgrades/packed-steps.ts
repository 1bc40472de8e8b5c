import type { DatabaseSync } from 'node:sqlite';
import type { Change, FieldValue } from '../../model/issue.ts';
import { historyValue } from '../../model/issues/value-sets.ts';
import { createIssueTerms, type WritableTerms } from '../packed/issue-terms.ts';
import { createIssuePacker } from '../packed/pack-issue.ts';
import { PackedIssue } from '../packed/packed-issue.ts';
import { createIssueUnpacker } from '../packed/unpack-issue.ts';
import type { Owner } from '../sql/tables.ts';
import type { OnUpgrade } from '../store.ts';

/** Issues that a step packs, or looks at, between two reports of progress; those looked at stay in memory meanwhile. */
const AT_ONCE = 1000;

/**
 * The terms of packed issues for a step of an upgrade: all that are stored of an owner, who is known by these columns.
 * `store` stores those that got their number since.
 */
function openStoredTerms(
  database: DatabaseSync,
  owner: Readonly<Record<string, string>>,
): { readonly terms: WritableTerms; store(): void } {
  const columns = Object.keys(owner);
  const values = Object.values(owner);
  const terms = createIssueTerms();
  const stored = database
    .prepare(
      `SELECT kind, number, term FROM issue_term WHERE ${columns.map((name) => `${name} = ?`).join(' AND ')}
       ORDER BY kind, number`,
    )
    .all(...values);
  terms.take(
    stored.map(({ kind, number, term }) => ({
      kind: String(kind),
      number: Number(number),
      term: String(term),
    })),
  );
  terms.begin();
  const put = database.prepare(
    `INSERT INTO issue_term (${columns.join(', ')}, kind, number, term)
     VALUES (${columns.map(() => '?').join(', ')}, ?, ?, ?)`,
  );
  return {
    terms,
    store() {
      for (const { kind, number, term } of terms.assigned()) put.run(...values, kind, number, term);
      terms.begin();
    },
  };
}

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

/**
 * A step of the schema: sets and cascading options in histories, which were kept as the changelog spells them, get the form
 * that contents have. Contents that were not read before (votes, links, second levels of options) have to come from the
 * tracker: a synchronisation reads every issue again, files are to be imported again. To be called in a transaction.
 */
export function settleHistories(database: DatabaseSync, onUpgrade: OnUpgrade = () => {}): void {
  const owners = database.prepare('SELECT DISTINCT tenant, tracker FROM issue').all();
  const of = Number(database.prepare('SELECT count(*) AS of FROM issue').get()?.of);
  let done = 0;
  const onIssues = (count: number) => {
    done += count;
    onUpgrade({ step: 'reading histories', done, of });
  };
  for (const owner of owners) settleOwner(database, [String(owner.tenant), String(owner.tracker)], onIssues);
  database.exec(`
    -- Without the tracker's word of when it was updated, a synchronisation reads an issue again.
    UPDATE issue SET source_updated = NULL WHERE EXISTS
      (SELECT 1 FROM sync_state WHERE sync_state.tenant = issue.tenant AND sync_state.tracker = issue.tracker);
    -- And it does so at once.
    UPDATE sync_state SET document = json_set(document, '$.thoroughAt', NULL) WHERE EXISTS
      (SELECT 1 FROM issue WHERE issue.tenant = sync_state.tenant AND issue.tracker = sync_state.tracker);
  `);
}

function settleOwner(
  database: DatabaseSync,
  [tenant, tracker]: Owner,
  onIssues: (count: number) => void,
): void {
  const { terms, store } = openStoredTerms(database, { tenant, tracker });
  const [unpacker, pack] = [createIssueUnpacker(terms), createIssuePacker(terms)];
  const some = database.prepare(
    'SELECT id, packed FROM issue WHERE tenant = ? AND tracker = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const put = database.prepare('UPDATE issue SET packed = ? WHERE id = ?');
  for (let last = 0; ; ) {
    const rows = some.all(tenant, tracker, last, AT_ONCE);
    if (rows.length === 0) {
      store();
      return;
    }
    onIssues(rows.length);
    for (const { id, packed } of rows) {
      last = Number(id);
      if (!(packed instanceof Uint8Array)) continue;
      const issue = new PackedIssue(packed, unpacker);
      const changes = issue.changes.map(settled);
      if (changes.every((change, i) => change === issue.changes[i])) continue;
      put.run(pack({ ...issue, changes }), last);
    }
  }
}

/** The very same change where it has that form already. */
function settled(change: Change): Change {
  const [from, to] = [change.from && settledValue(change.from), change.to && settledValue(change.to)];
  return from === change.from && to === change.to ? change : { ...change, from, to };
}

function settledValue(value: FieldValue): FieldValue | null {
  const other = historyValue(value);
  return other?.id === value.id && other.name === value.name ? value : other;
}
