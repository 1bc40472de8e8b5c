import type { DatabaseSync } from 'node:sqlite';
import type { StampStore } from '../store.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';

/** Several processes may add a stamp at once, each before it writes its file; and one may be killed in between. */
const REMEMBERED = 8;

/** Opens the stamps of a tenant under a name. */
export function createSqliteStamps(
  database: DatabaseSync,
  { tenant, name }: { readonly tenant: string; readonly name: string },
): StampStore {
  const find = database.prepare('SELECT words FROM stamp WHERE tenant = ? AND name = ?');
  const put = database.prepare('INSERT OR REPLACE INTO stamp (tenant, name, words) VALUES (?, ?, ?)');
  const all = (): readonly string[] => {
    const row = find.get(tenant, name);
    return row === undefined ? [] : parseDocument<string[]>(row.words);
  };
  return {
    all: async () => all(),
    async add(stamp, present) {
      inTransaction(database, () => {
        const known = all();
        // Only what is known already: a stamp of another database stays that.
        const kept = known.filter((word) => word === present);
        const others = known.filter((word) => word !== present);
        put.run(tenant, name, JSON.stringify([stamp, ...kept, ...others].slice(0, REMEMBERED)));
      });
    },
  };
}
