import type { DatabaseSync } from 'node:sqlite';
import type { User } from '../../model/issue.ts';
import { parseDocument } from './parse-document.ts';

/** Everybody of a tracker by id: the same map until somebody, in whatever process, has put a user. */
export function rememberUsers(database: DatabaseSync, tracker: string): () => ReadonlyMap<string, User> {
  const revision = database.prepare('SELECT revision FROM user_revision');
  const all = database.prepare('SELECT id, document FROM user WHERE tracker = ? ORDER BY id');
  let known: { readonly revision: number; readonly users: ReadonlyMap<string, User> } | null = null;
  return () => {
    const current = Number(revision.get()?.revision);
    if (known?.revision !== current) {
      const rows = all.all(tracker);
      const users = new Map(rows.map((row) => [String(row.id), parseDocument<User>(row.document)]));
      known = { revision: current, users };
    }
    return known.users;
  };
}
