import type { DatabaseSync } from 'node:sqlite';
import type { Instant, Issue, User } from '../../model/issue.ts';
import { RESTRICTION } from '../../model/issue.ts';
import type { IssueStore, KeptIssue } from '../store.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';
import { createSqliteDirectory, createSqliteStatuses, rememberUsers } from './sqlite-directory.ts';

/** The issues of one tracker in SQLite, with people, statuses and lists. */
export function createSqliteIssues(database: DatabaseSync, tracker: string): IssueStore {
  // Every question about rights asks for everybody.
  const everybody = rememberUsers(database, tracker);

  return {
    ...createSqliteIssueRows(database, tracker),
    ...createSqliteStatuses(database, tracker),
    ...createSqliteDirectory(database, tracker),
    async users(ids) {
      if (ids === undefined) return everybody();
      const get = database.prepare('SELECT document FROM user WHERE tracker = ? AND id = ?');
      const found = [...new Set(ids)].flatMap((id): [string, User][] => {
        const row = get.get(tracker, id);
        return row === undefined ? [] : [[id, parseDocument<User>(row.document)]];
      });
      return new Map(found);
    },
    async putUsers(users) {
      const put = database.prepare('INSERT OR REPLACE INTO user (tracker, id, document) VALUES (?, ?, ?)');
      inTransaction(database, () => {
        for (const user of users) put.run(tracker, user.id, JSON.stringify(user));
      });
    },
    async filledAt() {
      const row = database.prepare('SELECT at FROM fill WHERE tracker = ?').get(tracker);
      return row === undefined ? null : Number(row.at);
    },
    async putFilledAt(at) {
      const put = database.prepare('INSERT OR REPLACE INTO fill (tracker, at) VALUES (?, ?)');
      inTransaction(database, () => put.run(tracker, at));
    },
  };
}

/** The issues of one tracker themselves: a row per issue, the issue with its changes as one JSON document. */
function createSqliteIssueRows(
  database: DatabaseSync,
  tracker: string,
): Pick<
  IssueStore,
  | 'issue'
  | 'formerKeys'
  | 'putIssues'
  | 'recentKeys'
  | 'count'
  | 'countUnreadRoles'
  | 'revision'
  | 'changedSince'
> {
  return {
    async issue(key) {
      const row =
        database
          .prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?')
          .get(tracker, key.toUpperCase()) ??
        database
          .prepare(`
            SELECT document FROM issue WHERE tracker = :tracker AND tracker_id =
              (SELECT tracker_id FROM issue_alias WHERE tracker = :tracker AND key = :key)`)
          .get({ tracker, key: key.toUpperCase() }) ??
        database
          .prepare(`
            SELECT document FROM issue WHERE tracker = :tracker AND key =
              (SELECT issue_key FROM issue_former_key WHERE tracker = :tracker AND key = :key)`)
          .get({ tracker, key: key.toUpperCase() });
      return row === undefined ? null : parseDocument<Issue>(row.document);
    },
    async formerKeys() {
      const rows = database
        .prepare(`
          SELECT former.key, former.issue_key FROM issue_former_key AS former
            WHERE former.tracker = :tracker
          UNION ALL
          SELECT alias.key, issue.key FROM issue_alias AS alias
            JOIN issue ON issue.tracker = alias.tracker AND issue.tracker_id = alias.tracker_id
            WHERE alias.tracker = :tracker`)
        .all({ tracker });
      return new Map(rows.map((row) => [String(row.key), String(row.issue_key)]));
    },
    async putIssues(issues, merge) {
      return inTransaction(database, () => {
        const write = createWriteIssue(database, tracker);
        return issues.map((issue) => write(issue, merge));
      });
    },
    async recentKeys(count) {
      return database
        .prepare('SELECT key FROM issue WHERE tracker = ? ORDER BY updated DESC, key LIMIT ?')
        .all(tracker, count)
        .map((row) => String(row.key));
    },
    async count() {
      return Number(database.prepare('SELECT count(*) AS n FROM issue WHERE tracker = ?').get(tracker)?.n);
    },
    async countUnreadRoles() {
      const sql = 'SELECT count(*) AS n FROM issue WHERE tracker = ? AND unread_roles = 1';
      return Number(database.prepare(sql).get(tracker)?.n);
    },
    async revision() {
      return issueRevision(database, tracker);
    },
    async changedSince(since, count) {
      // Each half comes from its own index in order, and no more of it is read than is told.
      const rows = database
        .prepare(`
          SELECT * FROM (
            SELECT document, NULL AS removed, revision FROM issue
            WHERE tracker = :tracker AND revision > :since ORDER BY revision LIMIT :count)
          UNION ALL
          SELECT * FROM (
            SELECT NULL AS document, key AS removed, revision FROM issue_removed
            WHERE tracker = :tracker AND revision > :since ORDER BY revision LIMIT :count)
          ORDER BY revision LIMIT :count`)
        .all({ tracker, since, count });
      return {
        issues: rows.flatMap((row) => (row.removed === null ? [parseDocument<Issue>(row.document)] : [])),
        removed: rows.flatMap((row) => (row.removed === null ? [] : [String(row.removed)])),
        revision: Number(rows.at(-1)?.revision ?? since),
      };
    },
  };
}

type Merge = (kept: Issue, incoming: Issue) => Issue;

