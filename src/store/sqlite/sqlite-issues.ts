import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { contentOf } from '../../issues/issue-fields.ts';
import { type History, type Instant, type Issue, RESTRICTION } from '../../model/issue.ts';
import type { WritableTerms } from '../packed/issue-terms.ts';
import { createIssuePacker } from '../packed/pack-issue.ts';
import { PackedIssue } from '../packed/packed-issue.ts';
import { createIssueUnpacker } from '../packed/unpack-issue.ts';
import type { IssueStore, KeptIssue } from '../store.ts';
import { bytesOf, createIssuesAfter, issueReaderPlace, preparePacked } from './read-issues.ts';
import { inSnapshot, inTransaction, type Owner, untilWritten } from './sqlite-database.ts';
import { createSqliteDirectory, createSqliteStatuses, rememberUsers } from './sqlite-directory.ts';

/** The issues of one tenant's tracker in SQLite, with people, statuses and lists. */
export function createSqliteIssues(database: DatabaseSync, owner: Owner, terms: WritableTerms): IssueStore {
  // Every question about rights asks for everybody.
  const remembered = rememberUsers(database, owner);
  const filled = database.prepare('SELECT at FROM fill WHERE tenant = ? AND tracker = ?');
  const filledAt = untilWritten(database, () => {
    const row = filled.get(...owner);
    return row === undefined ? null : Number(row.at);
  });

  return {
    ...createSqliteIssueRows(database, owner, terms),
    ...createSqliteStatuses(database, owner),
    ...createSqliteDirectory(database, owner),
    users: async (ids) => (ids === undefined ? remembered.all() : remembered.some(ids)),
    async putUsers(users) {
      const put = database.prepare(
        'INSERT OR REPLACE INTO user (tenant, tracker, id, document) VALUES (?, ?, ?, ?)',
      );
      const rise = database.prepare(`
        INSERT INTO user_revision (tenant, revision) VALUES (?, 1)
        ON CONFLICT (tenant) DO UPDATE SET revision = revision + 1`);
      inTransaction(database, () => {
        if (users.length > 0) rise.run(owner[0]);
        for (const user of users) put.run(...owner, user.id, JSON.stringify(user));
      });
    },
    async filledAt() {
      return filledAt();
    },
    async putFilledAt(at) {
      const put = database.prepare('INSERT OR REPLACE INTO fill (tenant, tracker, at) VALUES (?, ?, ?)');
      inTransaction(database, () => put.run(...owner, at));
    },
  };
}

/** Issues that are asked for by key are cached until one is written: as many as people ask about at the same time. */
const MAX_LATELY = 64;

/** The issues of one tracker themselves: a packed row per issue. */
function createSqliteIssueRows(
  database: DatabaseSync,
  owner: Owner,
  terms: WritableTerms,
): Pick<
  IssueStore,
  | 'issue'
  | 'issuesAt'
  | 'issuesAfter'
  | 'reader'
  | 'formerKeys'
  | 'putIssues'
  | 'recentKeys'
  | 'count'
  | 'countUnreadRoles'
  | 'revision'
  | 'changedSince'
