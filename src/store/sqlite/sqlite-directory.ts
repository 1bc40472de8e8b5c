import type { DatabaseSync } from 'node:sqlite';
import { compareIds } from '../../issues/ids-and-names.ts';
import type { AccessRule, Directory } from '../../model/directory.ts';
import type { IssueStore } from '../store.ts';
import { parseDocument } from './parse-document.ts';
import { inTransaction } from './transaction.ts';

/** What is known beside the issues of one tracker: a row per entry of each list. */
export function createSqliteDirectory(
  database: DatabaseSync,
  tracker: string,
): Pick<IssueStore, 'directory' | 'putDirectory' | 'replaceDirectory' | 'removeAccess'> {
  return {
    async directory() {
      const rows = database
        .prepare('SELECT kind, id, document FROM directory_entry WHERE tracker = ?')
        .all(tracker)
        .sort((a, b) => compareIds(String(a.id), String(b.id)));
      const list = <Kind extends keyof Directory>(kind: Kind): Directory[Kind][number][] =>
        rows.filter((row) => row.kind === kind).map((row) => parseDocument(row.document));
      return {
        sprints: list('sprints'),
        filters: list('filters'),
        groups: list('groups'),
        fields: list('fields'),
        issueTypes: list('issueTypes'),
        access: list('access'),
        calendars: list('calendars'),
        parameterSets: list('parameterSets'),
        categories: list('categories'),
        delegations: list('delegations'),
      };
    },
    async putDirectory({ access = [], ...lists }) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tracker, kind, id, document) VALUES (?, ?, ?, ?)
        ON CONFLICT (tracker, kind, id) DO UPDATE SET document = excluded.document`);
      inTransaction(database, () => {
        for (const [kind, entries] of Object.entries(lists)) {
          for (const entry of entries) put.run(tracker, kind, String(entry.id), JSON.stringify(entry));
        }
        for (const rule of access) put.run(tracker, 'access', accessId(rule), JSON.stringify(rule));
      });
    },
    async replaceDirectory(lists, others) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tracker, kind, id, document, listed) VALUES (?, ?, ?, ?, 1)
        ON CONFLICT (tracker, kind, id) DO UPDATE SET document = excluded.document, listed = 1`);
      const remove = database.prepare(`
        DELETE FROM directory_entry
        WHERE tracker = ? AND kind = ? AND listed = 1 AND id NOT IN (SELECT value FROM json_each(?))`);
      inTransaction(database, () => {
        for (const [kind, entries] of Object.entries(lists)) {
          if (others === 'go') remove.run(tracker, kind, JSON.stringify(entries.map(({ id }) => id)));
          for (const entry of entries) put.run(tracker, kind, entry.id, JSON.stringify(entry));
        }
      });
    },
    async removeAccess(kind, id) {
      const remove = database.prepare(
        "DELETE FROM directory_entry WHERE tracker = ? AND kind = 'access' AND id = ?",
      );
      return inTransaction(database, () => remove.run(tracker, accessId({ kind, id }))).changes > 0;
    },
  };
}

/** A project and a security level may have the same id. */
function accessId({ kind, id }: Pick<AccessRule, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
