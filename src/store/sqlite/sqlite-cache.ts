import type { DatabaseSync } from 'node:sqlite';
import { millisecondsInHour } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { CacheAdapter, OpenCache } from '../store.ts';
import { inCacheTransaction, isBusy, withoutSync, withoutWaiting } from './sqlite-database.ts';

/** How soon what was deferred is tried again. */
const RETRY_MS = 100;

/** Where adapters are opened, and what is done before the database is closed. */
interface SqliteCache {
  readonly open: OpenCache;
  /** Writes what was deferred, as far as that is possible. */
  close(): void;
}

/**
 * Storage adapters of Keyv over a tenant's part of one table. What has a time to live need not outlive a failing power supply: nobody waits
 * for the disk, and what is lost is asked again. Once in an hour at most, what has expired is swept out.
 */
export function createSqliteCache(database: DatabaseSync, tenant: string): SqliteCache {
  const find = database.prepare('SELECT value FROM cache WHERE tenant = ? AND key = ?');
  const put = database.prepare(
    'INSERT OR REPLACE INTO cache (tenant, key, value, expires_at) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM cache WHERE tenant = ? AND key = ?');
  const list = database.prepare(
    'SELECT key, value FROM cache WHERE tenant = ? AND key >= ? AND key < ? ORDER BY key',
  );
  const empty = database.prepare('DELETE FROM cache WHERE tenant = ? AND key >= ? AND key < ?');
  const crowd = database.prepare(`
    DELETE FROM cache WHERE rowid IN (
      SELECT rowid FROM cache WHERE tenant = ? AND key >= ? AND key < ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`);
  const isOld = database.prepare('SELECT 1 FROM cache WHERE tenant = ? AND expires_at < ? LIMIT 1');
  const age = database.prepare('DELETE FROM cache WHERE tenant = ? AND expires_at < ?');
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** Values that are not written yet by key, the oldest first; `write` in a transaction. */
  const deferred = new Map<string, { readonly value: string; readonly write: () => void }>();
  let retry: NodeJS.Timeout | null = null;

  function writeDeferred(): void {
    if (deferred.size === 0) return;
    withoutSync(() =>
      inCacheTransaction(database, () => {
        for (const { write } of deferred.values()) write();
      }),
    );
    deferred.clear();
  }

  /** Does nothing, and says so, while another process writes. */
  function unlessBusy(work: () => void): boolean {
    try {
      withoutWaiting(database, work, 0);
      return true;
    } catch (error) {
      if (error instanceof AppError && isBusy(error.cause)) return false;
      throw error;
    }
  }

  function deferredOf(namespace: string | undefined) {
    const [from, before] = rangeOf(namespace);
    return [...deferred].filter(([key]) => key >= from && key < before);
  }

  function writeLater(): void {
    retry ??= setTimeout(() => {
      retry = null;
      try {
        if (!unlessBusy(writeDeferred)) writeLater();
      } catch {
        // Whoever writes next learns why.
        writeLater();
      }
    }, RETRY_MS).unref();
  }

  const open: OpenCache = ({ most, defersWrites = false, now }) => {
    const get = (key: string) => {
      const known = deferred.get(key);
      if (known !== undefined) return known.value;
      const row = find.get(tenant, key);
      return row === undefined ? undefined : String(row.value);
    };

    function defer(key: string, value: string, ttl: number | undefined): void {
      // What is written later is younger.
      deferred.delete(key);
      deferred.set(key, { value, write: () => write(key, value, ttl) });
      try {
        const isWritten = unlessBusy(() => {
          writeDeferred();
          sweep();
        });
        if (!isWritten) writeLater();
      } catch (error) {
        deferred.delete(key);
        throw error;
      }
    }

    /** In a transaction. */
    function write(key: string, value: string, ttl: number | undefined): void {
      put.run(tenant, key, value, ttl === undefined ? null : now() + ttl);
      if (most !== null) crowd.run(tenant, ...rangeOf(adapter.namespace), most);
    }

    function writing(ttl: number | undefined, work: () => void): void {
      const writeAll = () => inCacheTransaction(database, work);
      if (ttl === undefined) writeAll();
      else {
        withoutSync(writeAll);
        sweep();
      }
    }

    function sweep(): void {
      const at = now();
      if (Math.abs(at - sweptAt) < millisecondsInHour) return;
      sweptAt = at;
      // Mostly there is none, and then nobody who writes is waited for.
      if (isOld.get(tenant, at) !== undefined)
        withoutSync(() => inCacheTransaction(database, () => age.run(tenant, at)));
    }

    const adapter: CacheAdapter = {
      // What Keyv asks before it lists entries.
      opts: { dialect: 'sqlite', url: 'sqlite:' },
      // Keyv sets it.
      namespace: undefined,
      get: async (key) => get(key),
      async set(key, value, ttl) {
        if (defersWrites) defer(key, value, ttl);
        else writing(ttl, () => write(key, value, ttl));
      },
      async change(key, change, ttl) {
        if (defersWrites) {
          const after = change(get(key));
          if (after !== undefined) defer(key, after, ttl);
          return;
        }
        writing(ttl, () => {
          const after = change(get(key));
          if (after !== undefined) write(key, after, ttl);
        });
      },
      async delete(key) {
        const isRemoved = inCacheTransaction(database, () => remove.run(tenant, key).changes > 0);
        return deferred.delete(key) || isRemoved;
      },
      async clear() {
        inCacheTransaction(database, () => empty.run(tenant, ...rangeOf(adapter.namespace)));
        for (const [key] of deferredOf(adapter.namespace)) deferred.delete(key);
      },
      async *iterator(namespace = adapter.namespace) {
        const values = new Map(
          list.all(tenant, ...rangeOf(namespace)).map((row) => [String(row.key), String(row.value)]),
        );
        for (const [key, { value }] of deferredOf(namespace)) values.set(key, value);
        yield* values;
      },
    };
    return adapter;
  };

  return {
    open,
    close() {
      if (retry !== null) clearTimeout(retry);
      try {
        writeDeferred();
      } catch {
        // A store that cannot be written to is closed all the same.
      }
    },
  };
}

/** All keys of a namespace are from the first text on and before the other. */
function rangeOf(namespace = ''): [from: string, before: string] {
  return [`${namespace}:`, `${namespace};`];
}