> {
  const [tenant, tracker] = owner;
  const unpacker = createIssueUnpacker(terms);
  const read = (packed: Uint8Array) => new PackedIssue(packed, unpacker);
  const byKey = database.prepare('SELECT packed FROM issue WHERE tenant = ? AND tracker = ? AND key = ?');
  const byAlias = database.prepare(`
    SELECT packed FROM issue WHERE tenant = :tenant AND tracker = :tracker AND tracker_id =
      (SELECT tracker_id FROM issue_alias WHERE tenant = :tenant AND tracker = :tracker AND key = :key)`);
  const byFormerKey = database.prepare(`
    SELECT packed FROM issue WHERE tenant = :tenant AND tracker = :tracker AND key =
      (SELECT issue_key FROM issue_former_key WHERE tenant = :tenant AND tracker = :tracker AND key = :key)`);
  const byNumber = database.prepare('SELECT packed FROM issue WHERE id = ? AND tenant = ? AND tracker = ?');
  const changed = preparePacked(database, 'tenant = ? AND tracker = ? AND revision > ?', 'revision');
  const removed = database.prepare(
    'SELECT key, revision FROM issue_removed WHERE tenant = ? AND tracker = ? AND revision > ? ORDER BY revision LIMIT ?',
  );
  const recent = database.prepare(
    'SELECT key FROM issue WHERE tenant = ? AND tracker = ? ORDER BY updated DESC, key LIMIT ?',
  );
  // Every question asks for it.
  const revision = untilWritten(database, issueRevision(database, owner));
  // An answer about an issue asks for it several times.
  const lately = untilWritten(database, () => new Map<string, Issue | null>());
  const issuesAfter = createIssuesAfter(database, owner, unpacker);
  let writer: IssueWriter | null = null;

  return {
    async issue(typed) {
      const key = typed.toUpperCase();
      const known = lately();
      const before = known.get(key);
      if (before !== undefined) return before;
      const row =
        byKey.get(...owner, key) ??
        byAlias.get({ tenant, tracker, key }) ??
        byFormerKey.get({ tenant, tracker, key });
      const issue = row === undefined ? null : read(bytesOf(row.packed));
      known.set(key, issue);
      if (known.size > MAX_LATELY) for (const oldest of known.keys().take(1)) known.delete(oldest);
      return issue;
    },
    async issuesAt(ids) {
      return inSnapshot(database, () =>
        ids.map((id) => {
          const row = byNumber.get(id, ...owner);
          return row === undefined ? null : read(bytesOf(row.packed));
        }),
      );
    },
    issuesAfter: async (after, count, use) => issuesAfter(after, count, use),
    reader: issueReaderPlace(database, owner),
    async formerKeys() {
      const rows = database
        .prepare(`
          SELECT former.key, former.issue_key FROM issue_former_key AS former
            WHERE former.tenant = :tenant AND former.tracker = :tracker
          UNION ALL
          SELECT alias.key, issue.key FROM issue_alias AS alias
            JOIN issue ON issue.tenant = alias.tenant AND issue.tracker = alias.tracker
              AND issue.tracker_id = alias.tracker_id
            WHERE alias.tenant = :tenant AND alias.tracker = :tracker`)
        .all({ tenant, tracker });
      return new Map(rows.map((row) => [String(row.key), String(row.issue_key)]));
    },
    async putIssues(issues, merge) {
      writer ??= createIssueWriter(database, owner, terms);
      const { begin, write } = writer;
      return terms.assigning(() =>
        inTransaction(database, () => {
          begin();
          return issues.map((issue) => write(issue, merge));
        }),
      );
    },
    async recentKeys(count) {
      return recent.all(...owner, count).map((row) => String(row.key));
    },
    async count() {
      return Number(
        database.prepare('SELECT count(*) AS n FROM issue WHERE tenant = ? AND tracker = ?').get(...owner)?.n,
      );
    },
    async countUnreadRoles() {
      const sql = 'SELECT count(*) AS n FROM issue WHERE tenant = ? AND tracker = ? AND unread_roles = 1';
      return Number(database.prepare(sql).get(...owner)?.n);
    },
    async revision() {
      return revision();
    },
    async changedSince(since, count) {
      const [rows, keys] = inSnapshot(database, () => [
        changed(...owner, since, count),
        removed.all(...owner, since, count),
      ]);
      // Each half is in order; what they are together ends where `count` is reached.
      const last = [...rows, ...keys]
        .map(({ revision }) => Number(revision))
        .sort((a, b) => a - b)
        .slice(0, count)
        .at(-1);
      const until = last ?? since;
      return {
        issues: rows.flatMap(({ id, revision, packed }) =>
          revision > until ? [] : [{ id, issue: read(packed) }],
        ),
        removed: keys.flatMap((row) => (Number(row.revision) > until ? [] : [String(row.key)])),
        revision: until,
      };
    },
  };
}

type Merge = (kept: Issue, incoming: Issue) => Issue;

/** Puts issues of a tracker one by one, giving out revisions. */
interface IssueWriter {
  /** To be called first in each transaction. */
  begin(): void;
  write(incoming: Issue, merge: Merge): KeptIssue;
}

