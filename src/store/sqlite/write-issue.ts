import type { DatabaseSync } from 'node:sqlite';
import { RESTRICTION } from '../../model/access.ts';
import type { Instant, Issue } from '../../model/issue.ts';
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
  const comeBack = database.prepare('DELETE FROM issue_removed WHERE tracker = ? AND key = ?');
  let last = issueRevision(database, tracker);
  const next = () => {
    last += 1;
    return last;
  };

  return (incoming, merge) => {
    const ofId = incoming.id === undefined ? undefined : byId.get(tracker, incoming.id);
    const before = ofId ?? byKey.get(tracker, incoming.key.toUpperCase());
    const issue = before === undefined ? incoming : merge(parseDocument<Issue>(before.document), incoming);
    const document = JSON.stringify(issue);
    if (document === before?.document) return { issue, changed: false };
    const key = issue.key.toUpperCase();
    const oldKey = ofId === undefined ? key : String(ofId.key);
    if (oldKey !== key && issue.id !== undefined) {
      takeIssueAway(database, tracker, oldKey, next());
      lead.run(tracker, oldKey, issue.id);
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

function sourceUpdated({ fields: { updated } }: Issue): Instant | null {
  return typeof updated === 'number' ? updated : null;
}
