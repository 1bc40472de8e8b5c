import type { DatabaseSync } from 'node:sqlite';
import type { PageList, PageStore } from '../store.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';

/** The lists that pages of one answer are cut from, in SQLite. */
export function createSqlitePages(database: DatabaseSync): PageStore {
  return {
    async put(list, { most, oldest }) {
      const { id, owner, question, createdAt } = list;
      const put = database.prepare(
        'INSERT OR REPLACE INTO page_list (id, owner, question, created_at, document) VALUES (?, ?, ?, ?, ?)',
      );
      const age = database.prepare('DELETE FROM page_list WHERE created_at < ?');
      const crowd = database.prepare(`
        DELETE FROM page_list WHERE owner = ? AND id NOT IN (
          SELECT id FROM page_list WHERE owner = ? ORDER BY created_at DESC, rowid DESC LIMIT ?)`);
      inTransaction(database, () => {
        put.run(id, owner, question, createdAt, JSON.stringify(list));
        age.run(oldest);
        crowd.run(owner, owner, most);
      });
    },
    async get(id) {
      const row = database.prepare('SELECT document FROM page_list WHERE id = ?').get(id);
      return row === undefined ? null : parseDocument<PageList>(row.document);
    },
    async latest(owner, question) {
      const row = database
        .prepare(
          'SELECT document FROM page_list WHERE owner = ? AND question = ? ORDER BY created_at DESC, rowid DESC',
        )
        .get(owner, question);
      return row === undefined ? null : parseDocument<PageList>(row.document);
    },
  };
}