/** Puts issues of a tracker one by one, giving out revisions. To be made and used in one transaction. */
function createWriteIssue(
  database: DatabaseSync,
  tracker: string,
): (incoming: Issue, merge: Merge) => KeptIssue {
  const byId = database.prepare('SELECT key, document FROM issue WHERE tracker = ? AND tracker_id = ?');
  const byKey = database.prepare('SELECT key, document FROM issue WHERE tracker = ? AND key = ?');
  const put = database.prepare(`
    INSERT INTO issue (tracker, key, project, created, updated, document, revision, tracker_id, source_updated, cut,
      unread_roles)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tracker, key) DO UPDATE SET project = excluded.project, created = excluded.created,
      updated = excluded.updated, document = excluded.document, revision = excluded.revision,
      tracker_id = excluded.tracker_id, source_updated = excluded.source_updated, cut = excluded.cut,
      unread_roles = excluded.unread_roles`);
  const lead = database.prepare(
    'INSERT OR REPLACE INTO issue_alias (tracker, key, tracker_id) VALUES (?, ?, ?)',
  );
  const byFormerKey = database.prepare(`
    SELECT issue.key, document FROM issue_former_key AS former
    JOIN issue ON issue.tracker = former.tracker AND issue.key = former.issue_key
    WHERE former.tracker = ? AND former.key = ? AND issue.created = ?`);
  const byKeyAndCreation = database.prepare(
    'SELECT key, document FROM issue WHERE tracker = ? AND key = ? AND created = ?',
  );
  const remember = database.prepare(`
    INSERT INTO issue_former_key (tracker, key, issue_key) VALUES (?, ?, ?)
    ON CONFLICT (tracker, key) DO UPDATE SET issue_key = excluded.issue_key
    WHERE issue_key <> excluded.issue_key`);
  const comeBack = database.prepare('DELETE FROM issue_removed WHERE tracker = ? AND key = ?');
  let last = issueRevision(database, tracker);
  const next = () => {
    last += 1;
    return last;
  };

  /** An issue without an id that stays, as it was under a key it had before. */
  const beforeMove = (incoming: Issue) => {
    for (const key of formerKeys(incoming)) {
      const row = byKeyAndCreation.get(tracker, key, incoming.created);
      if (row !== undefined) return row;
    }
    return undefined;
  };

  return (incoming, merge) => {
    const told = incoming.key.toUpperCase();
    const ofId = incoming.id === undefined ? undefined : byId.get(tracker, incoming.id);
    const left = incoming.id === undefined ? beforeMove(incoming) : undefined;
    const before =
      ofId ??
      byKey.get(tracker, told) ??
      left ??
      (incoming.id === undefined ? byFormerKey.get(tracker, told, incoming.created) : undefined);
    const issue = before === undefined ? incoming : merge(parseDocument<Issue>(before.document), incoming);
    const key = issue.key.toUpperCase();
    for (const former of formerKeys(issue)) remember.run(tracker, former, key);
    const document = JSON.stringify(issue);
    const keys = [before, left].flatMap((row) => (row === undefined ? [] : [String(row.key)]));
    const oldKeys = new Set(keys.filter((one) => one !== key));
    if (document === before?.document && oldKeys.size === 0) return { issue, changed: false };
    for (const oldKey of oldKeys) {
      takeIssueAway(database, tracker, oldKey, next());
      if (issue.id !== undefined) lead.run(tracker, oldKey, issue.id);
    }
    const { project, created, updated, id = null, history } = issue;
    comeBack.run(tracker, key);
    put.run(
      tracker,
      key,
      project.id,
      created,
      updated,
      document,
      next(),
      id,
      sourceUpdated(issue),
      Number(!history.complete),
      Number(issue.fields[RESTRICTION] === null),
    );
    return { issue, changed: true };
  };
}

/** As Data Center and Cloud call the field whose changes are moves. */
const keyFields: readonly string[] = ['key', 'issuekey'];

const aKey = /^[A-Z][A-Z0-9_]*-\d+$/;

/** The keys (upper case) an issue had before, as far as its history says. */
function formerKeys({ key, changes }: Issue): readonly string[] {
  const told = changes
    .filter(({ field }) => keyFields.includes(field.toLowerCase()))
    .flatMap(({ from, to }) => [from, to])
    .flatMap((value) => (value === null ? [] : [value.name.toUpperCase()]));
  return [...new Set(told)].filter((one) => aKey.test(one) && one !== key.toUpperCase());
}

function sourceUpdated({ fields: { updated } }: Issue): Instant | null {
  return typeof updated === 'number' ? updated : null;
}

/**
 * The highest revision of a tracker's issues and of the keys they have left; 0 when there are none. What is taken away
 * leaves its key behind with a higher one, so it never falls.
 */
export function issueRevision(database: DatabaseSync, tracker: string): number {
  const row = database
    .prepare(`
      SELECT max(
        ifnull((SELECT max(revision) FROM issue WHERE tracker = :tracker), 0),
        ifnull((SELECT max(revision) FROM issue_removed WHERE tracker = :tracker), 0)
      ) AS last`)
    .get({ tracker });
  return Number(row?.last);
}

/** Takes the issue under a key away and leaves the key behind with its own revision. To be called in a transaction. */
export function takeIssueAway(database: DatabaseSync, tracker: string, key: string, revision: number): void {
  database.prepare('DELETE FROM issue WHERE tracker = ? AND key = ?').run(tracker, key);
  database
    .prepare('INSERT OR REPLACE INTO issue_removed (tracker, key, revision) VALUES (?, ?, ?)')
    .run(tracker, key, revision);
}
