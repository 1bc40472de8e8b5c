import type { DatabaseSync } from 'node:sqlite';
import { type Instant, type Issue, RESTRICTION } from '../../model/issue.ts';
import type { KeptIssue } from '../store.ts';
import { issueRevision } from './issue-revision.ts';
import { parseDocument } from './parse-document.ts';
import { takeIssueAway } from './take-issue-away.ts';

type Merge = (kept: Issue, incoming: Issue) => Issue;

/** Puts issues of a tracker one by one, giving out revisions. To be made and used in one transaction. */
export function createWriteIssue(
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