function createIssueWriter(database: DatabaseSync, owner: Owner, terms: WritableTerms): IssueWriter {
  const pack = createIssuePacker(terms);
  const isSame = createIsSame(terms);
  const unpacker = createIssueUnpacker(terms);
  const byId = database.prepare(
    'SELECT id, key, packed FROM issue WHERE tenant = ? AND tracker = ? AND tracker_id = ?',
  );
  const byKey = database.prepare(
    'SELECT id, key, packed FROM issue WHERE tenant = ? AND tracker = ? AND key = ?',
  );
  const byFormerKey = database.prepare(`
    SELECT issue.id, issue.key, packed FROM issue_former_key AS former
    JOIN issue ON issue.tenant = former.tenant AND issue.tracker = former.tracker AND issue.key = former.issue_key
    WHERE former.tenant = ? AND former.tracker = ? AND former.key = ?`);
  const add = database.prepare(`
    INSERT INTO issue (tenant, tracker, key, revision, updated, tracker_id, source_updated, cut, unread_roles, packed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const change = database.prepare(`
    UPDATE issue SET key = ?, revision = ?, updated = ?, tracker_id = ?, source_updated = ?, cut = ?, unread_roles = ?,
      packed = ?
    WHERE id = ?`);
  const makeRoom = database.prepare(
    'DELETE FROM issue WHERE tenant = ? AND tracker = ? AND key = ? AND id <> ?',
  );
  const lead = database.prepare(
    'INSERT OR REPLACE INTO issue_alias (tenant, tracker, key, tracker_id) VALUES (?, ?, ?, ?)',
  );
  const remember = database.prepare(`
    INSERT INTO issue_former_key (tenant, tracker, key, issue_key) VALUES (?, ?, ?, ?)
    ON CONFLICT (tenant, tracker, key) DO UPDATE SET issue_key = excluded.issue_key
    WHERE issue_key <> excluded.issue_key`);
  const comeBack = database.prepare('DELETE FROM issue_removed WHERE tenant = ? AND tracker = ? AND key = ?');
  const takeAway = createTakeIssueAway(database, owner);
  const someRemoved = database.prepare(
    'SELECT 1 FROM issue_removed WHERE tenant = ? AND tracker = ? LIMIT 1',
  );
  const someFormer = database.prepare(
    'SELECT 1 FROM issue_former_key WHERE tenant = ? AND tracker = ? LIMIT 1',
  );
  let last = 0;
  // Most stores have neither, and every statement that is not run makes an import faster.
  let [hasRemoved, hasFormer] = [true, true];
  const next = () => {
    last += 1;
    return last;
  };

  const readRow = (row: Record<string, SQLOutputValue> | undefined): IssueRow | null =>
    row === undefined
      ? null
      : {
          id: Number(row.id),
          key: String(row.key),
          packed: bytesOf(row.packed),
          issue: new PackedIssue(bytesOf(row.packed), unpacker),
        };

  const revision = issueRevision(database, owner);

  /** What is kept there, if it was created when the incoming issue was. */
  const born = (row: IssueRow | null, { created }: Issue) => (row?.issue.created === created ? row : null);

  /** An issue without an id that stays, as it was under a key it had before. */
  const beforeMove = (incoming: Issue) => {
    for (const key of formerKeys(incoming)) {
      const row = born(readRow(byKey.get(...owner, key)), incoming);
      if (row !== null) return row;
    }
    return null;
  };

  return {
    begin() {
      terms.catchUp();
      last = revision();
      hasRemoved = someRemoved.get(...owner) !== undefined;
      hasFormer = someFormer.get(...owner) !== undefined;
    },
    write(incoming, merge) {
      const told = incoming.key.toUpperCase();
      const ofId = incoming.id === undefined ? null : readRow(byId.get(...owner, incoming.id));
      const left = incoming.id === undefined ? beforeMove(incoming) : null;
      const before =
        ofId ??
        readRow(byKey.get(...owner, told)) ??
        left ??
        (hasFormer && incoming.id === undefined
          ? born(readRow(byFormerKey.get(...owner, told)), incoming)
          : null);
      const issue = before === null ? incoming : merge(before.issue, incoming);
      const key = issue.key.toUpperCase();
      for (const former of formerKeys(issue)) {
        remember.run(...owner, former, key);
        hasFormer = true;
      }
      const oldKeys = new Set(
        [before, left].flatMap((row) => (row === null || row.key === key ? [] : [row.key])),
      );
      const packed = pack(issue);
      if (before !== null && oldKeys.size === 0 && isSame(before, { issue, packed })) {
        return { issue, changed: false };
      }
      for (const oldKey of oldKeys) {
        takeAway(oldKey, next(), before);
        hasRemoved = true;
        if (issue.id !== undefined) lead.run(...owner, oldKey, issue.id);
      }
      if (hasRemoved) comeBack.run(...owner, key);
      const { updated, id = null, history } = issue;
      const facts = [
        ...[next(), updated, id, sourceUpdated(issue)],
        ...[Number(mayBeCut(history)), Number(contentOf(issue, RESTRICTION) === null), packed],
      ];
      if (before === null) add.run(...owner, key, ...facts);
      else {
        if (before.key !== key) makeRoom.run(...owner, key, before.id);
        change.run(key, ...facts, before.id);
      }
      return { issue, changed: true };
    },
  };
}

interface IssueRow {
  readonly id: number;
  readonly key: string;
  readonly packed: Uint8Array;
  readonly issue: Issue;
}

/** Whether a row has an issue just as it was packed now. */
function createIsSame(
  terms: WritableTerms,
): (row: IssueRow, now: { readonly issue: Issue; readonly packed: Uint8Array }) => boolean {
  const [packThen, packNow] = [createIssuePacker(terms.known), createIssuePacker(terms.known)];
  return (row, { issue, packed }) => {
    // A number never gets another term, so equal bytes are equal issues.
    if (row.issue === issue || Buffer.compare(row.packed, packed) === 0) return true;
    if (row.issue.updated !== issue.updated) return false;
    // What has a number now may have had none then; with the same numbers, equal issues are equal bytes.
    return Buffer.compare(packThen(row.issue), packNow(issue)) === 0;
  };
}

/** As Data Center and Cloud call the field whose changes are moves. */
const keyFields: readonly string[] = ['key', 'issuekey'];
const keyLengths = keyFields.map(({ length }) => length);

const aKey = /^[A-Z][A-Z0-9_]*-\d+$/;

/** The keys (upper case) an issue had before, as far as its history says. */
function formerKeys({ key, changes }: Issue): readonly string[] {
  const moves = changes.filter(
    ({ field }) => keyLengths.includes(field.length) && keyFields.includes(field.toLowerCase()),
  );
  if (moves.length === 0) return [];
  const told = moves
    .flatMap(({ from, to }) => [from, to])
    .flatMap((value) => (value === null ? [] : [value.name.toUpperCase()]));
  return [...new Set(told)].filter((one) => aKey.test(one) && one !== key.toUpperCase());
}

function sourceUpdated(issue: Issue): Instant | null {
  const updated = contentOf(issue, 'updated');
  return typeof updated === 'number' ? updated : null;
}

/**
 * The highest revision of a tracker's issues and of the keys they have left; 0 when there are none. What is taken away
 * leaves its key behind with a higher one, so it never falls.
 */
export function issueRevision(database: DatabaseSync, [tenant, tracker]: Owner): () => number {
  const last = database.prepare(`
    SELECT max(
      ifnull((SELECT max(revision) FROM issue WHERE tenant = :tenant AND tracker = :tracker), 0),
      ifnull((SELECT max(revision) FROM issue_removed WHERE tenant = :tenant AND tracker = :tracker), 0)
    ) AS last`);
  return () => Number(last.get({ tenant, tracker })?.last);
}

/**
 * Takes what is kept under a key away, if it is not the row that stays, and leaves the key behind with its own revision.
 * To be used in a transaction.
 */
export function createTakeIssueAway(
  database: DatabaseSync,
  owner: Owner,
): (key: string, revision: number, stays: { readonly id: number } | null) => void {
  const remove = database.prepare(
    'DELETE FROM issue WHERE tenant = ? AND tracker = ? AND key = ? AND id IS NOT ?',
  );
  const leave = database.prepare(
    'INSERT OR REPLACE INTO issue_removed (tenant, tracker, key, revision) VALUES (?, ?, ?, ?)',
  );
  return (key, revision, stays) => {
    remove.run(...owner, key, stays?.id ?? null);
    leave.run(...owner, key, revision);
  };
}

/** Whether reading the issue again may tell more: unknown time that ended is a gap in what the tracker itself has. */
function mayBeCut(history: History): boolean {
  return !history.complete && history.unknownUntil === null;
}
