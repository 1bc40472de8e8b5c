import type { DatabaseSync } from 'node:sqlite';
import { millisecondsInHour } from 'date-fns/constants';
import type { CacheAdapter, OpenCache } from '../store.ts';
import { inTransaction, withoutSync } from './sqlite-database.ts';

/**
 * Storage adapters of Keyv over one table. What has a time to live need not outlive a failing power supply: nobody waits
 * for the disk, and what is lost is asked again. Once in an hour at most, what has expired is swept out.
 */
export function createSqliteCache(database: DatabaseSync): OpenCache {
  const find = database.prepare('SELECT value FROM cache WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO cache (key, value, expires_at) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM cache WHERE key = ?');
  const list = database.prepare('SELECT key, value FROM cache WHERE key >= ? AND key < ? ORDER BY key');
  const empty = database.prepare('DELETE FROM cache WHERE key >= ? AND key < ?');
  const crowd = database.prepare(`
    DELETE FROM cache WHERE rowid IN (
      SELECT rowid FROM cache WHERE key >= ? AND key < ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`);
  const isOld = database.prepare('SELECT 1 FROM cache WHERE expires_at < ? LIMIT 1');
  const age = database.prepare('DELETE FROM cache WHERE expires_at < ?');
  let sweptAt = Number.NEGATIVE_INFINITY;

  return ({ most, now }) => {
    const get = (key: string) => {
      const row = find.get(key);
      return row === undefined ? undefined : String(row.value);
    };

    /** In a transaction. */
    function write(key: string, value: string, ttl: number | undefined): void {
      put.run(key, value, ttl === undefined ? null : now() + ttl);
      if (most !== null) crowd.run(...rangeOf(adapter.namespace), most);
    }

    function writing(ttl: number | undefined, work: () => void): void {
      const writeAll = () => inTransaction(database, work);
      if (ttl === undefined) writeAll();
      else {
        withoutSync(database, writeAll);
        sweep();
      }
    }

    function sweep(): void {
      const at = now();
      if (Math.abs(at - sweptAt) < millisecondsInHour) return;
      sweptAt = at;
      // Mostly there is none, and then nobody who writes is waited for.
      if (isOld.get(at) !== undefined)
        withoutSync(database, () => inTransaction(database, () => age.run(at)));
    }

    const adapter: CacheAdapter = {
      // What Keyv asks before it lists entries.
      opts: { dialect: 'sqlite', url: 'sqlite:' },
      // Keyv sets it.
      namespace: undefined,
      get: async (key) => get(key),
      async set(key, value, ttl) {
        writing(ttl, () => write(key, value, ttl));
      },
      async change(key, change, ttl) {
        writing(ttl, () => {
          const after = change(get(key));
          if (after !== undefined) write(key, after, ttl);
        });
      },
      delete: async (key) => inTransaction(database, () => remove.run(key).changes > 0),
      async clear() {
        inTransaction(database, () => empty.run(...rangeOf(adapter.namespace)));
      },
      async *iterator(namespace = adapter.namespace) {
        for (const row of list.all(...rangeOf(namespace))) yield [String(row.key), String(row.value)];
      },
    };
    return adapter;
  };
}

/** All keys of a namespace are from the first text on and before the other. */
function rangeOf(namespace = ''): [from: string, before: string] {
  return [`${namespace}:`, `${namespace};`];
}
